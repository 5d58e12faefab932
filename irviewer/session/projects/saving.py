"""Saving in the background: the newest snapshot is written by a thread, which reports when it is on disk.

Changes that others have saved since this window read or wrote the file are never overwritten; if a file cannot be
written, a copy is written to another place. Knows snapshots and files; what is saved, and the messages about it, are up
to the session."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.project_file import (
    SUFFIX,
    Sections,
    is_no_project,
    keep_damaged,
    project_data,
    refuse_newer,
    sweep,
    write_project,
)
from irviewer.model.run import Run
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.projects.locks import writing
from irviewer.session.projects.project import Snapshot
from irviewer.session.tasks import Post
from irviewer.translation import tr

FLUSHING = 10.0
"""Seconds that the window waits for files being written: a disk that does not respond must not block it."""

REST = 0.8
"""Seconds without a further change of the view before it is written; the user's work is written immediately."""


@dataclass(frozen=True)
class Written:
    """The result of saving a snapshot: its ``version``; ``trouble``: the reason why it is not on disk, "" if it is;
    ``foreign``: True if another program has saved the file since; ``copy``: the path of a copy, None if there is
    none."""

    version: int
    path: Path
    trouble: str = ""
    foreign: bool = False
    copy: Path | None = None


@dataclass(frozen=True, eq=False)
class Known:
    """The content that this window last read from a file, or wrote to it.

    base      its sections, or their snapshot, with which changes are found
    damaged   True if parts were left out when it was read: a copy of it is kept before the file is written
    """

    content: bytes
    base: Snapshot | Sections
    stamp: Stamp | None = None
    damaged: bool = False

    @property
    def sections(self) -> Sections:
        """The sections of the file."""
        return self.base.sections() if isinstance(self.base, Snapshot) else self.base


@dataclass(frozen=True, eq=False)
class _Order:
    snapshot: Snapshot
    version: int
    due: float
    force: bool


def write_beside(path: Path, kept: Mapping[str, Run]) -> None:
    """Write those runs of a project that have a file of their own and are not on disk yet. Raises ProjectError."""
    if kept:
        from irviewer.formats.reading.derived_run import write_kept

        for name, run in kept.items():
            write_kept(path.with_name(name), run)


class Saver:
    """Writes snapshots on a thread. ``last`` is the result of the last snapshot; ``heard`` is called with every result,
    on the thread that ``post`` delivers to. ``rescue`` writes a snapshot that could not be saved to another place, and
    returns its path. Without ``post`` the caller writes synchronously. All methods must be called from one thread."""

    def __init__(
        self,
        post: Post | None,
        heard: Callable[[Written], None],
        rescue: Callable[[Snapshot], Path | None] | None = None,
    ) -> None:
        self._post = post
        self._heard = heard
        self._rescue = rescue
        self._known: dict[Path, Known] = {}
        self._kept: dict[Path, frozenset[str]] = {}
        self.last: Written | None = None
        self._waiting: _Order | None = None
        self._busy = False
        self._given_up = False  # on what is being written
        self._unheard: deque[Written] = deque()
        self._closed = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def idle(self) -> bool:
        """True if nothing is being written and nothing is pending."""
        with self._changed:
            return not self._busy and self._waiting is None

    def save(self, snapshot: Snapshot, version: int, *, at_once: bool, force: bool = False) -> None:
        """Write a snapshot, replacing a pending one: immediately, or when nothing has changed for a moment. ``force``
        overwrites any file except the project of a newer version."""
        order = _Order(snapshot, version, time.monotonic() + (0.0 if at_once else REST), force)
        with self._changed:
            former = self._waiting
            if former is not None and former.snapshot.path == snapshot.path:
                order = replace(order, due=min(order.due, former.due) if at_once else order.due)
                order = replace(order, force=order.force or former.force)
                if former.due <= time.monotonic():
                    order = replace(order, due=former.due)  # a snapshot that is due stays due
            elif former is not None:
                self._write(former)  # of another file: it must be written first
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

    def know(self, path: Path, known: Known) -> None:
        """Record the content that was read from a file: later snapshots are based on it, and written only if the file
        still has it."""
        sweep(path)
        if not known.damaged and path.parent.is_dir() and next(path.parent.glob(f"*{SUFFIX}-*"), None) is not None:
            from irviewer.formats.reading.derived_run import sweep_kept

            sweep_kept(path)
        self._known[path] = known

    def known(self, path: Path) -> Known | None:
        """Return the known content of a file, None if this window has neither read nor written it."""
        return self._known.get(path)

    def is_changed(self, path: Path, now: Stamp | None) -> bool:
        """Return True if a file's present stamp shows that another program has saved it."""
        known = self._known.get(path)
        return known is not None and now is not None and now != known.stamp and self.idle

    def forget(self) -> None:
        """Discard the pending snapshot."""
        with self._changed:
            self._waiting = None

    def flush(self) -> bool:
        """Wait until nothing is pending, and return True; False if a disk has not responded for FLUSHING seconds."""
        if self._thread is not None:
            with self._changed:
                if self._waiting is not None:
                    self._waiting = replace(self._waiting, due=0.0)
                    self._changed.notify_all()
                self._given_up = not self._changed.wait_for(self._is_done, 0.0 if self._given_up else FLUSHING)
            self._deliver()
            return not self._given_up
        while True:
            with self._changed:
                order, self._waiting = self._waiting, None
                if order is None:
                    self._changed.wait_for(self._is_idle)
                    return True
                self._changed.wait_for(self._is_idle)  # snapshots are written in order
                written = self._write(order)
            self._heard(written)

    def close(self) -> bool:
        """Write the pending snapshot and end the thread; False if its disk does not respond, and the thread continues.
        May be called twice."""
        done = self.flush()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None and done:
            self._thread.join()
            self._thread = None
        return done

    def _sweep(self, path: Path, kept: Mapping[str, Run]) -> None:
        """Remove files of runs that no project names; rarely, since the folder has to be searched."""
        names = frozenset(kept)
        if self._kept.get(path, frozenset()) - names:
            from irviewer.formats.reading.derived_run import sweep_kept

            sweep_kept(path)
        self._kept[path] = names

    def _is_idle(self) -> bool:
        return not self._busy

    def _is_done(self) -> bool:
        return not self._busy and self._waiting is None

    def _deliver(self) -> None:
        """Report each result of saving once."""
        while self._unheard:
            self._heard(self._unheard.popleft())

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
            written = self._write(order)
            with self._changed:
                self._unheard.append(written)
                self._busy = self._given_up = False
                self._changed.notify_all()
            if self._post is not None:
                self._post(self._deliver)

    def _write(self, order: _Order) -> Written:
        try:
            written = self._written(order)
        except (IrviewerError, OSError, ValueError) as error:
            path = order.snapshot.path
            written = Written(order.version, path, str(error).replace(str(path), path.name))
        except Exception as error:
            # Whatever it is, what was made is not on the disk, and this thread has nobody else to tell.
            written = Written(order.version, order.snapshot.path, f"{type(error).__name__}: {error}")
        if written.trouble and not written.foreign and self._rescue is not None:
            written = replace(written, copy=self._rescue(order.snapshot))
        self.last = written
        return written

    def _written(self, order: _Order) -> Written:
        path = order.snapshot.path
        text, kept = order.snapshot.written()
        content = text.encode("utf-8", "surrogatepass")
        with writing(path):
            present = project_data(path) if path.exists() else None
            known = self._known.get(path)
            if present is not None and (known is None or present != known.content):
                refuse_newer(path, present)
                if not order.force and known is not None:
                    trouble = tr("{project} was saved by another program", project=path.name)
                    return Written(order.version, path, trouble, foreign=True)
            write_beside(path, kept)  # first: a project never names what is not there
            if present != content:
                if present is not None and ((known is not None and known.damaged) or is_no_project(path, present)):
                    keep_damaged(path, present)
                write_project(path, text)
                self._sweep(path, kept)
            self._known[path] = Known(content, order.snapshot, stamp(str(path)))
        return Written(order.version, path)
