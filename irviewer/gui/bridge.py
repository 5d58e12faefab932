"""The way from a worker thread to the main thread: one long-lived object through which all results come.

Knows nothing of what it carries."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal


class Bridge(QObject):
    """Lives on the main thread. :meth:`post` may be called from any thread; what is posted runs on the main one, in
    order. After :meth:`close` nothing is delivered."""

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._posted.connect(self._on_posted, Qt.ConnectionType.QueuedConnection)

    def post(self, call: Callable[[], None]) -> None:
        """Have ``call`` run on the main thread, soon."""
        if self._open:
            # The application may be gone between the question and the answer; then there is nobody to deliver to.
            with contextlib.suppress(RuntimeError):
                self._posted.emit(call)

    def close(self) -> None:
        """Deliver nothing more, not even what is under way."""
        self._open = False

    def _on_posted(self, call: Callable[[], None]) -> None:
        if self._open:
            call()
