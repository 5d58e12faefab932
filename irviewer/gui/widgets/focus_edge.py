"""An edge around the list, table or plot to which the Tab key has come."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QPlainTextEdit, QTextEdit, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme

WIDTH = 2


def show_focus_edge(widget: QWidget, theme: Theme) -> None:
    """Draw an edge around the widget until it loses the focus; nothing where a widget shows the focus itself.

    Fields and buttons do so. A list shows it at its current row, if it has one in sight."""
    shows_itself = isinstance(widget, QPlainTextEdit | QTextEdit)
    if isinstance(widget, QAbstractScrollArea | QLabel) and not shows_itself and widget.hasFocus():
        _FocusEdge(widget, theme)


@guarded
class _FocusEdge(QWidget):
    """Lies over the widget, so that no pixel of it moves when the widget scrolls."""

    def __init__(self, target: QWidget, theme: Theme) -> None:
        super().__init__(target)
        self._target, self._theme = target, theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        target.installEventFilter(self)
        self.setGeometry(target.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
            self.deleteLater()
        elif event.type() == QEvent.Type.Resize:
            self.setGeometry(self._target.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(self._theme["ink"], WIDTH, j=Qt.PenJoinStyle.MiterJoin))
        half = WIDTH / 2
        painter.drawRect(QRectF(self.rect()).adjusted(half, half, -half, -half))
