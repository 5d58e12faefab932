"""Garbage collection without pauses: the objects of open files are frozen.

A full garbage collection visits all objects, which takes a tenth of a second for a large collection with its window,
and more as more is computed. So the objects of open files are frozen, and so are later ones that two collections found
in use: each is visited at most twice. What of them becomes garbage is hardly ever a cycle, and goes at once. All
objects are visited when something is closed, and when another program is in use and nothing has changed for some
minutes.

Until a first screen is painted, no garbage is collected at all: what is imported and made by then is hardly ever
garbage, and to visit it again and again would be a twentieth of the start.

From then on it is collected between events, never where Python would: it does so at any new object, also inside Qt,
which holds a lock while it disconnects signals. An object of Qt that ends there waits for that lock for ever. In
another thread it would end objects of this one."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from irviewer.formats.reading.no_collection import NO_COLLECTION
from irviewer.session.changes import Change

if TYPE_CHECKING:
    from irviewer.session.session import Session

ONE_ARENA = -8
"""M_ARENA_MAX of the GNU C library's mallopt."""

LONGEST = 2000
"""Milliseconds after which garbage is collected at the latest: files that take longer to read may leave some."""

TICK = 100
"""Milliseconds after which it is counted again how much may be garbage."""

MOST = 50_000
"""Objects that are visited between two events, which takes some 10 ms. Where more are new, work in the background made
them: they are set apart unseen. Their items are not counted: to ask for the objects would hold a tuple that another
thread is making, which is a fault there."""

PAUSE = 120_000
"""Milliseconds without a change after which all objects are visited, if some were frozen since and nobody is here."""

LATER = 1500
"""Milliseconds after opening or closing files, or after the last statistics arrived, so that the window and its plots
are painted first."""


def give_back() -> None:
    """Return freed memory to the system, which takes a few milliseconds; without it the process grows as files are
    opened and closed, and with statistics of many runs. Does nothing with another C library than GNU's."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def share_one_arena() -> None:
    """Make all threads allocate from one arena. With one each, freed memory is fragmented, and the process grows as
    windows and files are opened and closed. Does nothing with another C library than GNU's."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(ONE_ARENA, 1)


class _Survivors:
    """At most so many objects remained of collections of the youngest."""

    number = 0


def collect_due() -> bool:
    """Collect the youngest objects if Python would by now, and those that remained of these before; freeze what remains
    of both, and return whether that was done. At most ``MOST`` objects are visited."""
    (youngest, young, _), limits = gc.get_count(), gc.get_threshold()
    if youngest <= limits[0] and young <= limits[1]:
        return False
    both = youngest + _Survivors.number
    if young > limits[1] or both > MOST:
        if youngest <= MOST:
            gc.collect(int(both <= MOST))
        gc.freeze()
        _Survivors.number = 0
        return True
    gc.collect(0)
    _Survivors.number = both
    return False


class Garbage(QObject):
    """Freezes the objects of open files a moment after files or runs are opened or closed, and collects later ones
    between events."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._open: frozenset[tuple[str, int]] = frozenset()
        self._lost = False
        self._timer = QTimer(self, singleShot=True, interval=LATER)
        self._timer.timeout.connect(self.settle)
        self._freed = QTimer(self, singleShot=True, interval=LATER)
        self._freed.timeout.connect(self._on_freed)
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK)
        self._ticks.timeout.connect(self._on_tick)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._on_pause)
        session.changed.connect(self._on_session_changed)

    def begin(self) -> None:
        """Collect garbage between events from now on, but of later objects only; where Python collects it, as in a
        notebook, leave it so. May be called twice."""
        if not gc.isenabled() and not self._ticks.isActive():
            gc.freeze()
            self._ticks.start()

    def _on_tick(self) -> None:
        if not NO_COLLECTION.active and collect_due():
            self._pause.start()

    def settle(self) -> None:
        """Freeze all objects, after collecting those of closed files."""
        self._timer.stop()
        if self._lost:
            self._lost = False
            self._pause.stop()
            gc.unfreeze()
            gc.collect()
            give_back()
        gc.freeze()

    def close(self) -> None:
        """Stop following the session, and unfreeze all objects. May be called twice."""
        self._timer.stop()
        self._freed.stop()
        self._ticks.stop()
        self._pause.stop()
        self._session.changed.disconnect(self._on_session_changed)
        gc.unfreeze()

    def _on_pause(self) -> None:
        if QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive or NO_COLLECTION.active:
            self._pause.start()
            return
        self._lost = True
        self.settle()

    def _on_freed(self) -> None:
        give_back()

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        if Change.STATISTICS in changes:  # their samples and matrices are gone
            self._freed.start()
        if self._pause.isActive():
            self._pause.start()
        if Change.WORKSPACE not in changes:
            return
        now = frozenset(
            (collection.identity, entry.key)
            for collection in self._session.view.workspace.collections
            for entry in collection.runs
        )
        if now != self._open:  # else it is an edit of the same files
            self._lost = self._lost or not now >= self._open
            self._open = now
            if self._ticks.isActive():
                gc.freeze()  # the lists of a large collection would be visited at the next tick
            self._timer.start()
