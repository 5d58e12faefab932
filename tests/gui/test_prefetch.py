"""What the window needs soon is imported on a thread, and nobody waits for it on the main thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui import prefetch
from irviewer.gui.dialogs.window_dialogs import WindowDialogs
from irviewer.gui.prefetch import LATER, PLOTS, SOON, Prefetch, is_coming
from irviewer.gui.screens.make_screens import SCREENS
from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.window import FIRST, MainWindow
from irviewer.session.changes import Change
from irviewer.session.session import Session

NAMES = ("soon_a", "soon_b", "soon_c")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of modules, and none of them imported afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in NAMES:
        sys.modules.pop(name, None)


def test_modules_are_imported_in_order_on_another_thread(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("import threading\nthread = threading.current_thread()\n")
    posted: list[Callable[[], None]] = []
    arrived: list[str] = []
    own = Prefetch(NAMES, posted.append, arrived.append)
    own._thread.join()
    assert arrived == []  # not before the main thread is told
    for call in posted:
        call()
    assert arrived == list(NAMES)
    assert all(sys.modules[name].thread is not threading.current_thread() for name in NAMES)
    assert not any(map(is_coming, NAMES))


def test_a_module_is_coming_until_it_is_there(folder: Path) -> None:
    (folder / "soon_a.py").write_text("import soon_gate\nsoon_gate.waited = soon_gate.gate.wait(60)\n")
    (folder / "soon_b.py").write_text("")
    gate = type(sys)("soon_gate")
    gate.gate = threading.Event()  # type: ignore[attr-defined]
    sys.modules["soon_gate"] = gate
    try:
        own = Prefetch(NAMES[:2], lambda call: None, lambda name: None)
        assert is_coming("soon_a")
        assert is_coming("soon_b")
        own._ended.set()
        gate.gate.set()  # type: ignore[attr-defined]
        own.close()
    finally:
        del sys.modules["soon_gate"]
    assert not is_coming("soon_a")
    assert not is_coming("soon_b")
    assert "soon_b" not in sys.modules, "closing imports nothing more"


def test_what_comes_later_waits_for_the_first_paint(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("")
    first = threading.Event()
    own = Prefetch(NAMES[:1], lambda call: first.set(), lambda name: None, NAMES[1:])
    assert first.wait(60)
    assert "soon_b" not in sys.modules
    assert is_coming("soon_b")
    own.go_on()
    own._thread.join()
    assert set(NAMES) <= set(sys.modules)
    assert not any(map(is_coming, NAMES))


def test_what_comes_later_does_not_wait_for_ever(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("")
    monkeypatch.setattr(prefetch, "LONGEST", 0.01)
    Prefetch(NAMES[:1], lambda call: None, lambda name: None, NAMES[1:])._thread.join(60)
    assert set(NAMES) <= set(sys.modules)


def test_closing_imports_nothing_that_comes_later(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("")
    own = Prefetch(NAMES[:1], lambda call: None, lambda name: None, NAMES[1:])
    own.close()
    assert not own._thread.is_alive()
    assert "soon_b" not in sys.modules
    assert not any(map(is_coming, NAMES))


def test_every_screen_and_the_dialogs_are_imported_in_the_background() -> None:
    """None is left for the main thread."""
    for name, make in SCREENS.items():
        assert make.__code__.co_names[0] in (*SOON, *LATER), name
    assert WindowDialogs.__module__ in LATER


def test_a_module_that_cannot_be_imported_is_no_longer_coming(folder: Path) -> None:
    (folder / "soon_a.py").write_text("raise ImportError('no such library')\n")
    (folder / "soon_b.py").write_text("")
    arrived: list[str] = []
    own = Prefetch(NAMES[:2], lambda call: call(), arrived.append)
    own._thread.join()
    assert arrived == []
    assert not is_coming("soon_a")
    assert not is_coming("soon_b")


def test_a_screen_waits_for_the_plots_without_importing_them(
    qtbot: QtBot, theme: Theme, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[bool] = []

    class Painted(Screen):
        def refresh(self, changes: frozenset[Change]) -> None:
            pass

        def load_plots(self) -> None:
            loaded.append(is_coming(PLOTS))
            super().load_plots()

    monkeypatch.setattr(prefetch, "_coming", {PLOTS})
    screen = Painted(session, theme)
    painted: list[bool] = []
    screen.painted.connect(lambda: painted.append(True))
    screen.set_content(QWidget())
    qtbot.addWidget(screen)
    screen.resize(300, 200)
    screen.show()
    qtbot.wait(60)
    assert loaded == []
    assert painted == [True], "told once"
    prefetch._coming.clear()
    qtbot.waitUntil(lambda: bool(loaded))
    assert loaded == [False]
    assert painted == [True]


def test_the_first_screen_is_made_before_files_are_read(
    empty_session: Session, make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    window = make_window(empty_session)
    window.prepare()
    screen = window._screens[FIRST]
    window.prepare()
    assert window._screens[FIRST] is screen
    assert window.current_screen is window.start
    empty_session.files.open_files(files)
    window.flush()
    assert window.current_screen is screen
    assert empty_session.view.place == FIRST
