"""Of very many points the first of each kind in each cell is painted."""

from __future__ import annotations

import numpy as np

from irviewer.gui.plots.many_points import CELL, first_in_cells


def test_of_very_many_points_the_first_of_each_kind_in_each_cell_is_painted() -> None:
    dice = np.random.default_rng(1)
    xs, ys = dice.random((2, 5000)) * 40 - 10
    kinds = dice.integers(0, 3, 5000)
    first: dict[tuple[int, int, int], int] = {}
    for row in range(5000):
        first.setdefault((int(kinds[row]), int(xs[row] // CELL), int(ys[row] // CELL)), row)
    assert first_in_cells(xs, ys, kinds).tolist() == sorted(first.values())
    assert first_in_cells(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)).tolist() == []
