"""Saving while one works: the newest snapshot is written by a thread of its own, and it is said when it is on the disk.

Knows snapshots and files; what is worth saving, and what is said of it, is the session's business."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.project_file import SUFFIX, keep_damaged, sweep, write_project
from irviewer.model.run import Run
from irviewer.session.projects.project import Snapshot
from irviewer.session.tasks import Post
from irviewer.session.watching import Stamp, stamp

REST = 0.8
"""Seconds without a further change of where one is before that is written; what a person made is written at once."""


@dataclass(frozen=True)
class Written:
    """What became of a snapshot: ``version`` as it was given, ``trouble`` why it is not on the disk ("": it is).
    ``foreign``: somebody else has written the file since."""

    version: int
    path: Path
    trouble: str = ""
    foreign: bool = False


@dataclass(frozen=True, eq=False)
class _Order:
    snapshot: Snapshot
    version: int
    due: float
    force: bool


def write_beside(path: Path, kept: Mapping[str, Run]) -> None:
    """Write the runs that a project keeps in files of its folder, those that are not there yet. Raises ProjectError."""
    if kept:
        from irviewer.formats.kept_run import write_kept

        for name, run in kept.items():
            write_kept(path.with_name(name), run)


class Saver:
    """``last`` is what became of the last snapshot, known at once; ``heard`` is told of every one, on the thread that
    ``post`` delivers to. Without ``post`` everything is written at once, by the caller. All methods belong to one
    thread."""

    def __init__(self, post: Post | None, heard: Callable[[Written], None]) -> None:
        self._post = post
        self._heard = heard
        self._stamps: dict[Path, Stamp | None] = {}
        self._texts: dict[Path, str] = {}
        self._kept: dict[Path, frozenset[str]] = {}
        self._damaged: dict[Path, bytes] = {}
        self.last: Written | None = None
        self._waiting: _Order | None = None
        self._busy = False
        self._closed = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def save(self, snapshot: Snapshot, version: int, *, at_once: bool, force: bool = False) -> None:
        """Have a snapshot written, in the place of one that waits: at once, or when nothing has changed for a moment.
        ``force`` writes over what somebody else wrote to the file."""
        order = _Order(snapshot, version, time.monotonic() + (0.0 if at_once else REST), force)
        with self._changed:
            former = self._waiting
            if former is not None and former.snapshot.path == snapshot.path:
                order = replace(order, due=min(order.due, former.due) if at_once else order.due)
                order = replace(order, force=order.force or former.force)
                if former.due <= time.monotonic():
                    order = replace(order, due=former.due)  # what was to be written at once still is
            elif former is not None:
                self._write(former)  # another file's: nothing may come between
            self._waiting = order
            if self._closed:
                return
            if self._post is not None:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="irviewer-saver", daemon=True)
                    self._thread.start()
                self._changed.notify_all()
                return
        if at_once:
            self.flush()

    def know(self, path: Path, damaged: bytes | None = None) -> None:
        """The file was read as it is now: what is written there after this is written over it; what stood in it where
        that was ``damaged`` is first kept beside it."""
        self._damaged.pop(path, None)
        if damaged is not None:
            self._damaged[path] = damaged
        sweep(path)
        if path.parent.is_dir() and next(path.parent.glob(f"*{SUFFIX}-*"), None) is not None:
            from irviewer.formats.kept_run import sweep_kept

            sweep_kept(path)
        self._stamps[path] = stamp(str(path))
        self._texts.pop(path, None)

    def forget(self) -> None:
        """What waits is not to be written any more."""
        with self._changed:
            self._waiting = None

    def flush(self) -> None:
        """Return when nothing waits to be written."""
        while True:
            with self._changed:
                order, self._waiting = self._waiting, None
                if order is None:
                    self._changed.wait_for(self._is_idle)
                    return
                self._changed.wait_for(self._is_idle)  # in order, whoever writes
                told = self._write(order)
            self._heard(told)

    def close(self) -> None:
        """Write what waits and end the thread. May be called twice."""
        self.flush()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _sweep(self, path: Path, kept: Mapping[str, Run]) -> None:
        """What is no longer kept is removed, seldom: a folder is searched for it."""
        names = frozenset(kept)
        if self._kept.get(path, frozenset()) - names:
            from irviewer.formats.kept_run import sweep_kept

            sweep_kept(path)
        self._kept[path] = names

    def _is_idle(self) -> bool:
        return not self._busy

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (self._waiting is None or self._waiting.due > time.monotonic()):
                    rest = None if self._waiting is None else max(0.0, self._waiting.due - time.monotonic())
                    self._changed.wait(rest)
                if self._closed:
                    return
                order, self._waiting = self._waiting, None
                assert order is not None
                self._busy = True
            told = self._write(order)
            with self._changed:
                self._busy = False
                self._changed.notify_all()
            if self._post is not None:
                self._post(_Told(self._heard, told))

    def _write(self, order: _Order) -> Written:
        self.last = self._written(order)
        return self.last

    def _written(self, order: _Order) -> Written:
        path = order.snapshot.path
        try:
            text, kept = order.snapshot.written()
            now = stamp(str(path))
            if not order.force and path in self._stamps and now is not None and now != self._stamps[path]:
                return Written(order.version, path, f"{path.name} was changed by another program", foreign=True)
            write_beside(path, kept)  # first: a project never names what is not there
            if self._texts.get(path) != text or now is None or order.force:
                if path in self._damaged:
                    keep_damaged(path, self._damaged[path])
                    del self._damaged[path]
                write_project(path, text)
                self._sweep(path, kept)
                self._texts[path] = text
                self._stamps[path] = stamp(str(path))
        except (IrviewerError, OSError, ValueError) as error:
            return Written(order.version, path, str(error))
        return Written(order.version, path)


class _Told:
    """A result on its way to the main thread."""

    def __init__(self, heard: Callable[[Written], None], told: Written) -> None:
        self._heard = heard
        self._told = told

    def __call__(self) -> None:
        self._heard(self._told)
