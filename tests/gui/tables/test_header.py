"""The header row: titles that give way to short ones, the arrow of the sorted column, tooltips over frozen columns."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table
from irviewer.rendering.run_label import RunLabel


def test_only_the_sorted_column_has_an_arrow(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    model = TableModel()
    table = Table(model, theme, stretch="text")
    qtbot.addWidget(table)
    table.resize(1200, 300)
    pictures = []
    for sort in (("", False), ("spread", True), ("spread", False)):
        with table.keeping():
            view_models.show_queries(model, view_models.queries(20, 2, sort=sort))
        table.show()
        pictures.append(table.horizontalHeader().grab().toImage())
    plain, down, up = pictures
    left = table.horizontalHeader().sectionViewportPosition(model.columnCount() - 1)
    assert plain.copy(0, 0, left, 26) == down.copy(0, 0, left, 26)
    assert plain != down != up


def test_the_menu_of_a_frozen_column_is_its_own(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    model = TableModel()
    table = Table(model, theme, stretch="text", frozen=(2, 2))
    qtbot.addWidget(table)
    table.resize(700, 300)
    with table.keeping():
        view_models.show_queries(model, view_models.queries(20, 30))
    table.show()
    table.horizontalScrollBar().setValue(500)
    header = table.horizontalHeader()
    assert isinstance(header, TableHeader)
    assert header.fixed_left() == table.columnWidth(0) + table.columnWidth(1)
    asked: list[str] = []
    table.has_header_menu = True
    table.header_menu_requested.connect(lambda column, _: asked.append(column))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(10, 10), header.mapToGlobal(QPoint(10, 10)))
    QApplication.sendEvent(header.viewport(), event)
    assert asked == ["query"]


def test_names_of_many_runs_turn_where_two_lines_would_cut_them(qtbot: QtBot, theme: Theme) -> None:
    names = [f"a_run_with_a_rather_long_name_{key}" for key in range(14)]
    labels = [
        RunLabel(key, name, name, key, None, False, False, False, name, forms=(f"a_run…name_{key}",))
        for key, name in enumerate(names)
    ]
    columns = [NumberColumn(str(label.key), label.name, np.arange(3.0), run=label) for label in labels]
    model = TableModel()
    model.show(tuple(columns), ["x", "y", "z"], ("0", False))
    table = Table(model, theme)
    qtbot.addWidget(table)
    table.resize(900, 300)
    table.show()
    low = TableHeader(model, theme, (0, 0), True)
    qtbot.addWidget(low)
    assert table.horizontalHeader().turned
    assert table.horizontalHeader().height() > low.height()
    assert len({"".join(table.horizontalHeader().turned_lines(section)) for section in range(14)}) > 1
    table.resize(4000, 300)
    assert not table.horizontalHeader().turned
    model.show(tuple(columns[:4]), ["x", "y", "z"], ("0", False))
    table.resize(440, 300)
    assert not table.horizontalHeader().turned, "few names are broken into two lines"
    table.resize(240, 300)
    assert table.horizontalHeader().turned, "a few letters of each tell nothing"
    assert len({table.horizontalHeader().turned_lines(section) for section in range(4)}) == 4
    model.show(tuple(columns[:1]), ["x", "y", "z"], ("0", False))
    table.resize(60, 300)
    assert not table.horizontalHeader().turned, "one name is known from elsewhere"


def test_names_of_many_runs_turn_where_the_table_scrolls_even_if_none_is_cut(qtbot: QtBot, theme: Theme) -> None:
    """Upright, three of seventeen short names were in sight in a window at 200 %."""
    names = [f"BBGhelani{number}" for number in range(17)]
    labels = [RunLabel(key, name, name, key, None, False, False, False, name) for key, name in enumerate(names)]
    columns = [NumberColumn(str(label.key), label.name, np.full(3, 915.0), counts=True, run=label) for label in labels]
    model = TableModel()
    model.show(tuple(columns), ["x", "y", "z"], ("", False))
    table = Table(model, theme)
    qtbot.addWidget(table)
    table.resize(600, 300)
    table.show()
    header = table.horizontalHeader()
    assert header.turned
    in_sight = [
        section for section in range(17) if header.sectionPosition(section) + header.sectionSize(section) <= 600
    ]
    assert len(in_sight) >= 12
    assert {"".join(header.turned_lines(section)) for section in range(17)} == set(names)
    table.resize(3000, 300)
    assert not header.turned


def test_turned_names_are_whole_in_two_lines_where_one_is_too_short(qtbot: QtBot, theme: Theme) -> None:
    """At 200 % names were cut in 75 pixels, beside room for a second line."""
    names = [f"{word}_electra_h{number}" for number, word in enumerate(("mono", "duo", "rank", "splade", "dense", "p"))]
    labels = [RunLabel(key, name, f"{key}…", key, None, False, False, False, name) for key, name in enumerate(names)]
    columns = [NumberColumn(str(label.key), label.name, np.full(9, 915.0), counts=True, run=label) for label in labels]
    model = TableModel()
    model.show(tuple(columns), list("abcdefghi"), ("", False))
    table = Table(model, theme)
    qtbot.addWidget(table)
    table.resize(160, 200)
    table.show()
    header = table.horizontalHeader()
    header.most_height = 100
    header.fit_lines(scrolls=True)
    assert header.turned
    assert header.height() < 100, "no more than the longer of two lines needs"
    lines = [header.turned_lines(section) for section in range(len(names))]
    assert ["".join(of_run) for of_run in lines] == names
    assert max(map(len, lines)) == 2


def test_names_of_few_runs_are_whole_in_smaller_type(qtbot: QtBot, theme: Theme) -> None:
    names = ("NLE_P_v1", "mono_electra_h3", "p_bm25", "p_f10_mdt53b")
    short = ("NLE_P_v1", "mono…tra_h3", "p_…25", "p_f…dt53b")
    labels = [
        RunLabel(key, name, form, key, None, False, False, False, name)
        for key, (name, form) in enumerate(zip(names, short, strict=True))
    ]
    columns = [NumberColumn(str(label.key), label.name, np.full(3, 0.25), run=label) for label in labels]
    model = TableModel()
    model.show(tuple(columns), ["x", "y", "z"], ("", False))
    table = Table(model, theme, tightens=True)
    qtbot.addWidget(table)
    table.show()
    header = table.horizontalHeader()
    sizes = []
    for width in range(236, 420, 3):
        table.resize(width, 300)
        sizes.append(header.density.size)
        lines = [header._lines(section) for section in range(4)]
        assert ["".join(line) for line in lines] == list(names), width
        assert header.length() <= table.viewport().width(), "it does not scroll"
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_texts_take_the_room_that_turned_names_leave(qtbot: QtBot, theme: Theme) -> None:
    names = [f"a_run_with_a_rather_long_name_{key}" for key in range(14)]
    labels = [
        RunLabel(key, name, name, key, None, False, False, False, name, forms=(f"a_run…name_{key}",))
        for key, name in enumerate(names)
    ]
    columns = [NumberColumn(str(label.key), label.name, np.arange(3.0), run=label, counts=True) for label in labels]
    model = TableModel()
    model.show((TextColumn("text", "title", ["a long title " * 9] * 3), *columns), ["x", "y", "z"], ("0", False))
    table = Table(model, theme, stretch="text")
    qtbot.addWidget(table)
    table.resize(1400, 300)
    table.show()
    header = table.horizontalHeader()
    assert header.turned
    assert max(header.sectionSize(section) for section in range(1, 15)) < 60
    assert header.sectionSize(0) > 1400 - 14 * 60


def test_turned_names_stay_as_they_are_while_numbers_change(qtbot: QtBot, theme: Theme) -> None:
    """To make room for two lines first, and turn the names then, would paint the table twice at every edit."""
    names = [f"a_run_with_a_rather_long_name_{key}" for key in range(14)]
    labels = [
        RunLabel(key, name, name, key, None, False, False, False, name, forms=(f"a_run…name_{key}",))
        for key, name in enumerate(names)
    ]

    def columns(start: float, runs: list[RunLabel]) -> tuple[NumberColumn, ...]:
        return tuple(NumberColumn(str(run.key), run.name, np.arange(start, start + 3.0), run=run) for run in runs)

    model = TableModel()
    model.show(
        (TextColumn("text", "title", ["a long title " * 9] * 3), *columns(0, labels)), ["x", "y", "z"], ("0", False)
    )
    table = Table(model, theme, stretch="text")
    qtbot.addWidget(table)
    table.resize(1400, 300)
    table.show()
    header = table.horizontalHeader()
    assert isinstance(header, TableHeader)
    assert header.turned
    resized: list[int] = []
    header.sectionResized.connect(lambda section, *_: resized.append(section))
    with table.keeping():
        model.show((TextColumn("text", "title", ["another"] * 3), *columns(5, labels)), ["x", "y", "z"], ("0", False))
    assert header.turned
    assert not resized
    short = [replace(label, name=f"r{label.key}", short=f"r{label.key}", forms=()) for label in labels]
    with table.keeping():
        model.show((TextColumn("text", "title", ["another"] * 3), *columns(5, short)), ["x", "y", "z"], ("0", False))
    assert not header.turned, "other names may have room"
