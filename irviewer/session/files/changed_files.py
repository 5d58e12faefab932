"""Detection of open files that changed on disk, by their size and time.

The caller decides when to check; there are no threads and timers here. Knows paths, no collection and no message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from irviewer.formats.parts import parts_of


@dataclass(frozen=True)
class Stamp:
    """The state of a file: size in bytes, time of the last change in ns, and inode, so that a replacement of the same
    size and time is noticed."""

    size: int
    changed: int
    inode: int


def stamp(path: str) -> Stamp | None:
    """Return the file's present state; None if it does not exist or is no file (standard input, a dataset)."""
    try:
        about = Path(path).stat()
    except (OSError, ValueError):
        return _stamp_of_parts(path) if "*" in path else None
    if not S_ISREG(about.st_mode):  # a folder or a pipe in its place
        return None
    return Stamp(about.st_size, about.st_mtime_ns, about.st_ino)


def _stamp_of_parts(path: str) -> Stamp | None:
    """Return the state of all parts of a run: their size, the last change, and a sum that a new part changes."""
    stamps = [each for each in map(stamp, parts_of(path)) if each is not None]
    if not stamps:
        return None
    return Stamp(
        sum(each.size for each in stamps), max(each.changed for each in stamps), sum(each.inode for each in stamps)
    )


class DiskWatch:
    """The files that were read, each with its stamp from before it was read."""

    def __init__(self) -> None:
        self._read: dict[str, Stamp] = {}
        self._seen: dict[str, Stamp | None] = {}
        self._changed: dict[str, None] = {}
        self._tried: dict[str, Stamp | None] = {}
        self._gone: dict[str, None] = {}
        self._folders: dict[str, set[str]] = {}
        self._of_collections: set[str] = set()
        self._arriving: dict[str, Stamp] = {}

    @property
    def changed(self) -> tuple[str, ...]:
        """Files that changed since they were read, in the order in which that was noticed."""
        return tuple(self._changed)

    def to_try(self) -> tuple[str, ...]:
        """Return the changed files that were not returned in their present state before: what cannot be read is read
        again when it changes."""
        untried = object()
        paths = tuple(path for path in self._changed if self._tried.get(path, untried) != self._seen[path])
        self._tried.update((path, self._seen[path]) for path in paths)
        return paths

    @property
    def gone(self) -> tuple[str, ...]:
        """Files that no longer exist."""
        return tuple(self._gone)

    def note(self, path: str, when_read: Stamp | None) -> None:
        """Record that a file was read, with its state just before."""
        self._changed.pop(path, None)
        self._gone.pop(path, None)
        self._seen.pop(path, None)
        self._tried.pop(path, None)
        if when_read is None:
            self._read.pop(path, None)
        else:
            self._read[path] = when_read

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that were opened as a whole."""
        return tuple(self._folders)

    @property
    def folders_of_collections(self) -> tuple[str, ...]:
        """The opened folders that hold several collections."""
        return tuple(folder for folder in self._folders if folder in self._of_collections)

    def note_folder(self, folder: str, files: Iterable[str], *, of_collections: bool) -> None:
        """Record that a folder was opened, with the files it had, as several collections or file by file."""
        self._folders.setdefault(folder, set()).update(files)
        if of_collections:
            self._of_collections.add(folder)
        else:
            self._of_collections.discard(folder)

    def arrived(self, files: Mapping[str, Mapping[str, Stamp | None]]) -> list[str]:
        """Return the files of opened folders that are new and complete, each once: a file is complete when it is the
        same at two checks. ``files``: folder -> path -> stamp."""
        complete = []
        for folder, stamps in files.items():
            known = self._folders.get(folder)
            if known is None:
                continue
            for path in stamps.keys() - known:
                now = stamps[path]
                if now is not None and self._arriving.get(path) == now:
                    del self._arriving[path]
                    known.add(path)
                    complete.append(path)
                elif now is not None:
                    self._arriving[path] = now
        return sorted(complete)

    def time_of(self, path: str) -> str:
        """Return the time of the version of a file that was read, ISO 8601 in UTC; "" if unknown."""
        read = self._read.get(path)
        if read is None:
            return ""
        return datetime.fromtimestamp(read.changed / 1e9, UTC).isoformat(timespec="microseconds")

    def of(self, paths: Iterable[str]) -> list[str]:
        """Return the paths that were read, each once."""
        return [path for path in dict.fromkeys(paths) if path in self._read]

    def look(self, stamps: Mapping[str, Stamp | None]) -> bool:
        """Update the present states of the open files; return True if ``changed`` or ``gone`` changed.

        A file that is being written changes at each check: it is reported when it is the same at two checks."""
        before = (self.changed, self.gone)
        for reported in (self._changed, self._gone):
            for path in set(reported) - set(stamps):
                del reported[path]
        for path, now in stamps.items():
            if path not in self._read:
                continue  # closed or reloaded during the check
            rested = path in self._seen and self._seen[path] == now
            self._seen[path] = now
            if now == self._read[path]:
                self._changed.pop(path, None)
                self._gone.pop(path, None)
            elif rested and now is None:
                self._changed.pop(path, None)
                self._gone[path] = None
            elif rested:
                self._gone.pop(path, None)
                self._changed[path] = None
        return before != (self.changed, self.gone)
