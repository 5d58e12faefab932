"""The Queries table: queries x shown runs for one measure, with a filter field. Its current row is the selected query.

Order and filter are kept by the session, so that the relevance map and the bars show the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from irviewer.gui.queries.model import QueriesModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.cell_table import CellTable
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.view_models.queries import QueriesViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class QueriesTable(ViewModelPanel[QueriesViewModel]):
    """The table of queries; Enter opens a query in the Query screen."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = QueriesModel()
        table = CellTable(
            self.model, theme, lambda column: column.run is not None, stretch="text", frozen=(2, 2), tightens=True
        )  # fmt: skip
        super().__init__(
            session, theme, table, "queries", self.model, session.view_models.queries_view_model, self._show_rows
        )
        self.table.setAccessibleName(tr("Queries"))
        self.filter = FilterField(theme, tr("Filter: text, id, Δ > 0.1"), tr("Filter queries"))
        self.header_layout.insertWidget(1, self.filter)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self._on_filter_left)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)
        table.cell_explained.connect(self._on_cell_explained)

    def row_of(self, view_model: QueriesViewModel) -> int:
        return view_model.selected

    def _show_rows(self, view_model: QueriesViewModel) -> None:
        self.model.set_view_model(view_model)
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
        self.filter.show_filter(view_model.filter, view_model.filter_error, view_model.filter_grammar)
        if view_model.filter_error:  # the box below the field says what
            self.set_note(tr("filter not understood"), "warning")
        else:
            self.set_note(view_model.note)
        if view_model.filter and not view_model.query_ids:
            self.show_notice(tr("No query matches the filter. Press Esc in the filter field to clear it."))
        else:
            self.show_notice(view_model.explanation)

    def _on_filter_used(self, text: str) -> None:
        if self._view_model is not None and self._view_model.filter != text:
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
        self.session.navigation.sort_queries(column_id, descending)
