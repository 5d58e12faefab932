"""Fixtures of the window's tests: the theme, a tiny collection as files, a session and a window on it; no leftovers."""

from __future__ import annotations

import gc
import importlib.util
import json
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from patience import LONG, left_over
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from through_history import watch

from irviewer.gui.app import prepare_application
from irviewer.gui.bridge import Bridge
from irviewer.gui.garbage_collection import collect_due
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme, colour
from irviewer.gui.window import MainWindow
from irviewer.rendering.palette import DARK, LIGHT
from irviewer.session.session import Session
from irviewer.session.settings import Settings

LONG_MS = int(LONG * 1000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """As in the program, garbage is collected where no call of Qt is under way: one that disconnects a signal holds a
    lock, and a widget that ends there waited for it for ever."""
    gc.disable()
    try:
        return (yield)
    finally:
        collect_due()
        gc.enable()


@pytest.fixture(autouse=True)
def _the_event_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that makes the window again ends the event loop; without one, Qt would end every later one at its
    begin, and all waits of the process with it."""
    monkeypatch.setattr(QApplication, "exit", lambda code=0: None)


def _load(name: str) -> ModuleType:
    """A helper that lies beside this file: tests are no package, so it cannot be imported by name."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_table_view_models = _load("table_view_models")
_query_view_models = _load("query_view_models")


@pytest.fixture
def view_models() -> ModuleType:
    """View models made by hand: see table_view_models.py."""
    return _table_view_models


@pytest.fixture(autouse=True, scope="package")
def _data_change_by_steps() -> Iterator[None]:
    """Whatever a widget does to data is a step of the history."""
    with pytest.MonkeyPatch.context() as patch:
        watch(patch)
        yield


@pytest.fixture
def query_view_models() -> ModuleType:
    """View models of the Query place made by hand, and a session that notes what it is asked: see
    query_view_models.py."""
    return _query_view_models


class PatientBot(QtBot):
    """Waits until a thing has happened, however busy the machine is; pytest-qt's own five seconds are none. Keeps the
    widgets of a test until they are closed: a window that nobody refers to could go to the collector while its own
    layout runs, which ends the process. The program refers to its window as long as it is shown."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        self._kept: list[QWidget] = []

    def addWidget(self, widget: QWidget, **more: Any) -> None:
        self._kept.append(widget)
        super().addWidget(widget, **more)

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = LONG_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: object, *, timeout: int = LONG_MS, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **more)

    wait_until, wait_signal = waitUntil, waitSignal


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's, with patience."""
    return PatientBot(request)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The light theme, in an application that is dressed as the program dresses it."""
    prepare_application(qapp)
    new_theme = Theme(LIGHT)
    qapp.setPalette(new_theme.qt_palette())
    if qapp.styleSheet() != stylesheet(LIGHT):
        qapp.setStyleSheet("")  # as the program does
        qapp.setStyleSheet(stylesheet(LIGHT))
    return new_theme


@pytest.fixture(autouse=True)
def shared_colours_stay() -> Iterator[None]:
    """Nobody who paints changes a colour that all share."""
    yield
    for palette in (LIGHT, DARK):
        for text in (
            palette_text
            for palette_text in vars(palette).values()
            if isinstance(palette_text, str) and palette_text.startswith("#")
        ):
            assert colour(text) == QColor(text), f"a painter has changed {text} for all others"


QRELS = """\
1 0 d1 2
1 0 d2 1
1 0 d3 0
2 0 d2 1
2 0 d4 0
3 0 d5 2
"""
TEXTS = {"1": "wing lift at low speed", "2": "heat in slabs", "3": "boundary layer of a plate"}


def _run(name: str, rankings: dict[str, str]) -> str:
    return "".join(
        f"{query} Q0 {document} {rank} {10 - rank} {name}\n"
        for query, documents in rankings.items()
        for rank, document in enumerate(documents.split(), 1)
    )


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A tiny collection: 3 judged queries with texts, 5 documents, runs "alpha" (good) and "beta" (query 3 missing)."""
    content = {
        "tiny.qrels": QRELS,
        "alpha.run": _run("alpha", {"1": "d1 d2 d3 d9", "2": "d2 d4", "3": "d5 d1"}),
        "beta.run": _run("beta", {"1": "d9 d3 d2 d1", "2": "d4 d2"}),
        "queries.tsv": "".join(f"{query}\t{text}\n" for query, text in TEXTS.items()),
        "documents.jsonl": "".join(
            json.dumps({"id": f"d{n}", "title": f"Title {n}", "text": f"About wing and heat, number {n}."}) + "\n"
            for n in (1, 2, 3, 4, 5, 9)
        ),
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in content]


@pytest.fixture
def empty_session() -> Iterator[Session]:
    """A session with nothing open that does its work at once; settings in memory, without hints."""
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    yield session
    session.close()


@pytest.fixture
def session(empty_session: Session, files: list[str]) -> Session:
    """The session with the tiny collection open, at Query."""
    empty_session.files.open_files(files, verdict_first=False)
    assert empty_session.view.collection is not None
    for message in empty_session.view.messages:
        empty_session.dismiss_message(message)
    return empty_session


@pytest.fixture
def make_window(
    qtbot: QtBot, theme: Theme, request: pytest.FixtureRequest
) -> Iterator[Callable[[Session], MainWindow]]:
    """Makes the window of a session, shown at 1280 x 800 in the view that the marker ``opens`` names; gone when the
    test ends, with no timer left running."""
    windows: list[MainWindow] = []
    opens = request.node.get_closest_marker("opens")

    def make(session: Session) -> MainWindow:
        if opens is not None and session.view.collection is not None:
            place, *tabs = opens.args
            session.navigation.set_place(place)
            for tab in filter(None, tabs):
                session.navigation.set_tab(place, tab)
        window = MainWindow(session, theme)
        windows.append(window)
        window.resize(1280, 800)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        window.flush()
        return window

    yield make
    for window in windows:
        window.close_unasked()
        window.release()
        running = [timer for timer in window.findChildren(QTimer) if timer.isActive() and timer.interval() > 0]
        assert running == []
        window.deleteLater()
    QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))


@pytest.fixture
def window(session: Session, make_window: Callable[[Session], MainWindow]) -> MainWindow:
    """The window on the tiny collection."""
    return make_window(session)


@pytest.fixture
def bridge(qapp: QApplication) -> Iterator[Bridge]:
    """The way from workers to the main thread."""
    new_bridge = Bridge()
    yield new_bridge
    new_bridge.close()


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    """What a test starts, it ends."""
    before = set(threading.enumerate())
    yield
    assert left_over(before) == []
