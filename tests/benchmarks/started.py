"""Start the program on the Cranfield sample and tell when its lists and tables, and when its plots, were painted.

Run as a program of its own, with the moment at which it was started (``time.monotonic``) as its argument. Goes the way
that ``irviewer --sample`` goes; all it adds is to look, as soon as the program has imported Qt by itself."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.gui.startup_request import ViewRequest

BEGUN = float(sys.argv[1])
moments: dict[str, float] = {}


def look() -> None:
    """Take the time when places are painted, and close the window after the plots."""
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication, QWidget

    from irviewer.gui import large_type
    from irviewer.gui.screens.screen import Screen

    # The screen without a display is smaller than the window, which is kept inside: at its size no plot is shown.
    large_type.kept_inside = lambda size, *_: size

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
            moments["plots, spent"] = time.process_time()
            QApplication.closeAllWindows()

    watch = Watch()
    on_painted, load_plots = Screen._on_painted, Screen.load_plots

    def watched_paint(place: Screen) -> None:
        """What a place does when it has been painted once, with a look at the clock before."""
        if not moments:
            moments["lists and tables"] = time.monotonic() - BEGUN
            moments["lists and tables, spent"] = time.process_time()
        on_painted(place)

    def watched_load(place: Screen) -> None:
        load_plots(place)
        # Of two charts that share a place one is hidden, and is never painted.
        watch.follow([each.canvas for each in place.plots if each.canvas is not None and each.isVisible()])

    Screen._on_painted = watched_paint  # type: ignore[method-assign]
    Screen.load_plots = watched_load  # type: ignore[method-assign]


if __name__ == "__main__":
    from irviewer.__main__ import main
    from irviewer.gui import launch

    open_window = launch.open_window

    def open_and_look(request: ViewRequest) -> int:
        """The same, and look. Not before: what is imported after Qt, and before its search is off, takes longer."""
        from irviewer.gui import quick_imports

        plainly = quick_imports.import_plainly

        def and_look() -> None:
            """The same, and look."""
            plainly()
            look()

        quick_imports.import_plainly = and_look
        return open_window(request)

    launch.open_window = open_and_look
    status = main(["--sample", "cranfield", "--size", "1280x800"])
    print(json.dumps(moments))
    sys.exit(status)
