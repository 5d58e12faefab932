"""The Queries place: queries x shown runs for one measure, the difference bars and the relevance map in its order."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.session.pages.common import RunLabel

QUERY_COLUMNS = {
    "median": "Δ from the median of all runs",
    "mean": "the mean over all runs: how hard the query is",
    "agreement": "whether the query tells good runs from bad ones",
}
"""Columns of what all runs say of a query by name, in the order of the table; a person chooses which to see."""


@dataclass(frozen=True, eq=False)
class QueryField:
    """What all runs say of the N queries, in the table's order; the ``columns`` of QUERY_COLUMNS that are to be seen.

    runs           how many runs that is
    median         float64[N]: focus minus the median of all runs; NaN for fewer than five runs
    mean           float64[N]: over all runs; ``difficulty`` float64[N] its rank among all queries, 0 the easiest,
                   1 the hardest
    agreement      float64[N]: Kendall's tau-a of the runs' order on the query with their order on the others
    discriminates  bool[N]: at least half of the pairs of runs differ, more of them as on the other queries
    separated      float64[N]: the share of pairs of runs that differ
    """

    columns: tuple[str, ...]
    runs: int
    median: Floats
    mean: Floats
    difficulty: Floats
    agreement: Floats
    discriminates: Bools
    separated: Floats


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
    sort               ("query", "text", "relevant", "delta", "spread", one of QUERY_COLUMNS or a run's key as text;
                       descending)
    better, equal, worse   counts of the bars' differences over the rows shown
    explanation        what is missing (no runs, no judgments), "" where nothing is
    remarks            what a person wrote about each, as signs, N or none; ``remarks_told`` in full
    higher_is_better   the measure's direction
    ratio              delta and spread (and the field's difference from the median) are natural logarithms of ratios,
                       which are shown: the measure's mean is geometric
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
    remarks: tuple[str, ...] = ()
    remarks_told: tuple[str, ...] = ()
    higher_is_better: bool = True
    field: QueryField | None = None
    ratio: bool = False

    def gain(self, row: int) -> float:
        """The difference of a row, positive where it is for the better; NaN without a pair."""
        delta = float(self.delta[row])
        return delta if self.higher_is_better else -delta
