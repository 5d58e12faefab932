"""The Systems place: runs x measures, differences to the baseline, and the averaged curves of the shown runs."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Bools, Floats
from irviewer.session.pages.common import RunLabel


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
class SystemsPage:
    """R runs x M measures, in the order the table shows them.

    runs     the runs, sorted as the person asked
    means    float64[R, M]; NaN where there is no value
    best     bool[R, M]: bold (every run that ties for the best; none where all are equal)
    heat     float64[R, M] in 0..1, how dark the cell is, steepest among the best
    delta    float64[R] of the chosen measure against the baseline; NaN for the baseline or without one
    sort     (measure, "run", "delta" or "" for the person's own order; descending)
    explanation   what is missing (no runs, no judgments), "" where nothing is
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
