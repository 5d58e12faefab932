"""A dialog with a question, details, and a button for each answer.

It knows no session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.hidden_characters import escape_hidden

MARGIN = 18
MOST_LINES = 12
"""The number of lines of details that are visible without scrolling."""


@dataclass(frozen=True)
class Answer:
    """A button: title, action and tooltip. Enter presses the ``safe`` one."""

    title: str
    act: Callable[[], object]
    tip: str = ""
    safe: bool = False


class ChoosingDialog(QDialog):
    """The question. ``left`` is called if the dialog is closed without an answer (Cancel, Escape or ×)."""

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        title: str,
        headline: str,
        words: str,
        answers: Sequence[Answer],
        *,
        lines: Sequence[str] = (),
        left: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(escape_hidden(title))
        self._left = left
        self._chosen: Answer | None = None
        self.head = PlainLabel(headline)
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.words = PlainLabel(words)
        self.words.setFont(theme.font(9.5))
        self.words.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, 14)
        layout.setSpacing(12)
        layout.addWidget(self.head)
        layout.addWidget(self.words)
        self.lines = QPlainTextEdit("\n".join(lines))
        self.lines.setReadOnly(True)
        self.lines.setAccessibleName(headline)
        self.lines.setVisible(bool(lines))
        layout.addWidget(self.lines, 1)
        buttons = QDialogButtonBox()
        self.buttons: list[QPushButton] = []
        self._answers = {answer.title: answer for answer in answers}
        for answer in answers:
            button = QPushButton(answer.title)
            button.setProperty("irviewer_answer", answer.title)
            button.setAutoDefault(answer.safe)
            button.setDefault(answer.safe)
            set_tooltip(button, answer.tip)
            button.clicked.connect(self._on_clicked)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
            self.buttons.append(button)
        self.cancel = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.cancel.setAutoDefault(not any(answer.safe for answer in answers))
        self.cancel.setDefault(not any(answer.safe for answer in answers))
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.finished.connect(self._on_finished)
        open_within_screen(self, QSize(620, 170 + (40 + 19 * min(MOST_LINES, len(lines)) if lines else 0)))

    def choose(self, title: str) -> None:
        """Give the answer with this title."""
        self._chosen = self._answers[title]
        self.accept()

    def _on_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, QPushButton)
        self.choose(str(button.property("irviewer_answer")))

    def _on_finished(self) -> None:
        # Last, since an answer may open another dialog.
        if self._chosen is not None:
            self._chosen.act()
        elif self._left is not None:
            self._left()
