"""Differences in a measure by query as bars, in the given order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import nice_step, ratio_end, ratio_ticks, ticks_between
from irviewer.figures.figure import Axis, Bars, Figure
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.translation import tr


def differences_figure(
    delta: Floats,
    query_ids: Sequence[str],
    selected: int,
    measure: str,
    label: str,
    higher_is_better: bool = True,
    *,
    order: str = tr("in the order of the table"),
    marked: Bools | None = None,
    ratios: bool = False,
) -> Figure:
    """Return a figure with a bar for each query.

    delta        float64[N]: the difference of each query, in the order described by ``order``; NaN is a gap
    query_ids    the N query ids
    selected     the index of the selected query, -1 for none
    label        what is compared: "english_bm25 − standard_bm25"
    higher_is_better   the direction of the measure: which bars are better
    marked       bool[N]: the brushed queries
    ratios       ``delta`` are natural logarithms of ratios, and shown as ratios
    """
    heights = np.array(delta, dtype=np.float64)
    if len(heights) != len(query_ids):
        raise ValueError(f"{len(heights)} differences for {len(query_ids)} queries")
    largest = float(np.max(np.abs(heights), initial=0.0, where=np.isfinite(heights)))
    bound, step = _axis(largest) if largest > 0 else (0.1, 0.1)
    # Each side fits its bars.
    low, high = (_end(side * heights[np.isfinite(heights)], step) for side in (-1, 1))
    low, high = -low, high if low or high else bound
    ticks = ticks_between(low, high, step, signed=True)
    if ratios:
        bound = ratio_end(largest)
        low, high, ticks = -bound, bound, ratio_ticks(bound)
    quantity = tr("ratio of {measure}", measure=measure) if ratios else tr("Δ {measure}", measure=measure)
    title = (
        tr("Ratio of {measure} by query", measure=measure) if ratios else tr("Δ {measure} by query", measure=measure)
    )
    return Figure(
        title=f"{title}, {order} · {label}" if label else title,
        x=Axis(tr("Query, {order}", order=order), 0.0, float(max(1, len(heights))), (), integer=True),
        y=Axis(
            quantity if higher_is_better else tr("{quantity}, lower is better", quantity=quantity),
            low,
            high,
            ticks,
        ),
        bars=Bars(
            frozen(heights),
            tuple(query_ids) if isinstance(query_ids, list) else query_ids,
            selected if 0 <= selected < len(heights) else -1,
            higher_is_better,
            None if marked is None else frozen(marked.copy()),
        ),
        reading=tr("query {key}"),
        y_reading="{y:+.4f}",
        quantity=quantity,
        ratios=ratios,
    )


def _end(heights: Floats, step: float) -> float:
    """Return the end of a side of the axis: the first tick beyond the largest bar. A side of small bars ends at a
    quarter of a step, one without bars at 0, so that it takes no room from the other."""
    steps = float(heights.max(initial=0.0)) / step
    pieces = 1 if steps > 1 else 4
    return round(step * max(0, int(np.ceil(steps * pieces - 1e-9))) / pieces, 12)


def _axis(largest: float) -> tuple[float, float]:
    """Return the bound and step of an axis for bars up to ``largest``: two to four round steps with the least waste."""
    candidates = []
    for count in (3, 2, 4):
        step = nice_step(largest, count)
        candidates.append((round(step * max(1, int(np.ceil(largest / step - 1e-9))), 12), step))
    return min(candidates, key=_bound)


def _bound(axis: tuple[float, float]) -> float:
    return axis[0]
