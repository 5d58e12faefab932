"""What can be read as blocks of queries: files, folders of parts, data sets, lazy frames, and frames that come one by
one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from irviewer.errors import IrviewerError, OptionError, ParseError
from irviewer.formats.blocks import table_blocks, text_blocks
from irviewer.formats.blocks.table_blocks import TableBlock, cut, file_blocks, is_run_table
from irviewer.formats.blocks.text_blocks import TextBlock
from irviewer.formats.choice import choose
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Head
from irviewer.formats.names import name_of
from irviewer.formats.parts import gap_in, grouped, name_of_parts, parts_of, refuse_missing
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.reading.unpacking import compression_of
from irviewer.formats.rows import Listed
from irviewer.model.column_names import ColumnChoice, roles_of
from irviewer.model.exchange.arrow_types import is_whole
from irviewer.model.exchange.frames import as_frame
from irviewer.model.exchange.objects import rows_of, unknown
from irviewer.model.run import Run
from irviewer.paths import is_file, is_folder, is_pipe
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.blocks import Block

LARGE = 512 << 20
"""Bytes of text from which the window reads a run in blocks: some 13 million lines, which as a whole take 5 seconds and
half a gigabyte."""


@dataclass(frozen=True)
class PartBlock:
    """A block of one of several files or frames; ``share`` is that of all of them."""

    block: Block
    share: float

    def read(self) -> Run:
        """Return the queries of the block."""
        return self.block.read()

    def listed(self) -> Listed:
        """Return the rows of the block of a file in their order, not ranked."""
        assert isinstance(self.block, TextBlock | TableBlock)
        return self.block.listed()

    def finder(self) -> Callable[[str], str]:
        """Return what says where a query is, without the rows of the block."""
        return self.block.finder()


@dataclass(frozen=True)
class GivenBlock:
    """A run that is a block; ``number`` counts the values that were given, from 1."""

    run: Run
    number: int
    share: float = 0.0

    def read(self) -> Run:
        """Return the run that was given, which is in memory."""
        return self.run

    def finder(self) -> Callable[[str], str]:
        """Return what says the number of the value, without the run."""
        return partial(_item, self.number)


def _item(number: int, query: str) -> str:
    return tr("item {n:,}", n=number)


def blocks_of(
    source: Any, *, name: str | None = None, columns: ColumnChoice | None = None,
    duplicates: DuplicatePolicy = "refuse", size: int | None = None, rows: int | None = None,
) -> Iterator[Block]:  # fmt: skip
    """Yield the blocks of a run.

    source   a file of text, Parquet or Arrow; a folder of parts, or their path with ``*``; a data set or a scanner of
             pyarrow, a lazy frame of polars, anything that gives Arrow tables; an iterator of frames, runs or
             ``{query: {document: score}}``
    size     bytes of a block of text, ``rows`` rows of a block of a table; None: the usual ones

    Raises ParseError for files, and OptionError for values that cannot be read."""
    size, rows = size or text_blocks.SIZE, rows or table_blocks.ROWS
    if isinstance(source, str | os.PathLike):
        yield from _of_path(os.fspath(source), name, columns, duplicates, size, rows)
    else:
        yield from _of_values(source, name or "run", columns, rows)


def _of_path(
    path: str, name: str | None, columns: ColumnChoice | None, duplicates: DuplicatePolicy, size: int, rows: int
) -> Iterator[Block]:
    files, own_name = files_of(path, name)
    for number, file in enumerate(files):
        blocks: Iterator[Block]
        if is_table_file(file):
            blocks = file_blocks(file, name=own_name, columns=columns, duplicates=duplicates, rows=rows)
        else:
            blocks = text_blocks.text_blocks(file, name=own_name, duplicates=duplicates, size=size)
        for block in blocks:
            yield PartBlock(block, (number + block.share) / len(files)) if len(files) > 1 else block


def files_of(path: str, name: str | None = None) -> tuple[list[str], str]:
    """Return the files of a run, several for a folder of parts and their path with ``*``, and the run's name. Raises
    OptionError for a folder without files, and ParseError for a part that is missing."""
    if is_folder(path):
        files = [str(file) for file in sorted(Path(path).iterdir()) if file.is_file() and file.name[0] not in "._"]
        if not files:
            raise OptionError(tr("the folder {folder} has no runs; give another folder or file", folder=path))
        refuse_missing(files)
        return files, name or Path(path).absolute().name
    if is_pipe(path):
        raise ParseError(
            path, tr("this is a pipe, which can be read once; a run in blocks is opened more than once"),
            hint=tr("write it to a file first"),
        )  # fmt: skip
    files = parts_of(path) if "*" in path else []
    refuse_missing(files)
    return files or [path], name or (name_of_parts(path) if files else name_of(path))


def gap_of(path: str) -> tuple[str, ...]:
    """Return the sentence about parts that a folder, or a path with ``*``, lacks by their numbers; none without gap."""
    patterns = grouped(files_of(path)[0]) if is_folder(path) else [path]
    gaps = ((pattern, gap_in(pattern, parts)[0]) for pattern in patterns if (parts := parts_of(pattern)))
    return tuple(f"{pattern}: {gap}" for pattern, gap in gaps if gap)


def is_table_file(path: str) -> bool:
    """Return whether a file is a Parquet or Arrow table by its first bytes. Raises ParseError if it cannot be read."""
    return _begin(path).startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"))


def is_parquet(path: str) -> bool:
    """Return whether a file is a Parquet table. Raises as :func:`is_table_file`."""
    return _begin(path).startswith(b"PAR1")


def text_size(path: str) -> int:
    """Return about the size of a file as text, in bytes. Raises OSError."""
    size = Path(path).stat().st_size
    if is_table_file(path):
        return 3 * size
    with Path(path).open("rb") as file:
        return 6 * size if compression_of(file.read(6)) else size


def is_large_run(path: str, least: int = LARGE) -> bool:
    """Return whether a file, or the path of parts with ``*``, is a run of ``least`` bytes or more as text that can be
    read in blocks. Only the beginning of its first file is read."""
    try:
        files = parts_of(path) or [path]
        if not all(is_file(file) for file in files) or sum(map(text_size, files)) < least:
            return False
        if is_table_file(files[0]):
            return is_run_table(files[0])
        head = Head(open_bytes(files[0]))
        return choose(head)[1].kind == "run" and choose(head, "run")[0] in text_blocks.FORMATS
    except (IrviewerError, OSError):
        return False


def _begin(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(6)
    except OSError:
        open_bytes(path)  # raises the ParseError
        return b""


def _of_values(source: Any, name: str, columns: ColumnChoice | None, rows: int) -> Iterator[Block]:
    tables = _arrow_tables(source)
    if tables is not None:
        yield from _of_tables(tables, name, columns, rows)
        return
    if isinstance(source, Run | Mapping):
        source = [source]
    if not isinstance(source, Iterable):
        raise OptionError(unknown(source, "run"))
    yield from _of_items(iter(source), name, columns, rows)


def _of_items(items: Iterator[Any], name: str, columns: ColumnChoice | None, rows: int) -> Iterator[Block]:
    """Yield the blocks of values that come one by one. Frames follow each other as one table; a run or a dictionary has
    whole queries."""
    runs: list[GivenBlock] = []

    def frames() -> Iterator[Any]:
        for number, item in enumerate(items, start=1):
            frame = None if isinstance(item, Run | Mapping) else as_frame(item)
            if frame is None:
                run = item if isinstance(item, Run) else Run.from_rows(rows_of(item, "run", columns))
                runs.append(GivenBlock(run.renamed(name), number))
                yield None
            else:
                yield frame.to_arrow()

    following = frames()
    first = next(following, None)
    while runs or first is not None:
        while runs:
            yield runs.pop(0)
            first = next(following, None)
        if first is not None:
            own = _until_none(first, following)
            yield from _of_tables(own, name, columns, rows)
            first = None


def _until_none(first: Any, following: Iterator[Any]) -> Iterator[Any]:
    yield first
    for table in following:
        if table is None:
            return
        yield table


def _of_tables(tables: Iterator[Any], name: str, columns: ColumnChoice | None, rows: int) -> Iterator[Block]:
    """Yield the blocks of Arrow tables that have the same columns."""
    first = next(tables, None)
    if first is None:
        return
    roles = roles_of(
        first.column_names, lambda each: is_whole(first.schema.field(each).type), "run",
        given=None if columns is None else columns.within(first.column_names),
    )  # fmt: skip
    reader = _FrameReader(name, columns)
    if roles is None:
        reader(first)  # raises the error, which lists the columns
        raise OptionError(unknown(first, "run"))

    def every() -> Iterator[Any]:
        yield first
        for table in tables:
            yield table if table.schema == first.schema else table.select(first.column_names).cast(first.schema)

    yield from cut(every(), roles.query, name, reader, rows)


@dataclass(frozen=True)
class _FrameReader:
    """Makes a run of rows as it is made of a data frame."""

    name: str
    columns: ColumnChoice | None

    def __call__(self, table: Any) -> Run:
        return Run.from_rows(rows_of(table, "run", self.columns), name=self.name)


def _arrow_tables(source: Any) -> Iterator[Any] | None:
    """Return the Arrow tables of a data set, a lazy frame or a stream; None for other values."""
    if isinstance(source, pa.Table):
        return iter([source])
    for method in ("collect_batches", "to_batches", "__arrow_c_stream__"):
        give: Callable[[], Any] | None = getattr(source, method, None)
        if give is None:
            continue
        if method == "collect_batches":  # of polars
            return (frame.to_arrow() for frame in give())
        batches = give() if method == "to_batches" else pa.RecordBatchReader.from_stream(source)
        return (pa.Table.from_batches([batch]) for batch in batches)
    return None
