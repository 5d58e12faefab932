"""Dragging documents: within the list of an edited run they move, from other lists they are inserted into it.

The classes see the events of a viewport before its view does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QTimer
from PySide6.QtGui import QDrag, QDropEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.rankings.list_painter import HEADER
from irviewer.gui.theme import Theme
from irviewer.session.view_models.query import QueryViewModel

if TYPE_CHECKING:
    from irviewer.session.session import Session

MIME = "application/x-irviewer-document"
EDGE = 26
"""The distance to the upper or lower edge within which lists scroll automatically, in pixels."""
EACH = 30
LINE = 3


class Lists(Protocol):
    """The lists as dragging needs them."""

    @property
    def view_model(self) -> QueryViewModel | None:
        """The view model shown."""
        ...

    @property
    def row_height(self) -> int:
        """The height of a row, in pixels."""
        ...

    def cell_at(self, position: QPoint) -> tuple[int, str]:
        """Return (list, document) at a point; (-1, "") if there is none."""
        ...

    def list_at(self, position: QPoint) -> int:
        """Return the list at a point, -1 for none."""
        ...

    def list_span(self, place: int) -> tuple[int, int]:
        """Return left edge and width of a list in the viewport."""
        ...

    def viewport(self) -> QWidget: ...

    def verticalScrollBar(self) -> QScrollBar: ...


@guarded
class DropLine(QWidget):
    """A bar across a list that shows where the document goes; it takes no mouse events."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["ink"])


class DocumentDrag:
    """Lets documents be dragged out of a view. ``document_at`` returns the document at a point."""

    def __init__(self, viewport: QWidget, document_at: Callable[[QPoint], str]) -> None:
        self._viewport = viewport
        self._document_at = document_at
        self._pressed: tuple[QPoint, str] | None = None

    def hears(self, event: QEvent) -> bool:
        """Handle an event of the viewport; return True if it needs no further handling."""
        if not isinstance(event, QMouseEvent):
            return False
        position = event.position().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = position, self._document_at(position)
        elif event.type() == QEvent.Type.MouseMove and event.buttons() & Qt.MouseButton.LeftButton:
            if self._pressed is not None and self._pressed[1] and is_far(position, self._pressed[0]):
                doc_id, self._pressed = self._pressed[1], None
                carry(self._viewport, doc_id)
                return True
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._pressed = None
        return False


class ListDrag:
    """Handles dragging and dropping in the list of an edited run."""

    def __init__(self, lists: Lists, session: Session, theme: Theme) -> None:
        viewport = lists.viewport()
        self._lists = lists
        self._session = session
        self._viewport = viewport
        self._pressed: tuple[QPoint, int, str] | None = None
        self._key: int | None = None  # of the edited run in which a document is moved
        self._place = -1
        self._doc_id = ""
        self._at = QPoint()
        self._before: object = None  # the last undo step before the drag
        self.line = DropLine(theme, viewport)
        self._timer = QTimer(viewport)
        self._timer.setInterval(EACH)
        self._timer.timeout.connect(self._on_time_passed)
        viewport.setAcceptDrops(True)

    @property
    def dragging(self) -> bool:
        """Whether a document is being moved."""
        return self._key is not None

    # --- events ---

    def hears(self, event: QEvent) -> bool:
        """Handle an event of the viewport; return True if it needs no further handling."""
        if isinstance(event, QMouseEvent):
            return self._hear_mouse(event)
        if isinstance(event, QDropEvent):  # entering, moving and dropping
            return self._hear_drop(event)
        if event.type() == QEvent.Type.DragLeave:
            self._end()
        return False

    def _hear_mouse(self, event: QMouseEvent) -> bool:
        position = event.position().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress:
            left = event.button() == Qt.MouseButton.LeftButton
            self._pressed = (position, *self._lists.cell_at(position)) if left else None
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            was, self._pressed = self.dragging, None
            moved = was and self._has_moved
            self._end()
            if moved:
                self._session.history.tell()
            return was
        if event.type() != QEvent.Type.MouseMove or not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        if self.dragging:
            self._at = position
            self._move_to_pointer()
            return True
        if self._pressed is None or not self._pressed[2] or not is_far(position, self._pressed[0]):
            return False
        _, place, doc_id = self._pressed
        self._pressed = None
        key = self._copy_at(place)
        if key is None:
            if self._session.run_editing.edited_run is not None:
                carry(self._viewport, doc_id)
                return True
            return False
        self._key, self._place, self._doc_id, self._at = key, place, doc_id, position
        self._before = self._session.history.last_step
        self._viewport.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._timer.start()
        self._move_to_pointer()
        return True

    def _hear_drop(self, event: QDropEvent) -> bool:
        if not event.mimeData().hasFormat(MIME):
            return False
        position = event.position().toPoint()
        place = self._lists.list_at(position)
        key = self._copy_at(place)
        if key is None or position.y() < HEADER:
            self.line.hide()
            event.ignore()
            if event.type() == QEvent.Type.DragEnter:  # otherwise Qt sends no further events of this drag
                event.accept()
            return True
        rank = self._gap_at(place, position) + 1
        event.acceptProposedAction()
        if event.type() != QEvent.Type.Drop:
            self._place, self._at = place, position
            self._show_line(place, rank - 1)
            if not self._timer.isActive():
                self._timer.start()
            return True
        self._end()
        self._put(key, place, bytes(event.mimeData().data(MIME).data()).decode("utf-8", "surrogateescape"), rank)
        return True

    def _put(self, key: int, place: int, doc_id: str, rank: int) -> None:
        view_model = self._lists.view_model
        documents = [] if view_model is None else view_model.columns[place].doc_ids
        if doc_id in documents:
            self._session.run_editing.move_document(key, doc_id, rank - (documents.index(doc_id) < rank - 1))
        else:
            self._session.run_editing.insert_document(key, doc_id, rank)
        self._session.navigation.set_document(doc_id)

    # --- geometry ---

    def _copy_at(self, place: int) -> int | None:
        """Return the key of the list's run if it is an edited run."""
        view_model, collection = self._lists.view_model, self._session.view.collection
        if view_model is None or collection is None or not 0 <= place < len(view_model.columns):
            return None
        entry = collection.run(view_model.columns[place].run.key)
        return None if entry is None or entry.edited is None else entry.key

    def _row_at(self, position: QPoint) -> int:
        return (position.y() - HEADER + self._lists.verticalScrollBar().value()) // self._lists.row_height

    def _count(self, place: int) -> int:
        view_model = self._lists.view_model
        return 0 if view_model is None else len(view_model.columns[place].doc_ids)

    def _gap_at(self, place: int, position: QPoint) -> int:
        """Return the row before which a document is dropped at a position."""
        y = position.y() - HEADER + self._lists.verticalScrollBar().value()
        return max(0, min(self._count(place), round(y / self._lists.row_height)))

    # --- moving ---

    def _move_to_pointer(self) -> None:
        """Move the document to the row under the pointer."""
        view_model = self._lists.view_model
        if self._key is None or view_model is None or not 0 <= self._place < len(view_model.columns):
            return
        row = max(0, min(self._count(self._place) - 1, self._row_at(self._at)))
        self._session.run_editing.move_document(
            self._key, self._doc_id, row + 1, going_on=self._has_moved, dragged=True
        )
        self._show_line(self._place, row + 1)

    def _show_line(self, place: int, row: int) -> None:
        left, width = self._lists.list_span(place)
        top = HEADER + row * self._lists.row_height - self._lists.verticalScrollBar().value()
        self.line.setGeometry(left, max(HEADER, top - 2), width, LINE)
        self.line.show()
        self.line.raise_()

    def _on_time_passed(self) -> None:
        bar, y, step = self._lists.verticalScrollBar(), self._at.y(), self._lists.row_height // 2
        before = bar.value()
        if y < HEADER + EDGE:
            bar.setValue(before - step)
        elif y > self._viewport.height() - EDGE:
            bar.setValue(before + step)
        if bar.value() == before:
            return
        if self.dragging:
            self._move_to_pointer()
        else:
            self._show_line(self._place, self._gap_at(self._place, self._at))

    @property
    def _has_moved(self) -> bool:
        """Whether the document was moved since the drag began."""
        return self._session.history.last_step is not self._before

    def cancel(self) -> None:
        """Cancel the drag, with its undo step."""
        moved = self._has_moved
        self._end()
        if moved:
            self._session.history.drop_last_step()

    def _end(self) -> None:
        self._timer.stop()
        self.line.hide()
        if self.dragging:
            self._viewport.unsetCursor()
        self._key = None


def is_far(start: QPoint, end: QPoint) -> bool:
    """Return whether the pointer was moved far enough for a drag."""
    return (start - end).manhattanLength() >= QApplication.startDragDistance()


def carry(source: QWidget, doc_id: str) -> None:
    """Drag a document until it is dropped."""
    drag = QDrag(source)
    mime = QMimeData()
    mime.setData(MIME, doc_id.encode("utf-8", "surrogateescape"))
    mime.setText(doc_id)
    drag.setMimeData(mime)
    drag.exec(Qt.DropAction.CopyAction)
