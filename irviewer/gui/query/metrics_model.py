"""The measures table of one query: measure, and value or difference of each shown run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import ColumnLayout, result_columns
from irviewer.gui.tables.short_column import ShortColumn
from irviewer.session.view_models.query import QueryViewModel
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.query_columns import difference_column, value_columns


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
