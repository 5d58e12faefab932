"""Pairs of systems under two judges: in the same or opposite direction; significant under both, one or neither."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.analysis.statistics.significance.paired import t_column
from irviewer.analysis.statistics.significance.resampling import decimals_of, differences
from irviewer.model.arrays import Bools, Floats, Ints

AT_ONCE = 1 << 21
"""The number of differences in one step."""


@dataclass(frozen=True)
class PairCounts:
    """The numbers of pairs of runs by the direction and significance of their differences; ``tied`` are those with
    equal means under one of the judges. ``significant`` are the pairs that the judge finds significant,
    ``significant_by_reference`` those of the reference.
    """

    pairs: int
    same_both: int
    same_one: int
    same_neither: int
    opposite_both: int
    opposite_one: int
    opposite_neither: int
    tied: int
    significant: int
    significant_by_reference: int

    @property
    def same(self) -> int:
        """Pairs of the same direction."""
        return self.same_both + self.same_one + self.same_neither

    @property
    def opposite(self) -> int:
        """Pairs of opposite directions."""
        return self.opposite_both + self.opposite_one + self.opposite_neither


@dataclass(frozen=True)
class OppositePair:
    """Two runs (places) that the judges order differently, the reference's better one first.

    by_reference, by_judge   mean of the first minus mean of the second
    """

    first: int
    second: int
    by_reference: float
    by_judge: float
    significant_by_reference: bool
    significant_by_judge: bool


@dataclass(frozen=True, eq=False)
class RunPairs:
    """All P pairs of N runs under a reference and a judge.

    first, second                int64[P]
    by_reference, by_judge       float64[P]: mean differences, the better value above
    significant_by_reference, significant_by_judge   bool[P]: paired t, Holm over all pairs
    p_by_reference, p_by_judge   float64[P]: paired t, of each pair alone; NaN where it is not defined
    differ_by_reference, differ_by_judge   bool[P]: the two runs have different values in a query
    """

    runs: int
    first: Ints
    second: Ints
    by_reference: Floats
    by_judge: Floats
    significant_by_reference: Bools
    significant_by_judge: Bools
    p_by_reference: Floats
    p_by_judge: Floats
    differ_by_reference: Bools
    differ_by_judge: Bools

    def counts(self, among: Bools | None = None) -> PairCounts:
        """Return the counts, of all pairs or of those ``among`` runs bool[N]; significance stays that of all pairs."""
        kept = np.ones(len(self.first), dtype=np.bool_)
        if among is not None:
            kept = among[self.first] & among[self.second]
        sign = (np.sign(self.by_reference) * np.sign(self.by_judge))[kept]
        by_reference, by_judge = self.significant_by_reference[kept], self.significant_by_judge[kept]
        judges = by_reference.astype(np.int64) + by_judge

        def number(side: int, significant: int) -> int:
            return int(((sign == side) & (judges == significant)).sum())

        return PairCounts(
            int(kept.sum()), number(1, 2), number(1, 1), number(1, 0), number(-1, 2), number(-1, 1), number(-1, 0),
            int((sign == 0).sum()), int(by_judge.sum()), int(by_reference.sum()),
        )  # fmt: skip

    @property
    def opposite(self) -> tuple[OppositePair, ...]:
        """The pairs of opposite directions, those significant under both first, then by the reference's difference."""
        places = np.flatnonzero(np.sign(self.by_reference) * np.sign(self.by_judge) < 0)
        both = self.significant_by_reference & self.significant_by_judge
        places = places[np.lexsort((-np.abs(self.by_reference[places]), ~both[places]))]
        return tuple(self._pair(position) for position in places.tolist())

    def _pair(self, place: int) -> OppositePair:
        turned = self.by_reference[place] < 0
        first, second = int(self.first[place]), int(self.second[place])
        sign = -1.0 if turned else 1.0
        return OppositePair(
            second if turned else first, first if turned else second, sign * float(self.by_reference[place]),
            sign * float(self.by_judge[place]), bool(self.significant_by_reference[place]),
            bool(self.significant_by_judge[place]),
        )  # fmt: skip


def run_pairs(reference: Floats, judge: Floats, alpha: float) -> RunPairs:
    """Return all pairs of runs by their values float64[N, Q] on the same queries, high values best."""
    first, second = np.triu_indices(len(judge), 1)
    of_reference, p_reference, differ_reference = _tested(reference, first, second)
    of_judge, p_judge, differ_judge = _tested(judge, first, second)
    return RunPairs(
        len(judge),
        first.astype(np.int64),
        second.astype(np.int64),
        of_reference,
        of_judge,
        np.asarray(corrected(p_reference, "holm") < alpha),
        np.asarray(corrected(p_judge, "holm") < alpha),
        p_reference,
        p_judge,
        differ_reference,
        differ_judge,
    )


def _tested(values: Floats, first: Ints, second: Ints) -> tuple[Floats, Floats, Bools]:
    """Return the mean differences, p of each, and whether the two runs differ in a query."""
    decimals = decimals_of(values)
    means, p, differ = np.empty(len(first)), np.empty(len(first)), np.empty(len(first), dtype=np.bool_)
    size = max(1, AT_ONCE // max(1, values.shape[1]))
    for start in range(0, len(first), size):
        part = slice(start, start + size)
        difference = differences(values[first[part]], values[second[part]])
        means[part] = np.round(difference.mean(axis=1), decimals) + 0.0
        p[part] = t_column(difference).p
        differ[part] = difference.any(axis=1)
    return means, p, differ
