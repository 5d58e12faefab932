"""What a Parquet or Arrow file would become in memory, told from its own account before it is read: a column of one
value, or one that is packed, may stand for a billion rows in a few bytes.

Knows the outer shape of both formats, not what columns mean."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.unpacking import budget
from irviewer.model.arrays import values_of

ROWS = 1 << 20
"""So many rows any table may have."""

ROWS_A_BYTE = 4
"""So many a byte of it a larger one may have: a document's id alone takes more."""

_RECORDS, _DICTIONARY = 3, 2  # kinds of messages


def refuse_beyond_budget(opened: Opened) -> None:
    """Raises ParseError where a table would take far more memory than any of its size. What is broken is left to its
    reader, which says so."""
    data = opened.data
    rows = total = 0
    # What is broken in any way is the reader's to say.
    with suppress(pa.ArrowException, OSError, ValueError, IndexError, struct.error, RecursionError):
        for more, size in _of_parquet(data) if data.startswith(b"PAR1") else _of_arrow(data):
            rows, total = rows + more, total + size
            _refuse(opened, rows, total)


def refuse_long_texts(opened: Opened, columns: Iterable[Any]) -> None:
    """The same of the texts in columns that were read."""
    _refuse(opened, 0, sum(map(unpacked_size, columns)))


def _refuse(opened: Opened, rows: int, total: int) -> None:
    size = len(opened.data)
    if rows > max(ROWS, ROWS_A_BYTE * size) or total > budget(size):
        told = f"{rows:,} rows" if rows > max(ROWS, ROWS_A_BYTE * size) else f"{total:,} bytes"
        raise ParseError(
            opened.path,
            f"the table holds {told}, packed into {size:,}: no ranking is so even",
            hint="if it is one all the same, write it as text",
        )


def unpacked_size(column: Any) -> int:
    """Bytes that the texts of a column take once each stands there on its own, where a text may stand for many rows;
    0 for other columns."""
    total = 0
    for part in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        if pa.types.is_dictionary(part.type) and _is_text(part.dictionary.type) and len(part.dictionary):
            lengths = values_of(pc.binary_length(part.dictionary).cast(pa.int64()).fill_null(0))
            total += int(lengths[values_of(part.indices.drop_null().cast(pa.int64()))].sum())
        elif pa.types.is_string_view(part.type) or pa.types.is_binary_view(part.type):
            total += int(pc.sum(pc.binary_length(part)).as_py() or 0)
    return total


def _is_text(kind: Any) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


# --- Parquet ---


def _of_parquet(data: bytes) -> Iterator[tuple[int, int]]:
    """Rows and bytes of each group of rows, texts counted as often as they stand there."""
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(data))
    yield file.metadata.num_rows, 0
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        total = 0
        for place in range(group.num_columns):
            column = group.column(place)
            total += max(column.total_uncompressed_size, 0)
            if column.physical_type == "BYTE_ARRAY" and any("DICTIONARY" in one for one in column.encodings):
                total += group.num_rows * _longest(data, column.path_in_schema, number)
        yield 0, total


def _longest(data: bytes, name: str, group: int) -> int:
    """Bytes of the longest text in the dictionary of a column in a group of rows: its first row brings it along."""
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=[name])
    first = next(file.iter_batches(1, row_groups=[group], columns=[name], use_threads=False), None)
    column = None if first is None or not first.num_columns else first.column(0)
    if column is None or not pa.types.is_dictionary(column.type) or not len(column.dictionary):
        return 0
    return int(np.max(values_of(pc.binary_length(column.dictionary).fill_null(0))))


# --- Arrow ---


def _of_arrow(data: bytes) -> Iterator[tuple[int, int]]:
    """Rows and unpacked bytes of each message."""
    for place in _places_of_file(data) if data.startswith(b"ARROW1") else _places_of_stream(data):
        size, begin = _message_at(data, place)
        message = begin + _u32(data, begin)
        kind = data[_field(data, message, 1)]
        header = _table(data, message, 2)
        body = begin + size
        if kind == _DICTIONARY:
            header = _table(data, header, 1)
        if kind in (_RECORDS, _DICTIONARY):
            rows = _i64(data, _field(data, header, 0)) if _field(data, header, 0) else 0
            yield rows if kind == _RECORDS else 0, _unpacked(data, header, body)


def _places_of_stream(data: bytes) -> Iterator[int]:
    place = 0
    while place + 8 <= len(data):
        size, begin = _message_at(data, place)
        if not size:
            return
        yield place
        message = begin + _u32(data, begin)
        at = _field(data, message, 3)
        place = begin + size + (max(0, _i64(data, at)) if at else 0)


def _places_of_file(data: bytes) -> Iterator[int]:
    """The messages that the footer names: dictionaries and records."""
    size = struct.unpack_from("<i", data, len(data) - 10)[0]
    begin = len(data) - 10 - size
    footer = begin + _u32(data, begin)
    for number in (2, 3):
        at = _field(data, footer, number)
        if at:
            vector = at + _u32(data, at)
            for one in range(_u32(data, vector)):
                yield _i64(data, vector + 4 + 24 * one)


def _message_at(data: bytes, place: int) -> tuple[int, int]:
    """How long a message's header is and where it begins."""
    first = _u32(data, place)
    return (_u32(data, place + 4), place + 8) if first == 0xFFFFFFFF else (first, place + 4)


def _unpacked(data: bytes, header: int, body: int) -> int:
    """Bytes of a batch's columns as they are in memory: packed ones begin with their size."""
    at = _field(data, header, 2)
    if not at:
        return 0
    packed, vector, total = bool(_field(data, header, 3)), at + _u32(data, at), 0
    for one in range(_u32(data, vector)):
        start, length = struct.unpack_from("<qq", data, vector + 4 + 16 * one)
        told = _i64(data, body + start) if packed and length >= 8 else length
        total += length if told < 0 else told
    return total


def _table(data: bytes, table: int, number: int) -> int:
    at = _field(data, table, number)
    if not at:
        raise ValueError("a part is missing")
    return at + _u32(data, at)


def _field(data: bytes, table: int, number: int) -> int:
    """Where a field of a flatbuffer's table stands; 0 where it is not there."""
    about: int = table - struct.unpack_from("<i", data, table)[0]
    place = 4 + 2 * number
    if about < 0 or place >= struct.unpack_from("<H", data, about)[0]:
        return 0
    offset: int = struct.unpack_from("<H", data, about + place)[0]
    return table + offset if offset else 0


def _u32(data: bytes, place: int) -> int:
    found: int = struct.unpack_from("<I", data, place)[0]
    return found


def _i64(data: bytes, place: int) -> int:
    found: int = struct.unpack_from("<q", data, place)[0]
    return found
