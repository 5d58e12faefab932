"""Two runs query by query as figures: sides, counts and shares against plain sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from irviewer.figures.run_pair import histogram_figure, scatter_figure, share_figure

NONE = np.zeros(4, dtype=bool)


def test_a_point_a_query_and_its_side() -> None:
    first, second = np.array([0.5, 0.2, 0.3, np.nan]), np.array([0.25, 0.4, 0.3, 0.1])
    figure = scatter_figure(first, second, ["a", "b", "c", "d"], 1, NONE, "AP", ("new", "old"))
    points = figure.points
    assert points is not None
    assert points.y[0] == 0.5
    assert points.x[0] == 0.25
    assert np.sign(points.side).tolist()[:3] == [1, -1, 0]
    assert np.isnan(points.x[3])
    assert points.selected == 1
    assert (figure.x.label, figure.y.label) == ("AP of old", "AP of new")
    assert (figure.x.low, figure.x.high) == (0, 1)
    cost = scatter_figure(first, second, ["a", "b", "c", "d"], 1, NONE, "SearchLength", ("new", "old"), False)
    assert cost.points is not None
    assert np.sign(cost.points.side).tolist()[:3] == [-1, 1, 0]


def test_both_axes_are_one_range_whatever_the_measure() -> None:
    first, second = np.array([3.0, 40.0]), np.array([12.5, -2.0])
    figure = scatter_figure(first, second, ["a", "b"], -1, NONE[:2], "DCG", ("new", "old"))
    assert (figure.x.low, figure.x.high) == (figure.y.low, figure.y.high)
    assert figure.x.low <= -2
    assert figure.x.high >= 40


@given(arrays.arrays(np.float64, st.integers(0, 60), elements=st.floats(-1, 1) | st.just(np.nan)))
def test_the_histogram_holds_every_difference_once_on_its_side(delta: np.ndarray) -> None:
    marked = np.arange(len(delta)) % 3 == 0
    held = histogram_figure(delta, marked, "AP").histogram
    assert held is not None
    differs = np.isfinite(delta) & (np.abs(delta) > 1e-9)
    assert held.counts.sum() == differs.sum()
    assert held.marked.sum() == (differs & marked).sum()
    assert 0.0 in held.edges.tolist()
    middle = held.zero
    assert held.edges[middle] == 0.0
    assert held.counts[middle:].sum() == (delta[differs] > 0).sum()
    assert np.all(held.marked <= held.counts)


def test_the_axis_of_the_histogram_fits_its_data() -> None:
    delta = np.concatenate([np.linspace(-0.19, 0.19, 60), [0.05]])
    figure = histogram_figure(delta, np.zeros(61, np.bool_), "AP")
    assert -0.21 < figure.x.low <= -0.19
    assert 0.19 <= figure.x.high < 0.21
    gains = histogram_figure(np.linspace(0.1, 0.9, 30), np.zeros(30, np.bool_), "AP", (-0.4, 0.5, 0.6))
    assert -0.6 < gains.x.low <= -0.4  # the interval is inside
    assert gains.x.high >= 0.9


def test_queries_without_a_difference_are_counted_and_not_drawn() -> None:
    figure = histogram_figure(np.array([0.0, 0.0, 0.2, np.nan]), NONE, "AP", (0.0, 0.1, 0.2))
    assert figure.note == "not drawn: 2 equal, 1 without a value"
    assert figure.histogram is not None
    assert figure.histogram.interval == (0.0, 0.1, 0.2)


def test_where_the_difference_lives() -> None:
    figure = share_figure(np.array([0.1, -0.6, 0.2, 0.1, np.nan, 0.0]), "AP")
    curve = figure.curves[0]
    assert [curve.at(float(n)) for n in (0, 1, 2, 3, 4, 5)] == pytest.approx([0, 0.6, 0.8, 0.9, 1, 1])
    assert figure.note == "half of the difference is in 1 of 5 queries"
    assert share_figure(np.zeros(3), "AP").note == "no query differs"
    assert share_figure(np.array([]), "AP").note == "no query differs"
