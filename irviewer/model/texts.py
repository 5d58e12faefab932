"""Queries and documents: ids with text and any number of attribute columns, kept as one Arrow table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from irviewer.model.document_lengths import Lengths

TEXT_COLUMNS = ("text", "title", "query", "contents", "content", "body", "description", "narrative")

GONE, CUT, CHANGED = "is no longer on disk", "was cut short", "changed"
"""What may become of a file whose texts stay in it."""


@dataclass(frozen=True, eq=False)
class TextTable:
    """Things with an id and text: a collection's queries, or its documents.

    table    Arrow table; its column ``id`` holds the ids (string, unique), every other column is an attribute
    name     what a person calls it, usually the file's name
    """

    table: Any  # pyarrow.Table
    name: str = ""
    origin: str = ""

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]], *, name: str = "", origin: str = "") -> TextTable:
        """A table from mappings that each hold ``id``; a key that some rows lack is null there."""
        columns = dict.fromkeys(key for row in rows for key in row)
        data = {key: _column([row.get(key) for row in rows]) for key in columns}
        return cls(pa.table(data) if data else pa.table({"id": pa.array([], pa.string())}), name, origin)

    @classmethod
    def joined(cls, one: TextTable, other: TextTable) -> TextTable:
        """Two tables of the same columns and no common id as one, called as the first."""
        return cls(pa.concat_tables([one.table, other.table]).combine_chunks(), one.name, one.origin)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __repr__(self) -> str:
        return f"TextTable({self.name!r}: {len(self):,} rows, columns {', '.join(self.attributes) or 'none'})"

    @cached_property
    def ids(self) -> Sequence[str]:
        """The ids in file order."""
        return self.table["id"].to_pylist()  # type: ignore[no-any-return]

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Id -> row."""
        return {one: row for row, one in enumerate(self.ids)}

    @property
    def lost(self) -> str:
        """Why texts that were not read before cannot be read any more, where they stay in their file until they are
        asked for: ``GONE``, ``CUT`` or ``CHANGED``; "" where nothing is lost."""
        return ""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the columns beside ``id``."""
        return tuple(name for name in self.table.column_names if name != "id")

    def row(self, one: str) -> dict[str, Any]:
        """Everything known of one id, without nulls and without the id; empty where it is unknown."""
        place = self.index.get(one)
        if place is None:
            return {}
        found = {name: self.table[name][place].as_py() for name in self.attributes}
        return {name: value for name, value in found.items() if value is not None}

    @cached_property
    def lengths(self) -> Lengths:
        """How long each is, read when it is asked for: a numeric column that says so, else the words of the text."""
        return Lengths(self)

    @cached_property
    def _titles(self) -> list[str | None]:
        name = next((c for c in ("title", *TEXT_COLUMNS) if c in self.table.column_names), None)
        if name is None:
            return [None] * len(self)
        return [None if value is None else str(value) for value in self.table[name].to_pylist()]

    @cached_property
    def _texts(self) -> list[str | None]:
        name = next((c for c in TEXT_COLUMNS if c in self.table.column_names), None)
        if name is None:
            return [None] * len(self)
        return [None if value is None else str(value) for value in self.table[name].to_pylist()]

    def title(self, one: str) -> str:
        """The title, else the beginning of the text, in one line; "" where there is none."""
        place = self.index.get(one)
        value = None if place is None else self._titles[place]
        return " ".join(value[:400].split()) if value else ""

    def text(self, one: str) -> str:
        """The text (the first of ``TEXT_COLUMNS`` that there is); "" where there is none."""
        place = self.index.get(one)
        return (self._texts[place] or "") if place is not None else ""

    def shared_with(self, ids: Collection[str]) -> int:
        """How many of the ids, each given once, are there."""
        return sum(one in self.index for one in ids)


def _column(values: list[Any]) -> Any:
    """One Arrow column: its own type where the values agree, text where they do not."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
