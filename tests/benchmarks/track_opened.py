"""Open a track in the window; say as JSON when its Systems table was painted, when its statistics were there, and the
longest time in which the window answered nothing.

Run as a program of its own. Files are its arguments."""

from __future__ import annotations

import json
import sys
import time

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from irviewer.gui.app import make_application
from irviewer.gui.bridge import Bridge
from irviewer.gui.prefetch import FIRST_SCREEN, LATER, SOON, Prefetch
from irviewer.gui.screenshot import settle
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.benchmarks.showing import SMALL_WINDOW

MOST_SECONDS = 300


def main(paths: list[str]) -> dict[str, float]:
    """Seconds from the request to open the files."""
    make_application()
    bridge = Bridge()
    session = Session(Settings(), post=bridge.post)
    window = MainWindow(session, Theme(session.view.palette))
    window.restore(SMALL_WINDOW)
    window.show()
    settle(window)
    begun = time.perf_counter()
    prefetch = Prefetch(SOON, bridge.post, lambda module: window.prepare() if module == FIRST_SCREEN else None, LATER)
    window.painted.connect(prefetch.go_on)
    session.files.open_files(paths)
    session.navigation.set_place("systems")
    reached: dict[str, float] = {}
    longest = 0.0
    while time.perf_counter() - begun < MOST_SECONDS and len(reached) < 3:
        before = time.perf_counter()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        QApplication.sendPostedEvents(None, 0)
        now = time.perf_counter()
        longest = max(longest, now - before)
        if session.view.collection is not None:
            if session.view.place != "systems":
                session.navigation.set_place("systems")
                continue
            if window.is_complete() and "table" not in reached:
                reached["table"] = now - begun
            for kind in ("baseline", "pairs"):
                if session.comparison.known_comparison(kind) is not None and kind not in reached:  # type: ignore[arg-type]
                    reached[kind] = now - begun
        time.sleep(0.001)
    reached["stalled"] = longest
    prefetch.close()
    bridge.close()
    window.release()
    window.close()
    session.close()
    return reached


if __name__ == "__main__":
    print("map", json.dumps(main(sys.argv[1:])))
