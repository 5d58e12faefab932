"""How long the window answers nothing on a walk through all views: the longest time between two events, in processor
time of its thread, so that other work on the machine does not count, and by the wall, which counts waiting for its own
workers.

In processes of their own, without a display: 76 runs, where TREC-COVID's lie beside the checkout, 20 runs of 6,980
queries, 500 runs of 50, and 2 of 100,000."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.case import Side
from tests.benchmarks.making import Shape, make
from tests.benchmarks.track import make_track

STEPS = ("opened", "views", "measures", "queries", "judgments", "dialects", "runs shown", "explained")
BY_THE_WALL = tuple(f"{step}, by the wall" for step in STEPS)
MOST_SECONDS = 120


@contextmanager
def many_runs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """TREC-COVID's 76 runs of 30 queries."""
    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "trec-covid-r1"
    if not data.is_dir():
        raise FileNotFoundError(f"TREC-COVID's runs are not here: {data}")
    qrels = next(path for path in sorted(data.rglob("qrels*")) if path.is_file())
    runs = sorted(path for path in (data / "runs").iterdir() if path.is_file())[: 3 if small else None]
    yield _sides(folder, [str(qrels), *map(str, runs)])


@contextmanager
def many_queries(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """20 perturbed runs of 6,980 queries."""
    track = make_track(folder / "wide", 2, 6) if small else make_track(folder / "wide", 20, 6980, seed=11)
    yield _sides(folder, track.paths)


@contextmanager
def most_runs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """500 runs of 50 queries."""
    yield _sides(folder, make(folder / "runs", Shape(4, 5, 6) if small else Shape(50, 100, 500)).paths)


@contextmanager
def most_queries(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """2 runs of 100,000 queries."""
    yield _sides(folder, make(folder / "queries", Shape(6, 5, 2) if small else Shape(100_000, 20, 2, 6)).paths)


def _sides(folder: Path, files: list[str]) -> dict[str, Side]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "IRVIEWER_CONFIG_DIR": str(folder / "settings")}
    last: dict[str, float] = {}

    def first() -> float:
        command = [sys.executable, "-m", "tests.benchmarks.walking", *files]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=7200)
        last.update(json.loads(done.stdout.splitlines()[-1]))
        return last[STEPS[0]]

    def of_the_same(name: str) -> Side:
        return lambda: last[name] if last or first() else 0.0

    return {STEPS[0]: first, **{name: of_the_same(name) for name in (*STEPS[1:], *BY_THE_WALL)}}


def main(files: list[str]) -> dict[str, float]:
    """Seconds of the longest time without an answer, by step, in processor time and by the wall."""
    from irviewer.gui.quick_imports import import_plainly, spare_pandas

    spare_pandas()
    import_plainly()
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    from irviewer.gui.app import make_application
    from irviewer.gui.bridge import Bridge
    from irviewer.gui.prefetch import FIRST_SCREEN, LATER, SOON, Prefetch
    from irviewer.gui.theme import Theme
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session
    from irviewer.session.settings import Settings
    from irviewer.session.state import TABS
    from tests.benchmarks.showing import SMALL_WINDOW

    make_application()
    bridge = Bridge()
    session = Session(Settings(), post=bridge.post)
    window = MainWindow(session, Theme(session.view.palette))
    window.restore(SMALL_WINDOW)
    window.show()
    stalls = dict.fromkeys((*STEPS, *BY_THE_WALL), 0.0)

    def watch(step: str, call: Callable[[], object]) -> None:
        begun, spent = time.perf_counter(), time.thread_time()
        call()
        own, wall = time.thread_time() - spent, time.perf_counter() - begun
        stalls[step] = max(stalls[step], own)
        stalls[f"{step}, by the wall"] = max(stalls[f"{step}, by the wall"], wall)

    def turn() -> None:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        QApplication.sendPostedEvents(None, 0)

    def do(step: str, call: Callable[[], object], done: Callable[[], bool] = lambda: True) -> None:
        """Act, and let events come until nothing is left to do."""
        watch(step, call)
        quiet, begun = 0, time.perf_counter()
        while quiet < 10 and time.perf_counter() - begun < MOST_SECONDS:
            watch(step, turn)
            time.sleep(0.002)  # work in Python waits for us otherwise
            quiet = quiet + 1 if session.busy is None and window.is_complete() and done() else 0

    def go(place: str, tab: str | None = None) -> None:
        if tab is not None:
            session.navigation.set_tab(place, tab)
        session.navigation.set_place(place)

    turn()
    prefetch = Prefetch(SOON, bridge.post, lambda module: window.prepare() if module == FIRST_SCREEN else None, LATER)
    window.painted.connect(prefetch.go_on)
    do("opened", lambda: session.files.open_files(files), lambda: session.view.collection is not None)
    assert session.view.collection is not None
    for message in session.view.messages:
        session.dismiss_message(message)
    places = [(place, tab) for place in ("verdict", "systems", "queries", "query", "compare", "collections")
              for tab in TABS.get(place, (None,))]  # fmt: skip
    for place, tab in places:
        do("views", lambda place=place, tab=tab: go(place, tab))  # type: ignore[misc]
    for place, tab in [("systems", None), ("queries", "table"), ("query", "rankings"), ("compare", "matrices")]:
        do("views", lambda place=place, tab=tab: go(place, tab))  # type: ignore[misc]
        for measure in ("P@10", "AP"):
            do("measures", lambda measure=measure: session.evaluation.set_measure(measure))  # type: ignore[misc]
    do("views", lambda: go("query", "rankings"))
    for mode in ("lists", "strips", "lists"):
        do("queries", lambda mode=mode: session.appearance.set_lists_mode(mode))  # type: ignore[misc]
        for _ in range(3):
            do("queries", lambda: session.navigation.step_query(1))
    documents = session.view.collection.runs[0].run.ranking(session.view.query_id, 3)
    for document in documents:
        do("judgments", lambda document=document: session.judging.judge(document, 1.0))  # type: ignore[misc]
    do("judgments", session.history.undo)
    for name in ("ranx", "trec_eval"):
        do("dialects", lambda name=name: session.protocol.set(dialect=name))  # type: ignore[misc]
    for wanted in (True, False):
        do("dialects", lambda wanted=wanted: session.protocol.set(judged_only=wanted))  # type: ignore[misc]
    every = [entry.key for entry in session.view.collection.runs]
    for place, tab in (("query", "rankings"), ("systems", None)):
        do("views", lambda place=place, tab=tab: go(place, tab))  # type: ignore[misc]
        for keys in (every, every[:4]):
            do("runs shown", lambda keys=keys: session.runs.show_runs(keys))  # type: ignore[misc]
    for place in ("query", "systems"):
        do("views", lambda place=place: go(place))  # type: ignore[misc]
        do("explained", session.explaining.explain)
        do("explained", session.explaining.stop_explaining)
    prefetch.close()
    bridge.close()
    window.release()
    window.close()
    session.close()
    return stalls


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])))
