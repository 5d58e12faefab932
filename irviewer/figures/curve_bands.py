"""Bootstrap bands around averaged curves: at each recall or cutoff the interval of the mean over queries, each
separately.

Knows rows of queries and intervals, no files and no colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.statistics.intervals import (
    FLAT,
    LEVEL,
    IntervalMethod,
    average,
    bootstrap_interval,
    t_interval,
)
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.figures.figure import Band, Curve, Figure
from irviewer.figures.measure_by_cutoff import widened
from irviewer.model.arrays import Floats, frozen
from irviewer.model.number_text import level_text
from irviewer.translation import tr


@dataclass(frozen=True)
class BandOptions:
    """How bands are made: as the intervals of means are."""

    interval: IntervalMethod = "percentile"
    level: float = LEVEL
    samples: int = SAMPLES
    seed: int = SEED

    def ends(self, rows: Floats) -> tuple[Floats, Floats]:
        """Low and high float64[P] of the means over the rows float64[Q, P]; both the mean where all values of several
        queries are the same, so that the band goes on as its line."""
        values = np.ascontiguousarray(rows.T)
        if self.interval == "t":
            low, high = t_interval(values, self.level)
        else:
            low, high = bootstrap_interval(values, self.interval, self.level, samples=self.samples, seed=self.seed)
        same = np.isnan(low) & (np.ptp(values, axis=1) <= FLAT) & ~np.isnan(low).all()
        mean = average(values)
        return np.where(same, mean, low), np.where(same, mean, high)


def banded(
    figure: Figure, curves: Sequence[Curve], xs: Sequence[Floats], rows: Sequence[Callable[[], Floats]],
    options: BandOptions,
) -> Figure:  # fmt: skip
    """Return the figure with a band around each of its curves, at ``xs`` float64[P]; ``rows`` find float64[Q, P], whose
    means over queries the curves are. The axis of values makes room for them."""
    bands = []
    for curve, x, find in zip(curves, xs, rows, strict=True):
        rows_of_run = find()
        if len(rows_of_run):
            low, high = options.ends(rows_of_run)
            bands.append(Band(curve.role, curve.label, x, frozen(low), frozen(high)))
    note = tr("{level} bands, pointwise", level=level_text(options.level))
    result = replace(figure, bands=tuple(bands), note=" · ".join(part for part in (note, figure.note) if part))
    return widened(result) if result.x.integer and bands else result
