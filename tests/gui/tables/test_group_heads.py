"""Heads above columns that belong together, and intervals of means with a second mean."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.header import HEIGHT
from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn
from irviewer.gui.tables.statistics_columns import MeanIntervalColumn, axis_of
from irviewer.gui.theme import Theme
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
    header.setSectionHidden(1, True)
    assert header.group_spans()[0] == ("a judge", header.sectionViewportPosition(2), header.sectionSize(2))
    model.show((TextColumn("run", "run", ["a", "b"]),), ["a", "b"])
    header.fit_lines()
    assert header.height() == HEIGHT
    assert header.group_spans() == []


def test_a_mean_is_where_its_axis_has_it(qtbot: QtBot, theme: Theme) -> None:
    low, middle, high = (np.array([value, np.nan]) for value in (0.42, 0.5, 0.58))
    others = np.array([0.65, np.nan])
    axis = axis_of(low, middle, high, others)
    assert axis == pytest.approx((0.4, 0.7))
    column = MeanIntervalColumn("interval", "95 %", (low, middle, high), axis, others=others)
    assert column.title == "95 % (.4 … .7)"
    assert column.ends(0) == pytest.approx(((0.42 - 0.55) / 0.15, (0.5 - 0.55) / 0.15, (0.58 - 0.55) / 0.15))
    assert column.other(0) == pytest.approx((0.65 - 0.55) / 0.15)
    assert np.isnan(column.ends(1)).all()
    assert column.text(0) == "[.4200, .5800]"
    assert axis_of(np.array([np.nan])) == (0.0, 1.0)
    model = TableModel()
    table = Table(model, theme, sortable=False)
    qtbot.addWidget(table)
    table.resize(400, 120)
    table.show()
    model.show((column,), ["a", "b"])
    picture = table.viewport().grab().toImage()
    ink = QColor(theme.palette.ink).rgb()
    row = [picture.pixel(x, table.rowViewportPosition(0) + table.rowHeight(0) // 2) for x in range(picture.width())]
    assert ink in row
