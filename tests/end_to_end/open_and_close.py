"""Open a sample in a new window and close it, again and again; print the resident memory after each time, in MB."""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from irviewer.gui.app import Application
from irviewer.session.settings import Settings

PATIENCE = 120.0


def resident() -> float:
    """Megabytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def once() -> None:
    """One window, from its making to its end."""
    application = Application(Settings())
    application.window.resize(1280, 800)
    application.window.show()
    application.session.files.open_sample("cranfield")
    end = time.monotonic() + PATIENCE
    while (application.session.busy is not None or not application.window.is_complete()) and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    for place in ("verdict", "systems", "queries", "query", "compare"):
        application.session.navigation.set_place(place)
        QApplication.processEvents()
    application.window.close()
    application.close()
    application.appearance.close()
    QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))
    gc.collect()


if __name__ == "__main__":
    for _ in range(int(sys.argv[1])):
        once()
        print(f"{resident():.1f}", flush=True)
