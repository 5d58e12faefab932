"""A first stage and the stages that re-rank it: how many relevant documents each keeps, what the order of the last one
loses, and what its documents in the best order would reach."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from irviewer.analysis.stages.find_stages import share_within
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.warnings import lacking_queries
from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.answer_cautions import refuse_answers
from irviewer.evaluation.evaluate import Joined, evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, Strings, group_of_each, places_of
from irviewer.model.exported import Exported
from irviewer.model.judgments.judged import Judged
from irviewer.model.number_text import percent
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

TOP = 10
"""The rank that counts if the measure has no cutoff."""

Fate = Literal["kept", "promoted", "demoted", "below", "unseen", "missed", "added"]
FATES: tuple[Fate, ...] = ("kept", "promoted", "demoted", "below", "unseen", "missed", "added")
"""The fates of a document, by its ranks in the first and the last stage: within the top of both; only of the last; only
of the first; of neither; returned by the first stage and not by a later one; not returned by the first stage; not
returned by the first stage, but by the last."""

Cause = Literal["depth", "seen", "order", ""]
CAUSES: tuple[Cause, ...] = ("depth", "seen", "order")
"""Where a query loses most of its relevant documents: not returned by the first stage, not among those that a later
stage received, below the last stage's top although there was room; "" if it loses none."""


@dataclass(frozen=True, eq=False)
class RunFamily:
    """The declared comparisons of runs: each run of ``runs`` with the baseline, or all pairs (None)."""

    runs: RunValues
    baseline: int | None

    def pair(self, ends: RunValues, options: ComparisonOptions) -> RunComparison | None:
        """Return the comparison of two runs, the first of them the other one, with p corrected over the family; None if
        it is not in the family, or of other queries."""
        first, last = ends.names
        names = self.runs.names
        if any(names.count(name) != 1 for name in (first, last)) or set(ends.query_ids) != set(self.runs.query_ids):
            return None
        if self.baseline is not None and first != names[self.baseline]:
            return None
        compared = self.runs.compare(
            replace(options, interval="t"), baseline=self.baseline, pairs=self.baseline is None
        )
        for column, run, other in zip(range(len(compared)), compared.first, compared.second, strict=True):
            if {names[run], names[other]} == {first, last}:
                pair = compared.pair(column)
                return pair if pair.run_name == last else pair.flipped
        return None


@dataclass(frozen=True)
class FunnelStep:
    """One bar of the funnel.

    kind        "qrels", "stored" (by the first stage), "seen" (by a later stage), "top" (of the last stage)
    run         the stage's name, "" of the qrels
    relevant    relevant documents that are left here
    by_grade    the same by grade, in the order of ``Stages.grades``
    lost        relevant documents of the step before that are not here; of the top only those for which there was room
    no_room     of the top: relevant documents for which k places leave no room; else 0
    possible    the most relevant documents that could be here: of the top k places a query, else ``relevant`` of the
                step before
    documents   retrieved documents here, of all queries; 0 of the qrels
    unjudged    those of them that are not judged
    """

    kind: Literal["qrels", "stored", "seen", "top"]
    run: str
    relevant: int
    by_grade: tuple[int, ...]
    lost: int
    no_room: int
    possible: int
    documents: int
    unjudged: int


@dataclass(frozen=True)
class StageDocument:
    """A judged document of one query: its grade, its rank in each stage (None if it is not returned), its fate, and how
    many ranks it rises from the first stage to the last (None if it is not in both)."""

    doc_id: str
    grade: float
    ranks: tuple[int | None, ...]
    fate: Fate

    @property
    def change(self) -> int | None:
        """Ranks gained from the first stage to the last, below 0 if it falls."""
        first, last = self.ranks[0], self.ranks[-1]
        return None if first is None or last is None else first - last


@dataclass(frozen=True, eq=False, repr=False)
class Stages(Exported):
    """S runs in stages over E queries.

    runs         their names, the first stage first
    measure      of the last stage's value and the ceilings; ``top`` is its cutoff, or what was asked for
    level        least grade of a relevant document; ``grades`` those that occur from there, ascending
    steps        the funnel: qrels, stored, seen (one a later stage), top
    counts       int64[steps, E]: relevant documents of each query at each step
    room         int64[E]: how many of those that the last stage saw fit into its top
    query, row, grade, ranks   of every relevant document: int64[n] its query, int64[n] its row in the qrels, float64[n]
                 its grade, and int64[S, n] its rank in each stage, 0 where it is not returned
    values       float64[S + 2, E]: the measure of each stage, of the last stage's documents in ideal order (by grade,
                 what is unjudged last), and of all judged documents in ideal order
    means        float64[S + 2]: the measure's means of the same
    pair         the last stage beside the first; its p is that of the declared family if ``in_family``, else this is a
                 comparison of its own, and p is not corrected
    within       float64[S - 1]: the share of each later stage's documents that the stage before returned too
    notes        sentences that the reader has to know
    """

    runs: tuple[str, ...]
    measure: Measure
    top: int
    level: float
    grades: tuple[float, ...]
    query_ids: tuple[str, ...]
    steps: tuple[FunnelStep, ...]
    counts: Ints
    room: Ints
    query: Ints
    row: Ints
    grade: Floats
    ranks: Ints
    values: Floats
    means: Floats
    pair: RunComparison
    within: Floats
    qrels: Qrels
    joined: tuple[Judged, ...]
    notes: tuple[str, ...] = ()
    in_family: bool = False

    @property
    def tested(self) -> str:
        """The test of ``pair`` with the family of its p."""
        if self.in_family:
            return self.pair.decision.in_family
        return tr("{test}, a comparison of its own, not corrected", test=self.pair.decision.title)

    @cached_property
    def fates(self) -> Ints:
        """int64[n]: the fate of each relevant document, an index of FATES."""
        return fates_of(self.ranks, self.top)

    def number(self, fate: Fate) -> int:
        """Return the number of relevant documents with a fate."""
        return int((self.fates == FATES.index(fate)).sum())

    @property
    def ordered(self) -> Floats:
        """float64[E]: what the order of the last stage costs each query in the measure."""
        return np.asarray(self._better(self.values[-2] - self.values[-3]))

    @property
    def out_of_reach(self) -> Floats:
        """float64[E]: what documents that the last stage did not see cost each query in the measure."""
        return np.asarray(self._better(self.values[-1] - self.values[-2]))

    def _better(self, difference: Floats) -> Floats:
        return difference if self.measure.higher_is_better else -difference

    @cached_property
    def lost(self) -> Ints:
        """int64[3, E]: relevant documents of each query lost for each of CAUSES."""
        return np.stack(
            [self.counts[0] - self.counts[1], self.counts[1] - self.counts[-2], self.room - self.counts[-1]]
        )

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """The stage at which each query loses most relevant documents, the earlier one if two lose the same number."""
        lost = self.lost
        most, worst = lost.max(axis=0), lost.argmax(axis=0)
        return tuple(CAUSES[place] if some else "" for place, some in zip(worst.tolist(), most.tolist(), strict=True))

    def counts_by_grade(self, step: int) -> Ints:
        """Return int64[G, E]: relevant documents of each query at a step, by grade in the order of ``grades``."""
        inside = np.logical_and.accumulate(self.ranks > 0, axis=0)
        mask = np.ones(len(self.row), dtype=np.bool_)
        if step:
            mask = inside[min(step, len(self.runs)) - 1]
        if step > len(self.runs):
            mask = mask & (self.ranks[-1] <= self.top)
        size = len(self.query_ids)
        return np.stack([np.bincount(self.query[mask & (self.grade == grade)], minlength=size)
                         for grade in self.grades])  # fmt: skip

    def documents(self, query: str, *, relevant: bool = True) -> tuple[StageDocument, ...]:
        """Return the relevant documents of a query, or all judged ones: those of the last stage in its order, then
        those that only earlier stages return, then the others by grade. Raises OptionError for a query that is not
        there."""
        if query not in self.query_ids:
            raise OptionError(tr("Query {query} was not evaluated.", query=query))
        start, stop = (int(self.qrels.offsets[self.qrels.query_index[query] + step]) for step in (0, 1))
        ranks = np.zeros((len(self.runs), stop - start), dtype=np.int64)
        for stage, judged in enumerate(self.joined):
            own = judged.query_index[query]
            first, last = np.searchsorted(judged.hit_query, [own, own + 1])
            ranks[stage, judged.hit_row[first:last] - start] = judged.hit_rank[first:last]
        grades = self.qrels.grades[start:stop]
        kept = np.flatnonzero((grades >= self.level) & (grades >= 0) if relevant else grades >= 0)
        fates = fates_of(ranks, self.top)
        far = np.iinfo(np.int64).max
        keys = [np.where(row > 0, row, far)[kept] for row in ranks]
        order = kept[np.lexsort((kept, -grades[kept], *keys))]
        ids = self.qrels.doc_ids[start:stop]
        return tuple(
            StageDocument(
                ids[row].as_py(), float(grades[row]), tuple(rank or None for rank in ranks[:, row].tolist()),
                FATES[fates[row]],
            )
            for row in order.tolist()
        )  # fmt: skip


def fates_of(ranks: Ints, top: int) -> Ints:
    """Return int64[n]: places in FATES of documents with ranks int64[S, n], 0 where a stage does not return one."""
    first, last = ranks[0], ranks[-1]
    held = (ranks > 0).all(axis=0)
    above, below = (first > 0) & (first <= top), (last > 0) & (last <= top)
    fates = np.full(ranks.shape[1], FATES.index("unseen"), dtype=np.int64)
    for fate, where in (
        ("kept", held & above & below), ("promoted", held & ~above & below), ("demoted", held & above & ~below),
        ("below", held & ~above & ~below), ("missed", (first == 0) & (last == 0)),
        ("added", (first == 0) & (last > 0)),
    ):  # fmt: skip
        fates[where] = FATES.index(fate)
    return fates


def stages_of(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure = "nDCG@10",
    options: EvaluationOptions | None = None,
    *,
    top: int | None = None,
    statistics: ComparisonOptions | None = None,
    queries: AbstractSet[str] | None = None,
    family: RunFamily | None = None,
) -> Stages:
    """Follow the relevant documents through runs in stages, the first stage first.

    ``top`` is the rank that counts (None: the measure's cutoff, else TOP); ``queries`` are those that count (None: all
    that every run has). ``family`` are the declared comparisons, of which the last difference may be one.

    Raises OptionError for fewer than two runs, without relevant documents and for a measure
    without a mean over queries; UndecidedError if the ids of a run do not match those of the qrels."""
    options = options or EvaluationOptions()
    refuse_answers(tr("Stages"), measure)
    if len(runs) < 2:
        raise OptionError(tr("Give two runs or more: the first stage and a run that re-ranks it."))
    joins = [Joined(run, qrels, options) for run in runs]
    join_options = options.rules.join_options
    judged = [join.under(join_options) for join in joins]
    ids = [query for query in judged[0].query_ids if all(query in other.query_index for other in judged[1:])]
    if queries is not None:
        ids = [query for query in ids if query in queries]
    if not ids:
        raise OptionError(tr("No judged query is in every stage. Check that the runs answer the same queries."))
    names = [run.name for run in runs]
    ideal, every = _ideal_orders(qrels, joins[-1], ids, options)
    result = evaluate(qrels, runs, [measure], options)
    result.check_matched()
    stage_measure = result.measures[0]
    if why := result.lack([stage_measure.text], names):
        raise MeasureError(why)
    own = RunValues.of(result, stage_measure, ids)
    # Evaluated separately from the runs: warnings about the ideal orders are not about the stages.
    best = evaluate(qrels, [ideal, every], [stage_measure], options)
    values = np.concatenate([own.values, RunValues.of(best, best.measures[0], ids).values])
    whole = stage_measure.cutoff is not None and float(stage_measure.cutoff).is_integer()
    place = top if top is not None else int(stage_measure.cutoff or TOP) if whole else TOP
    if place < 1:
        raise OptionError(tr("The last rank of the top is {top}; it must be 1 or more.", top=place))
    ends = own.only([0, len(runs) - 1])
    pair, in_family = _last_difference(ends, statistics or ComparisonOptions(), family)

    query, row = _relevant(qrels, ids, options.level)
    if not len(row):
        raise OptionError(
            tr("No document of grade {level:g} or more is in the qrels. Choose a lower level.", level=options.level)
        )
    ranks = np.stack([_ranks(judged_run, len(qrels))[row] for judged_run in judged])
    inside = np.logical_and.accumulate(ranks > 0, axis=0)
    in_top = inside[-1] & (ranks[-1] <= place)
    masks = [np.ones(len(row), dtype=np.bool_), *inside, in_top]
    counts = np.stack([np.bincount(query[mask], minlength=len(ids)) for mask in masks]).astype(np.int64)
    room = np.minimum(counts[-2], place)
    levels = tuple(float(grade) for grade in np.unique(qrels.grades[row]).tolist())
    steps = _steps(names, judged, ids, masks, qrels.grades[row], levels, counts, room, place)
    read = [join.run_under(join_options) for join in joins]
    within = np.array(
        [share_within(*each, queries=ids, depth=options.depth) for each in itertools.pairwise(read)]
    )  # fmt: skip
    means = np.array([stage_measure.mean(row_of_values) for row_of_values in values])
    return Stages(
        tuple(names), stage_measure, place, float(options.level), levels, tuple(ids), steps, counts, room, query, row,
        qrels.grades[row], ranks, values, means, pair, within, qrels, tuple(judged),
        tuple(_notes(result, runs, ids, within, ranks)), in_family,
    )  # fmt: skip


def _last_difference(
    ends: RunValues, options: ComparisonOptions, family: RunFamily | None
) -> tuple[RunComparison, bool]:
    """Return the last stage beside the first, and whether its p is that of the declared family."""
    declared = None if family is None else family.pair(ends, options)
    own = ends.compare(replace(options.of_pairs, correction="none"), baseline=0).pair(0)
    if declared is None:
        return own, False
    if declared.by_signs:
        return declared, True
    return replace(own, tests=declared.tests, declared=declared.declared), True


def ideal_values(
    qrels: Qrels, run: Run, measures: Sequence[str | Measure], ids: Sequence[str], options: EvaluationOptions
) -> Floats:
    """Return float64[M, E]: measures of the documents of a run in ideal order, by query of ``ids``."""
    result = evaluate(qrels, [_ideal_orders(qrels, Joined(run, qrels, options), ids, options)[0]], measures, options)
    return np.stack([RunValues.of(result, measure, ids).values[0] for measure in result.measures])


def best_values(
    qrels: Qrels, run: Run, measure: str | Measure, ids: Sequence[str], options: EvaluationOptions
) -> tuple[Floats, Floats]:
    """Return float64[E] twice, by query of ``ids``: the measure of a run's documents in ideal order, and of all judged
    documents in ideal order."""
    orders = _ideal_orders(qrels, Joined(run, qrels, options), ids, options)
    result = evaluate(qrels, orders, [measure], options)
    own, best = RunValues.of(result, result.measures[0], ids).values
    return own, best


def _ideal_orders(qrels: Qrels, join: Joined, ids: Sequence[str], options: EvaluationOptions) -> tuple[Run, Run]:
    """Return the documents of a run, and all judged documents, in ideal order."""
    join_options = options.rules.join_options
    ideal = _ideal(join.run_under(join_options), join.under(join_options), ids, options.depth)
    return ideal.renamed("ideal"), _judged_run(qrels, ids).renamed("judged")


def _relevant(qrels: Qrels, ids: Sequence[str], level: float) -> tuple[Ints, Ints]:
    """Return the relevant documents of these queries: query and row of the qrels."""
    number = np.full(len(qrels.query_ids), -1, dtype=np.int64)
    number[[qrels.query_index[query] for query in ids]] = np.arange(len(ids))
    query = number[group_of_each(qrels.offsets)]
    row = np.flatnonzero((qrels.grades >= level) & (qrels.grades >= 0) & (query >= 0))
    order = np.argsort(query[row], kind="stable")
    return query[row][order], row[order]


def _ranks(judged: Judged, size: int) -> Ints:
    ranks = np.zeros(size, dtype=np.int64)
    ranks[judged.hit_row] = judged.hit_rank
    return ranks


def _steps(
    names: Sequence[str],
    judged: Sequence[Judged],
    ids: Sequence[str],
    masks: Sequence[Bools],
    grades: Floats,
    levels: Sequence[float],
    counts: Ints,
    room: Ints,
    top: int,
) -> tuple[FunnelStep, ...]:
    def by_grade(mask: Bools) -> tuple[int, ...]:
        return tuple(int((mask & (grades == level)).sum()) for level in levels)

    total = counts.sum(axis=1).tolist()
    steps = [FunnelStep("qrels", "", total[0], by_grade(masks[0]), 0, 0, total[0], 0, 0)]
    for number, (name, judged_run) in enumerate(zip(names, judged, strict=True), start=1):
        places = np.array([judged_run.query_index[query] for query in ids], dtype=np.int64)
        documents = int(judged_run.returned[places].sum())
        known = int(judged_run.judged_hits.count_by_query[places].sum())
        before = total[number - 1]
        steps.append(
            FunnelStep(
                "stored" if number == 1 else "seen", name, total[number], by_grade(masks[number]),
                before - total[number], 0, before, documents, documents - known,
            )
        )  # fmt: skip
    last = judged[-1]
    places = np.array([last.query_index[query] for query in ids], dtype=np.int64)
    documents = int(np.minimum(last.returned[places], top).sum())
    known = int(last.judged_hits.to(top).count_by_query[places].sum())
    possible = int(room.sum())
    steps.append(
        FunnelStep(
            "top", names[-1], total[-1], by_grade(masks[-1]), possible - total[-1], total[-2] - possible, possible,
            documents, documents - known,
        )
    )  # fmt: skip
    return tuple(steps)


def _ideal(run: Run, judged: Judged, ids: Sequence[str], depth: int | None) -> Run:
    """Return the documents of a run in ideal order: by grade, what is unjudged last."""
    number = np.full(len(run.query_ids), -1, dtype=np.int64)
    for position, query in enumerate(ids):
        if query in run.query_index:
            number[run.query_index[query]] = position
    scores = np.full(len(run), -1.0)
    starts = np.array([run.offsets[run.query_index.get(query, 0)] for query in judged.query_ids], dtype=np.int64)
    ranks = judged.hit_rank if judged.listed_rank is None else judged.listed_rank
    scores[starts[judged.hit_query] + ranks - 1] = np.maximum(judged.hit_grade, -1.0)
    group = group_of_each(run.offsets)
    rank = np.arange(1, len(run) + 1) - run.offsets[group]
    rows = np.flatnonzero((number[group] >= 0) & (rank <= (depth or len(run))))
    return _of_queries(ids, number[group[rows]], run.doc_ids.take(places_of(rows)), scores[rows])


def _judged_run(qrels: Qrels, ids: Sequence[str]) -> Run:
    """Return all judged documents in ideal order."""
    query, row = _relevant(qrels, ids, -math.inf)
    return _of_queries(ids, query, qrels.doc_ids.take(places_of(row)), qrels.grades[row])


def _of_queries(ids: Sequence[str], codes: Ints, documents: Strings, scores: Floats) -> Run:
    """Return a run with every one of the queries, with or without documents."""
    return Run.from_columns(tuple(ids), codes, documents, scores.astype(np.float64), distinct=True)


def _notes(result: ResultTable, runs: Sequence[Run], ids: Sequence[str], within: Floats, ranks: Ints) -> list[str]:
    warnings = [*dict.fromkeys(result.cautions), *lacking_queries(result, set(ids))]
    for number, share in enumerate(within.tolist(), start=1):
        if share < 1:
            warnings.append(
                tr(
                    "{run} does not only re-rank {first}: {share} of its documents are not among those of {first}.",
                    run=runs[number].name, first=runs[number - 1].name, share=percent(1 - share),
                )
            )  # fmt: skip
    added = int(((ranks[0] == 0) & (ranks[-1] > 0)).sum())
    if added:
        warnings.append(
            trn(
                "{n} relevant document of {run} is not within the depth of {first} and is not counted here.",
                "{n} relevant documents of {run} are not within the depth of {first} and are not counted here.",
                added, run=runs[-1].name, first=runs[0].name,
            )
        )  # fmt: skip
    return warnings
