"""Blocks of a text file whose lines begin with the query: byte ranges that end where another query begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.choice import choose
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Head, Wanted
from irviewer.formats.names import name_of
from irviewer.formats.reading.columns import Column, Columns, read_columns
from irviewer.formats.reading.opener import Opened, changed, open_bytes
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.formats.rows import Listed, Rows, from_ranks, made
from irviewer.formats.trec import formats as trec
from irviewer.formats.trec import three_columns
from irviewer.formats.trec.run import SHAPE, parse_run
from irviewer.model.arrays import Floats, places_of, strings
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.run import Run
from irviewer.translation import tr

Read = TypeVar("Read", Run, Listed)
FORMATS = (trec.FORMAT, three_columns.FORMAT)
"""The formats whose lines begin with the query."""
SIZE = 16 << 20
"""Bytes of a block: it ends with the query that reaches so far."""
_LOOK = 64 << 10
"""Bytes in which the border between two queries is searched first."""
_MOST_PART = 512 << 20
"""Bytes that Arrow parses at a time, for a query that is larger than a block."""


@dataclass(frozen=True)
class TextFormat:
    """How the lines of a file are read: a format whose first column is the query.

    width  6 columns, 5 without the tag, 4: query document rank score, 3: query document and a number
    ranks  the number of 3 columns is a rank, by the first lines of the file, and else a score"""

    path: str
    name: str
    duplicates: DuplicatePolicy
    width: int
    ranks: bool

    def read(self, opened: Opened) -> Run:
        """Return the run of some lines. Raises ParseError."""
        if self.width > 4:
            return parse_run(
                opened, name=self.name, duplicates=self.duplicates, tagless=self.width == 5, account=False, late=True
            )[0]  # fmt: skip
        columns, values = self._columns(opened)
        query_ids, codes = columns.brief["query"]
        if self.ranks:
            three_columns.refuse_grades(opened, codes, values, columns.row_lines)
            values, _ = from_ranks(three_columns.whole_ranks(opened, values, columns.row_lines))
        rows = Rows(query_ids, codes, columns.texts["document"], values, columns.row_lines, by_line=True)
        wanted = Wanted("run", name=self.name, duplicates=self.duplicates, account=False, late=True)
        run = made(opened, rows, wanted, "").value
        assert isinstance(run, Run)
        return run

    def listed(self, opened: Opened) -> Listed:
        """Return the rows of some lines in their order, not ranked. Raises ParseError."""
        columns, values = self._columns(opened)
        query_ids, codes = columns.brief["query"]
        if self.ranks:
            values = (-three_columns.whole_ranks(opened, values, columns.row_lines)).astype(np.float64)
        queries = pa.DictionaryArray.from_arrays(places_of(codes), strings(query_ids))
        return Listed(queries, plain_column(columns.texts["document"]), values)

    def _columns(self, opened: Opened) -> tuple[Columns, Floats]:
        name, number = "rank" if self.ranks else "score", {3: 2, 4: 3}.get(self.width, 4)
        wanted = (Column("query", 0, "brief"), Column("document", 2 if self.width > 4 else 1, "text"),
                  Column(name, number, "number"))  # fmt: skip
        columns = read_columns(opened, wanted, self.width, three_columns.RUNS.get(self.width, SHAPE))
        return columns, columns.numbers[name]


@dataclass(frozen=True)
class TextBlock:
    """The lines of some queries of a text file, from byte ``start`` to ``stop`` of its text.

    data   the bytes, if the file cannot be read from a byte on; None: they are read when they are needed
    line   the number of its first line, if it is known
    size   of the whole text, about
    state  the size and the time of the file when it was opened; it must not change"""

    format: TextFormat
    start: int
    stop: int
    size: int
    state: tuple[int, int]
    data: bytes | None = None
    line: int = 0

    @property
    def share(self) -> float:
        """The share of the file that ends with this block."""
        return min(1.0, self.stop / max(1, self.size))

    def read(self) -> Run:
        """Return the queries of the block. Raises ParseError with the line in the file."""
        return self._read_by(self.format.read)

    def listed(self) -> Listed:
        """Return the rows of the block in the order of the file, not ranked. Raises as ``read``."""
        return self._read_by(self.format.listed)

    def _read_by(self, read: Callable[[Opened], Read]) -> Read:
        data = self._bytes()
        try:
            return read(self._opened(data, 1))
        except ParseError:
            # Only for a fault are the lines before the block counted.
            return read(self._opened(data, self._first_line()))

    def finder(self) -> Callable[[str], str]:
        """Return what says where a query of the block begins, without the bytes of the block."""
        if self.data is None:
            return self._place_of
        return partial(_place_in_stream, self.format.path, self.start, self.stop, self.line, self.state)

    def _place_of(self, query: str) -> str:
        """Return the file and the line where a query of the block begins."""
        line = self._first_line() + _lines_until(query, self._bytes())
        return tr("{file}, line {line:,}", file=self.format.path, line=line)

    def _first_line(self) -> int:
        return self.line or 1 + _lines_before(self.format.path, self.start)

    def _bytes(self) -> bytes:
        if self.data is not None:
            return self.data
        path = self.format.path
        try:
            with Path(path).open("rb") as file:
                file.seek(self.start)
                data = file.read(self.stop - self.start)
            state = file_state(path)
        except OSError as error:
            reason = tr("the file cannot be read: {reason}", reason=error.strerror or error)
            raise ParseError(path, reason) from error
        if state != self.state or len(data) < self.stop - self.start:
            raise changed(path)
        return data

    def _opened(self, data: bytes, first_line: int) -> Opened:
        if not data.isascii():
            _refuse_other_encodings(self.format.path, data, first_line)
        # One part, since other blocks are parsed at the same time.
        whole = min(len(data) + 1, _MOST_PART)
        sizes = replace(SIZES, part=whole, alone=whole)
        opened = Opened(self.format.path, data, "", "utf-8", sizes)
        opened.first_line = first_line
        return opened


def _refuse_other_encodings(path: str, data: bytes, first_line: int) -> None:
    """Raise ParseError unless the bytes are UTF-8: whether a file has another encoding is known at its end only."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise ParseError(
            path, tr("the bytes are not UTF-8, which a run that is read in blocks must be"), line=line,
            hint=tr("convert it, as with iconv -f latin1 -t utf-8"),
        ) from error  # fmt: skip


def text_blocks(
    path: str | Path, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse", size: int = SIZE,
    sizes: Sizes = SIZES,
) -> Iterator[TextBlock]:  # fmt: skip
    """Yield the blocks of a text file, compressed or not, of ``size`` bytes or a little more: TREC's six columns, five
    without the tag, MS MARCO's four, or ``query document`` and a rank or a score. They can be read in any order and
    process, unless the file is compressed: then each holds its bytes.

    A query whose lines are apart is in several blocks, which :func:`irviewer.evaluation.blocks.evaluate_blocks` finds.
    Raises ParseError for a file that cannot be read in blocks."""
    opened, form = text_format(path, name, duplicates, sizes)
    state = file_state(str(path))
    if is_plain(opened):
        yield from ranges(form, state, size, opened.skip, state[0])
    else:
        yield from _of_stream(opened, form, state, size)


def is_plain(opened: Opened) -> bool:
    """Return whether a text can be read from any byte on: a file that is not compressed."""
    return not (opened.in_memory or opened.compression)


def text_format(
    path: str | Path, name: str | None, duplicates: DuplicatePolicy, sizes: Sizes = SIZES
) -> tuple[Opened, TextFormat]:
    """Return an opened text and how its lines are read. Raises ParseError for a file that cannot be read in blocks."""
    opened = open_bytes(path, sizes)
    if opened.binary:
        raise ParseError(str(path), tr("this is a binary file, not lines of text"))
    head = Head(opened)
    chosen, _ = choose(head, "run")
    if chosen not in FORMATS:
        raise ParseError(
            str(path), tr("{format} files are not read in blocks", format=chosen.title),
            hint=tr("convert it to a TREC run or to Parquet, as with irviewer convert"),
        )  # fmt: skip
    width = 5 if trec.is_tagless(head) else 6
    if chosen is three_columns.FORMAT:
        width = 4 if len(head.columns[0]) == 4 else 3
    ranks = width == 3 and three_columns.has_ranks(head)
    return opened, TextFormat(str(path), name or name_of(str(path)), duplicates, width, ranks)


def ranges(form: TextFormat, state: tuple[int, int], size: int, start: int, end: int) -> Iterator[TextBlock]:
    """Yield the blocks of a plain file between two borders. Only the lines around their borders are read."""
    with Path(form.path).open("rb", buffering=0) as file:
        while start < end:
            stop = border_after(file, start + size, state[0]) if start + size < end else end
            yield TextBlock(form, start, min(stop, end), state[0], state)
            start = stop


def border_after(file: FileIO, place: int, total: int) -> int:
    """Return where the first line of a query begins that comes after the line at a byte, or as that line; ``total``,
    the length of the file, if there is none. It depends on the place alone."""
    look = _LOOK
    while place < total:
        file.seek(place - 1)
        text = file.read(look)
        ended = len(text) < look  # also of a file that became shorter
        border = border_in(text, ended=ended)
        if border:
            return place - 1 + border
        if ended:
            break
        look *= 4
    return total


def _of_stream(opened: Opened, form: TextFormat, state: tuple[int, int], size: int) -> Iterator[TextBlock]:
    """Yield the blocks of a text that is read from its beginning."""
    total = max(1, opened.likely_size)
    start, line, rest, ended = 0, 1, b"", False
    try:
        with closing(opened.stream()) as stream:
            while rest or not ended:
                data, ended = _filled(stream, rest, size + _LOOK)
                border = border_in(data[size - 1 :], ended=ended)
                while not border and not ended:
                    data, ended = _filled(stream, data, 2 * len(data))
                    border = border_in(data[size - 1 :], ended=ended)
                stop = size - 1 + border if border else len(data)
                own, rest = data[:stop], data[stop:]
                if own:
                    yield TextBlock(form, start, start + stop, total, state, own, line)
                start += stop
                line += own.count(b"\n")
    except BROKEN:
        assert opened.data is not None  # raises the ParseError
        raise


def _filled(stream: Any, data: bytes, wanted: int) -> tuple[bytes, bool]:
    """Return the bytes with more of the stream, ``wanted`` or more in all unless it ends; and whether it has."""
    pieces, length = [data], len(data)
    while length < wanted:
        piece = stream.read(wanted - length)
        if not piece:
            return b"".join(pieces), True
        pieces.append(piece)
        length += len(piece)
    return b"".join(pieces), False


def border_in(text: bytes, *, ended: bool) -> int:
    """Return where in a text, of which a first line may be cut, the first line begins that has another query than the
    line before; 0 if there is none. ``ended``: no text follows."""
    start = text.find(b"\n") + 1
    if not start:
        return 0
    former: bytes | None = None
    while start < len(text):
        stop = text.find(b"\n", start)
        if stop < 0:
            if not ended:
                return 0
            stop = len(text)
        query = _query_of(text[start:stop])
        if query and query != former:
            if former is not None:
                return start
            former = query
            # To the first line that does not begin with the query: a pattern passes a thousand lines at once.
            same = re.compile(rb"(?:%b[ \t][^\n]*+\n)*+" % re.escape(query)).match(text, start)
            assert same is not None
            start = max(same.end(), stop + 1)
            continue
        start = stop + 1
    return 0


def _query_of(line: bytes) -> bytes:
    """Return the first word of a line; none for a blank line and a comment."""
    words = line.split(None, 1)
    return words[0] if words and not line.startswith(b"#") else b""


def _lines_until(query: str, data: bytes) -> int:
    """Return the number of lines before the first of a query."""
    wanted = query.encode("utf-8", "surrogateescape")
    return next((number for number, line in enumerate(data.split(b"\n")) if _query_of(line) == wanted), 0)


def _place_in_stream(path: str, start: int, stop: int, line: int, state: tuple[int, int], query: str) -> str:
    """Return the file and the line where a query begins in a text that can be read from its beginning only: ``line`` is
    that of byte ``start``. Of a file that is gone or changed, the line from which on it is."""
    with suppress(ParseError, *BROKEN):
        if file_state(path) == state != (0, 0):
            with closing(open_bytes(path).stream()) as stream:
                while start and (skipped := len(stream.read(min(start, 1 << 20)))):
                    start, stop = start - skipped, stop - skipped
                data, _ = _filled(stream, b"", stop - start)
            return tr("{file}, line {line:,}", file=path, line=line + _lines_until(query, data))
    return tr("{file}, from line {line:,}", file=path, line=line)


def _lines_before(path: str, start: int) -> int:
    """Return the number of lines before a byte of a file."""
    count, left = 0, start
    with Path(path).open("rb", buffering=0) as stream:
        while left and (block := stream.read(min(left, 1 << 20))):
            count += block.count(b"\n")
            left -= len(block)
    return count


def file_state(path: str) -> tuple[int, int]:
    """Return the size and the time of a file, zeros for a pipe that is gone."""
    with suppress(OSError):
        about = Path(path).stat()
        return about.st_size, about.st_mtime_ns
    return 0, 0


def refuse_changed(path: str, state: tuple[int, int]) -> None:
    """Raise ParseError if a file has another state than before."""
    if file_state(path) != state:
        raise changed(path)
