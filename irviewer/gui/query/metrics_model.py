"""The measures table of one query: measure, and value or difference of each shown run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from irviewer.gui.tables.model import OwnPainters, TableModel
from irviewer.gui.tables.number_columns import short_number
from irviewer.gui.tables.result_cells import ResultCell
from irviewer.gui.tables.result_columns import ColumnLayout, ResultColumn, result_columns
from irviewer.session.view_models.query import QueryViewModel
from irviewer.tables import column
from irviewer.tables.show import EQUAL, NOTHING
from irviewer.tables.table import Status, Table
from irviewer.translation import decimal, tr
from irviewer.views.query_columns import difference_column, value_columns


class ShortColumn(ResultColumn):
    """Values and differences without a zero before the point, for narrow tables: .5812, 1 for 1, ▲ .1327, and = for a
    difference that rounds to nothing. Those of a run that the protocol leaves out are grey."""

    @property
    def is_compared(self) -> bool:
        return type(self) is ShortColumn

    def status(self, row: int) -> Status:
        return Status.WEAK if self.run is not None and self.run.left_out else super().status(row)

    def text(self, row: int) -> str:
        text = super().text(row)
        if self.values.kind != "difference":
            return short_number(text)
        if text != NOTHING and (not self.number(row) or not any(digit in "123456789" for digit in text)):
            return EQUAL
        sign, _, size = text.rpartition(" ")
        size = size.lstrip("+−")
        return f"{sign} {size.removeprefix('0') if size.startswith(decimal('0.')) else size}" if sign else text


METRICS_PAINTERS: OwnPainters = {ShortColumn: ResultCell}
"""How the columns of runs are painted."""


def show_metrics(
    model: TableModel, view_model: QueryViewModel, intervals: Mapping[int, str] | None = None, *,
    differences: bool = False,
) -> None:  # fmt: skip
    """Show measures x shown runs: values, or ``differences`` to the baseline, whose own values stay. ``intervals``: run
    key -> the range of the selected measure if all were judged. The keys of the rows are the canonical names of
    measures, and those of the columns are the keys of runs. The row of the selected measure is marked."""
    rows, runs = view_model.metrics, {str(each.run.key): each.run for each in view_model.columns}
    chosen = frozenset(place for place, row in enumerate(rows) if row.chosen)
    table = Table("measures", tr("Measures of this query"), (
        column.text("measure", tr("measure"), [row.label for row in rows], tips=lambda row: rows[row].tooltip()),
        *_of_runs(view_model, intervals or {}, chosen, differences=differences),
    ), keys=[row.measure for row in rows])  # fmt: skip
    layouts = dict.fromkeys(runs, ColumnLayout(made=ShortColumn)) | {"measure": ColumnLayout(whole=True)}
    columns = result_columns(table, np.arange(len(rows), dtype=np.int64), runs=runs, layouts=layouts)
    model.show(columns, table.keys, marked=chosen)


def _of_runs(
    view_model: QueryViewModel, intervals: Mapping[int, str], chosen: frozenset[int], *, differences: bool
) -> list[column.Column]:
    """Return a column for each shown run, with its best values and the tips of the selected measure."""
    rows, runs = view_model.metrics, [each.run for each in view_model.columns]
    values = np.array([row.values for row in rows], dtype=np.float64).reshape(len(rows), len(runs))
    whole, base = [row.counts for row in rows], np.array([row.base for row in rows], dtype=np.float64)
    shown = value_columns([str(run.key) for run in runs], [run.whole_name for run in runs], values, whole)
    columns = []
    for place, (run, own) in enumerate(zip(runs, shown, strict=True)):
        if differences and not run.baseline:
            columns.append(difference_column(
                own.key, run.whole_name, values[:, place], base, whole=whole,
                up=[row.higher_is_better for row in rows], log=[row.ratio for row in rows],
            ))  # fmt: skip
            continue
        tip = intervals.get(run.key, "")
        columns.append(replace(
            own.told(best=[place in row.best for row in rows]),
            tips=lambda row, tip=tip: tip if row in chosen else "",  # type: ignore[misc]
        ))  # fmt: skip
    return columns
