"""The text of a lesson, scrolled where it is longer than its room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import HtmlLabel
from irviewer.translation import tr


@guarded
class ScrolledText(QScrollArea):
    """The text of a lesson without a ground of its own, with a scroll bar where its height is not enough."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.shows = HtmlLabel()
        self.shows.setFont(theme.font(9.5))
        self.shows.setWordWrap(True)
        self.shows.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setWidget(self.shows)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.shows.setAutoFillBackground(False)
        self.setAccessibleName(tr("Text of the lesson"))

    def show_text(self, html: str, plain: str) -> None:
        """Show a text, as HTML and for screen readers."""
        self.shows.setText(html)
        self.shows.setAccessibleName(plain)

    def height_for(self, width: int) -> int:
        """Return the pixels that the whole text needs at a width in pixels."""
        return self.shows.heightForWidth(width)
