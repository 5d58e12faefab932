"""The Systems place: runs x measures, differences to the baseline, and the averaged curves of the shown runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.session.pages.common import RunLabel

T = TypeVar("T")

STATISTICS = {
    "reached": "the share of queries on which the measure is reached",
    "weighted": "the mean by the queries' weights",
    "interval": "the interval of Δ",
    "p": "p of Δ",
    "outcomes": "queries better · equal · worse",
    "group": "groups of runs within which the test shows no difference",
    "first": "how often the run comes first",
}
"""Columns of statistics by name, in the order of the table; a person hides those that they do not want."""


@dataclass(frozen=True)
class MeasureColumn:
    """One measure as a column: its canonical name, a short header, what it rewards (tooltip), and how to read it."""

    measure: str
    label: str
    tooltip: str
    counts: bool = False
    higher_is_better: bool = True
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class SystemsStatistics:
    """The chosen measure of R runs beside the baseline's, in the table's order; NaN and "" for the baseline itself.

    low, high            float64[R]: the interval of the mean difference; ``scale`` how far its axis goes both ways
    p                    float64[R]: of the test that decides, after the correction that ``p_title`` names; ``shown``
                         bool[R] where it shows a difference, which is bold
    outcomes, verdicts   queries better, equal, worse; the verdict in words
    mean_low, mean_high  float64[R]: the interval of each run's own mean
    letters              of all pairs: between runs that share a letter the test shows no difference; ``letters_tip``
                         names it and its family. None until all pairs are compared
    looked_at, warnings  all tests that were computed; what a person has to be told
    notes                what a file of the table has to tell: the warnings, and what the window says elsewhere
    first                float64[R]: in which share of bootstrap samples of the queries the run's mean is the best
    """

    low: Floats
    high: Floats
    scale: float
    p: Floats
    shown: Bools
    p_title: str
    p_tip: str
    interval_title: str
    interval_tip: str
    outcomes: tuple[str, ...]
    verdicts: tuple[str, ...]
    mean_low: Floats
    mean_high: Floats
    letters: tuple[str, ...] | None
    letters_tip: str
    looked_at: tuple[str, ...]
    warnings: tuple[str, ...]
    first: Floats | None = None
    notes: tuple[str, ...] = ()

    def at(self, places: Ints) -> SystemsStatistics:
        """The same for some runs, in another order: int64 places, -1 for a run of which nothing is told."""

        def some(cells: tuple[T, ...] | None) -> tuple[T, ...] | None:
            return (
                None
                if cells is None
                else tuple(cells[place] if place >= 0 else type(cells[0])() for place in places.tolist())
            )

        def each(values: Floats) -> Floats:
            return frozen(np.where(places >= 0, values[places], np.nan))

        return replace(
            self,
            low=each(self.low),
            high=each(self.high),
            p=each(self.p),
            shown=frozen((places >= 0) & self.shown[places]),
            outcomes=some(self.outcomes) or (),
            verdicts=some(self.verdicts) or (),
            mean_low=each(self.mean_low),
            mean_high=each(self.mean_high),
            letters=some(self.letters),
            first=None if self.first is None else each(self.first),
        )


@dataclass(frozen=True, eq=False)
class SystemsPage:
    """R runs x M measures, in the order the table shows them.

    runs     the runs, sorted as the person asked
    means    float64[R, M]; NaN where there is no value
    best     bool[R, M]: bold, the best mean, which claims nothing (every run that ties for it; none where all are
             equal)
    heat     float64[R, M] in 0..1, how dark the cell is, steepest among the best
    delta    float64[R] of the chosen measure against the baseline; NaN for the baseline or without one. With ``ratio``
             the natural logarithm of the ratio of geometric means, which is shown; so are the interval's ends
    sort     (measure, "run", "delta" or "" for the person's own order; descending)
    explanation   what is missing (no runs, no judgments), "" where nothing is
    statistics    of the chosen measure; None where there are none, or until they are computed
    pending       statistics, or those of all pairs, are still to come
    hidden        columns of statistics that the person does not want to see
    reached       float64[R]: on which share of its queries a run reaches a value of the chosen measure; None where all
                  runs always do. A run that does not has no mean
    weighted      float64[R]: the chosen measure's mean by the queries' weights; None without weights. ``weighted_by``
                  says whence they are
    open_to_judging   keys of the runs whose delta could be turned round by judging what is unjudged
    """

    title: str
    note: str
    runs: tuple[RunLabel, ...]
    columns: tuple[MeasureColumn, ...]
    means: Floats
    best: Bools
    heat: Floats
    delta: Floats
    delta_label: str
    sort: tuple[str, bool]
    precision_recall: Figure
    by_cutoff: Figure
    caveats: tuple[str, ...]
    explanation: str = ""
    statistics: SystemsStatistics | None = None
    hidden: frozenset[str] = frozenset()
    filter: str = ""
    filter_error: str = ""
    reached: Floats | None = None
    weighted: Floats | None = None
    weighted_by: str = ""
    open_to_judging: frozenset[int] = frozenset()
    pending: bool = False
    ratio: bool = False
