"""The same window once more, on no display: it says where things stand in the one that a test points at.

Both have the same files, size and fonts, so that both lay out alike."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from patience import LONG
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.gui.app import Application
from irviewer.session.settings import Settings

SIZE = (1280, 800)


class Twin:
    """A window that nobody sees."""

    def __init__(self, application: Application) -> None:
        self.session = application.session
        self.window = application.window

    def settle(self) -> None:
        """Until everything that is under way is done and shown."""
        end = time.monotonic() + LONG
        while self.session.busy is not None or not self.window.is_complete():
            assert time.monotonic() < end, "the twin does not come to rest"
            QApplication.processEvents()
            time.sleep(0.005)
        self.session.compute_now()
        for _ in range(3):
            self.window.flush()
            QApplication.processEvents()

    def at(self, widget: QWidget, point: QPoint | QPointF) -> tuple[int, int]:
        """A point of a widget as one of the window."""
        whole = point.toPoint() if isinstance(point, QPointF) else point
        top_left = widget.mapTo(self.window, whole)
        return top_left.x(), top_left.y()


@contextmanager
def twin_of(sample: str) -> Iterator[Twin]:
    """A twin with a sample open."""
    settings = Settings()
    settings["hints"] = False
    application = Application(settings)
    try:
        application.window.resize(*SIZE)
        application.window.show()
        application.session.files.open_sample(sample)
        new_twin = Twin(application)
        new_twin.settle()
        yield new_twin
    finally:
        application.window.close()
        application.close()
        application.appearance.close()
