"""Panels with a table, its context menu and saving it as a file.

The session is used only to write files."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.saved import saved_table
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import QuestionButton
from irviewer.gui.widgets.legend_dialog import SIGNS, LegendDialog, column_meanings
from irviewer.gui.widgets.panel import HEADER_HEIGHT, Panel
from irviewer.gui.widgets.plain_text import Sentences, visible
from irviewer.gui.widgets.savable import Savable, ask_and_save, savable_result
from irviewer.gui.widgets.table import ROW_HEIGHT, Table
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


LEGEND = tr("What the columns mean")
LOW_ROW = 22
"""The least height in pixels of the rows of a table."""
BELOW = 4
BORDERS = 2


@guarded
class TablePanel(Panel):
    """A panel with a ``table``; ``file_name`` is the default name of its file. Order and hidden columns are kept in the
    project under that name."""

    def __init__(
        self, session: Session, theme: Theme, table: Table, file_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent=parent)
        self.session = session
        self.theme = theme
        self.table = table
        table.mark = lambda: session.view.judgment_mark
        self._file_name = file_name
        self.restore_columns()
        table.order.changed.connect(self._on_columns_changed)
        self._fitted = False
        self._body = QWidget()
        self.body_layout = QVBoxLayout(self._body)
        self.body_layout.setContentsMargins(0, 0, 0, BELOW)
        self.body_layout.setSpacing(0)
        self.notice = Sentences()
        self.notice.setContentsMargins(12, 5, 12, 5)
        self.notice.setFont(theme.font(9))
        self.notice.setWordWrap(True)
        self.notice.hide()
        self.legend_button = QuestionButton(theme, LEGEND)
        self.legend_button.clicked.connect(self.show_legend)
        self.header_layout.addWidget(self.legend_button)
        self._notice_colour, self._notice_text = "muted", ""
        self.least_rows = 0
        """The rows that are in sight where the height is fitted to all; of fewer all are. 0: the layout decides."""
        self.body_layout.addWidget(self.notice)
        self.body_layout.addWidget(table, 1)
        self.set_body(self._body)
        self.setFocusProxy(table)
        table.row_menu_requested.connect(self._on_row_menu_requested)
        table.save_requested.connect(self._on_save_requested)
        table.height_changed.connect(self._on_height_changed)
        for changed in (table.model().modelReset, table.model().rowsInserted, table.model().rowsRemoved):
            changed.connect(self._on_rows_changed)
        theme.changed.connect(self._on_colours_changed)

    def set_title(self, title: str) -> None:
        """Set the bold text on the left, which names a table that has no name of its own."""
        if self.table.accessibleName() in ("", visible(self.title)):
            self.table.setAccessibleName(visible(title))
        super().set_title(title)

    def show_notice(self, text: str, colour: str = "muted") -> None:
        """Show a text above the table in a colour of the palette; "" hides it. The reason why a table is empty is shown
        in its middle instead."""
        self._notice_colour, self._notice_text = colour, text
        self.notice.setText(text)
        self._on_rows_changed()
        self._on_colours_changed()

    def _on_rows_changed(self) -> None:
        """Show the notice in the middle of an empty table, or above its rows."""
        text = self._notice_text
        inside = self._notice_colour == "muted" and not self.table.model().rowCount()
        self.notice.setVisible(bool(text) and not inside)
        self.table.set_empty_words(text if inside else "")

    def restore_columns(self) -> None:
        """Take order and hidden columns of the project, where it has them, otherwise those of the view."""
        choice = self.session.autosave.columns.get(self._file_name, {})
        self.table.order.restore(choice.get("order", ()), choice.get("hidden", ()))

    def row_menu(self, row: int) -> QMenu:
        """Return the context menu of ``row`` (-1: below the last row). Overridden by views with more entries."""
        return QMenu(self)

    def fit_height(self) -> None:
        """Limit the height to that of the rows and of what is beside the table, now and when the width changes."""
        self._fitted = True
        height = self.full_height()
        self.setMaximumHeight(height)
        if self.least_rows:
            self.setMinimumHeight(height - max(0, self.table.model().rowCount() - self.least_rows) * ROW_HEIGHT)

    def full_height(self) -> int:
        """Return the height in pixels of the rows and of what is beside the table at this width."""
        room, others = max(1, self.width() - BORDERS), 0
        for place in range(self.body_layout.count()):
            item = self.body_layout.itemAt(place)
            if item is not None and not item.isEmpty() and item.widget() is not self.table:
                height = item.heightForWidth(room) if item.hasHeightForWidth() else item.sizeHint().height()
                others += max(0, height)
        return HEADER_HEIGHT + others + self.table.full_height() + BELOW + BORDERS

    def fit_rows(self, room: int) -> None:
        """Limit the height to that of the rows, and make these lower where ``room`` pixels hold all of them only so."""
        self.table.set_row_height(ROW_HEIGHT)
        self.fit_height()
        lower = ROW_HEIGHT - math.ceil((self.maximumHeight() - room) / max(1, self.table.model().rowCount()))
        if LOW_ROW <= lower < ROW_HEIGHT:
            self.table.set_row_height(lower)
            self.fit_height()

    def _on_height_changed(self) -> None:
        if self._fitted:
            self.fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted and event.size().width() != event.oldSize().width():
            self.fit_height()
            # Qt forgets that a widget became lower while it is being shown: what is within would keep its height.
            self._layout.setGeometry(self.rect())

    def savable(self) -> Savable | None:
        """Return the whole table with exact values, in every format."""
        model = self.table.model()
        assert isinstance(model, TableModel)
        name = self._file_name.replace("-", "_")
        return savable_result(self.title, (saved_table(model, name, self.title),), self.session.view.judgment_mark)

    def whole_menu(self, row: int) -> QMenu:
        """Return the context menu of ``row``, with the entries of all tables at its end."""
        menu = self.row_menu(row)
        if menu.actions():
            menu.addSeparator()
        self.table.add_table_actions(menu)
        menu.addAction(tr("{legend}…", legend=LEGEND)).triggered.connect(self.show_legend)
        return menu

    def show_legend(self) -> None:
        """Show what the columns of the table and the signs of the window mean."""
        model = self.table.model()
        columns = column_meanings(model.columns) if isinstance(model, TableModel) else []
        parts = ((tr("Columns of this table"), columns), (tr("Signs"), SIGNS))
        LegendDialog(self.theme, self.window(), LEGEND, [part for part in parts if part[1]]).open()

    def _on_columns_changed(self) -> None:
        self.session.autosave.set_columns(self._file_name, self.table.order.choice)

    def _on_colours_changed(self) -> None:
        palette = self.notice.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self.theme[self._notice_colour])
        self.notice.setPalette(palette)

    def _on_row_menu_requested(self, row: int, where: QPoint) -> None:
        menu = self.whole_menu(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _on_save_requested(self) -> None:
        savable = self.savable()
        if savable is not None:
            ask_and_save(self.session, self.window(), savable, self._file_name)


class TableViewModel(Protocol):
    """The interface of the view models of tables."""

    @property
    def title(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def explanation(self) -> str: ...


P = TypeVar("P", bound=TableViewModel)


class ViewModelPanel(TablePanel, Generic[P]):
    """A table panel that shows a view model of the session. ``pull`` returns the view model or None; ``fill`` shows it
    in ``model``. Subclasses choose the current row and the text above the table."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        table: Table,
        file_name: str,
        model: TableModel,
        pull: Callable[[], P | None],
        fill: Callable[[P], None],
    ) -> None:
        self._view_model: P | None = None  # before the base class, whose table may use it
        super().__init__(session, theme, table, file_name)
        model.setParent(self)
        self._followed = model
        self._pull, self._fill = pull, fill

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the view model of the session if it has changed."""
        view_model = self._pull()
        if view_model is self._view_model:
            return
        before, self._view_model = self._view_model, view_model
        if view_model is None:
            self._followed.clear()
            return
        with self.table.keeping(self.row_of(view_model)):
            self._fill(view_model)
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        self.tell(view_model, before)

    def row_of(self, view_model: P) -> int | None:
        """Return the row to make current, -1 for none, None for the one before."""
        return None

    def tell(self, view_model: P, before: P | None) -> None:
        """Show the texts around the table; ``before`` is the previous view model."""
        self.show_notice(view_model.explanation)
