"""Messages about files that changed on disk or are gone, and reading them again. A part of the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.session.files.actions import FileService
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.import_result import origins
from irviewer.session.files.loading import requests_of
from irviewer.session.messages import Message, info, warning
from irviewer.session.shortcuts import keys
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr, trn

LOOK = "check files"
Stamps = dict[str, Stamp | None]
CHANGED, GONE = "read_changed", "file_gone"
"""Topics of the two messages: a newer message replaces the one before."""


class DiskService:
    """Watches open files for changes by other programs."""

    def __init__(self, store: Store, view: View, files: FileService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view
        self._files = files

    @property
    def changed_files(self) -> tuple[str, ...]:
        """The open files that have changed on disk since they were read."""
        return self._files.watch.changed

    def look_at_disk(self) -> None:
        """Check whether the open files have changed since they were read, and show a message about changes; when
        watching, read them again, and open what is new in opened folders. Takes microseconds per file and is called by
        a timer."""
        if self._store.busy is not None or self._tasks.under_way(LOOK):
            return  # files being read now are noted when they have been read
        paths = self._files.watch.of(
            [path for collection in self._view.workspace.collections for path in origins(collection)]
        )

        folders = self._files.watch.folders if self.is_watching else ()

        def work(progress: Progress) -> tuple[Stamps, dict[str, Stamps]]:
            inside = {
                folder: {request.path: stamp(request.path) for request in requests_of([folder])} for folder in folders
            }
            return {path: stamp(path) for path in paths}, inside

        def done(stamps: tuple[Stamps, dict[str, Stamps]]) -> None:
            if self._store.busy is not None:
                return
            arrived = self._files.watch.arrived(stamps[1])
            if self._files.watch.look(stamps[0]):
                self._tell_disk()
            if self.is_watching:
                self._files.open_again(self._files.watch.to_try())
            if arrived:
                self._files.open_new(arrived)

        # On a worker of its own: a disk that does not respond blocks only that.
        self._tasks.run(Operation(LOOK, work, done, quiet=True, reads=True))

    @property
    def is_watching(self) -> bool:
        """Whether files that change are read again, and new files of opened folders opened, without asking."""
        return bool(self._store.settings["watch_files"])

    def watch(self, on: bool) -> None:
        """Start or stop to watch, for this and later sessions."""
        self._store.settings["watch_files"] = on
        self._store.settings.save()
        if on:
            self.read_changed()

    def read_changed(self) -> None:
        """Read the changed files of all collections again; selection, names and colours are kept."""
        changed = self._files.watch.changed
        if changed:
            self._files.open_again(changed)

    def _tell_disk(self) -> None:
        messages = [message for message in self._view.messages if message.topic not in (CHANGED, GONE)]
        texts = {
            collection.documents.origin
            for collection in self._view.workspace.collections
            if collection.documents is not None and collection.documents.lost
        }
        messages += _gone(self._files.watch.gone, texts)
        messages += _changed(self._files.watch.changed, set(origins(self._view.collection)), texts)
        self._store.apply(replace(self._store.state, messages=tuple(messages)))


def _changed(paths: Sequence[str], in_view: set[str], texts: set[str]) -> list[Message]:
    if not paths:
        return []
    name = Path(paths[0]).name
    if in_view.issuperset(paths):
        text = trn(
            "{file} changed on disk. {key} reads it again.", "{n:,} files changed on disk. {key} reads them again.",
            len(paths), file=name, key=keys("reload"),
        )  # fmt: skip
    else:
        text = trn("{file} changed on disk.", "{n:,} files changed on disk.", len(paths), file=name)
    message = info(_with_unreadable(text, paths, texts), *(paths if len(paths) > 1 else ()))
    return [replace(message, topic=CHANGED, action="read_changed")]


def _gone(paths: Sequence[str], texts: set[str]) -> list[Message]:
    if not paths:
        return []
    text = trn(
        "{file} is no longer on disk. Its data stays open.",
        "{n:,} files are no longer on disk. Their data stays open.",
        len(paths), file=Path(paths[0]).name,
    )  # fmt: skip
    return [replace(warning(_with_unreadable(text, paths, texts), *paths), topic=GONE)]


def _with_unreadable(text: str, paths: Sequence[str], texts: set[str]) -> str:
    """Return the text, with a sentence about documents that cannot be read if a path is a file of such documents."""
    if texts.isdisjoint(paths):
        return text
    return tr("{message} Documents that were not displayed before can no longer be read.", message=text)
