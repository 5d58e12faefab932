"""Two runs in depth on screen: all tests are in sight at the smallest usual size, and the plots share one brush."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.places.compare import ComparePlace
from irviewer.gui.places.pair import PairView
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.fixture
def pair(window: MainWindow, session: Session) -> PairView:
    window.resize(1280, 800)
    session.set_place("compare")
    session.set_tab("compare", "pair")
    session.catch_up()
    window.flush()
    place = window.place
    assert isinstance(place, ComparePlace)
    place.load_plots()
    view = place.view("pair")
    assert isinstance(view, PairView)
    return view


def test_every_test_is_in_sight_at_the_smallest_usual_size(pair: PairView, window: MainWindow, qtbot: QtBot) -> None:
    table = pair.tests.table
    assert pair.tests.model.rowCount() >= 9
    last = pair.tests.model.rowCount() - 1

    def in_sight() -> bool:
        return table.rowViewportPosition(last) + table.rowHeight(last) <= table.viewport().height()

    qtbot.waitUntil(in_sight)
    assert pair.bars.height() >= 150
    window.resize(900, 560)  # where there is no room for all, the plots are not pushed out
    window.flush()
    qtbot.waitUntil(lambda: pair.bars.height() + pair.tests.height() < 560)
    assert pair.bars.height() >= 100


def test_a_bar_of_the_histogram_is_brushed_by_keys_in_every_plot(
    pair: PairView, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    view = pair.histogram.canvas
    assert view is not None
    page = session.pair_page()
    assert page is not None
    held = page.histogram.histogram
    assert held is not None
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    window.flush()
    assert len(session.brushed) == int(held.counts[held.counts > 0][-1])
    after = session.pair_page()
    assert after is not None
    assert after.scatter.points is not None
    marked = [key for key, on in zip(after.scatter.points.keys, after.scatter.points.marked, strict=True) if on]
    assert set(marked) == session.brushed
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert session.brushed == frozenset()
