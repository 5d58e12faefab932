"""The Queries page as columns."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from PySide6.QtCore import Qt

from irviewer.gui.models.base import LABEL
from irviewer.gui.models.queries import QueriesModel


def test_a_query_a_row_a_shown_run_a_column(pages: ModuleType) -> None:
    page = pages.queries(225, 3)
    model = QueriesModel()
    model.set_page(page)
    assert (model.rowCount(), model.columnCount()) == (225, 8)
    assert [column.id for column in model.columns] == ["query", "text", "relevant", "0", "1", "2", "delta", "spread"]
    assert model.headerData(3, Qt.Orientation.Horizontal, LABEL) is page.runs[0]
    assert model.index(0, 2).data() == str(page.relevant[0])
    assert model.index(3, 3).data() == "–"
    assert "lacks this query" in model.index(3, 3).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(3, 6).data() == "–"
    assert model.index(5, 6).data() == "="


def test_a_smaller_value_can_be_the_better(pages: ModuleType) -> None:
    page = pages.queries(10, 2)
    model = QueriesModel()
    model.set_page(replace(page, higher_is_better=False))
    assert model.index(0, 5).data() == f"▼ {page.delta[0]:.4f}"
    assert not model.columns[3].descending_first
