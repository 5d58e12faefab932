"""A measure's mean at every cutoff, a curve a run. Draws nothing and knows no colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import nice_step, rank_ticks, ticks_between
from irviewer.figures.figure import Axis, Figure
from irviewer.figures.precision_recall import RunCurve, run_curves

FROM_ZERO = 0.25
"""An axis that would begin in the lowest quarter of the values begins at 0: then nothing is gained by cutting it."""


def by_cutoff_figure(curves: Sequence[RunCurve], cutoff: int, n_queries: int, measure: str = "nDCG") -> Figure:
    """The mean of ``measure`` over ``n_queries`` queries at cutoffs 1 … the longest curve; curves as (role, label,
    cutoffs, means). The axis begins at a round number below the lowest value, and ``note`` says where."""
    made = run_curves(curves)
    depth = max((int(curve.x[-1]) for curve in made if len(curve.x)), default=1)
    values = [curve.y[np.isfinite(curve.y)] for curve in made]
    low, high, step = value_range(
        min((float(one.min()) for one in values if len(one)), default=0.0),
        max((float(one.max()) for one in values if len(one)), default=0.0),
    )
    return Figure(
        title=f"{measure} by cutoff",
        x=Axis("Cutoff", 1.0, float(max(2, depth)), rank_ticks(depth), integer=True),
        y=Axis(f"{measure} at cutoff, mean of {n_queries:,} queries", low, high, ticks_between(low, high, step)),
        curves=made,
        note="" if low == 0 else f"axis from {_short(low)}",
        cursor=float(cutoff) if 1 <= cutoff <= depth else None,
        reading="cutoff {x:.0f}",
        quantity=measure,
    )


def value_range(lowest: float, highest: float) -> tuple[float, float, float]:
    """(low, high, step): round bounds around the values with some air, from 0 where that costs little room."""
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


def _short(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return text.removeprefix("0")
