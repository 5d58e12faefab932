"""What the window asks about files: which to open, as what to read one, where they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.formats.doctor import Treatment
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.files.doctor import DoctorDialog
from irviewer.gui.dialogs.files.open_as import OpenAsDialog
from irviewer.gui.theme import Theme
from irviewer.session.messages import error

if TYPE_CHECKING:
    from irviewer.gui.dialogs.host import DialogHost, HostWindow
    from irviewer.session.session import Session


class FileQuestions:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, window: HostWindow, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._window = window
        self._host = host

    def open_as(self) -> None:
        """Choose a file, then say what it is."""
        folder = self._session.saving.file_folder()
        self._host.show(OpenFilesDialog(self._window, folder, self._ask_as, title="Open one file as…", single=True))

    def examine(self) -> None:
        """The file doctor: what the open files hold, what is odd in them, and what can be done."""
        self._host.show(DoctorDialog(self._session, self._theme, self._window, self.read_as))

    def read_as(self, path: str) -> None:
        """Say what a file is that is open."""
        now = self._session.files.treatment_of(path) or Treatment()
        self._host.show(OpenAsDialog(self._session, self._theme, path, now, self._window))

    def _ask_as(self, paths: list[str]) -> None:
        if paths:
            self.read_as(paths[0])


# What the window asks about failures: where the worklist goes.

KINDS = (("Pool", ".tsv"), ("CSV table", ".csv"))


class FindingQuestions:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, window: HostWindow, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._window = window
        self._host = host

    def save_worklist(self) -> None:
        """Where the worklist goes."""
        folder = self._session.saving.file_folder()
        self._host.show(SaveDialog(self._window, "Save worklist as pool", folder, "pool", KINDS, self._save))

    def _save(self, path: str) -> None:
        try:
            self._session.failures.save_worklist(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))
