"""The narrow strip that stands where a side panel is folded, and opens it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.plain_text import set_tooltip

WIDTH = 24
RADIUS = 6.0


@guarded
class FoldedPanel(ThemedButton):
    """A button as high as its panel, with the title of the panel from bottom to top."""

    def __init__(self, theme: Theme, title: str, tip: str) -> None:
        super().__init__(theme)
        self.setText(title)
        self.setAccessibleName(tip)
        set_tooltip(self, tip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.hide()

    def _title_font(self) -> QFont:
        return self.theme.font(9.5, weight=600)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, QFontMetrics(self._title_font()).horizontalAdvance(self.text()) + 24)

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), self.theme.colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        painter.setPen(QPen(colours["ink" if focused else "panel_border"], 2 if focused else 1))
        painter.setBrush(colours["hover" if self.underMouse() else "panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.setFont(self._title_font())
        painter.setPen(colours["text"])
        painter.translate(0, self.height())
        painter.rotate(-90)
        room = self.height() - 16
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(8, 0, room, self.width()), int(Qt.AlignmentFlag.AlignCenter), text)
