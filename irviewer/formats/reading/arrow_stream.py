"""A regular Parquet or Arrow file, batch by batch: of each column no more than its role needs is kept.

What is irregular in any way (missing values, ids that are fractions) is left to the reader of whole tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from irviewer.formats.reading.column_builders import gather_as
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.table_budget import unpacked_size
from irviewer.formats.reading.unpacking import budget
from irviewer.formats.tables.table_rows import Table, gathered_column
from irviewer.model.column_names import Roles


def stream_columns(data: bytes, schema: Any, roles: Roles, sizes: Sizes = SIZES) -> Table | None:
    """The columns that matter, some rows at a time; None where anything is irregular or broken: the reader of whole
    tables says what."""
    wanted = _wanted(schema, roles)
    gathered = {name: gather_as(kind, sizes.column) for name, kind in wanted.items()}
    n, left = 0, budget(len(data))
    try:
        for batch, share in _batches(data, list(wanted), sizes.rows):
            batch.validate(full=True)  # a damaged file may point outside of itself
            for (name, kind), gatherer in zip(wanted.items(), gathered.values(), strict=True):
                column = batch.column(batch.schema.get_field_index(name))
                left -= unpacked_size(column)
                column = gatherable(column, kind) if left >= 0 else None
                if column is None or not gatherer.add(column, n, share):
                    return None
            n += batch.num_rows
    except (pa.ArrowException, OSError, ValueError, IndexError, MemoryError):
        return None
    return Table({name: gathered_column(gatherer, wanted[name], n) for name, gatherer in gathered.items()})


def _wanted(schema: Any, roles: Roles) -> dict[str, str]:
    """What is gathered of each column, by its name, as ``regular.Column`` calls it."""
    wanted = {roles.query: "brief", roles.document: "text", roles.value: "number"}
    if roles.kind == "qrels":
        return wanted | ({roles.subtopic: "brief"} if roles.subtopic else {})
    wanted |= {roles.rank: "long"} if roles.rank else {}
    wanted |= {roles.tag: "brief"} if roles.tag else {}
    used = {*wanted, roles.subtopic}
    return wanted | {
        name: "number"
        for name in schema.names
        if name not in used and schema.names.count(name) == 1 and _is_number(schema.field(name).type)
    }


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _batches(data: bytes, names: list[str], rows: int) -> Iterator[tuple[Any, float]]:
    """Some rows of the named columns, and the share of all rows that were given with them, about."""
    source = pa.BufferReader(data)
    if data.startswith(b"PAR1"):
        from pyarrow import parquet

        file = parquet.ParquetFile(source)
        done = 0
        for batch in file.iter_batches(rows, columns=names, use_threads=False):
            done += batch.num_rows
            yield batch, done / max(1, file.metadata.num_rows)
        return
    whole: Iterator[tuple[Any, float, float]]
    if data.startswith(b"ARROW1"):
        reader = pa.ipc.open_file(source)
        batches, shares = map(reader.get_batch, range(reader.num_record_batches)), reader.num_record_batches
        whole = ((batch, number / shares, 1 / shares) for number, batch in enumerate(batches))
    else:
        whole = _of_stream(pa.ipc.open_stream(source), source, len(data))
    for batch, before, share in whole:
        own = batch.select(names)
        for start in range(0, batch.num_rows, rows):
            stop = min(start + rows, batch.num_rows)
            yield own.slice(start, stop - start), before + share * stop / batch.num_rows


def _of_stream(reader: Any, source: Any, size: int) -> Iterator[tuple[Any, float, float]]:
    before = 0.0
    for batch in reader:
        after = source.tell() / size
        yield batch, before, after - before
        before = after


def gatherable(column: Any, kind: str) -> Any:
    """A part of a column as it is gathered; None where it is not of that kind throughout. Raises ArrowInvalid."""
    if column.null_count:
        return None
    if kind in ("number", "long"):
        fits = pa.types.is_integer(column.type) or (kind == "number" and pa.types.is_floating(column.type))
        return column.cast(pa.float64() if kind == "number" else pa.int64()) if fits else None
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not (pa.types.is_integer(column.type) or _is_text(column.type)) or column.null_count:
        return None
    text = column if column.type == pa.string() else column.cast(pa.string())
    return text if kind == "text" else text.dictionary_encode()


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
