"""The reader of regular Parquet files, in batches: only what the columns' roles need is kept in memory.

On 7 million rows it takes a quarter less time than reading the whole table, and two thirds of the memory. Irregular
files (missing values, ids that are fractions) are left to the reader of whole tables. Arrow files always are: they are
mapped and not decoded, and reading them in batches gains nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from irviewer.formats.reading.column_builders import builder_of
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.table_budget import unpacked_size
from irviewer.formats.reading.unpacking import budget
from irviewer.formats.tables.table_rows import MORE_COMPONENTS, Table, built_column
from irviewer.model.column_names import Roles, is_component
from irviewer.model.exchange.arrow_types import is_number, plain


def stream_columns(data: bytes, schema: Any, roles: Roles, sizes: Sizes = SIZES) -> Table | None:
    """Return the needed columns of a Parquet file; None for an irregular or damaged file, whose faults the reader of
    whole tables reports."""
    wanted = _wanted(schema, roles)
    builders = {name: builder_of(kind, sizes.column) for name, kind in wanted.items()}
    n, left = 0, budget(len(data))
    try:
        for batch, share in _batches(data, list(wanted), sizes.rows):
            batch.validate(full=True)  # a damaged file may refer to bytes outside of it
            for (name, kind), builder in zip(wanted.items(), builders.values(), strict=True):
                column = batch.column(batch.schema.get_field_index(name))
                left -= unpacked_size(column)
                column = column_as(column, kind) if left >= 0 else None
                if column is None or not builder.add(column, n, share):
                    return None
            n += batch.num_rows
    except (pa.ArrowException, OSError, ValueError, IndexError, MemoryError):
        return None
    return Table({name: built_column(builder, wanted[name], n) for name, builder in builders.items()})


def _wanted(schema: Any, roles: Roles) -> dict[str, str]:
    """Return the kind of each needed column by name, as in ``arrow_columns.Column``."""
    wanted = {roles.query: "brief", roles.document: "text", roles.value: "number"}
    if roles.kind == "qrels":
        return wanted | {name: "brief" for name in (roles.subtopic, roles.judge) if name}
    wanted |= {roles.rank: "long"} if roles.rank else {}
    wanted |= {roles.tag: "brief"} if roles.tag else {}
    used = {*wanted, roles.subtopic, roles.judge}
    names = Counter(schema.names)
    components = [
        field.name
        for field in schema
        if field.name not in used and names[field.name] == 1 and is_number(field.type) and is_component(field.name)
    ]
    return wanted | dict.fromkeys(components[:MORE_COMPONENTS], "number")


def _batches(data: bytes, names: list[str], rows: int) -> Iterator[tuple[Any, float]]:
    """Yield batches of ``rows`` rows of the named columns, and the share of all rows that was yielded with them."""
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(data))
    done = 0
    for batch in file.iter_batches(rows, columns=names, use_threads=False):
        done += batch.num_rows
        yield batch, done / max(1, file.metadata.num_rows)


def column_as(column: Any, kind: str) -> Any:
    """Return a part of a column as a builder of this kind needs it; None for another type. Raises ArrowInvalid."""
    column = plain(column)
    if column.null_count:
        return None
    if kind in ("number", "long"):
        fits = pa.types.is_integer(column.type) or (kind == "number" and pa.types.is_floating(column.type))
        return column.cast(pa.float64() if kind == "number" else pa.int64()) if fits else None
    if not (pa.types.is_integer(column.type) or pa.types.is_string(column.type)):
        return None
    text = column.cast(pa.string())
    return text if kind == "text" else text.dictionary_encode()
