"""Numbers in place of queries whose ids are texts, for formats whose columns are separated by white space.

A map file has a line for each query: number, tab, query. An existing map is extended, so that a run and its qrels get
the same numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Value
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.texts import TextTable
from irviewer.translation import tr


def numbered(value: Value, numbers: dict[str, str]) -> tuple[Value, dict[str, str]]:
    """Return the value with a number for each query, and all numbers by query: ``numbers``, and new ones from the next
    free number on in the value's order."""
    all_numbers = dict(numbers)
    _extend(all_numbers, value.ids if isinstance(value, TextTable) else value.query_ids)
    if isinstance(value, TextTable):
        ids = pa.array([all_numbers[query] for query in value.ids], pa.string())
        columns: dict[str, Any] = {"id": ids, **{name: value.table[name] for name in value.attributes}}
        return replace(value, table=pa.table(columns)), all_numbers
    return replace(value, query_ids=tuple(all_numbers[query] for query in value.query_ids)), all_numbers


def _extend(numbers: dict[str, str], queries: Iterable[str]) -> None:
    free = max(map(int, numbers.values()), default=0) + 1
    for query in queries:
        if query not in numbers:
            numbers[query], free = str(free), free + 1


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 19


def read_map(path: str | Path) -> dict[str, str]:
    """Read the numbers by query; empty if the file does not exist. Raises ParseError for an invalid line."""
    if not Path(path).exists():
        return {}
    numbers: dict[str, str] = {}
    used: set[str] = set()
    for line, text in enumerate(open_bytes(path).data.decode("utf-8", "replace").split("\n"), start=1):
        if not text.strip():
            continue
        number, tab, query = text.rstrip("\r").partition("\t")
        if not tab or not _is_number(number) or number in used or query in numbers:
            raise ParseError(path, tr("a new number, a tab and a new query are expected"), line=line, text=text)
        used.add(number)
        numbers[query] = number
    return numbers


def map_bytes(numbers: dict[str, str]) -> bytes:
    """Return a map as the bytes of a file. Raises OptionError for a query of several lines."""
    multiline = next((query for query in numbers if len(query.splitlines()) > 1), None)
    if multiline is not None:
        raise OptionError(
            tr("the query {query!r} has several lines, which a map file cannot have: use --to csv", query=multiline)
        )
    return "".join(f"{number}\t{query}\n" for query, number in numbers.items()).encode("utf-8", "surrogateescape")
