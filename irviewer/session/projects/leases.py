"""Leases: each window keeps a small file beside the project that it has open, so that other windows can name it.

Such a file prevents nobody from opening the project. One left by a killed window is recognized by its lock, one of
another computer by its age, and removed. Knows files, no session."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import socket
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from irviewer.formats.file_locks import locked
from irviewer.translation import tr

EVERY = 60.0
"""Seconds after which a window says again that it is there."""

STALE = 600.0
"""Seconds after which a window of another computer that has said nothing is gone."""

ENDING = ".open"


@dataclass(frozen=True)
class Opener:
    """A window that has a project open: its user, its computer, and the time of opening (seconds since 1970)."""

    who: str
    host: str
    pid: int
    since: float

    @property
    def words(self) -> str:
        """``by ada on kepler since 10:12 (process 4711)``; of this computer without its name."""
        day = "%H:%M" if time.time() - self.since < 43_200 else "%Y-%m-%d %H:%M"
        since = time.strftime(day, time.localtime(self.since))
        elsewhere = self.host != host_name()
        if self.who and elsewhere:
            return tr("by {user} on {host} since {time} (process {pid})",
                      user=self.who, host=self.host, time=since, pid=self.pid)  # fmt: skip
        if self.who:
            return tr("by {user} since {time} (process {pid})", user=self.who, time=since, pid=self.pid)
        if elsewhere:
            return tr("on {host} since {time} (process {pid})", host=self.host, time=since, pid=self.pid)
        return tr("since {time} (process {pid})", time=since, pid=self.pid)


class Leases:
    """The lease of one window, which has at most one project open."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._path: Path | None = None
        self._written = 0.0
        self._end: weakref.finalize[..., Leases] | None = None

    def take(self, project: Path, who: str) -> tuple[Opener, ...]:
        """Register that the project is open here, and return the other windows that have it open. Where nothing can be
        written beside it, nothing is said."""
        others = self.others(project)
        place = project.resolve()
        if self._path is not None and self._path.parent == place.parent and _is_of(self._path, place):
            return others
        self.release()
        mine = Opener(who, host_name(), os.getpid(), self._clock())
        said = json.dumps({"who": mine.who, "host": mine.host, "pid": mine.pid, "since": mine.since})
        with contextlib.suppress(OSError):
            for number in range(100):
                path = place.with_name(f".{place.name}.{mine.host}-{mine.pid}-{number}{ENDING}")
                try:
                    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
                except FileExistsError:
                    continue
                self._path, self._written = path, self._clock()
                self._end = weakref.finalize(self, _given_back, descriptor, path)
                locked(descriptor)
                os.write(descriptor, said.encode())
                break
        return others

    def others(self, project: Path) -> tuple[Opener, ...]:
        """Return the other windows that have a project open, in the order of opening. What was left by a window that is
        gone is removed."""
        place = project.resolve()
        openers = []
        with contextlib.suppress(OSError):
            for path in place.parent.iterdir():
                if path != self._path and _is_of(path, place):
                    opener = self._alive(path)
                    if opener is not None:
                        openers.append(opener)
        return tuple(sorted(openers, key=lambda opener: opener.since))

    def refresh(self) -> None:
        """Renew the lease if it is due."""
        if self._path is not None and self._clock() - self._written >= EVERY:
            self._written = self._clock()
            with contextlib.suppress(OSError):
                os.utime(self._path, (self._written, self._written))

    def release(self) -> None:
        """Remove the lease: the project is no longer open here. May be called twice."""
        self._path = None
        if self._end is not None:
            self._end()
            self._end = None

    def _alive(self, path: Path) -> Opener | None:
        """Return the window that wrote a lease, None if it is closed."""
        try:
            age = self._clock() - path.stat().st_mtime
            opener = _read(path)
            if opener is not None and (_holds(path, opener) if opener.host == host_name() else age < STALE):
                return opener
            if opener is not None or age > EVERY:  # a file that is being written says nothing yet
                path.unlink()
        except OSError:
            pass
        return None


def _given_back(descriptor: int, path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()  # while it is locked, so that nobody sees it let go
    with contextlib.suppress(OSError):
        os.close(descriptor)
    with contextlib.suppress(OSError):
        path.unlink()  # some systems remove no file that is open


def user_name() -> str:
    """Return the login name of the user, "" if it is unknown."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # nobody that the system knows
        return ""


def host_name() -> str:
    """Return this computer's name, without characters that file names cannot have."""
    return (
        "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in socket.gethostname())[:60] or "here"
    )


def _is_of(path: Path, project: Path) -> bool:
    return path.name.startswith(f".{project.name}.") and path.name.endswith(ENDING)


def _read(path: Path) -> Opener | None:
    try:
        said = json.loads(path.read_bytes())
        return Opener(str(said["who"]), str(said["host"]), int(said["pid"]), float(said["since"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _holds(path: Path, opener: Opener) -> bool:
    """Return True if the process that wrote the lease is running and still holds it."""
    if opener.pid != os.getpid() and not _runs(opener.pid):
        return False
    with path.open("rb") as file:
        return locked(file.fileno()) is not True


def _runs(pid: int) -> bool:
    if os.name != "posix" or pid <= 0:
        return pid > 0
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
