"""The table of all views: dense rows of equal height, painted by hand, sorted by the session, copied as shown.

It knows a :class:`TableModel` and the theme. Signals announce what the user does, never what a refresh changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QHeaderView, QMenu, QTableView, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.tables.cells import on_check_box
from irviewer.gui.tables.column_order import ColumnOrder
from irviewer.gui.tables.column_widths import Widths
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.model import AnyIndex, Column, TableModel, selection_tsv
from irviewer.gui.tables.rows import CURSORS, Marks, Rows
from irviewer.gui.theme import Theme, aligned
from irviewer.translation import tr, trn

ROW_HEIGHT = 27
BETWEEN = 18
"""The height of the words on rows that are hidden."""
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
EMPTY_SIZE, EMPTY_MARGIN, EMPTY_ROWS = 10.5, 24, 4
"""Size in points, side margins in pixels, and height in rows of the text of an empty table."""
MOST_PARTS = 12
"""Rectangles of a table that are painted by themselves; of more, what is between them is painted too."""
MOST_KEPT = 1000  # a larger selection is not restored in another order, since it was not made row by row

_Action = QAbstractItemView.CursorAction


@guarded
class Table(QTableView):
    """A table of a view model. ``stretch`` is the column that takes the remaining width ("" shares it); ``frozen`` is
    the number of columns at the left and right that do not scroll. A table that is not ``sortable`` has a fixed order;
    one that ``tightens`` uses smaller type to avoid scrolling. Names of runs written upwards leave ``rows_in_view``.

    sort_requested   a column's id, descending
    row_entered      the row that the user moved to (click, arrows)
    row_activated    Enter or a double click on a row, a click on a link of it
    row_toggled      Space on a row, or a click on a run's check box
    """

    sort_requested = Signal(str, bool)
    row_entered = Signal(int)
    row_activated = Signal(int)
    row_toggled = Signal(int)
    row_menu_requested = Signal(int, QPoint)
    header_menu_requested = Signal(str, QPoint)
    save_requested = Signal()
    height_changed = Signal()
    """The header has another height."""
    row_pointed = Signal(int)
    """The row under the pointer, -1 for none."""

    def __init__(
        self,
        model: TableModel,
        theme: Theme,
        *,
        stretch: str = "",
        frozen: tuple[int, int] = (0, 0),
        sortable: bool = True,
        tightens: bool = False,
        row_height: int = ROW_HEIGHT,
        rows_in_view: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self._following = False
        self._hovered = -1
        self._pressed_box = -1
        self._staying: tuple[int, ...] = ()
        self._shape: tuple[object, ...] = ()
        self._waited = False
        self._empty_words = ""
        self.has_header_menu = False
        """Whether a view shows its own menu on ``header_menu_requested``."""
        self.mark: Callable[[], str] = str  # an empty text
        """Returns the note about changed judgments that is copied with rows; "" for none."""
        self._header = TableHeader(model, theme, frozen, sortable, self)
        self._widths = Widths(self._header, stretch, tightens)
        self.order = ColumnOrder(self._header)
        self.row_height = row_height
        self._rows_in_view = rows_in_view
        self._rows = Rows(model, self._header, theme, row_height)
        self._set_up()
        self.setModel(model)
        theme.changed.connect(self._on_theme_changed)
        self._header.sectionClicked.connect(self._on_header_clicked)
        self._header.sectionResized.connect(self._on_section_resized)
        self.order.changed.connect(self._on_order_changed)
        self._header.height_changed.connect(self.height_changed)
        self._header.menu_requested.connect(self._on_header_menu_requested)
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_double_clicked)
        self._on_theme_changed()

    def _set_up(self) -> None:
        self.setHorizontalHeader(self._header)
        rows = self.verticalHeader()
        rows.hide()
        # One height for all, since asking 100,000 rows takes seconds.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(self.row_height)
        rows.setDefaultSectionSize(self.row_height)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(self.row_height)
        self.setMouseTracking(True)

    # For the views

    def set_empty_words(self, text: str) -> None:
        """Set the text that is shown in the middle of an empty table."""
        if text != self._empty_words:
            self._empty_words = text
            self.setAccessibleDescription(text)
            self.viewport().update()

    @contextmanager
    def keeping(self, row: int | None = None) -> Iterator[None]:
        """Keep selection and scroll position while the model takes another view model. Rows are identified by their
        keys. ``row`` is the row to make current (-1 for none), None for the one before.

        A new order is shown from its top; a new current row is scrolled to."""
        model = self._model
        sort = model.sorted_by
        keys = [model.keys[place] for place in self.selected_rows() if place < len(model.keys)]
        current = self.current_row()
        former = model.keys[current] if 0 <= current < len(model.keys) else None
        down, across = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        self._following = True
        try:
            yield
            self.fit()
            self.executeDelayedItemsLayout()  # now, so that all is painted once
            # An index of all keys is needed only to find rows again.
            given = row is not None and len(keys) <= 1
            sought = bool(keys) or former is not None
            places = {key: index for index, key in enumerate(model.keys)} if sought and not given else {}
            target = row if row is not None else places.get(former, -1) if former is not None else -1
            self._make_current(target, [places[key] for key in keys if key in places])
        finally:
            self._following = False
        self.horizontalScrollBar().setValue(across)
        self.verticalScrollBar().setValue(down)
        if sort != model.sorted_by:
            self.verticalScrollBar().setValue(0)
        elif 0 <= target < len(model.keys) and model.keys[target] != former:
            self.show_row(target)

    def freeze(self, left: int, right: int) -> None:
        """Set the number of columns at the left and right that do not scroll."""
        if self._header.frozen != (left, right):
            self._header.frozen = (left, right)
            self._paint_all()

    def set_staying(self, rows: Sequence[int]) -> None:
        """Set the rows that stay in sight: at the edge where they would leave."""
        if tuple(rows) != self._staying:
            self._staying = tuple(rows)
            self.viewport().update()

    def point_at(self, row: int) -> None:
        """Mark a row as if the pointer were on it, -1 for none."""
        self._hover(row, tell=False)

    def staying_places(self) -> list[tuple[int, int]]:
        """Return (row, y in the viewport) of the rows that are kept at an edge."""
        height, places = self.viewport().height(), []
        above = [row for row in self._staying if self.rowViewportPosition(row) < 0]
        below = [row for row in self._staying if self.rowViewportPosition(row) + self.row_height > height]
        if (len(above) + len(below) + 2) * self.row_height > height:
            return []  # they would leave no room for others
        places += [(row, place * self.row_height) for place, row in enumerate(above)]
        return places + [(row, height - (len(below) - place) * self.row_height) for place, row in enumerate(below)]

    def between_words(self) -> tuple[str, QRect]:
        """Return how many rows are hidden above the first row that stays at the lower edge, and the place of these
        words: from the last row that is seen whole, so that none is seen in half. Empty for none."""
        below = [(row, y) for row, y in self.staying_places() if self.rowViewportPosition(row) > y]
        if not below:
            return "", QRect()
        row, y = below[0]
        first = self.rowAt(y - BETWEEN)
        top = self.rowViewportPosition(first)
        words = trn("{n:,} more between", "{n:,} more between", row - first)
        after = self._model.rowCount() - below[-1][0] - 1
        if after:
            words = f"{words} · " + trn("{n:,} more below", "{n:,} more below", after)
        return words, QRect(0, top, self.viewport().width(), y - top)

    def _row_at(self, y: int) -> int:
        """Return the row that is seen at ``y`` of the viewport, -1 for none."""
        kept = next((row for row, top in self.staying_places() if top <= y < top + self.row_height), None)
        return self.rowAt(y) if kept is None else kept

    def current_row(self) -> int:
        """Return the current row, -1 for none."""
        return self.currentIndex().row()

    def show_row(self, row: int) -> None:
        """Scroll so that ``row`` and its neighbour are visible."""
        top, height = self.rowViewportPosition(row), self.viewport().height()
        bar = self.verticalScrollBar()
        if top < 0 or top + self.row_height > height:
            far = top < -height or top > 2 * height
            above = (
                (height - self.row_height) // 2 if far else self.row_height if top < 0 else height - 2 * self.row_height
            )
            bar.setValue(bar.value() + top - above)

    def fit(self) -> None:
        """Set the widths of the columns, from a sample of rows (once for a set of columns) and the width of the
        table."""
        if self._widths.is_sharing(self.viewport().width()):
            return  # a header that becomes higher resizes the table
        columns = self._model.columns
        shape = _shape(columns, len(self._model.keys))
        # Cells that wait for their values are narrower than those: nothing is measured until they have come.
        if shape != self._shape or (self._waited and not self._model.awaiting):
            self._widths.measure(columns, self._model.rowCount())
        else:  # a table that is no longer shown is not kept
            self._widths.follow(columns)
        self._shape, self._waited = shape, self._model.awaiting
        self.order.follow([column.id for column in columns])
        if self._rows_in_view:
            self._header.most_height = max(1, self.height() - self._rows_in_view * self.row_height)
        if self._widths.apply(self.viewport().width()):
            self._paint_all()  # also in other type

    def measure(self, columns: Sequence[Column], rows: int) -> None:
        """Measure columns of so many rows, which the model shows next, so that :meth:`fit` takes less then."""
        shape = _shape(columns, rows)
        if shape != self._shape:
            self._widths.measure(columns, rows)
            self._widths.want(self.viewport().width())
            self._shape, self._waited = shape, False

    def _paint_all(self) -> None:
        self.viewport().update()
        self._header.viewport().update()

    def measure_again(self) -> None:
        """Measure the texts when the table is fitted next, also where the columns are those that it has: other cells
        may be wider."""
        self._shape = ()

    def forget_widths(self) -> None:
        """Measure the texts anew when other columns are shown: no column is as wide as it had to be before."""
        self._shape = ()
        self._widths.forget()

    def whole_width(self) -> int:
        """Return the width in pixels of the rows below which names are cut."""
        return self._widths.whole_width()

    def set_row_height(self, height: int) -> None:
        """Give all rows a height in pixels."""
        self.row_height = self._rows.height = height
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(height)
        rows.setDefaultSectionSize(height)
        self.verticalScrollBar().setSingleStep(height)

    def full_height(self) -> int:
        """Return the height in pixels of all rows, header and scroll bar; of the text for an empty table."""
        rows = self._model.rowCount() or (EMPTY_ROWS if self._empty_words else 0)
        return self._header.height() + rows * self.row_height + self.horizontalScrollBar().sizeHint().height()

    def selected_rows(self) -> list[int]:
        """Return the selected rows, from top to bottom."""
        return sorted({row for low, high in self._selected_areas() for row in range(low, high + 1)})

    def selection_tsv(self) -> str:
        """Return the selected rows as shown for the clipboard, with header and note about changed judgments."""
        return selection_tsv(self._model, self.selected_rows(), self.mark())

    def add_table_actions(self, menu: QMenu) -> None:
        """Add the entries that all tables have to the end of ``menu``."""
        if self._header.sortable:
            # For the keyboard: the mouse can click a header.
            sort = menu.addMenu(tr("Sort by"))
            for column in self._model.columns:
                sort.addAction(column.title.replace("&", "&&")).setData(column.id)
            sort.triggered.connect(self._on_sort_chosen)
        self.add_column_actions(menu.addMenu(tr("Columns")))
        copy = menu.addAction(tr("Copy rows"))
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setEnabled(bool(self.selected_rows()))
        copy.triggered.connect(self.copy_selection)
        menu.addAction(tr("Save table…")).triggered.connect(self.save_requested)

    def add_column_actions(self, menu: QMenu) -> None:
        """Add an entry for each column that can be hidden or shown, and one that shows all in the usual order."""
        for column in self._model.columns:
            if self.order.can_hide(column.id):
                action = menu.addAction(column.title.replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(not self.order.is_hidden(column.id))
                action.setData(column.id)
        menu.addSeparator()
        reset = menu.addAction(tr("All columns in the usual order"))
        reset.setEnabled(self.order.is_changed)
        menu.triggered.connect(self._on_column_chosen)

    def header_menu(self, column_id: str) -> QMenu:
        """Return the menu of a column: sort by it, hide it, choose columns."""
        menu = QMenu(self)
        column = self._model.columns[self._model.column_of(column_id)]
        if self._header.sortable:
            menu.addAction(tr("Sort by {column}", column=column.title)).setData(("sort", column_id))
        if self.order.can_hide(column_id):
            menu.addAction(tr("Hide {column}", column=column.title)).setData(("hide", column_id))
        menu.triggered.connect(self._on_header_action)
        self.add_column_actions(menu.addMenu(tr("Columns")))
        return menu

    def copy_selection(self) -> bool:
        """Copy the selected rows to the clipboard. Return False if there are none."""
        if not self.selected_rows():
            return False
        QApplication.clipboard().setText(self.selection_tsv())
        return True

    def _selected_areas(self) -> list[tuple[int, int]]:
        """Return first and last row of each selected range."""
        selection = self.selectionModel().selection()
        return [
            (area.top(), area.bottom()) for area in (selection.at(position) for position in range(selection.count()))
        ]

    def _make_current(self, row: int, chosen: list[int]) -> None:
        """Make ``row`` current and select it. The rows selected before (``chosen``) stay selected if it is one of
        them."""
        selection = self.selectionModel()
        if not 0 <= row < self._model.rowCount():
            selection.clear()
            return
        wanted = chosen if row in chosen and len(chosen) <= MOST_KEPT else [row]
        if row == self.current_row() and wanted == self.selected_rows():
            return
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        selection.setCurrentIndex(self._model.index(row, 0), flags)
        if len(wanted) > 1:
            areas = QItemSelection()
            for other in wanted:
                areas.select(self._model.index(other, 0), self._model.index(other, 0))
            selection.select(areas, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        region = event.region()
        parts = [*region] if region.rectCount() <= MOST_PARTS else [region.boundingRect()]  # type: ignore[misc]
        for area in parts:
            if len(parts) > 1:  # what is painted twice is darker
                painter.setClipRect(area)
            self._paint_area(painter, area)

    def _paint_area(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, self._theme["panel"])  # below the last row too
        if self._empty_words and not self._model.rowCount():
            painter.setFont(self._theme.font(EMPTY_SIZE))
            painter.setPen(self._theme["text"])
            box = self.viewport().rect().adjusted(EMPTY_MARGIN, 0, -EMPTY_MARGIN, -self.viewport().height() // 4)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), self._empty_words)
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        # Qt may paint before the layout of a new view model is done; it paints again then.
        if first < 0 or self._header.count() != len(self._model.columns):
            return
        marks = Marks(self._selected_areas(), self.current_row(), self._hovered, self.hasFocus())
        rows = range(first, (last if last >= 0 else self._model.rowCount() - 1) + 1)
        self._rows.paint(painter, area, rows, self.rowViewportPosition(first), marks)
        self._paint_staying(painter, area, marks)

    def _paint_staying(self, painter: QPainter, area: QRect, marks: Marks) -> None:
        whole = self.viewport().rect()
        for row, top in self.staying_places():
            if top > area.bottom() or top + self.row_height <= area.top():
                continue
            self._rows.paint(painter, area, range(row, row + 1), top, marks)
            edge = top if self.rowViewportPosition(row) > top else top + self.row_height - 1
            painter.fillRect(0, edge, whole.width(), 1, self._theme.colours["frame"])
        words, box = self.between_words()
        if words and box.intersects(area):
            painter.fillRect(box, self._theme.colours["recess"])
            painter.setFont(self._theme.font(8.5))
            painter.setPen(self._theme.colours["muted"])
            painter.drawText(box.adjusted(EMPTY_MARGIN, 0, 0, 0), int(_LEFT), words)

    # Overridden for frozen columns

    def indexAt(self, pos: QPoint) -> QModelIndex:
        index = super().indexAt(QPoint(self._header.unfrozen(pos.x()), pos.y()))
        row = self._row_at(pos.y()) if self._staying else -1
        return index if row < 0 or not index.isValid() else index.siblingAtRow(row)

    def visualRect(self, index: AnyIndex) -> QRect:
        box = super().visualRect(index)
        if not box.isNull() and self._header.is_fixed(index.column()):
            box.moveLeft(self._header.left_of(index.column()))
        return box

    def scrollTo(self, index: AnyIndex, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint(0)) -> None:  # noqa: B008
        # Selecting a row never scrolls sideways.
        if index.isValid():
            self.show_row(index.row())

    def dataChanged(self, first: AnyIndex, last: AnyIndex, roles: Sequence[int] = ()) -> None:
        if QAccessible.isActive():
            super().dataChanged(first, last, list(roles))
        # Qt knows nothing of cells that do not scroll, and paints the first pixels of the next row too.
        top, rows = self.rowViewportPosition(first.row()), range(first.row(), last.row() + 1)
        places = [(top, len(rows)), *((place, 1) for row, place in self.staying_places() if row in rows)]
        for section in range(first.column(), last.column() + 1):
            left, width = self._header.left_of(section), self._header.sectionSize(section)
            for place, count in places:
                self.viewport().update(left, place, width, count * self.row_height)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dy and self._staying:
            self.viewport().update()
        if dx:
            self._paint_all()

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        last = self._model.rowCount() - 1
        # Qt asks for the next cell when a table without a current one gets the focus, which must not select a row.
        if last < 0 or action == _Action.MoveNext:
            return QModelIndex()
        if action == _Action.MoveHome:
            return self._model.index(0, 0)
        if action == _Action.MoveEnd:
            return self._model.index(last, 0)
        if action in (_Action.MoveLeft, _Action.MoveRight):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + (-80 if action == _Action.MoveLeft else 80))
            return self.currentIndex()
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts of the window (J and K for queries), not a search."""

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if not self._following and current.isValid() and current.row() != previous.row():
            self.row_entered.emit(current.row())

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
        if event.oldSize().height() < 3 * self.row_height and self.current_row() >= 0:
            self.show_row(self.current_row())  # it was scrolled to where there was no room for it

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current_row()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.row_activated.emit(row)
        elif event.key() == Qt.Key.Key_Space and row >= 0:
            self.row_toggled.emit(row)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        self._pressed_box = self._box_at(event.position().toPoint()) if left else -1
        if self._pressed_box < 0:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed_box = self._pressed_box, -1
        if pressed < 0:
            super().mouseReleaseEvent(event)
        elif self._box_at(event.position().toPoint()) == pressed:
            self.row_toggled.emit(pressed)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # A double click on a check box is two clicks: the run is shown and hidden again.
        self._pressed_box = self._box_at(event.position().toPoint())
        if self._pressed_box < 0:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._row_at(event.position().toPoint().y()))
        self.viewport().setCursor(CURSORS[self._model.opens(self.indexAt(event.position().toPoint()))])
        if self._pressed_box < 0:
            super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at_pointer = event.reason() == QContextMenuEvent.Reason.Mouse
        row = self._row_at(event.pos().y()) if at_pointer else self.current_row()
        where = event.globalPos()
        if not at_pointer and row >= 0:
            where = self.viewport().mapToGlobal(QPoint(40, self.rowViewportPosition(row) + self.row_height))
        self.row_menu_requested.emit(row, where)

    def _box_at(self, pos: QPoint) -> int:
        """Return the row whose check box is at ``pos``, -1 for none."""
        index = self.indexAt(pos)
        if not index.isValid() or not self._model.columns[index.column()].ticks:
            return -1
        left = self.visualRect(index).left() + self._model.columns[index.column()].indent(index.row())
        return index.row() if on_check_box(pos.x() - left) else -1

    def _hover(self, row: int, *, tell: bool = True) -> None:
        for changed in {self._hovered, row} if row != self._hovered else ():
            if changed >= 0:
                self.viewport().update(0, self.rowViewportPosition(changed), self.viewport().width(), self.row_height)
        if self._staying and row != self._hovered:
            self.viewport().update()
        changed_row, self._hovered = row != self._hovered, row
        if changed_row and tell:
            self.row_pointed.emit(row)

    def _on_sort_chosen(self, action: QAction) -> None:
        self._on_header_clicked(self._model.column_of(action.data()))

    def _on_header_clicked(self, place: int) -> None:
        column = self._model.columns[place]
        sorted_by, descending = self._model.sorted_by
        self.sort_requested.emit(column.id, not descending if sorted_by == column.id else column.descending_first)

    def _on_header_menu_requested(self, place: int, where: QPointF) -> None:
        if place < len(self._model.columns):
            column_id = self._model.columns[place].id
            if self.has_header_menu:
                self.header_menu_requested.emit(column_id, where.toPoint())
                return
            menu = self.header_menu(column_id)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(where.toPoint())

    def _on_header_action(self, action: QAction) -> None:
        # The menu also announces the actions of its menu of columns, whose data are ids.
        match action.data():
            case ("sort", str(column_id)):
                self._on_header_clicked(self._model.column_of(column_id))
            case ("hide", str(column_id)):
                self.order.set_hidden(column_id, True)

    def _on_column_chosen(self, action: QAction) -> None:
        if action.data() is None:
            self.order.reset()
        else:
            self.order.set_hidden(action.data(), not action.isChecked())

    def _on_order_changed(self) -> None:
        self._widths.apply(self.viewport().width())
        self._paint_all()

    def _on_section_resized(self, place: int, before: int, after: int) -> None:
        self._widths.choose(place, after)

    def _on_clicked(self, index: QModelIndex) -> None:
        if self._model.opens(index) and not QApplication.keyboardModifiers():
            self.row_activated.emit(index.row())

    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.row_activated.emit(index.row())

    def _on_theme_changed(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, self._theme["panel"])
        self.setPalette(palette)
        self._paint_all()


def _shape(columns: Sequence[Column], rows: int) -> tuple[object, ...]:
    """Return what widths are kept for: the number of rows, and the columns by name."""
    return (rows, *((column.id, column.title) for column in columns))
