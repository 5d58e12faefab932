"""The shown runs' ranked lists side by side, coloured by grade, with lines between the same document.

Owns scrolling, pointing and the keyboard; pulls the query page and asks the session for every change. Rows are painted,
not widgets: only those in sight, from texts laid out before. Knows no other view."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QMenu, QToolTip, QWidget

from irviewer.gui.list_painter import HEADER, ListPainter
from irviewer.gui.run_menu import run_menu
from irviewer.gui.theme import Theme
from irviewer.model.workspace import Regime
from irviewer.session.pages.query import QueryPage

if TYPE_CHECKING:
    from irviewer.session.session import Session

TIP_LETTERS = 76
"""Letters of a line of a tooltip: Qt does not break them."""

ASPECTS = frozenset({"workspace", "collection", "runs", "measure", "query", "document", "mode"})

_STEPS = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}


class RankedLists(QAbstractScrollArea):
    """The lists. ``document_asked`` says that the person wants to read the selected document (Enter, double click)."""

    document_asked = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._painter = ListPainter(theme)
        self._page: QueryPage | None = None
        self._collection: object = None
        self._hovered = ""
        self._list = 0  # the list that the arrow keys walk in
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Ranked lists")
        self.setMinimumSize(220, HEADER + 3 * 36)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        theme.changed.connect(self._on_theme_changed)
        session.hovered.connect(self._on_hovered)

    @property
    def page(self) -> QueryPage | None:
        """What is shown."""
        return self._page

    @property
    def current_list(self) -> int:
        """The list that the arrow keys walk in, a place among the shown ones."""
        return self._list

    def refresh(self, aspects: frozenset[str]) -> None:
        """Pull the page where it may have changed, and paint. Another query begins at its top."""
        if not aspects & ASPECTS:
            return
        page = self._session.query_page()
        old = self._page
        if page is not old:
            self._page = page
            self._set_page(page, old)
        if aspects & {"document", "query"}:
            self._bring_into_sight()
        self.viewport().update()

    def _set_page(self, page: QueryPage | None, old: QueryPage | None) -> None:
        collection = self._session.collection
        if collection is not self._collection:
            self._collection = collection
            self._painter.set_collection(collection)
        self._painter.set_page(page)
        self._list = max(0, min(self._list, len(page.columns) - 1)) if page is not None else 0
        self._lay_out()
        if old is None or page is None or old.query_id != page.query_id:
            self.verticalScrollBar().setValue(0)

    # geometry

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        width, height = self.viewport().width(), self.viewport().height()
        content = self._painter.lay_out(width)
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setRange(0, max(0, content - width))
        across.setPageStep(width)
        across.setSingleStep(40)
        room = height - HEADER
        down.setRange(0, max(0, self._painter.content_height() - room))
        down.setPageStep(max(1, room - self._painter.row_height))
        down.setSingleStep(self._painter.row_height)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()  # the header stays and lines cross rows: nothing can be moved as it is

    def row_rect(self, place: int, row: int) -> QRect:
        """Where row ``row`` of list ``place`` stands in the viewport now."""
        left = self._painter.left(place) - self.horizontalScrollBar().value()
        top = HEADER + row * self._painter.row_height - self.verticalScrollBar().value()
        return QRect(left, top, self._painter.width, self._painter.row_height)

    def header_rect(self, place: int) -> QRect:
        """Where the header of list ``place`` stands in the viewport now."""
        return QRect(self._painter.left(place) - self.horizontalScrollBar().value(), 0, self._painter.width, HEADER)

    def _list_at(self, position: QPoint) -> int:
        if self._page is None:
            return -1
        return next((k for k in range(len(self._page.columns)) if self._across(k, position)), -1)

    def _across(self, place: int, position: QPoint) -> bool:
        left = self._painter.left(place) - self.horizontalScrollBar().value()
        return left <= position.x() < left + self._painter.width

    def _document_at(self, position: QPoint) -> tuple[int, str]:
        """(list, document) under a point of the viewport; (-1, "") where there is none."""
        place = self._list_at(position)
        if self._page is None or place < 0 or position.y() < HEADER:
            return -1, ""
        row = (position.y() - HEADER + self.verticalScrollBar().value()) // self._painter.row_height
        documents = self._page.columns[place].doc_ids
        return (place, documents[row]) if row < len(documents) else (-1, "")

    def _bring_into_sight(self) -> None:
        """Scroll to the selected document unless some list shows it already."""
        selected = self._session.document_id
        if self._page is None or not selected:
            return
        rows = [side.rows.get(selected) for side in self._painter.sides]
        if any(row is not None and self._in_sight(row) for row in rows):
            return
        own = rows[self._list] if self._list < len(rows) else None
        found = own if own is not None else next((row for row in rows if row is not None), None)
        if found is not None:
            self._scroll_to_row(found)

    def _in_sight(self, row: int) -> bool:
        top = row * self._painter.row_height - self.verticalScrollBar().value()
        return top >= 0 and top + self._painter.row_height <= self.viewport().height() - HEADER

    def _scroll_to_row(self, row: int) -> None:
        bar, height = self.verticalScrollBar(), self._painter.row_height
        room = self.viewport().height() - HEADER
        if row * height < bar.value():
            bar.setValue(row * height)
        elif (row + 1) * height > bar.value() + room:
            bar.setValue((row + 1) * height - room)

    def _scroll_to_list(self, place: int) -> None:
        bar, left = self.horizontalScrollBar(), self._painter.left(place)
        if left < bar.value():
            bar.setValue(left)
        elif left + self._painter.width > bar.value() + self.viewport().width():
            bar.setValue(left + self._painter.width - self.viewport().width())

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme["panel"])
        self._painter.paint(
            painter,
            self.viewport().size(),
            QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value()),
            hovered=self._hovered,
            selected=self._session.document_id or "",
            cursor=self._list if self.hasFocus() else -1,
        )

    def _on_theme_changed(self) -> None:
        self.viewport().update()

    def _on_hovered(self, doc_id: str) -> None:
        if doc_id != self._hovered:
            self._hovered = doc_id
            self.viewport().update()

    # pointing

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        doc_id = self._document_at(event.position().toPoint())[1]
        if doc_id != self._hovered:
            self._session.hover(doc_id)

    def leaveEvent(self, event: QEvent) -> None:
        if self._hovered:
            self._session.hover("")
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position = event.position().toPoint()
        place, doc_id = self._document_at(position)
        if doc_id:
            self._list = place
            self._session.set_document(doc_id)
            self.viewport().update()
        elif position.y() < HEADER and self._page is not None:
            place = self._list_at(position)
            if place >= 0 and not self._page.columns[place].run.baseline:
                self._session.set_focus(self._page.columns[place].run.key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the press was ours, so is its end

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._document_at(event.position().toPoint())[1]:
            self.document_asked.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place, doc_id = self._document_at(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            # By key it is about the document selected, without one about the run of the list that the keys walk in.
            if self._page is None or not self._page.columns:
                return
            runs = run_menu(self._session, self._page.columns[self._list].run.key, self)
            menu = self.row_menu() if self._session.document_id else runs
        elif doc_id:
            self._list = place
            self._session.set_document(doc_id)
            menu = self.row_menu()
        elif self._page is not None and event.pos().y() < HEADER and self._list_at(event.pos()) >= 0:
            menu = run_menu(self._session, self._page.columns[self._list_at(event.pos())].run.key, self)
        else:
            return
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def row_menu(self) -> QMenu:
        """What can be done with the selected document and its list."""
        menu = QMenu(self)
        menu.addAction("Read the document").triggered.connect(self._on_reading_asked)
        menu.addAction("Copy document id").triggered.connect(self.copy)
        menu.addAction("Copy this list").triggered.connect(self.copy_list)
        return menu

    def _on_reading_asked(self) -> None:
        self.document_asked.emit()

    def copy(self) -> None:
        """Put the selected document's id on the clipboard, without one the list that the keys walk in."""
        if self._session.document_id:
            QApplication.clipboard().setText(self._session.document_id)
        else:
            self.copy_list()

    def copy_list(self) -> None:
        """Put the list that the keys walk in on the clipboard: rank, document, grade ("" unlisted), title."""
        if self._page is None or not self._page.columns:
            return
        column = self._page.columns[self._list]
        lines = ["rank\tdocument\tgrade\ttitle"]
        for row, doc_id in enumerate(column.doc_ids):
            grade = float(column.grades[row])
            written = "" if math.isnan(grade) else f"{grade:g}"
            lines.append(f"{row + 1}\t{doc_id}\t{written}\t{self._painter.title(doc_id)}")
        QApplication.clipboard().setText("\n".join(lines))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip_at(self, position: QPoint) -> str:
        """The words for what is under a point: the whole title, id, grade and rank; a header's whole name."""
        if self._page is None:
            return ""
        place, doc_id = self._document_at(position)
        if doc_id:
            row = self._painter.sides[place].rows[doc_id]
            words = self._grade_words(float(self._page.columns[place].grades[row]))
            title = textwrap.fill(self._painter.title(doc_id), TIP_LETTERS)
            return f"{title}\n" * bool(title) + f"{doc_id} · {words} · rank {row + 1}"
        place = self._list_at(position)
        return self._page.columns[place].run.name if place >= 0 and position.y() < HEADER else ""

    def _grade_words(self, grade: float) -> str:
        if not math.isnan(grade):
            return f"grade {grade:g}" if grade > 0 else f"judged non-relevant ({grade:g})"
        complete = self._page is not None and self._page.regime is Regime.COMPLETE
        return "not in the qrels: non-relevant" if complete else "unjudged"

    # the keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if self._page is None or not self._page.columns or not plain or not self._walk(key):
            super().keyPressEvent(event)

    def _walk(self, key: Qt.Key) -> bool:
        """Do what a key asks for; False where it asks nothing of the lists."""
        page_rows = max(1, (self.viewport().height() - HEADER) // self._painter.row_height - 1)
        if key in _STEPS:
            self._step(*_STEPS[key])
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._step(0, page_rows if key == Qt.Key.Key_PageDown else -page_rows)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._select(self._list, 0 if key == Qt.Key.Key_Home else 2**30)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self._session.document_id:
                self._step(0, 0)
            self.document_asked.emit()
        elif key == Qt.Key.Key_Escape and self._session.document_id:
            self._session.set_document(None)
        else:
            return False
        return True

    def _step(self, lists: int, rows: int) -> None:
        """Walk from the selected document; the first step of all selects the first document in sight."""
        row = self.current_row()
        if row is None:
            row = -(-self.verticalScrollBar().value() // self._painter.row_height)
            self._select(self._list, row)
            return
        self._select(self._list + lists, row + rows)

    def current_row(self) -> int | None:
        """The selected document's row in the list that the keys walk in, or in the first list that has it."""
        sides, selected = self._painter.sides, self._session.document_id
        if not selected or not sides:
            return None
        own = sides[self._list].rows.get(selected)
        return own if own is not None else next((s.rows[selected] for s in sides if selected in s.rows), None)

    def _select(self, place: int, row: int) -> None:
        if self._page is None:
            return
        place = max(0, min(place, len(self._page.columns) - 1))
        documents = self._page.columns[place].doc_ids
        self._list = place
        self._scroll_to_list(place)
        if documents:
            row = max(0, min(row, len(documents) - 1))
            self._scroll_to_row(row)
            self._session.set_document(documents[row])
        self.viewport().update()
