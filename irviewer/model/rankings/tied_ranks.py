"""Which ranks of a list share a score: what a view marks. The rule that orders them lives in ``ranking``; what their
order could change is told in ``explain``, which takes its time."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Ints, frozen
from irviewer.model.run import Run

ORDERS = {
    "descending": "by document id, descending as bytes (trec_eval's rule)",
    "ascending": "by document id, ascending as bytes",
    "arrival": "by the order of the file",
}
"""How tied documents are ordered, in words that follow "their order is"."""

NO_TIES: Ints = frozen(np.empty((0, 2), dtype=np.int64))


def no_ties() -> Ints:
    """int64[0, 2]: no group at all."""
    return NO_TIES


def tied_ranks(run: Run, query: str) -> Ints:
    """int64[g, 2]: the first and the last rank (from 1) of each group of documents of a query that share a score, by
    rank; two scores that are no number share it. Costs nothing where the run knows of no tie."""
    place = run.query_index.get(query)
    if place is None or not run.tied[place]:
        return NO_TIES
    scores = run.scores[int(run.offsets[place]) : int(run.offsets[place + 1])]
    nan = np.isnan(scores)
    equal = (scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1])
    edges = np.diff(np.concatenate(([0], equal.astype(np.int64), [0])))
    return frozen(np.stack([np.flatnonzero(edges == 1) + 1, np.flatnonzero(edges == -1) + 1], axis=1))


def group_of(groups: Ints, rank: int) -> tuple[int, int] | None:
    """The group of :func:`tied_ranks` that a rank stands in, None where it shares its score with no other."""
    at = int(np.searchsorted(groups[:, 0], rank, side="right")) - 1
    if at < 0 or rank > groups[at, 1]:
        return None
    return int(groups[at, 0]), int(groups[at, 1])
