"""A list of painted rows of any height: current row, keys, hovering, and a table of texts for screen readers."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.abstract import AbstractWidgetType
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.gui.widgets.spoken_table import SpokenTableView


@dataclass(frozen=True, eq=False)
class SpokenRows:
    """Rows as a table of texts of one column; ``text_of`` returns a row in words."""

    title: str
    n_rows: int
    text_of: Callable[[int], str]

    @property
    def headers(self) -> tuple[str, ...]:
        """The title of the column."""
        return (self.title,)

    def row_name(self, row: int) -> str:
        """Return the number of a row."""
        return str(row + 1)

    def cell(self, row: int, column: int) -> str:
        """Return a row in words."""
        return self.text_of(row)


@guarded
class PaintedRows(QAbstractScrollArea, metaclass=AbstractWidgetType):
    """Rows below each other. Subclasses paint and measure them.

    chosen     the user went to a row
    activated  the user opened a row (Enter, double click)
    moved      rows have other places: the list was scrolled or laid out anew
    """

    chosen = Signal(int)
    activated = Signal(int)
    moved = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tops: list[int] = [0]
        self._painted: tuple[object, ...] | None = None
        self.current = -1
        self.hovered = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(name)
        self.spoken = SpokenTableView(self)
        self._name = name
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self._on_theme_changed)

    # --- what subclasses say ---

    @abstractmethod
    def n_rows(self) -> int:
        """Return the number of rows."""

    @abstractmethod
    def height_of(self, row: int, width: int) -> int:
        """Return the height of a row in pixels."""

    @abstractmethod
    def paint_row(self, painter: QPainter, row: int, box: QRect) -> None:
        """Paint what the row says in its box, in pixels of the viewport; the background is painted."""

    def can_choose(self, row: int) -> bool:
        """Return whether a row can be gone to; headings cannot."""
        return True

    @abstractmethod
    def words_of(self, row: int) -> str:
        """Return a row in words, for screen readers."""

    def tip_of(self, row: int) -> str:
        """Return what the pointer says at a row; "" for nothing."""
        return ""

    def empty_words(self) -> str:
        """Return what a list without rows says."""
        return ""

    # --- layout ---

    def lay_out(self) -> None:
        """Measure all rows again."""
        width = self.viewport().width()
        tops = [0]
        for row in range(self.n_rows()):
            tops.append(tops[-1] + self.height_of(row, width))
        self._tops = tops
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, tops[-1] - self.viewport().height()))
        bar.setPageStep(max(1, self.viewport().height()))
        bar.setSingleStep(24)
        self.spoken.cover()
        self.viewport().update()
        self.moved.emit()

    def show_rows(self) -> None:
        """Show other rows."""
        self.current = min(self.current, self.n_rows() - 1)
        self.spoken.spoken.show_table(SpokenRows(self._name, self.n_rows(), self.words_of))
        self.lay_out()

    def paint_other(self, *painted: object) -> None:
        """Paint the rows again if they show something else. ``painted``: all that a subclass paints them from; the
        values are compared."""
        if (self.current, *painted) != self._painted:
            self._painted = (self.current, *painted)
            self.viewport().update()

    def set_current(self, row: int, follow: bool = True) -> None:
        """Make a row the current one, and scroll to it."""
        self.current = row
        if follow and 0 <= row < self.n_rows():
            self.bring_into_sight(row)
            self.spoken.go_to(row, 0)
        self.viewport().update()

    def bring_into_sight(self, row: int) -> None:
        """Scroll as little as shows a row."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top, bottom = self._tops[row], self._tops[row + 1]
        if top < bar.value():
            bar.setValue(top)
        elif bottom > bar.value() + height:
            bar.setValue(min(top, bottom - height))

    def box_of(self, row: int) -> QRect:
        """Return the place of a row in the viewport."""
        top = self._tops[row] - self.verticalScrollBar().value()
        return QRect(0, top, self.viewport().width(), self._tops[row + 1] - self._tops[row])

    def row_at(self, point: QPoint) -> int:
        """Return the row at a point of the viewport, -1 for none."""
        y = point.y() + self.verticalScrollBar().value()
        row = bisect_right(self._tops, y) - 1
        return row if 0 <= row < self.n_rows() else -1

    def top_in(self, other: QWidget) -> int:
        """Return where the viewport begins in the coordinates of another widget."""
        return other.mapFrom(self.window(), self.viewport().mapTo(self.window(), QPoint(0, 0))).y()

    def middle_of(self, row: int) -> tuple[float, bool]:
        """Return the middle of a row in the viewport, at its edge where the row is not visible; and whether it is."""
        y, height = self.box_of(row).center().y(), self.viewport().height()
        return float(min(max(y, 2), height - 3)), 0 <= y <= height

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 60)

    # --- events ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.colours["panel"])
        if not self.n_rows():
            painter.setFont(self._theme.font(9))
            painter.setPen(self._theme.colours["muted"])
            room = self.viewport().rect().adjusted(12, 8, -12, -8)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(flags), self.empty_words())
            return
        first = max(0, bisect_right(self._tops, self.verticalScrollBar().value()) - 1)
        bottom = self.verticalScrollBar().value() + self.viewport().height()
        row = first
        while row < self.n_rows() and self._tops[row] < bottom:
            self.paint_row(painter, row, self.box_of(row))
            row += 1
        if self.hasFocus() and 0 <= self.current < self.n_rows():
            painter.setPen(self._theme.colours["ink"])
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.box_of(self.current).adjusted(0, 0, -1, -1))

    def ground(self, painter: QPainter, row: int, box: QRect, lit: bool) -> None:
        """Paint the ground of a row: grey where it belongs to the selection, with a bar for the selected one."""
        colours = self._theme.colours
        if lit:
            painter.fillRect(box, colours["selection"])
        elif row == self.hovered:
            painter.fillRect(box, colours["hover"])
        painter.setPen(colours["line"])
        painter.drawLine(box.bottomLeft(), box.bottomRight())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().toPoint())
        if row >= 0 and self.can_choose(row) and event.button() == Qt.MouseButton.LeftButton:
            self.set_current(row, follow=False)
            self.chosen.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().toPoint())
        if row >= 0 and self.can_choose(row):
            self.activated.emit(row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().toPoint())
        if row != self.hovered:
            self.hovered = row if row >= 0 and self.can_choose(row) else -1
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered = -1
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.row_at(event.pos())
            show_tooltip(event.globalPos(), self.tip_of(row) if row >= 0 else "", self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows = [row for row in range(self.n_rows()) if self.can_choose(row)]
        wanted = _wanted(event.key(), rows, self.current, max(1, self.viewport().height() // 40))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0:
            self.activated.emit(self.current)
        elif wanted is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.set_current(wanted)
            self.chosen.emit(wanted)
        else:
            event.ignore()

    def _on_scrolled(self) -> None:
        self.viewport().update()
        self.moved.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def _on_theme_changed(self) -> None:
        self.viewport().update()


def _wanted(key: int, rows: Sequence[int], current: int, page: int) -> int | None:
    if not rows:
        return None
    at = rows.index(current) if current in rows else -1
    steps = {Qt.Key.Key_Down: at + 1, Qt.Key.Key_Up: max(0, at - 1), Qt.Key.Key_PageDown: at + page,
             Qt.Key.Key_PageUp: at - page, Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(rows) - 1}  # fmt: skip
    place = steps.get(Qt.Key(key))
    return None if place is None else rows[max(0, min(len(rows) - 1, place))]
