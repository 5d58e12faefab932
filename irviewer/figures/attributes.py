"""Queries by an attribute and a value, and runs by a cost and their means with the Pareto line. Draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from irviewer.figures.axes import ended_at_one, nice_step, ticks_between
from irviewer.figures.figure import INK, Axis, Curve, Figure, Points
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.tuning.trade_offs import CostEffectiveness

GOLDEN = 0.618033988749895
"""The share of a strip by which the next point of a category is moved, so that points do not cover each other."""
SPREAD = 0.6
"""The share of a strip's width that its points fill."""


def query_attribute_figure(
    title: str,
    values: Floats | Sequence[str],
    heights: Floats,
    sides: Floats,
    query_ids: Sequence[str],
    marked: Bools,
    selected: int,
    y_label: str,
    *,
    groups: Ints | None = None,
    group_names: tuple[str, ...] = (),
) -> Figure:
    """Return queries as points: a scatter plot of a numeric attribute, a strip for each category of another.

    values   float64[N], NaN for none; or the categories, "" for none
    heights  float64[N]; ``sides`` positive for better, negative for worse, 0 for equal
    groups   int64[N]: the group of each query, an index of ``group_names``; None to colour by ``sides``"""
    if isinstance(values, np.ndarray):
        places, axis = values, _axis(title, values)
    else:
        names = sorted({name for name in values if name})
        index = {name: position for position, name in enumerate(names)}
        shift = (np.arange(len(values)) * GOLDEN % 1 - 0.5) * SPREAD
        places = np.array([index.get(name, np.nan) for name in values], dtype=np.float64) + shift
        ticks = tuple((float(place), name) for name, place in index.items())
        axis = Axis(title, -0.5, max(0.5, len(names) - 0.5), ticks)
    known = np.isfinite(places) & np.isfinite(heights)
    without = int(np.count_nonzero(~known))
    note = trn("{n:,} query has no value", "{n:,} queries have no value", without) if without else ""
    x, y = np.where(known, places, np.nan), np.where(known, heights, np.nan)
    return Figure(
        title=tr("{value} by {attribute}", value=y_label, attribute=title),
        x=axis,
        y=_axis(y_label, heights, zero=True),
        points=Points(
            frozen(x), frozen(y), tuple(query_ids), frozen(np.nan_to_num(sides)), frozen(marked.copy()), selected,
            groups, group_names,
        ),
        note=note,
        reading=tr("query {key}"),
        quantity=y_label,
    )  # fmt: skip


def cost_figure(
    trade_off: CostEffectiveness,
    measure: str,
    selected: int,
    groups: Ints | None = None,
    group_names: tuple[str, ...] = (),
) -> Figure:
    """Return runs by cost and mean, those on the Pareto line as better, and the line in steps.

    groups   int64[R]: the group of each run, an index of ``group_names``; None to colour by the Pareto line"""
    line = trade_off.line
    x, y = np.repeat(trade_off.cost[line], 2), np.repeat(trade_off.mean[line], 2)
    curve = Curve(INK, tr("Pareto line"), frozen(x[1:]), frozen(y[:-1])) if len(line) else None
    known = ~(np.isnan(trade_off.cost) | np.isnan(trade_off.mean))
    best = tr("▲ no cheaper run is as good")
    notes = [best if groups is None else tr("on the line: no cheaper run is as good")]
    if trade_off.without:
        notes.append(trn("{n} run without a value", "{n} runs without a value", len(trade_off.without)))
    return Figure(
        title=tr("{measure} against {attribute}", measure=measure, attribute=trade_off.attribute),
        x=_axis(trade_off.attribute, trade_off.cost),
        y=_axis(measure, trade_off.mean),
        curves=() if curve is None else (curve,),
        points=Points(
            frozen(np.where(known, trade_off.cost, np.nan)), frozen(np.where(known, trade_off.mean, np.nan)),
            trade_off.runs, frozen(trade_off.efficient.astype(np.float64)),
            frozen(np.zeros(len(known), dtype=np.bool_)), selected, groups, group_names,
        ),
        note=" · ".join(notes),
        reading="{key}",
        quantity=measure,
    )  # fmt: skip


def _axis(label: str, values: Floats, *, zero: bool = False) -> Axis:
    """An axis that fits the values, with zero in it if asked for. Where no value is negative, the axis has no negative
    part."""
    known = values[np.isfinite(values)]
    if zero:
        known = np.append(known, 0.0)
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    span = (high - low) or max(abs(high), 1.0) * 0.1
    step = nice_step(span * 1.1, 6)
    least = 0.0 if low >= 0 else -np.inf
    low, high = float(np.floor((low - 0.03 * span) / step) * step), float(np.ceil((high + 0.03 * span) / step) * step)
    low = max(low, least)
    if zero and len(known):
        low, high = ended_at_one(low, high, float(known.min()), float(known.max()))
    return Axis(label, low, high, ticks_between(low, high, step))
