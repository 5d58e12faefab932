"""Labels and tooltips whose text is never interpreted as markup.

Qt guesses whether a text is HTML, and HTML in a label or a tooltip can name files that Qt then opens. So every label of
the window is a :class:`PlainLabel`, every tooltip goes through :func:`set_tooltip` or :func:`show_tooltip`, and HTML is
shown by :class:`HtmlLabel`, whose data must be escaped. A test checks this."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr

MOST_SHOWN = 2000
"""The number of characters that a label or tooltip shows, since the layout of a million takes seconds."""

LEFT_TO_RIGHT = "\u200e"
"""An invisible letter of that direction."""


def visible(text: str) -> str:
    """The text with hidden characters as escapes; cut where it is longer than MOST_SHOWN."""
    if len(text) > MOST_SHOWN:
        text = tr("{beginning}… ({length:,} characters)", beginning=text[:MOST_SHOWN], length=len(text))
    return escape_hidden(text, keep="\t\n")


class KeptColours(QLabel):
    """A label that keeps its colours until another theme: the application's style sheet takes those of a label back
    that was measured before it gets another parent."""

    _colours: QPalette | None = None
    _theme_colours = 0
    """The key of the application's colours when it took its own."""

    def setPalette(self, palette: QPalette | Qt.GlobalColor | QColor, /) -> None:
        """Take colours."""
        self._colours, self._theme_colours = QPalette(palette), QGuiApplication.palette().cacheKey()
        super().setPalette(self._colours)

    def set_ink(self, colour: QColor) -> None:
        """Write the text in a colour."""
        palette = self.palette()
        palette.setColor(self.foregroundRole(), colour)
        self.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._colours is None or event.type() != QEvent.Type.StyleChange:
            return
        same = self._theme_colours == QGuiApplication.palette().cacheKey()
        super().setPalette(self._colours if same else QPalette())


class PlainLabel(KeptColours):
    """A label whose text is never markup."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        super().setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show the text; hidden characters in it are shown as escapes."""
        super().setText(visible(text))

    def setTextFormat(self, _format: Qt.TextFormat) -> None:
        raise TypeError("a plain label stays plain; use HtmlLabel for text that is markup")


class Sentences(PlainLabel):
    """A plain label of the program's own sentences, a line each. They run from left to right, whatever the script of a
    name that they begin with: Qt would take the direction from it and turn the sentence around."""

    def setText(self, text: str) -> None:
        """Show the sentences."""
        QLabel.setText(self, "\n".join(from_left(line) for line in visible(text).split("\n")))


def from_left(line: str) -> str:
    """Return a line of the program's own words that runs from left to right, whatever name it begins with."""
    directions = (unicodedata.bidirectional(letter) for letter in line)
    first = next((direction for direction in directions if direction in ("L", "R", "AL")), "L")
    return line if first == "L" else LEFT_TO_RIGHT + line


class HtmlLabel(KeptColours):
    """A label whose text is HTML. The caller must escape data in it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.RichText)


class HasToolTip(Protocol):
    """What a tooltip can be set on: widgets and actions."""

    def setToolTip(self, text: str, /) -> None: ...


def tooltip(text: str) -> str:
    """The text as Qt shows it plainly in a tooltip; also what a model gives for ToolTipRole."""
    text = visible(text)
    if "<" not in text and "&" not in text:
        return text  # Qt takes nothing else for HTML, and breaks no lines of plain text
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>"


def set_tooltip(target: HasToolTip, text: str) -> None:
    """Give a widget or an action a tooltip that is never markup."""
    target.setToolTip(tooltip(text))


def show_tooltip(position: QPoint, text: str, widget: QWidget | None = None) -> None:
    """Show a tooltip that is never markup; an empty text hides the one that is shown."""
    QToolTip.showText(position, tooltip(text), widget)
