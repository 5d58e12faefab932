"""Marks at the places of many points: each painted on its own, or of very many from one picture of each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from irviewer.model.arrays import Floats, Ints

MOST_POINTS = 20_000
"""Up to so many points each is painted on its own."""
CELL = 2.0
"""Of more points the first of each kind is painted in each square of so many pixels."""
REACH = 5
"""The pixels from the place of a mark to its edge, at most."""


Draw = Callable[[QPainter, Sequence[tuple[float, float]], int], None]
"""Paints marks of one kind around these places."""


def are_many(points: Ints) -> bool:
    """Return whether points are so many that the first ones of cells are painted."""
    return len(points) > MOST_POINTS


def paint_many(painter: QPainter, xs: Floats, ys: Floats, kinds: Ints, draw: Draw, *, many: bool = False) -> None:
    """Paint a mark of its kind at each place, float64[n] in pixels, in their order. Beyond ``MOST_POINTS``, and if they
    are left of ``many``, they are at whole pixels."""
    if not many and len(xs) <= MOST_POINTS:
        places = list(zip(xs.tolist(), ys.tolist(), strict=True))
        bounds = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(places)]
        for first, end in pairwise(bounds):
            if first < end:
                draw(painter, places[first:end], int(kinds[first]))
        return
    kept = first_in_cells(xs, ys, kinds)
    ratio = painter.device().devicePixelRatio()
    pictures = {kind: _picture(kind, draw, ratio) for kind in np.unique(kinds[kept]).tolist()}
    left, top = (np.rint(places[kept]).astype(np.int64) - REACH for places in (xs, ys))
    for x, y, kind in zip(left.tolist(), top.tolist(), kinds[kept].tolist(), strict=True):
        painter.drawPixmap(x, y, pictures[kind])


def ends_in_columns(xs: Floats) -> Ints:
    """Return the first and the last point of a line in each column of pixels that it reaches, int64[*]: all that is
    seen of one that rises or falls. ``xs`` float64[n], in pixels, rise."""
    if len(xs) <= MOST_POINTS:
        return np.arange(len(xs))
    columns = np.floor(xs)
    begins = columns[1:] != columns[:-1]
    return np.flatnonzero(np.concatenate(([True], begins)) | np.concatenate((begins, [True])))


MOST_CELLS = 1 << 22
"""In so many cells the first points are noted; among more they are sorted."""


def first_in_cells(xs: Floats, ys: Floats, kinds: Ints) -> Ints:
    """Return the first point of each kind in each cell, int64[*], in their order."""
    columns, rows = (np.floor(places / CELL).astype(np.int64) for places in (xs, ys))
    columns -= columns.min(initial=0)
    rows -= rows.min(initial=0)
    cells = (kinds * (columns.max(initial=0) + 1) + columns) * (rows.max(initial=0) + 1) + rows
    size = int(cells.max(initial=0)) + 1
    if size > MOST_CELLS or cells.min(initial=0) < 0:
        return np.sort(np.unique(cells, return_index=True)[1])
    first = np.full(size, -1, dtype=np.int64)
    first[cells[::-1]] = np.arange(len(cells) - 1, -1, -1)  # of several in one cell the last assigned stays
    return np.sort(first[first >= 0])


def _picture(kind: int, draw: Draw, ratio: float) -> QPixmap:
    """Return the picture of a mark, its place in the middle."""
    picture = QPixmap(QSize(2 * REACH, 2 * REACH) * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    draw(painter, [(REACH, REACH)], kind)
    painter.end()
    return picture
