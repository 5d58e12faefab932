"""Circles whose areas are the counts, measured by counting points of a fine grid."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.figures.venn import circles, common_area


@pytest.mark.parametrize(
    ("left", "right", "both"), [(10, 20, 7), (10, 10, 5), (5, 10, 2), (100, 3, 2), (1, 1, 0), (10, 10, 10), (20, 4, 4)]
)
def test_every_area_is_its_count(left: int, right: int, both: int) -> None:
    venn = circles(left, right, both)
    begins, ends, high = venn.box
    step = (ends - begins) / 900
    x, y = np.meshgrid(np.arange(begins, ends, step), np.arange(-high, high, step))
    in_left = np.hypot(x, y) <= venn.left
    in_right = np.hypot(x - venn.distance, y) <= venn.right
    for counted, wanted in ((in_left & in_right, both), (in_left & ~in_right, left - both), (in_right, right)):
        assert counted.sum() * step**2 == pytest.approx(wanted, abs=0.02 * max(left, right))
    assert common_area(venn.left, venn.right, venn.distance) == pytest.approx(both, abs=1e-6)


def test_sets_with_nothing_in_common_do_not_touch() -> None:
    venn = circles(4, 9, 0)
    assert venn.distance > venn.left + venn.right


def test_a_set_of_nothing_is_a_point() -> None:
    venn = circles(0, 5, 0)
    assert venn.left == 0
    assert venn.right == pytest.approx(math.sqrt(5 / math.pi))
    assert venn.areas_at(venn.distance, 0.0) == (False, True)
