"""Where the queries of a run are in its files, so that the list of one query is read without the others.

A place is a block: some megabytes of a text, or the row groups of a table that have its rows. They are noted while the
run is evaluated in blocks, and stay true as long as the files do not change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.blocks.sources import PartBlock
from irviewer.formats.blocks.table_blocks import TableBlock, block_at
from irviewer.formats.blocks.text_blocks import TextBlock, file_state, text_format
from irviewer.formats.reading.opener import changed
from irviewer.model.arrays import Ranks, frozen, places_of
from irviewer.model.changes.replace_queries import run_part
from irviewer.model.run import Run
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.blocks import Block


@dataclass(frozen=True, eq=False)
class Places:
    """The places of the queries of a run.

    name       of the run
    files      its files, each with its size and time
    blocks     (file, start, stop) of each block: bytes of a text, or rows of a table
    query_ids  the queries, int32[Q] ``block_of`` their blocks; −1: the list cannot be read alone, as in a compressed
               file
    """

    name: str
    files: tuple[tuple[str, tuple[int, int]], ...]
    blocks: tuple[tuple[int, int, int], ...]
    query_ids: tuple[str, ...]
    block_of: Ranks
    index: Mapping[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.index:
            object.__setattr__(self, "index", {query: place for place, query in enumerate(self.query_ids)})

    def read(self, query: str) -> Run:
        """Return the run of one query, which may have no documents. Raises ParseError if its file changed, is gone or
        damaged, or if it is compressed."""
        place = self.index.get(query)
        if place is None:
            return Run.from_dict({}, name=self.name)
        number = int(self.block_of[place])
        if number < 0:
            path = self.files[0][0] if self.files else self.name
            raise ParseError(
                path, tr("the list of a query cannot be read from a compressed file"), hint=tr("unpack it")
            )
        file, start, stop = self.blocks[number]
        path, state = self.files[file]
        now = file_state(path)
        if now == (0, 0):
            raise ParseError(path, tr("the file is gone"), hint=tr("put it back, or close the run"))
        if now != state:
            raise ParseError(path, tr("the file changed since the run was evaluated"), hint=tr("open it again"))
        run = self._block(path, state, start, stop).read()
        return _only(run, query, self.name)

    def _block(self, path: str, state: tuple[int, int], start: int, stop: int) -> TextBlock | TableBlock:
        table = block_at(path, start, stop, state, name=self.name)
        if table is not None:
            return table
        _, form = text_format(path, self.name, "refuse")
        return TextBlock(form, start, stop, state[0], state)

    @property
    def record(self) -> dict[str, Any]:
        """The places as plain values, without the queries."""
        return {"name": self.name, "files": self.files, "blocks": self.blocks}

    @classmethod
    def of_record(cls, record: Mapping[str, Any], query_ids: tuple[str, ...], block_of: Ranks) -> Places:
        """Return the places of a record. Raises LookupError, TypeError and ValueError for another."""
        files = tuple((str(path), (int(size), int(time))) for path, (size, time) in record["files"])
        blocks = tuple((int(file), int(start), int(stop)) for file, start, stop in record["blocks"])
        if len(block_of) and not -1 <= int(block_of.min()) <= int(block_of.max()) < max(1, len(blocks)):
            raise ValueError(tr("a block is unknown"))
        if blocks and max(file for file, _, _ in blocks) >= len(files):
            raise ValueError(tr("a file is unknown"))
        return cls(str(record["name"]), files, blocks, query_ids, block_of)


class Noted:
    """Notes the places of a run while it is evaluated."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[int, tuple[int, int]]] = {}
        self._blocks: list[tuple[int, int, int]] = []
        self._block_of: dict[str, int] = {}

    def __call__(self, block: Block, queries: Sequence[str]) -> None:
        """Note the queries of a block. The state of a file is that from before it was read."""
        inner = block.block if isinstance(block, PartBlock) else block
        number = -1
        if isinstance(inner, TextBlock | TableBlock):
            path = inner.format.path if isinstance(inner, TextBlock) else inner.place
            file, known = self._files.setdefault(path, (len(self._files), inner.state))
            if known != inner.state:
                raise changed(path)
            if isinstance(inner, TableBlock):
                number = len(self._blocks)
                self._blocks.append((file, inner.start, inner.start + inner.table.num_rows))
            elif inner.data is None or inner.size == inner.state[0]:  # a small file is in memory as it is
                number = len(self._blocks)
                self._blocks.append((file, inner.start, inner.stop))
        self._block_of.update(dict.fromkeys(queries, number))

    def places(self, name: str, query_ids: tuple[str, ...]) -> Places:
        """Return the places of some queries; those that the run lacks have none."""
        had = tuple([query for query in query_ids if query in self._block_of])
        numbers = np.fromiter((self._block_of[query] for query in had), np.int32, len(had))
        files = tuple((path, state) for path, (_, state) in self._files.items())
        return Places(name, files, tuple(self._blocks), had, frozen(numbers))


def _only(run: Run, query: str, name: str) -> Run:
    """Return the run of one query, in memory of its own, so that the other queries of the block are given up."""
    part = run_part(run, query)
    if part is None:
        return Run.from_dict({}, name=name)
    ids = part.doc_ids.take(places_of(np.arange(len(part))))
    arrival = None if part.arrival is None else frozen(part.arrival.copy())
    components = {each: frozen(values.copy()) for each, values in part.components.items()}
    return replace(
        part, name=name, doc_ids=ids, scores=frozen(part.scores.copy()), tied=frozen(part.tied.copy()),
        components=components, arrival=arrival, tag=run.tag, origin=run.origin,
    )  # fmt: skip
