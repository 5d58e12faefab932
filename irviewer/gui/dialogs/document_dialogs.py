"""What the window tells about the selected document, and which of its columns it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.dialogs.card_fields import CardFieldsDialog
from irviewer.gui.dialogs.documents_above import DocumentsAboveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.theme import Theme
from irviewer.session.messages import info

if TYPE_CHECKING:
    from irviewer.session.session import Session


class DocumentDialogs:
    """Made with the window; each method asks or tells one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def documents_above(self) -> None:
        """What stands above the selected document."""
        view_model = self._session.documents.why_not_view_model()
        if view_model is None:
            self._session.say(info("Select a document first: what stands above it is told of one."))
        else:
            self._host.show_dialog(DocumentsAboveDialog(self._session, self._theme, self._host.window(), view_model))

    def card_fields(self) -> None:
        """Which columns a document card shows."""
        self._host.show_dialog(CardFieldsDialog(self._session, self._theme, self._host.window()))
