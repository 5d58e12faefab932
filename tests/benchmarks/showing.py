"""The window, without a display: from the start of the process to the first paint, another query, another order."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.case import SPENT, Side, cycle
from tests.benchmarks.making import GeneratedFiles, Shape, make

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from irviewer.gui.window import MainWindow

SMALL_WINDOW = (1280, 800)
LARGE_WINDOW = (1920, 1080)


@contextmanager
def start(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """From the process's start to the painted Cranfield sample: lists and tables, then plots, of the same start."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "IRVIEWER_CONFIG_DIR": str(folder / "settings")}
    last: dict[str, float] = {}

    def lists() -> float:
        command = [sys.executable, "-m", "tests.benchmarks.started", repr(time.monotonic())]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600)
        last.update(json.loads(done.stdout.splitlines()[-1]))
        SPENT.setdefault("lists and tables", []).append(last["lists and tables, spent"])
        return last["lists and tables"]

    def plots() -> float:
        return last["plots"]

    yield {"lists and tables": lists, "with plots": plots}


@contextmanager
def small_steps(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Another query at 1280×800."""
    with _steps(folder, small, SMALL_WINDOW) as sides:
        yield sides


@contextmanager
def large_steps(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Another query at 1920×1080."""
    with _steps(folder, small, LARGE_WINDOW) as sides:
        yield sides


@contextmanager
def _steps(folder: Path, small: bool, size: tuple[int, int]) -> Iterator[dict[str, Side]]:
    """Four runs of depth 1000 with texts in the Query place; J through queries that were not seen before."""
    generated = make(folder / "four", Shape(4, 60, 4, texts=200) if small else Shape(200, 1000, 4, texts=5000))
    with shown(generated, "query", size) as window:
        session = window.session
        assert len(session.view.shown) == 4
        count = len(session.view.collection.judgments[0].qrels.query_ids) if session.view.collection else 0
        directions = cycle([*[1] * (count - 1), *[-1] * (count - 1)])
        session.navigation.sort_queries("query", False)
        session.navigation.set_query("1")
        paint(window)

        def step() -> None:
            session.navigation.step_query(next(directions))
            paint(window)

        _assert_all_repainted(window, step)
        yield {"step": step}


@contextmanager
def sort(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The Queries table of 6,980 queries by another column, with its map and bars painted anew."""
    generated = make(folder / "many", Shape(30, 20, 2, 10) if small else Shape(6980, 100, 2, 10))
    with shown(generated, "queries", SMALL_WINDOW) as window:
        session = window.session
        keys = [str(label.key) for label in session.view.labels()]
        orders = itertools.cycle(itertools.product(["delta", "relevant", "query", *keys], [True, False]))

        def resort() -> None:
            session.navigation.sort_queries(*next(orders))
            paint(window)

        yield {"sort": resort}


@contextmanager
def shown(generated: GeneratedFiles, place: str, size: tuple[int, int]) -> Iterator[MainWindow]:
    """The window on files, everything in view painted; taken down afterwards."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from irviewer.gui.app import make_application
    from irviewer.gui.screenshot import settle
    from irviewer.gui.theme import Theme
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session
    from irviewer.session.settings import Settings

    make_application()
    session = Session(Settings())
    window = MainWindow(session, Theme(session.view.palette))
    try:
        session.files.open_files(generated.paths)
        for message in session.view.messages:  # a line of message would take room from the place
            session.dismiss_message(message)
        session.navigation.set_place(place)
        window.restore(size)
        window.show()
        settle(window)
        yield window
    finally:
        window.release()
        window.close()
        window.deleteLater()
        session.close()
        QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))


def paint(window: MainWindow) -> None:
    """Until everything that has changed is painted. Three turns: the refresh, the views' paints, the contexts' paints
    that those ask for."""
    from PySide6.QtWidgets import QApplication

    window.flush()
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def _assert_all_repainted(window: MainWindow, step: Side) -> None:
    """That a step measured is one that paints every panel of the place: else the time would be of something else. A
    header keeps titles that stay the same, and a table for screen readers shows nothing itself: what it lies on is
    painted."""
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QHeaderView

    from irviewer.gui.widgets.spoken_table import SpokenTableView

    class Ears(QObject):
        painted: set[QObject] = set()  # noqa: RUF012 - one use, one value

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                self.painted.add(watched)
            return False

    ears = Ears()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(ears)
    step()
    application.removeEventFilter(ears)
    views: list[QWidget] = [
        view.parentWidget() if isinstance(view, SpokenTableView) else view.viewport()
        for view in window.current_screen.findChildren(QAbstractScrollArea)
        if view.isVisible() and not isinstance(view, QHeaderView)
    ]
    assert len(views) >= 5
    still = [view for view in views if view not in ears.painted]
    assert not still, f"not repainted by a step: {still}"
