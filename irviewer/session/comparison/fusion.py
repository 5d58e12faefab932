"""Fusion of several runs: previewed, then added to the collection. ``model.rankings.fusion`` computes it. The fused run
does not follow later changes of its runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.rankings.fusion import Fusion, fuse
from irviewer.model.run import Run
from irviewer.model.workspace import RunEntry
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr, trn

KEPT = 1000
"""The number of documents per query of a fused run, the usual depth of submitted runs."""
MOST_NAMED = 3
"""With more runs the name has only their number; the tooltip lists them."""


@dataclass(frozen=True)
class Tried:
    """The preview of a fusion: the mean of the selected measure, that of the best of its runs, or the error."""

    measure: str = ""
    value: float = float("nan")
    best: float = float("nan")
    best_name: str = ""
    higher_is_better: bool = True
    trouble: str = ""


class FusionService:
    """Makes and previews fused runs."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view
        self._history = history

    def try_fusion(self, keys: Sequence[int], fusion: Fusion, deliver: Callable[[Tried], object]) -> None:
        """Compute the preview of a fusion in the background and pass it to ``deliver``; only the newest request
        counts."""
        context, entries = self._view.context, self._to_fuse(keys)
        if context is None:
            return
        singles = [
            (context.mean(entry, context.measure), entry.name) for entry in entries if context.judgments is not None
        ]

        def work(progress: Progress) -> Tried:
            progress(None)
            return _tried(context, entries, fusion, singles)

        def failed(failure: BaseException) -> None:
            if not isinstance(failure, IrviewerError):
                raise failure
            deliver(Tried(trouble=str(failure)))

        self._tasks.run(Operation("try fusion", work, deliver, failed, title=tr("Computing a fusion"), quiet=True))

    def stop_trying(self) -> None:
        """Cancel :meth:`try_fusion`."""
        self._tasks.cancel("try fusion")

    def fuse_runs(self, keys: Sequence[int], fusion: Fusion, name: str = "") -> None:
        """Fuse runs in the background; the fused run is shown and becomes the focus run. Errors are shown."""
        entries = self._to_fuse(keys)
        collection = self._view.collection
        if collection is None:
            return

        def work(progress: Progress) -> Run:
            progress(None)
            return fuse([entry.run for entry in entries], fusion, name=name or name_of(entries, fusion), keep=KEPT)

        def done(run: Run) -> None:
            if self._view.collection is None or self._view.collection.name != collection.name:
                return
            self._add_run(replace(run, origin=""))

        title = trn("Fusing {n:,} run", "Fusing {n:,} runs", len(entries))
        self._tasks.run(Operation("fuse", work, done, title=title))

    def _add_run(self, run: Run) -> None:
        assert self._view.collection is not None
        grown = self._view.collection.with_runs([run])
        new_run, chosen = grown.runs[-1], self._store.state.chosen
        state = self._store.state.with_collection(grown)
        state = state.with_chosen(replace(chosen, shown=chosen.shown | {new_run.key}, focus=new_run.key))
        self._history.do(tr("fuse {run}", run=new_run.name), state)
        self._store.say(info(tr("Added {run}. It does not follow later changes of its runs.", run=new_run.name)))

    def _to_fuse(self, keys: Sequence[int]) -> list[RunEntry]:
        return [] if self._view.collection is None else [run for run in self._view.collection.runs if run.key in keys]


def name_of(entries: Sequence[RunEntry], fusion: Fusion) -> str:
    """Return ``RRF (k = 60) of a and b``, or with many runs their number."""
    names = [entry.name for entry in entries]
    if len(names) > MOST_NAMED:
        return tr("{fusion} of {count} runs", fusion=fusion, count=len(names))
    if len(names) > 1:
        return tr("{fusion} of {runs} and {last}", fusion=fusion, runs=", ".join(names[:-1]), last=names[-1])
    return str(fusion)


def _tried(
    context: EvaluationContext, entries: Sequence[RunEntry], fusion: Fusion, singles: Sequence[tuple[float, str]]
) -> Tried:
    """Return the mean of the fusion over the current queries, and the best mean of its runs."""
    new_run = fuse([entry.run for entry in entries], fusion, keep=KEPT)
    if context.judgments is None or not singles:
        return Tried()

    options = context.with_documents(context.options, context.measure)
    table = evaluate(context.judgments.qrels, new_run, [context.measure], options)
    inside = frozenset(
        context.query_ids if context.within is None else compress(context.query_ids, context.within.tolist())
    )
    values = table.values[0, 0, [query in inside for query in table.query_ids]]
    measure, sign = table.measures[0], 1 if context.measure.higher_is_better else -1
    known = [single for single in singles if not np.isnan(single[0])]
    best, name = max(known, key=lambda value_and_name: sign * value_and_name[0], default=(float("nan"), ""))
    return Tried(str(context.measure), measure.mean(values), best, name, measure.higher_is_better)
