"""What the window asks about failures: where the worklist goes. A part of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files import SaveDialog
from irviewer.gui.theme import Theme
from irviewer.session.messages import error

if TYPE_CHECKING:
    from irviewer.gui.dialogs.desk import Desk
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session

KINDS = (("Pool", ".tsv"), ("CSV table", ".csv"))


class FindingQuestions:
    """Made with the desk; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, window: MainWindow, desk: Desk) -> None:
        self._session = session
        self._theme = theme
        self._window = window
        self._desk = desk

    def save_worklist(self) -> None:
        """Where the worklist goes."""
        folder = self._session.file_folder()
        self._desk.show(SaveDialog(self._window, "Save worklist as pool", folder, "pool", KINDS, self._save))

    def _save(self, path: str) -> None:
        try:
            self._session.save_worklist(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))
