"""The ranking vector of a list: for each rank whether its document stands where an ideal list has one of its grade, and
by how much it does not.

After the relative position of Angelini, Ferro, Santucci and Silvello, VIRTUE: a visual tool for information retrieval
performance evaluation and failure analysis, JVLC 25(4), 2014. Knows judged runs, no figure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class RankingVector:
    """The first n ranks of a list.

    grades        float64[n]: NaN where the qrels do not list the document
    displacement  int64[n]: 0 in place; above 0: so many ranks too low, the ideal has the last of its grade so much
                  higher; below 0: so many too high, the ideal's first of its grade comes so much later
    missed        relevant documents that the list does not hold at all
    """

    grades: Floats
    displacement: Ints
    missed: int

    @property
    def in_place(self) -> int:
        """How many documents stand where the ideal has their grade."""
        return int(np.count_nonzero(self.displacement == 0))


def ranking_vector(judged: Judged, query: int, depth: int, level: float = 1) -> RankingVector:
    """The vector of one evaluated query's list down to ``depth``.

    The ideal list has all judged relevant documents by falling grade, then everything else; a document of grade g
    stands in place from the ideal's first to its last rank of g. All that is not relevant, what nobody judged too, is
    in place anywhere after the last relevant one."""
    n = min(depth, int(judged.returned[query]))
    ranks, found = judged.hits_of(query)
    grades = np.full(n, np.nan)
    inside = ranks <= n
    grades[ranks[inside] - 1] = found[inside]
    ideal = judged.ideal_of(query)
    ideal = ideal[(ideal >= level) & (ideal >= 0)]  # descending
    known = np.nan_to_num(grades, nan=-1.0)
    relevant = (known >= level) & (known >= 0)
    first = np.where(relevant, np.searchsorted(-ideal, -known, side="left") + 1, len(ideal) + 1)
    last = np.where(relevant, np.searchsorted(-ideal, -known, side="right"), np.iinfo(np.int64).max)
    rank = np.arange(1, n + 1)
    displacement = np.where(rank < first, rank - first, np.where(rank > last, rank - last, 0))
    returned = int(np.count_nonzero((found >= level) & (found >= 0)))
    return RankingVector(frozen(grades), frozen(displacement.astype(np.int64)), len(ideal) - returned)
