"""Messages one at a time; progress only of what takes long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from irviewer.gui.bars.message_bar import FLOATING_HEIGHT, MessageBar, ProgressLine
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import ElidedLabel, FoldedLabel
from irviewer.gui.window import MainWindow
from irviewer.session.messages import LEFT as LEFT_WORK
from irviewer.session.messages import NOT_SAVED, Message, error, hint, info, warning
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")

LEFT = Qt.MouseButton.LeftButton


def opened(text: str) -> Message:
    """Information about opened files, which answers no act."""
    return replace(info(text), topic="opened")


def test_the_newest_first_then_the_one_before(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.say(warning("first"))
    session.say(info("done here"))  # is answered where it was done
    session.say(warning("second"))
    window.flush()
    assert window.message_bar.text == "second"
    qtbot.mouseClick(window.message_bar.close_button, LEFT)
    window.flush()
    assert window.message_bar.text == "first"


@pytest.mark.parametrize("topic", [LEFT_WORK, NOT_SAVED])
def test_what_says_that_work_is_at_stake_is_behind_no_warning(window: MainWindow, session: Session, topic: str) -> None:
    """After a crash, the offer to restore judgments was behind a warning of the opened run about ties."""
    session.say(replace(info("your work of today"), topic=topic, action="restore_work"))
    session.say(warning("tied scores"))
    window.flush()
    assert window.message_bar.text == "your work of today"
    assert window.message_bar.action.isVisible()
    session.say(error("it cannot be read"))
    window.flush()
    assert window.message_bar.text == "it cannot be read"
    for left in ("your work of today", "tied scores", ""):
        window.message_bar.dismiss()
        window.flush()
        assert window.message_bar.text == left


def test_no_second_line_of_the_status_bar_looks_out_below_a_message(window: MainWindow, session: Session) -> None:
    window.resize(1280, 800)
    session.say(warning("tied scores"))
    window.flush()
    floating, bar = window.floating, window.status_bar
    beside = window.message_bar.mapTo(window, window.message_bar.rect().bottomLeft())
    assert beside.y() < bar.mapTo(window, bar.rect().bottomLeft()).y()
    assert floating.mapTo(window, floating.rect().bottomLeft()).y() == bar.mapTo(window, bar.rect().bottomLeft()).y()
    shown = floating.grab().toImage()
    assert shown.pixelColor(200, shown.height() - 1) == QColor(window.message_bar.theme["panel"])


def test_details_open_what_lies_behind(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.say(warning("nothing behind"))
    window.flush()
    assert not window.message_bar.details.isVisible()
    session.say(error("a.run, line 3: no score", "line 3: 1 Q0 d1", "six columns are needed"))
    window.flush()
    qtbot.mouseClick(window.message_bar.details, LEFT)
    text = window.findChild(QPlainTextEdit)
    assert text is not None
    assert text.toPlainText() == "line 3: 1 Q0 d1\nsix columns are needed"


class _Busy:
    def __init__(self, since: float) -> None:
        self.title = "Reading a.run"
        self.since = since
        self.fraction: float | None = 0.25
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


@pytest.mark.parametrize(("since", "visible"), [(0.1, False), (0.6, True)])
def test_progress_shows_after_half_a_second(qtbot: QtBot, theme: Theme, since: float, visible: bool) -> None:
    session: Any = SimpleNamespace(busy=_Busy(since))
    line = ProgressLine(session, theme)
    qtbot.addWidget(line)
    line.refresh()
    assert line.isVisible() is visible
    session.busy = None
    line.refresh()
    assert not line.isVisible()
    line.stop()


def test_cancel_cancels(qtbot: QtBot, theme: Theme) -> None:
    busy = _Busy(2.0)
    line = ProgressLine(SimpleNamespace(busy=busy), theme)  # type: ignore[arg-type]
    qtbot.addWidget(line)
    line.refresh()
    assert line.bar.value() == 250
    qtbot.mouseClick(line.cancel, LEFT)
    assert busy.cancelled
    line.stop()


def test_a_hint_does_not_hide_what_went_wrong(qtbot: QtBot, theme: Theme, empty_session: Session) -> None:
    bar = MessageBar(empty_session, theme)
    qtbot.addWidget(bar)
    empty_session.say(error("bad.run: no run"))
    empty_session.say(hint("What one is looking at"))
    bar.refresh()
    assert bar.text == "bad.run: no run"
    bar.dismiss()
    bar.refresh()
    assert bar.text == "What one is looking at"


def test_a_message_that_has_gone_is_dismissed_without_fault(qtbot: QtBot, theme: Theme, empty_session: Session) -> None:
    """Esc twice before the bar is refreshed."""
    bar = MessageBar(empty_session, theme)
    qtbot.addWidget(bar)
    empty_session.say(error("bad.run: no run"))
    empty_session.say(error("other.run: no run"))
    bar.refresh()
    bar.dismiss()
    bar.dismiss()
    assert [message.text for message in empty_session.view.messages] == ["bad.run: no run"]


@pytest.mark.opens("query")
def test_messages_move_nothing(window: MainWindow, session: Session) -> None:
    """The screen stays where it is, whatever is said."""
    places = []
    for message in (None, hint("what one sees"), error("not done")):
        if message is not None:
            session.say(message)
        window.flush()
        QApplication.processEvents()
        assert window.floating.isVisible() is (message is not None)
        corner = window.current_screen.mapTo(window, QPoint(0, 0))
        places.append((corner.x(), corner.y(), window.current_screen.width(), window.current_screen.height()))
    assert len(set(places)) == 1
    for width, height in ((1280, 800), (1000, 600)):
        window.resize(width, height)
        QApplication.processEvents()
        over, screen = window.floating.geometry(), window.current_screen
        assert (
            over.top() > screen.mapTo(window.floating.parentWidget(), QPoint(0, screen.height())).y()
        )  # hides no axis
        assert 0 <= over.left() < over.right() < width


@pytest.mark.opens("systems")
@pytest.mark.parametrize("size", [(640, 400), (1024, 640), (1280, 800)])
def test_a_message_covers_no_view(window: MainWindow, session: Session, size: tuple[int, int]) -> None:
    """Rows below it could not be seen before it is dismissed: the view leaves its room, and takes it back."""
    window.resize(*size)

    def bottom() -> int:
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        screen = window.current_screen
        return screen.mapTo(window.floating.parentWidget(), QPoint(0, screen.height())).y()

    before = bottom()
    words = "bad.run: tied scores in 477 queries of 477 (55 % of the documents): broken by id" * 3
    for message in (warning(words), info(words, "details")):
        session.say(message)
        assert bottom() <= window.floating.y()
        assert window.floating.isVisible()
        window.message_bar.dismiss()
        assert bottom() == before


@pytest.mark.opens("query")
def test_what_leaves_moves_no_view(window: MainWindow, session: Session) -> None:
    """A hint in a narrow window made the lists lower when it came, and higher when it went; so did progress."""
    window.resize(640, 400)
    heights = []
    words = "tied scores in 477 queries of 477 (55 % of the documents): broken by id " * 3
    for show in (lambda: None, lambda: session.say(opened(words)), lambda: session.say(hint(words)),
                 window.progress.show):  # fmt: skip
        show()
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        heights.append(window.current_screen.height())
        window.message_bar.dismiss()
    assert heights == heights[:1] * 4
    session.say(warning(words))
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    assert window.current_screen.height() < heights[0], "what stays has room of its own"


@pytest.mark.opens("query")
def test_a_message_is_as_wide_as_its_text_and_leaves_room_for_progress(
    qtbot: QtBot, window: MainWindow, session: Session
) -> None:
    window.resize(1280, 800)
    session.say(warning("short"))
    window.flush()
    assert window.floating.width() == window.status_bar.words_room()
    session.say(warning("a long text about what has happened, " * 4))
    window.flush()
    text = window.message_bar.findChild(ElidedLabel)
    assert text is not None
    QApplication.processEvents()
    assert text.width() >= text.sizeHint().width()
    window.progress.show()
    window.progress.findChildren(ElidedLabel)[0].setText("Comparing all pairs of runs")
    window.flush()
    window.floating.place()
    QApplication.processEvents()
    title = window.progress.findChildren(ElidedLabel)[0]
    assert title.width() >= title.sizeHint().width()
    assert window.progress.geometry().top() == window.message_bar.geometry().top()
    assert window.floating.width() < 1280


@pytest.mark.opens("query")
@pytest.mark.parametrize("say", [hint, opened])
@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_what_needs_no_answer_hides_no_legend(
    window: MainWindow, session: Session, width: int, say: Callable[[str], Message]
) -> None:
    window.resize(width, 640)
    session.say(say("Query 1 has the largest difference in nDCG@10. " * 4))
    for _ in range(2):
        window.flush()
        QApplication.processEvents()
    legend = window.status_bar.legend
    assert legend.isVisible()
    place = legend.mapTo(window.floating.parentWidget(), QPoint(0, 0))
    assert not window.floating.geometry().intersects(QRect(place, legend.size()))


@pytest.mark.opens("systems")
def test_a_message_makes_room_for_the_legend_of_another_view(window: MainWindow, session: Session) -> None:
    window.resize(1280, 800)
    session.say(warning("3 files have warnings"))
    window.flush()
    QApplication.processEvents()
    legend = window.status_bar.legend
    for place, tab in (("queries", "table"), ("queries", "failures"), ("queries", "table"), ("query", "rankings")):
        session.navigation.set_place(place)
        session.navigation.set_tab(place, tab)
        window.flush()
        QApplication.processEvents()
        assert legend.isVisible() is (tab != "table")
        corner = legend.mapTo(window.floating.parentWidget(), QPoint(0, 0))
        hidden = window.floating.geometry().intersects(QRect(corner, legend.size()))
        assert not (legend.isVisible() and hidden), tab


def test_messages_about_opened_files_leave(window: MainWindow, session: Session) -> None:
    bar = window.message_bar
    session.say(opened("nist was opened as another judge"))
    window.flush()
    assert bar.text == "nist was opened as another judge"
    assert bar.leaving.isActive()
    bar.leaving.timeout.emit()
    window.flush()
    assert bar.text != "nist was opened as another judge"


def test_a_text_longer_than_the_window_has_two_lines(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    window.resize(1000, 700)
    words = "Query q005 has the largest difference between two runs with long names. J and K go through the queries."
    session.say(warning(f"{words} {words}"))
    window.flush()
    QApplication.processEvents()
    text = window.message_bar.findChild(FoldedLabel)
    assert text is not None
    assert len(text.shown_lines()) == 2
    assert " ".join(text.shown_lines()) == f"{words} {words}"
    session.say(warning("short"))
    window.flush()
    QApplication.processEvents()
    assert text.shown_lines() == ["short"]
    assert window.message_bar.height() == FLOATING_HEIGHT


def test_what_needs_no_answer_goes(window: MainWindow, session: Session) -> None:
    bar = window.message_bar
    session.say(hint("What one sees"))
    window.flush()
    assert bar.leaving.isActive()
    bar.leaving.timeout.emit()
    window.flush()
    assert bar.message is None
    for lasting in (error("not saved"), warning("full"), info("with a way on", "a detail")):
        session.say(lasting)
        window.flush()
        assert bar.message == lasting
        assert not bar.leaving.isActive()


@pytest.mark.opens("query")
@pytest.mark.parametrize("place", ["query", "systems"])
def test_in_a_small_window_a_warning_lies_above_the_texts_and_buttons_of_the_status_bar(
    window: MainWindow, session: Session, place: str
) -> None:
    """At 200 % on a usual screen: a window of 640 × 400."""
    window.resize(640, 400)
    session.navigation.set_place(place)
    session.say(warning("a long text about what has happened, " * 4))
    window.flush()
    QApplication.processEvents()
    floating = QRect(window.floating.mapTo(window, QPoint()), window.floating.size())
    bar = QRect(window.status_bar.mapTo(window, QPoint()), window.status_bar.size())
    assert floating.isValid() and not floating.intersects(bar)


@pytest.mark.opens("query")
@pytest.mark.parametrize(("place", "tab"), [("query", "rankings"), ("queries", "failures")])
@pytest.mark.parametrize("width", [1024, 1280])
def test_a_warning_hides_no_legend(window: MainWindow, session: Session, width: int, place: str, tab: str) -> None:
    """A text longer than the room beside the legend lay over its first grades."""
    window.resize(width, 800)
    session.navigation.set_place(place)
    session.navigation.set_tab(place, tab)
    legend = window.status_bar.legend
    for times in range(1, 8):
        session.say(warning("a long text about what has happened " * times))
        for _ in range(2):
            window.flush()
            QApplication.processEvents()
        assert legend.isVisible()
        corner = legend.mapTo(window.floating.parentWidget(), QPoint(0, 0))
        assert not window.floating.geometry().intersects(QRect(corner, legend.size())), times
