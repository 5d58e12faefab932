"""Blocks of tables that are too large for memory: Parquet and Arrow files, data sets, and frames that come one by one.

The tables are cut and joined where another query begins, so that the borders of files, row groups and frames within a
table mean nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import ColumnsError, IrviewerError, OptionError, ParseError, printable
from irviewer.formats.blocks.text_blocks import file_state, refuse_changed
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.mapping_file import columns_beside
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import BINARY, Opened
from irviewer.formats.rows import Listed, Rows, made
from irviewer.formats.tables.table_rows import Table, id_texts, listed_rows, names_shown, table_rows
from irviewer.formats.tables.table_texts import column_hint
from irviewer.model.arrays import values_of
from irviewer.model.column_names import ColumnChoice, Roles, roles_of
from irviewer.model.exchange.arrow_types import is_whole, plain_column
from irviewer.model.run import Run
from irviewer.translation import tr

ROWS = 1 << 17
"""Rows of a block: it ends with the query that reaches so far."""
_BUFFER = 1 << 20
"""Bytes of a column of Parquet that are read at a time."""
_FAULTS = (pa.ArrowException, OSError, ValueError, IndexError, MemoryError)

Read = TypeVar("Read", Run, Listed)
Columns = TypeVar("Columns", Rows, Listed)
Reader = Callable[[Any], Run]
"""Makes a run of an Arrow table."""


@dataclass(frozen=True)
class TableBlock:
    """Some rows of a table, from ``start`` on, with all documents of their queries.

    place   the name of the table for messages
    query   the column of the queries
    state   the size and the time of its file before it was read; zeros for values"""

    table: Any
    start: int
    place: str
    query: str
    reader: Reader
    share: float = 0.0
    state: tuple[int, int] = (0, 0)

    def read(self) -> Run:
        """Return the queries of the block. Raises IrviewerError with the rows of the block."""
        return self._read_by(self.reader)

    def listed(self) -> Listed:
        """Return the rows of the block of a file in their order, not ranked. Raises as ``read``."""
        assert isinstance(self.reader, FileReader)
        return self._read_by(self.reader.listed)

    def _read_by(self, read: Callable[[Any], Read]) -> Read:
        try:
            return read(self.table)
        except ParseError as error:
            raise ParseError(self.place, self._within(error.reason), text=error.text, hint=error.hint) from error
        except IrviewerError as error:
            raise OptionError(f"{self.place}: {self._within(str(error))}") from error

    def finder(self) -> Callable[[str], str]:
        """Return what says where a query of the block begins, without the rows of the block."""
        file = self.place if isinstance(self.reader, FileReader) else ""
        return _Finder(file, self.place, self.start, self.start + self.table.num_rows, self.query)

    def _within(self, reason: str) -> str:
        first, last = self.start + 1, self.start + self.table.num_rows
        return tr("in the rows from {first:,} to {last:,}: {reason}", first=first, last=last, reason=reason)


def _place_in(column: Any, query: str, place: str, start: int) -> str:
    """Return the table, and the row where a query begins, from 1; ``start`` rows are before those of the column."""
    row = start + pc.index(id_texts(plain_column(column)), query).as_py() + 1
    return tr("{file}, row {row:,}", file=place, row=row)


@dataclass(frozen=True)
class _Finder:
    """Says where a query of a block is, whose rows it reads again; of a table that is no file, and of one that is gone,
    which rows the block has.

    file   the path; "" for values, which come once"""

    file: str
    place: str
    start: int
    stop: int
    query: str

    def __call__(self, query: str) -> str:
        if self.file:
            with suppress(*_FAULTS), closing(_TableFile(self.file)) as file:
                rows = file.rows_between([self.query], self.start, self.stop)
                return _place_in(rows[self.query], query, self.place, self.start)
        return tr("{file}, rows {first:,} to {last:,}", file=self.place, first=self.start + 1, last=self.stop)


def file_blocks(
    path: str | Path, *, name: str | None = None, columns: ColumnChoice | None = None,
    duplicates: DuplicatePolicy = "refuse", rows: int = ROWS, groups: tuple[int, int] | None = None,
    state: tuple[int, int] | None = None,
) -> Iterator[TableBlock]:  # fmt: skip
    """Yield the blocks of a Parquet or Arrow file, of ``rows`` rows or a little more. Raises ParseError for a damaged
    file, for columns of unknown names, and for a file that changes meanwhile.

    groups  the first of some row groups, and that after the last: only the queries that begin in these; None: all
    state   the state of the file that the groups are of; None: that of now"""
    own = str(path)
    state = state or file_state(own)
    try:
        with closing(_TableFile(own)) as file:
            roles = _roles(own, file, columns)
            wanted = _wanted(roles)
            reader = FileReader(own, replace(roles, rank=""), name or name_of(own), duplicates)
            start, batches = 0, file.batches(wanted, rows)
            if groups is not None:
                start, batches = _of_groups(file, roles.query, wanted, rows, *groups)
            tables = (pa.Table.from_batches([batch]) for batch in batches)
            for block in cut(tables, roles.query, own, reader, rows, file.rows, start):
                refuse_changed(own, state)
                yield replace(block, state=state)
    except _FAULTS as error:
        refuse_changed(own, state)  # then the fault may not be the file's
        raise _damaged(own, error) from error


def block_at(path: str, start: int, stop: int, state: tuple[int, int], *, name: str) -> TableBlock | None:
    """Return the rows of a Parquet or Arrow file in a state from ``start`` to ``stop``; None for a text. Only the row
    groups that have them are read. Raises ParseError for a damaged file, and for one in another state."""
    try:
        with Path(path).open("rb") as opened:
            if not opened.read(6).startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
                return None
        with closing(_TableFile(path)) as file:
            roles = _roles(path, file, None)
            reader = FileReader(path, replace(roles, rank=""), name, "refuse")
            table = file.rows_between(_wanted(roles), start, stop)
    except _FAULTS as error:
        refuse_changed(path, state)
        raise _damaged(path, error) from error
    refuse_changed(path, state)
    return TableBlock(table, start, path, roles.query, reader, state=state)


def _roles(path: str, file: _TableFile, columns: ColumnChoice | None) -> Roles:
    """Return what the columns of a run's file are, those beside it where none are given. Raises ColumnsError for
    unknown names."""
    columns = columns or columns_beside(path)
    names = [each for each in file.schema.names if file.schema.names.count(each) == 1]
    given = None if columns is None else columns.within(names)
    roles = roles_of(names, lambda each: is_whole(file.schema.field(each).type), "run", given=given)
    if roles is None:
        reason = tr(
            "the columns of the query, the document and the score or grade have unknown names: {columns}",
            columns=names_shown(file.schema.names),
        )
        raise ColumnsError(path, reason, hint=column_hint("run")).with_names(file.schema.names)
    return roles


def _wanted(roles: Roles) -> list[str]:
    return [each for each in (roles.query, roles.document, roles.value, roles.tag) if each]


def is_run_table(path: str) -> bool:
    """Return whether a Parquet or Arrow file has the columns of a run, by its schema alone."""
    try:
        with closing(_TableFile(path)) as file:
            names = [each for each in file.schema.names if file.schema.names.count(each) == 1]
            return roles_of(names, lambda each: is_whole(file.schema.field(each).type), "run") is not None
    except _FAULTS:
        return False


def row_groups(path: str, columns: ColumnChoice) -> int:
    """Return the number of parts of a Parquet or Arrow file that can be read alone, 1 for a stream. Its columns are
    noted in ``columns``. Raises ParseError."""
    try:
        with closing(_TableFile(path)) as file:
            columns.within(file.schema.names)
            return file.groups
    except _FAULTS as error:
        raise _damaged(path, error) from error


def _damaged(path: str, error: Exception) -> ParseError:
    reason = printable(" ".join(str(error).split()))[:200]
    return ParseError(
        path, tr("the table is damaged: {reason}", reason=reason), hint=tr("download or write the file again")
    )


def _of_groups(
    file: _TableFile, query: str, columns: list[str], rows: int, first: int, stop: int
) -> tuple[int, Iterator[Any]]:
    """Return the first row of the queries that begin in some row groups, and their rows: without those of a query that
    begins before, and with those of the last query that are in the groups that follow."""
    start, former = file.rows_before(first), None
    for group in range(first - 1, -1, -1):  # an empty group has no query
        for batch in file.batches([query], rows, range(group, group + 1)):
            former = batch[query][-1] if len(batch) else former
        if former is not None:
            break
    skipped, own = 0, iter(file.batches(columns, rows, range(first, stop)))
    held = next(own, None)
    while held is not None and former is not None:
        same = _leading(held[query], former)
        skipped += same
        held = held.slice(same) if same < len(held) else None
        if held is not None:
            break
        held = next(own, None)

    def batches() -> Iterator[Any]:
        last = held
        if last is None:
            return
        if len(last):
            yield last
        for batch in own:
            if len(batch):
                last = batch
                yield batch
        if not len(last):
            return
        query_id = last[query][-1]
        for group in range(stop, file.groups):
            for batch in file.batches(columns, rows, range(group, group + 1)):
                same = _leading(batch[query], query_id)
                if same:
                    yield batch.slice(0, same)
                if same < len(batch):
                    return

    return start + skipped, batches()


def _leading(column: Any, query: Any) -> int:
    """Return the number of rows at the beginning of a column that have a query."""
    other = values_of(pc.fill_null(pc.not_equal(plain_column(column), query), True))
    places = np.flatnonzero(other)
    return int(places[0]) if len(places) else len(other)


class _TableFile:
    """A Parquet file, an Arrow file or a stream, of which a batch is in memory at a time."""

    def __init__(self, path: str) -> None:
        from pyarrow import parquet

        with Path(path).open("rb") as file:
            begin = file.read(6)
        self._source = pa.OSFile(path)
        self._parquet: Any = None
        self._arrow: Any = None
        self._stream: Any = None
        self.rows = 0
        if begin.startswith(b"PAR1"):
            # Pages as they are needed: read before, the columns of all row groups are in memory until the end.
            self._parquet = parquet.ParquetFile(self._source, buffer_size=_BUFFER, pre_buffer=False)
            self.schema, self.rows = self._parquet.schema_arrow, self._parquet.metadata.num_rows
        elif begin == b"ARROW1":
            self._arrow = pa.ipc.open_file(self._source)
            self.schema = self._arrow.schema
        else:
            self._stream = pa.ipc.open_stream(self._source)
            self.schema = self._stream.schema

    @property
    def groups(self) -> int:
        """The number of parts that can be read alone: row groups, or batches of an Arrow file; 1 for a stream."""
        if self._parquet is not None:
            return int(self._parquet.num_row_groups)
        return 1 if self._arrow is None else int(self._arrow.num_record_batches)

    def rows_before(self, group: int) -> int:
        """Return the number of rows before a part."""
        if self._parquet is not None:
            return sum(self._parquet.metadata.row_group(each).num_rows for each in range(group))
        return sum(self._arrow.get_batch(each).num_rows for each in range(group)) if group else 0

    def batches(self, columns: list[str], rows: int, groups: range | None = None) -> Iterator[Any]:
        """Yield the columns of some of the parts, all by default, some rows at a time."""
        if self._parquet is not None:
            yield from self._parquet.iter_batches(rows, columns=columns, row_groups=groups)
            return
        file = self._arrow
        parts = range(self.groups) if groups is None else groups
        source = self._stream if file is None else map(file.get_batch, parts)
        for batch in source or ():
            batch.validate(full=True)  # a damaged file may point outside of itself
            chosen = batch.select(columns)
            for start in range(0, len(chosen), rows):
                yield chosen.slice(start, rows)

    def rows_between(self, columns: list[str], start: int, stop: int) -> Any:
        """Return the rows from ``start`` to ``stop``, of the parts that have them."""
        parts, before, groups = [], 0, None
        if self._parquet is not None:
            counts = [self._parquet.metadata.row_group(each).num_rows for each in range(self.groups)]
            first = int(np.searchsorted(np.cumsum(counts), start, side="right"))
            before, groups = sum(counts[:first]), range(first, self.groups)
        for batch in self.batches(columns, ROWS, groups):
            parts.append(batch.slice(max(0, start - before), max(0, stop - max(start, before))))
            before += len(batch)
            if before >= stop:
                break
        return pa.Table.from_batches(parts)

    def close(self) -> None:
        self._source.close()


@dataclass(frozen=True)
class FileReader:
    """Makes a run of rows as the readers of whole files do."""

    path: str
    roles: Roles
    name: str
    duplicates: DuplicatePolicy

    def __call__(self, table: Any) -> Run:
        run = made(self._opened, self._read(table, table_rows), self._wanted, "").value
        assert isinstance(run, Run)
        return run.renamed(self.name)

    @property
    def _opened(self) -> Opened:
        return Opened(self.path, b"", "", BINARY)

    @property
    def _wanted(self) -> Wanted:
        return Wanted("run", name=self.name, duplicates=self.duplicates, account=False, late=True)

    def listed(self, table: Any) -> Listed:
        """Return the rows of a table in their order. Raises ParseError."""
        return self._read(table, listed_rows)

    def _read(
        self, table: Any, read: Callable[[Opened, Table, Roles, Wanted], tuple[Columns, list[Finding]]]
    ) -> Columns:  # fmt: skip
        columns = Table({each: plain_column(table[each]) for each in table.column_names})
        rows, findings = read(self._opened, columns, self.roles, self._wanted)
        several = next((finding for finding in findings if finding.topic == "part"), None)
        if several is not None:
            raise ParseError(
                self.path, tr("the table has several runs ({names})", names=names_shown(list(several.names))),
                hint=tr("write each run to a file of its own"),
            )  # fmt: skip
        return rows


def cut(
    tables: Iterable[Any], query: str, place: str, reader: Reader, rows: int = ROWS, total: int = 0, start: int = 0
) -> Iterator[TableBlock]:
    """Yield blocks of ``rows`` rows or a little more of Arrow tables that follow each other; ``total`` is the number of
    all rows, if it is known, and ``start`` that of the rows before them."""
    waiting: list[Any] = []
    held = 0
    pieces = (table.slice(place, rows) for table in tables for place in range(0, table.num_rows, rows))
    for table in pieces:
        waiting.append(table)
        held += table.num_rows
        if held < rows:
            continue
        border = _last_border(table[query])
        if not border and len(waiting) > 1:
            # The table may begin with another query than the one before it ends with.
            last, first = waiting[-2][query][-1], table[query][0]
            if last == first:
                continue
        elif not border:
            continue
        rest = table.slice(border)
        whole = pa.concat_tables([*waiting[:-1], table.slice(0, border)])
        yield TableBlock(whole, start, place, query, reader, _share(start + whole.num_rows, total))
        start += whole.num_rows
        waiting, held = [rest], rest.num_rows
    if held:
        yield TableBlock(pa.concat_tables(waiting), start, place, query, reader, 1.0)


def _share(done: int, total: int) -> float:
    return min(1.0, done / total) if total else 0.0


def _last_border(column: Any) -> int:
    """Return the row where the last query of a column begins: 0 if it has one query only."""
    queries = plain_column(column)
    other = pc.fill_null(pc.not_equal(queries, queries[-1]), queries[-1].is_valid)
    places = np.flatnonzero(values_of(other))
    return int(places[-1]) + 1 if len(places) else 0
