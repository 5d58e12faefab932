"""The way from a worker thread to the main thread: one long-lived object through which all results come.

Knows nothing of what it carries."""

from __future__ import annotations

import contextlib
import threading
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


class Door:
    """The way to whichever bridge there is: while there is none, what is posted waits. May be called from any
    thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bridge: Bridge | None = None
        self._waiting: list[Callable[[], None]] = []

    def post(self, call: Callable[[], None]) -> None:
        """Have ``call`` run on the main thread, as soon as there is a bridge to it."""
        with self._lock:
            if self._bridge is None:
                self._waiting.append(call)
            else:
                self._bridge.post(call)

    def lead_to(self, bridge: Bridge | None) -> None:
        """Another bridge, or none; what waited goes first."""
        with self._lock:
            self._bridge = bridge
            if bridge is not None:
                for call in self._waiting:
                    bridge.post(call)
                self._waiting.clear()
