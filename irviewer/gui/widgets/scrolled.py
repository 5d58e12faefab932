"""Content that scrolls where its room is smaller than what it needs, as at 200 %. It knows no view."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

EDGE = 8
"""Pixels around what is brought into view."""


class Scrolled(QScrollArea):
    """Shows ``content`` in all of its room, but never smaller than ``least``, its width and height in pixels: then it
    scrolls. What gets the focus from the keyboard is brought into view."""

    def __init__(self, content: QWidget, least: tuple[int, int] = (0, 0)) -> None:
        super().__init__()
        self.content = content
        if any(least):
            content.setMinimumSize(*least)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        # The window paints the ground.
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def bring_into_view(self, widget: QWidget) -> None:
        """Scroll until half of a widget is in view, or half of the view is of it; from its upper left corner."""
        room = self.viewport().size()
        place = QRect(widget.mapTo(self.content, QPoint(0, 0)), widget.size())
        seen = place & QRect(-self.content.pos(), room)
        if 2 * seen.width() >= min(place.width(), room.width()) and 2 * seen.height() >= min(
            place.height(), room.height()
        ):
            return
        corner = place & QRect(place.topLeft(), room)
        self.ensureVisible(corner.right(), corner.bottom(), EDGE, EDGE)
        self.ensureVisible(corner.left(), corner.top(), EDGE, EDGE)

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        # What is pressed stays where it is: its click would go astray. A view that is opened shows its beginning.
        if before is None or now is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return
        if self.isVisible() and self.content.isAncestorOf(before) and self.content.isAncestorOf(now):
            self.bring_into_view(now)


def bring_into_view(widget: QWidget) -> None:
    """Scroll the content that a widget is in until it is seen."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, Scrolled):
            around.bring_into_view(widget)
        around = around.parentWidget()
