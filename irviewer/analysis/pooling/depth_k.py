"""The pool of a query: the first k documents of each list, every document once.

Spärck Jones and van Rijsbergen, Report on the need for and provision of an "ideal" information retrieval test
collection, 1975; Harman, Overview of the first TREC conference, SIGIR 1993."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.model.arrays import Bools, Ints, frozen


@dataclass(frozen=True, eq=False)
class DepthPool:
    """N lists and all D documents in them.

    depth      the last rank of a list that is in the pool, k
    documents  by their best rank in any list, then in the order of the lists: those of the pool first
    ranks      int64[N, D]: the rank of each document in each list; 0 where the list lacks it
    """

    depth: int
    documents: tuple[str, ...]
    ranks: Ints

    @cached_property
    def best_ranks(self) -> Ints:
        """int64[D]: the best rank of each document, ascending."""
        if not self.documents:
            return np.zeros(0, dtype=np.int64)
        return frozen(np.where(self.ranks > 0, self.ranks, np.iinfo(np.int64).max).min(axis=0))

    @cached_property
    def pooled(self) -> Bools:
        """bool[D]: in the pool."""
        return frozen(self.best_ranks <= self.depth)

    @property
    def size(self) -> int:
        """The number of documents in the pool."""
        return int(self.pooled.sum())

    @property
    def most(self) -> int:
        """The most documents that so many lists of this depth can have: k × N."""
        return self.depth * len(self.ranks)

    @cached_property
    def contributed(self) -> Bools:
        """bool[N, D]: put into the pool by this list."""
        return frozen((self.ranks > 0) & (self.ranks <= self.depth))

    def sizes(self, deepest: int) -> Ints:
        """int64[deepest]: the size of the pool at the depths 1, 2 … deepest."""
        return np.asarray(np.searchsorted(self.best_ranks, np.arange(1, deepest + 1), side="right"), dtype=np.int64)


def depth_pool(lists: Sequence[Sequence[str]], depth: int) -> DepthPool:
    """Return the pool of ranked lists of documents."""
    best: dict[str, tuple[int, int]] = {}
    for number, documents in enumerate(lists):
        for rank, document in enumerate(documents, start=1):
            best[document] = min(best.get(document, (rank, number)), (rank, number))
    ordered = tuple(sorted(best, key=lambda document: best[document]))
    places = {document: position for position, document in enumerate(ordered)}
    ranks = np.zeros((len(lists), len(ordered)), dtype=np.int64)
    for number, documents in enumerate(lists):
        for rank, document in enumerate(documents, start=1):
            ranks[number, places[document]] = rank
    return DepthPool(depth, ordered, frozen(ranks))
