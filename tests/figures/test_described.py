"""Figures in words: kind and number of marks, names, axes."""

from __future__ import annotations

import numpy as np

from irviewer.figures.described import MOST, described
from irviewer.figures.figure import IDEAL, Axis, Bars, Cells, Curve, Figure, Histogram, Matrix, Points, Waterfall

X = Axis("Recall", 0.0, 1.0, ticks=((0.0, "0"), (1.0, "1.0")))
Y = Axis("Precision", 0.0, 0.5)


def curve(name: str) -> Curve:
    return Curve(IDEAL, name, np.array([0.0, 1.0]), np.array([0.2, 0.1]))


def test_curves_are_named_and_axes_have_their_ends() -> None:
    words = described(Figure("PR", X, Y, curves=(curve("a"), curve("b"))))
    assert words == "2 curves: a, b. Horizontal axis: Recall, 0 to 1.0. Vertical axis: Precision, 0 to .5."


def test_many_curves_are_not_all_named() -> None:
    names = [f"run{number}" for number in range(76)]
    words = described(Figure("PR", X, Y, curves=tuple(map(curve, names))))
    assert words.startswith(f"76 curves: {', '.join(names[:MOST])} and {76 - MOST} more. ")


def test_one_of_each() -> None:
    single = np.ones(1)
    whole = np.ones(1, dtype=np.int64)
    assert described(Figure("", X, Y, bars=Bars(np.array([0.5, -0.1, 0.0]), "abc"))).startswith(
        "3 bars: 1 above 0, 1 below. "
    )
    points = Points(np.array([0.1, np.nan]), np.array([0.2, 0.2]), ("q1", "q2"), np.zeros(2), np.zeros(2, dtype=bool))
    assert described(Figure("", X, Y, points=points)).startswith("1 point. ")
    counts = np.array([2, 3], dtype=np.int64)
    histogram = Histogram(np.array([-1.0, 0.0, 1.0]), counts, counts * 0)
    assert described(Figure("", X, Y, histogram=histogram)).startswith("Histogram of 5 values in 2 bars. ")
    waterfall = Waterfall(np.array([0.25, -0.5]), ("", ""), ("found", "order"))
    assert described(Figure("", X, Y, waterfall=waterfall)).startswith("found +0.2500, order −0.5000. ")
    matrix = Matrix(single.reshape(1, 1), single.reshape(1, 1), ("a",), (("1",),), whole)
    assert described(Figure("", X, Y, matrix=matrix)) == "Matrix of a."
    cells = Cells(np.zeros((100, 3)), ("1", "2", "3"), 2.0)
    assert described(Figure("", X, Y, cells=cells, note="a note")) == "Grades of 3 queries to rank 100. a note"


def test_an_axis_without_a_title() -> None:
    assert described(Figure("", Axis("", 0, 1), Y)).startswith("Horizontal axis: without a title.")
