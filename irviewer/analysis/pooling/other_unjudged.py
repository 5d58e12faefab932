"""Unjudged documents that a measure of a run does not read, and that count for its norm if they were judged: those that
the other runs returned, and those below the measure's cutoff.

Were they relevant, recall, average precision and nDCG would be divided by more. A measure depends on them by their
number (and grades) alone: they are added to the ideal ranking. Where the value never rises, or never falls, when one
of them becomes relevant, the bounds are at the ends: none of them relevant, and all of the highest grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from irviewer.analysis.pooling.bound_kinds import OF_FIELDS, direction_of
from irviewer.analysis.pooling.run_pair import OpenRuns, nothing
from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression, Node
from irviewer.model.arrays import Bools, Floats, Ints, distinct, frozen, looked_up, offsets_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged

ALONE = frozenset(
    {
        "P", "Success", "RR", "RBP", "CG", "DCG", "ERR", "SDCG", "INSQ", "NumRelRet", "NumRet", "NumQ",
        "num_nonrel_judged_ret", "SearchLength", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "BPM", "Accuracy",
        "LastRel", *OF_FIELDS,
    }
)  # fmt: skip
"""Families that do not depend on documents which the list lacks."""

LESS = frozenset(
    {
        "R", "F", "relative_P", "SetR", "SetF", "set_F", "SetRelP", "AllFound", "SetAP", "AP", "gm_map", "yaap",
        "IPrec", "11pt_avg", "binG", "infAP", "nDCG", "NAURC", "TNR", "WSS", "BudgetRecall", "AllInBudget",
    }
)  # fmt: skip
"""Families that can only fall when a document which the list lacks becomes relevant."""

MORE = frozenset({"NumRel", "IdealDCG", "RankAtRecall", "Effort"})
"""Families that can only rise then."""

LINEAR = frozenset({"utility"})
"""Families to which each such document adds the same, above or below 0."""


def effect_of(measure: Measure) -> int | None:
    """Return 0 where documents that the list lacks have no effect, -1 where a value can only fall when one becomes
    relevant, 1 where it can only rise; None where it can do both, or that is not known."""
    if isinstance(measure, Expression):
        return _of_node(measure.tree)
    if measure.name == "SetP":
        return -1 if measure.parameter("relative") else 0
    return 0 if measure.name in ALONE else -1 if measure.name in LESS else 1 if measure.name in MORE else None


def at_the_ends(measure: Measure) -> bool:
    """Whether the least and the greatest value are at the ends: no such document relevant, or all."""
    return effect_of(measure) is not None or measure.name in LINEAR


def _of_node(node: Node) -> int | None:
    return direction_of(node, effect_of)


@dataclass(frozen=True, eq=False)
class _Counts:
    """How many of the unjudged documents each of some queries has, int64[queries], and how many of them ``listed``."""

    query_ids: tuple[str, ...]
    every: Ints
    listed: Ints


class ReturnedUnjudged:
    """The unjudged documents that any of some runs returned, at any rank, each once."""

    def __init__(self, joins: Sequence[Joined], step: Callable[[], object] = nothing) -> None:
        self._joins = list(joins)
        self.step = step
        self._counts: dict[JoinOptions, _Counts] = {}

    def count(self, join_options: JoinOptions, query_ids: Sequence[str], *, listed: bool = False) -> Ints:
        """int64[queries]: the number of such documents of each query; ``listed``: of those with a negative grade."""
        if join_options not in self._counts:
            self._counts[join_options] = self._counted(join_options)
        counts = self._counts[join_options]
        numbers = counts.listed if listed else counts.every
        if query_ids == counts.query_ids:  # usually
            return numbers
        place = dict(zip(counts.query_ids, range(len(numbers)), strict=True))
        places = looked_up(place, query_ids)
        return np.where(places < 0, 0, np.append(numbers, 0)[places])

    def _counted(self, join_options: JoinOptions) -> _Counts:
        lists = [join.under(join_options).query_ids for join in self._joins]
        ids = lists[0] if lists else ()
        if any(own != ids for own in lists):
            ids = tuple(dict.fromkeys(chain.from_iterable(lists)))
        opened = OpenRuns(self._joins, join_options, None, ids, self.step)
        keys, negative = [], []
        for each in opened:
            keys.append(each.keys)
            self.step()
            negative.append(each.keys[_negative(each.judged, each.unjudged)])
            self.step()
        every, listed = (
            frozen(np.bincount(distinct(np.concatenate(own)) // opened.width, minlength=len(ids)))
            for own in (keys, negative)
        )
        return _Counts(ids, every, listed)


def _negative(judged: Judged, unjudged: Unjudged) -> Bools:
    """bool[u]: the unjudged documents that have a negative grade in the qrels."""
    wide = int(max(judged.hit_rank.max(initial=0), unjudged.rank.max(initial=0))) + 1
    hits = judged.hit_grade < 0
    return np.isin(unjudged.query * wide + unjudged.rank, judged.hit_query[hits] * wide + judged.hit_rank[hits])


@dataclass(frozen=True, eq=False)
class Others:
    """The unjudged documents of E queries that a measure does not read and that its value depends on.

    count    int64[E]
    listed   int64[E]: how many of them have a negative grade in the qrels, and so are in the ideal ranking already
    """

    count: Ints
    listed: Ints

    @classmethod
    def none(cls, n: int) -> Others:
        """Return no documents of n queries."""
        return cls(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))

    @classmethod
    def of(
        cls, measure: Measure, judged: Judged, unjudged: Unjudged, returned: ReturnedUnjudged, join_options: JoinOptions
    ) -> Others:
        """Return those of a measure of a run.

        unjudged   those that it reads
        returned   those that any run returned"""
        if effect_of(measure) == 0:
            return cls.none(judged.n_queries)
        negative = np.bincount(
            unjudged.query, weights=_negative(judged, unjudged), minlength=judged.n_queries
        ).astype(np.int64)  # fmt: skip
        if _retrieved_ideal(measure):
            return cls(Unjudged.of(judged).counts - unjudged.counts, np.zeros_like(negative))
        return cls(
            returned.count(join_options, judged.query_ids) - unjudged.counts,
            returned.count(join_options, judged.query_ids, listed=True) - negative,
        )


def with_others(
    measure: Measure, judged: Judged, unjudged: Unjudged, others: Others, number: Ints, grade: float
) -> Judged:
    """Return a judged run in which the others are judged: ``number`` int64[E] have ``grade``, the rest 0."""
    if _retrieved_ideal(measure):
        return _judged_below(judged, unjudged, grade if number.any() else 0.0)
    stays = np.arange(len(judged.ideal_grades)) < (judged.ideal_offsets[1:] - others.listed)[judged.ideal_query]
    query = np.arange(judged.n_queries)
    rest = others.count - number
    owner = np.concatenate([judged.ideal_query[stays], np.repeat(query, number), np.repeat(query, rest)])
    grades = np.concatenate(
        [judged.ideal_grades[stays], np.full(int(number.sum()), grade), np.zeros(int(rest.sum()))]
    )  # negative grades are the last
    order = np.lexsort((-grades, owner))
    offsets = offsets_of(np.bincount(owner, minlength=judged.n_queries))
    return replace(judged, ideal_grades=frozen(grades[order]), ideal_offsets=frozen(offsets))


def _retrieved_ideal(measure: Measure) -> bool:
    return measure.name == "nDCG" and measure.parameter("ideal") == "retrieved"


def _judged_below(judged: Judged, unjudged: Unjudged, grade: float) -> Judged:
    """The run with its own unjudged documents below the ranks of ``unjudged`` judged."""
    whole = Unjudged.of(judged)
    below = whole.rank > unjudged.limit
    keep = (judged.hit_grade >= 0) | (judged.hit_rank <= unjudged.limit)
    query = np.concatenate([judged.hit_query[keep], whole.query[below]])
    rank = np.concatenate([judged.hit_rank[keep], whole.rank[below]])
    grades = np.concatenate([judged.hit_grade[keep], np.full(int(below.sum()), grade)])
    order = np.lexsort((rank, query))
    return replace(
        judged, hit_query=frozen(query[order]), hit_rank=frozen(rank[order]), hit_grade=frozen(grades[order]),
        hit_row=frozen(np.zeros(len(order), dtype=np.int64)),  # no measure with bounds reads it
    )  # fmt: skip


def widest(low: Floats, high: Floats, other: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return the lesser of the lower ends, and the greater of the upper ones."""
    return np.fmin(low, other[0]), np.fmax(high, other[1])
