"""Columns of a regular file, in which every line has the same columns and one delimiter, read by Arrow in parts.

Needed columns are copied to their final place and everything else is freed immediately, so that the file is never in
memory as a whole: touching new memory takes more time than reading."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from irviewer.formats.reading.column_builders import Keys, Names, builder_of
from irviewer.formats.reading.parsed_memory import parsed_memory
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.model.arrays import Codes, Floats, Ints, Ranks, Strings

WHOLE = ("whole", "long")


@dataclass(frozen=True)
class Column:
    """A needed column: "key" (few distinct ids: codes and names), "brief" (the same in 32 bits), "names" (the names
    only), "text", "number", or "whole" (an optional integer, dropped if it does not parse; "long" is one of 64
    bits)."""

    name: str
    place: int
    kind: str


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns read from a file.

    keys       name -> (names in order of appearance, int64 codes)
    brief      the same with int32 codes, which are empty if only the names were needed
    texts, numbers, wholes   by name; a "whole" that did not parse is missing
    comments   the ``#`` lines without the ``#``
    extra      the number of rows with more columns
    row_lines  the line number of each row if the line reader was used, else None
    """

    n: int
    keys: dict[str, tuple[tuple[str, ...], Ints]]
    brief: dict[str, tuple[tuple[str, ...], Ranks]]
    texts: dict[str, Strings]
    numbers: dict[str, Floats]
    wholes: dict[str, Codes]
    comments: tuple[str, ...]
    extra: int
    row_lines: Ints | None = None


class Watched:
    """A stream of bytes that checks what Arrow would misread and then is ``irregular``: white space other than the
    delimiter and empty cells (both allowed with ``cells``), a single carriage return, bytes that are not UTF-8, a
    stream that fails."""

    def __init__(
        self, stream: Any, skip: int, delimiter: str, *, cells: bool = False, sizes: Sizes = SIZES,
        data: bytes | None = None,
    ) -> None:  # fmt: skip
        self.sizes = sizes
        self.data = data  # all bytes of the stream, if they are in memory
        self.irregular = False
        self.ascii = True
        self._stream = stream
        self._delimiter = b"" if cells else delimiter.encode()
        self._others = [sign for sign in (b" ", b"\t", b"\f", b"\v") if sign != delimiter.encode() and not cells]
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._return = False  # the last byte was a carriage return
        if skip:
            stream.read(skip)

    def fill(self, into: bytearray, start: int) -> int:
        """Read from ``start`` on until ``into`` is full or the stream ends, and return the end of the bytes read."""
        stop = start
        try:
            with memoryview(into) as view:
                while stop < len(into) and (n_read := self._stream.readinto(view[stop:])):
                    stop += n_read
            self.irregular = not self._is_regular(into, start, stop, ended=stop < len(into))
        except BROKEN:
            self.irregular = True
        return stop

    def check(self, data: bytes) -> bool:
        """Return whether all bytes of the stream are regular."""
        try:
            self.irregular = not self._is_regular(data, 0, len(data), ended=True)
        except BROKEN:
            self.irregular = True
        return not self.irregular

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def _is_regular(self, block: bytes | bytearray, start: int, stop: int, *, ended: bool) -> bool:
        if start < stop and np.frombuffer(block, np.uint8, stop - start, start).max() > 127:
            self.ascii = False
        if not self.ascii:
            step = self.sizes.decoded
            for position in range(start, stop, step):
                self._decoder.decode(
                    block[position : min(position + step, stop)]
                )  # UnicodeDecodeError is one of BROKEN
            if ended:
                self._decoder.decode(b"", final=True)
        if any(block.find(sign, start, stop) >= 0 for sign in self._others):
            return False
        if self._delimiter and self._has_empty_cell(block, start, stop, ended=ended):
            return False
        if self._return and not block.startswith(b"\n", start, stop):
            return False
        self._return = block.endswith(b"\r", start, stop) and not ended
        if block.find(b"\r", start, stop) < 0:  # many times as fast as counting
            return True
        returns = block.count(b"\r", start, stop) - self._return
        return not returns or returns == block.count(b"\r\n", start, stop)

    def _has_empty_cell(self, block: bytes | bytearray, start: int, stop: int, *, ended: bool) -> bool:
        """Return whether a delimiter follows another, or begins or ends a line. The block begins with a line; what
        precedes ``start`` was checked before."""
        sign = self._delimiter
        if (start == 0 and block.startswith(sign, 0, stop)) or (ended and block.endswith(sign, 0, stop)):
            return True
        step = self.sizes.cells
        for place in range(max(start - 1, 0), stop - 1, step):
            piece = np.frombuffer(block, np.uint8, min(step + 1, stop - place), place)
            former, latter = piece[:-1], piece[1:]
            if np.maximum(former, latter).min() > 32:  # no two signs of white space next to each other
                continue
            ends = (latter == ord(sign)) | (latter == 10) | (latter == 13)
            if np.any(((former == ord(sign)) & ends) | ((former == 10) & (latter == ord(sign)))):
                return True
        return False


def read_regular(source: Watched, wanted: Sequence[Column], width: int, delimiter: str, size: int) -> Columns | None:
    """Return the columns of about ``size`` bytes without comments; None for an irregular file. Raises NotWholeError."""
    builders = {column: builder_of(column.kind, source.sizes.column) for column in wanted}
    n = 0
    try:
        for batch, done in batches(source, partial(_parse, *_how(wanted, width, delimiter, source.sizes)), size):
            share = min(1.0, done / max(1, size))
            for index, builder in enumerate(builders.values()):
                values = batch.column(index)
                if values.null_count or not builder.add(values, n, share):
                    return None
            n += batch.num_rows
    except pa.ArrowInvalid as error:
        if any(column.kind in WHOLE and f"column #{column.place}:" in str(error) for column in wanted):
            raise NotWholeError from error
        return None
    if source.irregular:
        return None
    keys: dict[str, tuple[tuple[str, ...], Ints]] = {}
    brief: dict[str, tuple[tuple[str, ...], Ranks]] = {}
    columns: dict[str, dict[str, Any]] = {"text": {}, "number": {}, "whole": {}, "long": {}}
    for column, builder in builders.items():
        if isinstance(builder, Keys | Names):
            names = tuple(builder.names)
            # An empty name is a doubled delimiter; a "#" is a comment with the same number of words.
            if "" in builder.names or (column.place == 0 and [name for name in names if name[0] == "#"]):
                return None
            if column.kind == "key":
                keys[column.name] = names, builder.done(n).astype(np.int64)
            else:
                brief[column.name] = names, builder.done(n)
        else:
            columns[column.kind][column.name] = builder.done(n)
    return Columns(n, keys, brief, columns["text"], columns["number"], columns["whole"] | columns["long"], (), 0)


class NotWholeError(Exception):
    """A "whole" column has values other than integers of its width."""


def batches(
    source: Watched, parse: Callable[[bytes | bytearray, int, bool], Any], size: int = 0
) -> Iterator[tuple[Any, int]]:
    """Yield the rows in Arrow batches, with the number of bytes read so far. ``parse(part, size, is_first)`` returns
    the table of the first ``size`` bytes of a part.

    A source of about ``size`` bytes that are few is read and parsed by the caller's thread. Of others, one thread
    reads, others parse a part each, and the caller uses the batches, all at the same time."""
    done, threads = 0, source.sizes.parsers
    if source.data is not None and 0 < len(source.data) <= source.sizes.alone:
        if source.check(source.data):  # bytes in memory are parsed where they are
            yield from _of_table(parse(source.data, len(source.data), True), 0, len(source.data))
        return
    if 0 < size <= source.sizes.alone:
        yield from _one_by_one(_Parts(source, size + 1), parse)
        return
    parts = _Parts(source)
    with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(threads) as parsers:
        waiting: deque[tuple[Future[Any], bytearray, int]] = deque()
        filling: Future[Any] | None = reader.submit(parts.next)
        while filling is not None or waiting:
            if filling is not None and len(waiting) <= threads:
                part, size = filling.result()
                filling = reader.submit(parts.next) if size else None
                if size:
                    waiting.append((parsers.submit(parse, part, size, not done and not waiting), part, size))
                continue
            parsed, part, size = waiting.popleft()
            table = parsed.result()
            parts.give_back(part)
            yield from _of_table(table, done, size)
            done += size


def _one_by_one(parts: _Parts, parse: Callable[[bytes | bytearray, int, bool], Any]) -> Iterator[tuple[Any, int]]:
    """Yield the same without other threads, each of which would cost more than the parts of a small file."""
    done = 0
    while (filled := parts.next())[1]:
        part, size = filled
        yield from _of_table(parse(part, size, not done), done, size)
        done += size


def _of_table(table: Any, done: int, size: int) -> Iterator[tuple[Any, int]]:
    """Yield the batches of a part of ``size`` bytes, which ``done`` bytes precede."""
    record_batches = table.to_batches()
    for number, batch in enumerate(record_batches, start=1):
        yield batch, done + size * number // len(record_batches)


def _how(wanted: Sequence[Column], width: int, delimiter: str, sizes: Sizes) -> tuple[Any, Any, Any]:
    """Return Arrow's options to read, parse and convert the columns."""
    keys = pa.dictionary(pa.int32(), pa.string())
    types = {
        "key": pa.string(), "brief": pa.string(), "names": keys, "text": pa.string(), "number": pa.float64(),
        "whole": pa.int32(), "long": pa.int64(),
    }  # fmt: skip
    # One block per part: each part is parsed by one thread.
    reading = csv.ReadOptions(
        column_names=[f"c{position}" for position in range(width)], block_size=2 * sizes.part, use_threads=False
    )
    conversion = csv.ConvertOptions(
        column_types={f"c{column.place}": types[column.kind] for column in wanted},
        include_columns=[f"c{column.place}" for column in wanted],
        null_values=[],
    )
    return reading, csv.ParseOptions(delimiter=delimiter, quote_char=False), conversion


def _parse(reading: Any, parsing: Any, conversion: Any, part: bytes | bytearray, size: int, first: bool) -> Any:
    """Return the table of the first ``size`` bytes of a part. Raises ArrowInvalid."""
    try:
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(part).slice(0, size)), reading, parsing, conversion,
            memory_pool=parsed_memory(),
        )  # fmt: skip
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error) and not first:  # only blank lines
            return pa.table({})
        raise


FIRST_PART = 1 << 20
"""Bytes of the first part; each next one has twice as many, until they have the full size."""


class _Parts:
    """A stream in parts of whole lines, each in a buffer of its own, or in one that was given back.

    The first are smaller, so that a small file takes no buffer of the full size; or the first has ``size`` bytes."""

    def __init__(self, source: Watched, size: int = FIRST_PART) -> None:
        self._source = source
        self._size = min(size, source.sizes.part)
        self._rest = b""
        self._ended = False
        self._given_back: list[bytearray] = []  # of the full size

    def next(self) -> tuple[bytearray, int]:
        """Return a part and the number of its bytes; 0 at the end, or if the source is irregular."""
        source, rest = self._source, self._rest
        if self._ended or source.irregular:
            return bytearray(0), 0
        part = self._given_back.pop() if self._given_back else bytearray(self._size)
        self._size = min(2 * self._size, source.sizes.part)
        part[: len(rest)] = rest
        stop = source.fill(part, len(rest))
        self._ended = stop < len(part)
        cut = stop if self._ended else part.rfind(b"\n", 0, stop) + 1
        if stop and not cut:
            source.irregular = True  # a line of megabytes
        self._rest = bytes(memoryview(part)[cut:stop])
        return part, 0 if source.irregular else cut

    def give_back(self, part: bytearray) -> None:
        """Use the buffer of a part that was parsed for a later one, unless something, as Arrow might, still refers to
        its bytes."""
        if len(part) == self._source.sizes.part:
            with suppress(BufferError):
                part.append(part.pop())  # Python refuses this for bytes that are referred to
                self._given_back.append(part)
