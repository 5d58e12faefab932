"""The order and the choice of a table's rows. Both are permutations: the table stays what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from irviewer.errors import OptionError, name_some
from irviewer.model.arrays import Floats, Ints
from irviewer.model.natural_order import natural_order
from irviewer.tables.column import BY_ROW, Column, Values
from irviewer.tables.filter import Columns, matches, parse_filter
from irviewer.tables.show import plain
from irviewer.tables.table import Table
from irviewer.translation import tr

OUTCOMES = {"better": 0.0, "equal": 1.0, "worse": 2.0}


def column_named(table: Table, name: str) -> Column:
    """Return a column by its key, else by its title. Raises OptionError with the keys that there are."""
    for column in table.columns:
        if column.key == name:
            return column
    for column in table.columns:
        if column.title.casefold() == name.casefold():
            return column
    keys = name_some([column.key for column in table.columns], 12)
    raise OptionError(tr("there is no column {name}; the columns are {names}", name=name, names=keys))


def sorted_rows(table: Table, key: str, *, descending: bool = False, rows: Ints | None = None) -> Ints:
    """Return the rows of a table (None: all) by the values of a column, int64[n]: missing ones last in both directions,
    equal ones in their order. Rows above the line and the rows of a group stay together. Raises OptionError."""
    places = np.arange(table.n_rows, dtype=np.int64) if rows is None else rows
    values = sort_values(table, column_named(table, key))[places]
    keys: list[Any] = [-values if descending else values]
    if table.group:
        keys.append(_first_seen(table.column(table.group).values)[places])
    if table.line_below >= 0:
        keys.append(places > table.line_below)
    order = np.argsort(keys[0], kind="stable") if len(keys) == 1 else np.lexsort(keys)
    return places[order]


def sort_values(table: Table, column: Column) -> Floats:
    """Return what a column is sorted by, float64[n]; NaN for no value. An interval is sorted as the value that it
    belongs to, else by its middle; parts by their sum; ids and texts in natural order."""
    if column.kind == "interval":
        if column.show.of:
            return sort_values(table, table.column(column.show.of))
        return (column.numbers["low"] + column.numbers["high"]) / 2
    if column.kind == "parts":
        return np.sum(list(column.numbers.values()), axis=0) if column.parts else np.zeros(0)
    if column.kind == "outcome" and set(column.values) <= {*OUTCOMES, None}:
        return np.array([OUTCOMES.get(value, np.nan) for value in column.values], dtype=np.float64)
    if column.kind == "tags":
        return _codes([" ".join(map(str, codes)) or None for codes in column.values])
    if column.is_text:
        return _codes(column.values)
    return column.numbers[""]


def _codes(values: Values) -> Floats:
    """Return the place of each text in natural order, equal ones the same; NaN for None."""
    if isinstance(values, pa.Array | pa.ChunkedArray):
        values = values.to_pylist()
    missing = np.fromiter((value is None for value in values), np.bool_, len(values))
    texts = np.array(["" if value is None else str(value) for value in values], dtype=object)
    if not len(texts):
        return np.zeros(0)
    order = natural_order(texts.tolist())
    ordered = texts[order]
    new = np.concatenate([[False], ordered[1:] != ordered[:-1]]).astype(np.bool_)
    codes = np.empty(len(texts))
    codes[order] = np.cumsum(new)
    codes[missing] = np.nan
    return codes


def _first_seen(values: Values) -> Ints:
    seen: dict[Any, int] = {}
    return np.fromiter((seen.setdefault(value, len(seen)) for value in values), np.int64, len(values))


def filtered_rows(table: Table, text: str) -> Ints:
    """Return the rows for which a filter holds, int64[m]; the grammar is that of :mod:`irviewer.tables.filter`, and the
    columns have their keys, or their titles. Raises FilterError."""
    node = parse_filter(text)
    return np.flatnonzero(matches(node, columns_of(table)))


@dataclass(frozen=True, eq=False)
class _Category:
    """Texts of a column, as a filter compares them."""

    name: str
    values: Mapping[str, str]
    kind: Literal["number", "category"] = "category"


class _RowTexts(Sequence[str]):
    """The texts of each row, made when one is asked for."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._columns = [column for column in table.columns if column.is_text or column.kind == "tags"]

    def __len__(self) -> int:
        return self._table.n_rows

    def __getitem__(self, row: Any) -> Any:
        return " ".join(plain(column, row) for column in self._columns)


def columns_of(table: Table) -> Columns:
    """Return the columns of a table as a filter reads them."""
    texts = [column for column in table.columns if column.is_text]
    ids: Sequence[str] = [str(row) for row in range(table.n_rows)]
    if texts and texts[0].kind in ("id", "run"):
        own = [str(value) for value in texts[0].values]
        ids = own if len(set(own)) == len(own) else ids
    numbers: dict[str, Floats] = {}
    titles: dict[str, str] = {}
    for column in table.columns:
        for part in () if column.is_text or column.kind == "tags" else column.parts:
            numbers[column.named(part)] = column.numbers[part]
            titles.setdefault(column.title if not part else column.named(part), column.named(part))
    categories = []
    for column in texts:
        values = {row_id: str(value) for row_id, value in zip(ids, column.values, strict=True) if value is not None}
        categories += [_Category(name, values) for name in dict.fromkeys((column.key, column.title))]
    differences = [column for column in table.columns if column.kind == "difference"]
    delta = differences[0].numbers[""] if differences else np.full(table.n_rows, np.nan)
    return Columns(ids, _RowTexts(table), None, delta, None, numbers, attributes=categories, whole_names=titles)


def with_rows(table: Table, rows: Ints) -> Table:
    """Return a table of some rows, for a file of what was asked for; keys, status and marks follow."""
    places = rows.tolist()
    back = {place: row for row, place in enumerate(places)}
    columns = tuple(_taken(column, places) for column in table.columns)
    above = sum(place <= table.line_below for place in places)
    return replace(
        table, columns=columns, keys=[table.keys[place] for place in places] if len(table.keys) else (),
        status=None if table.status is None else table.status[rows],
        marks={(back[row], key): mark for (row, key), mark in table.marks.items() if row in back},
        line_below=above - 1 if table.line_below >= 0 else -1,
    )  # fmt: skip


def _taken(column: Column, places: list[int]) -> Column:
    def taken(values: Any) -> Any:
        if isinstance(values, bool | str) or values is None:
            return values
        if isinstance(values, np.ndarray):
            return values[places]
        if isinstance(values, pa.Array | pa.ChunkedArray):
            return values.take(pa.array(places, pa.int64()))
        return [values[place] for place in places]

    show = replace(column.show, **{name: taken(getattr(column.show, name)) for name in BY_ROW})
    tips = column.tips
    return replace(
        column, parts={name: taken(values) for name, values in column.parts.items()}, show=show,
        tips=None if tips is None else lambda row: tips(places[row]),
    )  # fmt: skip
