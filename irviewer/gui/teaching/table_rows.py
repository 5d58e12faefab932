"""The painted rows of the lecture's table, with a field over the cell that is asked."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip, middle_elide
from irviewer.gui.widgets.spoken_table import SpokenTableView
from irviewer.session.lecture_table.columns import COLUMNS, cell_text
from irviewer.session.lecture_table.progress import Cell, WrongGuess
from irviewer.session.view_models.lecture_table import LectureTableViewModel, SpokenLectureTable, TableHalf
from irviewer.translation import tr

LEAST_ROW, MOST_ROW = 20, 29
SEEN = 15
"""The ranks that have room, also with large type on a projector."""
_MOST_SEEN = 20
HEAD, TITLE = 26, 24
RANK, GRADE, GAP, PAD = 34, 44, 12, 11
CLOSE_PAD = 6
"""Beside values where there is little room."""
_MOST_DOCUMENT = 240
_LEAST_FIELD = 62
SIZE = 10.0
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))
_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)


@dataclass(frozen=True)
class _Place:
    """Where a column is: its ranking, its id ("document", "grade" or a column), left edge and width."""

    half: int
    column: str
    left: int
    width: int


@guarded
class GuessField(QLineEdit):
    """The field over the asked cell; with a wrong guess it has a cross and an edge in the colour of a warning."""

    def __init__(self, theme: Theme, parent: QAbstractScrollArea) -> None:
        super().__init__(parent.viewport())
        self._theme = theme
        self._wrong: bool | None = None
        self.setFont(theme.font(SIZE, weight=600, numbers=True))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.hide()
        theme.changed.connect(self._on_theme_changed)
        self.show_wrong(False)

    @property
    def wrong(self) -> bool:
        """Whether the field shows a wrong guess."""
        return bool(self._wrong)

    def show_wrong(self, wrong: bool) -> None:
        """Mark what is typed as wrong, or no longer."""
        if wrong != self._wrong:
            self._wrong = wrong
            self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        palette = self._theme.palette
        edge, ink = (palette.warning, palette.warning) if self._wrong else (palette.ink, palette.ink)
        self.setStyleSheet(
            f"QLineEdit {{ border: 1.5px solid {edge}; color: {ink}; border-radius: 4px; padding: 0 4px; "
            f"min-height: 0; background: {palette.panel}; }}"
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._wrong:
            painter = QPainter(self)
            painter.setFont(self.font())
            painter.setPen(self._theme["warning"])
            painter.drawText(self.rect().adjusted(7, 0, 0, 0), _LEFT, "✕")


@guarded
class TableRows(QAbstractScrollArea):
    """The table of a view model.

    cell_chosen    a click on a cell
    cell_opened    a double click on a cell
    key_pressed    a key that the table does not use itself, with the text of the field
    """

    cell_chosen = Signal(Cell)
    cell_opened = Signal(Cell)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._view_model: LectureTableViewModel | None = None
        self._places: tuple[_Place, ...] = ()
        self._row_height = MOST_ROW
        self._width = 0
        self._pad = PAD
        self._shown_guess: WrongGuess | None = None
        self._asking = False
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(tr("Values rank by rank"))
        self.setMinimumHeight(TITLE + HEAD + 4 * LEAST_ROW)
        self.spoken = SpokenTableView(self)
        self.field = GuessField(theme, self)
        self.field.setAccessibleName(tr("Your guess"))
        theme.changed.connect(self._on_theme_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def row_height(self) -> int:
        """The height of a row in pixels."""
        return self._row_height

    @property
    def seen(self) -> int:
        """How many rows are wholly in view."""
        return max(0, (self.viewport().height() - TITLE - HEAD) // self._row_height)

    def show_view_model(self, view_model: LectureTableViewModel | None) -> None:
        """Show a table; the current row is always in view."""
        former = None if self._view_model is None else self._view_model.at
        self._view_model = view_model
        self.spoken.spoken.show_table(None if view_model is None else SpokenLectureTable(view_model))
        self._lay_out()
        at = None if view_model is None else view_model.at
        self._bring_into_sight()
        self._place_field(moved=at != former)
        if view_model is not None and at is not None:
            self.spoken.go_to(at.rank - 1, SpokenLectureTable(view_model).column_of(at))
        self.viewport().update()

    # --- geometry ---

    def _lay_out(self) -> None:
        view_model = self._view_model
        if view_model is None:
            self._places = ()
            return
        self._row_height = self._fitting_height(view_model.rows)
        metrics = QFontMetrics(self._theme.font(SIZE, numbers=True))
        heads = QFontMetrics(self._theme.font(9, weight=600))
        room = self.viewport().width() - RANK - GAP * (len(view_model.halves) - 1) - 2
        for self._pad in (PAD, CLOSE_PAD):
            widths = [self._natural(half, metrics, heads) for half in view_model.halves]
            free = max(0, room - sum(sum(half) for half in widths))
            if free:
                break
        columns = sum(len(half) - 1 for half in widths)
        left, places = RANK, []
        for number, (half, natural) in enumerate(zip(view_model.halves, widths, strict=True)):
            names = ("document", "grade", *half.column_ids)
            for index, (name, width) in enumerate(zip(names, natural, strict=True)):
                wide = width + (0 if index == 1 else min(60, free // max(1, columns)))
                places.append(_Place(number, name, left, wide))
                left += wide
            left += GAP
        self._width = left - GAP + 2
        self._places = tuple(places)
        bar = self.verticalScrollBar()
        rows = self.viewport().height() - TITLE - HEAD
        bar.setRange(0, max(0, view_model.rows * self._row_height - rows))
        bar.setPageStep(max(1, rows))
        bar.setSingleStep(self._row_height)
        across = self.horizontalScrollBar()
        across.setRange(0, max(0, self._width - self.viewport().width()))
        across.setPageStep(max(1, self.viewport().width()))
        across.setSingleStep(20)

    def _fitting_height(self, rows: int) -> int:
        """Return the row height at which SEEN ranks, and up to _MOST_SEEN of the list, are in view."""
        room = self.viewport().height() - TITLE - HEAD
        wanted = max(SEEN, min(rows, _MOST_SEEN))
        return max(LEAST_ROW, min(MOST_ROW, room // wanted if room // wanted >= LEAST_ROW + 3 else room // SEEN))

    def _natural(self, half: TableHalf, metrics: QFontMetrics, heads: QFontMetrics) -> list[int]:
        """Return the widths that document, grade and columns need. Covered numbers have room, so that nothing moves."""
        pad, named = self._pad, heads.horizontalAdvance(tr("document"))
        longest = max(metrics.horizontalAdvance(document) for document in half.ranking.documents[: half.rows])
        widths = [max(named, min(_MOST_DOCUMENT, longest)) + pad + 4, GRADE]
        for column in half.columns:
            texts = (cell_text(half.ranking, column.id, rank) for rank in range(1, half.rows + 1))
            wide = max(metrics.horizontalAdvance(_joined(*text)) for text in texts)
            field = _LEAST_FIELD if self._view_model is not None and column.id in self._view_model.asked else 0
            widths.append(max(wide, heads.horizontalAdvance(column.title), field) + 2 * pad)
        return widths

    def cell_rect(self, cell: Cell) -> QRect:
        """Return the rectangle of a cell in the viewport; empty if there is none."""
        place = next((place for place in self._places if (place.half, place.column) == (cell.half, cell.column)), None)
        if place is None:
            return QRect()
        left = place.left - self.horizontalScrollBar().value()
        return QRect(left, self._top(cell.rank), place.width, self._row_height)

    def _top(self, rank: int) -> int:
        return TITLE + HEAD + (rank - 1) * self._row_height - self.verticalScrollBar().value()

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a place in the viewport; None where there is none."""
        view_model = self._view_model
        if view_model is None or y < TITLE + HEAD:
            return None
        rank = (y - TITLE - HEAD + self.verticalScrollBar().value()) // self._row_height + 1
        x += self.horizontalScrollBar().value()
        place = next((place for place in self._places if place.left <= x < place.left + place.width), None)
        cell = None if place is None else Cell(place.half, rank, place.column)
        return cell if cell is not None and view_model.has(cell) else None

    def _bring_into_sight(self) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        at = view_model.at
        rank = view_model.row if at is None else at.rank
        bar, height = self.verticalScrollBar(), self._row_height
        rows = self.viewport().height() - TITLE - HEAD
        below = min(view_model.rows, rank + 1) * height - rows
        bar.setValue(max(0, min(max(bar.value(), below), (rank - 1) * height)))
        rect = QRect() if at is None else self.cell_rect(at)
        across = self.horizontalScrollBar()
        if not rect.isEmpty() and rect.right() > self.viewport().width():
            across.setValue(across.value() + rect.right() - self.viewport().width())
        elif not rect.isEmpty() and rect.left() < RANK:
            across.setValue(across.value() + rect.left() - RANK)

    def _place_field(self, *, moved: bool) -> None:
        view_model = self._view_model
        at = None if view_model is None else view_model.at
        wanted = view_model is not None and at is not None and not view_model.is_open(at)
        focused = self.window().focusWidget() in (self, self.field)
        if moved or not wanted:
            self.field.clear()
        self._asking = wanted  # before the focus moves: the table gives it to the field while a cell is asked
        if not wanted or at is None or view_model is None:
            if focused:
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.hide()
            return
        rect = self.cell_rect(at)
        wide = min(rect.width() - 4, 96)
        self.field.setGeometry(rect.right() - wide - 2, rect.top() + 1, wide, rect.height() - 2)
        self.field.setVisible(rect.top() >= TITLE + HEAD and rect.right() > RANK)
        wrong = view_model.wrong
        if wrong is not None and wrong is not self._shown_guess:  # once: what the user types after it stays
            self.field.setText(wrong.typed)
        self._shown_guess = wrong
        self.field.show_wrong(wrong is not None)
        self.field.setAccessibleDescription(view_model.words(at))
        if focused:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus(self) -> None:
        """Give the keyboard to the field, or to the table where nothing is asked."""
        (self.field if not self.field.isHidden() else self).setFocus(Qt.FocusReason.OtherFocusReason)

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        painter = QPainter(self.viewport())
        painter.save()
        painter.setClipRect(self.viewport().rect().adjusted(0, TITLE + HEAD, 0, 0))  # a saved picture has no other edge
        first = self.verticalScrollBar().value() // self._row_height
        last = first + (self.viewport().height() - TITLE - HEAD) // self._row_height + 2
        for rank in range(first + 1, min(view_model.rows, last) + 1):
            self._paint_row(painter, view_model, rank)
        painter.restore()
        self._paint_heads(painter, view_model)

    def _paint_heads(self, painter: QPainter, view_model: LectureTableViewModel) -> None:
        theme, across = self._theme, self.horizontalScrollBar().value()
        painter.setFont(theme.font(9, weight=600))
        painter.setPen(theme["muted"])
        titles = {column.id: column.title for column in COLUMNS}
        titles |= {"document": tr("document"), "grade": tr("grade") if view_model.graded else tr("rel.")}
        painter.drawText(QRect(0, TITLE, RANK - 10, HEAD), _RIGHT, "K")
        painter.setClipRect(QRect(RANK, 0, self.viewport().width() - RANK, TITLE + HEAD))
        for place in self._places:
            rect = QRect(place.left - across, TITLE, place.width, HEAD)
            if place.column == "document":
                painter.drawText(rect.adjusted(self._pad, 0, 0, 0), _LEFT, titles[place.column])
            elif place.column == "grade":
                painter.drawText(rect, _CENTRE, titles[place.column])
            else:
                painter.drawText(rect.adjusted(0, 0, -self._pad, 0), _RIGHT, titles[place.column])
        for number, half in enumerate(view_model.halves):
            own = [place for place in self._places if place.half == number]
            left, right = own[0].left - across + self._pad, own[-1].left + own[-1].width - across
            painter.setFont(theme.font(9.5, weight=600))
            metrics = QFontMetricsF(painter.font())
            name = middle_elide(half.title, metrics, max(40, (right - left) * 0.5))
            title = name[0] if name else ""
            painter.setPen(theme["ink"])
            painter.drawText(QRect(left, 0, right - left, TITLE + 4), _LEFT, title)
            left += int(metrics.horizontalAdvance(title)) + 8
            painter.setFont(theme.font(9))
            painter.setPen(theme["muted"])
            note = QFontMetrics(painter.font()).elidedText(
                f"· {view_model.note(number)}", Qt.TextElideMode.ElideRight, max(0, right - left)
            )
            painter.drawText(QRect(left, 0, max(0, right - left), TITLE + 4), _LEFT, note)
        painter.setClipping(False)
        painter.setPen(theme["frame"])
        painter.drawLine(0, TITLE + HEAD - 1, self.viewport().width(), TITLE + HEAD - 1)

    def _paint_row(self, painter: QPainter, view_model: LectureTableViewModel, rank: int) -> None:
        theme, top, across = self._theme, self._top(rank), self.horizontalScrollBar().value()
        current = rank == view_model.row
        ends = [
            max(place.left + place.width for place in self._places if place.half == number) - across
            for number in range(len(view_model.halves))
        ]
        starts = [0, *(end + GAP for end in ends[:-1])]
        for number, half in enumerate(view_model.halves):
            if rank > half.rows:
                continue
            strip = QRect(starts[number], top, ends[number] - starts[number], self._row_height)
            if current:
                painter.fillRect(strip, theme["selection"])
            painter.setPen(theme["line"])
            painter.drawLine(strip.left(), strip.bottom(), strip.right(), strip.bottom())
        painter.setFont(theme.font(SIZE, weight=600 if current else 400, numbers=True))
        painter.setPen(theme["ink" if current else "muted"])
        painter.drawText(QRect(0, top, RANK - 10, self._row_height), _RIGHT, str(rank))
        if current:
            painter.fillRect(QRect(0, top, 3, self._row_height - 1), theme["ink"])
        painter.save()
        painter.setClipRect(self.viewport().rect().adjusted(RANK, TITLE + HEAD, 0, 0))
        for place in self._places:
            half = view_model.halves[place.half]
            if rank <= half.rows:
                rect = QRect(place.left - across, top, place.width, self._row_height)
                self._paint_cell(painter, rect, view_model, half, Cell(place.half, rank, place.column))
        painter.restore()

    def _paint_cell(
        self, painter: QPainter, rect: QRect, view_model: LectureTableViewModel, half: TableHalf, cell: Cell
    ) -> None:
        theme, ranking, rank = self._theme, half.ranking, cell.rank
        relevant = bool(ranking.is_relevant[rank - 1])
        if cell.column == "document":
            painter.setFont(theme.font(SIZE, weight=600 if relevant else 400))
            painter.setPen(theme["ink" if relevant else "muted"])
            inner = rect.adjusted(self._pad, 0, -4, 0)
            name = middle_elide(ranking.documents[rank - 1], QFontMetricsF(painter.font()), inner.width())
            painter.drawText(inner, _LEFT, name[0] if name else "")
            return
        if cell.column == "grade":
            chip = QRect(0, 0, CHIP_WIDTH, CHIP_HEIGHT)
            chip.moveCenter(rect.center())
            draw_grade_chip(painter, chip, ranking.grade(rank), view_model.max_grade, theme)
            return
        inner = rect.adjusted(4, 0, -self._pad, 0)
        if not view_model.is_open(cell):
            self._paint_cover(painter, inner, "frame" if rank == view_model.row else "recess")
        else:
            fraction, value = view_model.text(cell)
            current = rank == view_model.row
            last = rank == half.rows and cell.column in ("AP", "DCG", "nDCG")
            painter.setFont(theme.font(SIZE, weight=600 if last else 400, numbers=True))
            quiet = view_model.adds_nothing(cell) and not last
            painter.setPen(theme["muted" if quiet or cell.column in ("discount", "ideal") else "ink"])
            painter.drawText(inner, _RIGHT, value)
            if fraction:
                painter.setPen(theme["text" if current else "muted"])
                used = QFontMetrics(painter.font()).horizontalAdvance(value)
                painter.drawText(inner.adjusted(0, 0, -used, 0), _RIGHT, f"{fraction} = ")
        if cell == view_model.at and view_model.is_open(cell) and self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme["ink"], 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(rect).adjusted(2, 1.5, -3, -2.5), 4, 4)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_cover(self, painter: QPainter, inner: QRect, ground: str) -> None:
        box = QRect(0, 0, min(inner.width(), 60), self._row_height - 10)
        box.moveCenter(inner.center())
        box.moveRight(inner.right())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme[ground])
        painter.drawRoundedRect(box, 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # --- input ---

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(int(event.position().x()), int(event.position().y()))
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.cell_chosen.emit(cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(int(event.position().x()), int(event.position().y()))
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.cell_opened.emit(cell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.spoken.cover()
        self._lay_out()
        self.verticalScrollBar().setValue(0)
        self._bring_into_sight()
        self._place_field(moved=False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._asking and not self.field.isHidden():
            self.field.setFocus(event.reason())
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _on_scrolled(self) -> None:
        self._place_field(moved=False)
        self.viewport().update()

    def _on_theme_changed(self) -> None:
        self.viewport().update()


def _joined(fraction: str, value: str) -> str:
    return f"{fraction} = {value}" if fraction else value


_KEYS = {
    Qt.Key.Key_PageDown: "next", Qt.Key.Key_PageUp: "back", Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down",
    Qt.Key.Key_Return: "enter", Qt.Key.Key_Enter: "enter",
}  # fmt: skip


@guarded
class TableKeys(QObject):
    """The keys of the table, in the field and on the rows; ``pressed`` names what was asked."""

    pressed = Signal(str)

    def __init__(self, rows: TableRows) -> None:
        super().__init__(rows)
        self._rows = rows
        rows.installEventFilter(self)
        rows.field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        field = self._rows.field
        if event.type() == QEvent.Type.ShortcutOverride:
            return self._override(event, plain)
        if event.type() != QEvent.Type.KeyPress or not plain:
            return False
        wanted = _KEYS.get(Qt.Key(event.key()), "")
        empty = field.isHidden() or not field.text().strip()
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and empty:
            wanted = "left" if event.key() == Qt.Key.Key_Left else "right"
        elif event.key() == Qt.Key.Key_Space and (empty or field.wrong):
            wanted = "show"
        elif event.key() == Qt.Key.Key_Escape and field.wrong:
            wanted = "again"
        if wanted:
            self.pressed.emit(wanted)
            return True
        # Letters are no part of a number: they stay shortcuts of the window.
        return watched is field and event.text().isalpha()

    def _override(self, event: QKeyEvent, plain: bool) -> bool:
        field = self._rows.field
        letter = plain and event.text().isalpha()
        undo = event.matches(QKeySequence.StandardKey.Undo) and not field.isUndoAvailable()
        redo = event.matches(QKeySequence.StandardKey.Redo) and not field.isRedoAvailable()
        if letter or undo or redo:
            event.ignore()
            return True
        if plain and (event.key() in _KEYS or event.key() == Qt.Key.Key_Space):
            event.accept()
            return True
        return False
