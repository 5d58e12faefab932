"""The shown runs' ranked lists side by side, coloured by grade, with lines between the same document.

Rows are painted, not widgets: only the visible ones, from texts laid out before."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.rankings.field_lines import cut_text
from irviewer.gui.query.rankings.list_dragging import ListDrag
from irviewer.gui.query.rankings.list_painter import BOX, HEADER, ROW, ListPainter
from irviewer.gui.query.rankings.ranking_widget import Rankings
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.run_menu import list_menu
from irviewer.model.workspace import Regime
from irviewer.session.changes import Change
from irviewer.session.view_models.query import QueryViewModel
from irviewer.session.view_models.spoken import SpokenLists, SpokenTable, grade_words
from irviewer.tables.judgment_mark import marked_table
from irviewer.tables.writers.delimited import copied
from irviewer.translation import decimal_points, tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

TIP_LETTERS = 76
"""The greatest length of a line of a tooltip, in characters; Qt does not break lines."""

TIP_FIELDS = 1_500
"""The greatest length of fields in a tooltip, so that it fits on the screen; the document card has them whole."""

_STEPS = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}


@guarded
class RankedLists(Rankings):
    """The ranked lists; the arrow keys move in one of them."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, tr("Ranked lists"), QSize(220, HEADER + 2 * ROW), parent)
        self._painter = ListPainter(theme)
        self.drag = ListDrag(self, session, theme)
        self._collection: object = None
        self._list = 0  # the list in which the arrow keys move
        self._pointed = -1  # the list whose header is under the pointer
        keep_clear(self.viewport(), lambda viewport: QRect(0, 0, viewport.width(), HEADER))  # the values of the lists

    def refresh(self, changes: frozenset[Change]) -> None:
        if Change.MODE in changes and self._painter.set_ids(self._session.view.list_ids):
            self.viewport().update()
        new_fields = self._painter.set_fields(self._session.view.list_fields)
        super().refresh(changes)
        if new_fields:
            self._lay_out()
            self._bring_into_sight()
            self.viewport().update()

    def set_low(self, low: bool) -> None:
        """Make all rows of documents without titles low, in narrow lists too, for a class that reads many ranks."""
        if low != self._painter.low:
            self._painter.low = low
            self._lay_out()
            self.viewport().update()

    @property
    def current_list(self) -> int:
        """The index of the list in which the arrow keys move."""
        return self._list

    def _set_view_model(self, view_model: QueryViewModel | None, old: QueryViewModel | None) -> None:
        collection = self._session.view.collection
        if collection is not self._collection:
            self._collection = collection
            self._painter.set_collection(collection)
        before = self._selected_rows()
        self._painter.set_view_model(view_model)
        self._list = max(0, min(self._list, len(view_model.columns) - 1)) if view_model is not None else 0
        self._lay_out()
        self._go_to_new_focus(view_model, old)
        if old is None or view_model is None or old.query_id != view_model.query_id:
            self.verticalScrollBar().setValue(0)
        elif not self.drag.dragging:
            self._follow_selected(before)

    def _go_to_new_focus(self, view_model: QueryViewModel | None, old: QueryViewModel | None) -> None:
        """Scroll to a new focus run, such as a copy that is edited."""
        before = set() if old is None else {column.run.key for column in old.columns}
        for place, column in enumerate(() if view_model is None or not before else view_model.columns):
            if column.run.focus and column.run.key not in before:
                self._list = place
                self._scroll_to_list(place)

    def _selected_rows(self) -> list[int | None]:
        selected = self.selected
        return [side.rows.get(selected) if selected else None for side in self._painter.sides]

    def _follow_selected(self, before: list[int | None]) -> None:
        """Keep the selected document visible after a key moved it in a list."""
        after = self._selected_rows()
        if len(after) == len(before):
            moved_rows = (new for old, new in zip(before, after, strict=True) if new is not None and new != old)
            row = next(moved_rows, None)
            if row is not None:
                self._scroll_to_row(row)

    # geometry

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        bar, left = self.horizontalScrollBar(), self._painter.left(self._list)
        visible = (
            bar.value() + self._painter.free_from <= left + 1
            and left + self._painter.width <= bar.value() + bar.pageStep()
        )
        super().resizeEvent(event)
        if visible:  # the current list stays visible, unless the user scrolled away from it
            self._scroll_to_list(self._list)

    def row_rect(self, place: int, row: int) -> QRect:
        """Return the rectangle of a row of a list in the viewport."""
        left = self._left(place)
        top = HEADER + row * self._painter.row_height - self.verticalScrollBar().value()
        return QRect(left, top, self._painter.width, self._painter.row_height)

    def cursor_rect(self) -> QRect | None:
        """Return the rectangle of the selected document in the viewport; None without one in the lists."""
        row = self.current_row()
        if row is None:
            return None
        has_it = self.selected in self._painter.sides[self._list].rows
        places = [place for place, side in enumerate(self._painter.sides) if self.selected in side.rows]
        return self.row_rect(self._list if has_it else places[0], row)

    def header_rect(self, place: int) -> QRect:
        """Return the rectangle of the header of a list in the viewport."""
        return QRect(self._left(place), 0, self._painter.width, HEADER)

    def chooser_rect(self, place: int) -> QRect:
        """Return the rectangle of the chooser in the header of a list."""
        return QRect(self._left(place), 0, self._painter.width, BOX)

    def _left(self, place: int) -> int:
        return self._painter.left_in_view(place, self.horizontalScrollBar().value())

    def list_span(self, place: int) -> tuple[int, int]:
        """Return left edge and width of a list in the viewport."""
        return self._left(place), self._painter.width

    @property
    def row_height(self) -> int:
        """The height of a row, in pixels."""
        return self._painter.row_height

    def list_at(self, position: QPoint) -> int:
        """Return the list at a point of the viewport, -1 for none."""
        if self._view_model is None:
            return -1
        return next((k for k in range(len(self._view_model.columns)) if self._across(k, position)), -1)

    def _across(self, place: int, position: QPoint) -> bool:
        left = self._left(place)
        if place and self.horizontalScrollBar().value() and position.x() < self._painter.free_from:
            return False  # under the list that stays
        return left <= position.x() < left + self._painter.width

    def document_at(self, position: QPoint) -> str:
        return self.cell_at(position)[1]

    def cell_at(self, position: QPoint) -> tuple[int, str]:
        """Return (list, document) at a point of the viewport; (-1, "") if there is none."""
        place = self.list_at(position)
        if self._view_model is None or place < 0 or position.y() < HEADER:
            return -1, ""
        row = (position.y() - HEADER + self.verticalScrollBar().value()) // self._painter.row_height
        documents = self._view_model.columns[place].doc_ids
        return (place, documents[row]) if row < len(documents) else (-1, "")

    def _bring_into_sight(self) -> None:
        """Scroll to the selected document unless it is visible in a list."""
        selected = self._session.view.document_id
        if self._view_model is None or not selected:
            return
        rows = [side.rows.get(selected) for side in self._painter.sides]
        if any(row is not None and self._in_sight(row) for row in rows):
            return
        own = rows[self._list] if self._list < len(rows) else None
        row = own if own is not None else next((row for row in rows if row is not None), None)
        if row is not None:
            self._scroll_to_row(row)

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
        if place == 0 and self._painter.free_from:
            return  # it is always in sight
        if left < bar.value() + self._painter.free_from:
            bar.setValue(left - self._painter.free_from)
        elif left + self._painter.width > bar.value() + self.viewport().width():
            bar.setValue(left + self._painter.width - self.viewport().width())

    # painting

    def _paint(self, painter: QPainter) -> None:
        self._painter.paint(
            painter,
            self.viewport().size(),
            self.scrolled(),
            hovered=self._hovered or self._session.documents.pinned_document or "",
            selected=self.selected,
            cursor=self._list if self.hasFocus() else -1,
            pointed=self._pointed,
        )

    # pointing

    def event(self, event: QEvent) -> bool:
        # Escape cancels a drag first.
        override = event.type() == QEvent.Type.ShortcutOverride and "drag" in vars(self) and self.drag.dragging
        if override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        # Qt sends events before it is created and after it is destroyed.
        return ("drag" in vars(self) and self.drag.hears(event)) or super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._point_at(self._chooser_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(-1)

    def _point_at(self, place: int) -> None:
        if place != self._pointed:
            self._pointed = place
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if place >= 0 else Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def _chooser_at(self, position: QPoint) -> int:
        """Return the list whose chooser is at a point, -1 for none."""
        return self.list_at(position) if 0 <= position.y() < BOX else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position = event.position().toPoint()
        place, doc_id = self.cell_at(position)
        if doc_id:
            self._list = place
            self._session.navigation.set_document(doc_id)
            self.viewport().update()
        elif self._chooser_at(position) >= 0:
            place = self._chooser_at(position)
            self._list = place
            menu = self._run_menu(place)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.viewport().mapToGlobal(QPoint(max(0, self._left(place)), BOX)))
        elif position.y() < HEADER and self._view_model is not None:
            place = self.list_at(position)
            if place >= 0 and not self._view_model.columns[place].run.baseline:
                self._session.runs.set_focus(self._view_model.columns[place].run.key)

    def _menu(self, position: QPoint | None) -> QMenu | None:
        if self._view_model is None or not self._view_model.columns:
            return None
        if position is None:
            # By key: the menu of the selected document; without one that of the current list's run.
            return self.row_menu() if self.selected else self._run_menu(self._list)
        place, doc_id = self.cell_at(position)
        if doc_id:
            self._list = place
            self._session.navigation.set_document(doc_id)
            return self.row_menu()
        place = self.list_at(position)
        return self._run_menu(place) if position.y() < HEADER and place >= 0 else None

    def _run_menu(self, place: int) -> QMenu:
        assert self._view_model is not None
        return list_menu(self._session, self._view_model.columns[place].run.key, self)

    def row_menu(self) -> QMenu:
        """Return the menu of the selected document and its list."""
        columns = self._view_model.columns if self._view_model is not None else ()
        menu = self.document_menu(columns[self._list].run if self._list < len(columns) else None)
        menu.addSeparator()
        menu.addAction(tr("Copy this list")).triggered.connect(self.copy_list)
        if self._view_model is not None and self._view_model.columns:
            of_list = self._run_menu(self._list)
            of_list.setTitle(tr("List of {run}", run=self._view_model.columns[self._list].run.name))
            menu.addMenu(of_list)
        return menu

    def copy(self) -> bool:
        """Copy the id of the selected document to the clipboard; without one the current list."""
        if not super().copy():
            self.copy_list()
        return True

    def copy_list(self) -> None:
        """Copy the current list to the clipboard: rank, document, grade ("" if not in the qrels), title, and
        the fields that are shown."""
        if self._view_model is None or not self._view_model.columns:
            return
        column = self._view_model.columns[self._list]
        fields = self._painter.fields
        rows: list[list[object]] = [[tr("rank"), tr("document"), tr("grade"), tr("title"), *fields.names]]
        with decimal_points():
            for row, doc_id in enumerate(column.doc_ids):
                grade = float(column.grades[row])
                values = {field.name: field.value for field in fields.of(doc_id)}
                rows.append(
                    [row + 1, doc_id, "" if math.isnan(grade) else f"{grade:g}", self._painter.title(doc_id),
                     *(values.get(name, "") for name in fields.names)]
                )  # fmt: skip
        table = marked_table(rows, self._session.view.judgment_mark)
        QApplication.clipboard().setText(copied(table))

    def tip_at(self, position: QPoint) -> str:
        """Return the tooltip at a point: title, id, grade and rank of a document; the whole name of a run."""
        if self._view_model is None:
            return ""
        place, doc_id = self.cell_at(position)
        if doc_id:
            row = self._painter.sides[place].rows[doc_id]
            words = self._grade_words(float(self._view_model.columns[place].grades[row]))
            title = textwrap.fill(self._painter.title(doc_id), TIP_LETTERS)
            score = textwrap.fill(
                self._session.view_models.score_words(self._view_model.columns[place].run.key, row + 1), TIP_LETTERS
            )
            tied = self._session.documents.tie_words(self._view_model.columns[place].run.key, row + 1)
            noted = textwrap.fill(self._painter.note_words(doc_id), TIP_LETTERS)
            fields = textwrap.fill(cut_text(self._painter.fields.words(doc_id), TIP_FIELDS), TIP_LETTERS)
            lines = (fields, score, tied, self._session.view_models.aspect_words(doc_id), self.own_words(doc_id), noted)
            return (
                f"{title}\n" * bool(title)
                + tr("{document} · {judged} · rank {rank}", document=doc_id, judged=words, rank=row + 1)
                + "\n"
                + "\n".join(line for line in lines if line)
            )
        place = self.list_at(position)
        if place < 0 or position.y() >= HEADER:
            return ""
        name = self._view_model.columns[place].run.name
        if position.y() < BOX:
            return name + "\n" + tr("Click to change, move or close this list, or make it the baseline ★")
        return name

    def _grade_words(self, grade: float) -> str:
        return grade_words(grade, Regime.POOLED if self._view_model is None else self._view_model.regime)

    # screen readers

    def _spoken_table(self, view_model: QueryViewModel) -> SpokenTable:
        return SpokenLists(view_model, self._painter.title, self._painter.fields.words)

    def _spoken_cell(self) -> tuple[int, int] | None:
        row = self.current_row()
        if row is None:
            return None
        has_it = self.selected in self._painter.sides[self._list].rows
        return row, self._list if has_it else [self.selected in side.rows for side in self._painter.sides].index(True)

    # the keyboard

    def _can_walk(self) -> bool:
        return self._view_model is not None and bool(self._view_model.columns)

    def _walk(self, key: Qt.Key) -> bool:
        """Handle a key; return False if the lists have no use for it."""
        if key == Qt.Key.Key_Escape and self.drag.dragging:
            self.drag.cancel()
            return True
        page = max(1, (self.viewport().height() - HEADER) // self._painter.row_height - 1)
        if key in _STEPS:
            self._step(*_STEPS[key])
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._step(0, page if key == Qt.Key.Key_PageDown else -page)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._select(self._list, 0 if key == Qt.Key.Key_Home else 2**30)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self._session.view.document_id:
                self._step(0, 0)
            self.document_asked.emit()
        else:
            return False
        return True

    def _step(self, lists: int, rows: int) -> None:
        """Move from the selected document; without one, select the first visible document."""
        row = self.current_row()
        if row is None:
            row = -(-self.verticalScrollBar().value() // self._painter.row_height)
            self._select(self._list, row)
            return
        self._select(self._list + lists, row + rows)

    def current_row(self) -> int | None:
        """Return the row of the selected document in the current list, or in the first list that has it."""
        sides, selected = self._painter.sides, self._session.view.document_id
        if not selected or not sides:
            return None
        own = sides[self._list].rows.get(selected)
        return own if own is not None else next((s.rows[selected] for s in sides if selected in s.rows), None)

    def _select(self, place: int, row: int) -> None:
        if self._view_model is None:
            return
        place = max(0, min(place, len(self._view_model.columns) - 1))
        documents = self._view_model.columns[place].doc_ids
        self._list = place
        self._scroll_to_list(place)
        if documents:
            row = max(0, min(row, len(documents) - 1))
            self._scroll_to_row(row)
            self._session.navigation.set_document(documents[row])
        self.viewport().update()
