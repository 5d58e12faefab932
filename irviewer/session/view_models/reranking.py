"""What edits of a list are worth: every measure of the query and on average, before and after."""

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
    """A measure of the selected query and its mean, of the run as it was copied and as it is."""

    measure: Measure
    before: float
    after: float
    mean_before: float
    mean_after: float

    @property
    def delta(self) -> float:
        """What the edits gained for the query."""
        return self.after - self.before

    @property
    def mean_delta(self) -> float:
        """What they gained on average."""
        return self.mean_after - self.mean_before


@dataclass(frozen=True)
class RankChange:
    """A document of the edited list: its rank now and before, 0 where it is not there."""

    doc_id: str
    rank: int
    former: int


@dataclass(frozen=True)
class RerankingViewModel:
    """source   the name of the run that was copied
    queries  those that were edited, in the order in which they were
    rows     the documents whose rank differs in the selected query, by rank; those removed last
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
    """The view model of an edited copy for a query."""
    edited = entry.edited
    assert edited is not None
    place = context.query_index.get(query_id, -1)
    former = replace(entry, run=edited.source)
    # The source comes with what nobody judged: where that is left out, the numbers leave it out.
    then = replace(context, options=replace(context.options, judged_only=True)) if context.judged_only else context
    changes = []
    if context.judgments is not None and place >= 0:
        for measure in measures:
            mine, theirs = context.values(entry, measure), then.values(former, measure)
            means = then.mean(former, measure), context.mean(entry, measure)
            changes.append(MeasureChange(measure, float(theirs[place]), float(mine[place]), *means))
    rule = context.options.rules.ties, context.options.rules.bits
    before = {doc: rank for rank, doc in enumerate(edited.own_list(query_id, *rule), start=1)}
    after = {doc: rank for rank, doc in enumerate(edited.list_of(query_id, *rule), start=1)}
    rows = [RankChange(doc, rank, before.get(doc, 0)) for doc, rank in after.items() if before.get(doc, 0) != rank]
    rows += [RankChange(doc, 0, rank) for doc, rank in before.items() if doc not in after]
    return RerankingViewModel(
        entry.key, entry.name, edited.source.name, query_id, tuple(edited.lists), tuple(changes), tuple(rows)
    )
