"""The columns of the metric table of one query: a measure, its value in every shown run, the difference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.model.arrays import Floats
from irviewer.session.view_models.query import MetricRow, QueryViewModel


class MetricsModel(TableModel):
    """Measures x shown runs over the ``metrics`` of a :class:`QueryViewModel`; the keys of its rows are the measures'
    canonical names. The chosen measure's row is marked."""

    def set_view_model(self, view_model: QueryViewModel, intervals: Mapping[int, str] | None = None) -> None:
        """Show another view model. ``intervals`` say by run's key what the chosen measure could be, were all judged."""
        rows = view_model.metrics
        intervals = intervals or {}
        asked = next((place for place, row in enumerate(rows) if row.chosen), -1)
        runs = [column.run for column in view_model.columns]
        values = _values(rows, len(runs))
        best = np.zeros(values.shape, dtype=np.bool_)
        for place, row in enumerate(rows):
            best[place, list(row.best)] = True
        counts = [row.counts for row in rows]
        tips = [row.tooltip or row.label for row in rows]
        measure = TextColumn("measure", "measure", [row.label for row in rows], tips=tips)
        measure.whole = True
        columns: list[Column] = [measure]
        for place, label in enumerate(runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                values[:, place],
                label_tooltip(label),
                run=label,
                best=best[:, place],
                counts=counts,
                missing=f"no value: {label.name} lacks this query, or the measure is not defined for it",
            )
            if asked >= 0 and label.key in intervals:
                column.remarks = {asked: intervals[label.key]}
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                "Δ",
                np.array([row.delta for row in rows], dtype=np.float64),
                delta_note(view_model) or "difference from the baseline",
                missing="no difference: it takes a baseline and another run, both with a value for this query",
                counts=counts,
                better_up=[row.higher_is_better for row in rows],
                ratios=[row.ratio for row in rows],
            )
        )
        chosen = frozenset(place for place, row in enumerate(rows) if row.chosen)
        self.show(tuple(columns), [row.measure for row in rows], marked=chosen)


def delta_note(view_model: QueryViewModel) -> str:
    """What the Δ is the difference of, "" where the view model has no such pair."""
    focus = next((column.run.short for column in view_model.columns if column.run.focus), "")
    has_baseline = any(column.run.baseline for column in view_model.columns)
    return f"Δ {focus} − baseline" if focus and has_baseline else ""


def _values(rows: tuple[MetricRow, ...], runs: int) -> Floats:
    """float64[measures, runs], also where there are no rows or runs."""
    return np.array([row.values for row in rows], dtype=np.float64).reshape(len(rows), runs)
