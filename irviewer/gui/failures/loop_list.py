"""The queries of a run by their loss, two lines each, and the documents of the selected one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QMenu

from irviewer.commands import find, run_command
from irviewer.gui.guard import guarded
from irviewer.gui.tables.cells import LEFT_PAD, draw_left, draw_right, elided, text_width
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip
from irviewer.gui.widgets.plain_text import from_left, visible
from irviewer.gui.widgets.savable import Savable, savable_view
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.number_text import quantity
from irviewer.rendering.elision import start_of_all
from irviewer.session.view_models.failure_loop import FailureLoopViewModel, TopDocument
from irviewer.tables.filter import FAILURES_GRAMMAR
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

ROW = 44
BAR, VALUE, CHECK, KEY = 56, 46, 20, 16
LEAST_WITH_BAR = 300
"""The least width of a row that has a bar, in pixels."""
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_CENTRE = Qt.AlignmentFlag.AlignCenter


class LossColumn(Column):
    """A query with its loss, its causes in words and the keys of its tags."""

    gives_way = True

    def __init__(self, view_model: FailureLoopViewModel) -> None:
        super().__init__("query", tr("query"), tr("Query, loss, causes and tags"))
        self.view_model = view_model
        self.start = start_of_all(view_model.query_ids)

    def place(self, row: int) -> int:
        """Return the query of a row as an index of the losses."""
        return int(self.view_model.rows[row])

    def loss(self, row: int) -> float:
        assert self.view_model.losses is not None
        return float(self.view_model.losses.total[self.place(row)])

    def text(self, row: int) -> str:
        return visible(self.view_model.texts[self.place(row)] or self.view_model.query_id(row))

    def value(self, row: int) -> str:
        return self.view_model.query_id(row)

    def spoken(self, row: int) -> str:
        view_model, query = self.view_model, self.view_model.query_id(row)
        words = [
            self.text(row), query, tr("loss {loss}", loss=quantity(self.loss(row))), view_model.words[self.place(row)],
            tr("examined") if query in view_model.looks else tr("not examined"),
            *(look.tags if (look := view_model.looks.get(query)) is not None else ()),
        ]  # fmt: skip
        return visible(", ".join(filter(None, words)))

    def tip(self, row: int) -> str:
        query = self.view_model.query_id(row)
        look = self.view_model.looks.get(query)
        tags = ", ".join(look.tags) if look is not None else ""
        lines = (self.view_model.texts[self.place(row)], query, self.view_model.words[self.place(row)], tags)
        return "\n".join(visible(line) for line in lines if line)


class LossCell:
    """Paints a query of the list: a tick where it was examined, its text, a bar of the loss, its causes and keys."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, LossColumn):
            return
        theme, view_model = self._theme, column.view_model
        query, loss = view_model.query_id(row), column.loss(row)
        look = view_model.looks.get(query)
        current = row == view_model.selected
        upper = QRect(box.left(), box.top() + 4, box.width(), 19)
        lower = QRect(box.left(), box.top() + 23, box.width(), 17)
        if look is not None:
            painter.setPen(theme["ink"])
            draw_left(painter, upper, LEFT_PAD - 2, "✓", 400, 9.5)
        right = box.right() - 8
        painter.setFont(theme.font(9.5, weight=600 if current else 400, numbers=True))
        painter.setPen(theme["ink"])
        box_of_value = QRect(right - VALUE, upper.top(), VALUE, upper.height())
        painter.drawText(box_of_value, int(_RIGHT), _short(loss))
        wide = box.width() >= LEAST_WITH_BAR  # with less room the text needs it
        bar = QRectF(right - VALUE - (BAR if wide else 0) - 4, upper.center().y() - 4, BAR, 8)
        if wide:
            painter.fillRect(bar, theme["recess"])
            lost = min(1.0, max(0.0, loss))
            painter.fillRect(QRectF(bar.left(), bar.top(), BAR * lost, bar.height()), theme["worse"])
        left = LEFT_PAD + CHECK - 2
        room = int(bar.left()) - box.left() - left - 8
        text = " ".join(column.text(row).split())
        weight = 600 if current else 400
        painter.setPen(theme["ink"])
        draw_left(painter, upper, left, elided(text, room, weight, Qt.TextElideMode.ElideMiddle, 9.5), weight, 9.5)
        keys = view_model.keys.get(query, ()) if look is not None else ()
        x = right
        for key in reversed(keys[-6:]):
            x -= KEY
            draw_key(painter, QRect(x, lower.top(), KEY - 2, 15), key, theme)
        words = view_model.words[column.place(row)]
        name = column.without_start(query)
        second = second_line(name, words, bool(view_model.texts[column.place(row)]))
        painter.setPen(theme["muted"])
        room = x - box.left() - left - 6
        draw_left(painter, lower, left, elided(second, room, 400, size=8.5), 400, 8.5)


def second_line(name: str, words: str, titled: bool) -> str:
    """Return what is below the text of a query: its name, where that is not the text itself, and its causes."""
    return from_left(visible(f"{name} · {words}" if titled and words else words or name))


def _short(loss: float) -> str:
    """Return a loss with three decimals, without a leading zero."""
    text = f"{loss:.3f}"
    return decimal(text.removeprefix("0") if text.startswith("0.") else text)


def draw_key(painter: QPainter, rect: QRect, key: str, theme: Theme, *, on: bool = False) -> None:
    """Draw the key of a tag as a small key cap, filled where the tag is on."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme["ink" if on else "control_border"], 1))
    painter.setBrush(theme["ink" if on else "control"])
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setPen(theme["panel" if on else "text"])
    painter.setFont(theme.font(8, weight=600))
    painter.drawText(rect, int(_CENTRE), key)
    painter.restore()


@guarded
class LoopTable(Table):
    """The table of queries: Space examines, Shift+Space takes it back."""

    def __init__(self, session: Session, model: TableModel, theme: Theme) -> None:
        super().__init__(model, theme, stretch="query", sortable=False, row_height=ROW)
        self._session = session
        self.horizontalHeader().hide()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            run_command(self._session, "forget_failure" if shift else "examine_failure")
            return
        super().keyPressEvent(event)


class QueriesByLoss(TablePanel):
    """The queries of a run by their loss, with a filter."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel(own_painters={LossColumn: LossCell})
        super().__init__(session, theme, LoopTable(session, self.model, theme), "loss")
        self.model.setParent(self)
        self._view_model: FailureLoopViewModel | None = None
        self.table.setAccessibleName(tr("Queries by loss"))
        self.legend_button.hide()
        self.filter = FilterField(theme, tr("Filter: text, cause:late, tag:2, untagged"), tr("Filter failures"))
        self.filter.setMinimumWidth(80)
        self.filter.setMaximumWidth(16_777_215)
        self.body_layout.insertWidget(0, self.filter)
        self.body_layout.setContentsMargins(8, 8, 8, 4)
        self.body_layout.setSpacing(6)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self._on_filter_left)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)

    def show_view_model(self, view_model: FailureLoopViewModel) -> None:
        """Show the rows of a view model."""
        self._view_model = view_model
        with self.table.keeping(view_model.selected):
            self.model.show((LossColumn(view_model),), view_model.query_ids)
        shown = len(view_model.rows)
        count = (
            decimal(f"{shown:,}")
            if shown == view_model.total
            else tr("{n:,} of {all:,}", n=shown, all=view_model.total)
        )
        self.set_title(f"{view_model.title}  {decimal(count)}")
        self.filter.show_filter(view_model.filter, view_model.filter_error, FAILURES_GRAMMAR)
        start = self.model.columns[0].start if self.model.columns else ""
        note = " · ".join(
            filter(None, (view_model.loss_words, tr("ids {start}…", start=visible(start)) if start else ""))
        )
        self.set_note(view_model.filter_error or note, "warning" if view_model.filter_error else "muted")
        if view_model.explanation and not shown:
            self.table.set_empty_words(view_model.explanation)
        else:
            self.table.set_empty_words("" if shown else tr("No query matches the filter."))

    def savable(self) -> Savable | None:
        """Return the losses by query as ``irviewer failures --causes --table loss`` writes them."""
        tables = [table for table in self.session.failures.tables("causes") if table.name == "loss"]
        return savable_view(self.title, tables, self.session.view.judgment_mark)

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        for name in ("examine_failure", "forget_failure"):
            action = menu.addAction(find(self.session, name).title)
            action.setData(name)
            action.triggered.connect(self._on_command_chosen)
        return menu

    def _on_command_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            run_command(self.session, str(action.data()))

    def _on_filter_used(self, text: str) -> None:
        self.session.failure_loop.set_filter(text)

    def _on_filter_left(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_row_entered(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.rows):
            self.session.navigation.set_query(self._view_model.query_id(row))

    def _on_row_activated(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.rows):
            key = None if self._view_model.run is None else self._view_model.run.key
            self.session.failures.go_to_failure(self._view_model.query_id(row), key)


class TopColumn(Column):
    """The documents of the top: rank, grade, text, and the rank that one repeats."""

    gives_way = True

    def __init__(self, documents: tuple[TopDocument, ...], max_grade: float) -> None:
        super().__init__("document", tr("document"), tr("Rank, grade and text"))
        self.documents = documents
        self.max_grade = max_grade

    def text(self, row: int) -> str:
        return visible(self.documents[row].text or self.documents[row].document)

    def value(self, row: int) -> str:
        return self.documents[row].document

    def spoken(self, row: int) -> str:
        each = self.documents[row]
        grade = tr("unjudged") if np.isnan(each.grade) else tr("grade {grade:g}", grade=each.grade)
        words = [tr("rank {rank:,}", rank=each.rank), grade, repeats_words(each), each.text or each.document]
        return visible(", ".join(filter(None, words)))

    def tip(self, row: int) -> str:
        each = self.documents[row]
        return "\n".join(visible(line) for line in (each.document, repeats_words(each), each.text) if line)


def repeats_words(document: TopDocument) -> str:
    """Return which rank a document repeats; "" for none."""
    return tr("≈ rank {rank}", rank=document.repeats) if document.repeats else ""


class TopCell:
    """Paints a document of the top."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, TopColumn):
            return
        theme, each = self._theme, column.documents[row]
        painter.setPen(theme["muted"])
        draw_right(painter, QRect(box.left(), box.top(), 34, box.height()), f"{each.rank}", Density(9.5, 8))
        chip = QRect(box.left() + 36, box.top() + (box.height() - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        draw_grade_chip(painter, chip, each.grade, column.max_grade, theme)
        left, right = 36 + CHIP_WIDTH + 8, box.width() - 10
        sign = repeats_words(each)
        if sign:
            width = round(text_width(sign, 400, 8.5)) + 16
            pill = QRectF(box.left() + right - width, box.top() + 4.5, width, box.height() - 10)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme["worse"], 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
            painter.setFont(theme.font(8.5))
            painter.drawText(pill, int(_CENTRE), sign)
            painter.restore()
            right -= width + 8
        relevant = not np.isnan(each.grade) and each.grade > 0
        painter.setPen(theme["ink" if relevant else "muted"])
        text = column.text(row)
        draw_left(painter, box, left, elided(text, right - left, 400, size=9.5), 400, 9.5)
