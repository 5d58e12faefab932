"""The text of a segment beside the sentence that cites it; the words that both have are underlined."""

from __future__ import annotations

import re

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from irviewer.analysis.answers.words import words_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr, trn

_WORD = re.compile(r"\w+(?:['’]\w+)?")
MOST = 100_000
"""Letters of a text that are shown."""


class SegmentText(Panel):
    """A panel with the text of a segment, as plain text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Segment"))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setFont(theme.font(9))
        self.text.setAccessibleName(tr("Text of the segment"))
        self.text.setStyleSheet("QPlainTextEdit { border: 0; padding: 4px 8px; background: transparent }")
        self.text.viewport().setAutoFillBackground(False)
        self.set_body(self.text)
        self._shown = ("", "", "")

    def show_segment(self, document: str, text: str, sentence: str) -> None:
        """Show the text of a segment; "" where it is not open. ``sentence``: whose words are underlined."""
        if (document, text, sentence) == self._shown:
            return
        self._shown = (document, text, sentence)
        self.set_title(escape_hidden(document))
        set_tooltip(self, "")
        if not text:
            self.set_note("")
            self.text.setPlainText(tr("The text of this segment is not open. Open a file of the documents (JSON lines "
                                      "with id and text) to read it here."))  # fmt: skip
            self.text.setExtraSelections([])
            return
        shown = escape_hidden(text[:MOST], keep="\t\n")
        if len(text) > MOST:
            shown += "\n" + trn("… {n:,} more character", "… {n:,} more characters", len(text) - MOST)
        self.text.setPlainText(shown)
        wanted = words_of(sentence) if sentence else frozenset()
        selections: list[QTextEdit.ExtraSelection] = []
        shared: set[str] = set()
        for match in _WORD.finditer(shown):
            own = words_of(match.group()) & wanted
            if own:
                shared |= own
                selections.append(self._underlined(match.start(), match.end()))
        self.text.setExtraSelections(selections)
        n = len(shared)
        self.set_note(trn("{n:,} word of the sentence", "{n:,} words of the sentence", n) if sentence else "")

    def _underlined(self, start: int, stop: int) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(start)
        cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        underlined = QTextCharFormat()
        underlined.setFontUnderline(True)
        underlined.setFontWeight(600)
        selection.format = underlined
        return selection
