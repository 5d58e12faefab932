"""A sheet over the dimmed window. Esc or a click beside it closes it and restores the focus.

It is a child of the window and no window itself, so that it is the same on all platforms."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from shiboken6 import isValid

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme

TOP = 58
BOTTOM = 24
"""The least room below the sheet in pixels."""
RADIUS = 8.0


@guarded
class _Box(QWidget):
    """The sheet: a rounded box."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["frame"], 1))
        painter.setBrush(self._theme["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # a click on the sheet does not close it


@guarded
class OverlaySheet(QWidget):
    """A dimmed background with a sheet, whose layout is ``body``. It is made once and opened many times."""

    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget, width: int) -> None:
        super().__init__(window)
        self.theme = theme
        self._width = width
        self._window = window
        self._before: QWidget | None = None
        self.box = _Box(theme, self)
        self.body = QVBoxLayout(self.box)
        self.body.setContentsMargins(1, 1, 1, 1)
        self.body.setSpacing(0)
        self.hide()
        window.installEventFilter(self)

    def open_over(self) -> None:
        """Show the sheet with the focus."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self._fit()
        self.show()
        self.raise_()

    def close_over(self) -> None:
        """Close the sheet and restore the focus."""
        if not self.isVisible():
            return
        self.hide()
        before, self._before = self._before, None
        # What had the focus may be gone by now, a dialog that was put away meanwhile.
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self._window.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def fit_box(self) -> None:
        """Adjust the height of the sheet to its contents."""
        room = self.height() - TOP - BOTTOM
        width = min(self._width, self.width() - 32)
        self.body.activate()
        height = min(room, self.box.sizeHint().height())
        self.box.setGeometry((self.width() - width) // 2, TOP, width, max(60, height))
        self.update()  # the shadow is the sheet's, and painted here

    def _fit(self) -> None:
        self.setGeometry(self._window.rect())
        self.fit_box()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._fit()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.close_over()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_over()
        # Nothing typed on the sheet reaches what lies under it.
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return True  # Tab stays on the sheet

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shade = QColor(0, 0, 0, 110) if self.theme.dark else QColor(22, 25, 29, 46)
        painter.fillRect(self.rect(), shade)
        # A soft shadow around the sheet.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        frame = QRectF(self.box.geometry())
        for spread in range(10, 0, -2):
            painter.setBrush(QColor(0, 0, 0, 7))
            painter.drawRoundedRect(
                frame.adjusted(-spread, -spread + 4, spread, spread + 4), RADIUS + spread, RADIUS + spread
            )
