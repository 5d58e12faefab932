"""Writing a file that the user asked for, in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from irviewer.session.messages import info
from irviewer.session.store import Store
from irviewer.session.tasks import Progress

FINISHING = 5.0
"""Seconds that whoever closes the window waits for files that are being saved before they are asked."""


class FileSaving:
    """Writes files and remembers their folder."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tasks = store.tasks
        self._settings = store.settings

    def file_folder(self) -> str:
        """The folder that the next file dialog begins in, "" the first time."""
        return str(self._settings["last_folder"])

    def save_file(self, path: str, write: Callable[[str], object]) -> None:
        """Have ``write(path)`` write a file in the background, and say what became of it."""
        self._settings["last_folder"] = str(Path(path).resolve().parent)

        def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
            progress(None)
            write(path)

        def done(_: None) -> None:
            self._store.say(info(f"Saved {path}"))

        title = f"Saving {Path(path).name}"
        self._tasks.submit(f"save {path}", work, done, self._store.on_failure, title=title, writes=True)

    def finish_files(self) -> tuple[str, ...]:
        """Wait a moment for files that are being saved; a line for each that is not on the disk then, and why. Whoever
        closes the window is asked."""
        return self._tasks.finish_writing(FINISHING)
