"""Files that the running program is asked to open: macOS sends them as events, on Linux a second start hands them over
(``opening_server``). Windows starts the program once more.

A double click on several files may send an event for each; they are opened together, as one choice of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from irviewer.gui.guard import guarded

OpenFiles = Callable[[list[str]], object]


@guarded
class OpeningApplication(QApplication):
    """The application of the program. It passes on the files that it is asked to open, in that order; those that come
    before there is a window are kept for it."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(list(words))
        self._open_files: OpenFiles | None = None
        self._paths: list[str] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._on_timeout)

    def lead_to(self, open_files: OpenFiles | None) -> None:
        """Pass files to a function from now on, or keep them with None."""
        self._open_files = open_files
        self._timer.start()

    def open_soon(self, paths: Sequence[str]) -> None:
        """Open files together with those of the same click."""
        self._paths.extend(paths)
        self._timer.start()

    def event(self, event: QEvent) -> bool:
        # An event filter would be called for every event of every widget.
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        # An address that is no file has no path: it is never opened.
        if event.file():
            self.open_soon([event.file()])
        return True

    def _on_timeout(self) -> None:
        if self._open_files is not None and self._paths:
            paths, self._paths = self._paths, []
            self._open_files(paths)
