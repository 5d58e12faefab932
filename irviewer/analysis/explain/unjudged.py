"""A worklist for assessors: which unjudged document, judged relevant, would change a measure the most.

Every document is tried on its own, with all others as they are; the values are the measure's own, many at once. First
stand those that raise a value. Those that lower one come after: where a measure is normalised by what there is to find,
every document far down lowers it by much the same, whichever it is. The interval that all unjudged documents together
leave open is another question, and another module's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.analysis.explain.judgment_gain import EQUAL, can_be_tried, tries
from irviewer.analysis.explain.ledger import bound_measure_of
from irviewer.analysis.explain.query_slice import OneQuery, values_under
from irviewer.analysis.pooling.judged_without import plainly_joined
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.base import Cutoff, Measure
from irviewer.model.arrays import Floats, Ints, Strings, frozen, places_of, strings
from irviewer.model.exported import Exported
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

DEPTH = 100
"""Ranks looked at of a measure that has no cutoff and is not known to gain less further down."""


@dataclass(frozen=True)
class Change:
    """What a judgment would do to one run: its value before and after, and the document's rank there."""

    run: str
    rank: int
    value: float
    after: float

    @property
    def delta(self) -> float:
        """After less before."""
        return self.after - self.value


@dataclass(frozen=True)
class Candidate:
    """An unjudged document, and what it would do were it judged ``grade``.

    changes  one a run that has it within the depth looked at: those for the better first, the largest first
    """

    query: str
    document: str
    grade: float
    changes: tuple[Change, ...]

    @property
    def most(self) -> float:
        """The largest change there, whichever way."""
        return max(abs(one.delta) for one in self.changes)


@dataclass(frozen=True, repr=False)
class Worklist(Exported):
    """Candidates, the one to judge first first.

    measure   the measure's text
    total     how many there are, those included that were left out for being too many
    deepest   the deepest rank looked at
    unseen    lists that go on below the ranks looked at, where a document could change as much as those above
    falling   lists that go on below, where no document would change a value for the better
    """

    candidates: tuple[Candidate, ...]
    measure: str
    total: int
    deepest: int
    unseen: int = 0
    falling: int = 0

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def __getitem__(self, place: int) -> Candidate:
        return self.candidates[place]

    @property
    def cut(self) -> str:
        """What was left out, in a sentence's parts; "" where nothing was."""
        told = []
        if self.unseen:
            lists = "1 list goes" if self.unseen == 1 else f"{self.unseen:,} lists go"
            told.append(f"looked at down to rank {self.deepest:,}, {lists} on below")
        elif self.falling:
            told.append(f"further down than rank {self.deepest:,} no document would raise {self.measure}")
        if self.total > len(self):
            told.append(f"{self.total - len(self):,} more left out")
        return "; ".join(told)


@dataclass(frozen=True, eq=False)
class _Rows:
    """What trials of a run found: query int64[n] (a place among the wanted), rank, value before and after."""

    run: int
    query: Ints
    rank: Ints
    before: Floats
    after: Floats
    documents: Strings


def worklist(
    runs: Sequence[Run],
    qrels: Qrels,
    measure: str | Measure,
    options: EvaluationOptions | None = None,
    *,
    grade: float | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    most: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Worklist:
    """The unjudged documents of the runs, the one that would raise a value the most first, after those that raise one
    those that lower one. (For a measure that is better the lower it is, the other way round.)

    grade    what they are judged as; None: the qrels' highest grade (the relevance level where nothing is relevant)
    depth    ranks looked at; None: the measure's cutoff; where it has none, each list down to where no further document
             would raise its value, so that what stands first is certain, or 100 where that is not known of the measure
    queries  of the qrels; None: all
    most     keep no more than so many
    progress called with the share done; may raise to end the work

    A document that would change nothing is left out. Of equals those found by more runs come first, then by query and
    document. Raises MeasureError where the measure is unknown or several."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    highest = _highest(bound_measure, qrels, options)
    top = highest if grade is None else grade
    one = bound_measure.measure
    wanted = [query for query in (queries if queries is not None else qrels.query_ids) if query in qrels.query_index]
    ranks = one.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED) and one.cutoff is not None
    ends = depth is None and ranks
    if depth is None and ranks and one.cutoff is not None:
        depth = int(one.cutoff)
    quick = can_be_tried(one)
    falls = quick and top >= highest and depth is None
    if depth is None and not falls:
        depth = DEPTH
    found: list[_Rows] = []
    deepest = unseen = falling = 0
    for number, run in enumerate(runs):

        def step(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(runs))

        if quick:
            rows, looked = _all_at_once(number, run, qrels, wanted, bound_measure, options, top, depth)
        else:
            rows, looked = _one_by_one(number, run, qrels, wanted, bound_measure, options, top, depth or DEPTH, step)
        lengths = np.array([run.returned(query) for query in wanted], dtype=np.int64)
        lengths = lengths if options.depth is None else np.minimum(lengths, options.depth)
        below = int(np.count_nonzero(looked < lengths))
        deepest = max(deepest, int(looked.max(initial=0)))
        unseen += 0 if ends or falls else below
        falling += below if falls else 0
        found.append(rows)
        step(1.0)
    kept, total = _ordered(runs, wanted, found, top, most, sign=1.0 if one.higher_is_better else -1.0)
    return Worklist(kept, str(one), total, deepest, unseen, falling)


def _ordered(
    runs: Sequence[Run], wanted: Sequence[str], found: Sequence[_Rows], grade: float, most: int | None, *, sign: float
) -> tuple[tuple[Candidate, ...], int]:
    """The documents of all trials, the first ``most`` of them, and how many there are."""
    if not found:
        return (), 0
    query = np.concatenate([one.query for one in found])
    run = np.concatenate([np.full(len(one.query), one.run) for one in found])
    rank = np.concatenate([one.rank for one in found])
    before = np.concatenate([one.before for one in found])
    after = np.concatenate([one.after for one in found])
    coded = pa.concat_arrays([one.documents for one in found]).dictionary_encode()
    ids = coded.dictionary
    by_id = np.empty(len(ids), dtype=np.int64)
    by_id[pc.sort_indices(ids).to_numpy()] = np.arange(len(ids))
    document = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    keys, first, pair = np.unique(query * max(len(ids), 1) + document, return_index=True, return_inverse=True)
    pair = pair.reshape(-1)
    gain = np.round(np.nan_to_num(sign * (after - before), nan=0.0), 12)
    rise, fall = np.zeros(len(keys)), np.zeros(len(keys))
    np.maximum.at(rise, pair, gain)
    np.maximum.at(fall, pair, -gain)
    times = np.bincount(pair, minlength=len(keys))
    places = np.empty(len(wanted), dtype=np.int64)
    places[sorted(range(len(wanted)), key=wanted.__getitem__)] = np.arange(len(wanted))
    order = np.lexsort((by_id[document[first]], places[query[first]], -times, np.where(rise > 0, 0.0, -fall), -rise))
    order = order[np.maximum(rise, fall)[order] > EQUAL]
    taken = order[:most]
    # Each document's own rows, those for the better first, the largest first.
    rows = np.lexsort((run, -np.abs(gain), gain <= 0, pair))
    starts = np.searchsorted(pair[rows], np.arange(len(keys) + 1))
    names = ids.take(places_of(document[first[taken]])).to_pylist()
    candidates = []
    for key, name in zip(taken.tolist(), names, strict=True):
        own = rows[starts[key] : starts[key + 1]].tolist()
        changes = tuple(Change(runs[run[n]].name, int(rank[n]), float(before[n]), float(after[n])) for n in own)
        candidates.append(Candidate(wanted[query[first[key]]], name, grade, changes))
    return tuple(candidates), len(order)


def _highest(bound_measure: BoundMeasure, qrels: Qrels, options: EvaluationOptions) -> float:
    """The grade that a document is taken to be judged as: the highest, but none that ERR would refuse."""
    tops = [
        each.measure.parameter("max_rel")
        for each in bound_measure.parts or (bound_measure,)
        if each.measure.name == "ERR"
    ]
    return min([max(qrels.max_grade, options.level), *(float(one) for one in tops if one is not None)])


def _whole(options: EvaluationOptions) -> EvaluationOptions:
    """The options with every query evaluated: one that has nothing relevant yet may have then."""
    found = replace(options, missing="zero")
    rules = found.rules
    return replace(found, dialect=replace(rules, unanswerable="zero")) if rules.unanswerable == "drop" else found


def _all_at_once(
    number: int, run: Run, qrels: Qrels, wanted: Sequence[str], bound_measure: BoundMeasure, options: EvaluationOptions,
    grade: float, depth: int | None,
) -> tuple[_Rows, Ints]:  # fmt: skip
    """(the trials of all queries of a run, int64[wanted]: ranks looked at)."""
    join_options = bound_measure.join_options
    judged = plainly_joined(run, qrels, _whole(options)).under(join_options)
    of = np.array([judged.query_index[query] for query in wanted], dtype=np.int64)
    inside = np.zeros(judged.n_queries, dtype=np.bool_)
    inside[of] = True
    done = tries(
        judged,
        bound_measure.measure,
        grade,
        inside,
        depth=depth,
        whole=depth is not None,
        judged_only=options.judged_only,
    )
    back = np.empty(judged.n_queries, dtype=np.int64)
    back[of] = np.arange(len(of))
    query = back[done.query]
    ranked = run.reordered(join_options.ties, join_options.bits)
    starts = np.array([ranked.offsets[ranked.query_index[one]] if one in ranked.query_index else 0 for one in wanted])
    documents = ranked.doc_ids.take(places_of(starts.astype(np.int64)[query] + done.rank - 1))
    return _Rows(number, query, done.rank, done.before[done.query], done.after, documents), done.looked[of]


def _one_by_one(
    number: int, run: Run, qrels: Qrels, wanted: Sequence[str], bound_measure: BoundMeasure, options: EvaluationOptions,
    grade: float, depth: int, step: Callable[[float], None],
) -> tuple[_Rows, Ints]:  # fmt: skip
    """The same for a measure that reads more than grades and ranks: a query at a time, by whole joins."""
    query, rank, before, after, documents = [], [], [], [], []
    looked = np.zeros(len(wanted), dtype=np.int64)
    for place, one in enumerate(wanted):
        if one in run.query_index:
            looked[place] = min(depth, run.returned(one))
            for document, at, value, other in _tried(run, qrels, one, bound_measure, options, grade, depth):
                query.append(place)
                rank.append(at)
                before.append(value)
                after.append(other)
                documents.append(document)
        step((place + 1) / len(wanted))
    whole = np.array(query, dtype=np.int64), np.array(rank, dtype=np.int64)
    return _Rows(number, *whole, np.array(before, float), np.array(after, float), strings(documents)), looked


def _tried(
    run: Run,
    qrels: Qrels,
    query: str,
    bound_measure: BoundMeasure,
    options: EvaluationOptions,
    grade: float,
    depth: int,
) -> list[tuple[str, int, float, float]]:
    """Each unjudged document of a list down to a depth: its rank, and the value before and after."""
    whole = _whole(options)
    one = OneQuery.of(run, qrels, query, whole)
    ranked = one.ranked(bound_measure.join_options)
    n = len(ranked)
    listed = set(one.asked.doc_ids.to_pylist())
    first = ranked.doc_ids[: min(depth, n)].to_pylist()
    places = np.array([place for place, document in enumerate(first) if document not in listed], dtype=np.int64)
    if not len(places):
        return []
    before, after = _values(one, bound_measure, ranked, places, grade, whole)
    return [
        (first[place], place + 1, before, value) for place, value in zip(places.tolist(), after.tolist(), strict=True)
    ]


def _values(
    one: OneQuery, bound_measure: BoundMeasure, ranked: Run, places: Ints, grade: float, options: EvaluationOptions
) -> tuple[float, Floats]:
    """(the value as it is, float64[candidates] with each judged), evaluated as queries of one run."""
    count, n, m = len(places) + 1, len(ranked), len(one.asked)
    names = tuple(f"{number:08d}" for number in range(count))
    run = Run(
        ranked.name, names, frozen(np.arange(count + 1, dtype=np.int64) * n),
        ranked.doc_ids.take(places_of(np.tile(np.arange(n), count))),
        frozen(np.tile(np.arange(float(n), 0.0, -1.0), count)), frozen(np.zeros(count, dtype=np.bool_)),
    )  # fmt: skip
    known, grades = one.asked.doc_ids.to_pylist(), one.asked.grades
    added = ranked.doc_ids.take(places_of(places)).to_pylist()
    ids: list[str] = list(known)
    for document in added:
        ids += [*known, document]
    codes = np.repeat(np.arange(count), [m, *[m + 1] * (count - 1)])
    every = np.concatenate([grades, *[np.append(grades, grade)] * (count - 1)])
    judgments = Qrels.from_columns(names, codes, strings(ids), every)
    highest = max(one.qrels.max_grade, grade)
    values = values_under(bound_measure, Joined(run, judgments, options), highest)
    return float(values[0]), values[1:]


def pool_of(candidates: Worklist) -> list[tuple[str, str]]:
    """(query, document) of each candidate, in order: what is handed to assessors."""
    return [(one.query, one.document) for one in candidates]
