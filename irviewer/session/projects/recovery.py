"""Recovery files: work without a project, stored in the system's folder for program data until it is saved or
discarded; and copies of work that could not be saved, in the first folder that can be written to.

A file belongs to the window that holds its lock. A file without a lock is from a window that crashed, or was closed
before its work was saved. Independent of the session."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import platformdirs

from irviewer.formats.file_locks import locked
from irviewer.formats.project_file import SUFFIX, ProjectError, write_project
from irviewer.model.failure_tags import FAILURE_TAGS
from irviewer.session.projects.project import Snapshot
from irviewer.session.projects.saving import write_beside
from irviewer.session.projects.schema import checked
from irviewer.session.settings import DIRECTORY_VARIABLE, Settings
from irviewer.translation import listed, listed_clauses, tr, trn


@dataclass(frozen=True)
class UnsavedWork:
    """Unsaved work: its file, the time of its last change (seconds since 1970), and a summary. ``project`` is the
    project file beside it, if the work could not be saved there."""

    path: Path
    when: float
    words: str
    project: str = ""

    @property
    def time(self) -> str:
        """The date and time as text."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.when))


def recovery_folder(settings: Settings) -> Path | None:
    """Return the folder of recovery files; None if nothing may be written outside of a project's folder."""
    if settings.path is None:
        return None
    own = os.environ.get(DIRECTORY_VARIABLE)
    return Path(own or platformdirs.user_data_dir("irviewer", appauthor=False)) / "recovery"


def other_folders() -> tuple[Path, ...]:
    """Return the folders for copies of unsaved work if the recovery folder cannot be used: the home folder, then the
    system's folder for temporary files."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    own = os.environ.get(DIRECTORY_VARIABLE)  # the work of another profile is not offered in this one
    profile = f"-{hashlib.blake2b(os.fsencode(Path(own).absolute()), digest_size=6).hexdigest()}" if own else ""
    folders = []
    with contextlib.suppress(RuntimeError):  # a user without a home
        folders.append(Path.home() / f"irviewer-recovery{profile}")
    with contextlib.suppress(OSError):
        folders.append(Path(tempfile.gettempdir()) / f"irviewer-recovery-{user}{profile}")
    return tuple(folders)


class Recovery:
    """The recovery files as one window sees them. ``folder`` None: nothing may be stored."""

    def __init__(self, folder: Path | None, others: tuple[Path, ...] = ()) -> None:
        self._folder = folder
        self._others = () if folder is None else others
        self._locks: dict[Path, IO[bytes]] = {}
        self._copies: dict[Path, Path] = {}  # file that could not be written -> the copy
        self._texts: dict[Path, str] = {}
        self._probing = threading.Lock()  # a file is locked for a moment while it is tested

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of copies; none if nothing may be stored."""
        return () if self._folder is None else (self._folder, *self._others)

    @property
    def nowhere(self) -> Path | None:
        """The file that would hold work without a project if this window could create one, for messages; None if
        nothing may be stored."""
        return None if self._folder is None else self._folder / f"unsaved-{os.getpid()}{SUFFIX}"

    def claim(self) -> Path | None:
        """Create a new file of this window; None if nothing may or can be stored."""
        return None if self._folder is None else self._claim(self._folder)

    def rescue(self, snapshot: Snapshot) -> Path | None:
        """Write a copy of unsaved work to the first place that can be written to, which is used from then on; None if
        there is none."""
        if self._folder is None:
            return None
        for path in self._places(snapshot.path):
            with contextlib.suppress(Exception):  # after any error the next place is tried
                text, kept = replace(snapshot, path=path, base=None).written()
                if self._texts.get(path) != text or not path.exists():
                    write_beside(path, kept)
                    write_project(path, text)
                self._texts = {path: text}
                self._copies[snapshot.path] = path
                return path
            if self._copies.get(snapshot.path) != path:
                self.discard(path)
        return None

    def saved(self, path: Path) -> None:
        """Remove the copy of a file, which has been saved."""
        copy = self._copies.pop(path, None)
        if copy is not None:
            self.discard(copy)

    def left(self) -> tuple[UnsavedWork, ...]:
        """Return the unsaved work of other windows, the newest first. Files that cannot be read, folders that others
        may write to and what belongs to others are left out, and stay. Called on any thread."""
        works: list[UnsavedWork] = []
        for folder in self.folders:
            if _is_own(folder):
                with contextlib.suppress(OSError):
                    works += self._works(folder.glob(f"*{SUFFIX}"))
        return tuple(sorted(works, key=lambda work: -work.when))

    def _works(self, paths: Iterable[Path], project: str = "") -> Iterator[UnsavedWork]:
        for path in paths:
            with contextlib.suppress(ProjectError, OSError):
                if path not in self._locks and self._is_free(path):
                    content, when = _own_content(path)
                    yield UnsavedWork(path, when, _words(path, content), project)

    def left_beside(self, project: Path) -> tuple[UnsavedWork, ...]:
        """Return the copies beside a project with work that is not in it, the newest first. Called on any thread."""
        works = () if self._folder is None else tuple(self._works(_beside(project), str(project)))
        return tuple(sorted(works, key=lambda work: -work.when))

    def adopt(self, path: Path) -> bool:
        """Take over unsaved work; False if another window has taken it."""
        with contextlib.suppress(OSError):
            return self._hold(path)
        return False

    def holds(self, path: Path) -> bool:
        """Return True if a file belongs to this window."""
        return path in self._locks

    def discard(self, path: Path) -> None:
        """Delete a file: its work is in a project, or was discarded by the user."""
        with contextlib.suppress(OSError):
            path.unlink()
        if list(path.parent.glob(f"{path.name}-*")):
            from irviewer.formats.reading.derived_run import discard_kept

            discard_kept(path)
        self.release(path)

    def release(self, path: Path) -> None:
        """Release a file, which stays for other windows."""
        lock = self._locks.pop(path, None)
        if lock is not None:
            lock.close()
            with contextlib.suppress(OSError):
                path.with_suffix(".lock").unlink()

    def close(self) -> None:
        """Release every file."""
        for path in tuple(self._locks):
            self.release(path)

    def _places(self, path: Path) -> Iterator[Path]:
        """Return new files of this window in each possible place but that of ``path``; the last is beside ``path``."""
        present = self._copies.get(path)
        if present is not None:
            yield present
        assert self._folder is not None
        for folder in (self._folder, *self._others, path.parent):
            if folder == path.parent and folder in (self._folder, *self._others):
                continue
            claimed = self._claim(folder, f"{path.name.removesuffix(SUFFIX)}-" if folder == path.parent else "")
            if claimed is not None and claimed != present:
                yield claimed

    def _claim(self, folder: Path, prefix: str = "") -> Path | None:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if folder in self.folders:
                if not _is_own(folder):
                    return None
                if os.name == "posix":
                    folder.chmod(0o700)
            stem = f"{prefix}{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            for number in range(1000):
                path = folder / f"{stem}-{number}{SUFFIX}"
                if not path.exists() and self._hold(path):
                    return path
        return None

    def _hold(self, path: Path) -> bool:
        with self._probing:
            lock = _opened(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_APPEND)
            if locked(lock.fileno()) is not True:
                lock.close()
                return False
            self._locks[path] = lock
            return True

    def _is_free(self, path: Path) -> bool:
        lock = path.with_suffix(".lock")
        try:
            lock.lstat()
        except FileNotFoundError:
            return True  # without creating a lock file beside a project
        for flags in (os.O_RDWR | os.O_APPEND, os.O_RDONLY):  # work where nothing can be written can be read
            try:
                with self._probing, _opened(lock, flags) as file:
                    return locked(file.fileno()) is True  # closing it gives the lock back
            except FileNotFoundError:
                return True
            except OSError:
                continue
        return False


def _is_own(folder: Path) -> bool:
    """Return True for a folder of the user that nobody else may write to, and no link; in a shared folder it could have
    been created by anyone."""
    try:
        about = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(about.st_mode)
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o022


def _opened(path: Path, flags: int) -> IO[bytes]:
    """Open a regular file of the user's own without following a link or waiting for a pipe. Raises OSError for any
    other."""
    careful = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | careful, 0o600)
    try:
        about = os.fstat(descriptor)
        own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
        if not (stat.S_ISREG(about.st_mode) and own):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return os.fdopen(descriptor, "r+b" if flags & os.O_RDWR else "rb", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


def _own_content(path: Path) -> tuple[bytes, float]:
    """Return the content of a copy and the time of its last change. Raises OSError if it is not the user's own."""
    with _opened(path, os.O_RDONLY) as file:
        return file.read(), os.fstat(file.fileno()).st_mtime


def _beside(project: Path) -> list[Path]:
    """Return the files beside a project that are named like copies of it."""
    stem = re.escape(project.name.removesuffix(SUFFIX))
    copy = re.compile(rf"{stem}-\d{{8}}-\d{{6}}-\d+-\d+{re.escape(SUFFIX)}")
    with contextlib.suppress(OSError):
        return [file for file in project.parent.iterdir() if copy.fullmatch(file.name)]
    return []


def _words(path: Path, content: bytes) -> str:
    """Return a summary such as ``Cranfield: 12 judgments, 3 notes``. Collections without unsaved work are named only if
    there is none at all. Raises ProjectError."""
    from irviewer.formats.salvage import read_damaged

    sections, _ = checked(read_damaged(path, content)[0])
    summaries = []
    for data in sections.get("collections", ()):
        judged = sum(len(judgments.get("judged", ())) for judgments in data.get("judgments", ()))
        notes = sum(len(rows) for rows in data.get("remarks", {}).values())
        examined = len(data.get(FAILURE_TAGS, {}).get("examined", ()))
        edited = sum(len(run.get("edited", {}).get("lists", ())) for run in data.get("runs", ()))
        labels = sum(
            len(each.get("nuggets", ())) + len(each.get("citations", ()))
            for run in data.get("runs", ())
            for each in run.get("labels", {}).get("topics", {}).values()
        )
        sets = len(data.get("query sets", ()))
        parts = [
            trn("{n:,} judgment", "{n:,} judgments", judged) if judged else "",
            trn("{n:,} note", "{n:,} notes", notes) if notes else "",
            trn("{n:,} label of answers", "{n:,} labels of answers", labels) if labels else "",
            trn("{n:,} examined failure", "{n:,} examined failures", examined) if examined else "",
            trn("{n:,} edited list", "{n:,} edited lists", edited) if edited else "",
            trn("{n:,} query set", "{n:,} query sets", sets) if sets else "",
        ]
        if any(parts):
            summaries.append(tr("{collection}: {changes}", collection=data.get("name", ""), changes=listed(parts)))
    names = [str(data.get("name", "")) for data in sections.get("collections", ())]
    return listed_clauses(summaries) or listed(names)
