"""What the window asks about notes: the selected query's, the selected document's. A part of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.dialogs.note import NoteDialog
from irviewer.gui.theme import Theme
from irviewer.session.messages import info

if TYPE_CHECKING:
    from irviewer.gui.dialogs.desk import Desk
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session


class NoteQuestions:
    """Made with the desk; each method opens one note."""

    def __init__(self, session: Session, theme: Theme, window: MainWindow, desk: Desk) -> None:
        self._session = session
        self._theme = theme
        self._window = window
        self._desk = desk

    def query(self) -> None:
        """The selected query's."""
        session = self._session
        if session.query_id:
            self._desk.show(NoteDialog(session, self._theme, "query", session.query_id, self._window))

    def document(self) -> None:
        """The selected document's."""
        session = self._session
        if session.document_id is None:
            session.say(info("No document is selected: select one to write a note about it."))
            return
        self._desk.show(NoteDialog(session, self._theme, "document", session.document_id, self._window))
