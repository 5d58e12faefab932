import numpy as np
import pytest

from irviewer.figures.relevance_map import relevance_map_figure
from irviewer.rendering.export import figure_rows


def test_axes_title_and_rows() -> None:
    grades = np.array([[2.0, -np.inf], [np.nan, -np.inf], [0.0, -np.inf]])
    figure = relevance_map_figure(grades, ("7", "3"), 2, 1, "a")
    assert figure.title == "Relevance map · a"
    assert (figure.y.low, figure.y.high) == (0.5, 3.5)
    assert figure.cells is not None and figure.cells.selected == 1
    header, rows = figure_rows(figure)
    assert header == ("query", "rank", "grade")
    assert rows[0] == ("7", 1, 2.0) and np.isnan(rows[1][2]) and rows[2] == ("7", 3, 0.0) and len(rows) == 3
    with pytest.raises(ValueError, match="2 columns for 1"):
        relevance_map_figure(grades, ("7",), 2, 0, "a")
