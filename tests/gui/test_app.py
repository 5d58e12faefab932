"""The application around the window: colours, faults, signals, the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import pytest
import shiboken6
from patience import LONG_PROCESS
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QStyleFactory, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui import restyling
from irviewer.gui.app import Appearance, Hook, Interrupts, prepare_application
from irviewer.gui.screenshot import settle
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import FAMILY, Theme
from irviewer.gui.window import MainWindow
from irviewer.rendering.palette import DARK, LIGHT
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.messages import Level
from irviewer.session.session import Session
from tests.gui.dressed_window import assert_as_opened_in_the_theme


def test_the_font_is_inter(qapp: QApplication) -> None:
    prepare_application(qapp)
    from PySide6.QtGui import QFontInfo

    assert QFontInfo(qapp.font()).family() == FAMILY
    assert not qapp.windowIcon().isNull()


class TestAppearance:
    @pytest.fixture
    def appearance(self, qapp: QApplication, empty_session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
        monkeypatch.setattr(restyling, "AT_ONCE", 10**6)  # also with the widgets of other tests
        new_appearance = Appearance(qapp, empty_session, theme)
        yield new_appearance
        new_appearance.close()

    def test_the_users_choice(
        self, appearance: Appearance, qapp: QApplication, empty_session: Session, theme: Theme
    ) -> None:
        empty_session.appearance.set_theme("dark")
        assert theme.palette is DARK
        assert qapp.styleSheet() == stylesheet(DARK)
        empty_session.appearance.set_theme("light")
        assert theme.palette is LIGHT

    def test_it_follows_the_system(
        self, appearance: Appearance, qapp: QApplication, empty_session: Session, theme: Theme
    ) -> None:
        empty_session.appearance.set_theme("system")
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
        assert theme.palette is DARK
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
        assert theme.palette is LIGHT
        empty_session.appearance.set_theme("light")
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
        assert theme.palette is LIGHT

    def test_a_widget_is_restyled_as_often_deep_within_as_at_the_top(
        self, appearance: Appearance, qtbot: QtBot, empty_session: Session
    ) -> None:
        """Not once for every parent: in a window of 2,500 widgets that was a second."""
        widgets = [QWidget()]
        qtbot.addWidget(widgets[0])
        for _ in range(12):
            widgets.append(QWidget(widgets[-1]))
        widgets[0].show()
        seen: Counter[int] = Counter()

        class Watch(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.StyleChange:
                    seen[widgets.index(watched)] += 1  # type: ignore[arg-type]
                return False

        watch = Watch()
        for widget in widgets:
            widget.installEventFilter(watch)
        empty_session.appearance.set_theme("dark")
        assert seen[0] == seen[12] > 0

    def test_hidden_widgets_are_restyled_when_they_are_shown_or_later(
        self, appearance: Appearance, qtbot: QtBot, empty_session: Session, theme: Theme
    ) -> None:
        """Of 2,700 widgets 80 are in view: to restyle all at once took a third of a second."""
        window = QWidget()
        qtbot.addWidget(window)
        seen, shown, hidden, coloured = (QLineEdit(window) for _ in range(4))
        window.show()  # each of them, so that all have the style
        shown.hide()
        hidden.hide()
        coloured.hide()
        former = [each.palette().color(QPalette.ColorRole.Text) for each in (seen, shown, hidden)]
        assert former == 3 * [QColor(LIGHT.text)]

        def colours() -> list[str]:
            return [each.palette().color(QPalette.ColorRole.Text).name() for each in (seen, shown, hidden)]

        def colour_itself() -> None:
            palette = coloured.palette()
            palette.setColor(QPalette.ColorRole.Text, theme["muted"])
            coloured.setPalette(palette)

        theme.changed.connect(colour_itself)
        empty_session.appearance.set_theme("dark")
        assert not appearance.restyling.is_done
        assert colours() == [DARK.text, LIGHT.text, LIGHT.text]
        shown.show()
        appearance.restyling.restyle_shown()
        assert colours() == [DARK.text, DARK.text, LIGHT.text]
        empty_session.appearance.set_theme("light")  # before the rest was done
        assert colours()[:2] == [LIGHT.text, LIGHT.text]
        empty_session.appearance.set_theme("dark")
        qtbot.waitUntil(lambda: appearance.restyling.is_done)
        assert colours() == 3 * [DARK.text]
        assert coloured.palette().color(QPalette.ColorRole.Text).name() == DARK.muted

    def test_colours_are_taken_again_only_for_what_came_into_view(
        self, appearance: Appearance, empty_session: Session, qtbot: QtBot
    ) -> None:
        """While statistics were computed, all plots took their colours twenty times a second."""
        window = QWidget()
        qtbot.addWidget(window)
        hidden = [QLineEdit(window) for _ in range(3)]
        window.show()
        for each in hidden:
            each.hide()
        empty_session.appearance.set_theme("dark")
        parts, sent = appearance.restyling, list[None]()
        parts.restyled.connect(lambda: sent.append(None))
        parts._asleep = hidden[:2]
        parts._restyle([hidden[2]])
        parts.restyle_shown()
        assert not sent
        hidden[2].show()
        parts.restyle_shown()
        parts.restyle_shown()
        assert len(sent) == 1
        qtbot.waitUntil(lambda: parts.is_done)
        assert len(sent) == 2

    def test_few_widgets_are_examined_between_events_and_all_in_view_change_together(
        self,
        appearance: Appearance,
        qtbot: QtBot,
        empty_session: Session,
        theme: Theme,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """To examine 2,700 widgets and to change those in view took a tenth of a second."""
        window = QWidget()
        qtbot.addWidget(window)
        seen = [QLineEdit(window) for _ in range(6)]
        window.show()
        for each in seen[2:]:
            each.hide()
        shown, hidden, gone, moved = seen[2:]
        monkeypatch.setattr(restyling, "AT_ONCE", 3)

        def colours() -> list[str]:
            return [each.palette().color(QPalette.ColorRole.Text).name() for each in seen if each is not gone]

        at_change = list[list[str]]()
        theme.changed.connect(lambda: at_change.append(colours()))
        empty_session.appearance.set_theme("dark")
        while len(appearance.restyling._awake) > 3:
            assert theme.palette is LIGHT
            assert colours() == 5 * [LIGHT.text]
            appearance.restyling._go_on()
        shown.show()
        shiboken6.delete(gone)
        moved.setParent(None)  # and shown for itself
        moved.show()
        appearance.restyling._go_on()
        assert theme.palette is DARK
        assert at_change == [[DARK.text, DARK.text, DARK.text, LIGHT.text, DARK.text]]
        qtbot.waitUntil(lambda: appearance.restyling.is_done)
        assert colours() == 5 * [DARK.text]
        empty_session.appearance.set_theme("light")
        empty_session.appearance.set_theme("dark")  # before anything was changed
        assert theme.palette is DARK
        qtbot.waitUntil(lambda: appearance.restyling.is_done)
        assert colours() == 5 * [DARK.text]
        assert hidden.testAttribute(restyling.POLISHED) and not hidden.testAttribute(restyling.OWN_STYLE)
        moved.close()

    def test_what_shares_the_style_of_another_widget_never_takes_it_for_its_own(
        self, appearance: Appearance, qapp: QApplication, qtbot: QtBot, empty_session: Session
    ) -> None:
        """Moved out of that widget before all was restyled, it was painted by a style that was gone with the widget:
        the process ended."""
        styled, other = QWidget(), QWidget()
        style = QStyleFactory.create("Fusion")
        styled.setStyle(style)
        for each in (styled, other):
            qtbot.addWidget(each)
        within, usual = QLineEdit(styled), QLineEdit(other)
        for each in (styled, other):
            each.show()
            each.hide()
        empty_session.appearance.set_theme("dark")
        assert usual in appearance.restyling._asleep and within not in appearance.restyling._asleep
        within.setParent(other)
        assert within.style() is qapp.style()
        qtbot.waitUntil(lambda: appearance.restyling.is_done)
        for each in (within, usual):
            assert each.palette().color(QPalette.ColorRole.Text).name() == DARK.text


def test_the_window_is_painted_in_both_themes(
    qapp: QApplication, session: Session, theme: Theme, make_window: Callable[[Session], MainWindow], qtbot: QtBot
) -> None:
    """And restyled in parts it looks as if restyled at once."""
    appearance = Appearance(qapp, session, theme)
    window = make_window(session)
    window.flushed.connect(appearance.restyling.restyle_shown)
    places = ("systems", "queries", "query")

    def look(place: str) -> QImage:
        session.navigation.set_place(place)
        window.flush()
        return window.grab().toImage()

    for name, dark in (("dark", True), ("light", False), ("dark", True)):
        session.appearance.set_theme(name)
        while theme.palette is not session.view.palette:
            appearance.restyling._go_on()
        window.flush()
        assert not appearance.restyling.is_done
        in_parts = [look(place) for place in places]
        assert all((image.pixelColor(3, 120).lightness() < 128) is dark for image in in_parts)
        settle(window)
    qtbot.waitUntil(lambda: appearance.restyling.is_done)
    appearance._dress()
    theme.changed.emit()
    assert in_parts == [look(place) for place in places]
    appearance.close()


def test_a_fault_becomes_a_message(empty_session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    hook = Hook(empty_session)
    try:
        raise ValueError("what is this")
    except ValueError as fault:
        hook(type(fault), fault, fault.__traceback__)
    message = empty_session.view.messages[-1]
    assert message.level is Level.ERROR
    assert "ValueError: what is this" in message.text
    assert any("test_app.py" in line for line in message.details)
    assert "Traceback" in capsys.readouterr().err


def test_a_listeners_fault_is_named_not_its_wrapping(
    empty_session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    def listen(aspects: frozenset[str]) -> None:
        raise KeyError("nothing of that name")

    empty_session.changed.connect(listen)
    try:
        empty_session.appearance.set_theme("dark")
    except Exception as fault:
        empty_session.changed.disconnect(listen)
        Hook(empty_session)(type(fault), fault, fault.__traceback__)
    assert "KeyError: 'nothing of that name'" in empty_session.view.messages[-1].text


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_an_interrupt_closes_in_the_ordinary_way(qtbot: QtBot) -> None:
    heard: list[int] = []

    def close() -> None:
        heard.append(1)

    interrupts = Interrupts(close)
    try:
        os.kill(os.getpid(), signal.SIGINT)
        qtbot.waitUntil(lambda: bool(heard))
    finally:
        interrupts.release()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    "delays", [("0",), pytest.param(("20", "120", "200", "400", "900"), marks=pytest.mark.slow)], ids=["one", "more"]
)
def test_opening_and_closing_is_clean(delays: tuple[str, ...]) -> None:
    """In one process each, so that the end of the interpreter is part of it. Meanwhile workers have short turns."""
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from irviewer.gui import app\n"
        "from irviewer.gui.launch import open_window\n"
        "from irviewer.gui.startup_request import ViewRequest\n"
        "show = app.MainWindow.show\n"
        "def shown(window):\n"
        "    show(window)\n"
        "    assert sys.getswitchinterval() == app.TURN\n"
        "    QTimer.singleShot(int(sys.argv[1]), window.close)\n"
        "app.MainWindow.show = shown\n"
        "turn = sys.getswitchinterval()\n"
        "status = open_window(ViewRequest(sample='cranfield'))\n"
        "assert sys.getswitchinterval() == turn\n"
        "sys.exit(status)\n"
    )
    for delay in delays:
        done = subprocess.run(
            [sys.executable, "-c", code, delay], capture_output=True, text=True, timeout=LONG_PROCESS, check=False
        )
        heard = [line for line in done.stderr.splitlines() if "does not support" not in line]
        assert (done.returncode, done.stdout, heard) == (0, "", [])


def test_what_is_in_view_has_its_colours_of_the_new_theme(
    qapp: QApplication, session: Session, theme: Theme, make_window: Callable[[Session], MainWindow], qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The theme is taken some events after it was chosen: what was refreshed meanwhile kept the former colours."""
    monkeypatch.setattr(restyling, "AT_ONCE", 100)
    appearance = Appearance(qapp, session, theme)
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "failures")
    window = make_window(session)
    settle(window)
    session.appearance.set_theme("dark")
    qtbot.waitUntil(lambda: appearance.restyling.is_done and window.is_complete())
    settle(window)
    seen = window.grab().toImage()
    session.changed.emit(EVERY_CHANGE)
    window.flush()
    settle(window)
    assert window.grab().toImage() == seen
    appearance.close()


@pytest.mark.parametrize("tab", ["failures", "recall"])
def test_what_is_in_view_looks_as_if_opened_in_the_theme(
    qapp: QApplication, session: Session, theme: Theme, make_window: Callable[[Session], MainWindow], qtbot: QtBot,
    tab: str,
) -> None:  # fmt: skip
    """Colours that labels were given before they came into their window were those of the style sheet until the first
    change of the theme."""
    session.appearance.set_theme("dark")
    appearance = Appearance(qapp, session, theme)
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", tab)
    window = make_window(session)
    assert_as_opened_in_the_theme(window, appearance, qtbot)
    appearance.close()


def test_no_window_ends_while_dialogs_are_looked_for() -> None:
    """The list of all windows was read the same way."""
    code = (
        "import gc\n"
        "from types import SimpleNamespace\n"
        "from PySide6.QtWidgets import QApplication, QComboBox, QWidget\n"
        "from irviewer.gui.window import MainWindow\n"
        "application = QApplication([])\n"
        "gc.disable()\n"
        "class Window(QWidget):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.itself = self\n"
        "kept = [QComboBox() for _ in range(200)]\n"
        "views = [each.view() for each in kept]\n"
        "windows = [Window() for _ in range(600)]\n"
        "gc.collect(0)\n"
        "gc.set_threshold(60, 0, 1000)\n"
        "gc.enable()\n"
        "windows.clear()\n"
        "assert MainWindow._open_dialogs(SimpleNamespace(_is_over=lambda _: True)) == []\n"
        "assert gc.isenabled()\n"
        "gc.disable()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG_PROCESS, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_widget_ends_while_all_are_listed() -> None:
    """Where Python collected garbage, such as that of a closed window, while it made its list of Qt's widgets, a widget
    was read that had ended: a segmentation fault."""
    code = (
        "import gc\n"
        "from PySide6.QtWidgets import QApplication, QComboBox, QWidget\n"
        "from irviewer.gui.restyling import Restyling\n"
        "application = QApplication([])\n"
        "gc.disable()\n"
        "kept = [QComboBox() for _ in range(30)]\n"
        "views = [each.view() for each in kept]\n"
        "class Window(QWidget):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.itself = self\n"
        "        self.within = [QComboBox(self) for _ in range(3)]\n"
        "windows = [Window() for _ in range(300)]\n"
        "restyling = Restyling()\n"
        "gc.collect(0)\n"
        "gc.set_threshold(60, 0, 1000)\n"
        "gc.enable()\n"
        "windows.clear()\n"
        "restyling.restyle(lambda: None)\n"
        "assert gc.isenabled()\n"
        "gc.disable()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG_PROCESS, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
