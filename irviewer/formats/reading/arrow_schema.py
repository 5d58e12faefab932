"""The schema of a Parquet or Arrow file, without its rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from irviewer.formats.reading.opener import Opened


def schema_of(opened: Opened) -> Any:
    """Return the schema. Raises ArrowException, OSError or ValueError for a damaged file."""
    data = opened.data
    if data.startswith(b"PAR1"):
        from pyarrow import parquet

        return parquet.read_schema(pa.BufferReader(data))
    if data.startswith(b"ARROW1"):
        return pa.ipc.open_file(pa.BufferReader(data)).schema
    return pa.ipc.open_stream(pa.BufferReader(data)).schema
