"""Leverage of disagreements: how much a measure changes if one grade is replaced by another judge's.

A trial is the query's judged hits and ideal ranking with one grade changed; no list is copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.analysis.agreement.confusion import Disagreement
from irviewer.analysis.agreement.grades_of_runs import depth_of
from irviewer.analysis.pooling.unjudged import repeated
from irviewer.errors import MeasureError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, bound_measures, value_of
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats, Ints, frozen, group_of_each, offsets_of
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

AT_A_TIME = 1_000_000
"""The number of entries of judged runs in one step."""


@dataclass(frozen=True, eq=False)
class Leverage:
    """The effect of D changed grades on N runs.

    changes    float64[D, N]: each run's value on the query with the grade changed, minus the current value
    queries    the number of queries of a mean, by which a change of a value is divided in the mean
    in_top     int64[D]: the number of runs with the document among their first ``depth``
    condensed  the judge whose unjudged documents were removed from the runs first, "" if nothing was removed
    """

    measure: str
    runs: tuple[str, ...]
    changes: Floats
    queries: int
    depth: int
    in_top: Ints
    condensed: str = ""

    @cached_property
    def most(self) -> Ints:
        """int64[D]: the run that changes most."""
        return frozen(np.argmax(np.abs(np.nan_to_num(self.changes)), axis=1))

    @cached_property
    def largest(self) -> Floats:
        """float64[D]: the change of that run."""
        return frozen(np.take_along_axis(self.changes, self.most[:, None], axis=1)[:, 0])

    @property
    def of_means(self) -> Floats:
        """float64[D, N]: changes of the runs' means."""
        return self.changes / max(self.queries, 1)

    def of_difference(self, run: int, baseline: int) -> Floats:
        """Return float64[D]: changes of the mean difference of two runs."""
        return np.asarray((self.changes[:, run] - self.changes[:, baseline]) / max(self.queries, 1))

    @property
    def condensed_note(self) -> str:
        """The sentence that says whose unjudged documents were removed, "" if nothing was removed."""
        if not self.condensed:
            return ""
        return tr("Judged only: the documents that {judge} did not judge are removed from the runs.",
                  judge=self.condensed)  # fmt: skip

    @property
    def order(self) -> Ints:
        """int64[D]: the changes by size, the largest first."""
        return np.asarray(np.argsort(-np.abs(np.nan_to_num(self.largest)), kind="stable"))


def leverage(
    changes: Sequence[Disagreement],
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure = "nDCG@10",
    options: EvaluationOptions | None = None,
) -> Leverage:
    """Return the leverage of disagreements: the first judge's ``qrels`` with the second's grade of one document, one
    document at a time. Raises MeasureError for a measure that reads more than grades and ranks (preferences, subtopics,
    lengths)."""
    options = options or EvaluationOptions()
    (bound,) = bound_measures([measure], qrels, options)
    _check(bound)
    differences = np.zeros((len(changes), len(runs)))
    in_top = np.zeros(len(changes), dtype=np.int64)
    depth = depth_of(bound.measure)
    rows = _rows(qrels, changes)
    grades = np.array([change.second for change in changes])
    for number, run in enumerate(runs):
        joined = Joined(run, qrels, options)
        judged = joined.under(bound.join_options)
        before = value_of(bound, joined)
        if "assessed" in vars(judged):  # the measure uses the judgment of a document more than once
            raise _refused(bound)
        rank = np.zeros(len(qrels), dtype=np.int64)
        rank[judged.hit_row] = judged.hit_rank if judged.listed_rank is None else judged.listed_rank
        in_top += (rank[rows] > 0) & (rank[rows] <= depth)
        differences[:, number] = _after(bound, judged, qrels, rows, grades, before)
    return Leverage(
        bound.measure.text, tuple(run.name for run in runs), frozen(differences), len(qrels.query_ids), depth,
        frozen(in_top), qrels.name if options.judged_only else "",
    )  # fmt: skip


def _check(bound: BoundMeasure) -> None:
    measure = bound.measure
    if isinstance(measure, Expression) or measure.aggregate not in ("mean", "geometric") or measure.is_text:
        raise _refused(bound)


def _refused(bound: BoundMeasure) -> MeasureError:
    text = tr(
        "{measure}: the effect of single grades cannot be computed. Choose a measure such as nDCG@10.",
        measure=bound.measure,
    )
    return MeasureError(text)


def _rows(qrels: Qrels, changes: Sequence[Disagreement]) -> Ints:
    """Return int64[D]: the judgment of each document."""
    codes = {doc: code for code, doc in enumerate(qrels.vocabulary.to_pylist())}
    keys, order = qrels.pairs
    wanted = np.array(
        [qrels.query_index[change.query_id] * len(codes) + codes[change.doc_id] for change in changes], dtype=np.int64
    )
    return np.asarray(order[np.searchsorted(keys, wanted)])


def _after(
    bound: BoundMeasure, judged: Judged, qrels: Qrels, rows: Ints, grades: Floats, before: Floats
) -> Floats:  # fmt: skip
    """Return float64[D]: the changes of one run's values; 0 on queries that do not count for it."""
    evaluated = np.full(len(qrels.query_ids), -1, dtype=np.int64)
    for position, name in enumerate(judged.query_ids):
        evaluated[qrels.query_index[name]] = position
    query = evaluated[group_of_each(qrels.offsets)[rows]]
    result = np.zeros(len(rows))
    kept = np.flatnonzero(query >= 0)
    hits = np.bincount(judged.hit_query, minlength=judged.n_queries)
    work = np.cumsum((hits + np.diff(judged.ideal_offsets) + 1)[query[kept]])
    start = 0
    while start < len(kept):
        done = int(work[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(work, done + AT_A_TIME)))
        part = kept[start:stop]
        values = bound.measure.compute(with_other_grade(judged, query[part], rows[part], grades[part]))
        result[part] = values - before[query[part]]
        start = stop
    return result


def with_other_grade(judged: Judged, query: Ints, rows: Ints, grades: Floats) -> Judged:
    """Return a judged run of T queries: ``query`` int64[T], each with the grade of one judgment (``rows`` int64[T], of
    the qrels) changed to ``grades`` float64[T]."""
    starts = np.searchsorted(judged.hit_query, np.arange(judged.n_queries + 1))
    number, hit = repeated(starts, query)
    own = judged.hit_row[hit] == rows[number]
    hit_grade = np.where(own, grades[number], judged.hit_grade[hit])
    former = judged.qrels.grades[rows]
    if judged.negatives_judged:
        former, grades = np.maximum(former, 0.0), np.maximum(grades, 0.0)
    better, ideal = repeated(judged.ideal_offsets, query)
    ideal_grades = judged.ideal_grades[ideal]
    sizes = np.diff(judged.ideal_offsets)[query]
    offsets = offsets_of(sizes)
    # One entry of the former grade is replaced by the new one; then each query's grades are sorted again.
    place = np.flatnonzero(ideal_grades == former[better])
    _, first = np.unique(better[place], return_index=True)
    ideal_grades[place[first]] = grades[better[place[first]]]
    ideal_grades = ideal_grades[np.lexsort((-ideal_grades, better))]
    return replace(
        judged,
        query_ids=tuple(judged.query_ids[at] for at in query.tolist()),
        in_run=judged.in_run[query],
        returned=judged.returned[query],
        hit_query=frozen(number),
        hit_rank=frozen(judged.hit_rank[hit]),
        hit_grade=frozen(hit_grade),
        hit_row=frozen(judged.hit_row[hit]),
        ideal_offsets=frozen(offsets),
        ideal_grades=frozen(ideal_grades),
        lengths=None,
        listed_rank=None,
    )
