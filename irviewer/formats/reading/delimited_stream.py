"""The reader of regular CSV or TSV files with a header, in parts: only what the columns' roles need is kept in memory.

Irregular files are left to the line reader."""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from contextlib import closing
from functools import partial
from typing import Any

import pyarrow as pa
from pyarrow import csv as arrow_csv

from irviewer.formats.csv_rows import ends_open
from irviewer.formats.format import Head, is_number
from irviewer.formats.reading.arrow_columns import Watched, batches
from irviewer.formats.reading.column_builders import builder_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.parsed_memory import parsed_memory
from irviewer.formats.tables.table_rows import MORE_COMPONENTS, Table, built_column
from irviewer.model.column_names import Roles, is_component

_TYPES = {
    "brief": pa.dictionary(pa.int32(), pa.string()), "text": pa.string(), "number": pa.float64(), "long": pa.int64(),
}  # fmt: skip


def stream_table(opened: Opened, head: Head, names: list[str], delimiter: str, roles: Roles) -> Table | None:
    """Return the needed columns, without lines; None for an irregular file or an empty cell in them."""
    start = head.lines[0][0]
    skip = sum(len(line) + 1 for line in opened.head.split(b"\n", start)[:start])
    wanted = _wanted(head, names, delimiter, roles)
    if len(set(names)) < len(names) or skip > len(opened.head):
        return None
    with closing(Watched(opened.stream(), skip, delimiter, cells=True, sizes=opened.sizes)) as source:
        columns = _columns(source, names, wanted, delimiter, opened.likely_size)
        if columns is None or source.irregular:
            return None
        opened.note_encoding("ascii" if source.ascii and opened.head[:skip].isascii() else "utf-8")
    return Table(columns)


def _wanted(head: Head, names: list[str], delimiter: str, roles: Roles) -> dict[str, str]:
    """Return the kind of each needed column by name, as in ``arrow_columns.Column``."""
    wanted = {roles.query: "brief", roles.document: "text", roles.value: "number"}
    if roles.kind == "qrels":
        return wanted | {name: "brief" for name in (roles.subtopic, roles.judge) if name}
    wanted |= {roles.rank: "long"} if roles.rank else {}
    wanted |= {roles.tag: "brief"} if roles.tag else {}
    first = next(csv.reader([line for _, line in head.lines[1:2]], delimiter=delimiter), [])
    used = {*wanted, roles.subtopic, roles.judge}
    # Other columns are score components if they have only numbers.
    components = [
        name
        for name, cell in zip(names, first, strict=False)
        if name not in used and is_number(cell) and is_component(name)
    ]
    return wanted | dict.fromkeys(components[:MORE_COMPONENTS], "number")


def _columns(
    source: Watched, names: list[str], wanted: dict[str, str], delimiter: str, size: int
) -> dict[str, Any] | None:
    reading = arrow_csv.ReadOptions(column_names=names, block_size=2 * source.sizes.part, use_threads=False)
    conversion = arrow_csv.ConvertOptions(
        column_types={name: _TYPES[kind] for name, kind in wanted.items()}, include_columns=list(wanted), null_values=[]
    )
    parse = partial(_parse, reading, arrow_csv.ParseOptions(delimiter=delimiter), conversion)
    builders = {name: builder_of(kind, source.sizes.column) for name, kind in wanted.items()}
    n = 0
    try:
        for batch, done in batches(source, parse, size):
            share = min(1.0, done / max(1, size))
            for index, builder in enumerate(builders.values()):
                column = batch.column(index)
                if column.null_count or not builder.add(column, n, share):
                    return None
            n += batch.num_rows
    except pa.ArrowInvalid:
        return None
    return {name: built_column(builder, wanted[name], n) for name, builder in builders.items()}


def _parse(reading: Any, parsing: Any, conversion: Any, part: bytearray, size: int, first: bool) -> Any:
    """Return the table of the first ``size`` bytes of a part. Raises ArrowInvalid, also for a line end in a cell, and
    for U+FEFF at the beginning of the part: it is of an id, and Arrow would take it for the sign of an encoding."""
    if part.startswith(BOM_UTF8):
        raise pa.ArrowInvalid("a cell begins with U+FEFF")
    table = arrow_csv.read_csv(
        pa.BufferReader(pa.py_buffer(part).slice(0, size)), reading, parsing, conversion,
        memory_pool=parsed_memory(),
    )  # fmt: skip
    if part.find(b'"', 0, size) >= 0 and (
        ends_open(part, parsing.delimiter, size)
        or table.num_rows != part.count(b"\n", 0, size) + (not part.endswith(b"\n", 0, size))
    ):
        raise pa.ArrowInvalid("a line ends within quotation marks, or is empty")
    return table
