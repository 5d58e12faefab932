"""A difference taken apart as a figure: the axis holds every step, the parts stay as they are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irviewer.figures.waterfall import waterfall_figure


@given(st.lists(st.floats(-1, 1), max_size=20))
def test_the_axis_holds_every_step(parts: list[float]) -> None:
    deltas = np.array(parts, dtype=np.float64)
    keys = [f"d{place}" for place in range(len(parts))]
    figure = waterfall_figure(deltas, keys, keys, "t", "Δ AP")
    held = figure.waterfall
    assert held is not None
    np.testing.assert_array_equal(held.deltas, deltas)
    steps = np.concatenate(([0.0], np.cumsum(deltas)))
    assert figure.x.low <= steps.min() + 1e-9
    assert figure.x.high >= steps.max() - 1e-9
    assert figure.x.low < figure.x.high
