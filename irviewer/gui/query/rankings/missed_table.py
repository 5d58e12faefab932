"""The painted table of relevant documents outside the cutoff: their rank in each run, and subtopics, if judged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.rankings.document_area import DocumentArea
from irviewer.gui.query.rankings.list_dragging import DocumentDrag
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, SWATCH, draw_grade_chip, draw_swatch
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.gui.widgets.titles import TextCache, TitleCache
from irviewer.hidden_characters import escape_hidden
from irviewer.rendering.elision import shared_start
from irviewer.session.view_models.judges.judging import own_words
from irviewer.session.view_models.query import MissedRow, QueryViewModel
from irviewer.session.view_models.spoken import SpokenMissed
from irviewer.tables import column as cells
from irviewer.tables.judgment_mark import marked_tables
from irviewer.tables.table import Table
from irviewer.tables.writers.registry import written
from irviewer.translation import decimal, tr
from irviewer.views.keys import data_keys

if TYPE_CHECKING:
    from irviewer.session.session import Session

_HEADER = 26
_ROW = 27
_MARGIN = 10
_TITLE_LEFT = _MARGIN + CHIP_WIDTH + 10
_DOCUMENT_LEAST = 130
_DOCUMENT_WANTED = 250
"""The width of titles below which ranks are written shorter, in pixels."""
_RANK_LEAST = 50
_GAP = 16
_ASPECTS = tr("subtopics")
_ASPECTS_MOST = 130
"""The greatest width of subtopics, in pixels; the tooltip has all of them."""
_DOCUMENT = tr("document")


@guarded
class MissedTable(DocumentArea):
    """The painted rows; documents stay at the left while the runs scroll sideways."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, tr("Relevant documents outside the cutoff"), parent)
        self._view_model: QueryViewModel | None = None
        self._titles = TitleCache()
        self._head = TextCache(theme.font(9, weight=500))
        self._rank = TextCache(theme.font(9.5, numbers=True))
        self._best = TextCache(theme.font(9.5, weight=600, numbers=True))
        self._words = TextCache(theme.font(9))
        self._start = ""
        self._cells: list[list[tuple[str, bool, bool]]] = []
        self._headers: list[str] = []
        self._widths: list[int] = []
        self._aspects_width = 0
        self._document_width = _DOCUMENT_LEAST
        self._left = 0
        self._drag = DocumentDrag(self.viewport(), self.document_at)

    def sizeHint(self) -> QSize:
        rows = 0 if self._view_model is None else len(self._view_model.missed)
        return QSize(400, _HEADER + max(1, rows) * _ROW + 4)

    def set_view_model(self, view_model: QueryViewModel | None) -> None:
        """Show a view model."""
        if view_model is self._view_model:
            self._speak()
            self.viewport().update()
            return
        if view_model is None or self._view_model is None or view_model.query_id != self._view_model.query_id:
            self.verticalScrollBar().setValue(0)
            self._titles.clear()
        self._view_model = view_model
        ids = [row.doc_id for row in self.rows]
        self._start = shared_start(min(ids), max(ids)) if ids else ""
        self._titles.set_start(self._start)
        self._titles.set_lists((ids,))
        self._lay_out()
        self.spoken.spoken.show_table(None if view_model is None else SpokenMissed(view_model))
        self._speak()
        self.viewport().update()

    def _speak(self) -> None:
        """Let screen readers read the row of the selected document."""
        selected = self._session.view.document_id
        row = next((row for row, missed in enumerate(self.rows) if missed.doc_id == selected), None)
        if row is not None:
            self.spoken.go_to(row, 0)

    @property
    def rows(self) -> tuple[MissedRow, ...]:
        """The rows shown."""
        return () if self._view_model is None else self._view_model.missed

    def cell_texts(self, row: int) -> list[str]:
        """Return the texts of the ranks of a row."""
        return [text for text, _, _ in self._cells[row]]

    # geometry

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.spoken.cover()
        if event.size().width() != event.oldSize().width():
            self._lay_out()
        else:
            self._set_ranges()

    def _lay_out(self) -> None:
        """Divide the width: ``_left`` is where the runs begin, right of the document and its subtopics."""
        if self._view_model is None:
            return
        self._aspects_width = self._wanted_aspects()
        width, count = self.viewport().width() - self._aspects_width, len(self._view_model.columns)
        room = max(_RANK_LEAST, (width - _DOCUMENT_WANTED - _TITLE_LEFT) // max(1, count))
        absent = self._absent_words(room)
        self._cells = _written(self._view_model.missed, absent)
        self._widths, self._headers = [], []
        for place, column in enumerate(self._view_model.columns):
            names = (column.run.name, column.run.short)
            advances = [self._head.metrics.horizontalAdvance(name) + SWATCH + 5 + _GAP for name in names]
            wanted = advances[0] if advances[0] <= room else advances[1]
            cells = self._ranks_width(place, absent[place]) + _GAP
            self._widths.append(math.ceil(max(wanted, cells, _RANK_LEAST)))
            self._headers.append(fitting_name(column.run, self._head.metrics, self._widths[-1] - SWATCH - 5 - _GAP))
        total = sum(self._widths)
        self._document_width = max(_DOCUMENT_LEAST, width - _TITLE_LEFT - total - 4)
        self._left = _TITLE_LEFT + self._document_width + self._aspects_width
        self._titles.set_room(float(self._document_width - _GAP), 1)
        self._set_ranges()

    def _set_ranges(self) -> None:
        if self._view_model is None:
            return
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        whole = self.viewport().width()
        across.setRange(0, max(0, self._left + sum(self._widths) - whole))
        across.setPageStep(max(1, whole - self._left))
        across.setSingleStep(_RANK_LEAST)
        room_down = self.viewport().height() - _HEADER
        down.setRange(0, max(0, len(self._view_model.missed) * _ROW - room_down))
        down.setPageStep(max(1, room_down))
        down.setSingleStep(_ROW)

    def _wanted_aspects(self) -> int:
        """Return the width of the column of subtopics in pixels; 0 if the judgments have none for the rows."""
        aspects = {} if self._view_model is None else self._view_model.aspects
        texts = [aspects[row.doc_id] for row in self.rows if row.doc_id in aspects] if aspects else []
        if not texts:
            return 0
        title = self._head.metrics.horizontalAdvance(_ASPECTS)
        return min(_ASPECTS_MOST, math.ceil(max(title, *map(self._words.metrics.horizontalAdvance, texts)))) + _GAP

    def aspects_text(self, row: int) -> str:
        """Return the subtopics of a row as painted; "" if there are none."""
        if self._view_model is None or not self._aspects_width:
            return ""
        text = self._view_model.aspects.get(self.rows[row].doc_id, "–")
        return self._words.metrics.elidedText(text, Qt.TextElideMode.ElideRight, self._aspects_width - _GAP + 1)

    def _absent_words(self, room: int) -> list[str]:
        """Return the text of each run for documents that it does not retrieve, a shorter one if room is short."""
        assert self._view_model is not None
        absent = []
        for column in self._view_model.columns:
            depth = len(column.doc_ids)
            words = tr("not in top {depth:,}", depth=depth) if depth else tr("no list")
            fits = self._words.metrics.horizontalAdvance(words) + _GAP <= room
            absent.append(words if fits or not depth else decimal(f"> {depth:,}"))
        return absent

    def _ranks_width(self, place: int, absent: str) -> float:
        """Return the width of the texts of a run's column. Figures are equally wide, so the greatest rank is widest."""
        ranks = [row.ranks[place] for row in self.rows]
        deepest = max(ranks, default=0)
        return max(
            self._best.metrics.horizontalAdvance(f"{deepest:,}") if deepest else 0.0,
            self._words.metrics.horizontalAdvance(absent) if 0 in ranks else 0.0,
        )

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def row_at(self, position: QPoint) -> int:
        """Return the row at a point of the viewport, -1 for none."""
        row = (position.y() - _HEADER + self.verticalScrollBar().value()) // _ROW
        return row if position.y() >= _HEADER and 0 <= row < len(self.rows) else -1

    def cursor_rect(self) -> QRect | None:
        """Return the rectangle of the row of the selected document in the viewport; None without one."""
        selected = self._session.view.document_id
        row = next((row for row, missed in enumerate(self.rows) if missed.doc_id == selected), None)
        if row is None:
            return None
        return QRect(0, _HEADER + row * _ROW - self.verticalScrollBar().value(), self.viewport().width(), _ROW)

    def document_at(self, position: QPoint) -> str:
        """Return the document at a point of the viewport, "" for none."""
        row = self.row_at(position)
        return self.rows[row].doc_id if row >= 0 else ""

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.colours["panel"])
        if self._view_model is None:
            return
        width, height = self.viewport().width(), self.viewport().height()
        down = self.verticalScrollBar().value()
        if not self._view_model.missed:
            painter.setPen(self._theme.colours["muted"])
            self._words.draw(painter, _MARGIN + 2, 10, _nothing_words(self._view_model))
            return
        painter.setClipRect(0, _HEADER, width, height - _HEADER)
        missed, differing = self._view_model.missed, self._view_model.differing
        rights, selected = self._rights(), self._session.view.document_id
        for row in range(down // _ROW, min(len(missed), -(-(down + height - _HEADER) // _ROW))):
            yours = missed[row].doc_id in differing
            self._paint_row(painter, row, _HEADER + row * _ROW - down, rights, selected=selected, yours=yours)
        painter.setClipping(False)
        self._paint_header(painter, width, rights)

    def _paint_header(self, painter: QPainter, width: int, rights: list[tuple[int, int]]) -> None:
        assert self._view_model is not None
        y = (_HEADER - self._head.metrics.height()) / 2
        painter.setClipRect(self._left, 0, width, _HEADER)
        for place, right in rights:
            name = self._headers[place]
            painter.setPen(self._theme.colours["muted"])
            self._head.draw_right(painter, right, y, name)
            left = round(right - self._head.metrics.horizontalAdvance(name)) - 5 - SWATCH
            run = self._view_model.columns[place].run
            draw_swatch(painter, QRect(left, (_HEADER - SWATCH) // 2, SWATCH, SWATCH), self._theme.run(run), True)
        painter.setClipping(False)
        painter.setPen(self._theme.colours["muted"])
        self._head.draw(painter, _TITLE_LEFT, y, self.document_head())
        if self._aspects_width:
            self._head.draw(painter, _TITLE_LEFT + self._document_width, y, _ASPECTS)
        painter.setPen(self._theme.colours["line"])
        painter.drawLine(0, _HEADER - 1, width, _HEADER - 1)

    def document_head(self) -> str:
        """Return the head of the documents, with what all their ids begin with where it has room."""
        whole = f"{_DOCUMENT} · {tr('ids {start}…', start=escape_hidden(self._start))}" if self._start else _DOCUMENT
        return whole if self._head.metrics.horizontalAdvance(whole) <= self._document_width - _GAP else _DOCUMENT

    def _rights(self) -> list[tuple[int, int]]:
        """Return (index, right edge of the text) of each run's column."""
        x = self._left - self.horizontalScrollBar().value()
        edges = []
        for place, width in enumerate(self._widths):
            x += width
            edges.append((place, x - _MARGIN))
        return edges

    def _paint_row(
        self, painter: QPainter, row: int, top: int, rights: list[tuple[int, int]], *, selected: str | None, yours: bool
    ) -> None:
        assert self._view_model is not None
        width = self.viewport().width()
        missed, colours = self._view_model.missed[row], self._theme.colours
        if missed.doc_id == selected:
            painter.fillRect(0, top, width, _ROW - 1, colours["selection"])
            painter.fillRect(0, top, 3, _ROW - 1, colours["ink"])
        elif missed.doc_id == self._hovered:
            painter.fillRect(0, top, width, _ROW - 1, colours["hover"])
            painter.fillRect(0, top, 3, _ROW - 1, colours["faint"])
        painter.setPen(colours["line"])
        painter.drawLine(0, top + _ROW - 1, width, top + _ROW - 1)
        chip = QRect(_MARGIN, top + (_ROW - 1 - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        draw_grade_chip(painter, chip, missed.grade, self._view_model.max_grade, self._theme, yours=yours)
        text = self._titles.known((missed.doc_id, False)) or self._titles.put(missed.doc_id, missed.title, False)
        y = top + (_ROW - 1 - self._titles.line_height) / 2
        painter.setPen(colours["ink"])
        painter.setFont(self._titles.plain)
        for line in text.lines:
            painter.drawStaticText(QPointF(_TITLE_LEFT, y), line)
        if text.lines:
            painter.setPen(colours["muted"])
            painter.setFont(self._titles.small)
        if text.id_text is not None:
            painter.drawStaticText(QPointF(_TITLE_LEFT + text.id_x, y + (1.5 if text.lines else 0)), text.id_text)
        if self._aspects_width:
            painter.setPen(colours["text"])
            middle = top + (_ROW - 1 - self._words.metrics.height()) / 2
            self._words.draw(painter, _TITLE_LEFT + self._document_width, middle, self.aspects_text(row))
        for place, right in rights:
            if right > self._left:
                cell = self._cells[row][place]
                texts = self._best if cell[1] else self._rank if cell[2] else self._words
                painter.setPen(colours["ink" if cell[2] else "muted"])
                texts.draw_right(painter, right, top + (_ROW - 1 - texts.metrics.height()) / 2, cell[0])

    # pointing and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().toPoint())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._session.navigation.set_document(self.rows[row].doc_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows, key = self.rows, event.key()
        at = next((k for k, row in enumerate(rows) if row.doc_id == self._session.view.document_id), -1)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif rows and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            at = max(0, min(len(rows) - 1, at + (1 if key == Qt.Key.Key_Down else -1)))
            self._session.navigation.set_document(rows[at].doc_id)
            self._show_row(at)
        elif at >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.document_asked.emit()
        elif key != Qt.Key.Key_Escape or not self._session.documents.leave_document():
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        return ("_drag" in vars(self) and self._drag.hears(event)) or super().viewportEvent(event)

    def tip_at(self, position: QPoint) -> str:
        """Return the tooltip at a point: the document, its subtopics, and the user's judgment."""
        row = self.row_at(position)
        if row < 0 or self._view_model is None:
            return ""
        doc_id = self.rows[row].doc_id
        own = self._view_model.own.get(doc_id)
        lines = (
            tr("{document} · grade {grade:g}", document=doc_id, grade=self.rows[row].grade),
            self._session.view_models.aspect_words(doc_id),
        )
        return "\n".join(
            filter(None, (*lines, own_words(own, self._session.judging.assessor) if own is not None else ""))
        )

    def _show_row(self, row: int) -> None:
        bar, room = self.verticalScrollBar(), self.viewport().height() - _HEADER
        if row * _ROW < bar.value():
            bar.setValue(row * _ROW)
        elif (row + 1) * _ROW > bar.value() + room:
            bar.setValue((row + 1) * _ROW - room)

    def table(self) -> Table:
        """Return the documents with their ranks in each run for a file; None for one that a run does not retrieve."""
        shown, rows = self._view_model, self.rows
        columns = [
            cells.identifier("document", _DOCUMENT, [row.doc_id for row in rows]),
            cells.text("title", tr("title"), [row.title for row in rows]),
            cells.grade("grade", tr("grade"), [row.grade for row in rows]),
        ]
        if shown is not None and self._aspects_width:
            columns.append(cells.text("subtopics", _ASPECTS, [shown.aspects.get(row.doc_id) for row in rows]))
        names = [] if shown is None else [each.run.name for each in shown.columns]
        columns += [
            cells.rank(key, name, [row.ranks[place] or None for row in rows], names="run")
            for place, (key, name) in enumerate(zip(data_keys(names, columns), names, strict=True))
        ]
        return Table(
            "missed", tr("Missed documents"), tuple(columns), keys=[row.doc_id for row in rows], opens="document"
        )

    def copy(self) -> None:
        """Copy the table to the clipboard."""
        tables = marked_tables([self.table()], self._session.view.judgment_mark)
        QApplication.clipboard().setText(written(tables, "tsv").decode("utf-8", "replace"))


def _written(missed: Sequence[MissedRow], absent: Sequence[str]) -> list[list[tuple[str, bool, bool]]]:
    """Return (text, best, retrieved) of each cell; ``absent`` is the text of each run for what it does not retrieve."""
    rows = []
    for row in missed:
        best = min(filter(None, row.ranks), default=-1) if len(set(row.ranks)) > 1 else -1
        cells = []
        for rank, words in zip(row.ranks, absent, strict=True):
            cells.append((decimal(f"{rank:,}"), rank == best, True) if rank else (words, False, False))
        rows.append(cells)
    return rows


def _nothing_words(view_model: QueryViewModel) -> str:
    if not view_model.missed_known:
        return view_model.explanation
    if not view_model.n_relevant:
        return tr("The qrels have no relevant document for this query.")
    if not view_model.columns:
        return tr("No run is shown. Press {keys} to choose runs.", keys=command_keys("choose_runs"))
    return tr("Every shown run has all relevant documents in its top {cutoff}.", cutoff=view_model.cutoff)
