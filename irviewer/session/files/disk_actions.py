"""What a person is told of files that changed on disk or are gone, and reading those again. A part of the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.session.files.actions import FileService
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.import_result import origins
from irviewer.session.messages import Message, info, warning
from irviewer.session.shortcuts import keys
from irviewer.session.store import Store
from irviewer.session.tasks import Progress
from irviewer.session.view import View

LOOK = "look at the disk"
CHANGED, GONE = "read_changed", "file_gone"
"""Topics of the two messages: a newer one takes the place of the one before."""

UNREAD = "documents that were not shown before can no longer be read"
"""Said of a file whose texts stay in it until they are asked for."""


class DiskService:
    """Watches open files for changes by other programs."""

    def __init__(self, store: Store, view: View, files: FileService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view
        self._files = files

    @property
    def changed_files(self) -> tuple[str, ...]:
        """The open files that are on disk otherwise than they were read."""
        return self._files.watch.changed

    def look_at_disk(self) -> None:
        """Look whether the open files are as they were read, and say what is new; costs microseconds a file. Whoever
        has a clock calls this now and then; nothing is read again that was not asked for."""
        if self._store.busy is not None or self._tasks.under_way(LOOK):
            return  # what is being read now is noted when it is there
        paths = self._files.watch.of([path for one in self._view.workspace.collections for path in origins(one)])

        def work(progress: Progress, cancelled: object) -> dict[str, Stamp | None]:
            return {path: stamp(path) for path in paths}

        def done(found: dict[str, Stamp | None]) -> None:
            if self._store.busy is None and self._files.watch.look(found):
                self._tell_disk()

        # On a worker of its own: a disk that does not answer keeps it, and nobody else.
        self._tasks.submit(LOOK, work, done, self._store.on_failure, quiet=True, reads=True)

    def read_changed(self) -> None:
        """Read the changed files again, whichever collection they belong to; selection, names and colours stay."""
        changed = self._files.watch.changed
        if changed:
            self._files.open_again(changed)

    def _tell_disk(self) -> None:
        told = [one for one in self._view.messages if one.topic not in (CHANGED, GONE)]
        texts = {
            one.documents.origin
            for one in self._view.workspace.collections
            if one.documents is not None and one.documents.lost
        }
        told += _gone(self._files.watch.gone, texts)
        told += _changed(self._files.watch.changed, set(origins(self._view.collection)), texts)
        self._store.apply(replace(self._store.state, messages=tuple(told)))


def _changed(paths: Sequence[str], in_view: set[str], texts: set[str]) -> list[Message]:
    if not paths:
        return []
    names = [Path(one).name for one in paths]
    what = f"{names[0]} changed" if len(names) == 1 else f"{len(names):,} files changed"
    key = f"{keys('reload')} reads {'it' if len(names) == 1 else 'them'} again"
    how = f": {key}" if in_view.issuperset(paths) else ""
    lost = "" if texts.isdisjoint(paths) else f"; {UNREAD}"
    message = info(f"{what} on disk{how}{lost}", *(paths if len(paths) > 1 else ()))
    return [replace(message, topic=CHANGED, action="read_changed")]


def _gone(paths: Sequence[str], texts: set[str]) -> list[Message]:
    if not paths:
        return []
    names = [Path(one).name for one in paths]
    what = f"{names[0]} is" if len(names) == 1 else f"{len(names):,} files are"
    lost = "" if texts.isdisjoint(paths) else f"; {UNREAD}"
    stays = f"what was read of {'it' if len(names) == 1 else 'them'} stays"
    message = warning(f"{what} no longer on disk: {stays}{lost}", *paths)
    return [replace(message, topic=GONE)]
