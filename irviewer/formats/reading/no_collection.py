"""No garbage collection while a file is read: what readers make is many objects and no cycles, and a collection
visits all objects of the program, again and again."""

from __future__ import annotations

import gc
import threading
from types import TracebackType


class _NoCollection:
    """Switches the collection off until the last of the readers, which may be in several threads, has ended; then it is
    as the first of them found it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readers = 0
        self._was_enabled = False

    @property
    def active(self) -> bool:
        """Whether a file is being read."""
        return self._readers > 0

    def __enter__(self) -> None:
        with self._lock:
            if self._readers == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._readers += 1

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._readers -= 1
            if self._readers == 0 and self._was_enabled:
                gc.enable()


NO_COLLECTION = _NoCollection()
