"""Calls from worker threads to the main thread, through one long-lived object."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal


class Bridge(QObject):
    """Runs calls on the main thread, in order. :meth:`post` may be called from any thread. After :meth:`close` no call
    is run."""

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._posted.connect(self._on_posted, Qt.ConnectionType.QueuedConnection)

    def post(self, call: Callable[[], None]) -> None:
        """Run ``call`` on the main thread soon."""
        if self._open:
            # The application may have been deleted since the check.
            with contextlib.suppress(RuntimeError):
                self._posted.emit(call)

    def close(self) -> None:
        """Run no more calls, including those posted already."""
        self._open = False

    def _on_posted(self, call: Callable[[], None]) -> None:
        if self._open:
            call()


class Door:
    """Passes calls to the current bridge, and keeps those that are not run yet: where the bridge is taken away, they
    wait for the next one. May be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bridge: Bridge | None = None
        self._waiting: deque[Callable[[], None]] = deque()

    def post(self, call: Callable[[], None]) -> None:
        """Run ``call`` on the main thread, once there is a bridge."""
        with self._lock:
            self._waiting.append(call)
            if self._bridge is not None:
                self._bridge.post(self._run_next)

    def lead_to(self, bridge: Bridge | None) -> None:
        """Set the bridge, or none, and pass the kept calls to it."""
        with self._lock:
            self._bridge = bridge
            if bridge is not None:
                for _ in self._waiting:
                    bridge.post(self._run_next)

    def _run_next(self) -> None:
        with self._lock:
            call = self._waiting.popleft() if self._waiting else None
        if call is not None:
            call()
