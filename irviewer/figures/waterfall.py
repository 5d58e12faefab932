"""A difference taken apart: parts one below the other, each beginning where the one above ends. Draws nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import nice_step, ticks_between
from irviewer.figures.figure import Axis, Figure, Waterfall
from irviewer.model.arrays import Floats, frozen


def waterfall_figure(
    deltas: Floats,
    keys: Sequence[str],
    labels: Sequence[str],
    title: str,
    quantity: str,
    note: str = "",
    selected: int = -1,
    higher_is_better: bool = True,
) -> Figure:
    """Return the parts in the order given.

    deltas    float64[n], whose sum is the difference
    keys      what each part is of: a document, a query; "" for what is none
    labels    the words beside each"""
    ends = np.concatenate(([0.0], np.cumsum(deltas)))
    low, high = float(ends.min()), float(ends.max())
    if high - low <= 0:
        low, high = -0.1, 0.1
    step = nice_step(high - low, 6)
    low, high = float(np.floor(low / step) * step), float(np.ceil(high / step) * step)
    return Figure(
        title=title,
        x=Axis(quantity, low, high, ticks_between(low, high, step, signed=True)),
        y=Axis("", 0.0, float(max(1, len(deltas))), ()),
        waterfall=Waterfall(
            frozen(np.array(deltas, dtype=np.float64)), tuple(keys), tuple(labels), higher_is_better, selected
        ),
        note=note,
        quantity=quantity,
    )
