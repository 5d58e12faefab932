"""The panel of a view: its tables, its parameters, and the line of its protocol.

What is sorted and filtered here is the order of rows; the tables are those of every door, and so are the files that are
saved."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QMenu

from irviewer.errors import IrviewerError
from irviewer.gui.guard import guarded
from irviewer.gui.tables.model import OwnPainters, TableModel
from irviewer.gui.tables.result_columns import ColumnLayout, RowKeys, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, TextButton
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.parameter_bar import ParameterBar, typed_value
from irviewer.gui.widgets.plain_text import set_tooltip, visible
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.arrays import Ints
from irviewer.rendering.run_label import RunLabel
from irviewer.session.changes import Change
from irviewer.session.result_views import ViewAnswer
from irviewer.tables import table as tables
from irviewer.tables.filter import FilterError
from irviewer.tables.order import filtered_rows, sorted_rows
from irviewer.translation import tr
from irviewer.views.result import ViewResult

if TYPE_CHECKING:
    from irviewer.session.session import Session


TITLED_FROM = 760
"""From so many pixels of width the title of a table stands beside the chooser of views, which says nearly the same."""


@guarded
class ViewPanel(TablePanel):
    """The chosen view, or always the one that is named, without the tables ``without``. Enter opens a row as the table
    says: a query, a run as the focus, or a nugget or a sentence in its answer."""

    answered = Signal()
    """Emitted when another answer, or none, is shown."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        name: str = "",
        without: frozenset[str] = frozenset(),
        layouts: Mapping[str, ColumnLayout] | None = None,
        own_painters: OwnPainters | None = None,
    ) -> None:
        self.model = TableModel(own_painters=own_painters)
        self._own, self._without, self._layouts = name, without, layouts
        self._only: dict[str, Hashable] = {}
        self._opened: dict[str, Hashable] = {}
        super().__init__(session, theme, Table(self.model, theme, tightens=True), "view")
        self.model.setParent(self)
        self._answer: ViewAnswer | None = None
        self._names: tuple[str, str] = ("", "")
        self._filter = ""
        self._sort: dict[tuple[str, str], tuple[str, bool]] = {}
        self._table_name: dict[str, str] = {}
        self._menu: QMenu | None = None
        self.views = ChoiceButton(theme, bold=True)
        self.tables = ChoiceButton(theme, most=420)
        self.filter = FilterField(theme, tr("Filter rows…"), tr("Filter of the rows"), least=110)
        self.save = TextButton(theme, tr("Save…"), tr("Save the tables as a file: CSV, JSON, Parquet, LaTeX …"))
        self.header_layout.insertWidget(0, self.views)
        self.header_layout.insertWidget(1, self.tables)
        self.header_layout.insertWidget(self.header_layout.count() - 1, self.filter)
        self.reported = QCheckBox(tr("In the report"))
        self.reported.setFont(theme.font(9))
        set_tooltip(self.reported, tr("Add the view to the report that Export writes"))
        self.header_layout.insertWidget(self.header_layout.count() - 1, self.reported)
        self.header_layout.insertWidget(self.header_layout.count() - 1, self.save)
        self.parameters = ParameterBar(theme)
        self.body_layout.insertWidget(0, self.parameters)
        self.views.clicked.connect(self._on_views_clicked)
        self.tables.clicked.connect(self._on_tables_clicked)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self._on_filter_left)
        self.reported.clicked.connect(self._on_reported_clicked)
        self.save.clicked.connect(self._on_save_requested)
        self.parameters.chosen.connect(self._on_parameter_chosen)
        self.parameters.typed.connect(self._on_parameter_typed)
        self.table.sort_requested.connect(self._on_sort_requested)
        self.table.row_activated.connect(self._on_row_activated)

    # --- what is shown ---

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the chosen view, and its result as soon as it is there."""
        service = self.session.result_views
        view = service.view(self._own)
        self.views.setVisible(not self._own)
        self.reported.setVisible(not self._own)
        self.views.show_choice(view.title, tr("View"))
        self.views.setMinimumWidth(self.views.sizeHint().width())  # what is shown is named whole
        self.table.setAccessibleName(visible(view.title))  # also while there is no table to show
        self.parameters.show_parameters(view.parameters, service.parameters_of(self._own), service.choices)
        self.reported.setChecked(service.reported)
        try:
            answer = service.answer(self._own)
        except IrviewerError as error:
            answer = ViewAnswer(None, str(error))
        bound = service.protocol(self._own)
        self.set_note("" if bound is None else bound.line())
        labels_changed = Change.RUNS in changes or Change.THEME in changes
        if answer is not None and answer is self._answer and view.name == self._names[0] and not labels_changed:
            return
        self._answer = answer
        self._show()
        self.answered.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._title.setVisible(bool(self._own) or event.size().width() >= TITLED_FROM)
        super().resizeEvent(event)

    @property
    def shown(self) -> ViewResult | None:
        return None if self._answer is None else self._answer.shown

    @property
    def result_table(self) -> tables.Table | None:
        """The table that is shown, in its own order."""
        listed = self.listed
        if not listed:
            return None
        name = self._table_name.get(self._own or self.session.result_views.chosen, "")
        names = [table.name for table in listed]
        return listed[names.index(name) if name in names else 0]

    @property
    def listed(self) -> tuple[tables.Table, ...]:
        """The tables that can be shown."""
        every = () if self.shown is None else self.shown.tables
        return tuple(table for table in every if table.name not in self._without)

    def show_named(self, name: str) -> None:
        """Show another table of the view, all its rows."""
        self._opened = {}
        self._table_name[self._own or self.session.result_views.chosen] = name
        self._show()

    def restrict(self, only: Mapping[str, Hashable]) -> None:
        """Show only rows that have these values, by key of a column; a column that a table lacks restricts nothing."""
        if self._only != dict(only):
            self._only = dict(only)
            self._show()

    def _show(self) -> None:
        table, view = self.result_table, self.session.result_views.view(self._own)
        several = len(self.listed) > 1
        self.tables.setVisible(several)
        self.save.setEnabled(table is not None)
        if table is None:
            self._names = (view.name, "")
            self.set_title("")
            self.model.clear()
            self.show_notice(self._reason(), "muted")
            return
        if self._names != (view.name, table.name):  # columns of another table have their own widths and order
            self._names = (view.name, table.name)
            self._file_name = f"{view.name}_{table.name}".replace("-", "_")
            self._filter = ""
            self._opened = {}
            self.restore_columns()
        self.tables.show_choice(self._name_of(table), tr("Table"))
        groups = table.groups() if table.group else ()
        if len(groups) == 1:  # what would be the same in every row is said once
            (table,) = groups
        self.set_title("" if several and len(groups) != 1 else table.title)
        self.table.setAccessibleName(visible(table.title))
        fault = self._fill(table)
        self.filter.show_filter(self._filter, fault)
        remarks = [remark.text for remark in (*(self.shown.sentences if self.shown else ()), *table.notes)]
        self.show_notice("\n".join(remarks), "text" if remarks else "muted")

    def _reason(self) -> str:
        """Return why there is no table."""
        if self._answer is not None:
            return self._answer.trouble or tr("This view has no table.")
        if self.session.view.context is None:
            return tr("Nothing is open.")
        return tr("Computing …")

    def _fill(self, table: tables.Table) -> str:
        """Show the rows that the filter leaves, sorted; return what was not understood of the filter."""
        rows, fault = np.arange(table.n_rows, dtype=np.int64), ""
        try:
            rows = filtered_rows(table, self._filter) if self._filter else rows
        except FilterError as error:
            fault = str(error)
        own = [column.key for column in table.columns]
        for key, value in (*self._only.items(), *self._opened.items()):
            if key in own:
                values = table.column(key).values
                rows = np.array([row for row in rows.tolist() if values[row] == value], dtype=np.int64)
        sort = self._sort.get(self._names, ("", False))
        rows = _sorted(table, rows, sort)
        with self.table.keeping():
            columns = result_columns(table, rows, self.labels(), layouts=self._layouts)
            self.model.show(columns, RowKeys(table, rows), sort)
            self.model.line_below = int(np.sum(rows <= table.line_below)) - 1 if table.line_below >= 0 else -1
        return fault

    def labels(self) -> dict[str, RunLabel]:
        """Return how each run is shown, by its name."""
        context = self.session.view.context
        if context is None:
            return {}
        return {entry.name: context.labels[entry.key] for entry in context.collection.runs}

    def savable(self) -> Savable | None:
        """Return the tables of the view as every door saves them: all rows, in their own order. A format that holds
        one table gets the one that is shown."""
        shown, table = self.shown, self.result_table
        if shown is None or table is None:
            return None
        others = tuple(other for other in shown.tables if other is not table)
        return savable_result(table.title, (table, *others), self.session.view.judgment_mark)

    # --- what the user does ---

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self._sort[self._names] = (column_id, descending)
        self._show()

    def _on_filter_used(self, text: str) -> None:
        self._filter = text
        self._show()

    def _on_filter_left(self) -> None:
        self.table.setFocus()

    def _on_reported_clicked(self, ticked: bool) -> None:
        self.session.result_views.set_reported(ticked)

    def _on_parameter_chosen(self, name: str, value: object) -> None:
        try:
            self.session.result_views.set_parameter(name, value, self._own)
        except IrviewerError as error:
            self.show_notice(str(error), "worse")

    def _on_parameter_typed(self, name: str, text: str) -> None:
        view = self.session.result_views.view(self._own)
        parameter = next(each for each in view.parameters if each.name == name)
        try:
            value = typed_value(parameter, text)
        except IrviewerError as error:
            self.show_notice(str(error), "worse")
            return
        self._on_parameter_chosen(name, value)

    def _on_row_activated(self, row: int) -> None:
        table = self.result_table
        if table is None or not 0 <= row < len(self.model.keys):
            return
        key = self.model.keys[row]
        if table.opens == "query":
            if self.session.navigation.set_query(_query_of(table, key)):
                self.session.navigation.set_place("query")
        elif table.opens == "run" and str(key) in (labels := self.labels()):
            self.session.runs.set_focus(labels[str(key)].key)
        elif table.opens == "answer" and isinstance(key, tuple):
            self.session.answers.open(*key)
        elif table.opens in [other.name for other in self.listed]:
            self._open_rows(table, key)

    def _open_rows(self, table: tables.Table, key: Hashable) -> None:
        """Show the table that a row opens, its rows with the texts and the run of that row, until a table is chosen."""
        place = _place_of(table, key)
        self.show_named(table.opens)
        other = self.result_table
        if other is not None:
            own = {column.key for column in other.columns}
            self._opened = {
                column.key: column.values[place]
                for column in table.columns
                if column.kind in ("text", "run") and column.key in own
            }
            self._show()

    def views_menu(self) -> QMenu:
        menu = QMenu(self)
        for name, title in self.session.result_views.listed():
            action = menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == self.session.result_views.chosen)
            action.setData(name)
        menu.triggered.connect(self._on_view_chosen)
        return menu

    def _name_of(self, table: tables.Table) -> str:
        """Return what a table is called among those of its view: its title; without one, that of the view for its main
        table, and its name for another."""
        view = self.session.result_views.view(self._own)
        return table.title or (view.title if table.name == view.name else table.name)

    def tables_menu(self) -> QMenu:
        """Return the menu of the view's tables."""
        menu = QMenu(self)
        for table in self.listed:
            action = menu.addAction(visible(self._name_of(table)).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(table is self.result_table)
            action.setData(table.name)
        menu.triggered.connect(self._on_table_chosen)
        return menu

    def _open(self, menu: QMenu, below: ChoiceButton) -> None:
        self._menu = open_below(menu, below, self._menu)

    def _on_views_clicked(self) -> None:
        self._open(self.views_menu(), self.views)

    def _on_tables_clicked(self) -> None:
        self._open(self.tables_menu(), self.tables)

    def _on_view_chosen(self, action: QAction) -> None:
        self.session.result_views.choose(action.data())

    def _on_table_chosen(self, action: QAction) -> None:
        self.show_named(action.data())


def _place_of(table: tables.Table, key: Hashable) -> int:
    """Return the row that a key of the model stands for; rows of a table without keys are known by their numbers."""
    return list(table.keys).index(key) if len(table.keys) else int(str(key))


def _query_of(table: tables.Table, key: Hashable) -> str:
    """Return the query of a row: its key, or the first part of that; in a table without keys, where queries come
    several times, its first id."""
    if len(table.keys):
        return str(key[0] if isinstance(key, tuple) else key)
    ids = next(column for column in table.columns if column.kind == "id")
    return str(ids.values[_place_of(table, key)])


def _sorted(table: tables.Table, rows: Ints, sort: tuple[str, bool]) -> Ints:
    """Return rows sorted by a column; as they are where the table has no such column."""
    if sort[0] not in [column.key for column in table.columns]:
        return rows
    return sorted_rows(table, sort[0], descending=sort[1], rows=rows)
