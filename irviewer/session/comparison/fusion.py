"""Fusion as a what-if: several runs made into one, tried first and then kept as a run of its own. A part of the
session, Qt-free; the arithmetic is ``model.rankings.fusion``'s. What is kept is a copy: it does not follow its runs."""

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
from irviewer.session.tasks import Progress
from irviewer.session.view import View

KEPT = 1000
"""So many documents a query stay: as deep as runs are handed in, and no deeper list says more about the top."""
MOST_NAMED = 3
"""Of more runs the name says only how many there are; its tooltip names them all."""


@dataclass(frozen=True)
class Tried:
    """What a fusion would be worth: the mean of the chosen measure, beside the best of its runs; or why not."""

    measure: str = ""
    value: float = float("nan")
    best: float = float("nan")
    best_name: str = ""
    higher_is_better: bool = True
    trouble: str = ""


class FusionService:
    """Runs fused from others: tried out, and added to the collection."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view
        self._history = history

    def try_fusion(self, keys: Sequence[int], fusion: Fusion, found: Callable[[Tried], object]) -> None:
        """Compute in the background what a fusion of runs would be worth and hand it to ``found``; the newest wins."""
        context, entries = self._view.context, self._to_fuse(keys)
        if context is None:
            return
        singles = [
            (context.mean(entry, context.measure), entry.name) for entry in entries if context.judgments is not None
        ]

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Tried:
            progress(None)
            return _tried(context, entries, fusion, singles)

        def failed(failure: BaseException) -> None:
            if not isinstance(failure, IrviewerError):
                raise failure
            found(Tried(trouble=str(failure)))

        def done(tried: Tried) -> None:
            found(tried)

        self._tasks.submit("try fusion", work, done, failed, title="Trying a fusion", quiet=True)

    def stop_trying(self) -> None:
        """Nobody waits for what was tried."""
        self._tasks.cancel("try fusion")

    def fuse_runs(self, keys: Sequence[int], fusion: Fusion, name: str = "") -> None:
        """Make one run of several, in the background: it is shown, and is the one that deltas speak of. What cannot be
        fused is said."""
        entries = self._to_fuse(keys)
        collection = self._view.collection
        if collection is None:
            return

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Run:
            progress(None)
            return fuse([entry.run for entry in entries], fusion, name=name or name_of(entries, fusion), keep=KEPT)

        def done(run: Run) -> None:
            if self._view.collection is None or self._view.collection.name != collection.name:
                return
            self._add_run(replace(run, origin=""))

        title = f"Fusing {len(entries):,} runs"
        self._tasks.submit("fuse", work, done, self._store.on_failure, title=title)

    def _add_run(self, run: Run) -> None:
        assert self._view.collection is not None
        grown = self._view.collection.with_runs([run])
        made, chosen = grown.runs[-1], self._store.state.chosen
        state = self._store.state.with_collection(grown)
        state = state.with_chosen(replace(chosen, shown=chosen.shown | {made.key}, focus=made.key))
        self._history.do(f"fuse {made.name}", state)
        self._store.say(info(f"{made.name} is a run of its own now: it stays as it is when its runs change"))

    def _to_fuse(self, keys: Sequence[int]) -> list[RunEntry]:
        return [] if self._view.collection is None else [one for one in self._view.collection.runs if one.key in keys]


def name_of(entries: Sequence[RunEntry], fusion: Fusion) -> str:
    """``RRF (k = 60) of a and b``; of many runs how many they are."""
    names = [entry.name for entry in entries]
    if len(names) > MOST_NAMED:
        return f"{fusion} of {len(names)} runs"
    return f"{fusion} of {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else str(fusion)


def _tried(
    context: EvaluationContext, entries: Sequence[RunEntry], fusion: Fusion, singles: Sequence[tuple[float, str]]
) -> Tried:
    """The fusion's mean over the queries in force, and the best of the single runs'."""
    made = fuse([entry.run for entry in entries], fusion, keep=KEPT)
    if context.judgments is None or not singles:
        return Tried()

    options = context.options
    table = evaluate(context.judgments.qrels, made, [context.measure], options)
    inside = frozenset(
        context.query_ids if context.within is None else compress(context.query_ids, context.within.tolist())
    )
    values = table.values[0, 0, [query in inside for query in table.query_ids]]
    measure, sign = table.measures[0], 1 if context.measure.higher_is_better else -1
    known = [one for one in singles if not np.isnan(one[0])]
    best, name = max(known, key=lambda one: sign * one[0], default=(float("nan"), ""))
    return Tried(str(context.measure), measure.mean(values), best, name, measure.higher_is_better)
