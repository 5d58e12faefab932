"""The dialogs about documents: those ranked above one, the fields of the card and of the lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.dialogs.documents.card_fields import CardFieldsDialog
from irviewer.gui.dialogs.documents.documents_above import DocumentsAboveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import CommandSource
from irviewer.gui.theme import Theme
from irviewer.session.messages import info
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class DocumentDialogs:
    """Opens the dialogs about documents. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def documents_above(self) -> None:
        """Show the documents ranked above the selected one."""
        view_model = self._session.documents.why_not_view_model()
        if view_model is None:
            self._session.say(info(tr("No document is selected. Select one to see the documents ranked above it.")))
        else:
            self._host.show_dialog(DocumentsAboveDialog(self._session, self._theme, self._host.window(), view_model))

    def card_fields(self) -> None:
        """Ask for the columns that a document card shows."""
        self._host.show_dialog(CardFieldsDialog(self._session, self._theme, self._host.window()))

    def list_fields(self) -> None:
        """Ask for the fields of documents in the ranked lists. The list stays open."""
        question = tr("Show or hide fields of documents in the ranked lists")
        self._host.picker.pick_from(CommandSource(self._session, "listfield ", question, stays=True))
