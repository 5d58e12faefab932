"""The runs as strips: a row per run, a cell per rank, for up to a hundred runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.rankings.ranking_widget import Rankings
from irviewer.gui.query.rankings.strip_painter import AXIS, CELL_LEAST, CELL_MOST, StripPainter
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.run_menu import run_menu
from irviewer.session.view_models.query import QueryViewModel
from irviewer.session.view_models.spoken import SpokenStrips, SpokenTable
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


@guarded
class Strips(Rankings):
    """The strips. Ctrl and the wheel, + and -, change the width of cells."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, tr("Strips of all runs"), QSize(320, AXIS + 80), parent)
        self._painter = StripPainter(theme)
        self._row = 0
        self._wanted = 0  # the cell width that the user chose, 0: automatic

    @property
    def cell_width(self) -> int:
        """The width of a cell, in pixels."""
        return self._painter.cell

    @property
    def row_height(self) -> int:
        """The height of a row, in pixels."""
        return self._painter.row_height

    def full_height(self) -> int:
        """Return the height of all rows with axis and scroll bar, in pixels."""
        return self._painter.full_height() + self.horizontalScrollBar().sizeHint().height()

    def _set_view_model(self, view_model: QueryViewModel | None, old: QueryViewModel | None) -> None:
        self._painter.set_view_model(view_model)
        self._row = max(0, min(self._row, len(self._painter.rows) - 1))
        self._lay_out()

    # geometry

    def _lay_out(self) -> None:
        size = self.viewport().size()
        self._painter.lay_out(size, self._wanted)
        content = self._painter.content()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        room = size.width() - self._painter.left
        across.setRange(0, max(0, content.width() - room))
        across.setPageStep(max(1, room))
        across.setSingleStep(self._painter.cell * 5)
        down.setRange(0, max(0, content.height() - (size.height() - AXIS)))
        down.setPageStep(max(1, size.height() - AXIS))
        down.setSingleStep(self._painter.row_height)

    def _row_at(self, position: QPoint) -> int:
        row = (position.y() - AXIS + self.verticalScrollBar().value()) // self._painter.row_height
        return row if position.y() >= AXIS and 0 <= row < len(self._painter.rows) else -1

    def _rank_at(self, position: QPoint, row: int) -> int:
        """Return the rank at a point, 0 if the run retrieves nothing there."""
        if row < 0 or position.x() < self._painter.left:
            return 0
        rank = (position.x() - self._painter.left + self.horizontalScrollBar().value()) // self._painter.cell + 1
        return rank if rank <= self._painter.rows[row].returned else 0

    def _document(self, row: int, rank: int) -> str:
        """Return the document at a rank of a row, "" if there is none; the run has those that the view model lacks."""
        if self._view_model is None or row < 0 or not rank:
            return ""
        strip, collection = self._painter.rows[row], self._session.view.collection
        entry = None if collection is None else collection.run(strip.run.key)
        ranking = [] if entry is None else entry.run.ranking(self._view_model.query_id, rank)
        return ranking[rank - 1] if len(ranking) >= rank else ""

    def cursor_rect(self) -> QRect | None:
        """Return the rectangle of the current strip in the viewport; None without strips."""
        if not 0 <= self._row < len(self._painter.rows):
            return None
        cell = self._painter.cell_rect(self._row, 1, self.scrolled())
        return QRect(0, cell.top(), self.viewport().width(), cell.height())

    def document_at(self, position: QPoint) -> str:
        row = self._row_at(position)
        return self._document(row, self._rank_at(position, row))

    def hoverable_at(self, position: QPoint) -> str:
        """Return the document of the qrels at a point, "" if there is none."""
        row = self._row_at(position)
        rank = self._rank_at(position, row)
        return next((doc for doc, at in self._painter.places[row].items() if at == rank), "") if rank else ""

    # painting

    def _paint(self, painter: QPainter) -> None:
        self._painter.paint(
            painter,
            self.viewport().size(),
            self.scrolled(),
            hovered=self._hovered or self._session.documents.pinned_document or "",
            selected=self.selected,
            cursor=self._row if self.hasFocus() else -1,
        )

    # pointing

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position().toPoint()
        labels = position.x() < self._painter.left - 10 and self._row_at(position) >= 0
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if labels else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position = event.position().toPoint()
        row = self._row_at(position)
        if row < 0:
            return
        self._row = row
        if position.x() < self._painter.left - 10:
            self._toggle(row)
            return
        doc_id = self._document(row, self._rank_at(position, row))
        if doc_id:
            self._session.navigation.set_document(doc_id)
        self.viewport().update()

    def _menu(self, position: QPoint | None) -> QMenu | None:
        row = min(self._row, len(self._painter.rows) - 1) if position is None else self._row_at(position)
        doc_id = "" if position is None else self._document(row, self._rank_at(position, row))
        if row < 0:
            return None
        of_run = run_menu(self._session, self._painter.rows[row].run.key, self)
        if not doc_id:
            return of_run
        self._row = row
        self._session.navigation.set_document(doc_id)
        menu = self.document_menu(self._painter.rows[row].run)
        menu.addSeparator()
        of_run.setTitle(self._painter.rows[row].run.name.replace("&", "&&"))
        menu.addMenu(of_run)
        return menu

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def _zoom(self, step: int) -> None:
        self._wanted = max(CELL_LEAST, min(CELL_MOST, self._painter.cell + step))
        self._lay_out()
        self.viewport().update()

    def _toggle(self, row: int) -> None:
        run = self._painter.rows[row].run
        self._session.runs.show_run(run.key, not run.shown)

    def tip_at(self, position: QPoint) -> str:
        """Return the tooltip at a point: document and rank of a cell, the whole name of a run."""
        row = self._row_at(position)
        if row < 0:
            return ""
        rank = self._rank_at(position, row)
        doc_id = self._document(row, rank)
        if not doc_id:
            return self._painter.rows[row].run.name if position.x() < self._painter.left - 10 else ""
        collection = self._session.view.collection
        title = "" if collection is None else collection.document_title(doc_id)
        run = self._painter.rows[row].run
        score = self._session.view_models.score_words(run.key, rank)
        tied = self._session.documents.tie_words(run.key, rank)
        lines = (score, tied, self._session.view_models.aspect_words(doc_id), self.own_words(doc_id))
        return (
            f"{title}\n" * bool(title)
            + tr("{document} · rank {rank} of {run}", document=doc_id, rank=rank, run=run.name)
            + "\n"
            + "\n".join(line for line in lines if line)
        )

    # screen readers

    def _spoken_table(self, view_model: QueryViewModel) -> SpokenTable:
        return SpokenStrips(view_model)

    def _spoken_cell(self) -> tuple[int, int] | None:
        return self._row, 1 if self.selected else 0

    # the keyboard

    def _can_walk(self) -> bool:
        return bool(self._painter.rows)

    def _walk(self, key: Qt.Key) -> bool:
        """Handle a key; return False if the strips have no use for it."""
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._to_row(self._row + (1 if key == Qt.Key.Key_Down else -1))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._to_listed(1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._to_row(0 if key == Qt.Key.Key_Home else len(self._painter.rows) - 1)
        elif key == Qt.Key.Key_Space:
            self._toggle(self._row)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self._zoom(-1 if key == Qt.Key.Key_Minus else 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._session.view.document_id:
            self.document_asked.emit()
        else:
            return False
        return True

    def _to_row(self, row: int) -> None:
        self._row = max(0, min(row, len(self._painter.rows) - 1))
        bar, height = self.verticalScrollBar(), self._painter.row_height
        room = self.viewport().height() - AXIS
        if self._row * height < bar.value():
            bar.setValue(self._row * height)
        elif (self._row + 1) * height > bar.value() + room:
            bar.setValue((self._row + 1) * height - room)
        self.spoken.go_to(self._row, 0)
        self.viewport().update()

    def _to_listed(self, step: int) -> None:
        """Select the next document of the current row that is in the qrels, to the right or to the left."""
        strip = self._painter.rows[self._row]
        ranks = strip.ranks.tolist()
        at = strip.selected_rank
        if step > 0:
            place = next((k for k, rank in enumerate(ranks) if rank > at), -1)
        else:
            place = next((k for k in reversed(range(len(ranks))) if ranks[k] < at), -1)
        if place < 0:
            return
        self._session.navigation.set_document(strip.doc_ids[place])
        left = (ranks[place] - 1) * self._painter.cell
        bar, room = self.horizontalScrollBar(), self.viewport().width() - self._painter.left
        if not bar.value() <= left <= bar.value() + room - self._painter.cell:
            bar.setValue(left - room // 2)
