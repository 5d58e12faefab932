"""Two runs query by query: one against the other, the differences by size, and which queries the difference is made of.

Draws nothing and knows no colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import UNIT_TICKS, nice_step, ratio_end, ratio_ticks, ticks_between
from irviewer.figures.figure import INK, Axis, Curve, Figure, Histogram, Points, corners
from irviewer.model.arrays import Bools, Floats, Ints, frozen

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
    """A point a query, the second run (the baseline) across, the first upward, and the diagonal on which both are
    equal.

    first, second   float64[N] values of the two runs; NaN is no point
    marked          bool[N]: the queries that were brushed
    names           of the first and of the second run; "" for one that is not there"""
    known = np.isfinite(first) & np.isfinite(second)
    low, high = _range(np.concatenate([first[known], second[known]]))
    if low >= 0 and high <= 1:
        low, high, ticks = 0.0, 1.0, UNIT_TICKS
    else:
        step = nice_step(high - low, 5)
        low, high = np.floor(low / step) * step, np.ceil(high / step) * step
        ticks = ticks_between(low, high, step)
    side = np.where(known, first - second, np.nan)
    side = np.where(np.abs(side) <= ROUND, 0.0, side)
    return Figure(
        title=f"{measure} by query",
        x=Axis(f"{measure} of {names[1]}" if names[1] else measure, low, high, ticks),
        y=Axis(f"{measure} of {names[0]}" if names[0] else measure, low, high, ticks),
        curves=(Curve(INK, "equal", np.array([low, high]), np.array([low, high])),),
        points=Points(
            frozen(np.where(known, second, np.nan)),
            frozen(np.where(known, first, np.nan)),
            tuple(query_ids),
            frozen(side if higher_is_better else -side),
            frozen(marked.copy()),
            selected if 0 <= selected < len(query_ids) else -1,
        ),
        reading="query {key}",
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
    """How often differences of which size occur; queries without one are counted in the note.

    delta      float64[N] differences by query, NaN left out; ``marked`` bool[N] those that were brushed
    interval   of the mean: low end, mean, high end
    ratios     all are natural logarithms of ratios, as which they are written; the axis is a logarithmic one"""
    known = np.isfinite(delta) & (np.abs(delta) > ROUND)
    equal = int(np.count_nonzero(np.isfinite(delta) & ~known))
    without = int(np.count_nonzero(np.isnan(delta)))
    values = delta[known]
    largest = float(np.max(np.abs(values), initial=0.0))
    bound = largest if largest > 0 else 0.1
    # Zero is an edge: a bar holds gains or losses, never both.
    width = nice_step(2 * bound, max(6, min(MOST_BARS, int(np.sqrt(max(1, len(values))) * 2.5))))
    half = max(1, int(np.ceil(bound / width - 1e-9)))
    edges = np.arange(-half, half + 1) * width
    counts = np.histogram(values, edges)[0].astype(np.int64)
    some = np.histogram(values[marked[known]], edges)[0].astype(np.int64)
    bars = np.full(len(delta), -1, dtype=np.int64)
    bars[known] = np.minimum(
        np.searchsorted(edges, values, side="right") - 1, len(counts) - 1
    )  # as np.histogram has it
    highest = int(counts.max(initial=1)) or 1
    step = max(1.0, nice_step(highest, 4))
    top = np.ceil(highest * 1.08 / step) * step
    low, high = float(edges[0]), float(edges[-1])
    ticks = ticks_between(low, high, nice_step(2 * bound, 6), signed=True)
    if ratios:
        ticks = tuple(one for one in ratio_ticks(ratio_end(high)) if low <= one[0] <= high)
    return Figure(
        title=f"Ratios of {measure}" if ratios else f"Differences in {measure}",
        x=Axis(f"Ratio of {measure}" if ratios else f"Δ {measure}", low, high, ticks),
        y=Axis("Queries", 0.0, float(top), ticks_between(0.0, float(top), step), integer=True),
        histogram=Histogram(frozen(edges), frozen(counts), frozen(some), higher_is_better, interval, frozen(bars)),
        note=", ".join(filter(None, (f"{equal:,} equal" if equal else "", f"{without:,} without" if without else "")))
        + (", not drawn" if equal or without else ""),
        reading="Δ {x:+.4f}",
        quantity="queries",
        ratios=ratios,
    )


def share_figure(
    delta: Floats,
    measure: str,
    query_ids: Sequence[str] = (),
    selected: int = -1,
    marked: Bools | None = None,
    higher_is_better: bool = True,
) -> Figure:
    """How much of the whole of all differences, counted by size, the queries with the largest make up. Where each
    query's part ends stands a point.

    delta       float64[N] differences by query, NaN left out
    query_ids   N ids beside them, or none: then there are no points
    selected    the place of the selected query among them, -1 for none
    marked      bool[N]: the queries that were brushed"""
    known = np.flatnonzero(np.isfinite(delta))
    order = known[np.argsort(-np.abs(delta[known]), kind="stable")]
    sizes = np.abs(delta[order])
    total = float(sizes.sum())
    share = np.concatenate([[0.0], np.cumsum(sizes) / total]) if total > 0 else np.zeros(len(sizes) + 1)
    count = np.arange(len(sizes) + 1, dtype=np.float64)
    half = int(np.searchsorted(share, 0.5 - 1e-12)) if total > 0 else 0
    last = float(max(1, len(sizes)))
    note = "no query differs"
    if total > 0:
        note = f"half of it in {half:,} of {len(sizes):,} queries"
    x, y = corners(count, share)
    step = max(1.0, nice_step(last, 5))
    return Figure(
        title="Where the difference lives",
        x=Axis("Queries, the largest difference first", 0.0, last, ticks_between(0.0, last, step), integer=True),
        y=Axis("Share of all differences", 0.0, 1.0, UNIT_TICKS),
        curves=(Curve(INK, "share", frozen(x), frozen(y)),),
        points=_parts(delta, order, share, query_ids, selected, marked, higher_is_better) if query_ids else None,
        note=note,
        cursor=float(half) if total > 0 else None,
        reading="the {x:.0f} queries of the largest difference",
        quantity=f"share of the differences in {measure}",
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
    places = order.tolist()
    return Points(
        frozen(np.arange(1, len(order) + 1, dtype=np.float64)),
        frozen(share[1:].copy()),
        tuple(query_ids[place] for place in places),
        frozen(np.where(np.abs(side) <= ROUND, 0.0, side)),
        frozen(np.zeros(len(order), dtype=np.bool_) if marked is None else marked[order]),
        places.index(selected) if selected in places else -1,
    )


def _range(values: Floats) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)
