"""The reader of ``{query: {document: number}}`` in parts, so that a large file is never in memory as objects or text.

A part is some members, whole or cut between two documents. If its strings have no escapes and no structural characters,
its structure is checked with arrays and Arrow reads the numbers (half the time of parsing: 7 million documents take 4
against 9 s of CPU); other parts are parsed as JSON. Files that neither can read are left to the reader of whole files,
which knows the place of every fault (25 s)."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from irviewer.formats.reading.column_builders import Growing, Texts
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.sizes import Sizes
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.model.arrays import Bools, Floats, Ints, Ranks, Strings, values_of

_SPACES = b" \t\r\n"
_QUOTE, _COMMA, _COLON, _OPEN, _CLOSE, _ZERO, _NINE, _MINUS = b'",:{}09-'


_SHAPES = bytes.maketrans(_SPACES + b"123456789+-.eE", b"    " + b"0" * 14)


@dataclass(frozen=True, eq=False)
class MapColumns:
    """The content of a map of maps: queries in order of appearance, and one row per document; ``codes`` int32[n]."""

    query_ids: tuple[str, ...]
    codes: Ranks
    doc_ids: Strings
    values: Floats


@dataclass(frozen=True)
class _Part:
    """Members of the outer object without its braces. ``inside``: the first documents belong to the query of the part
    before; ``cut``: the last query continues in the next part."""

    text: bytes
    inside: bool
    cut: bool
    size: int


@dataclass(frozen=True, eq=False)
class _Parsed:
    """The queries of a part ("" for the query of the part before), their numbers of documents, and the documents."""

    queries: list[str]
    counts: Ints
    doc_ids: Strings
    values: Floats
    ascii: bool


class _IrregularError(Exception):
    """The file is not suitable for this reader."""


def read_maps(opened: Opened) -> MapColumns | None:
    """Return the columns; None if the file is not such a map or needs the reader of whole files."""
    query_codes: dict[str, int] = {}
    codes, documents, numbers = Growing(np.int32), Texts(opened.sizes.column), Growing(np.float64)
    n = done = last = 0
    is_ascii = True
    try:
        with closing(opened.stream()) as stream:
            for part, parsed in _in_turn(stream, opened.sizes):
                new_queries = parsed.queries[1:] if part.inside else parsed.queries
                own_codes = [last] * part.inside + [
                    query_codes.setdefault(query, len(query_codes)) for query in new_queries
                ]
                last = own_codes[-1] if own_codes else last
                done += part.size
                share = min(1.0, done / max(1, opened.likely_size))
                if not documents.add(parsed.doc_ids, n, share):
                    return None
                numbers.put(parsed.values, n, share)
                codes.put(np.repeat(np.array(own_codes, np.int32), parsed.counts), n, share)
                n += len(parsed.values)
                is_ascii = is_ascii and parsed.ascii
    except (_IrregularError, *BROKEN):
        return None
    opened.note_encoding("ascii" if is_ascii else "utf-8")
    return MapColumns(tuple(query_codes), codes.done(n), documents.done(n), numbers.done(n))


# --- parts ---


def _in_turn(stream: Any, sizes: Sizes) -> Iterator[tuple[_Part, _Parsed]]:
    """Yield the parts and their content; threads parse parts ahead of the caller."""
    thread_count = min(2, sizes.parsers)  # much of the work is Python code, which runs in one thread at a time
    with ThreadPoolExecutor(thread_count) as pool:
        waiting: deque[tuple[_Part, Future[_Parsed]]] = deque()
        for part in _parts(stream, sizes):
            waiting.append((part, pool.submit(_parsed, part)))
            if len(waiting) > thread_count:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()


def _parts(stream: Any, sizes: Sizes) -> Iterator[_Part]:
    rest, begun, inside, some = b"", False, False, False
    while block := stream.read(sizes.maps):
        if len(rest) > sizes.uncut:
            raise _IrregularError  # joining it with each part would take very long
        rest += block
        if not begun:
            rest = rest.lstrip(_SPACES)
            if rest[:1] not in (b"", b"{"):
                raise _IrregularError
            begun, rest = bool(rest), rest[1:]
        stop = _cut(rest)
        if stop:
            text = rest[:stop].strip(_SPACES)
            cut = not text.endswith(b"}")
            yield _Part(text, inside, cut, stop)
            rest, inside, some = rest[stop + 1 :], cut, True
    text = rest.rstrip(_SPACES)
    if not begun or not text.endswith(b"}"):
        raise _IrregularError
    text = text[:-1].strip(_SPACES)
    if some and not text:  # the last comma is not followed by a member
        raise _IrregularError
    yield _Part(text, inside, False, len(rest))


def _cut(text: bytes) -> int:
    """Return where the text can be cut: at a comma after a query, else after a document; 0 if nowhere."""
    stop = text.rfind(b"},") + 1
    for _ in range(8):
        stop = stop or text.rfind(b",")
        if (
            stop <= 0 or b"\\" in text or not text.count(b'"', 0, stop) % 2
        ):  # text with escapes is cut by guess and parsed
            return max(stop, 0)
        stop = text.rfind(b",", 0, stop)  # that comma is part of an id
    raise _IrregularError


# --- one part ---


def _parsed(part: _Part) -> _Parsed:
    if not part.text:  # {}
        return _Parsed([], np.zeros(0, np.int64), pa.array([], pa.string()), np.zeros(0), ascii=True)
    if (part.inside and not part.text.startswith(b'"')) or (part.cut and part.text.endswith(b"{")):
        raise _IrregularError  # a comma without a document
    text = (b'"":{' if part.inside else b"") + part.text + (b"}" if part.cut else b"")
    by_arrays = None if b"\\" in text else _by_arrays(text)
    return by_arrays or _by_json(text)


def _by_arrays(text: bytes) -> _Parsed | None:
    """Parse a part without escapes, whose strings have no white space and none of ``{},``; None for other parts."""
    lean = text.translate(None, _SPACES)
    signs = np.frombuffer(lean, np.uint8)
    quotes = np.flatnonzero(signs == _QUOTE)
    opens, closes = quotes[::2], quotes[1::2]
    if signs.min() < 32 or len(opens) != len(closes) or not len(opens) or closes[-1] + 3 >= len(signs):
        return None
    if len(lean) < len(text):
        before = np.flatnonzero(np.frombuffer(text, np.uint8) == _QUOTE)
        if int((before[1::2] - before[::2]).sum()) != int((closes - opens).sum()) or _has_parted_numbers(text):
            return None  # white space is part of a string, and a fault in a number
    is_query = signs[closes + 2] == _OPEN
    if not _is_structure(lean, signs, opens, closes, is_query):
        return None
    table = csv.read_csv(
        pa.BufferReader(lean.translate(None, b"{},").replace(b'":', b"\t").replace(b'"', b"\n")),
        csv.ReadOptions(column_names=["id", "number"], block_size=len(text) + 1024, use_threads=False),
        csv.ParseOptions(delimiter="\t", quote_char=False),
        csv.ConvertOptions(
            column_types={"id": pa.string(), "number": pa.float64()}, null_values=[""], strings_can_be_null=False
        ),
        memory_pool=pa.system_memory_pool(),
    )
    if table.num_rows != len(opens) or table.column(0).num_chunks != 1:
        return None
    ids, numbers = table.column(0).chunk(0), table.column(1).chunk(0)
    values = values_of(numbers)[~is_query]
    if not np.isfinite(values).all():  # too large for a double, or a word, which the parser reports
        return None
    rows = np.flatnonzero(is_query)
    counts = np.diff(np.append(rows, len(is_query))) - 1
    mask = pa.Array.from_buffers(
        pa.bool_(), len(is_query), [None, pa.py_buffer(np.packbits(~is_query, bitorder="little"))]
    )
    return _Parsed([ids[row].as_py() for row in rows.tolist()], counts, ids.filter(mask), values, signs.max() < 128)


def _is_structure(lean: bytes, signs: Any, opens: Ints, closes: Ints, is_query: Bools) -> bool:
    """Return True if braces, commas and colons are exactly where they must be between the strings, and numbers begin
    and end correctly."""
    former, latter = is_query[:-1], is_query[1:]
    before, gap = signs[opens[1:] - 1], opens[1:] - closes[:-1]
    braced = signs[opens[1:] - 2] == _CLOSE
    first_document, empty = former & ~latter, former & latter
    right = (
        bool(is_query[0])
        and opens[0] == 0
        and bool(np.all(signs[closes + 1] == _COLON))
        and bool(np.all(gap[first_document] == 3))
        and bool(np.all(gap[empty] == 5))
        and bool(np.all(before[~first_document] == _COMMA))
        and bool(np.all(braced[latter]))
        and signs[-1] == _CLOSE
        and (not is_query[-1] or closes[-1] + 4 == len(signs))
    )
    queries = int(is_query.sum())
    if (
        not right
        or (lean.count(b"{"), lean.count(b"}")) != (queries, queries)
        or lean.count(b",") != len(opens) - 1 - int(first_document.sum())
        or lean.count(b'":') != len(opens)
    ):
        return False
    document = ~is_query
    ends = np.append(opens[1:] - 1 - latter, len(signs) - 1)[document]
    starts = (closes + 2)[document]
    starts += signs[starts] == _MINUS
    first, second = signs[starts], signs[np.minimum(starts + 1, len(signs) - 1)]
    return bool(
        np.all(_digits(first))
        and np.all(_digits(signs[ends - 1]))
        and not np.any((first == _ZERO) & _digits(second))
        and np.all(ends > starts)
    )


def _has_parted_numbers(text: bytes) -> bool:
    """Return True if there is white space between two characters of numbers."""
    shape = text.translate(_SHAPES)
    if b"0 " not in shape:
        return False
    while b"  " in shape:  # halves the runs of spaces
        shape = shape.replace(b"  ", b" ")
    return b"0 0" in shape


def _digits(signs: Any) -> Any:
    return (signs >= _ZERO) & (signs <= _NINE)


class _ObjectPairs(list[tuple[str, Any]]):
    """The members of an object, with repeated keys."""


def _by_json(text: bytes) -> _Parsed:
    """Parse any part as JSON. Raises one of BROKEN, or _IrregularError."""
    try:
        outer = json.loads(b"{" + text + b"}", object_pairs_hook=_ObjectPairs)
    except RecursionError as error:
        raise _IrregularError from error
    if not all(isinstance(inner, _ObjectPairs) for _, inner in outer):
        raise _IrregularError
    queries = [query for query, _ in outer]
    values = [value for _, inner in outer for _, value in inner]
    if not all(type(value) in (float, int) for value in values):
        raise _IrregularError
    "".join(queries).encode()  # half a character raises ValueError, as in Arrow
    try:
        numbers = np.array(values, np.float64)
    except OverflowError as error:
        raise _IrregularError from error
    documents = pa.array([document for _, inner in outer for document, _ in inner], pa.string())
    counts = np.array([len(inner) for _, inner in outer], np.int64)
    return _Parsed(queries, counts, documents, numbers, text.isascii())
