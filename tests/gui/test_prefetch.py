"""What the window needs soon is imported ahead: on a thread what knows nothing of Qt, in short steps the rest."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from queue import Empty, Queue

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui import prefetch
from irviewer.gui.dialogs.window_dialogs import WindowDialogs
from irviewer.gui.prefetch import BENEATH, FIRST_SCREEN, LATER, LIBRARY, OURS, PLOTS, SOON, Prefetch, is_coming
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


class Main:
    """Takes what is posted to it, when it is told to."""

    def __init__(self) -> None:
        self.calls: Queue[Callable[[], None]] = Queue()

    def until(self, done: Callable[[], bool]) -> None:
        """Run what is posted, until something is so."""
        end = time.monotonic() + 60
        while not done():
            assert time.monotonic() < end
            try:
                self.calls.get(timeout=0.01)()
            except Empty:
                continue

    def until_the_end_of(self, own: Prefetch) -> None:
        self.until(lambda: not own._thread.is_alive() and self.calls.empty())


def test_modules_are_imported_in_order_on_the_main_thread(folder: Path) -> None:
    """And what lies beneath them on another."""
    for name in NAMES:
        (folder / f"{name}.py").write_text("import threading\nthread = threading.current_thread()\n")
    main, arrived = Main(), list[str]()
    own = Prefetch(NAMES[1:], main.calls.put, arrived.append)
    assert arrived == []  # not before the main thread is told
    main.until_the_end_of(own)
    assert arrived == list(NAMES[1:])
    assert all(sys.modules[name].thread is threading.current_thread() for name in NAMES[1:])
    assert not any(map(is_coming, NAMES))


def test_what_lies_beneath_a_module_is_imported_on_the_thread(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("import threading\nthread = threading.current_thread()\n")
    monkeypatch.setattr(prefetch, "BENEATH", {NAMES[1]: NAMES[:1]})
    main = Main()
    own = Prefetch(NAMES[1:2], main.calls.put, lambda name: None)
    main.until_the_end_of(own)
    assert sys.modules[NAMES[0]].thread is own._thread
    assert sys.modules[NAMES[1]].thread is threading.current_thread()


def test_a_module_is_coming_until_it_is_there(folder: Path) -> None:
    for name in NAMES[:2]:
        (folder / f"{name}.py").write_text("")
    main = Main()
    own = Prefetch(NAMES[:2], main.calls.put, lambda name: None)
    assert is_coming("soon_a")
    main.until(lambda: not is_coming("soon_a"))
    assert is_coming("soon_b")
    own.close()
    assert not own._thread.is_alive()
    assert not is_coming("soon_b")
    main.until_the_end_of(own)
    assert "soon_b" not in sys.modules, "closing imports nothing more"


def test_what_comes_later_is_imported_undisturbed(folder: Path) -> None:
    (folder / "soon_c.py").write_text("from soon_b import quiet\nwas = list(quiet)\n")
    (folder / "soon_a.py").write_text("from soon_b import quiet\nwas = list(quiet)\n")
    (folder / "soon_b.py").write_text("quiet = []\n")
    quiet = import_module("soon_b").quiet

    @contextmanager
    def undisturbed() -> Iterator[None]:
        quiet.append(threading.current_thread().name)
        yield
        quiet.clear()

    main = Main()
    own = Prefetch(NAMES[2:], main.calls.put, lambda name: None, NAMES[:1], undisturbed)
    own.go_on()
    main.until_the_end_of(own)
    assert sys.modules["soon_c"].was == []
    assert sys.modules["soon_a"].was == [own._thread.name]
    assert quiet == []


def test_what_comes_later_waits_for_the_first_paint(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("")
    main = Main()
    own = Prefetch(NAMES[:1], main.calls.put, lambda name: None, NAMES[1:])
    main.until(lambda: "soon_a" in sys.modules)
    assert "soon_b" not in sys.modules
    assert is_coming("soon_b")
    own.go_on()
    main.until_the_end_of(own)
    assert set(NAMES) <= set(sys.modules)
    assert not any(map(is_coming, NAMES))


def test_what_comes_later_does_not_wait_for_ever(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("")
    monkeypatch.setattr(prefetch, "LONGEST", 0.01)
    main = Main()
    main.until_the_end_of(Prefetch(NAMES[:1], main.calls.put, lambda name: None, NAMES[1:]))
    assert set(NAMES) <= set(sys.modules)


def test_closing_imports_nothing_that_comes_later(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text("")
    main = Main()
    own = Prefetch(NAMES[:1], main.calls.put, lambda name: None, NAMES[1:])
    own.close()
    assert not own._thread.is_alive()
    main.until_the_end_of(own)
    assert "soon_b" not in sys.modules
    assert not any(map(is_coming, NAMES))


def _new_modules(code: str) -> list[str]:
    """Return what ``code`` prints, in a new process that has imported the program's window as the program does."""
    before = (
        "from irviewer.gui.quick_imports import import_plainly\n"
        "from irviewer.installed.quick_arrow import quicken_arrow\n"
        "quicken_arrow()\n"
        "import_plainly()\n"
        "import sys, irviewer.gui.app\nfrom importlib import import_module\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", before + code], env=dict(os.environ), capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_what_is_imported_on_the_thread_knows_nothing_of_qt() -> None:
    """A class of Qt that is made while the main thread takes events may end the program."""
    names = [name for names in BENEATH.values() for name in names]
    code = (
        f"before = set(sys.modules)\nfor name in {names}: assert name not in before; import_module(name)\n"
        "print(*(set(sys.modules) - before))"
    )
    new = _new_modules(code)
    assert set(names) <= set(new), "nothing there is needless"
    qt = ("irviewer.gui", "PySide6", "shiboken6", "pyqtgraph")
    assert [name for name in new if name.startswith(qt)] == []


def test_little_is_left_for_the_main_thread() -> None:
    """Add to BENEATH of ``irviewer.gui.prefetch`` what is listed here."""
    code = (
        "import sys, threading\n"
        "from queue import Queue\n"
        "from irviewer.gui.prefetch import LATER, SOON, Prefetch\n"
        "calls, loaded = Queue(), []\n"
        "own = Prefetch(SOON, calls.put, lambda name: None, LATER)\n"
        "own.go_on()\n"
        "while own._thread.is_alive() or not calls.empty():\n"
        "    try: call = calls.get(timeout=0.01)\n"
        "    except Exception: continue\n"
        "    before = set(sys.modules)\n"
        "    call()\n"
        "    loaded += set(sys.modules) - before\n"
        "def how(name): return type(getattr(getattr(sys.modules[name], '__spec__', None), 'loader', None)).__name__\n"
        "print(*(f'{how(name)}={name}' for name in loaded))\n"
    )
    loaded = [each.split("=") for each in _new_modules(code)]
    known = set(_new_modules(f"import {FIRST_SCREEN}, {PLOTS}\nprint(*sys.modules)"))
    ours = [(how, name) for how, name in loaded if name.startswith("irviewer.")]
    assert [name for _, name in ours if not name.startswith(f"{OURS}.")] == []
    assert {how for how, name in loaded if name.startswith(LIBRARY)} == {"_Read"}
    assert {how for how, name in ours if name not in known} == {"_Read"}, "the disk is asked on the thread"


def test_every_screen_and_the_dialogs_are_imported_in_the_background() -> None:
    """None is left for the main thread."""
    for name, make in SCREENS.items():
        assert make.__code__.co_names[0] in (*SOON, *LATER), name
    assert WindowDialogs.__module__ in LATER


def test_a_module_that_cannot_be_imported_is_no_longer_coming(folder: Path) -> None:
    (folder / "soon_a.py").write_text("raise ImportError('no such library')\n")
    (folder / "soon_b.py").write_text("")
    main, arrived = Main(), list[str]()
    own = Prefetch(NAMES[:2], main.calls.put, arrived.append)
    main.until_the_end_of(own)
    assert arrived == []
    assert "soon_b" not in sys.modules
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
    empty_session.files.open_files(files, verdict_first=False)
    window.flush()
    assert window.current_screen is screen
    assert empty_session.view.place == FIRST
