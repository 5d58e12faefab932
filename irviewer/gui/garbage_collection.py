"""What Python's garbage collector walks: not all that is open, over and over, while a person waits.

A full collection visits every object there is, a tenth of a second for a large collection with its window, whenever
enough new ones have come. What is open stays open: it is set apart, and a full collection visits what has come since.
When something is closed, all of it counts again once. Knows nothing of what the objects are."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from irviewer.session.changes import Change

if TYPE_CHECKING:
    from irviewer.session.session import Session

ONE_ARENA = -8
"""M_ARENA_MAX of the GNU C library's mallopt."""

LATER = 1500
"""Milliseconds after something was opened or closed: first the window is painted and its plots are built."""


def give_back() -> None:
    """Give the system back what was freed and the C library keeps in pieces, some milliseconds; without it a program
    in which collections come and go grows by what lies between the pieces. Nothing where the library is another."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def share_one_arena() -> None:
    """Have all threads take memory from one arena: with one each, what they free stays in pieces in all of them, and a
    program in which windows or collections come and go grows. Nothing where the C library is another."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(ONE_ARENA, 1)


class Garbage(QObject):
    """Sets apart what is open in ``session``, a moment after files or runs came or went."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._open: frozenset[tuple[int, int]] = frozenset()
        self._lost = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LATER)
        self._timer.timeout.connect(self.settle)
        session.changed.connect(self._on_session_changed)

    def settle(self) -> None:
        """Set apart what there is; what was closed is let go before."""
        self._timer.stop()
        if self._lost:
            self._lost = False
            gc.unfreeze()
            gc.collect()
            give_back()
        gc.freeze()

    def close(self) -> None:
        """Follow no longer, and let everything count again; may be called twice."""
        self._timer.stop()
        self._session.changed.disconnect(self._on_session_changed)
        gc.unfreeze()

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        if Change.WORKSPACE not in changes:
            return
        now = frozenset(
            (place, entry.key)
            for place, collection in enumerate(self._session.view.workspace.collections)
            for entry in collection.runs
        )
        if now != self._open:  # else it is an edit, and the files are the same
            self._lost = self._lost or not now >= self._open
            self._open = now
            self._timer.start()
