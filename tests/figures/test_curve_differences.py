"""The difference of two averaged curves as a figure."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.figures.curve_differences import curve_difference_figure
from irviewer.figures.figure import Role
from irviewer.figures.measure_by_cutoff import by_cutoff_figure
from irviewer.figures.readout import read_out

X = np.arange(1.0, 6.0)
OF = by_cutoff_figure([(Role("run", 1), "a", X, X / 10)], 3, 7)


def test_axis_holds_zero_and_the_band() -> None:
    difference = np.array([0.1, 0.12, 0.11, 0.15, 0.2])
    figure = curve_difference_figure(OF, Role("run", 1), "a − b", X, difference, (difference - 0.05, difference + 0.07))
    assert figure.y.low <= 0
    assert figure.y.high >= 0.27
    assert figure.y.ticks is not None
    assert ("0" in [text for _, text in figure.y.ticks]) and figure.guides[0].y.tolist() == [0, 0]
    out = read_out(figure, 5)
    assert out.columns == ("Δ nDCG", "interval")
    assert (out.entries[0].value, out.entries[0].extra) == ("+0.2000", "[+0.1500, +0.2700]")
    assert figure.cursor == 3


@pytest.mark.parametrize("far", [0.0, 1e-9, 3.0])
def test_without_a_band_and_without_a_difference(far: float) -> None:
    figure = curve_difference_figure(OF, Role("run", 1), "a − b", X, np.full(5, -far), None)
    assert figure.bands == ()
    assert figure.y.low < -far or far == 0
    assert figure.y.high >= 0 > figure.y.low
    assert figure.y.high - figure.y.low >= 0.01
