"""A worklist for judges: the unjudged documents that would change a measure the most if judged relevant.

Every document is tried alone, with all others as they are; the values are computed by the measure, many together.
Documents that raise a value come first, then those that lower one: where a measure is normalised by the relevant
documents, every document far down lowers it by about the same. ``unjudged_interval`` has the bounds for all unjudged
documents together."""

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
from irviewer.errors import OptionError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.base import Cutoff, Measure
from irviewer.model.arrays import Floats, Ints, Strings, frozen, places_of, strings
from irviewer.model.exported import Exported
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr, trn

DEPTH = 100
"""Ranks examined for a measure without a cutoff whose gain is not known to fall with the rank."""


@dataclass(frozen=True)
class Change:
    """The effect of a judgment on a run: its value before and after, and the document's rank."""

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
    """An unjudged document, and its effect if it were judged ``grade``.

    changes  one for each run that has it within the depth: improvements first, the largest first
    """

    query: str
    document: str
    grade: float
    changes: tuple[Change, ...]

    @property
    def most(self) -> float:
        """The largest absolute change."""
        return max(abs(change.delta) for change in self.changes)


@dataclass(frozen=True, repr=False)
class Worklist(Exported):
    """Unjudged documents in the order in which to judge them.

    measure   the text of the measure
    total     the number of candidates, including those left out
    deepest   the deepest rank examined
    unseen    lists that continue below the ranks examined, where a document could change as much as those above
    falling   lists that continue below, where no document would improve a value
    higher_is_better   of the measure
    """

    candidates: tuple[Candidate, ...]
    measure: str
    total: int
    deepest: int
    unseen: int = 0
    falling: int = 0
    higher_is_better: bool = True

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def __getitem__(self, index: int) -> Candidate:
        return self.candidates[index]

    @property
    def cut(self) -> str:
        """A text about what was left out; "" if nothing was."""
        texts = []
        if self.unseen:
            texts.append(
                trn(
                    "examined down to rank {rank:,}; {n:,} list is longer",
                    "examined down to rank {rank:,}; {n:,} lists are longer",
                    self.unseen,
                    rank=self.deepest,
                )
            )
        elif self.falling:
            texts.append(
                tr("below rank {rank:,} no document would raise {measure}", rank=self.deepest, measure=self.measure)
            )
        if self.total > len(self):
            texts.append(tr("{n:,} more left out", n=self.total - len(self)))
        return "; ".join(texts)


@dataclass(frozen=True, eq=False)
class _Rows:
    """The trials of a run: query int64[n] (an index among the given queries), rank, value before and after."""

    run: int
    query: Ints
    rank: Ints
    before: Floats
    after: Floats
    documents: Strings


def refuse_complete(regime: str) -> None:
    """Raise OptionError where the judgments are declared complete, as then nothing is left to judge."""
    if Regime(regime) is Regime.COMPLETE:
        raise OptionError(tr(
            "The judgments are read as complete: every document counts as judged. If only a pool was judged, give "
            "unjudged as pooled."
        ))  # fmt: skip


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
    """Return the unjudged documents of the runs: first those that would raise a value the most, then those that lower
    one (the other way round where less is better).

    grade    the grade they are assumed to get; None: the highest grade of the qrels (the relevance level where nothing
             is relevant)
    depth    ranks examined; None: the cutoff of the measure; without one, each list down to where no further document
             would raise its value, so that the first candidates are certain, or 100 where that is not known
    queries  of the qrels; None: all
    most     the most candidates to return
    progress called with the share done; may raise to stop the work

    A document without effect is left out. Equal candidates are ordered by descending number of runs, query and
    document. Raises MeasureError where the measure is unknown or several."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    highest = _highest(bound_measure, qrels, options)
    top = highest if grade is None else grade
    measure_used = bound_measure.measure
    query_ids = [query for query in (queries if queries is not None else qrels.query_ids) if query in qrels.query_index]
    ranks = measure_used.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED) and measure_used.cutoff is not None
    ends = depth is None and ranks
    if depth is None and ranks and measure_used.cutoff is not None:
        depth = int(measure_used.cutoff)
    quick = can_be_tried(measure_used)
    falls = quick and top >= highest and depth is None
    if depth is None and not falls:
        depth = DEPTH
    trials: list[_Rows] = []
    deepest = unseen = falling = 0
    for number, run in enumerate(runs):

        def step(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(runs))

        if quick:
            rows, examined = _all_at_once(number, run, qrels, query_ids, bound_measure, options, top, depth)
        else:
            rows, examined = _one_by_one(
                number, run, qrels, query_ids, bound_measure, options, top, depth or DEPTH, step
            )
        lengths = np.array([run.returned(query) for query in query_ids], dtype=np.int64)
        lengths = lengths if options.depth is None else np.minimum(lengths, options.depth)
        below = int(np.count_nonzero(examined < lengths))
        deepest = max(deepest, int(examined.max(initial=0)))
        unseen += 0 if ends or falls else below
        falling += below if falls else 0
        trials.append(rows)
        step(1.0)
    candidates, total = _ordered(
        runs, query_ids, trials, top, most, sign=1.0 if measure_used.higher_is_better else -1.0
    )
    return Worklist(candidates, str(measure_used), total, deepest, unseen, falling, measure_used.higher_is_better)


def _ordered(
    runs: Sequence[Run],
    query_ids: Sequence[str],
    trials: Sequence[_Rows],
    grade: float,
    most: int | None,
    *,
    sign: float,
) -> tuple[tuple[Candidate, ...], int]:
    """The first ``most`` documents of all trials, and their number."""
    if not trials:
        return (), 0
    query = np.concatenate([trial.query for trial in trials])
    run = np.concatenate([np.full(len(trial.query), trial.run) for trial in trials])
    rank = np.concatenate([trial.rank for trial in trials])
    before = np.concatenate([trial.before for trial in trials])
    after = np.concatenate([trial.after for trial in trials])
    coded = pa.concat_arrays([trial.documents for trial in trials]).dictionary_encode()
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
    query_order = np.empty(len(query_ids), dtype=np.int64)
    query_order[sorted(range(len(query_ids)), key=query_ids.__getitem__)] = np.arange(len(query_ids))
    order = np.lexsort(
        (by_id[document[first]], query_order[query[first]], -times, np.where(rise > 0, 0.0, -fall), -rise)
    )
    order = order[np.maximum(rise, fall)[order] > EQUAL]
    chosen = order[:most]
    # The rows of each document, improvements first, the largest first.
    rows = np.lexsort((run, -np.abs(gain), gain <= 0, pair))
    starts = np.searchsorted(pair[rows], np.arange(len(keys) + 1))
    names = ids.take(places_of(document[first[chosen]])).to_pylist()
    candidates = []
    for key, name in zip(chosen.tolist(), names, strict=True):
        own_rows = rows[starts[key] : starts[key + 1]].tolist()
        changes = tuple(Change(runs[run[n]].name, int(rank[n]), float(before[n]), float(after[n])) for n in own_rows)
        candidates.append(Candidate(query_ids[query[first[key]]], name, grade, changes))
    return tuple(candidates), len(order)


def _highest(bound_measure: BoundMeasure, qrels: Qrels, options: EvaluationOptions) -> float:
    """The grade that a document is assumed to get: the highest that ERR accepts."""
    tops = [
        each.measure.parameter("max_rel")
        for each in bound_measure.parts or (bound_measure,)
        if each.measure.name == "ERR"
    ]
    return min([max(qrels.max_grade, options.level), *(float(top) for top in tops if top is not None)])


def _whole(options: EvaluationOptions) -> EvaluationOptions:
    """The options with every query evaluated, also those without relevant documents yet."""
    whole = replace(options, missing="zero")
    rules = whole.rules
    return replace(whole, dialect=replace(rules, unanswerable="zero")) if rules.unanswerable == "drop" else whole


def _all_at_once(
    number: int, run: Run, qrels: Qrels, query_ids: Sequence[str], bound_measure: BoundMeasure,
    options: EvaluationOptions,
    grade: float, depth: int | None,
) -> tuple[_Rows, Ints]:  # fmt: skip
    """(the trials of all queries of a run, int64[wanted]: ranks examined at)."""
    join_options = bound_measure.join_options
    judged = plainly_joined(run, qrels, _whole(options)).under(join_options)
    of = np.array([judged.query_index[query] for query in query_ids], dtype=np.int64)
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
    index_of = np.empty(judged.n_queries, dtype=np.int64)
    index_of[of] = np.arange(len(of))
    query = index_of[done.query]
    ranked = run.reordered(join_options.ties, join_options.bits)
    starts = np.array(
        [
            ranked.offsets[ranked.query_index[query_id]] if query_id in ranked.query_index else 0
            for query_id in query_ids
        ]
    )
    documents = ranked.doc_ids.take(places_of(starts.astype(np.int64)[query] + done.rank - 1))
    return _Rows(number, query, done.rank, done.before[done.query], done.after, documents), done.examined[of]


def _one_by_one(
    number: int, run: Run, qrels: Qrels, query_ids: Sequence[str], bound_measure: BoundMeasure,
    options: EvaluationOptions,
    grade: float, depth: int, step: Callable[[float], None],
) -> tuple[_Rows, Ints]:  # fmt: skip
    """The same for a measure that reads more than grades and ranks: one query at a time, with whole joins."""
    query, rank, before, after, documents = [], [], [], [], []
    examined = np.zeros(len(query_ids), dtype=np.int64)
    for index, query_id in enumerate(query_ids):
        if query_id in run.query_index:
            examined[index] = min(depth, run.returned(query_id))
            for document, at, value, value_after in _tried(run, qrels, query_id, bound_measure, options, grade, depth):
                query.append(index)
                rank.append(at)
                before.append(value)
                after.append(value_after)
                documents.append(document)
        step((index + 1) / len(query_ids))
    whole = np.array(query, dtype=np.int64), np.array(rank, dtype=np.int64)
    return _Rows(number, *whole, np.array(before, float), np.array(after, float), strings(documents)), examined


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
    query_part = OneQuery.of(run, qrels, query, whole)
    ranked = query_part.ranked(bound_measure.join_options)
    n = len(ranked)
    listed = set(query_part.asked.doc_ids.to_pylist())
    first = ranked.doc_ids[: min(depth, n)].to_pylist()
    positions = np.array(
        [position for position, document in enumerate(first) if document not in listed], dtype=np.int64
    )
    if not len(positions):
        return []
    before, after = _values(query_part, bound_measure, ranked, positions, grade, whole)
    return [
        (first[position], position + 1, before, value)
        for position, value in zip(positions.tolist(), after.tolist(), strict=True)
    ]


def _values(
    query_part: OneQuery,
    bound_measure: BoundMeasure,
    ranked: Run,
    positions: Ints,
    grade: float,
    options: EvaluationOptions,
) -> tuple[float, Floats]:
    """(the value as it is, float64[candidates] with each judged), evaluated as queries of one run."""
    count, n, m = len(positions) + 1, len(ranked), len(query_part.asked)
    names = tuple(f"{number:08d}" for number in range(count))
    run = Run(
        ranked.name, names, frozen(np.arange(count + 1, dtype=np.int64) * n),
        ranked.doc_ids.take(places_of(np.tile(np.arange(n), count))),
        frozen(np.tile(np.arange(float(n), 0.0, -1.0), count)), frozen(np.zeros(count, dtype=np.bool_)),
    )  # fmt: skip
    judged_ids, grades = query_part.asked.doc_ids.to_pylist(), query_part.asked.grades
    added = ranked.doc_ids.take(places_of(positions)).to_pylist()
    ids: list[str] = list(judged_ids)
    for document in added:
        ids += [*judged_ids, document]
    codes = np.repeat(np.arange(count), [m, *[m + 1] * (count - 1)])
    every = np.concatenate([grades, *[np.append(grades, grade)] * (count - 1)])
    strata = query_part.asked.strata
    if strata is not None:  # the added document is in no stratum
        rows = [np.arange(m), *[np.append(np.arange(m), -1)] * (count - 1)]
        strata = strata.at(np.concatenate(rows))
    judgments = Qrels.from_columns(names, codes, strings(ids), every, strata=strata)
    highest = max(query_part.qrels.max_grade, grade)
    values = values_under(bound_measure, Joined(run, judgments, options), highest)
    return float(values[0]), values[1:]


def pool_of(candidates: Worklist) -> list[tuple[str, str]]:
    """Return (query, document) of each candidate, in order."""
    return [(candidate.query, candidate.document) for candidate in candidates]
