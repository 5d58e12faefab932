"""A small thread pool that can abandon a thread which hangs.

The threads are daemons, so that a call which waits forever for a file does not keep the program from ending."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

Call = Callable[[], None]


class Workers:
    """At most ``most`` threads, started when there is work. Thread-safe."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._lock = threading.Lock()
        self._waiting: deque[Call] = deque()
        self._threads: list[threading.Thread] = []
        self._left: list[threading.Thread] = []
        self._closed = False

    def put(self, call: Call) -> None:
        """Queue a call; ignored after ``close``."""
        with self._lock:
            if not self._closed:
                self._waiting.append(call)
                self._begin()

    def leave(self, thread: threading.Thread | None) -> None:
        """Abandon a thread: another takes its place, and it ends when its call returns."""
        with self._lock:
            if thread in self._threads:
                self._threads.remove(thread)
                self._left.append(thread)
                self._begin()

    def close(self, patience: float) -> list[threading.Thread]:
        """Start nothing more and wait for running calls; at most ``patience`` seconds for abandoned threads. Return the
        threads that are still running."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            running, left = list(self._threads), list(self._left)
        for thread in running:
            thread.join()
        end = time.monotonic() + patience
        for thread in left:
            thread.join(max(0.0, end - time.monotonic()))
        return [thread for thread in left if thread.is_alive()]

    def _begin(self) -> None:
        self._left = [thread for thread in self._left if thread.is_alive()]
        if self._waiting and len(self._threads) < self._most:
            thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        own = threading.current_thread()
        while True:
            with self._lock:
                if own not in self._threads:
                    return
                if not self._waiting:
                    self._threads.remove(own)
                    return
                call = self._waiting.popleft()
            call()
