"""Columns of the tables that every door shows: exact values of any kind, in the order of rows that is shown.

Texts come from :mod:`irviewer.tables.show` when a cell is painted; there is no object for a row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from irviewer.gui.tables.model import Column
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Ints
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import column as kinds
from irviewer.tables.emphasis import Role, best, heat, role
from irviewer.tables.show import EQUAL, arrow, plain, shown, spoken
from irviewer.tables.table import Status, Table

LEFT = frozenset({"id", "text", "run", "tags", "outcome", "flag"})
"""Kinds whose texts begin at the left."""
DESCENDING = frozenset({"number", "difference", "count", "share", "parts"})
"""Kinds that are sorted from the largest first."""
DRAWN = frozenset({"interval", "parts"})
"""Kinds that are drawn, not written."""


class RowKeys(Sequence[Hashable]):
    """The keys of a table's rows in another order, looked up when they are asked for."""

    def __init__(self, table: Table, rows: Ints) -> None:
        self._keys = table.keys if len(table.keys) else range(table.n_rows)
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: Any) -> Any:
        return self._keys[self._rows.item(place)]


class ResultColumn(Column):
    """A column of a table, its rows in the order ``rows`` int64[n].

    run_labels  name -> label, for the colours of runs"""

    def __init__(
        self, table: Table, column: kinds.Column, rows: Ints, run_labels: Mapping[str, RunLabel] | None = None
    ) -> None:
        labels = run_labels or {}
        super().__init__(column.key, column.title, column.tip, run=labels.get(column.key) if column.names else None)
        self.table, self.values, self.rows = table, column, rows
        self.titles = (self.title, *column.show.titles) if column.show.titles else self.titles
        self.right = column.kind not in LEFT
        self.descending_first = column.kind in DESCENDING and column.show.better_up is not False
        self.labels = labels
        self.link = table.opens == "query" and column is table.columns[0]
        self.longest = "0" * 14 if column.kind in DRAWN else ""
        self.pending = column.key in table.pending

    @cached_property
    def best(self) -> Any:
        """The best values by row of the table, bool[n]."""
        return best(self.table, self.values)

    @cached_property
    def heat(self) -> Any:
        """How dark each cell is by row of the table, float64[n]."""
        return heat(self.values)

    @cached_property
    def axis(self) -> tuple[float, float]:
        """The least and the greatest value on the common axis of the intervals, with zero for those of a
        difference."""
        ends = np.concatenate([self.values.numbers["low"], self.values.numbers["high"]])
        ends = ends[np.isfinite(ends)]
        if self.is_of_difference:
            ends = np.append(ends, 0.0)
        low, high = (float(ends.min()), float(ends.max())) if len(ends) else (0.0, 1.0)
        return (low, high) if low < high else (low - 0.5, high + 0.5)

    @property
    def is_of_difference(self) -> bool:
        """Whether the column is the interval of a difference."""
        of = self.values.show.of
        return bool(of) and self.table.column(of).kind == "difference"

    @cached_property
    def most(self) -> float:
        """The largest sum of the parts of a row."""
        sums = np.nansum(list(self.values.numbers.values()), axis=0) if self.values.parts else np.zeros(1)
        return float(sums.max(initial=0.0))

    def place(self, row: int) -> int:
        """Return the row of the table that is shown as ``row``."""
        return int(self.rows.item(row))

    def status(self, row: int) -> Status:
        """Return what a row is."""
        return self.table.status_of(self.place(row))

    def role(self, row: int) -> Role:
        """Return what a difference is; "" for other kinds."""
        return role(self.table, self.values, self.place(row)) if self.values.kind == "difference" else ""

    def number(self, row: int, part: str = "") -> float:
        """Return a number, NaN for none."""
        return float(self.values.numbers[part][self.place(row)])

    def label(self, row: int) -> RunLabel | None:
        """Return the label of a run; None for another kind, and for a run that is not open."""
        return self.labels.get(str(self.values.values[self.place(row)])) if self.values.kind == "run" else None

    def text(self, row: int) -> str:
        if self.pending:
            return "…"
        place = self.place(row)
        text = shown(self.table, self.values, place)
        if self.values.kind == "difference" and self.values.show.of:
            sign = arrow(self.table, self.values, place)
            text = f"{sign} {text}" if sign not in ("", EQUAL) else text
        return escape_hidden(text.replace("\n", " ").replace("\t", " "))

    def value(self, row: int) -> Any:
        """Return the exact value; of parts a tuple of them, None for no value."""
        column, place = self.values, self.place(row)
        if column.is_text or column.kind in ("tags", "flag"):
            return column.values[place]
        numbers = [float(values[place]) for values in column.numbers.values()]
        exact = tuple(None if math.isnan(number) else number for number in numbers)
        return exact[0] if len(exact) == 1 else exact

    def copied(self, row: int) -> str:
        return plain(self.values, self.place(row))

    def spoken(self, row: int) -> str:
        return spoken(self.table, self.values, self.place(row))

    def tip(self, row: int) -> str:
        column, place = self.values, self.place(row)
        lines = [column.tips(place)] if column.tips is not None else []
        value = self.value(row)
        if value is None or value == ():
            lines.append(column.show.missing)
        elif isinstance(value, float):
            lines.append(f"{value:.10g}")
        elif isinstance(value, tuple) and column.kind != "tags":
            names = [f"{name} " if name else "" for name in column.parts]
            lines += [f"{name}{plain_number(part)}" for name, part in zip(names, value, strict=True)]
        else:
            lines.append(plain(column, place))
        mark = self.table.marks.get((place, column.key))
        lines += [f"{mark.sign} {mark.text}"] if mark is not None and mark.text else []
        return "\n".join(filter(None, lines))


def plain_number(value: float | None) -> str:
    """Return a number for a tip, with ten digits; "–" for none."""
    return "–" if value is None else f"{value:.10g}"


def result_columns(
    table: Table, rows: Ints, run_labels: Mapping[str, RunLabel] | None = None
) -> tuple[ResultColumn, ...]:
    """Return the columns that people are shown."""
    return tuple(
        ResultColumn(table, column, rows, run_labels) for column in table.columns if not column.show.detail
    )  # fmt: skip
