"""Whether the files that are open are on disk as they were read: asked by a look at their size and time, no more.

Somebody else says when to look; no thread and no timer stands here. Knows paths, no collection and no message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Stamp:
    """What tells one state of a file from another: size in bytes, time of the last change in ns, and the file itself,
    so that one that was put in its place with the same time and size is noticed."""

    size: int
    changed: int
    inode: int


def stamp(path: str) -> Stamp | None:
    """The file's state now; None where it is not there, or is no file (standard input, a dataset)."""
    try:
        about = Path(path).stat()
    except (OSError, ValueError):
        return None
    return Stamp(about.st_size, about.st_mtime_ns, about.st_ino)


class DiskWatch:
    """The files that were read, each with its stamp from before it was read."""

    def __init__(self) -> None:
        self._read: dict[str, Stamp] = {}
        self._seen: dict[str, Stamp | None] = {}
        self._changed: dict[str, None] = {}
        self._gone: dict[str, None] = {}

    @property
    def changed(self) -> tuple[str, ...]:
        """Files that are otherwise than they were read, in the order in which that was noticed."""
        return tuple(self._changed)

    @property
    def gone(self) -> tuple[str, ...]:
        """Files that are not there any more."""
        return tuple(self._gone)

    def note(self, path: str, when_read: Stamp | None) -> None:
        """A file was read, and this is how it was just before."""
        self._changed.pop(path, None)
        self._gone.pop(path, None)
        self._seen.pop(path, None)
        if when_read is None:
            self._read.pop(path, None)
        else:
            self._read[path] = when_read

    def of(self, paths: Iterable[str]) -> list[str]:
        """Those of the files that were read, each once."""
        return [path for path in dict.fromkeys(paths) if path in self._read]

    def look(self, found: Mapping[str, Stamp | None]) -> bool:
        """How the files that are open are now; True where there is something else to tell than before.

        A file that is being written changes from look to look: it is told when it has rested for one."""
        before = (self.changed, self.gone)
        for told in (self._changed, self._gone):
            for path in set(told) - set(found):
                del told[path]
        for path, now in found.items():
            if path not in self._read:
                continue  # closed, or read anew, while somebody looked
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
