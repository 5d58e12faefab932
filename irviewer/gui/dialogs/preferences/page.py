"""What the pages of the preferences share: a form of rows, and the trouble with their contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip

FIELD_WIDTH = 380


class Page(QWidget):
    """A page of the preferences: labelled fields, with a remark below. ``changed`` is sent when a field changes."""

    changed = Signal()

    def __init__(self, theme: Theme, remark: str = "") -> None:
        super().__init__()
        self.theme = theme
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(18)
        self.form.setVerticalSpacing(9)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        self._layout.addLayout(self.form)
        if remark:
            label = PlainLabel(remark)
            label.setWordWrap(True)
            label.setFont(theme.font(9))
            self._layout.addWidget(label)
        self._layout.addStretch(1)

    def trouble(self) -> str:
        """Return why the contents are invalid, or ""."""
        return ""

    def add_row(self, title: str, field: QWidget, tip: str = "") -> None:
        """Add a field with its label."""
        label = PlainLabel(title)
        label.setBuddy(field)
        field.setAccessibleName(title)
        if tip:
            set_tooltip(label, tip)
            set_tooltip(field, tip)
        self.form.addRow(label, field)

    def add_choice(self, title: str, choices: Mapping[str, str], chosen: str) -> QComboBox:
        """Add a field with choices by value, and return it."""
        box = QComboBox()
        for value, text in choices.items():
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.setFixedWidth(FIELD_WIDTH)
        box.currentIndexChanged.connect(self.changed)
        self.add_row(title, box)
        return box

    def add_line(self, title: str, text: str, tip: str = "", width: int = FIELD_WIDTH) -> QLineEdit:
        """Add a field for a text, and return it."""
        line = QLineEdit(text)
        line.setFixedWidth(width)
        line.textChanged.connect(self.changed)
        self.add_row(title, line, tip)
        return line


def chosen_in(box: QComboBox) -> str:
    """Return the value that is chosen."""
    return str(box.currentData())


def first_trouble(troubles: Sequence[str]) -> str:
    return next((trouble for trouble in troubles if trouble), "")
