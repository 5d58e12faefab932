import math

import numpy as np
import pytest

from irviewer.figures.figure import Axis, Curve, Role, corners


def test_a_step_reads_as_the_value_before_it() -> None:
    curve = Curve(Role("run", 0), "a", np.array([0.0, 0.5, 0.5, 1.0]), np.array([1.0, 1.0, 0.25, 0.25]))
    assert curve.at(0.5) == 1.0
    assert curve.at(0.5001) == 0.25
    assert curve.at(0.0) == 1.0
    assert curve.at(1.0) == 0.25
    assert math.isnan(curve.at(1.1)) and math.isnan(curve.at(-0.1))


def test_between_corners_a_curve_is_straight_and_a_gap_is_nan() -> None:
    curve = Curve(Role("run", 0), "a", np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 2.0, np.nan, 1.0]))
    assert curve.at(0.25) == 0.5
    assert math.isnan(curve.at(1.5))
    assert math.isnan(Curve(Role("run", 0), "a", np.empty(0), np.empty(0)).at(0.0))


def test_the_readout_is_on_steps_inside_the_range() -> None:
    ranks = Axis("Rank", 1, 20, integer=True)
    assert [ranks.snapped(x) for x in (-5, 1.4, 1.6, 99)] == [1, 1, 2, 20]
    assert Axis("Recall", 0, 1).snapped(0.6049) == pytest.approx(0.6)
    assert Axis("none", 1, 1).snapped(7) == 1


def test_corners_keep_what_bends() -> None:
    x, y = corners(np.arange(5.0), np.array([0.0, 1.0, 2.0, 2.0, 2.0]))
    assert x.tolist() == [0, 2, 4] and y.tolist() == [0, 2, 2]
    x, y = corners(np.arange(4.0), np.array([0.0, np.nan, 2.0, 3.0]))
    assert len(x) == 4
