"""The difference of two averaged curves, at each recall or cutoff, with its band. Draws nothing and knows no colour."""

from __future__ import annotations

import math

import numpy as np

from irviewer.figures.axes import nice_step, ticks_between
from irviewer.figures.figure import Axis, Band, Curve, Figure, Guide, Role, corners
from irviewer.model.arrays import Floats, frozen
from irviewer.translation import tr

LEAST = 0.01
"""The least range of the axis, so that a difference of 0 is a line, not noise."""
BANDS = tr("95 % bands, pointwise")


def curve_difference_figure(
    of: Figure, role: Role, label: str, x: Floats, difference: Floats, ends: tuple[Floats, Floats] | None
) -> Figure:
    """Return the figure of the difference of two averaged curves of the figure ``of``: ``difference`` float64[n] at
    ``x`` float64[n]; ``ends`` are the low and high ends of the band, float64[n], None until they are known."""
    quantity = of.quantity
    heights = np.concatenate([difference, *(ends or ())])
    heights = heights[np.isfinite(heights)]
    lowest, highest = min(0.0, float(heights.min(initial=0.0))), max(0.0, float(heights.max(initial=0.0)))
    if highest - lowest < LEAST:
        lowest, highest = lowest - LEAST / 2, highest + LEAST / 2
    step = nice_step((highest - lowest) * 1.08, 7)
    low = step * math.floor(lowest * 1.04 / step + 1e-9)
    high = step * math.ceil(highest * 1.04 / step - 1e-9)
    curve_x, curve_y = corners(x, difference)
    zero = Guide("", frozen(np.array([of.x.low, of.x.high])), frozen(np.zeros(2)))
    return Figure(
        title=f"Δ {of.title}",
        x=of.x,
        y=Axis(f"Δ {quantity}", low, high, ticks_between(low, high, step, signed=True), column=f"Δ {of.y.heading}"),
        curves=(Curve(role, label, frozen(curve_x.copy()), frozen(curve_y.copy())),),
        guides=(zero,),
        bands=() if ends is None else (Band(role, label, x, *ends),),
        note="" if ends is None else BANDS,
        cursor=of.cursor,
        reading=of.reading,
        y_reading="{y:+.4f}",
        quantity=f"Δ {quantity}",
    )
