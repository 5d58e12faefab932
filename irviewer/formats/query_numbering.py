"""Numbers for queries whose ids are texts (search teams' files), for formats whose columns end at white space.

A map says which number stands for which query, a line each: number, tab, query. One that is there already is gone on
with, so that a run and its qrels get the same numbers."""

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


def numbered(value: Value, numbers: dict[str, str]) -> tuple[Value, dict[str, str]]:
    """The value with a number for each of its queries, and all numbers by query: those given, and new ones from the
    next free on, in the value's order."""
    found = dict(numbers)
    _go_on(found, value.ids if isinstance(value, TextTable) else value.query_ids)
    if isinstance(value, TextTable):
        ids = pa.array([found[one] for one in value.ids], pa.string())
        columns: dict[str, Any] = {"id": ids, **{name: value.table[name] for name in value.attributes}}
        return replace(value, table=pa.table(columns)), found
    return replace(value, query_ids=tuple(found[one] for one in value.query_ids)), found


def _go_on(found: dict[str, str], queries: Iterable[str]) -> None:
    free = max(map(int, found.values()), default=0) + 1
    for query in queries:
        if query not in found:
            found[query], free = str(free), free + 1


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 19


def read_map(path: str | Path) -> dict[str, str]:
    """Number by query; empty where there is no such file. Raises ParseError at a line that is none."""
    if not Path(path).exists():
        return {}
    found: dict[str, str] = {}
    seen: set[str] = set()
    for line, text in enumerate(open_bytes(path).data.decode("utf-8", "replace").split("\n"), start=1):
        if not text.strip():
            continue
        number, tab, query = text.rstrip("\r").partition("\t")
        if not tab or not _is_number(number) or number in seen or query in found:
            raise ParseError(path, "not a new number, a tab and a new query", line=line, text=text)
        seen.add(number)
        found[query] = number
    return found


def map_bytes(numbers: dict[str, str]) -> bytes:
    """The file of a map. Raises OptionError on a query of several lines, which it cannot say."""
    odd = next((query for query in numbers if len(query.splitlines()) > 1), None)
    if odd is not None:
        raise OptionError(f"the query {odd!r} has several lines, which a map of a line a query cannot say")
    return "".join(f"{number}\t{query}\n" for query, number in numbers.items()).encode("utf-8", "surrogateescape")
