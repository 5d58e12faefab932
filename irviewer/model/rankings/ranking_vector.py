"""Ranking vectors: how far each document of a ranking is from the ranks of its grade in the ideal ranking.

After the relative position of Angelini, Ferro, Santucci and Silvello, VIRTUE: a visual tool for information retrieval
performance evaluation and failure analysis, JVLC 25(4), 2014."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class RankingVector:
    """The ranking vector of the first n ranks.

    grades        float64[n]; NaN if the document is not in the qrels
    displacement  int64[n]; 0: in place; above 0: the number of ranks below the last of its grade in the ideal ranking;
                  below 0: the number of ranks above the first
    missed        the number of relevant documents that were not returned
    """

    grades: Floats
    displacement: Ints
    missed: int

    @property
    def in_place(self) -> int:
        """The number of documents in place."""
        return int(np.count_nonzero(self.displacement == 0))


def ranking_vector(judged: Judged, query: int, depth: int, level: float = 1) -> RankingVector:
    """Return the ranking vector of an evaluated query down to ``depth``.

    The ideal ranking has all relevant documents by descending grade, then all others. A relevant document is in place
    between the first and the last rank of its grade; non-relevant and unjudged documents are in place below the last
    relevant one."""
    n = min(depth, int(judged.returned[query]))
    ranks, hit_grades = judged.hits_of(query)
    grades = np.full(n, np.nan)
    inside = ranks <= n
    grades[ranks[inside] - 1] = hit_grades[inside]
    ideal = judged.ideal_of(query)
    ideal = ideal[(ideal >= level) & (ideal >= 0)]  # descending
    known = np.nan_to_num(grades, nan=-1.0)
    relevant = (known >= level) & (known >= 0)
    first = np.where(relevant, np.searchsorted(-ideal, -known, side="left") + 1, len(ideal) + 1)
    last = np.where(relevant, np.searchsorted(-ideal, -known, side="right"), np.iinfo(np.int64).max)
    rank = np.arange(1, n + 1)
    displacement = np.where(rank < first, rank - first, np.where(rank > last, rank - last, 0))
    returned = int(np.count_nonzero((hit_grades >= level) & (hit_grades >= 0)))
    return RankingVector(frozen(grades), frozen(displacement.astype(np.int64)), len(ideal) - returned)
