"""Thresholds as sliders: keys and the plot move them, tables follow, the newest place wins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from irviewer.commands import run_command
from irviewer.gui.teaching.sliders import FRAME, ThresholdsStrip, value_text
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


@pytest.fixture
def strip(session: Session, make_window: Callable[[Session], MainWindow]) -> ThresholdsStrip:
    session.evaluation.set_measure("P@2")
    window = make_window(session)
    assert not window.thresholds.isVisible()
    run_command(session, "thresholds")
    window.flush()
    assert window.thresholds.isVisible()
    return window.thresholds


def test_the_keys_move_a_threshold_and_the_tables_follow(strip: ThresholdsStrip, session: Session) -> None:
    assert list(strip.sliders) == ["level", "cutoff"]
    cutoff = strip.sliders["cutoff"]
    assert "2" in cutoff.title.text()
    QTest.keyClick(cutoff.slider, Qt.Key.Key_Right)
    QTest.keyClick(cutoff.slider, Qt.Key.Key_Right)
    strip.settle()
    assert str(session.view.measure) == "P@4"
    assert session.view.cutoff == 4
    QTest.keyClick(cutoff.slider, Qt.Key.Key_Home)
    strip.settle()
    assert str(session.view.measure) == "P@1"


def test_the_newest_place_of_a_drag_wins(strip: ThresholdsStrip, session: Session) -> None:
    heard: list[str] = []
    session.changed.connect(lambda _: heard.append(str(session.view.measure)))
    for place in (0, 1, 2, 3):
        strip.sliders["cutoff"].slider.setValue(place)
    strip.settle()
    assert str(session.view.measure) == "P@4"
    assert not {"P@1", "P@3"} & set(heard)


def test_the_first_position_of_a_drag_is_set_immediately_and_the_next_a_frame_later(
    strip: ThresholdsStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irviewer.gui.teaching.sliders.time.monotonic", lambda: 100.0)
    strip.sliders["cutoff"].slider.setValue(0)
    assert strip._timer.interval() == 0
    strip.settle()
    strip.sliders["cutoff"].slider.setValue(1)
    assert strip._timer.interval() == FRAME
    strip.settle()


def test_a_place_of_a_measure_that_is_gone_moves_nothing(strip: ThresholdsStrip, session: Session) -> None:
    strip.sliders["cutoff"].slider.setValue(4)
    assert strip.waits
    session.evaluation.set_measure("RR")
    strip.settle()
    assert not strip.waits
    assert str(session.view.measure) == "RR"


def test_a_click_in_the_plot_moves_to_it(strip: ThresholdsStrip, session: Session) -> None:
    plot = strip.sliders["cutoff"].plot
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(plot.width() - 8, 20))
    strip.settle()
    assert str(session.view.measure) == "P@4"
    assert not plot.grab().isNull()


def test_the_plot_holds_the_least_and_the_most(strip: ThresholdsStrip, session: Session) -> None:
    swept = session.sliders.swept("cutoff")
    assert swept is not None
    assert strip.sliders["cutoff"].plot.bounds() == (swept.means.min(), swept.means.max())


def test_as_it_was_and_away(strip: ThresholdsStrip, session: Session) -> None:
    strip.sliders["level"].slider.setValue(1)
    strip.settle()
    assert session.view.level == 2
    strip.reset.click()
    assert session.view.level == 1
    strip.close_button.click()
    strip.refresh()
    assert not strip.isVisible()


def test_a_measure_that_has_nothing_to_drag(strip: ThresholdsStrip, session: Session) -> None:
    session.evaluation.set_measure("NumRet")
    strip.refresh()
    assert not strip.sliders
    assert "has no thresholds" in strip.nothing.text()


def test_how_a_place_is_written() -> None:
    assert [value_text(value) for value in (3.0, 0.85, 10, "jk")] == ["3", "0.85", "10", "jk"]


def test_a_slider_keeps_the_keys_where_others_come_and_go(strip: ThresholdsStrip, session: Session) -> None:
    session.evaluation.set_measure("nDCG@3")
    window = strip.window()
    assert isinstance(window, MainWindow)
    window.flush()
    names = list(strip.sliders)
    held = strip.sliders["dcg"].slider
    held.setFocus()
    at = strip.sliders["dcg"].axis.values.index("jk")
    held.setValue(at)
    strip.settle()
    window.flush()
    assert "jk" in str(session.view.measure)
    assert list(strip.sliders) != names
    assert strip.sliders["dcg"].slider is held
    assert held.hasFocus()
    shown = [strip._row.itemAt(place).widget() for place in range(strip._row.count())]
    assert shown == list(strip.sliders.values())
    assert all(slider.isVisible() for slider in strip.sliders.values())


def test_the_keys_go_to_a_slider_where_theirs_is_gone(strip: ThresholdsStrip, session: Session) -> None:
    window = strip.window()
    assert isinstance(window, MainWindow)
    strip.sliders["cutoff"].slider.setFocus()
    session.evaluation.set_measure("RR")
    window.flush()
    assert "cutoff" not in strip.sliders
    assert strip.sliders["level"].slider.hasFocus()


def test_another_theme_asks_nothing_of_thresholds_that_the_measure_lacks(
    strip: ThresholdsStrip, session: Session
) -> None:
    assert "level" in strip.sliders
    run_command(session, "thresholds")
    session.evaluation.set_measure("nDCG@10")
    strip._theme.changed.emit()  # while the sliders of P@2 are put away
    run_command(session, "thresholds")
    strip.refresh()
    assert "level" not in strip.sliders
