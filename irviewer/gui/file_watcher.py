"""The timer that checks open files for changes, also when the window is activated.

The session does the check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from irviewer.gui.guard import guarded

if TYPE_CHECKING:
    from irviewer.session.session import Session

EVERY_MS = 2000


@guarded
class Watcher(QObject):
    """Checks while the window is open. A check takes some microseconds for each file, on the main thread."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(session.autosave.look_at_disk)
        self._timer.timeout.connect(session.lesson_watch.look_at_disk)
        self._timer.start()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and self._timer.isActive():
            self._session.autosave.look_at_disk()
            self._session.lesson_watch.look_at_disk()
        return False

    def stop(self) -> None:
        """Stop checking, since the window closes."""
        self._timer.stop()
