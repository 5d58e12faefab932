"""Columns of a regular file: every line the same columns, parted by one sign. Arrow reads it, part by part.

What is wanted is copied to where it stays, all else is given up at once, and the file's bytes are never
held together. Memory that is touched for the first time is what costs here, more than the reading."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from irviewer.formats.reading.column_builders import Keys, Names, gather_as
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.model.arrays import Codes, Floats, Ints, Ranks, Strings

WHOLE = ("whole", "long")


@dataclass(frozen=True)
class Column:
    """One wanted column: "key" (few distinct ids: codes and their names), "brief" (the same in 32 bits), "names" (the
    names only), "text", "filled" (must not be empty, is not kept), "number", or "whole" (an integer that nobody depends
    on, dropped where it does not parse; "long" is one of 64 bits)."""

    name: str
    place: int
    kind: str


@dataclass(frozen=True, eq=False)
class Columns:
    """What was read.

    keys       name -> (names in order of appearance, int64 codes)
    brief      the same with int32 codes, none where the names alone were wanted
    texts, numbers, wholes   by name; a "whole" that did not parse is absent
    comments   the ``#`` lines without their sign
    extra      how many rows had more columns
    row_lines  the line number of each row where the careful reader ran, else None
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
    """A stream of bytes that is ``irregular`` from where Arrow would take something for what it is not: white space
    beside the delimiter, a carriage return alone, bytes that are not UTF-8, a stream that breaks. White space may stand
    in ``cells`` that are parted by another sign."""

    def __init__(self, stream: Any, skip: int, delimiter: str, *, cells: bool = False, sizes: Sizes = SIZES) -> None:
        self.sizes = sizes
        self.irregular = False
        self.ascii = True
        self._stream = stream
        self._others = [sign for sign in (b" ", b"\t", b"\f", b"\v") if sign != delimiter.encode() and not cells]
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._return = False  # the last byte was a carriage return
        if skip:
            stream.read(skip)

    def fill(self, into: bytearray, start: int) -> int:
        """Read until ``into`` is full from ``start`` on, or the stream ends; where what was read ends."""
        stop = start
        try:
            with memoryview(into) as view:
                while stop < len(into) and (got := self._stream.readinto(view[stop:])):
                    stop += got
            self.irregular = not self._is_regular(into, start, stop)
        except BROKEN:
            self.irregular = True
        return stop

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def _is_regular(self, block: bytearray, start: int, stop: int) -> bool:
        ended = stop < len(block)
        if start < stop and np.frombuffer(block, np.uint8, stop - start, start).max() > 127:
            self.ascii = False
        if not self.ascii:
            step = self.sizes.decoded
            for place in range(start, stop, step):
                self._decoder.decode(block[place : min(place + step, stop)])  # UnicodeDecodeError is one of BROKEN
            if ended:
                self._decoder.decode(b"", final=True)
        if any(block.find(sign, start, stop) >= 0 for sign in self._others):
            return False
        if self._return and not block.startswith(b"\n", start, stop):
            return False
        self._return = block.endswith(b"\r", start, stop) and not ended
        returns = block.count(b"\r", start, stop) - self._return
        return not returns or returns == block.count(b"\r\n", start, stop)


def read_regular(source: Watched, wanted: Sequence[Column], width: int, delimiter: str, size: int) -> Columns | None:
    """The columns of about ``size`` bytes without the comments, or None where anything at all is irregular.

    Raises NotWholeError."""
    gathered = {one: gather_as(one.kind, source.sizes.column) for one in wanted}
    n = 0
    try:
        for batch, done in batches(source, partial(_parse, *_how(wanted, width, delimiter, source.sizes))):
            share = min(1.0, done / max(1, size))
            for place, gatherer in enumerate(gathered.values()):
                column = batch.column(place)
                if column.null_count or not gatherer.add(column, n, share):
                    return None
            n += batch.num_rows
    except pa.ArrowInvalid as error:
        if any(one.kind in WHOLE and f"column #{one.place}:" in str(error) for one in wanted):
            raise NotWholeError from error
        return None
    if source.irregular:
        return None
    keys: dict[str, tuple[tuple[str, ...], Ints]] = {}
    brief: dict[str, tuple[tuple[str, ...], Ranks]] = {}
    columns: dict[str, dict[str, Any]] = {"text": {}, "filled": {}, "number": {}, "whole": {}, "long": {}}
    for one, gatherer in gathered.items():
        if isinstance(gatherer, Keys | Names):
            names = tuple(gatherer.names)
            # An empty name is a doubled delimiter; a "#" was a comment that happened to have as many words.
            if "" in gatherer.names or (one.place == 0 and any(name.startswith("#") for name in names)):
                return None
            if one.kind == "key":
                keys[one.name] = names, gatherer.done(n).astype(np.int64)
            else:
                brief[one.name] = names, gatherer.done(n)
        else:
            columns[one.kind][one.name] = gatherer.done(n)
    return Columns(n, keys, brief, columns["text"], columns["number"], columns["whole"] | columns["long"], (), 0)


class NotWholeError(Exception):
    """A "whole" column holds something else than integers of its width."""


def batches(source: Watched, parse: Callable[[bytearray, int, bool], Any]) -> Iterator[tuple[Any, int]]:
    """The rows as Arrow's batches, some at a time, and how many bytes were read with them. ``parse`` makes the table of
    the first bytes of a part, so many, and knows whether it is the file's first.

    One thread reads, some parse a part each, and whoever asks here keeps what was parsed, all at the same time."""
    done, most = 0, source.sizes.parsers
    parts = _Parts(source)
    with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(most) as parsers:
        waiting: deque[tuple[Future[Any], int]] = deque()
        filling: Future[Any] | None = reader.submit(parts.next)
        while filling is not None or waiting:
            if filling is not None and len(waiting) <= most:
                part, size = filling.result()
                filling = reader.submit(parts.next) if size else None
                if size:
                    waiting.append((parsers.submit(parse, part, size, not done and not waiting), size))
                continue
            table, size = waiting.popleft()
            found = table.result().to_batches()
            for number, batch in enumerate(found, start=1):
                yield batch, done + size * number // len(found)
            done += size


def _how(wanted: Sequence[Column], width: int, delimiter: str, sizes: Sizes) -> tuple[Any, Any, Any]:
    """What Arrow is told of the columns."""
    keys = pa.dictionary(pa.int32(), pa.string())
    types = {
        "key": keys, "brief": keys, "names": keys, "text": pa.string(), "filled": pa.binary(), "number": pa.float64(),
        "whole": pa.int32(), "long": pa.int64(),
    }  # fmt: skip
    # One block a part: a part is parsed by one thread, and other parts by others.
    reading = csv.ReadOptions(
        column_names=[f"c{place}" for place in range(width)], block_size=2 * sizes.part, use_threads=False
    )
    conversion = csv.ConvertOptions(
        column_types={f"c{one.place}": types[one.kind] for one in wanted},
        include_columns=[f"c{one.place}" for one in wanted],
        null_values=[],
    )
    return reading, csv.ParseOptions(delimiter=delimiter, quote_char=False), conversion


def _parse(reading: Any, parsing: Any, conversion: Any, part: bytearray, size: int, first: bool) -> Any:
    """The table of the first ``size`` bytes of a part. Raises ArrowInvalid."""
    # What one part needed is given up before the next: malloc hands the same memory out again, while Arrow's own pool
    # asks the system for it anew.
    pool = pa.system_memory_pool()
    try:
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(part).slice(0, size)), reading, parsing, conversion, memory_pool=pool
        )
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error) and not first:  # nothing but blank lines
            return pa.table({})
        raise


class _Parts:
    """A stream in parts that end with a line, each in a place of its own: Arrow has seen it, nobody writes there."""

    def __init__(self, source: Watched) -> None:
        self._source = source
        self._rest = b""
        self._ended = False

    def next(self) -> tuple[bytearray, int]:
        """A part and how many bytes of it are meant; 0 at the end, or where the source is irregular."""
        source, rest = self._source, self._rest
        if self._ended or source.irregular:
            return bytearray(0), 0
        part = bytearray(source.sizes.part)
        part[: len(rest)] = rest
        stop = source.fill(part, len(rest))
        self._ended = stop < len(part)
        cut = stop if self._ended else part.rfind(b"\n", 0, stop) + 1
        if stop and not cut:
            source.irregular = True  # a line of megabytes
        self._rest = bytes(memoryview(part)[cut:stop])
        return part, 0 if source.irregular else cut
