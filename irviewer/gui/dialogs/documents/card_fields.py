"""The dialog for the columns that a document card shows.

It uses the session's methods and knows no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.session.text.card_template import TemplateError, parse_template
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class CardFieldsDialog(QDialog):
    """Edits the template of the card. OK is disabled, and the reason shown, while the template is invalid."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Document fields"))
        self._session = session
        self.line = QLineEdit(str(session.settings["card_fields"]))
        self.line.setMinimumWidth(460)
        self.line.setPlaceholderText(tr("all columns, in the order of the file"))
        self.line.setAccessibleName(tr("Fields"))
        self.line.selectAll()
        collection = session.view.collection
        documents = None if collection is None else collection.documents
        names = ", ".join(documents.attributes) if documents is not None else ""
        self.columns = PlainLabel(
            tr("Columns of these documents: {names}", names=names) if names else tr("These documents have no columns.")
        )
        self.columns.setWordWrap(True)
        help_text = PlainLabel(
            tr(
                "Column names in the order of display. * stands for the other columns, -name hides a column. "
                "title=, text= and picture= choose the columns of these parts. Example: url, price, picture=image, *"
            )
        )
        help_text.setWordWrap(True)
        self.trouble = WarningLabel(theme)
        for label in (help_text, self.columns):
            label.setFont(theme.font(9))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.line.textChanged.connect(self._on_text_changed)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(PlainLabel(tr("Fields of the document card:")))
        for widget in (self.line, help_text, self.columns, self.trouble, buttons):
            layout.addWidget(widget)

    def _on_text_changed(self, text: str) -> None:
        trouble = ""
        try:
            parse_template(text)
        except TemplateError as error:
            trouble = str(error)
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        self._session.appearance.set_card_fields(self.line.text().strip())
