"""Work that has no project yet, kept where the system keeps a program's data until it is saved or thrown away.

A file belongs to the window that holds its lock; one that nobody holds was left by a window that was killed, or closed
before its work was saved. Knows files, no session."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import platformdirs

from irviewer.formats.project_file import SUFFIX, ProjectError, read_project
from irviewer.session.settings import DIRECTORY_VARIABLE, Settings


@dataclass(frozen=True)
class Left:
    """Work that was left: its file, when it was written last (seconds since 1970), what it holds in a few words."""

    path: Path
    when: float
    words: str

    @property
    def time(self) -> str:
        """The date and time as a person reads them."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.when))


def recovery_folder(settings: Settings) -> Path | None:
    """Where work is kept; None where nothing may be written outside of a project's folder."""
    if settings.path is None:
        return None
    own = os.environ.get(DIRECTORY_VARIABLE)
    return Path(own or platformdirs.user_data_dir("irviewer", appauthor=False)) / "recovery"


class Recovery:
    """The files of one folder, as one window sees them."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._locks: dict[Path, IO[bytes]] = {}

    def claim(self) -> Path | None:
        """A new file of this window's own, not there yet; None where nothing may or can be kept."""
        if self._folder is None:
            return None
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            for number in range(1000):
                path = self._folder / f"{stem}-{number}{SUFFIX}"
                if not path.exists() and self._hold(path):
                    return path
        return None

    def left(self) -> tuple[Left, ...]:
        """What other windows have left, the newest first. What cannot be read is left out, and stays where it is."""
        if self._folder is None or not self._folder.is_dir():
            return ()
        found = []
        for path in self._folder.glob(f"*{SUFFIX}"):
            if path in self._locks or not self._is_free(path):
                continue
            with contextlib.suppress(ProjectError, OSError):
                found.append(Left(path, path.stat().st_mtime, _words(read_project(path))))
        return tuple(sorted(found, key=lambda one: -one.when))

    def adopt(self, path: Path) -> bool:
        """Make work that was left this window's own; False where another window was quicker."""
        return self._hold(path)

    def discard(self, path: Path) -> None:
        """Throw a file away: its work is in a project, or nobody wants it."""
        with contextlib.suppress(OSError):
            path.unlink()
        if list(path.parent.glob(f"{path.name}-*")):
            from irviewer.formats.kept_run import discard_kept

            discard_kept(path)
        self.release(path)

    def release(self, path: Path) -> None:
        """Let a file be another window's; it stays."""
        lock = self._locks.pop(path, None)
        if lock is not None:
            lock.close()
            with contextlib.suppress(OSError):
                Path(lock.name).unlink()

    def close(self) -> None:
        """Release every file."""
        for path in tuple(self._locks):
            self.release(path)

    def _hold(self, path: Path) -> bool:
        lock = path.with_suffix(".lock").open("ab")
        if not _locked(lock):
            lock.close()
            return False
        self._locks[path] = lock
        return True

    def _is_free(self, path: Path) -> bool:
        try:
            with path.with_suffix(".lock").open("ab") as lock:
                return _locked(lock)  # closing it gives the lock back
        except OSError:
            return False


def _locked(file: IO[bytes]) -> bool:
    """True where nobody else held the lock, and we do now. The system gives it back when the process ends, however."""
    try:
        if os.name == "nt":
            import msvcrt

            module: Any = msvcrt
            file.seek(0)
            module.locking(file.fileno(), module.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _words(sections: dict[str, Any]) -> str:
    """``Cranfield: 12 judgments, 3 notes``; collections in which nothing was made are left out where others have more
    to say."""
    told = []
    for one in sections.get("collections", ()):
        judged = sum(len(each.get("judged", ())) for each in one.get("judgments", ()))
        written = sum(len(rows) for rows in one.get("remarks", {}).values())
        edited = sum(len(each.get("edited", {}).get("lists", ())) for each in one.get("runs", ()))
        fused = sum("made" in each for each in one.get("runs", ()))
        counts = (
            (judged, "judgment"),
            (written, "note"),
            (edited, "edited list"),
            (fused, "fused run"),
            (len(one.get("query sets", ())), "query set"),
        )
        parts = [f"{count:,} {name}{'s' if count != 1 else ''}" for count, name in counts if count]
        if parts:
            told.append(f"{one.get('name', '')}: {', '.join(parts)}")
    names = [str(one.get("name", "")) for one in sections.get("collections", ())]
    return "; ".join(told) or ", ".join(names)
