"""Differences of one measure by query as bars, in the order given. Draws nothing and knows no colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import nice_step, ratio_end, ratio_ticks, ticks_between
from irviewer.figures.figure import Axis, Bars, Figure
from irviewer.model.arrays import Bools, Floats, frozen


def differences_figure(
    delta: Floats,
    query_ids: Sequence[str],
    selected: int,
    measure: str,
    label: str,
    higher_is_better: bool = True,
    *,
    order: str = "in the table's order",
    marked: Bools | None = None,
    ratios: bool = False,
) -> Figure:
    """A bar a query.

    delta        float64[N]: the difference of each query, in the order told by ``order``; NaN is a gap, no bar
    query_ids    N ids beside them
    selected     the row of the selected query, -1 where there is none
    label        what is compared: "english_bm25 − standard_bm25"
    higher_is_better   the measure's direction: which bars are the better ones
    marked       bool[N]: the queries that were brushed
    ratios       ``delta`` are natural logarithms of ratios, as which they are written
    """
    heights = np.array(delta, dtype=np.float64)
    if len(heights) != len(query_ids):
        raise ValueError(f"{len(heights)} differences for {len(query_ids)} queries")
    largest = float(np.max(np.abs(heights), initial=0.0, where=np.isfinite(heights)))
    bound, step = _axis(largest) if largest > 0 else (0.1, 0.1)
    ticks = ticks_between(-bound, bound, step, signed=True)
    if ratios:
        bound = ratio_end(largest)
        ticks = ratio_ticks(bound)
    quantity = f"ratio of {measure}" if ratios else f"Δ {measure}"
    return Figure(
        title=f"{quantity[0].upper()}{quantity[1:]} by query" + (f", {order} · {label}" if label else ""),
        x=Axis(f"Query, {order}", 0.0, float(max(1, len(heights))), (), integer=True),
        y=Axis(
            quantity if higher_is_better else f"{quantity}, lower is better",
            -bound,
            bound,
            ticks,
        ),
        bars=Bars(
            frozen(heights),
            tuple(query_ids),
            selected if 0 <= selected < len(heights) else -1,
            higher_is_better,
            None if marked is None else frozen(marked.copy()),
        ),
        reading="query {key}",
        y_reading="{y:+.4f}",
        quantity=quantity,
        ratios=ratios,
    )


def _axis(largest: float) -> tuple[float, float]:
    """The bound and step of an axis for bars up to ``largest``: two to four round steps, the ones that waste least."""
    found = []
    for count in (3, 2, 4):
        step = nice_step(largest, count)
        found.append((round(step * max(1, int(np.ceil(largest / step - 1e-9))), 12), step))
    return min(found, key=_bound)


def _bound(axis: tuple[float, float]) -> float:
    return axis[0]
