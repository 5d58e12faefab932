"""The table of a Qt model as files hold it: exact values under stable English keys, in the order of rows that is shown.

A screen that shows the table of a view saves that one instead; see :mod:`irviewer.gui.tables.result_panel`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from irviewer.gui.tables.model import Column, TableModel
from irviewer.tables import column as kinds
from irviewer.tables.table import Table
from irviewer.views.keys import data_keys

ENGLISH = re.compile(r"[a-z][a-z0-9_]*")


def saved_table(model: TableModel, name: str, title: str) -> Table:
    """Return the whole table of a model. The keys are the ids of its columns; a column of a run has the run's whole
    name, and one of a measure, an attribute or a judge its name."""
    columns: list[kinds.Column] = []
    for column in model.columns:
        key = _english(column.id)
        named = data_keys([key or _data_name(column)], columns)[0]
        columns.append(_column(column, named, model.rowCount(), is_data=key is None))
    return Table(name, title, tuple(columns))


def _data_name(column: Column) -> str:
    """Return what a column is of, which is data: a run, a measure, an attribute, a judge."""
    return column.id.partition(":")[2] or column.id if column.run is None else column.run.whole_name


def _english(column_id: str) -> str | None:
    """Return a column's id as a key; None where it is data, such as a measure or the number of a run."""
    key = column_id.replace("-", "_")
    return key if ENGLISH.fullmatch(key) else None


def _column(column: Column, key: str, rows: int, *, is_data: bool) -> kinds.Column:
    options: dict[str, Any] = {"names": "run" if column.run is not None else "measure"} if is_data else {}
    values = [column.value(row) for row in range(rows)]
    if all(value is None or isinstance(value, int | float) for value in values):
        whole = all(value is None or isinstance(value, int) for value in values)
        return (kinds.count if whole else kinds.number)(key, column.title, values, **options)
    return kinds.text(key, column.title, _texts(values), **options)


def _texts(values: Sequence[Any]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]
