"""A judgment given, a document moved: every number and curve in view painted anew, in every place, while the tests of
the statistics follow in the background."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.case import SPENT, Side
from tests.benchmarks.making import GeneratedFiles, Shape, make
from tests.benchmarks.showing import SMALL_WINDOW, paint

if TYPE_CHECKING:
    from irviewer.gui.window import MainWindow

VIEWS = (
    ("systems", "", ""),
    ("queries", "", ""),
    ("query", "", "lists"),
    ("query", "", "strips"),
    ("compare", "pair", ""),
    ("compare", "matrices", ""),
)
"""Place, its view, how rankings are shown."""

MOST_SECONDS = 120


@contextmanager
def cranfield(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Cranfield's 15 runs of 225 queries, where the collections lie beside the checkout."""
    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "cranfield"
    if small:
        generated = make(folder / "few", Shape(6, 12, 3, 8, texts=60))
    elif not data.is_dir():
        raise FileNotFoundError(f"Cranfield's runs are not here: {data}")
    else:
        runs = tuple(sorted((data / "runs").iterdir()))
        generated = GeneratedFiles(data / "qrel.trec", runs, data / "cran.all.1400", data / "cran.qry")
    with _sides(generated, len(generated.runs)) as sides:
        yield sides


@contextmanager
def large(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Twenty runs of 6,980 queries, a hundred documents each."""
    shape = Shape(6, 12, 3, 8) if small else Shape(6980, 100, 20, 10)
    with _sides(make(folder / "many", shape), shape.runs) as sides:
        yield sides


@contextmanager
def _sides(generated: GeneratedFiles, runs: int) -> Iterator[dict[str, Side]]:
    with shown(generated) as window:
        session = window.session
        collection = session.view.collection
        assert collection is not None
        assert len(collection.runs) == runs, [message.text for message in session.view.messages]
        key = session.run_editing.edit_copy(collection.runs[-1].key)
        assert key is not None
        session.runs.set_baseline(collection.runs[0].key)  # versions suggest different ones, and paint as much of each
        settle(window)
        grades = itertools.cycle((2.0, 0.0, 1.0, None))
        steps = itertools.cycle((1, 1, -1, -1))
        top = collection.runs[-1].run.ranking(session.view.query_id, 3)
        assert len(top) == 3

        def judge() -> None:
            assert session.judging.judge(top[0], next(grades))

        def move() -> None:
            assert session.run_editing.shift_document(key, top[0], next(steps))

        def side(name: str, view: tuple[str, str, str], edit: Callable[[], None]) -> Side:
            def once() -> float:
                go(window, *view)
                begun, spent = time.perf_counter(), time.thread_time()
                edit()
                paint(window)
                SPENT.setdefault(name, []).append(time.thread_time() - spent)
                return time.perf_counter() - begun

            return once

        edits = (("judge", judge), ("move", move))
        named = {f"{what}: {' '.join(filter(None, view))}": (view, edit) for view in VIEWS for what, edit in edits}
        yield {name: side(name, view, edit) for name, (view, edit) in named.items()}


def go(window: MainWindow, place: str, view: str, mode: str) -> None:
    """A view in sight, with all that it shows; nothing left to do in the background."""
    session = window.session
    if mode:
        session.appearance.set_lists_mode(mode)
    if view:
        session.navigation.set_tab(place, view)
    session.navigation.set_place(place)
    session.navigation.set_document(None)
    settle(window)


def settle(window: MainWindow) -> None:
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    begun, quiet = time.perf_counter(), 0
    while quiet < 3:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        QApplication.sendPostedEvents(None, 0)
        paint(window)
        done = window.session.busy is None and window.is_complete()
        quiet = quiet + 1 if done else 0
        if not done:
            time.sleep(0.002)  # work in Python waits for us otherwise
        if time.perf_counter() - begun > MOST_SECONDS:
            raise TimeoutError(f"still at work: {window.session.busy}")


@contextmanager
def shown(generated: GeneratedFiles) -> Iterator[MainWindow]:
    """The window on files, with work in the background as a person has it."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from irviewer.gui.app import make_application
    from irviewer.gui.bridge import Bridge
    from irviewer.gui.theme import Theme
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session
    from irviewer.session.settings import Settings

    make_application()
    bridge = Bridge()
    session = Session(Settings(), post=bridge.post)
    window = MainWindow(session, Theme(session.view.palette))
    try:
        window.restore(SMALL_WINDOW)
        window.show()
        session.files.open_files(generated.paths)
        settle(window)
        for message in session.view.messages:  # a line of message would take room from the place
            session.dismiss_message(message)
        session.navigation.set_place("query")
        settle(window)
        yield window
    finally:
        bridge.close()
        window.release()
        window.close()
        window.deleteLater()
        session.close()
        QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))
