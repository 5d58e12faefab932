"""The reader of JSON lines of rows, in parts by Arrow: only what the keys' roles need is kept in memory.

Irregular files (a missing key, another type, an escape, a blank line) are left to the line reader, which knows the line
of every fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pyarrow as pa
from pyarrow import json as arrow_json

from irviewer.formats.reading.column_builders import builder_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.parquet_stream import column_as
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.formats.tables.table_rows import Table, built_column
from irviewer.model.column_names import Roles


def stream_rows(opened: Opened, first: dict[str, Any], roles: Roles) -> Table | None:
    """Return the needed columns, without lines; None for an irregular file. ``first`` is the first line's object."""
    wanted = _wanted(first, roles)
    types = {name: _type(first[name], kind) for name, kind in wanted.items()}
    if None in types.values():
        return None
    parsing = arrow_json.ParseOptions(explicit_schema=pa.schema(types), unexpected_field_behavior="ignore")
    builders = {name: builder_of(kind, opened.sizes.column) for name, kind in wanted.items()}
    n, done, ascii_only = 0, 0, True
    try:
        for part in _parts(opened):
            done += len(part)
            ascii_only = ascii_only and part.isascii()
            if b"\\" in part or not (part.isascii() or part.decode("utf-8")):
                return None
            reading = arrow_json.ReadOptions(use_threads=False, block_size=len(part) + 1)
            table = arrow_json.read_json(pa.BufferReader(part), reading, parsing)
            if table.num_rows != part.count(b"\n") + (not part.endswith(b"\n")):
                return None
            share = min(1.0, done / max(1, opened.likely_size))
            for batch in table.to_batches():
                for (name, kind), builder in zip(wanted.items(), builders.values(), strict=True):
                    column = column_as(batch.column(batch.schema.get_field_index(name)), kind)
                    if column is None or not builder.add(column, n, share):
                        return None
                n += batch.num_rows
    except (*BROKEN, pa.ArrowException):
        return None
    opened.note_encoding("ascii" if ascii_only else "utf-8")
    return Table({name: built_column(builder, wanted[name], n) for name, builder in builders.items()})


def _parts(opened: Opened) -> Iterator[bytes]:
    """Yield parts of whole lines."""
    with closing(opened.stream()) as stream:
        rest = b""
        while block := stream.read(opened.sizes.objects):
            if len(rest) > opened.sizes.line:
                raise ValueError("a line of megabytes")
            lines, mark, tail = (rest + block).rpartition(b"\n")
            rest = tail
            if mark:
                yield lines + mark
        if rest.strip():
            yield rest


def _wanted(first: dict[str, Any], roles: Roles) -> dict[str, str]:
    wanted = {roles.query: "brief", roles.document: "text", roles.value: "number"}
    if roles.kind == "qrels":
        return wanted | {name: "brief" for name in (roles.subtopic, roles.judge) if name}
    wanted |= {roles.rank: "long"} if roles.rank else {}
    wanted |= {roles.tag: "brief"} if roles.tag else {}
    used = {*wanted, roles.subtopic, roles.judge}
    return wanted | {name: "number" for name, value in first.items() if name not in used and _is_number(value)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _type(value: Any, kind: str) -> Any:
    """Return the Arrow type of a column by its first value; None for an unsupported type."""
    if kind == "number":
        return pa.float64() if _is_number(value) else None
    if kind == "long":
        return pa.int64() if isinstance(value, int) else None
    if isinstance(value, str):
        return pa.string()
    return pa.int64() if isinstance(value, int) and not isinstance(value, bool) else None
