"""The list of queries in the session's order, with their differences and a filter field."""

from __future__ import annotations

from collections.abc import Sequence
from operator import ne
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.filter_hint import FilterHint
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.painting import delta_ink, delta_text, middle_elide
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import set_tooltip, tooltip
from irviewer.gui.widgets.titles import CachedMetrics
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Bools
from irviewer.session.changes import Change
from irviewer.session.view_models.queries import ATTRIBUTE, QueriesViewModel
from irviewer.tables.lazy_texts import LazyTexts
from irviewer.translation import decimal, tr, trc, with_zero

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHANGES = frozenset(
    {Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.MEASURE, Change.QUERY, Change.ORDER, Change.LESSON}
)

_ROW = 27
_TWO_LINES = 42
"""The height of a row with two lines of a query's text."""
_MOST_LETTERS = 300
"""The letters of a text that are laid out: more have no room in two lines."""
_DECIMALS = 3
_MARGIN = 9
_SAMPLE = 400
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_ORDERS = (
    (tr("Δ, best first"), "delta", True),
    (tr("Δ, worst first"), "delta", False),
    (tr("query"), "query", False),
)
_MORE_ORDERS = (
    (tr("text"), "text", False),
    (tr("relevant documents"), "relevant", True),
    (tr("spread"), "spread", True),
)
_NAMES = {
    "delta": "Δ",
    "query": tr("query"),
    "text": tr("text"),
    "relevant": trc("so many documents", "relevant"),
    "spread": tr("spread"),
}

_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_FLAGS = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

AnyIndex = QModelIndex | QPersistentModelIndex


@guarded
class QueryListModel(QStringListModel):
    """The rows of a queries view model, which the delegate reads itself. Qt's model only counts them: a list asks it
    twice for every row that it lays out, which would be as many calls of Python."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view_model: QueriesViewModel | None = None

    def set_view_model(self, view_model: QueriesViewModel | None) -> None:
        """Show a view model. Changed rows are signalled from the first to the last; rows are inserted and removed only
        at the end."""
        former, old, new = self.view_model, self.rowCount(), 0 if view_model is None else len(view_model.query_ids)
        if new < old:
            self.removeRows(new, old - new)
        self.view_model = view_model
        changed = _changed_rows(former, view_model)
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
        if new > old:
            self.insertRows(old, new - old)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.view_model is None or not index.isValid() or index.row() >= len(self.view_model.query_ids):
            return None
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                f"{escape_hidden(self.view_model.query_ids[row])} {escape_hidden(self.view_model.texts[row])}".strip()
            )
        if role == Qt.ItemDataRole.ToolTipRole:
            query, text = self.view_model.query_ids[row], self.view_model.texts[row]
            return tooltip(f"{escape_hidden(query)}\n{text}") if text else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            change = delta_text(self.view_model.gain(row), 4, self.view_model.ratio)
            return tr(
                "query {query} {text} {difference}",
                query=escape_hidden(self.view_model.query_ids[row]),
                text=escape_hidden(self.view_model.texts[row]),
                difference=change,
            ).strip()
        return None


def _changed_rows(former: QueriesViewModel | None, view_model: QueriesViewModel | None) -> range:
    """Return the range from the first to the last row that both view models have and that differs."""
    if former is None or view_model is None:
        return range(0)
    common = min(len(former.query_ids), len(view_model.query_ids))
    if (former.ratio, former.higher_is_better) != (view_model.ratio, view_model.higher_is_better):
        return range(common)
    differs = _differing(former.query_ids, view_model.query_ids) | _differing(former.texts, view_model.texts)
    differs |= ~np.isclose(former.delta[:common], view_model.delta[:common], rtol=0, atol=0, equal_nan=True)
    rows = np.flatnonzero(differs)
    return range(int(rows[0]), int(rows[-1]) + 1) if len(rows) else range(0)


def _differing(former: Sequence[str], present: Sequence[str]) -> Bools:
    """Return where two sequences differ, bool[*], as far as both go."""
    if isinstance(former, LazyTexts):
        return former.differing(present)
    return np.fromiter(map(ne, former, present), np.bool_, min(len(former), len(present)))


@guarded
class QueryDelegate(QStyledItemDelegate):
    """Paints a row: two lines of the query's text, or its id where there is none, and Δ with its arrow; the selected
    row has a bar. The id of a query with a text is in its title, its tooltip and what is spoken."""

    def __init__(self, theme: Theme, model: QueryListModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model
        self._bold = theme.font(9.5, weight=600)
        self._plain = theme.font(9)
        self._strong = theme.font(9, weight=600)
        self._number = theme.font(9, numbers=True)
        self._id_metrics = QFontMetricsF(self._bold)
        self._metrics = {False: CachedMetrics(self._plain), True: CachedMetrics(self._strong)}
        self._delta_width = 0
        self.texts = False
        """Whether queries have texts, which stand in place of their ids."""

    def measure(self, view_model: QueriesViewModel | None) -> bool:
        """Measure the width of differences, and whether queries have texts. Return whether something changed."""
        before = self._delta_width, self.texts
        largest = (
            0.0
            if view_model is None
            else float(np.max(np.abs(view_model.delta), initial=0.0, where=~np.isnan(view_model.delta)))
        )
        widest = QFontMetricsF(self._number).horizontalAdvance(
            self._difference(max(largest, 0.1), view_model is not None and view_model.ratio)
        )
        self._delta_width = round(widest) + 4
        self.texts = view_model is not None and any(view_model.texts[:_SAMPLE])
        return before != (self._delta_width, self.texts)

    @staticmethod
    def _difference(delta: float, ratio: bool) -> str:
        """Return the text of a difference with three decimals, without the zero before the point, which all
        languages but English keep."""
        return with_zero(delta_text(delta, _DECIMALS, ratio).replace(" 0.", " .", 1))

    @property
    def row_height(self) -> int:
        """The height of every row, in pixels."""
        return _TWO_LINES if self.texts else _ROW

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(100, self.row_height)

    def lines(self, text: str, width: float, *, strong: bool = False) -> list[str]:
        """Return a query's text in up to two lines of ``width`` pixels."""
        return middle_elide(text[:_MOST_LETTERS], self._metrics[strong], width, 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        view_model, row = self._model.view_model, index.row()
        if view_model is None or row >= len(view_model.query_ids):
            return
        theme, box = self._theme, QRect(option.rect)
        state = option.state
        selected = row == view_model.selected
        if selected:
            painter.fillRect(box, theme.colours["selection"])
            painter.fillRect(box.left(), box.top(), 3, box.height(), theme.colours["ink"])
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.colours["hover"])
        painter.setPen(theme.colours["line"])
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        delta_left = box.right() - _MARGIN - self._delta_width
        left = box.left() + _MARGIN
        width = delta_left - left - 6
        text = view_model.texts[row] if self.texts else ""
        if text:
            painter.setPen(theme.colours["ink" if selected else "text"])
            painter.setFont(self._strong if selected else self._plain)
            step = round(self._metrics[selected].height())
            lines = self.lines(text, width, strong=selected)
            top = box.top() + (box.height() - 1 - len(lines) * step) // 2
            for number, line in enumerate(lines):
                painter.drawText(QRect(left, top + number * step, width + 4, step), int(_LEFT), line)
        else:
            query = escape_hidden(view_model.query_ids[row])
            shown = self._id_metrics.elidedText(query, Qt.TextElideMode.ElideMiddle, width)
            painter.setPen(theme.colours["ink"])
            painter.setFont(self._bold)
            painter.drawText(QRect(left, box.top(), width + 2, box.height()), int(_LEFT), shown)
        painter.setFont(self._number)
        difference = self._difference(view_model.gain(row), view_model.ratio)
        painter.setPen(theme.colours[delta_ink(difference)])
        painter.drawText(QRect(delta_left, box.top(), self._delta_width, box.height()), int(_RIGHT), difference)


@guarded
class QueryListView(QListView):
    """The list. ``entered_row``: the user went to a row; ``left_up``: the user went up from the first row."""

    entered_row = Signal(int)
    left_up = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.following = False
        self.empty_words = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(_ROW)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(tr("Queries"))

    def dataChanged(self, first: AnyIndex, last: AnyIndex, roles: Any = ()) -> None:
        """Repaint the rows. All rows have the same height: none is laid out again, as QListView would do with all."""
        QAbstractItemView.dataChanged(self, first, last, list(roles))

    def set_empty_words(self, text: str) -> None:
        """Set the text that an empty list shows; "" for none."""
        if text != self.empty_words:
            self.empty_words = text
            self.setAccessibleDescription(text)
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme["panel"])
        painter.end()
        super().paintEvent(event)
        if self.empty_words and not self.model().rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(self.foregroundRole()))
            box = self.viewport().rect().adjusted(8, 10, -8, -10)
            painter.drawText(box, int(_WRAPPED), self.empty_words)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts of the window (J and K go through the queries)."""

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if not self.following and current.isValid():
            self.entered_row.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_up.emit()
        else:
            super().keyPressEvent(event)


@guarded
class FilterField(QLineEdit):
    """The filter field; Down and Enter go to the list, Escape clears it."""

    left_down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left_down.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.textEdited.emit("")  # which is no edit for Qt
        else:
            super().keyPressEvent(event)


@guarded
class OrderButton(ThemedButton):
    """A button with the order, "by Δ ▾", which opens the menu of orders. In a narrow list it has the column and the
    direction alone, and then a shorter name of the column."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setFont(theme.font(9))
        self._column = ""
        self._descending = False
        set_tooltip(self, tr("Order of the queries"))

    def show_order(self, column: str, descending: bool) -> None:
        """Show that queries are ordered by a column."""
        text = tr("by {column} ▾", column=column) if descending else tr("by {column} ▴", column=column)
        self._column, self._descending = column, descending
        if text != self.text():
            self.setText(text)
            self.updateGeometry()

    @property
    def shown(self) -> str:
        """The text that has room."""
        metrics, room = self.fontMetrics(), self.width() - 8
        if metrics.horizontalAdvance(self.text()) <= room:
            return self.text()
        arrow = " ▾" if self._descending else " ▴"
        least = room - metrics.horizontalAdvance(arrow)
        return metrics.elidedText(self._column, Qt.TextElideMode.ElideMiddle, least) + arrow

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 12, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        painter.setPen(self.theme.colours["muted"])
        painter.setFont(self.font())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.shown)


class QueryList(Panel):
    """The panel: order, filter field with its error, list."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Queries"), parent=parent)
        self._note.setMinimumWidth(0)  # a narrow list cuts off the count, not the title
        self._title.setMinimumWidth(self._title.sizeHint().width())
        self._session = session
        self._theme = theme
        self.model = QueryListModel(self)
        self.list = QueryListView(theme)
        self.delegate = QueryDelegate(theme, self.model, self.list)
        self.filter = FilterField()
        self._hint = FilterHint(theme, self.filter)
        self._order = OrderButton(theme)
        self._ids: Sequence[str] | None = None
        self._build()
        self._connect()
        self._on_colours_changed()

    def _build(self) -> None:
        self.list.setModel(self.model)
        # The list paints the panel's background itself, in every theme: what is opaque is scrolled as pixels, so that
        # only the rows that come into view are painted.
        self.list.viewport().setAutoFillBackground(False)
        self.list.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.list.setItemDelegate(self.delegate)
        self.filter.setPlaceholderText(tr("Filter: text, id, Δ > {number:g}", number=0.1))
        self.filter.setFont(self._theme.font(9))
        self.filter.setAccessibleName(tr("Filter queries"))
        self.header_layout.addWidget(self._order)
        self.header_layout.setContentsMargins(12, 0, 6, 0)
        top = QVBoxLayout()
        top.setContentsMargins(8, 7, 8, 6)
        top.setSpacing(4)
        top.addWidget(self.filter)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.list, 1)
        self.set_body(body)
        self.setMinimumWidth(150)

    def _connect(self) -> None:
        self.list.entered_row.connect(self._on_row_entered)
        self.list.left_up.connect(self._on_list_left)
        self.filter.left_down.connect(self._on_filter_left)
        self.filter.textEdited.connect(self._on_filter_edited)
        self._order.clicked.connect(self._on_order_clicked)
        self._theme.changed.connect(self._on_colours_changed)

    @property
    def error(self) -> str:
        """The error of the filter, "" if there is none."""
        return self._hint.fault

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the view model, and scroll only if the selected query is not visible."""
        if not changes & CHANGES:
            if Change.BUSY in changes:  # the filter on its way may be cancelled
                self._show_state(self.model.view_model, self.model.view_model)
            return
        view_model = self._session.view_models.query_list_view_model()
        if view_model is self.model.view_model and view_model is not None:
            return
        ids = () if view_model is None else view_model.query_ids
        reordered = ids != self._ids
        former = self.model.view_model
        moved = not reordered and not changes & (CHANGES - {Change.QUERY})
        relaid = False
        self.list.following = True
        try:
            if moved:  # the same rows: only the selection changed
                self.model.view_model = view_model
            else:
                self.model.set_view_model(view_model)  # only changed rows are repainted
                relaid = self.delegate.measure(view_model)
            self._ids = ids
            self._show_selected(view_model)
        finally:
            self.list.following = False
        if relaid:
            if self.delegate.row_height != self.list.verticalScrollBar().singleStep():
                self.list.verticalScrollBar().setSingleStep(self.delegate.row_height)
                self.list.scheduleDelayedItemsLayout()
                self._show_selected(view_model)
            self.list.viewport().update()
        else:
            # The bar is on the row of the view model, which a click has left before it is shown.
            for shown in (former, view_model):
                if shown is not None and shown.selected >= 0:
                    self.list.update(self.model.index(shown.selected))
        self._show_state(view_model, former)

    def _show_selected(self, view_model: QueriesViewModel | None) -> None:
        index = (
            self.model.index(view_model.selected)
            if view_model is not None and view_model.selected >= 0
            else QModelIndex()
        )
        self.list.setCurrentIndex(index)
        if index.isValid():
            self.list.scrollTo(index)

    def _show_state(self, view_model: QueriesViewModel | None, former: QueriesViewModel | None) -> None:
        if view_model is None:
            return
        # While the user types, the view model may be one letter behind.
        coming = self._session.navigation.ordering.filter_under_way
        text = view_model.filter if coming is None else coming
        if text != self.filter.text() and not self.filter.hasFocus():
            self.filter.setText(text)
        known = None if former is None else (former.filter_error, former.filter_grammar)
        if known != (view_model.filter_error, view_model.filter_grammar):
            self._hint.show_state(view_model.filter_error, view_model.filter_grammar)
        column, descending = view_model.sort
        runs = {str(run.key): run.name for run in view_model.runs}
        name = _NAMES.get(column, runs.get(column, column.removeprefix(ATTRIBUTE)))
        self._order.show_order(name, descending)
        count = len(view_model.query_ids)
        if view_model.filter_error:
            self.set_note(tr("filter not understood"), "warning")
        elif count != view_model.total:
            self.set_note(tr("{count:,} of {total:,}", count=count, total=view_model.total))
        else:
            self.set_note(decimal(f"{count:,}"))
        unmatched = bool(view_model.filter) and not count and not view_model.filter_error
        if unmatched != bool(self.list.empty_words):
            words = tr("No query matches the filter. Press Esc in the filter field to clear it.") if unmatched else ""
            self.list.set_empty_words(words)

    def _on_colours_changed(self) -> None:
        self.list.viewport().update()

    def _on_row_entered(self, row: int) -> None:
        view_model = self.model.view_model
        if view_model is not None and row < len(view_model.query_ids):
            self._session.navigation.set_query(view_model.query_ids[row])

    def _on_list_left(self) -> None:
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_filter_left(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_filter_edited(self, text: str) -> None:
        self._session.navigation.filter_queries(text)

    def _on_order_clicked(self) -> None:
        open_below(self.order_menu(), self._order)

    def order_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        runs = (
            ()
            if self.model.view_model is None
            else tuple((r.name, str(r.key), True) for r in self.model.view_model.runs)
        )
        present = ("", False) if self.model.view_model is None else self.model.view_model.sort
        for text, column, descending in (*_ORDERS, *_MORE_ORDERS, *runs):
            action = menu.addAction(text)
            action.setData((column, descending))
            action.setCheckable(True)
            action.setChecked((column, descending) == tuple(present))
        menu.triggered.connect(self._on_order_chosen)
        return menu

    def _on_order_chosen(self, action: Any) -> None:
        column, descending = action.data()
        self._session.navigation.sort_queries(column, descending)
