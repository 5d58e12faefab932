"""The dialogs for the name and the colour of a run.

They use the session's methods and know no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QColorDialog,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


KINDS = ((tr("TREC run"), ".run"), (tr("Table with column names"), ".tsv"))
"""The formats that a run is saved in, with their suffixes."""


class RenameDialog(QDialog):
    """Asks for the name of a run, and shows why a name is invalid (empty or in use)."""

    def __init__(self, session: Session, theme: Theme, key: int, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Rename run"))
        self._session = session
        self._key = key
        labels = session.view.labels()
        self._name = next((label.whole_name for label in labels if label.key == key), "")
        self._taken = {label.whole_name for label in labels if label.key != key}
        self.line = QLineEdit(self._name)
        self.line.setMinimumWidth(340)
        self.line.selectAll()
        self.line.setAccessibleName(tr("Name"))
        self.trouble = WarningLabel(theme)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Rename"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.line.textChanged.connect(self._on_text_changed)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(PlainLabel(tr("New name of {run}:", run=self._name)))
        layout.addWidget(self.line)
        layout.addWidget(self.trouble)
        layout.addWidget(buttons)

    def _on_text_changed(self, text: str) -> None:
        name = text.strip()
        trouble = ""
        if not name:
            trouble = tr("A run needs a name.")
        elif name in self._taken:
            trouble = tr("Another run has this name.")
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        name = self.line.text().strip()
        if name and name != self._name:
            self._session.runs.rename_run(self._key, name)


class ColourDialog(QColorDialog):
    """Asks for the colour of a run. It is Qt's dialog, since native ones cannot be tested or have a reset button."""

    def __init__(self, session: Session, theme: Theme, key: int, window: QWidget) -> None:
        super().__init__(window)
        self.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        self._key = key
        label = next(label for label in session.view.labels() if label.key == key)
        self.setWindowTitle(tr("Colour of {run}", run=label.name))
        for index, text in enumerate(theme.palette.runs):
            QColorDialog.setCustomColor(index, QColor(text))
        self.setCurrentColor(theme.run(label))
        self.back = QPushButton(tr("Default colour"))
        set_tooltip(self.back, tr("Use the colour of the palette again"))
        self.back.setEnabled(label.colour is not None)
        box = self.findChild(QDialogButtonBox)
        if isinstance(box, QDialogButtonBox):
            box.addButton(self.back, QDialogButtonBox.ButtonRole.ResetRole)
        self.back.clicked.connect(self._on_back_clicked)
        self.colorSelected.connect(self._on_colour_selected)

    def _on_back_clicked(self) -> None:
        self._session.runs.recolour_run(self._key, None)
        self.reject()

    def _on_colour_selected(self, chosen: QColor) -> None:
        self._session.runs.recolour_run(self._key, chosen.name())


def file_name(name: str) -> str:
    """Return a file name for a run: letters, digits and a few other characters."""
    kept = "".join(character if character.isalnum() or character in "-_.=" else " " for character in name)
    return "_".join(kept.split()) or "run"
