"""The Queries table: queries x shown runs for one measure, with a filter field. Its current row is the selected query.

Order and filter are kept by the session, so that the relevance map and the bars show the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.tables.notes_column import notes_column
from irviewer.gui.tables.result_columns import ColumnLayout, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.cell_table import CellTable
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.changes import Change
from irviewer.session.view_models.queries import ATTRIBUTE, QueriesViewModel, query_table_of
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


WIDEST_ID = 160
WIDEST_ATTRIBUTE = 110
"""The greatest natural widths of ids and of categories, in pixels."""
FREE_TEXT = 24
"""The most letters of a category. An attribute with a longer text, such as a question, has some words in sight or is
left out: the query's page has it whole."""
SORTED_AS = {"difference": "delta", "from_median": "median"}
"""How the session calls columns that files have under other keys."""
FURTHER = ("spread", "from_median", "mean", "agreement")
"""The columns of numbers that are left out, unless the table is sorted by one, where the text would not be read."""


def query_columns(view_model: QueriesViewModel) -> tuple[Column, ...]:
    """Return the columns of the table of a view model, with the user's notes."""
    table = query_table_of(view_model)
    runs = [column for column in table.columns if column.names == "run"]
    labels = {column.key: label for column, label in zip(runs, view_model.runs, strict=True)}
    attributes = [each for each in view_model.attributes if each.attribute.name != "relevant"]
    layouts = {
        key: ColumnLayout(name=SORTED_AS.get(key, key), yields=SORTED_AS.get(key, key) != view_model.sort[0])
        for key in FURTHER
    }
    layouts["difference"] = ColumnLayout(name=SORTED_AS["difference"])
    layouts["query"] = ColumnLayout(widest=WIDEST_ID)
    layouts |= {key: ColumnLayout(name=str(label.key), chosen=label.focus) for key, label in labels.items()}
    for column, own in zip([each for each in table.columns if each.names == "attribute"], attributes, strict=True):
        name = f"{ATTRIBUTE}{own.attribute.name}"
        needed = own.numbers is not None or own.groups is not None or name == view_model.sort[0]
        layouts[column.key] = ColumnLayout(
            name=name, widest=0 if own.numbers is not None else WIDEST_ATTRIBUTE,
            groups=None if own.groups is None else own.groups.tolist(),
            yields=not needed and own.longest > FREE_TEXT,
        )  # fmt: skip
    # Which queries separate the runs is bold in the column before.
    keys = [column.key for column in table.columns if column.key != "separates"]
    rows = np.arange(table.n_rows, dtype=np.int64)
    columns: tuple[Column, ...] = result_columns(table, rows, labels, keys=keys, layouts=layouts)
    if not any(view_model.remarks):
        return columns
    place = 2 if columns[1].id == "text" else 1
    return (*columns[:place], notes_column(view_model.remarks, view_model.note_texts), *columns[place:])


class QueriesTable(ViewModelPanel[QueriesViewModel]):
    """The table of queries; Enter opens a query in the Query screen."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel()
        table = CellTable(
            self.model, theme, lambda column: column.run is not None, stretch="text", frozen=(2, 2), tightens=True
        )  # fmt: skip
        super().__init__(
            session, theme, table, "queries", self.model, session.view_models.queries_view_model, self._show_rows
        )
        self.table.setAccessibleName(tr("Queries"))
        self.filter = FilterField(theme, tr("Filter: text, id, Δ > {number:g}", number=0.1), tr("Filter queries"))
        self.header_layout.insertWidget(1, self.filter)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self._on_filter_left)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)
        table.cell_explained.connect(self._on_cell_explained)

    def refresh(self, changes: frozenset[Change]) -> None:
        super().refresh(changes)
        if Change.BUSY in changes and self._view_model is not None:  # the filter on its way may be cancelled
            self._show_filter(self._view_model)

    def row_of(self, view_model: QueriesViewModel) -> int:
        return view_model.selected

    def _show_rows(self, view_model: QueriesViewModel) -> None:
        self.model.show(query_columns(view_model), view_model.query_ids, view_model.sort)
        self.table.freeze(2, self._behind_runs())

    def tell(self, view_model: QueriesViewModel, before: QueriesViewModel | None) -> None:
        if before is not None and before.filter != view_model.filter:
            self.table.verticalScrollBar().setValue(0)
        self._show_filter(view_model)

    def savable(self) -> Savable | None:
        """Return the table of all queries and runs as every door saves it; None if nothing is open."""
        context, bound = self.session.view.context, self.session.view.protocol
        if context is None or bound is None:
            return None
        tested = str(context.measure)
        focus = None if context.focus is None else context.collection.run(context.focus)
        request = self.session.result_views.request(
            "queries", run="" if focus is None else focus.name,
            tested="" if bound.standing(tested) in ("", "primary") else tested,
        )  # fmt: skip
        return None if request is None else savable_later(self.title, request.tables, self.session.view.judgment_mark)

    def _behind_runs(self) -> int:
        """The number of columns after those of the runs: the differences, which do not scroll."""
        runs = [position for position, column in enumerate(self.model.columns) if column.run is not None]
        return len(self.model.columns) - runs[-1] - 1 if runs else 0

    def _show_filter(self, view_model: QueriesViewModel) -> None:
        coming = self.session.navigation.ordering.filter_under_way
        text = view_model.filter if coming is None else coming
        self.filter.show_filter(text, view_model.filter_error, view_model.filter_grammar)
        if view_model.filter_error:  # the box below the field says what
            self.set_note(tr("filter not understood"), "warning")
        else:
            self.set_note(view_model.note)
        if view_model.filter and not view_model.query_ids:
            self.show_notice(tr("No query matches the filter. Press Esc in the filter field to clear it."))
        else:
            self.show_notice(view_model.explanation)

    def _on_filter_used(self, text: str) -> None:
        if self._view_model is not None:  # the filter that is shown may be about to go
            self.session.navigation.filter_queries(text)

    def _on_filter_left(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_row_entered(self, row: int) -> None:
        self._choose(row)

    def _on_row_activated(self, row: int) -> None:
        self._choose(row)
        self.session.navigation.set_place("query")

    def _on_cell_explained(self, row: int, column_id: str) -> None:
        self._choose(row)
        self.session.explaining.explain_cell(int(column_id))

    def _choose(self, row: int) -> None:
        query = self.model.keys[row]
        if isinstance(query, str) and query != self.session.view.query_id:
            self.session.navigation.set_query(query)

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        # A second click on the heading turns the order that is on its way, not the one that is shown.
        again = self.session.navigation.ordering.sort_under_way == (column_id, descending)
        self.session.navigation.sort_queries(column_id, descending != again)
