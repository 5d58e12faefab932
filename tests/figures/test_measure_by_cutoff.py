import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irviewer.figures.figure import Role
from irviewer.figures.measure_by_cutoff import by_cutoff_figure, value_range
from irviewer.figures.readout import read_out


def test_the_axis_says_where_it_begins() -> None:
    k = np.arange(1.0, 51)
    figure = by_cutoff_figure([(Role("run", 0), "a", k, 0.503 + 0.092 * (k - 1) / 49)], 10, 225)
    assert figure.note == "axis from 0.48"
    assert (figure.y.low, figure.y.high) == pytest.approx((0.48, 0.6))
    assert figure.y.label == "nDCG at cutoff, mean of 225 queries"
    assert (figure.x.low, figure.x.high, figure.cursor) == (1, 50, 10)
    assert read_out(figure, 9.7).text == "cutoff 10: nDCG 0.5199"


def test_an_axis_from_zero_says_nothing() -> None:
    k = np.arange(1.0, 11)
    assert by_cutoff_figure([(Role("run", 0), "P", k, 1 / k)], 10, 3, "P").note == ""
    empty = by_cutoff_figure([], 10, 0)
    assert (empty.y.low, empty.y.high, empty.cursor) == (0, 1, None)


@given(st.floats(0, 1), st.floats(0, 1))
@example(0.0, 5e-300)
@example(0.5, 0.5)
def test_the_range_holds_the_values(a: float, b: float) -> None:
    low, high, step = value_range(min(a, b), max(a, b))
    assert 0 <= low <= min(a, b) and max(a, b) <= high + 1e-9 and high <= 1 + 1e-9 and low < high
    assert (high - low) / step < 9
