"""Saves files in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from irviewer.session.messages import info
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.translation import decimal_points, tr

FINISHING = 5.0
"""Seconds that closing the window waits for files being saved before it asks the user."""


class FileSaving:
    """Saves files and remembers their folder."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tasks = store.tasks
        self._settings = store.settings

    def file_folder(self) -> str:
        """The initial folder of the next file dialog; "" the first time."""
        return str(self._settings["last_folder"])

    def save_file(self, path: str, write: Callable[[str], object], said: str = "") -> None:
        """Call ``write(path)`` in the background, where numbers have decimal points, then show the message ``said``, or
        that it was saved."""
        self._settings["last_folder"] = str(Path(path).resolve().parent)

        def work(progress: Progress) -> None:
            progress(None)
            with decimal_points():
                write(path)

        def done(_: None) -> None:
            self._store.say(info(said or tr("Saved {path}", path=path)))

        title = tr("Saving {file}", file=Path(path).name)
        self._tasks.run(Operation(f"save {path}", work, done, title=title, writes=True))

    def finish_files(self) -> tuple[str, ...]:
        """Wait briefly for files that are being saved. Return a line with the reason for each that is not saved."""
        return self._tasks.finish_writing(FINISHING)
