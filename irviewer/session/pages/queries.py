"""The Queries place: queries x shown runs for one measure, the difference bars and the relevance map in its order."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Floats, Ints
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True, eq=False)
class RelevanceMap:
    """Queries x ranks of one run, a column a query in the table's order, rank downward.

    cells    float64[depth, N]: the grade, NaN where the qrels do not list the document, -inf where nothing was
             retrieved at this rank
    """

    run: RunLabel
    cells: Floats
    max_grade: float


@dataclass(frozen=True, eq=False)
class QueriesPage:
    """N queries in the order the person sees (sorted and filtered), S shown runs.

    query_ids, texts   N each
    relevant           int64[N]
    values             float64[N, S]
    delta              float64[N]: focus minus baseline, NaN without a pair
    spread             float64[N]: best minus worst of the shown runs
    heat               float64[N, S] in 0..1
    selected           the row of the selected query, -1 where the filter hides it
    sort               ("query", "text", "relevant", "delta", "spread" or a run's key as text; descending)
    better, equal, worse   counts of delta over the rows shown
    explanation        what is missing (no runs, no judgments), "" where nothing is
    higher_is_better   the measure's direction
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    relevant: Ints
    values: Floats
    delta: Floats
    spread: Floats
    heat: Floats
    selected: int
    sort: tuple[str, bool]
    filter: str
    filter_error: str
    total: int
    better: int
    equal: int
    worse: int
    delta_note: str
    bars: Figure
    map: RelevanceMap | None
    explanation: str = ""
    higher_is_better: bool = True

    def gain(self, row: int) -> float:
        """The difference of a row, positive where it is for the better; NaN without a pair."""
        delta = float(self.delta[row])
        return delta if self.higher_is_better else -delta
