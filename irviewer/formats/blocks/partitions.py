"""A run in partitions, which processes and machines read on their own: each has whole queries of one file.

The partitions of a file are made without reading it: a partition has the queries that begin between two bytes of a
text, or in some row groups of a table. Who reads it finds the first and the last of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import ParseError
from irviewer.formats.blocks import text_blocks
from irviewer.formats.blocks.sources import blocks_of, files_of, is_parquet, is_table_file
from irviewer.formats.blocks.table_blocks import file_blocks, row_groups
from irviewer.formats.blocks.text_blocks import TextFormat, border_after, file_state, is_plain, ranges, text_format
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.model.column_names import ColumnChoice
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.blocks import Block

SIZE = 64 << 20
"""Bytes of a partition as text, about."""
_OF_PARQUET = 3
"""Bytes of text for each byte of Parquet, about."""


@dataclass(frozen=True)
class Partition:
    """Whole queries of a run in a file, which can be sent to another process.

    number  of the partition in the run, from 0
    name    of the run
    start   the first byte or row group in which its queries begin, ``stop`` that after the last; both 0: all
    skip    bytes before the first line of a text
    form    how the lines of a text are read that is not compressed
    state   the size and the time of such a file and of a table, which must not change"""

    path: str
    name: str
    number: int
    columns: ColumnChoice
    duplicates: DuplicatePolicy
    start: int = 0
    stop: int = 0
    skip: int = 0
    form: TextFormat | None = None
    state: tuple[int, int] = (0, 0)

    def blocks(self, size: int = text_blocks.SIZE) -> Iterator[Block]:
        """Yield the blocks of the partition, those of text of ``size`` bytes. Raises ParseError."""
        if self.form is not None:
            start, stop = self._borders(self.form)
            yield from ranges(self.form, self.state, size, start, stop)
        elif self.stop:
            yield from file_blocks(
                self.path, name=self.name, columns=self.columns, duplicates=self.duplicates,
                groups=(self.start, self.stop), state=self.state,
            )  # fmt: skip
        else:
            yield from blocks_of(
                self.path, name=self.name, columns=self.columns, duplicates=self.duplicates, size=size
            )  # fmt: skip

    def finder(self) -> Callable[[str], str]:
        """Return what says where a query of the partition begins. It reads the partition."""
        return self._place_of

    def _place_of(self, query: str) -> str:
        for block in self.blocks():
            if query in block.read().query_index:
                return block.finder()(query)
        return str(self)

    def __str__(self) -> str:
        if self.form is not None:
            return tr("{file}, bytes {start:,} to {stop:,}", file=self.path, start=self.start, stop=self.stop)
        if self.stop:
            return tr("{file}, row groups {start:,} to {stop:,}", file=self.path, start=self.start + 1, stop=self.stop)
        return self.path

    def _borders(self, form: TextFormat) -> tuple[int, int]:
        """Return the bytes where the first query of the partition begins, and the first after the partition."""
        total = self.state[0]
        try:
            with Path(self.path).open("rb", buffering=0) as file:
                start = border_after(file, self.start, total) if self.start else self.skip
                return start, border_after(file, self.stop, total)
        except OSError as error:
            reason = tr("the file cannot be read: {reason}", reason=error.strerror or error)
            raise ParseError(self.path, reason) from error


def partitions_of(
    path: str | os.PathLike[str], *, name: str | None = None, columns: ColumnChoice | None = None,
    duplicates: DuplicatePolicy = "refuse", size: int = SIZE, sizes: Sizes = SIZES,
) -> list[Partition]:  # fmt: skip
    """Return the partitions of a file, of a folder of parts or of their path with ``*``, in the order of the run, each
    of about ``size`` bytes of text. A compressed text and an Arrow stream are one partition each. Raises ParseError
    and OptionError."""
    files, own_name = files_of(os.fspath(path), name)
    columns = columns or ColumnChoice()
    partitions: list[Partition] = []
    for file in files:
        whole = Partition(file, own_name, 0, columns, duplicates)
        if is_table_file(file):
            state = file_state(file)
            count = row_groups(file, columns)
            length = state[0] * (_OF_PARQUET if is_parquet(file) else 1)
            borders = _borders(count, -(-length // size))
            partitions += [replace(whole, start=start, stop=stop, state=state) for start, stop in borders] or [whole]
            continue
        opened, form = text_format(file, own_name, duplicates, sizes)
        if not is_plain(opened):
            partitions.append(whole)
            continue
        state = file_state(file)
        partitions += [
            replace(whole, start=start, stop=stop, skip=opened.skip, form=form, state=state)
            for start, stop in _borders(state[0], -(-state[0] // size))
        ]
    return [replace(partition, number=number) for number, partition in enumerate(partitions)]


def _borders(length: int, count: int) -> list[tuple[int, int]]:
    """Return ``count`` ranges of about the same length; fewer if a range would be empty."""
    places = [length * number // count for number in range(count + 1)] if count else []
    return [(start, stop) for start, stop in pairwise(places) if stop > start]
