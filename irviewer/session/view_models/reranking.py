"""The view model of edits of a list: every measure of the query and on average, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from irviewer.measures.base import Measure
from irviewer.model.workspace import RunEntry

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import EvaluationContext


@dataclass(frozen=True)
class MeasureChange:
    """A measure of the selected query and its mean, for the copied run and for the edited one."""

    measure: Measure
    before: float
    after: float
    mean_before: float
    mean_after: float

    @property
    def delta(self) -> float:
        """The change of the query's value."""
        return self.after - self.before


@dataclass(frozen=True)
class RankChange:
    """A document of the edited list: its rank now and before, 0 if it is not in the list."""

    doc_id: str
    rank: int
    former: int


@dataclass(frozen=True)
class RerankingViewModel:
    """An edited run compared with the run that was copied.

    source   the name of the run that was copied
    queries  the edited queries, in the order in which they were edited
    rows     the documents of the selected query whose rank differs, by rank; removed ones last
    """

    key: int
    name: str
    source: str
    query_id: str
    queries: tuple[str, ...]
    measures: tuple[MeasureChange, ...]
    rows: tuple[RankChange, ...]


def build_reranking_view_model(
    context: EvaluationContext, entry: RunEntry, query_id: str, measures: Sequence[Measure]
) -> RerankingViewModel:
    """Return the view model of an edited run for a query."""
    edited = entry.edited
    assert edited is not None
    position = context.query_index.get(query_id, -1)
    former = replace(entry, run=edited.source)
    # The copied run has its unjudged documents; they are removed if the option is on.
    then = replace(context, options=replace(context.options, judged_only=True)) if context.judged_only else context
    changes = []
    if context.judgments is not None and position >= 0:
        for measure in measures:
            mine, theirs = context.values(entry, measure), then.values(former, measure)
            means = then.mean(former, measure), context.mean(entry, measure)
            changes.append(MeasureChange(measure, float(theirs[position]), float(mine[position]), *means))
    rule = context.options.rules.ties, context.options.rules.bits
    before = {doc: rank for rank, doc in enumerate(edited.own_list(query_id, *rule), start=1)}
    after = {doc: rank for rank, doc in enumerate(edited.list_of(query_id, *rule), start=1)}
    rows = [RankChange(doc, rank, before.get(doc, 0)) for doc, rank in after.items() if before.get(doc, 0) != rank]
    rows += [RankChange(doc, 0, rank) for doc, rank in before.items() if doc not in after]
    return RerankingViewModel(
        entry.key, entry.name, edited.source.name, query_id, tuple(edited.lists), tuple(changes), tuple(rows)
    )
