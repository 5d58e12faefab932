"""A run whose queries are not next to each other, grouped on disk: each row goes to one of some files by its query.

Each of these files has whole queries, in the order of the run, and fits into memory. Arrow writes and reads them: for
seven million shuffled lines that takes less memory than sorting with DuckDB or Polars (docs/large_runs.md has figures),
and nothing is added to what irviewer needs."""

from __future__ import annotations

import errno
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.errors import IrviewerError
from irviewer.formats.blocks.sources import PartBlock, blocks_of, files_of, is_table_file
from irviewer.formats.blocks.table_blocks import TableBlock
from irviewer.formats.blocks.text_blocks import TextBlock
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Wanted
from irviewer.formats.reading.opener import BINARY, Opened
from irviewer.formats.reading.unpacking import compression_of
from irviewer.formats.rows import Rows, made
from irviewer.model.arrays import Ints, places_of, strings, values_of
from irviewer.model.column_names import ColumnChoice
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.run import Run
from irviewer.translation import tr

BUCKET = 16 << 20
"""Bytes of the run in a file of groups, about."""
MOST = 200
"""Files of groups, which are open at the same time."""
NEEDED = 0.8
"""Bytes on disk for each byte of a text that is not compressed."""
_SCHEMA = pa.schema([("query", pa.string()), ("document", pa.string()), ("score", pa.float64())])


@dataclass(frozen=True)
class Group:
    """The rows of some queries of a run, in a file of Arrow batches."""

    file: Path
    origin: str
    name: str
    duplicates: DuplicatePolicy
    share: float

    def read(self) -> Run:
        """Return the queries as a run. Raises IrviewerError for a document that is listed twice for a query."""
        with pa.OSFile(str(self.file)) as source, pa.ipc.open_stream(source) as reader:
            table = reader.read_all()
        query = plain_column(table["query"]).dictionary_encode()
        rows = Rows(
            tuple(query.dictionary.to_pylist()), values_of(query.indices), plain_column(table["document"]),
            values_of(plain_column(table["score"])),
        )  # fmt: skip
        wanted = Wanted("run", name=self.name, duplicates=self.duplicates, account=False)
        run = made(Opened(self.origin, b"", "", BINARY), rows, wanted, "").value
        assert isinstance(run, Run)
        return run

    def place_of(self, query: str) -> str:
        """Return the name of the run: its lines are not kept."""
        return self.origin


@contextmanager
def grouped_blocks(
    path: str, folder: str | PathLike[str], *, name: str | None = None, columns: ColumnChoice | None = None,
    duplicates: DuplicatePolicy = "refuse", bucket: int = BUCKET, progress: Callable[[float], None] | None = None,
) -> Iterator[list[Group]]:  # fmt: skip
    """Give the groups of a run of one file or of parts, which are written to a folder of their own within ``folder``
    and removed at the end, however that comes.

    progress  called with the share that is grouped, 0..1

    Raises IrviewerError where the disk has too little room or fills, and ParseError for the file."""
    files, own_name = files_of(path, name)
    needed = int(NEEDED * sum(_text_size(file) for file in files))
    _refuse_too_small(folder, needed)
    count = max(1, min(MOST, -(-needed // bucket)))
    with ExitStack() as stack:
        try:
            temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="irviewer-", dir=folder))
            places = [Path(temporary) / f"{number:03d}.arrows" for number in range(count)]
            sizes = _write(path, name, columns, places, progress)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise _no_room(folder, needed) from error
            raise _impossible(folder, error) from error
        shares = np.cumsum(sizes) / max(1, sizes.sum())
        yield [
            Group(file, path, own_name, duplicates, float(share))
            for file, share, size in zip(places, shares, sizes, strict=True)
            if size
        ]


def _write(
    path: str, name: str | None, columns: ColumnChoice | None, places: list[Path],
    progress: Callable[[float], None] | None,
) -> Ints:  # fmt: skip
    """Write each row of a run to the file of its query, and return the number of rows in each."""
    sizes = np.zeros(len(places), dtype=np.int64)
    with ExitStack() as stack:
        sinks = [stack.enter_context(pa.OSFile(str(file), "wb")) for file in places]
        writers = [stack.enter_context(pa.ipc.new_stream(sink, _SCHEMA)) for sink in sinks]
        # Repeated documents are refused once all rows of a query are known.
        for block in blocks_of(path, name=name, columns=columns):
            assert isinstance(block, TextBlock | TableBlock | PartBlock)
            rows = block.rows()
            groups = np.array([_number(query, len(places)) for query in rows.query_ids], dtype=np.int32)[rows.codes]
            order = np.argsort(groups, kind="stable")
            starts = np.searchsorted(groups[order], np.arange(len(places) + 1))
            queries = strings(rows.query_ids).take(places_of(rows.codes[order]))
            documents = rows.doc_ids.take(places_of(order))
            batch = pa.record_batch([queries, documents, pa.array(rows.values[order])], schema=_SCHEMA)
            for number, writer in enumerate(writers):
                start, stop = int(starts[number]), int(starts[number + 1])
                if stop > start:
                    writer.write_batch(batch.slice(start, stop - start))
            sizes += np.diff(starts)
            if progress is not None:
                progress(block.share)
    return sizes


def _number(query: str, count: int) -> int:
    """Return the group of a query, the same in every process."""
    return zlib.crc32(query.encode("utf-8", "surrogateescape")) % count


def _text_size(path: str) -> int:
    """Return about the size of a file as text."""
    size = Path(path).stat().st_size
    if is_table_file(path):
        return 3 * size
    with Path(path).open("rb") as file:
        return 6 * size if compression_of(file.read(6)) else size


def _refuse_too_small(folder: str | PathLike[str], needed: int) -> None:
    """Raise IrviewerError for a folder that does not exist or has less room than is needed."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise _impossible(folder, error) from error
    if free < needed:
        raise _no_room(folder, needed)


def _impossible(folder: str | PathLike[str], error: OSError) -> IrviewerError:
    reason = error.strerror or error
    return IrviewerError(tr("{folder}: the run cannot be grouped there: {reason}", folder=folder, reason=reason))


def _no_room(folder: str | PathLike[str], needed: int) -> IrviewerError:
    return IrviewerError(
        tr(
            "{folder}: there is not enough room to group the run, which takes about {needed:,} MB; give another folder",
            folder=folder, needed=max(1, needed >> 20),
        )
    )  # fmt: skip
