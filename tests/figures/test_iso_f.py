"""Lines of equal F1 are of equal F1."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.figures.precision_recall import LEVELS, iso_f_lines


def test_every_point_has_the_f_of_its_line() -> None:
    lines = iso_f_lines()
    assert [line.label for line in lines] == [".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", "F1 = .9"]
    for level, line in zip(LEVELS, lines, strict=True):
        assert 2 * line.x * line.y / (line.x + line.y) == pytest.approx(np.full(len(line.x), level))
        assert (line.y[0], line.x[-1]) == pytest.approx((1, 1))
        assert (np.diff(line.x) > 0).all()
