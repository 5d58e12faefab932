"""A run whose queries are not next to each other, grouped on disk: each row goes to one of some files by its query.

Each of these files has whole queries, in the order of the run, and fits into memory. Arrow writes and reads them: for
seven million shuffled lines that takes less memory than sorting with DuckDB or Polars (docs/large_runs.md has figures),
and nothing is added to what irviewer needs."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import IrviewerError
from irviewer.evaluation.blocks import WORKERS, Block, side_by_side
from irviewer.formats.blocks.partitions import SIZE as PARTITION
from irviewer.formats.blocks.partitions import Partition
from irviewer.formats.blocks.sources import PartBlock, blocks_of, files_of, text_size
from irviewer.formats.blocks.table_blocks import TableBlock
from irviewer.formats.blocks.text_blocks import TextBlock
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Wanted
from irviewer.formats.part_files import folder_for_a_while
from irviewer.formats.reading.opener import BINARY, Opened
from irviewer.formats.rows import Rows, made
from irviewer.model.arrays import Ints, offsets_of, places_of, strings, values_of
from irviewer.model.column_names import ColumnChoice
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.rankings.duplicates import fingerprints
from irviewer.model.run import Run
from irviewer.translation import tr

BUCKET = 16 << 20
"""Bytes of the run in a file of groups, about."""
MOST = 200
"""Files of groups, which are open at the same time."""
BLOCK = 8 << 20
"""Bytes of a block of text: its rows are copied more than once while they are grouped."""
_BUFFER = 64 << 10
"""Bytes that are written to a file of groups at a time."""
SHORT = 64
"""Bytes of a query whose hash takes less time than a search for the rows that have the same query."""
NEEDED = 0.8
"""Bytes on disk for each byte of a text that is not compressed."""
_SCHEMA = pa.schema([("query", pa.string()), ("document", pa.string()), ("score", pa.float64())])


@dataclass(frozen=True)
class Group:
    """The rows of some queries of a run, in files of Arrow batches.

    number  of the batch in each of several files; None: all of one file, which is a stream"""

    files: tuple[Path, ...]
    number: int | None
    origin: str
    name: str
    duplicates: DuplicatePolicy
    share: float = 0.0

    def read(self) -> Run:
        """Return the queries as a run. Raises IrviewerError for a document that is listed twice for a query."""
        tables = []
        for file in self.files:
            with pa.OSFile(str(file)) as source:
                if self.number is None:
                    tables.append(pa.ipc.open_stream(source).read_all())
                else:
                    tables.append(pa.Table.from_batches([pa.ipc.open_file(source).get_batch(self.number)]))
        queries, documents, scores = (pa.concat_tables(tables)[name].combine_chunks() for name in _SCHEMA.names)
        query = strings(queries).dictionary_encode()
        ids = tuple(query.dictionary.to_pylist())
        rows = Rows(ids, values_of(query.indices), strings(documents), values_of(scores))
        wanted = Wanted("run", name=self.name, duplicates=self.duplicates, account=False, late=True)
        run = made(Opened(self.origin, b"", "", BINARY), rows, wanted, "").value
        assert isinstance(run, Run)
        return run

    def finder(self) -> Callable[[str], str]:
        """Return what says the name of the run: its lines are not kept."""
        return partial(_origin, self.origin)

    def blocks(self) -> Iterator[Group]:
        """Yield the group, which is one block."""
        yield self

    def __str__(self) -> str:
        return self.origin


def _origin(origin: str, query: str) -> str:
    return origin


@contextmanager
def grouped_blocks(
    path: str, folder: str | PathLike[str], *, name: str | None = None, columns: ColumnChoice | None = None,
    duplicates: DuplicatePolicy = "refuse", bucket: int = BUCKET, progress: Callable[[float], None] | None = None,
    workers: int = WORKERS,
) -> Iterator[list[Group]]:  # fmt: skip
    """Give the groups of a run of one file or of parts, which are written to a folder of their own within ``folder``
    and removed at the end, however that comes. If the program is killed, a later call with this folder removes them.

    progress  called with the share that is grouped, 0..1
    workers   the blocks that are read at the same time

    Raises IrviewerError where the disk has too little room or fills, and ParseError for the file."""
    files, own_name = files_of(path, name)
    needed = needed_for(files)
    count = max(1, min(MOST, -(-needed // bucket)))
    with ExitStack() as stack:
        with refusing_full(folder, needed):
            temporary = stack.enter_context(folder_for_a_while(folder))
            places = [temporary / f"{number:03d}.arrows" for number in range(count)]
            sizes = _write(path, name, columns, places, progress, workers)
        shares = np.cumsum(sizes) / max(1, sizes.sum())
        yield [
            Group((file,), None, path, own_name, duplicates, float(share))
            for file, share, size in zip(places, shares, sizes, strict=True)
            if size
        ]


def _write(
    path: str, name: str | None, columns: ColumnChoice | None, places: list[Path],
    progress: Callable[[float], None] | None, workers: int,
) -> Ints:  # fmt: skip
    """Write each row of a run to the file of its query, and return the number of rows in each."""
    sizes = np.zeros(len(places), dtype=np.int64)
    with ExitStack() as stack:
        sinks = [stack.enter_context(_sink(file)) for file in places]
        writers = [stack.enter_context(pa.ipc.new_stream(sink, _SCHEMA)) for sink in sinks]
        # Repeated documents are refused once all rows of a query are known.
        blocks, count = blocks_of(path, name=name, columns=columns, size=BLOCK), len(places)
        for block, (batch, starts) in side_by_side(blocks, lambda block: _by_group([block], count), workers):
            for number, writer in enumerate(writers):
                start, stop = int(starts[number]), int(starts[number + 1])
                if stop > start:
                    writer.write_batch(batch.slice(start, stop - start))
            sizes += np.diff(starts)
            if progress is not None:
                progress(block.share)
    return sizes


@dataclass(frozen=True)
class Grouping:
    """Writes the rows of a partition of a run, each into a batch of its query's group; for a worker of an engine.

    folder  that all workers share; ``count`` groups
    most    bytes of the files of a partition as text, about"""

    folder: Path
    count: int
    most: int = PARTITION

    def __call__(self, partition: Partition) -> tuple[list[Path], Ints]:
        """Write the rows of a partition, and return the files and the number of rows of each group. Done again, it
        writes the same files. Raises IrviewerError."""
        files: list[Path] = []
        sizes = np.zeros(self.count, dtype=np.int64)
        with refusing_full(self.folder, 0):
            for blocks in _batched(partition.blocks(BLOCK), max(1, self.most // BLOCK)):
                batch, starts = _by_group(blocks, self.count)
                files.append(self.folder / f"{partition.number:06d}-{len(files):06d}.arrow")
                descriptor, own = tempfile.mkstemp(dir=self.folder)
                os.close(descriptor)
                with _sink(own) as sink, pa.ipc.new_file(sink, _SCHEMA) as writer:
                    for start, stop in pairwise(starts.tolist()):
                        writer.write_batch(batch.slice(start, stop - start))
                Path(own).replace(files[-1])
                sizes += np.diff(starts)
        return files, sizes


def _sink(file: str | Path) -> Any:
    return pa.output_stream(str(file), compression=None, buffer_size=_BUFFER)


def _batched(blocks: Iterator[Block], count: int) -> Iterator[list[Block]]:
    while batch := list(islice(blocks, count)):
        yield batch


def groups_of(partitions: Sequence[Partition], files: Sequence[Path], sizes: Ints) -> list[Group]:
    """Return the groups of a run whose partitions were written to ``files``, int64[G] rows each."""
    first = partitions[0]
    return [
        Group(tuple(sorted(files)), int(number), first.path, first.name, first.duplicates)
        for number in np.flatnonzero(sizes)
    ]


def _by_group(blocks: Iterable[Block], count: int) -> tuple[Any, Ints]:
    """Return the rows of some blocks, sorted by group, and where each group begins."""
    queries, documents, scores, numbers = [], [], [], []
    for block in blocks:
        assert isinstance(block, TextBlock | TableBlock | PartBlock)
        rows = block.listed()
        numbers.append(_groups(rows.queries, count))
        queries.append(plain_column(rows.queries))
        documents.append(rows.doc_ids)
        scores.append(rows.scores)
    groups = np.concatenate(numbers)
    order = places_of(np.argsort(groups, kind="stable").astype(np.int32))
    columns = [pa.concat_arrays(queries), pa.concat_arrays(documents), pa.array(np.concatenate(scores))]
    batch = pa.record_batch([column.take(order) for column in columns], schema=_SCHEMA)
    return batch, offsets_of(np.bincount(groups, minlength=count))


def _groups(queries: Any, count: int, short: int = SHORT) -> npt.NDArray[Any]:
    """Return the group of each row, which is the same for a query in every block and process. ``queries`` of more than
    ``short`` bytes are hashed once each."""
    kind = np.min_scalar_type(count)  # whole numbers of 16 bits are sorted by counting
    if not pa.types.is_dictionary(queries.type):
        if (pc.max(pc.binary_length(queries)).as_py() or 0) <= short:
            own: npt.NDArray[Any] = (fingerprints(queries) % np.uint64(count)).astype(kind)
            return own
        queries = queries.dictionary_encode()
    of_ids = (fingerprints(queries.dictionary) % np.uint64(count)).astype(kind)
    groups: npt.NDArray[Any] = of_ids[values_of(queries.indices)]
    return groups


def needed_for(files: Iterable[str]) -> int:
    """Return about the bytes that the files of a run take on disk once they are grouped."""
    return int(NEEDED * sum(text_size(file) for file in files))


@contextmanager
def refusing_full(folder: str | PathLike[str], needed: int) -> Iterator[None]:
    """Raise IrviewerError for a folder that does not exist, has less room than is needed, or fills within the ``with``
    statement."""
    try:
        if shutil.disk_usage(folder).free < needed:
            raise _no_room(folder, needed)
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _no_room(folder, needed) from error
        raise _impossible(folder, error) from error


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
