"""Two runs query by query: scatter plot, histogram of the differences, and the share of the largest differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import UNIT_TICKS, nice_step, ratio_end, ratio_ticks, ticks_between
from irviewer.figures.figure import EQUAL, INK, Axis, Curve, Figure, Histogram, Points, corners
from irviewer.model.arrays import Bools, Floats, Ints, frozen, stable_order
from irviewer.translation import tr, trn

MOST_BARS = 41
ROUND = 1e-9


def scatter_figure(
    first: Floats,
    second: Floats,
    query_ids: Sequence[str],
    selected: int,
    marked: Bools,
    measure: str,
    names: tuple[str, str],
    higher_is_better: bool = True,
) -> Figure:
    """Return a scatter plot with a point for each query, the second run (the baseline) on the x axis, the first on the
    y axis, and the diagonal of equal values.

    first, second   float64[N] values of the two runs; NaN is no point
    marked          bool[N]: the brushed queries
    names           of the first and of the second run; "" for none"""
    present = np.isfinite(first) & np.isfinite(second)
    low, high = _range(np.concatenate([first[present], second[present]]))
    if low >= 0 and high <= 1:
        low, high, ticks = 0.0, 1.0, UNIT_TICKS
    else:
        step = nice_step(high - low, 5)
        low, high = np.floor(low / step) * step, np.ceil(high / step) * step
        ticks = ticks_between(low, high, step)
    side = np.where(present, first - second, np.nan)
    side = np.where(np.abs(side) <= ROUND, 0.0, side)
    return Figure(
        title=tr("{measure} by query", measure=measure),
        x=Axis(tr("{measure} of {run}", measure=measure, run=names[1]) if names[1] else measure, low, high, ticks),
        y=Axis(tr("{measure} of {run}", measure=measure, run=names[0]) if names[0] else measure, low, high, ticks),
        curves=(Curve(EQUAL, tr("equal"), np.array([low, high]), np.array([low, high])),),
        points=Points(
            frozen(np.where(present, second, np.nan)),
            frozen(np.where(present, first, np.nan)),
            tuple(query_ids) if isinstance(query_ids, list) else query_ids,
            frozen(side if higher_is_better else -side),
            frozen(marked.copy()),
            selected if 0 <= selected < len(query_ids) else -1,
        ),
        reading=tr("query {key}"),
        quantity=measure,
    )


def histogram_figure(
    delta: Floats,
    marked: Bools,
    measure: str,
    interval: tuple[float, float, float] | None = None,
    higher_is_better: bool = True,
    ratios: bool = False,
) -> Figure:
    """Return a histogram of differences; queries without one are counted in the note.

    delta      float64[N] differences by query, NaN left out; ``marked`` bool[N] the brushed ones
    interval   of the mean: low end, mean, high end
    ratios     all are natural logarithms of ratios and shown as ratios on a logarithmic axis"""
    present = np.isfinite(delta) & (np.abs(delta) > ROUND)
    equal = int(np.count_nonzero(np.isfinite(delta) & ~present))
    without = int(np.count_nonzero(np.isnan(delta)))
    values = delta[present]
    largest = float(np.max(np.abs(values), initial=0.0))
    bound = largest if largest > 0 else 0.1
    # Zero is an edge: a bar holds gains or losses, never both.
    width = nice_step(2 * bound, max(6, min(MOST_BARS, int(np.sqrt(max(1, len(values))) * 2.5))))
    below = max(1, int(np.ceil(-float(values.min(initial=0.0)) / width - 1e-9)))
    above = max(1, int(np.ceil(float(values.max(initial=0.0)) / width - 1e-9)))
    if interval is not None and np.all(np.isfinite(interval)):
        below = max(below, int(np.ceil(-interval[0] / width - 1e-9)))
        above = max(above, int(np.ceil(interval[2] / width - 1e-9)))
    edges = np.arange(-below, above + 1) * width
    counts = np.histogram(values, edges)[0].astype(np.int64)
    marked_counts = np.histogram(values[marked[present]], edges)[0].astype(np.int64)
    bars = np.full(len(delta), -1, dtype=np.int64)
    bars[present] = np.minimum(
        np.searchsorted(edges, values, side="right") - 1, len(counts) - 1
    )  # as np.histogram has it
    highest = int(counts.max(initial=1)) or 1
    step = max(1.0, nice_step(highest, 4))
    top = np.ceil(highest * 1.08 / step) * step
    low, high = float(edges[0]), float(edges[-1])
    ticks = ticks_between(low, high, nice_step(high - low, 6), signed=True)
    if ratios:
        ticks = tuple(tick for tick in ratio_ticks(ratio_end(max(-low, high))) if low <= tick[0] <= high)
    return Figure(
        title=tr("Ratios of {measure}", measure=measure) if ratios else tr("Differences in {measure}", measure=measure),
        x=Axis(
            tr("Ratio of {measure}", measure=measure) if ratios else tr("Δ {measure}", measure=measure),
            low,
            high,
            ticks,
        ),
        y=Axis(tr("Queries"), 0.0, float(top), ticks_between(0.0, float(top), step), integer=True),
        histogram=Histogram(
            frozen(edges), frozen(counts), frozen(marked_counts), higher_is_better, interval, frozen(bars)
        ),
        note=_not_drawn(equal, without),
        reading="Δ {x:+.4f}",
        quantity=tr("queries"),
        ratios=ratios,
    )


def _not_drawn(equal: int, without: int) -> str:
    """Return the note about queries that are not drawn."""
    if equal and without:
        return tr("not drawn: {equal:,} equal, {without:,} without a value", equal=equal, without=without)
    if equal:
        return tr("not drawn: {equal:,} equal", equal=equal)
    return tr("not drawn: {without:,} without a value", without=without) if without else ""


def share_figure(
    delta: Floats,
    measure: str,
    query_ids: Sequence[str] = (),
    selected: int = -1,
    marked: Bools | None = None,
    higher_is_better: bool = True,
) -> Figure:
    """Return the curve of the share of all differences, by absolute size, that the queries with the largest make up,
    with a point at the end of each query's part.

    delta       float64[N] differences by query, NaN left out
    query_ids   the N query ids, or none: then there are no points
    selected    the index of the selected query, -1 for none
    marked      bool[N]: the brushed queries"""
    present = np.flatnonzero(np.isfinite(delta))
    sizes = np.abs(delta[present])
    places = stable_order(-sizes)
    order, sizes = present[places], sizes[places]
    total = float(sizes.sum())
    share = np.concatenate([[0.0], np.cumsum(sizes) / total]) if total > 0 else np.zeros(len(sizes) + 1)
    count = np.arange(len(sizes) + 1, dtype=np.float64)
    half = int(np.searchsorted(share, 0.5 - 1e-12)) if total > 0 else 0
    last = float(max(1, len(sizes)))
    note = tr("no query differs")
    if total > 0:
        note = trn(
            "half of the difference is in {n:,} of {queries:,} queries",
            "half of the difference is in {n:,} of {queries:,} queries",
            half,
            queries=len(sizes),
        )
    x, y = corners(count, share)
    step = max(1.0, nice_step(last, 5))
    return Figure(
        title=tr("Share of the largest differences"),
        x=Axis(tr("Queries, the largest difference first"), 0.0, last, ticks_between(0.0, last, step), integer=True),
        y=Axis(tr("Cumulative share"), 0.0, 1.0, UNIT_TICKS),
        curves=(Curve(INK, tr("share"), frozen(x), frozen(y)),),
        points=_parts(delta, order, share, query_ids, selected, marked, higher_is_better) if query_ids else None,
        note=note,
        cursor=float(half) if total > 0 else None,
        reading=tr("the {x:.0f} queries with the largest difference"),
        quantity=tr("share of the differences in {measure}", measure=measure),
    )


def _parts(
    delta: Floats,
    order: Ints,
    share: Floats,
    query_ids: Sequence[str],
    selected: int,
    marked: Bools | None,
    higher_is_better: bool,
) -> Points:
    side = delta[order] if higher_is_better else -delta[order]
    positions = order.tolist()
    return Points(
        frozen(np.arange(1, len(order) + 1, dtype=np.float64)),
        frozen(share[1:].copy()),
        tuple(query_ids[index] for index in positions),
        frozen(np.where(np.abs(side) <= ROUND, 0.0, side)),
        frozen(np.zeros(len(order), dtype=np.bool_) if marked is None else marked[order]),
        positions.index(selected) if selected in positions else -1,
    )


def _range(values: Floats) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)
