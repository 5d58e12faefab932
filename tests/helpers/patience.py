"""Waiting for what happens beside a test: until it has happened, with a limit that only a hang reaches.

A machine under load is slow, never wrong: no test looks at how long a thing took."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from queue import Empty, Queue, SimpleQueue

LONG = 120.0
"""Seconds after which a test says that what it waits for does not come."""
LONG_PROCESS = 900.0
"""The same of whole processes that do much."""

Call = Callable[[], object]


def deliver(
    posted: Queue[Call] | SimpleQueue[Call], true: Callable[[], object], what: str = "", seconds: float = LONG
) -> None:
    """Run what was posted to the main thread, in order, until ``true``; fails with ``what`` when nothing brings it."""
    end = time.monotonic() + seconds
    while not true():
        try:
            call = posted.get(timeout=max(0.0, end - time.monotonic()))
        except Empty:
            raise AssertionError(what or "it did not happen") from None
        call()


def left_over(before: Iterable[threading.Thread], seconds: float = LONG) -> list[str]:
    """The names of threads that were not there before and do not end by themselves. One that was told to end needs the
    processor once more to do so."""
    known = set(before)
    end = time.monotonic() + seconds
    new = [thread for thread in threading.enumerate() if thread not in known]
    for thread in new:
        thread.join(max(0.0, end - time.monotonic()))
    return [thread.name for thread in new if thread.is_alive()]
