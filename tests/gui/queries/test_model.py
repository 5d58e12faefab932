"""The Queries view model as columns."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
from PySide6.QtCore import Qt

from irviewer.gui.tables.model import LABEL, TableModel
from irviewer.session.view_models.queries import QueryField


def test_a_query_a_row_a_shown_run_a_column(view_models: ModuleType) -> None:
    view_model = view_models.queries(225, 3)
    model = TableModel()
    view_models.show_queries(model, view_model)
    assert (model.rowCount(), model.columnCount()) == (225, 8)
    assert [column.id for column in model.columns] == ["query", "text", "relevant", "0", "1", "2", "delta", "spread"]
    assert model.headerData(3, Qt.Orientation.Horizontal, LABEL) is view_model.runs[0]
    assert model.index(0, 2).data() == str(view_model.relevant[0])
    assert model.index(3, 3).data() == "–"
    assert "lacks this query" in model.index(3, 3).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(3, 6).data() == "–"
    assert model.index(5, 6).data() == "="


def test_a_smaller_value_can_be_the_better(view_models: ModuleType) -> None:
    view_model = view_models.queries(10, 2)
    model = TableModel()
    view_models.show_queries(model, replace(view_model, higher_is_better=False))
    assert model.index(0, 5).data() == f"▼ +{view_model.delta[0]:.4f}"
    assert not model.columns[3].descending_first


def test_statistics_of_all_runs_come_after_the_shown_ones(view_models: ModuleType) -> None:
    view_model = view_models.queries(4, 2)
    numbers, bold = np.array([0.1, -0.2, np.nan, 0.0]), np.array([True, False, False, True])
    field = QueryField(("median", "agreement"), 7, numbers, numbers, numbers, numbers, bold, numbers)
    model = TableModel()
    view_models.show_queries(model, replace(view_model, field=field, taking_part=7))
    assert [column.id for column in model.columns][-2:] == ["median", "agreement"]
    median, agreement = len(model.columns) - 2, len(model.columns) - 1
    assert [model.index(row, median).data() for row in range(4)] == ["▲ +0.1000", "▼ −0.2000", "–", "="]
    assert "minus the median of the 7 runs" in model.columns[median].tooltip
    assert [model.index(row, agreement).data() for row in (0, 2)] == ["0.1000", "–"]
    assert model.columns[agreement].best.tolist() == bold.tolist()


def test_notes_have_a_column_where_there_are_some(view_models: ModuleType) -> None:
    view_model = view_models.queries(3, 2)
    model = TableModel()
    view_models.show_queries(model, view_model)
    assert model.column_of("remarks") < 0
    view_models.show_queries(model, replace(view_model, remarks=("", "✎ #hard", ""), note_texts=("", "why", "")))
    column = model.columns[model.column_of("remarks")]
    assert [column.text(row) for row in range(3)] == ["", "✎ #hard", ""]
    assert column.tip(1) == "why"
    many = tuple("✎ #hard" if row == 77 else "" for row in range(225))
    view_models.show_queries(model, replace(view_models.queries(225, 2), remarks=many, note_texts=many))
    column = model.columns[model.column_of("remarks")]
    assert column.longest == "✎ #hard"  # a sample of rows would not see it
