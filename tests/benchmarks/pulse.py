"""How long a window answers nothing: the longest time between two beats of a timer of 1 ms in its event loop."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

MOST_SECONDS = 600
SETTLED = 20
"""Beats in a row in which nothing is left to do, after which what was asked for counts as done."""


class Pulse(QObject):
    """Beats while the event loop runs in :meth:`until`; ``wall`` and ``spent`` are the longest time between two beats
    since they were taken last, by the clock and in processor time of the thread, which leaves waiting out."""

    def __init__(self) -> None:
        super().__init__()
        self.wall = self.spent = 0.0
        self.at = time.perf_counter()
        self._own = time.thread_time()
        self._done: Callable[[], bool] = lambda: True
        self._quiet = 0
        self._ends = self._since = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._beat)

    def take(self) -> tuple[float, float]:
        """Return ``wall`` and ``spent``, and begin anew."""
        longest, self.wall, self.spent = (self.wall, self.spent), 0.0, 0.0
        return longest

    def until(self, act: Callable[[], object], done: Callable[[], bool] = lambda: True) -> float:
        """Act in the event loop, let it run until what follows is done, and return the seconds until then. Raises
        TimeoutError."""
        begun = self.at = time.perf_counter()
        self._own = time.thread_time()
        self._done, self._quiet, self._ends = done, 0, begun + MOST_SECONDS
        QTimer.singleShot(0, act)
        self._timer.start()
        QApplication.exec()
        self._timer.stop()
        if self._quiet < SETTLED:
            raise TimeoutError(f"not done within {MOST_SECONDS} seconds")
        return self._since - begun

    def _beat(self) -> None:
        now, own = time.perf_counter(), time.thread_time()
        self.wall, self.spent = max(self.wall, now - self.at), max(self.spent, own - self._own)
        if self._done():
            self._since = now if not self._quiet else self._since
            self._quiet += 1
        else:
            self._quiet = 0
        if self._quiet >= SETTLED or now > self._ends:
            QApplication.exit()
        self.at, self._own = time.perf_counter(), time.thread_time()
