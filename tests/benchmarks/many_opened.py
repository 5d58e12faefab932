"""Open qrels and many large runs in the window, walk through queries, switch dialects; tell what it took as JSON.

Run as a program of its own, because memory is a process's. Files are its arguments."""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from irviewer.gui.app import make_application
from irviewer.gui.bridge import Bridge
from irviewer.gui.screenshot import settle
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.benchmarks.showing import SMALL_WINDOW, paint

STEPS = 60
MOST_SECONDS = 600


def anonymous() -> float:
    """Megabytes of this process that are no mapped file; 0 where the system does not tell."""
    with suppress(OSError):
        lines = Path("/proc/self/status").read_text().splitlines()
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)
    return 0.0


class Watch(threading.Thread):
    """Looks at the memory twenty times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0.0
        self.ended = threading.Event()

    def run(self) -> None:
        """Until it is told that it has ended."""
        while not self.ended.wait(0.05):
            self.most = max(self.most, anonymous())


def until(session: Session, window: MainWindow, done: Callable[[], bool]) -> tuple[float, float]:
    """Let events come until the work is done and painted: the seconds that took, and the longest time in which the
    window answered nothing."""
    begun = time.perf_counter()
    longest = 0.0
    while time.perf_counter() - begun < MOST_SECONDS:
        before = time.perf_counter()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        QApplication.sendPostedEvents(None, 0)
        longest = max(longest, time.perf_counter() - before)
        if done() and session.busy is None and window.is_complete():
            return time.perf_counter() - begun, longest
        time.sleep(0.002)  # work in Python waits for us otherwise
    raise TimeoutError("what was wanted did not come")


def main(paths: list[str]) -> dict[str, float]:
    """What it took, in seconds and megabytes."""
    watch = Watch()
    watch.start()
    make_application()
    bridge = Bridge()
    session = Session(Settings(), post=bridge.post)
    window = MainWindow(session, Theme(session.view.palette))
    window.restore(SMALL_WINDOW)
    window.show()
    settle(window)
    session.files.open_files(paths)
    seconds: dict[str, float] = {}
    seconds["opened"], seconds["blocked by opening"] = until(
        session, window, lambda: session.view.collection is not None
    )
    assert session.view.collection is not None
    assert len(session.view.collection.runs) == len(paths) - 1, [message.text for message in session.view.messages]
    session.navigation.set_place("query")
    until(session, window, lambda: True)
    settle(window)
    times = []
    for _ in range(STEPS):
        begun = time.perf_counter()
        session.navigation.step_query(1)
        paint(window)
        times.append(time.perf_counter() - begun)
    seconds["step"] = statistics.median(times)
    seconds["slowest step"] = max(times)
    for name in ("ranx", "trec_eval"):
        session.protocol.set(dialect=name)
        _, blocked = until(session, window, lambda name=name: session.state.options.dialect == name)  # type: ignore[misc]
        seconds["blocked by dialects"] = max(blocked, seconds.get("blocked by dialects", 0.0))
    session.protocol.set(judged_only=True)
    _, seconds["blocked by judged only"] = until(session, window, lambda: session.state.options.judged_only)
    watch.ended.set()
    seconds["most anonymous"] = max(watch.most, anonymous())
    bridge.close()
    window.release()
    window.close()
    session.close()
    return seconds


if __name__ == "__main__":
    print("map", json.dumps(main(sys.argv[1:])))
