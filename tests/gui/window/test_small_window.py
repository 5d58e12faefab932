"""A window of the least size: what has no room scrolls, and nothing is squeezed or lies over its neighbour."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QTableView

from irviewer.gui.screens.screen import Screen
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.gui.window import LEAST, MainWindow
from irviewer.session.session import Session

VIEWS = (
    ("systems", ""), ("queries", "table"), ("queries", "failures"), ("queries", "vector"), ("queries", "recall"),
    ("compare", "pair"), ("compare", "slices"),
)  # fmt: skip


@pytest.mark.parametrize(("place", "tab"), VIEWS)
def test_tables_have_rows_and_plots_have_height(window: MainWindow, session: Session, place: str, tab: str) -> None:
    window.resize(*LEAST)
    session.navigation.set_place(place)
    if tab:
        session.navigation.set_tab(place, tab)
    for _ in range(2):
        window.flush()
        QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, Screen)
    for table in screen.findChildren(QTableView):
        if table.isVisible() and table.model() is not None and table.model().rowCount() > 3:
            assert table.viewport().height() >= 3 * table.rowHeight(0), table.accessibleName()
    for plot in screen.findChildren(PlotPanel):
        assert not plot.isVisible() or plot.height() >= 150, plot.title
    area = next(area for area in screen.findChildren(Scrolled) if area.isVisible())
    assert area.verticalScrollBar().maximum() > 0 == area.verticalScrollBar().value(), "it shows its beginning"
    window.resize(1280, 800)
    QApplication.processEvents()
    assert area.verticalScrollBar().maximum() == 0 == area.horizontalScrollBar().maximum()


@pytest.mark.opens("start")
def test_the_start_scrolls(window: MainWindow) -> None:
    window.resize(*LEAST)
    QApplication.processEvents()
    start = window.start
    rows = [start.open_button, *start.cards, start.example_row, start.type_row]
    places = [row.mapTo(start, row.rect().topLeft()) for row in rows]
    assert all(row.height() >= row.sizeHint().height() for row in rows)
    assert all(
        place.x() >= 0 and place.x() + row.width() <= start.width() for place, row in zip(places, rows, strict=True)
    )
    assert window.start.findChild(Scrolled).verticalScrollBar().maximum() > 0
    window.focusNextPrevChild(True)
    for _ in range(20):
        window.focusNextPrevChild(True)
        if start.type_row.hasFocus():
            break
    else:
        pytest.fail("the last row is never reached")
    foot = start.type_row.mapTo(start, start.type_row.rect().bottomLeft()).y()
    assert foot <= start.height()
