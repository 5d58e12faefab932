"""The frame of painted plots: the name of the y axis is whole where the widget has room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from irviewer.figures.figure import Axis, Figure
from irviewer.gui.plots.axes_frame import Frame, fitting_title, paint_y_title
from irviewer.gui.theme import Theme

TITLE = "Share of all differences"


def rows(theme: Theme, area: QRectF, whole: QRectF) -> list[int]:
    """The rows of pixels that the name covers."""
    image = QImage(40, round(whole.height()), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setFont(theme.font(8.5))
    paint_y_title(painter, TITLE, 20, area, whole)
    painter.end()
    return [y for y in range(image.height()) if any(image.pixelColor(x, y).alpha() for x in range(40))]


@pytest.mark.parametrize("top", [4, 30, 80])
def test_a_name_longer_than_its_axis_is_whole_and_inside(theme: Theme, top: int) -> None:
    long = QFontMetricsF(theme.font(8.5)).horizontalAdvance(TITLE)
    whole = QRectF(0, 0, 100, long + 20)
    covered = rows(theme, QRectF(30, top, 60, long / 2), whole)
    assert covered[-1] - covered[0] >= 0.94 * long  # not elided
    assert covered[0] >= 1 and covered[-1] <= whole.height() - 2


def test_a_short_name_is_beside_the_middle_of_its_axis(theme: Theme) -> None:
    covered = rows(theme, QRectF(30, 100, 60, 200), QRectF(0, 0, 100, 400))
    assert abs((covered[0] + covered[-1]) / 2 - 200) <= 3


def test_long_names_of_categories_are_elided_and_inside(theme: Theme) -> None:
    words = "how are the drugs that lower blood pressure tolerated"
    ticks = tuple((float(place), f"{place} {words}") for place in range(12))
    figure = Figure("t", Axis("question", -0.5, 11.5, ticks), Axis("y", 0.0, 1.0), ())
    image = QImage(700, 200, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    frame = Frame(figure, theme, QRectF(0, 0, 700, 200))
    painted: list[tuple[QRectF, str]] = []
    metrics = QFontMetricsF(theme.font(8.5, numbers=True))

    class Watched:
        """The painter, with a list of the names below the axis."""

        def __getattr__(self, name: str) -> object:
            return getattr(painter, name)

        def drawText(self, box: QRectF, flags: object, text: str) -> None:
            if "…" in text:
                painted.append((box, text))

    frame.paint(Watched())  # type: ignore[arg-type]
    painter.end()
    assert len(painted) >= 4
    for box, text in painted:
        assert box.left() >= 0 and box.right() <= 702
        assert metrics.horizontalAdvance(text) <= box.width()
    assert all(left[0].right() <= right[0].left() + 4 for left, right in pairwise(painted))


def test_a_title_without_room_lacks_its_definition_first(theme: Theme) -> None:
    metrics = QFontMetricsF(theme.font(8.5))
    whole = "Precision: max P(k) with R(k) ≥ r, mean of 40 queries"
    wide = metrics.horizontalAdvance
    assert fitting_title(whole, metrics, wide(whole)) == whole
    assert fitting_title(whole, metrics, wide(whole) - 1) == "Precision, mean of 40 queries"
    assert fitting_title(whole, metrics, wide("Precision, mean of 40 queries") - 1) == "Precision"
    assert fitting_title("Recall", metrics, 500) == "Recall"
    assert "…" in fitting_title("Share of all differences", metrics, 50)


def test_titles_are_read_where_ticks_have_no_room(theme: Theme) -> None:
    ticks = tuple((place / 10, f"{place / 10}") for place in range(11))
    figure = Figure("t", Axis("x", 0.0, 1.0, ticks), Axis("y", 0.0, 1.0, ticks), ())
    image = QImage(300, 80, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    pens: list[str] = []

    class Spy(Frame):
        def paint(self, painter: QPainter) -> None:
            super().paint(painter)
            pens.append(painter.pen().color().name())

    Spy(figure, theme, QRectF(0, 0, 300, 80)).paint(painter)
    painter.end()
    assert pens == [theme["muted"].name()]
