"""Texts of queries or documents: ids, texts and attributes in an Arrow table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from irviewer.errors import OptionError
from irviewer.model.document_lengths import Lengths
from irviewer.translation import tr

TEXT_COLUMNS = ("text", "title", "query", "contents", "content", "body", "description", "narrative")
BODY_COLUMNS = ("text", "contents", "content", "body", "description", "narrative", "title", "query")
"""The same for documents, whose title is only the beginning: that of a topic is the query."""

GONE, CUT, CHANGED = tr("is no longer on disk"), tr("was cut short"), tr("changed")
"""What may happen to a file whose texts are read when needed."""


@dataclass(frozen=True, eq=False)
class TextTable:
    """The queries or documents of a collection.

    table    Arrow table; the column ``id`` holds the ids (string, unique), the others are attributes
    name     the name shown, usually that of the file
    """

    table: Any  # pyarrow.Table
    name: str = ""
    origin: str = ""

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]], *, name: str = "", origin: str = "") -> TextTable:
        """Return a table of mappings with the key ``id``; missing values are null."""
        columns = dict.fromkeys(key for row in rows for key in row)
        data = {key: _column([row.get(key) for row in rows]) for key in columns}
        return cls(pa.table(data) if data else pa.table({"id": pa.array([], pa.string())}), name, origin)

    @classmethod
    def joined(cls, first: TextTable, second: TextTable) -> TextTable:
        """Return two tables of the same columns and different ids as one, with the name of the first."""
        return cls(pa.concat_tables([first.table, second.table]).combine_chunks(), first.name, first.origin)

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
        return {identifier: row for row, identifier in enumerate(self.ids)}

    @property
    def lost(self) -> str:
        """Why texts not read so far cannot be read any more: ``GONE``, ``CUT`` or ``CHANGED``; "" if they can."""
        return ""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the columns beside ``id``."""
        return tuple(name for name in self.table.column_names if name != "id")

    def columns(self, names: Sequence[str]) -> Any:
        """Return an Arrow table of the ids and some attributes, in file order."""
        return self.table.select(["id", *names])

    def row(self, identifier: str) -> dict[str, Any]:
        """Return the attributes of an id that are not null; empty for an unknown id."""
        row = self.index.get(identifier)
        if row is None:
            return {}
        values = {name: self.table[name][row].as_py() for name in self.attributes}
        return {name: value for name, value in values.items() if value is not None}

    @cached_property
    def lengths(self) -> Lengths:
        """The lengths, read when needed: a numeric column of lengths, else the words of the text."""
        return Lengths(self)

    @cached_property
    def _titles(self) -> list[str | None]:
        return self._first_of(("title", *TEXT_COLUMNS))

    @cached_property
    def _texts(self) -> list[str | None]:
        return self._first_of(TEXT_COLUMNS)

    @cached_property
    def _bodies(self) -> list[str | None]:
        return self._first_of(BODY_COLUMNS)

    def _first_of(self, columns: Sequence[str]) -> list[str | None]:
        name = next((c for c in columns if c in self.table.column_names), None)
        if name is None:
            return [None] * len(self)
        return [None if value is None else str(value) for value in self.table[name].to_pylist()]

    def title(self, identifier: str) -> str:
        """Return the title, or else the beginning of the text, in one line; "" if there is none."""
        row = self.index.get(identifier)
        value = None if row is None else self._titles[row]
        return " ".join(value[:400].split()) if value else ""

    def text(self, identifier: str) -> str:
        """Return the text of a query (the first existing column of ``TEXT_COLUMNS``); "" if there is none."""
        row = self.index.get(identifier)
        return (self._texts[row] or "") if row is not None else ""

    def body(self, identifier: str) -> str:
        """Return the text of a document (the first existing column of ``BODY_COLUMNS``); "" if there is none."""
        row = self.index.get(identifier)
        return (self._bodies[row] or "") if row is not None else ""

    def shared_with(self, ids: Collection[str]) -> int:
        """Return how many of some distinct ids the table has."""
        return sum(identifier in self.index for identifier in ids)


def _column(values: list[Any]) -> Any:
    """Return an Arrow column; of text if the values have different types. Raises OptionError for half of a character,
    of which no text can be made."""
    try:
        return pa.array(values)
    except UnicodeEncodeError as fault:
        raise OptionError(tr("A text is not Unicode: {reason}. Replace the character.", reason=fault)) from fault
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
