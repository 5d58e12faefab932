"""The memory that a Parquet or Arrow file needs, computed from its metadata before it is read: a few bytes of a
constant or compressed column may be a billion rows."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.unpacking import budget
from irviewer.model.arrays import values_of
from irviewer.model.exchange.arrow_types import is_shared, text_size
from irviewer.translation import tr

ROWS = 1 << 20
"""Rows that any table may have."""

ROWS_A_BYTE = 4
"""Rows per byte of file that a larger table may have: a document id alone takes more than a quarter of a byte."""

_RECORDS, _DICTIONARY = 3, 2  # kinds of messages


def refuse_beyond_budget(opened: Opened) -> None:
    """Raise ParseError for a table that needs far more memory than its size suggests. Damaged files are left to their
    reader, which reports them."""
    data = opened.data
    rows = total = 0
    # The reader reports damaged files.
    with suppress(pa.ArrowException, OSError, ValueError, IndexError, struct.error, RecursionError):
        for more, size in _of_parquet(data) if data.startswith(b"PAR1") else _of_arrow(data):
            rows, total = rows + more, total + size
            _refuse(opened, rows, total)


def refuse_long_texts(opened: Opened, columns: Iterable[Any]) -> None:
    """Raise the same for the texts in columns that were read."""
    _refuse(opened, 0, sum(map(unpacked_size, columns)))


def _refuse(opened: Opened, rows: int, total: int) -> None:
    size = len(opened.data)
    if rows > max(ROWS, ROWS_A_BYTE * size) or total > budget(size):
        if rows > max(ROWS, ROWS_A_BYTE * size):
            reason = tr(
                "the table has {rows:,} rows, compressed to {size:,} bytes: too much for a ranking",
                rows=rows,
                size=size,
            )
        else:
            reason = tr(
                "the table has {total:,} bytes, compressed to {size:,}: too much for a ranking", total=total, size=size
            )
        raise ParseError(opened.path, reason, hint=tr("if it is a ranking, write it as text"))


def unpacked_size(column: Any) -> int:
    """Return the bytes of a column's texts when texts shared by rows are copied for each row; 0 for other columns."""
    parts = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return sum(text_size(part) for part in parts if is_shared(part.type))


# --- Parquet ---


def _of_parquet(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield rows and bytes of each row group, with repeated texts counted each time."""
    from pyarrow import parquet

    metadata = parquet.read_metadata(pa.BufferReader(data))
    yield metadata.num_rows, 0
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    columns = [[group.column(position) for position in range(group.num_columns)] for group in groups]
    coded = [[column.path_in_schema for column in own if _is_coded(column)] for own in columns]
    names = list(dict.fromkeys(chain.from_iterable(coded)))
    # One reader for all groups: each reader parses the metadata of every group.
    reader = parquet.ParquetFile(pa.BufferReader(data), metadata=metadata, read_dictionary=names) if names else None
    for number, group in enumerate(groups):
        total = sum(max(column.total_uncompressed_size, 0) for column in columns[number])
        if coded[number]:
            total += group.num_rows * sum(_longest(reader, name, number) for name in coded[number])
        yield 0, total


def _is_coded(column: Any) -> bool:
    """Return True for a column of texts in a row group that may have each text once."""
    return column.physical_type == "BYTE_ARRAY" and any("DICTIONARY" in encoding for encoding in column.encodings)


def _longest(reader: Any, name: str, group: int) -> int:
    """Return the bytes of the longest text in a column's dictionary in a row group, which comes with its first row."""
    first = next(reader.iter_batches(1, row_groups=[group], columns=[name], use_threads=False), None)
    column = None if first is None or not first.num_columns else first.column(0)
    if column is None or not pa.types.is_dictionary(column.type) or not len(column.dictionary):
        return 0
    return int(np.max(values_of(pc.binary_length(column.dictionary).fill_null(0))))


# --- Arrow ---


def _of_arrow(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield rows and uncompressed bytes of each message."""
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
    """Yield the positions of the messages in the footer: dictionaries and records."""
    size = struct.unpack_from("<i", data, len(data) - 10)[0]
    begin = len(data) - 10 - size
    footer = begin + _u32(data, begin)
    for number in (2, 3):
        at = _field(data, footer, number)
        if at:
            vector = at + _u32(data, at)
            for index in range(_u32(data, vector)):
                yield _i64(data, vector + 4 + 24 * index)


def _message_at(data: bytes, place: int) -> tuple[int, int]:
    """Return the length of a message's header and its start."""
    first = _u32(data, place)
    return (_u32(data, place + 4), place + 8) if first == 0xFFFFFFFF else (first, place + 4)


def _unpacked(data: bytes, header: int, body: int) -> int:
    """Return the bytes of a batch's columns in memory; compressed ones begin with their size."""
    at = _field(data, header, 2)
    if not at:
        return 0
    packed, vector, total = bool(_field(data, header, 3)), at + _u32(data, at), 0
    for index in range(_u32(data, vector)):
        start, length = struct.unpack_from("<qq", data, vector + 4 + 16 * index)
        stated = _i64(data, body + start) if packed and length >= 8 else length
        total += length if stated < 0 else stated
    return total


def _table(data: bytes, table: int, number: int) -> int:
    at = _field(data, table, number)
    if not at:
        raise ValueError("a part is missing")
    return at + _u32(data, at)


def _field(data: bytes, table: int, number: int) -> int:
    """Return the position of a field of a flatbuffer's table; 0 if it is missing."""
    about: int = table - struct.unpack_from("<i", data, table)[0]
    place = 4 + 2 * number
    if about < 0 or place >= struct.unpack_from("<H", data, about)[0]:
        return 0
    offset: int = struct.unpack_from("<H", data, about + place)[0]
    return table + offset if offset else 0


def _u32(data: bytes, place: int) -> int:
    value: int = struct.unpack_from("<I", data, place)[0]
    return value


def _i64(data: bytes, place: int) -> int:
    value: int = struct.unpack_from("<q", data, place)[0]
    return value
