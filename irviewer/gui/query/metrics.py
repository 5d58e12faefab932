"""The measures table of one query: measures x shown runs; a double click on a row selects its measure for all views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from irviewer.errors import name_some
from irviewer.gui.query.metrics_model import show_metrics
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.short_column import SHORT_PAINTERS
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.cell_table import CellTable
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.session.changes import Change
from irviewer.session.view_models.query import QueryViewModel
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


NAMES_MOST = 104
"""The greatest height in pixels of long names of runs, which leave the measures their rows."""


class MetricsTable(TablePanel):
    """The table of the measures of the selected query; the row of the selected measure is highlighted."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel(own_painters=SHORT_PAINTERS)
        table = CellTable(
            self.model, theme, lambda column: column.run is not None, frozen=(1, 1), sortable=False, tightens=True
        )  # fmt: skip
        header = table.horizontalHeader()
        assert isinstance(header, TableHeader)
        header.most_height = NAMES_MOST
        super().__init__(session, theme, table, "metrics")
        self.model.setParent(self)
        self._view_model: QueryViewModel | None = None
        self._intervals: dict[int, str] = {}
        self.set_title(tr("Measures"))
        self.switch = Segmented(
            theme,
            (
                ("values", tr("values"), tr("The value of each run")),
                ("differences", tr("Δ to ★"), tr("The difference of each run to the baseline")),
            ),
        )
        self.switch.show_chosen("values")
        self.switch.chosen.connect(self._on_switched)
        self.header_layout.insertWidget(2, self.switch)
        self._differences = False
        self.table.setAccessibleName(tr("Measures of this query"))
        self.table.row_activated.connect(self._on_row_chosen)
        table.cell_explained.connect(self._on_cell_explained)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the measures of the selected query."""
        view_model, intervals = self.session.view_models.query_view_model(), self.session.pooling.value_intervals()
        if view_model is self._view_model and intervals is self._intervals:
            return
        former = self._view_model
        self._view_model, self._intervals = view_model, intervals
        if view_model is None:
            self.model.clear()
            return
        chosen = next((place for place, row in enumerate(view_model.metrics) if row.chosen), -1)
        # Another query or run keeps the row that the user moved to; another measure is moved to.
        same = former is not None and _measures(former) == _measures(view_model)
        compared = any(row.base == row.base for row in view_model.metrics) and any(
            not column.run.baseline for column in view_model.columns
        )
        self.switch.setVisible(compared)
        self._differences &= compared
        self.switch.show_chosen("differences" if self._differences else "values")
        with self.table.keeping(None if same and self.table.current_row() >= 0 else chosen):
            show_metrics(self.model, view_model, intervals, differences=self._differences)
        self.show_notice(view_model.explanation or _left_out(view_model))
        self.fit_height()

    def _on_switched(self, mode: str) -> None:
        self._differences = mode == "differences"
        self._view_model = None
        self.refresh(frozenset())

    def savable(self) -> Savable | None:
        """Return the measures of the query for all runs as every door saves them; None if nothing is open."""
        context, bound, view_model = self.session.view.context, self.session.view.protocol, self._view_model
        if context is None or bound is None or view_model is None:
            return None
        label = None if context.focus is None else context.labels[context.focus]
        run = "" if label is None or label.left_out else label.whole_name
        declared = {str(measure) for measure in bound.measures}
        also = [row.measure for row in view_model.metrics if row.measure not in declared]
        request = self.session.result_views.request("query", query=view_model.query_id, also=also, run=run)
        return (
            None
            if request is None
            else savable_later(tr("Measures of this query"), request.tables, self.session.view.judgment_mark)
        )

    def row_menu(self, row: int) -> QMenu:
        """Return the menu of a row, with the explanation of each run's value."""
        menu = super().row_menu(row)
        view_model = self._view_model
        if view_model is None or not 0 <= row < len(view_model.metrics):
            return menu
        measure = view_model.metrics[row]
        if not measure.chosen:
            action = menu.addAction(tr("Select {measure} in all views", measure=measure.label))
            action.setData(measure.measure)
        for place, column in enumerate(view_model.columns):
            value = view_model.metrics[row].values[place]
            if value == value:  # NaN has no ledger
                action = menu.addAction(
                    tr(
                        "Why is {measure} of {run} {value:.4g}?",
                        measure=view_model.metrics[row].label,
                        run=column.run.name,
                        value=value,
                    )
                )
                action.setData((column.run.key, view_model.metrics[row].measure))
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    def _on_menu_triggered(self, action: QAction) -> None:
        data = action.data()
        if isinstance(data, tuple):
            self.session.explaining.explain(*data)
        elif isinstance(data, str):
            self.session.evaluation.set_measure(data)

    def _on_cell_explained(self, row: int, column_id: str) -> None:
        measure = self.model.keys[row]
        if isinstance(measure, str):
            self.session.explaining.explain_cell(int(column_id), measure)

    def _on_row_chosen(self, row: int) -> None:
        measure = self.model.keys[row]
        if isinstance(measure, str) and measure != str(self.session.view.measure):
            self.session.evaluation.set_measure(measure)


def _left_out(view_model: QueryViewModel) -> str:
    """Return which of the shown runs the protocol leaves out; "" for none."""
    names = [column.run.name for column in view_model.columns if column.run.left_out]
    return trn(
        "Left out by the protocol, shown in grey, and not in files: {runs}",
        "Left out by the protocol, shown in grey, and not in files: {runs}",
        len(names), runs=name_some(names),
    ) if names else ""  # fmt: skip


def _measures(view_model: QueryViewModel) -> list[tuple[str, bool]]:
    return [(row.measure, row.chosen) for row in view_model.metrics]
