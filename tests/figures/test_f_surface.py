"""F's surface: the formula at textbook points, lines on which F is what they say, from edge to edge."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.figures.f_surface import LEVELS, f_figure, f_grid, f_measure, iso_line


def test_f_at_points_known_by_hand() -> None:
    precision, recall = np.array([1.0, 0.0, 0.5, 0.4]), np.array([0.0, 0.0, 0.5, 0.2])
    np.testing.assert_allclose(f_measure(precision, recall, 1.0), [0, 0, 0.5, 2 * 0.08 / 0.6])
    # beta = 2 counts recall four times: 5 P R / (4 P + R)
    np.testing.assert_allclose(f_measure(np.array([0.4]), np.array([0.2]), 2.0), [5 * 0.08 / 1.8])


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("level", LEVELS)
def test_lines_hold_their_level_from_edge_to_edge(beta: float, level: float) -> None:
    recall, precision = iso_line(level, beta)
    harmonic = (1 + beta**2) / (beta**2 / recall + 1 / precision)  # the same F, written as a weighted harmonic mean
    np.testing.assert_allclose(harmonic, level)
    assert precision[0] == pytest.approx(1.0)
    assert recall[-1] == pytest.approx(1.0)
    assert np.all(np.diff(recall) > 0)
    assert np.all(np.diff(precision) < 0)


def test_the_grid_is_the_formula_with_precision_downward() -> None:
    grid = f_grid(1.0, 10)
    assert grid[0, 9] == pytest.approx(0.95)
    assert grid[9, 9] == pytest.approx(2 * 0.05 * 0.95 / 1.0)
    np.testing.assert_allclose(grid, grid[::-1, ::-1].T)  # F1 does not tell precision from recall


def test_the_figure_has_the_way_of_the_ranking() -> None:
    trail = np.array([[0.1, 1.0], [0.1, 0.5], [0.2, 2 / 3]])
    figure = f_figure(trail, 7, "bm25", 2.0, 3)
    assert len(figure.curves) == len(LEVELS) + 1
    way = figure.curves[-1]
    assert way.role.run == 7
    np.testing.assert_array_equal(np.column_stack((way.x, way.y)), trail)
    assert figure.title.startswith("F2")
