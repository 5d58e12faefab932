"""Start the program on the Cranfield sample and tell when its lists and tables, and when its plots, were painted.

Run as a program of its own, with the moment at which it was started (``time.monotonic``) as its argument. Goes the way
that ``irviewer --sample`` goes; all it adds is to look."""

from __future__ import annotations

import json
import sys
import time

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.__main__ import main
from irviewer.gui.screens.screen import Screen

BEGUN = float(sys.argv[1])
moments: dict[str, float] = {}


class Watch(QObject):
    """Sees the plots being painted, and ends the program when the last one was."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: set[QWidget] = set()

    def follow(self, canvases: list[QWidget]) -> None:
        """Wait for the first paint of these."""
        for canvas in canvases:
            for widget in (canvas, *canvas.findChildren(QWidget)):
                widget.installEventFilter(self)
            self.waiting.add(canvas)
            canvas.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint and self.waiting:
            self.waiting -= {canvas for canvas in self.waiting if canvas is watched or canvas.isAncestorOf(watched)}
            if not self.waiting:
                # The paint itself comes after the filter, and the picture is there when the loop turns again.
                QTimer.singleShot(0, self.finish)
        return False

    def finish(self) -> None:
        """Take the time and close the window."""
        moments["plots"] = time.monotonic() - BEGUN
        QApplication.closeAllWindows()


watch = Watch()
load_plots = Screen.load_plots


def watched_load(place: Screen) -> None:
    """What a place does when it has been painted once, with a look at the clock before."""
    if not moments:
        moments["lists and tables"] = time.monotonic() - BEGUN
    load_plots(place)
    watch.follow([panel.canvas for panel in place.plots if panel.canvas is not None])


Screen.load_plots = watched_load  # type: ignore[method-assign]

if __name__ == "__main__":
    status = main(["--sample", "cranfield", "--size", "1280x800"])
    print(json.dumps(moments))
    sys.exit(status)
