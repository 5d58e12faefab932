"""A figure in words, for those who cannot see it: what it draws, of what, and its axes."""

from __future__ import annotations

import numpy as np

from irviewer.figures.figure import Axis, Figure
from irviewer.model.number_text import limit
from irviewer.translation import tr, trn

MOST = 8
"""The most names that are told."""


def described(figure: Figure) -> str:
    """Return what a figure shows, as sentences: kind and number of its marks, names of its curves, axes with ranges."""
    parts = [*_marks(figure)]
    if figure.matrix is None and figure.cells is None:
        parts += [
            tr("Horizontal axis: {axis}.", axis=_axis(figure.x)),
            tr("Vertical axis: {axis}.", axis=_axis(figure.y)),
        ]
    if figure.note:
        parts.append(figure.note)
    return " ".join(parts)


def _marks(figure: Figure) -> list[str]:
    marks = []
    if figure.curves:
        names = _names(tuple(dict.fromkeys(curve.label for curve in figure.curves if curve.label)))
        n = len(figure.curves)
        marks.append(trn("{n} curve: {names}.", "{n} curves: {names}.", n, names=names) if names else _curves(n))
    if figure.bars is not None:
        heights = figure.bars.heights
        n = len(heights)
        up, down = int(np.sum(heights > 0)), int(np.sum(heights < 0))
        marks.append(
            trn("{n:,} bar: {up:,} above 0, {down:,} below.", "{n:,} bars: {up:,} above 0, {down:,} below.", n,
                up=up, down=down)
        )  # fmt: skip
    if figure.points is not None:
        marks.append(trn("{n:,} point.", "{n:,} points.", int(np.isfinite(figure.points.x + figure.points.y).sum())))
    if figure.histogram is not None:
        n = int(figure.histogram.counts.sum())
        marks.append(
            trn("Histogram of {n:,} value in {bars} bars.", "Histogram of {n:,} values in {bars} bars.", n,
                bars=len(figure.histogram.counts))
        )  # fmt: skip
    if figure.waterfall is not None:
        parts = zip(figure.waterfall.labels, figure.waterfall.deltas, strict=True)
        marks.append(_names(tuple(f"{label} {figure.change_text(float(delta))}" for label, delta in parts)) + ".")
    if figure.matrix is not None:
        marks.append(tr("Matrix of {names}.", names=_names(figure.matrix.names)))
    if figure.cells is not None:
        depth, n = figure.cells.grades.shape
        marks.append(
            trn("Grades of {n:,} query to rank {depth:,}.", "Grades of {n:,} queries to rank {depth:,}.", n,
                depth=depth)
        )  # fmt: skip
    return marks


def _curves(n: int) -> str:
    return trn("{n} curve.", "{n} curves.", n)


def _names(names: tuple[str, ...]) -> str:
    first = ", ".join(names[:MOST])
    return tr("{names} and {n:,} more", names=first, n=len(names) - MOST) if len(names) > MOST else first


def _axis(axis: Axis) -> str:
    if not axis.label:
        return tr("without a title")
    if axis.ticks is not None and axis.ticks:
        ends = axis.shown_ticks[0][1], axis.shown_ticks[-1][1]
        return tr("{name}, {low} to {high}", name=axis.label, low=ends[0], high=ends[1])
    return tr("{name}, {low} to {high}", name=axis.label, low=limit(axis.low), high=limit(axis.high))
