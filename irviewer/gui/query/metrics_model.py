"""The columns of the measures table of one query: measure, and value or difference of each shown run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.gui.tables.model import Column, TableModel, TextColumn, label_tooltip
from irviewer.gui.tables.number_columns import ShortColumn, ShortDelta
from irviewer.model.arrays import Floats
from irviewer.model.geometric import logarithms
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.query import MetricRow, QueryViewModel
from irviewer.translation import tr


class MetricsModel(TableModel):
    """Measures x shown runs of a :class:`QueryViewModel`. The keys of the rows are the canonical names of measures. The
    row of the selected measure is marked."""

    def set_view_model(
        self, view_model: QueryViewModel, intervals: Mapping[int, str] | None = None, *, differences: bool = False
    ) -> None:
        """Show a view model: values, or ``differences`` to the baseline, whose own values stay. ``intervals``: run key
        -> the range of the selected measure if all were judged."""
        rows = view_model.metrics
        intervals = intervals or {}
        selected = next((place for place, row in enumerate(rows) if row.chosen), -1)
        runs = [column.run for column in view_model.columns]
        values = _values(rows, len(runs))
        best = np.zeros(values.shape, dtype=np.bool_)
        for place, row in enumerate(rows):
            best[place, list(row.best)] = True
        counts = [row.counts for row in rows]
        labels = [row.label for row in rows]
        measure = TextColumn("measure", tr("measure"), labels, tip=lambda row: rows[row].tooltip() or labels[row])
        measure.whole = True
        columns: list[Column] = [measure]
        for place, label in enumerate(runs):
            if differences and not label.baseline:
                columns.append(_difference(label, rows, values[:, place], counts))
                continue
            column = ShortColumn(
                str(label.key),
                label.name,
                values[:, place],
                label_tooltip(label),
                run=label,
                best=best[:, place],
                counts=counts,
                missing=tr("No value: {run} lacks this query, or the measure is not defined for it.", run=label.name),
            )
            if selected >= 0 and label.key in intervals:
                column.remarks = {selected: intervals[label.key]}
            columns.append(column)
        chosen = frozenset(place for place, row in enumerate(rows) if row.chosen)
        self.show(tuple(columns), [row.measure for row in rows], marked=chosen)


def _difference(label: RunLabel, rows: tuple[MetricRow, ...], values: Floats, counts: list[bool]) -> Column:
    """Return the column of the differences of a run to the baseline."""
    base = np.array([row.base for row in rows], dtype=np.float64)
    ratios = [row.ratio for row in rows]
    cells = values - base
    if any(ratios):
        cells = np.where(ratios, logarithms(values) - logarithms(base), cells)
    column = ShortDelta(
        str(label.key),
        label.name,
        cells,
        label_tooltip(label),
        missing=tr("No difference: baseline and another run must both have a value for this query."),
        counts=counts,
        better_up=[row.higher_is_better for row in rows],
        ratios=ratios,
    )
    column.run = label
    column.titles = (column.title, label.short)
    return column


def _values(rows: tuple[MetricRow, ...], runs: int) -> Floats:
    """Return the values float64[measures, runs], also without rows or runs."""
    return np.array([row.values for row in rows], dtype=np.float64).reshape(len(rows), runs)
