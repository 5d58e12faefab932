"""A painted area of documents: the pointer highlights the same document in all such areas, a double click opens it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.abstract import AbstractWidgetType
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.gui.widgets.spoken_table import SpokenTableView

if TYPE_CHECKING:
    from irviewer.session.session import Session


@guarded
class DocumentArea(QAbstractScrollArea, metaclass=AbstractWidgetType):
    """Documents painted by a subclass, which says where each is. ``document_asked``: the user wants to read the
    selected document (Enter, double click)."""

    document_asked = Signal()

    def __init__(self, session: Session, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._hovered = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.spoken = SpokenTableView(self)
        theme.changed.connect(self._on_theme_changed)
        session.hovered.connect(self._on_hovered)

    @abstractmethod
    def document_at(self, position: QPoint) -> str:
        """Return the document at a point of the viewport, "" if there is none."""

    def hoverable_at(self, position: QPoint) -> str:
        """Return the document to highlight for a pointer at this position."""
        return self.document_at(position)

    @abstractmethod
    def tip_at(self, position: QPoint) -> str:
        """Return the tooltip at a point."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        doc_id = self.hoverable_at(event.position().toPoint())
        if doc_id != self._hovered:
            self._session.navigation.hover(doc_id)

    def leaveEvent(self, event: QEvent) -> None:
        if self._hovered:
            self._session.navigation.hover("")
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the press was handled here

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.document_at(event.position().toPoint()):
            self.document_asked.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def _on_theme_changed(self) -> None:
        self.viewport().update()

    def _on_hovered(self, doc_id: str) -> None:
        if doc_id != self._hovered:
            self._hovered = doc_id
            self.viewport().update()
