"""Tables as Arrow files (Feather) and Parquet, with their description in the metadata of the schema."""

from __future__ import annotations

import pyarrow as pa

from irviewer.tables.exact import arrow_table
from irviewer.tables.table import Table


def arrow_file(table: Table) -> bytes:
    """Return a table as an Arrow IPC file."""
    columns, sink = arrow_table(table), pa.BufferOutputStream()
    with pa.ipc.new_file(sink, columns.schema) as writer:
        writer.write_table(columns)
    return bytes(sink.getvalue())


def parquet_file(table: Table) -> bytes:
    """Return the bytes of a Parquet file with exact values; what the table was made from is in its schema."""
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(arrow_table(table), sink)
    return bytes(sink.getvalue())
