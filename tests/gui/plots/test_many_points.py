"""Of very many points the first of each kind in each cell is painted."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from irviewer.gui.plots import many_points
from irviewer.gui.plots.many_points import CELL, ends_in_columns, first_in_cells, paint_many


@pytest.mark.parametrize("n", [0, 1, 60])
def test_marks_are_painted_in_their_order_those_of_one_kind_together(n: int) -> None:
    dice = np.random.default_rng(n)
    xs, ys = dice.random((2, n)) * 40
    kinds = dice.integers(0, 3, n)
    given: list[tuple[float, float, int]] = []
    painter = QPainter(image := QImage(40, 40, QImage.Format.Format_RGB32))
    paint_many(painter, xs, ys, kinds, lambda _, places, kind: given.extend((*place, kind) for place in places))
    painter.end()
    assert image.width() == 40
    assert given == list(zip(xs.tolist(), ys.tolist(), kinds.tolist(), strict=True))


def test_of_very_many_points_the_first_of_each_kind_in_each_cell_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(1)
    xs, ys = dice.random((2, 5000)) * 40 - 10
    kinds = dice.integers(0, 3, 5000)
    first: dict[tuple[int, int, int], int] = {}
    for row in range(5000):
        first.setdefault((int(kinds[row]), int(xs[row] // CELL), int(ys[row] // CELL)), row)
    assert first_in_cells(xs, ys, kinds).tolist() == sorted(first.values())
    monkeypatch.setattr(many_points, "MOST_CELLS", 1)
    assert first_in_cells(xs, ys, kinds).tolist() == sorted(first.values())
    assert first_in_cells(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)).tolist() == []


@pytest.mark.parametrize("n", [0, 1, 2, 3, 200])
def test_of_a_long_line_the_ends_in_each_column_are_kept(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    xs = np.sort(np.random.default_rng(n).random(n)) * 20
    assert ends_in_columns(xs).tolist() == list(range(n))
    monkeypatch.setattr(many_points, "MOST_POINTS", 1)
    columns: dict[int, list[int]] = {}
    for row in range(n):
        columns.setdefault(int(xs[row]), []).append(row)
    kept = {row for rows in columns.values() for row in (rows[0], rows[-1])}
    assert ends_in_columns(xs).tolist() == (sorted(kept) if n > 1 else list(range(n)))
