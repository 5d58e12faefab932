"""Tab goes through every widget that takes the keys, in the order that one reads, in every place and every view."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.pair import PairView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.tab_order import step_tab
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.state import TABS

VIEWS = {"systems": ("",), "query": ("",), **TABS}


def tab_stops(window: QWidget) -> list[QWidget]:
    """Where the Tab key goes, step by step from the first, until it comes round."""
    if (focused := QApplication.focusWidget()) is not None:
        focused.clearFocus()
    reached_widgets: list[QWidget] = []
    while (
        step_tab(window, True)
        and (reached := QApplication.focusWidget()) is not None
        and reached not in reached_widgets
    ):
        reached_widgets.append(reached)
    return reached_widgets


def go(window: MainWindow, session: Session, qtbot: QtBot, place: str, tab: str) -> None:
    window.resize(1280, 800)
    session.navigation.set_place(place)
    if tab:
        session.navigation.set_tab(place, tab)
    session.compute_now()
    window.flush()
    # A layout shows what is added to it a turn of the event loop later.
    qtbot.waitUntil(lambda: window.is_complete() and all(plot.isVisible() for plot in canvases(window)))
    window.current_screen.setFocus(Qt.FocusReason.OtherFocusReason)


def canvases(window: MainWindow) -> list[QWidget]:
    """The plots of the place in view that are not put away."""
    plots: tuple[PlotPanel, ...] = getattr(window.current_screen, "plots", ())
    return [plot.canvas for plot in plots if plot.canvas is not None and plot.isVisible()]


def walked(window: MainWindow, qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier) -> list[QWidget]:
    """The widgets that a key leads to, until it leads to the first again."""
    walked_widgets: list[QWidget] = []
    for _ in range(100):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in walked_widgets:
            break
        walked_widgets.append(focused)
        qtbot.keyClick(focused, key, modifier)
    assert QApplication.focusWidget() is walked_widgets[0], "the walk does not come back to where it began"
    return walked_widgets


@pytest.mark.parametrize("place", [pytest.param(place, marks=pytest.mark.opens(place)) for place in VIEWS])
def test_tab_reaches_everything_and_shift_tab_the_same(
    place: str, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    for tab in VIEWS[place]:
        go(window, session, qtbot, place, tab)
        assert_tab_reaches_everything(window, qtbot)


def assert_tab_reaches_everything(window: MainWindow, qtbot: QtBot) -> None:
    forward = walked(window, qtbot, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
    back = walked(window, qtbot, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert forward[1:] == back[:0:-1]
    reachable = {
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and not widget.isWindow()
        and widget.focusProxy() is None
        and widget.focusPolicy() in (Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.WheelFocus)
    }
    assert set(forward) == reachable
    assert len(forward) > 6
    assert [widget for widget in forward if not spoken_name(widget)] == []


def spoken_name(widget: QWidget) -> str:
    """What a screen reader says on a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


@pytest.mark.opens("compare")
def test_tab_reads_the_pair_from_the_left_and_from_the_top(window: MainWindow, session: Session, qtbot: QtBot) -> None:
    go(window, session, qtbot, "compare", "pair")
    place = window.current_screen
    assert isinstance(place, CompareScreen)
    view = place.view("pair")
    assert isinstance(view, PairView)
    choosers = view.tests.choosers
    plots = [view.scatter.canvas, view.histogram.canvas]
    wanted = [*plots, choosers.run, choosers.baseline, view.tests.table, view.bars.canvas, view.share.canvas]
    stops = tab_stops(window)
    first = stops.index(view.scatter.canvas)  # type: ignore[arg-type]
    assert stops[first:] == wanted
    assert stops[first - 1].mapTo(window, QPoint()).y() < view.scatter.mapTo(window, QPoint()).y()
    assert stops[0].window() is window


def test_nothing_to_go_to_is_no_step(qtbot: QtBot) -> None:
    alone = QWidget()
    qtbot.addWidget(alone)
    assert tab_stops(alone) == []
