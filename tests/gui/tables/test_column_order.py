"""Columns are dragged, hidden and shown; those that do not scroll stay."""

from __future__ import annotations

from types import ModuleType

import pytest
from pytestqt.qtbot import QtBot

from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.tables.model import TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table


@pytest.fixture
def table(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> Table:
    model = TableModel()
    table = Table(model, theme, frozen=(1, 1))
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(1000, 400)
    with table.keeping(0):
        ShownSystems(model).show(view_models.systems(8, 3))
    table.show()
    return table


def seen(table: Table) -> list[str]:
    """The ids of the columns from left to right."""
    header = table.horizontalHeader()
    sections = [header.logicalIndex(visual) for visual in range(header.count())]
    return [table._model.columns[section].id for section in sections if not header.isSectionHidden(section)]


def test_a_dragged_column_stays_where_it_was_put(table: Table, view_models: ModuleType) -> None:
    usual = seen(table)
    table.horizontalHeader().moveSection(1, 3)
    moved = [usual[0], *usual[2:4], usual[1], *usual[4:]]
    assert seen(table) == moved
    with table.keeping():
        ShownSystems(table._model).show(view_models.systems(5, 2))
    assert seen(table) == moved
    table.order.reset()
    assert seen(table) == usual


@pytest.mark.parametrize(("before", "after"), [(0, 2), (3, 0), (-1, 2), (2, -1)])
def test_columns_that_do_not_scroll_stay(table: Table, before: int, after: int) -> None:
    usual, count = seen(table), table.horizontalHeader().count()
    table.horizontalHeader().moveSection(before % count, after % count)
    assert seen(table) == usual
    assert not table.order.is_changed


def test_a_hidden_column_leaves_its_room_and_comes_back(table: Table) -> None:
    usual, header = seen(table), table.horizontalHeader()
    menu = table.header_menu(usual[2])
    next(action for action in menu.actions() if action.text().startswith("Hide")).trigger()
    assert seen(table) == [*usual[:2], *usual[3:]]
    assert header.length() == table.viewport().width()
    assert not any(action.text().startswith("Hide") for action in table.header_menu(usual[0]).actions())
    columns = table.header_menu(usual[1]).actions()[-1].menu()
    shown = {action.data(): action.isChecked() for action in columns.actions() if action.data()}
    assert shown == {column: column != usual[2] for column in usual[1:]}
    next(action for action in columns.actions() if action.data() == usual[2]).trigger()
    assert seen(table) == usual
    assert header.length() == table.viewport().width()


def test_a_former_choice_is_restored_but_moves_and_hides_no_column_that_does_not_scroll(table: Table) -> None:
    usual = seen(table)
    table.order.restore([usual[-1], usual[2], "gone", usual[2], usual[1], usual[0]], [usual[0], usual[3]])
    assert seen(table) == [usual[0], usual[2], *usual[4:-1], usual[1], usual[-1]]
    table.order.restore((), ())
    assert seen(table) == usual
    assert not table.order.choice
