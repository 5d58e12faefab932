"""A table: columns of exact values, what identifies its rows, its remarks, and what it was made from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from irviewer.model.arrays import Bools
from irviewer.model.data_file import DataFile
from irviewer.tables.best_of_rows import best_of_rows
from irviewer.tables.column import Column
from irviewer.tables.lazy_texts import in_order

Statuses = npt.NDArray[np.uint8]


class Status(IntEnum):
    """What a row is, besides its values."""

    PLAIN = 0
    TOTAL = 1
    """All rows together, such as "all queries"."""
    WEAK = 2
    """Too few queries for its numbers to say much."""
    ABSENT = 3
    """Without values."""
    UNKNOWN = 4
    """Its values cannot be known."""

    @staticmethod
    def of(*values: Status) -> Statuses:
        """Return an array of statuses."""
        return np.array(values, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign at a cell, such as a dagger: its stable code, the sign, and what it says."""

    code: str
    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about a table. The code and the values are stable, the text is for people."""

    code: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)
    warns: bool = True
    """Whether it restricts what the numbers say; else it says what they show."""
    latex: str = ""
    """Of a formula: the same as LaTeX's mathematics, which stands below the table there."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a table was computed from."""

    line: str = ""
    """The protocol in one line, for people."""
    protocol: Mapping[str, Any] = field(default_factory=dict)
    """The protocol by field, with its line."""
    inputs: tuple[DataFile, ...] = ()
    """The files; their digests are taken where a table is written."""
    version: str = ""
    view: str = ""
    """What computed it."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    """The protocol as a file (TOML)."""
    missing: tuple[Remark, ...] = ()
    """What is said beside the results of each run that lacks queries."""
    missing_beside: Callable[[Sequence[Table]], tuple[Remark, ...]] | None = None
    """What finds ``missing`` of the tables that are shown, by their measures; None where nothing lacks."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of one length. Sorting, filtering and hiding make an order of rows and columns, never another table."""

    name: str
    """English and stable, as keys are: ``means``, ``by_query``."""
    title: str
    columns: tuple[Column, ...]
    keys: Sequence[Hashable] = ()
    """Identify rows over time, for selection and links; () for their positions."""
    status: Statuses | None = None
    marks: Mapping[tuple[int, str], Mark] = field(default_factory=dict)
    """By row and key of a column."""
    group: str = ""
    """The key of a column whose values people see as headings of rows."""
    line_below: int = -1
    """The row that a line follows; -1 for none."""
    opens: str = ""
    """What Enter opens of a row: "query", "document", "run", "queries", "answer", or another table of the view by its
    name, whose rows are those with the same texts and run then; "" for nothing. The keys of the rows of an "answer" are
    topic, run ("" for any) and place: of a nugget in its topic from 0, or -1 - place of a sentence."""
    notes: tuple[Remark, ...] = ()
    sentences: tuple[Remark, ...] = ()
    """What the view says in words, of its first table: formats for whole results begin or end with them."""
    provenance: Provenance | None = None
    pending: frozenset[str] = frozenset()
    """Keys of columns whose values are still computed."""
    caption: str = ""
    """Of a table that is printed: it is shown instead of title, protocol and remarks. The numbers have decimal
    points, and marks are raised behind the values."""

    @cached_property
    def marked(self) -> frozenset[str]:
        """The keys of the columns with marks."""
        return frozenset(key for _, key in self.marks)

    @cached_property
    def best_of_rows(self) -> Mapping[str, Bools]:
        """By the key of each column whose best is that of the row: which of its values are."""
        return best_of_rows(self.columns)

    def __post_init__(self) -> None:
        lengths = {len(column) for column in self.columns}
        if self.keys:
            lengths.add(len(self.keys))
        if self.status is not None:
            lengths.add(len(self.status))
        if len(lengths) > 1:
            raise ValueError(f"the columns of {self.name} differ in length")
        keys = [column.key for column in self.columns]
        if len(set(keys)) < len(keys):
            raise ValueError(f"two columns of {self.name} have one key: {keys}")

    @property
    def notes_alone(self) -> tuple[Remark, ...]:
        """The remarks of the table alone in a file: also of queries that runs lack, which another table names."""
        missing = () if self.provenance is None else self.provenance.missing
        return (*self.notes, *(note for note in missing if note not in self.notes))

    @property
    def alone(self) -> Table:
        """The table as it is said without the other tables of its result."""
        return replace(self, notes=self.notes_alone)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def column(self, key: str) -> Column:
        """Return a column by its key. Raises KeyError."""
        for column in self.columns:
            if column.key == key:
                return column
        raise KeyError(key)

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences, without one that is the title."""
        return tuple(remark.text for remark in self.sentences if remark.text != self.title)

    def with_column(self, column: Column) -> Table:
        """Return the table with a further column at its end."""
        return replace(self, columns=(*self.columns, column))

    def status_of(self, row: int) -> Status:
        """Return what a row is."""
        return Status.PLAIN if self.status is None else Status(int(self.status[row]))

    def rows(self, places: Sequence[int]) -> Table:
        """Return the table of some rows, in the order of ``places``."""
        order = np.asarray(places, dtype=np.int64)
        at = {row: place for place, row in enumerate(order.tolist())} if self.marks or self.line_below >= 0 else {}
        return replace(
            self, columns=tuple(column.rows(order) for column in self.columns),
            keys=in_order(self.keys, order) if len(self.keys) else (),
            status=None if self.status is None else self.status[order],
            marks={(at[row], key): mark for (row, key), mark in self.marks.items() if row in at},
            line_below=at.get(self.line_below, -1),
        )  # fmt: skip

    def groups(self) -> tuple[Table, ...]:
        """Return a table for each group of rows, whose title says which, without the column that groups them; the table
        itself without groups. People read them so; files of data hold all rows."""
        if not self.group:
            return (self,)
        column = self.column(self.group)
        places: dict[str, list[int]] = {}
        for row, value in enumerate(column.values if column.show.texts is None else column.show.texts):
            places.setdefault("" if value is None else str(value), []).append(row)
        if not places:
            return (replace(self, group="", columns=tuple(each for each in self.columns if each is not column)),)
        tables = []
        for number, (name, rows) in enumerate(places.items()):
            part = self.rows(rows)
            title = f"{self.title}: {name}" if self.title and name else self.title or name
            tables.append(replace(
                part, title=title, group="", notes=self.notes if number == len(places) - 1 else (),
                sentences=() if number else self.sentences,
                columns=tuple(own for own in part.columns if own.key != self.group),
            ))  # fmt: skip
        return tuple(tables)

    def with_provenance(self, provenance: Provenance) -> Table:
        """Return the table with what it was made from."""
        return replace(self, provenance=provenance)
