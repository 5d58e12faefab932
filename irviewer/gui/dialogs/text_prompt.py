"""A dialog that asks for a line of text, such as a name.

It knows no session: callbacks check and take the text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.warning_label import WarningLabel

LEAST_WIDE, MOST_WIDE = 340, 480
"""The least width of the line in pixels, and the width from which the question is wrapped."""


class LineDialog(QDialog):
    """A line of text. ``trouble_of`` returns why a text is invalid, or ""; ``accept_text`` takes a valid one."""

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        title: str,
        question: str,
        text: str,
        trouble_of: Callable[[str], str],
        accept_text: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._trouble_of = trouble_of
        self._accept_text = accept_text
        self.line = QLineEdit(text)
        self.line.setMinimumWidth(LEAST_WIDE)
        self.line.selectAll()
        self.line.setAccessibleName(question)
        self.trouble = WarningLabel(theme)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.line.textChanged.connect(self._on_text_changed)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(self._wrapped(question))
        for widget in (self.line, self.trouble, buttons):
            layout.addWidget(widget)
        self.ok.setEnabled(not trouble_of(text.strip()))

    @staticmethod
    def _wrapped(question: str) -> PlainLabel:
        """A question that takes a second line where it is long, so that the dialog is not wider than a window."""
        label = PlainLabel(question)
        wide = label.sizeHint().width()
        label.setWordWrap(True)
        label.setMinimumWidth(min(wide, MOST_WIDE))
        return label

    def _on_text_changed(self, text: str) -> None:
        trouble = self._trouble_of(text.strip())
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        self._accept_text(self.line.text().strip())
