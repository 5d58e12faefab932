"""Recovery files: work without a project, kept in the system's folder for program data until it is saved or discarded;
and copies of work that could not be saved, in the first folder that can be written to.

A file belongs to the window that holds its lock; a file without a lock was left by a window that was killed, or closed
before its work was saved. Knows files, no session."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import platformdirs

from irviewer.formats.project_file import SUFFIX, ProjectError, project_data, write_project
from irviewer.session.projects.locks import locked
from irviewer.session.projects.project import Snapshot
from irviewer.session.projects.saving import write_beside
from irviewer.session.projects.schema import checked
from irviewer.session.settings import DIRECTORY_VARIABLE, Settings
from irviewer.translation import listed, listed_clauses, tr, trn


@dataclass(frozen=True)
class UnsavedWork:
    """Unsaved work: its file, the time of its last change (seconds since 1970), and a summary; ``project``: the project
    file beside it, if the work could not be saved in that."""

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
    """Where copies of what could not be saved are put if not there: the home folder, then the system's folder for what
    is temporary."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    folders = []
    with contextlib.suppress(RuntimeError):  # a user without a home
        folders.append(Path.home() / "irviewer-recovery")
    with contextlib.suppress(OSError):
        folders.append(Path(tempfile.gettempdir()) / f"irviewer-recovery-{user}")
    return tuple(folders)


class Recovery:
    """The files of these folders, as one window sees them. ``folder`` None: nothing may be kept at all."""

    def __init__(self, folder: Path | None, others: tuple[Path, ...] = ()) -> None:
        self._folder = folder
        self._others = () if folder is None else others
        self._locks: dict[Path, IO[bytes]] = {}
        self._copies: dict[Path, Path] = {}  # file that could not be written -> the copy
        self._texts: dict[Path, str] = {}

    @property
    def allowed(self) -> bool:
        """Whether anything may be written outside of a project's folder."""
        return self._folder is not None

    @property
    def nowhere(self) -> Path | None:
        """The file that work without a project would be in, where no file of this window's own can be made; None where
        nothing may be kept."""
        return None if self._folder is None else self._folder / f"unsaved-{os.getpid()}{SUFFIX}"

    def claim(self) -> Path | None:
        """A new file of this window's own, not there yet; None where nothing may or can be kept."""
        return None if self._folder is None else self._claim(self._folder)

    def rescue(self, snapshot: Snapshot) -> Path | None:
        """Write a copy of what could not be saved to its own file, to the first place that takes it, and from then on
        there. None where none does."""
        if self._folder is None:
            return None
        for path in self._places(snapshot.path):
            with contextlib.suppress(Exception):  # the last that is tried: whatever fails, the next place may do
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
        """What belongs into that file is in it: no copy is needed any more."""
        copy = self._copies.pop(path, None)
        if copy is not None:
            self.discard(copy)

    def left(self) -> tuple[UnsavedWork, ...]:
        """What other windows have left, the newest first. What cannot be read is left out, and stays where it is."""
        works = []
        for folder in () if self._folder is None else (self._folder, *self._others):
            if not folder.is_dir():
                continue
            for path in folder.glob(f"*{SUFFIX}"):
                if path in self._locks or not self._is_free(path):
                    continue
                with contextlib.suppress(ProjectError, OSError):
                    works.append(UnsavedWork(path, path.stat().st_mtime, _words(path)))
        return tuple(sorted(works, key=lambda work: -work.when))

    def left_beside(self, project: Path) -> tuple[UnsavedWork, ...]:
        """What could not be saved in a project, and nowhere but beside it, the newest first. May be called on any
        thread."""
        works = []
        for path in () if self._folder is None else _beside(project):
            if path not in self._locks and self._is_free(path):
                with contextlib.suppress(ProjectError, OSError):
                    works.append(UnsavedWork(path, path.stat().st_mtime, _words(path), str(project)))
        return tuple(sorted(works, key=lambda work: -work.when))

    def adopt(self, path: Path) -> bool:
        """Make work that was left this window's own; False where another window was quicker."""
        with contextlib.suppress(OSError):
            return self._hold(path)
        return False

    def holds(self, path: Path) -> bool:
        """True for a file that is this window's own."""
        return path in self._locks

    def discard(self, path: Path) -> None:
        """Throw a file away: its work is in a project, or nobody wants it."""
        with contextlib.suppress(OSError):
            path.unlink()
        if list(path.parent.glob(f"{path.name}-*")):
            from irviewer.formats.reading.derived_run import discard_kept

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

    def _places(self, path: Path) -> Iterator[Path]:
        """Files of this window's own in one place after the other, but the one that ``path`` is in; the last is beside
        it."""
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
            if folder in self._others and not _is_own(folder):
                return None
            stem = f"{prefix}{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            for number in range(1000):
                path = folder / f"{stem}-{number}{SUFFIX}"
                if not path.exists() and self._hold(path):
                    return path
        return None

    def _hold(self, path: Path) -> bool:
        lock = path.with_suffix(".lock").open("ab")
        if locked(lock.fileno()) is not True:
            lock.close()
            return False
        self._locks[path] = lock
        return True

    def _is_free(self, path: Path) -> bool:
        lock = path.with_suffix(".lock")
        if not lock.exists():
            return True  # without creating a lock file beside a project
        for mode in ("ab", "rb"):  # work in a folder that cannot be written to can be read nevertheless
            try:
                with lock.open(mode) as file:
                    return locked(file.fileno()) is True  # closing it gives the lock back
            except FileNotFoundError:
                return True
            except OSError:
                continue
        return False


def _is_own(folder: Path) -> bool:
    """Return True for a folder of the user's own: in a shared folder anybody could have created it."""
    about = folder.lstat()
    return not hasattr(os, "getuid") or (stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid())


def _beside(project: Path) -> list[Path]:
    """Return the files beside a project that have names of its copies."""
    stem = re.escape(project.name.removesuffix(SUFFIX))
    copy = re.compile(rf"{stem}-\d{{8}}-\d{{6}}-\d+-\d+{re.escape(SUFFIX)}")
    with contextlib.suppress(OSError):
        return [file for file in project.parent.iterdir() if copy.fullmatch(file.name)]
    return []


def _words(path: Path) -> str:
    """Return a summary such as ``Cranfield: 12 judgments, 3 notes``, without collections that have no work if others
    do. Raises ProjectError."""
    from irviewer.formats.salvage import read_damaged

    sections, _ = checked(read_damaged(path, project_data(path))[0])
    summaries = []
    for data in sections.get("collections", ()):
        judged = sum(len(judgments.get("judged", ())) for judgments in data.get("judgments", ()))
        notes = sum(len(rows) for rows in data.get("remarks", {}).values())
        edited = sum(len(run.get("edited", {}).get("lists", ())) for run in data.get("runs", ()))
        sets = len(data.get("query sets", ()))
        parts = [
            trn("{n:,} judgment", "{n:,} judgments", judged) if judged else "",
            trn("{n:,} note", "{n:,} notes", notes) if notes else "",
            trn("{n:,} edited list", "{n:,} edited lists", edited) if edited else "",
            trn("{n:,} query set", "{n:,} query sets", sets) if sets else "",
        ]
        if any(parts):
            summaries.append(tr("{collection}: {changes}", collection=data.get("name", ""), changes=listed(parts)))
    names = [str(data.get("name", "")) for data in sections.get("collections", ())]
    return listed_clauses(summaries) or listed(names)
