"""The mean of a measure at every cutoff, a curve for each run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irviewer.figures.axes import mean_of, nice_step, rank_ticks, ticks_between
from irviewer.figures.figure import Axis, Curve, Figure
from irviewer.figures.precision_recall import RunCurve, run_curves
from irviewer.translation import decimal, tr

FROM_ZERO = 0.25
"""An axis that would begin in the lowest quarter of the values begins at 0, as cutting it would gain little."""


def by_cutoff_figure(
    curves: Sequence[RunCurve | Curve],
    cutoff: int,
    n_queries: int | tuple[int, int],
    measure: str = "nDCG",
    note: str = "",
) -> Figure:
    """Return the mean of ``measure`` over ``n_queries`` queries at cutoffs 1 … the longest curve; curves as for
    :func:`~irviewer.figures.precision_recall.run_curves`, of cutoffs and means. The axis begins at a round number below
    the lowest value, which is added to ``note``. ``n_queries`` is (fewest, most) where runs have different ones."""
    all_curves = run_curves(curves)
    depth = max((int(curve.x[-1]) for curve in all_curves if len(curve.x)), default=1)
    values = [curve.y[np.isfinite(curve.y)] for curve in all_curves]
    low, high, step = value_range(
        min((float(array.min()) for array in values if len(array)), default=0.0),
        max((float(array.max()) for array in values if len(array)), default=0.0),
    )
    return Figure(
        title=tr("{measure} by cutoff", measure=measure),
        x=Axis(tr("Cutoff"), 1.0, float(max(2, depth)), rank_ticks(depth), integer=True),
        y=Axis(
            tr("{measure} at cutoff, {mean}", measure=measure, mean=mean_of(n_queries)),
            low,
            high,
            ticks_between(low, high, step),
        ),
        curves=all_curves,
        note=" · ".join(filter(None, (note, _axis_note(low)))),
        cursor=float(cutoff) if 1 <= cutoff <= depth else None,
        reading=tr("cutoff {x:.0f}"),
        quantity=measure,
    )


def widened(figure: Figure) -> Figure:
    """Return the figure with a y axis that has room for its bands as well as its curves."""
    ends = [array for band in figure.bands for array in (band.low, band.high)] + [curve.y for curve in figure.curves]
    values = np.concatenate([array[np.isfinite(array)] for array in ends])
    low, high, step = value_range(float(values.min()), float(values.max()))
    parts = [part for part in figure.note.split(" · ") if part and part != _axis_note(figure.y.low)]
    parts += [] if low == 0 else [_axis_note(low)]
    axis = replace(figure.y, low=low, high=high, ticks=ticks_between(low, high, step))
    return replace(figure, y=axis, note=" · ".join(parts))


def value_range(lowest: float, highest: float) -> tuple[float, float, float]:
    """Return (low, high, step): round bounds around the values with some space, from 0 where that costs little."""
    if highest <= 1e-9 and lowest >= 0:
        return 0.0, 1.0, 0.2
    air = max(highest - lowest, abs(highest) * 0.02) * 0.04
    if 0 <= lowest < highest * FROM_ZERO:
        low = 0.0
        step = nice_step(highest + air, 6)
    else:
        step = nice_step(highest - lowest + 2 * air, 6)
        low = step * math.floor((lowest - air) / step + 1e-9)
        if lowest >= 0 and low < highest * FROM_ZERO:
            low = 0.0
            step = nice_step(highest + air, 6)
    high = step * math.ceil((highest + air) / step - 1e-9)
    if lowest >= 0 and highest <= 1:
        high = min(high, 1.0)
    return round(low, 12), round(high, 12), step


def _axis_note(low: float) -> str:
    return "" if low == 0 else tr("axis from {low}", low=_short(low))


def _short(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return decimal(text)
