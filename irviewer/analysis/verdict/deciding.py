"""The queries that decide between two runs, each with what differs in their lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.run_values import RunValues
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.answered import reads_answers
from irviewer.measures.base import Measure
from irviewer.model.arrays import Ints
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

TOP = 10
"""The ranks that are counted for a measure without a cutoff."""
LOSES = 0.1
"""A query that loses this much or more is worth a look."""


@dataclass(frozen=True)
class DecidingQuery:
    """A query with the values of the run and the other one, the gain (above 0 where the run is better), and what
    differs in the lists: relevant documents within the top of each, and the rank of the first (0: none). A measure
    ``of_answers`` differs by what the answers say, of which the lists are no cause."""

    query: str
    value: float
    other_value: float
    gain: float
    top: int
    found: tuple[int, int]
    first: tuple[int, int]
    of_answers: bool = False

    @property
    def cause(self) -> str:
        """What differs in the lists, in words; "" for a measure of answers."""
        if self.of_answers:
            return ""
        if self.found[0] != self.found[1]:
            return tr("relevant in the top {top}: {n} against {m}", top=self.top, n=self.found[0], m=self.found[1])
        if self.first[0] != self.first[1]:
            ranks = [str(rank) if rank else "–" for rank in self.first]
            return tr("first relevant at rank {n} against {m}", n=ranks[0], m=ranks[1])
        return tr("as many relevant in the top {top}, in another order", top=self.top)


@dataclass(frozen=True)
class Deciding:
    """The queries with the largest differences for the run and against it, the largest first, with their sums.

    better, worse  on how many queries; ``gained``, ``lost`` the sums of their differences, both above 0
    half           the fewest queries that carry half of what is gained; 0 where nothing is
    further_for_it, further_against_it  the queries with the next largest differences, for a place with room
    """

    for_it: tuple[DecidingQuery, ...]
    against_it: tuple[DecidingQuery, ...]
    better: int
    worse: int
    gained: float
    lost: float
    half: int
    further_for_it: tuple[DecidingQuery, ...] = ()
    further_against_it: tuple[DecidingQuery, ...] = ()


def deciding_queries(
    values: RunValues, run: int, other: int, qrels: Qrels, pair: tuple[Run, Run], measure: Measure,
    options: EvaluationOptions, *, each: int = 3, further: int = 9,
) -> Deciding:  # fmt: skip
    """Return the ``each`` queries a side with the largest differences of two runs, given as ``pair`` too, and the
    ``further`` ones; of equal ones the first by id."""
    sign = 1.0 if values.higher_is_better else -1.0
    gains = np.nan_to_num(sign * values.difference(run, other), nan=0.0)
    judged = [Joined(either, qrels, options).under(options.rules.join_options) for either in pair]
    top = int(measure.cutoff) if measure.cutoff is not None and float(measure.cutoff).is_integer() else TOP
    ids = np.array(values.query_ids, dtype=object)

    def at(place: int) -> DecidingQuery:
        query = values.query_ids[place]
        ranks = [_relevant_ranks(each_judged, query, options.level) for each_judged in judged]
        row = values.values[:, place]
        return DecidingQuery(
            query, float(row[run]), float(row[other]), float(gains[place]), top,
            found=(_within(ranks[0], top), _within(ranks[1], top)), first=(_first(ranks[0]), _first(ranks[1])),
            of_answers=reads_answers(measure),
        )  # fmt: skip

    def largest(direction: float) -> tuple[DecidingQuery, ...]:
        order = np.lexsort((ids, -direction * gains))[: each + further]
        return tuple(at(place) for place in order.tolist() if direction * gains[place] > 0)

    up = np.sort(gains[gains > 0])[::-1]
    half = int(np.searchsorted(np.cumsum(up), up.sum() / 2 - 1e-12) + 1) if len(up) else 0
    gaining, losing = largest(1.0), largest(-1.0)
    return Deciding(
        gaining[:each], losing[:each], len(up), int((gains < 0).sum()), float(up.sum()),
        float(-gains[gains < 0].sum()), half, gaining[each:], losing[each:],
    )  # fmt: skip


def _relevant_ranks(judged: Judged, query: str, level: float) -> Ints:
    """Return the ranks of the relevant documents that a run returns for a query, int64[n]."""
    if query not in judged.query_index:
        return np.empty(0, dtype=np.int64)
    place = judged.query_index[query]
    low, high = np.searchsorted(judged.hit_query, [place, place + 1])
    grades = judged.hit_grade[low:high]
    return judged.hit_rank[low:high][(grades >= level) & (grades >= 0)]


def _within(ranks: Ints, top: int) -> int:
    return int((ranks <= top).sum())


def _first(ranks: Ints) -> int:
    return int(ranks.min()) if len(ranks) else 0
