"""Groups of ranks with equal scores, which views mark.

``tie_breaking`` orders them; ``analysis.explain`` computes how their order could change values."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Ints, frozen
from irviewer.model.run import Run
from irviewer.translation import tr

ORDERS = {
    "descending": tr("by document id, descending as bytes (trec_eval's rule)"),
    "ascending": tr("by document id, ascending as bytes"),
    "arrival": tr("by the order of the file"),
}
"""How tied documents are ordered."""

NO_TIES: Ints = frozen(np.empty((0, 2), dtype=np.int64))


def no_ties() -> Ints:
    """Return no groups, int64[0, 2]."""
    return NO_TIES


def tied_ranks(run: Run, query: str) -> Ints:
    """Return the first and the last rank (from 1) of each group of documents with equal scores, by rank, int64[g, 2];
    NaN scores are equal. Fast for queries without ties."""
    index = run.query_index.get(query) if len(run) else None
    if index is None or not run.tied[index]:
        return NO_TIES
    scores = run.scores[int(run.offsets[index]) : int(run.offsets[index + 1])]
    nan = np.isnan(scores)
    equal = (scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1])
    edges = np.diff(np.concatenate(([0], equal.astype(np.int64), [0])))
    return frozen(np.stack([np.flatnonzero(edges == 1) + 1, np.flatnonzero(edges == -1) + 1], axis=1))


def group_of(groups: Ints, rank: int) -> tuple[int, int] | None:
    """Return the group of :func:`tied_ranks` that contains a rank, or None."""
    index = int(np.searchsorted(groups[:, 0], rank, side="right")) - 1
    if index < 0 or rank > groups[index, 1]:
        return None
    return int(groups[index, 0]), int(groups[index, 1])
