"""The tie inspector: how the order of tied documents could change a run's values, computed by a background task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from irviewer.errors import IrviewerError
from irviewer.measures.base import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.evaluation.context import values_only
from irviewer.session.evaluation.default_measures import query_measures
from irviewer.session.evaluation.zscores import plain
from irviewer.session.messages import error
from irviewer.session.store import Store
from irviewer.session.tasks import Operation
from irviewer.session.view import View
from irviewer.session.view_models.ties import POLICIES, TieRow, TiesTable
from irviewer.translation import tr, trn

MOST_GROUPS = 12


@dataclass(frozen=True, eq=False)
class _Wanted:
    run: Run
    qrels: Qrels
    options: EvaluationOptions
    measures: tuple[Measure, ...]
    means: tuple[float, ...]
    query: str


class TieService:
    """Finds the values that depend on the order of tied documents."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view

    def find_ties(self, deliver: Callable[[TiesTable], object]) -> None:
        """Find how ties could change the values of the focus run, or of the baseline without one, in the background,
        and ``deliver`` the table."""
        context = None if self._view.context is None else plain(self._view.context)
        key = None if context is None else context.focus if context.focus is not None else context.baseline
        entry = None if context is None or key is None else context.collection.run(key)
        if context is None or entry is None or context.judgments is None or not self._view.query_id:
            return
        if entry.run.stored is not None:
            self._store.say(error(values_only([entry.name])))
            return
        measures = query_measures(context.depth, context.measure, context.stored_measures, graded=context.graded)
        means = tuple(context.mean(entry, measure) for measure in measures)
        options = context.with_documents(context.options, *measures)
        wanted = _Wanted(entry.run, context.judgments.qrels, options, measures, means, self._view.query_id)

        self._tasks.run(Operation("ties", partial(_find, wanted), deliver, title=tr("Finding effects of ties")))


def _part(progress: Callable[[float], object], done: int, n: int, share: float) -> None:
    progress((done + share) / n)


def _find(wanted: _Wanted, progress: Callable[[float], object]) -> TiesTable:
    from irviewer.analysis.explain.tie_bounds import tie_changes, tie_range

    rows: list[TieRow] = []
    groups: tuple[str, ...] = ()
    changing = 0
    texts = []
    n = len(wanted.measures)
    for position, measure in enumerate(wanted.measures):
        progress(position / n)
        try:
            values = tie_range(wanted.run, wanted.qrels, measure, wanted.query, wanted.options)
            whole = tie_changes(
                wanted.run, wanted.qrels, measure, wanted.options, partial(_part, progress, position, n)
            )
        except IrviewerError:
            continue  # a measure of another package, or one without numbers
        policies = tuple(values.policies.get(name, float("nan")) for name in POLICIES)
        rows.append(
            TieRow(
                str(measure), tr("query {query}", query=wanted.query), values.value, values.lowest, values.expected,
                values.highest, policies, values.sentence(),
            )
        )  # fmt: skip
        means = dict(zip(whole.policies, whole.means.tolist(), strict=True))
        by_policy = tuple(means.get(name, float("nan")) for name in POLICIES)
        text = tr(
            "The rule for ties changes the value of {count:,} of {total:,} queries.",
            count=whole.changing, total=whole.n_queries,
        )  # fmt: skip
        rows.append(
            TieRow(
                str(measure), tr("mean"), wanted.means[position], min(means.values()), whole.expected_mean,
                max(means.values()), by_policy, text,
            )
        )  # fmt: skip
        changing = max(changing, whole.changing)
        if not groups:
            groups = tuple(
                tr(
                    "ranks {first}–{last} share {score:.6g}: {documents}",
                    first=group.first, last=group.last, score=group.score,
                    documents=", ".join(group.documents[:4]) + (" …" if len(group.documents) > 4 else ""),
                )
                for group in values.groups[:MOST_GROUPS]
            )  # fmt: skip
            more = len(values.groups) - MOST_GROUPS
            texts = [trn("{n:,} further group", "{n:,} further groups", more)] if more > 0 else []
    if changing:
        total = trn("Ties could change values of {n:,} query.", "Ties could change values of {n:,} queries.", changing)
    else:
        total = tr("No value depends on ties.")
    return TiesTable(wanted.run.name, wanted.query, tuple(rows), (*groups, *texts), total)
