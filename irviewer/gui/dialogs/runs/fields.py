"""Dialogs about one run: its name, its colour. They ask, call the session, and are gone.

Knows the session's methods, no view."""

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

if TYPE_CHECKING:
    from irviewer.session.session import Session


KINDS = (("TREC run", ".run"), ("Columns with a head", ".tsv"))
"""What a run is saved as, and the suffix."""


class RenameDialog(QDialog):
    """A run's name in a line; an empty name or one that another run bears is not accepted, and it says why."""

    def __init__(self, session: Session, theme: Theme, key: int, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Rename run")
        self._session = session
        self._key = key
        labels = session.view.labels()
        self._name = next((label.name for label in labels if label.key == key), "")
        self._taken = {label.name for label in labels if label.key != key}
        self.line = QLineEdit(self._name)
        self.line.setMinimumWidth(340)
        self.line.selectAll()
        self.line.setAccessibleName("Name")
        self.trouble = PlainLabel(" ")
        self.trouble.setFont(theme.font(9))
        palette = self.trouble.palette()
        palette.setColor(self.trouble.foregroundRole(), theme["warning"])
        self.trouble.setPalette(palette)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText("Rename")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.line.textChanged.connect(self._on_text_changed)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(PlainLabel(f"Name of {self._name}, in every list, table and plot:"))
        layout.addWidget(self.line)
        layout.addWidget(self.trouble)
        layout.addWidget(buttons)

    def _on_text_changed(self, text: str) -> None:
        name = text.strip()
        trouble = "A run needs a name." if not name else "Another run has this name." if name in self._taken else ""
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        name = self.line.text().strip()
        if name and name != self._name:
            self._session.runs.rename_run(self._key, name)


class ColourDialog(QColorDialog):
    """A run's colour. Qt's own dialog, since the systems' ones cannot be tested or given a way back to the palette."""

    def __init__(self, session: Session, theme: Theme, key: int, window: QWidget) -> None:
        super().__init__(window)
        self.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        self._key = key
        label = next(label for label in session.view.labels() if label.key == key)
        self.setWindowTitle(f"Colour of {label.name}")
        for place, text in enumerate(theme.palette.runs):
            QColorDialog.setCustomColor(place, QColor(text))
        self.setCurrentColor(theme.run(label))
        self.back = QPushButton("Palette's colour")
        set_tooltip(self.back, "The colour it had when it was opened")
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
    """A name for the file of a run: letters, digits and what stands well between them."""
    kept = "".join(one if one.isalnum() or one in "-_.=" else " " for one in name)
    return "_".join(kept.split()) or "run"
