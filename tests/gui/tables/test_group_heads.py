"""Heads above columns that belong together."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.header import HEIGHT
from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.table import Table


def columns() -> tuple[TextColumn, NumberColumn, NumberColumn, NumberColumn]:
    new_columns = [NumberColumn(name, name, np.array([1.0, 2.0])) for name in ("value", "rank", "other")]
    new_columns[0].group = new_columns[1].group = "a judge"
    new_columns[2].group = "another"
    return (TextColumn("run", "run", ["a", "b"]), *new_columns)  # type: ignore[return-value]


def test_heads_span_the_columns_of_their_group(qtbot: QtBot, theme: Theme) -> None:
    model = TableModel()
    table = Table(model, theme, sortable=False)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    model.show(columns(), ["a", "b"])
    header = table.horizontalHeader()
    header.fit_lines()
    assert header.height() > HEIGHT
    places = [header.sectionViewportPosition(section) for section in range(4)]
    sizes = [header.sectionSize(section) for section in range(4)]
    assert header.group_spans() == [
        ("a judge", places[1], sizes[1] + sizes[2]), ("another", places[3], sizes[3])
    ]  # fmt: skip
    assert not header.grab().isNull()
    metrics = QFontMetricsF(make_font(9, 600))
    model.columns[1].group_forms = ("judge",)
    assert header.group_words("a judge", 200, metrics) == "a judge"
    assert header.group_words("a judge", metrics.horizontalAdvance("judge") + 1, metrics) == "judge"
    assert "…" in header.group_words("a judge", 12, metrics)
    header.setSectionHidden(1, True)
    assert header.group_spans()[0] == ("a judge", header.sectionViewportPosition(2), header.sectionSize(2))
    model.show((TextColumn("run", "run", ["a", "b"]),), ["a", "b"])
    header.fit_lines()
    assert header.height() == HEIGHT
    assert header.group_spans() == []
