"""The text of a document as the card and blind judging show it: title, picture, text with marks, fields with links.

All of it is data: it is escaped, pictures are local files that the session allows, and a link is a whole field that is
an http or https address; it is opened by the system's browser when the user activates it."""

from __future__ import annotations

import html
import re

from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QDesktopServices, QHelpEvent
from PySide6.QtWidgets import QFrame, QTextBrowser

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.session.view_models.query import DocumentCard
from irviewer.translation import tr

PICTURE = 96
"""The height of a picture in pixels."""
_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


@guarded
class DocumentText(QTextBrowser):
    """A read-only text whose links are opened outside the program. Links are reached with Tab and opened with Enter."""

    def __init__(self, theme: Theme, size: float) -> None:
        super().__init__()
        self.setStyleSheet("QTextBrowser { border: 0; padding: 0; background: transparent }")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)  # the panel's background shows in every theme
        self.setOpenLinks(False)
        self.setFont(theme.font(size))
        self.document().setDocumentMargin(0)
        self.setAccessibleName(tr("Document text"))
        self.anchorClicked.connect(open_address)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            address = self.anchorAt(event.pos())
            if address:
                show_tooltip(event.globalPos(), tr("Open {address}", address=address), self)
                return True
        return super().viewportEvent(event)


def open_address(url: QUrl) -> bool:
    """Open an http or https address in the system's browser; nothing else. Return whether it was opened."""
    return url.scheme() in ("http", "https") and QDesktopServices.openUrl(url)


def picture_html(card: DocumentCard) -> str:
    """Return the picture of a document as HTML, with what follows to its left; "" without one."""
    if not card.picture:
        return ""
    source = html.escape(QUrl.fromLocalFile(card.picture).toString(), quote=True)
    return f'<img src="{source}" height="{PICTURE}" style="float:right">'


def fields_html(card: DocumentCard, theme: Theme) -> str:
    """Return the fields of a document as HTML, a line each, whole; a field that is an address is a link."""
    muted, link = theme["muted"].name(), theme["ink"].name()
    return "".join(
        f'<p style="margin:6px 0 0 0"><span style="color:{muted}">{html.escape(name)}</span> {_value(value, link)}</p>'
        for name, value in card.fields
    )


def _value(value: str, colour: str) -> str:
    text = html.escape(value)
    if not _ADDRESS.fullmatch(value.strip()):
        return text
    return f'<a href="{html.escape(value.strip(), quote=True)}" style="color:{colour}">{text}</a>'


def marked_html(text: str, marks: tuple[tuple[int, int], ...]) -> str:
    """Return a text as HTML with each (start, length) of ``marks`` bold and underlined; marks ascend."""
    parts = []
    at = 0
    for start, length in marks:
        parts.append(html.escape(text[at:start]))
        parts.append(f"<b><u>{html.escape(text[start : start + length])}</u></b>")
        at = start + length
    parts.append(html.escape(text[at:]))
    return "".join(parts).replace("\n", "<br>")
