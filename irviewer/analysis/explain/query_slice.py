"""The part of a run and of qrels for one query, and their join: the input of an explanation, at the cost of one query.

Columns are shared with the whole run and qrels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from irviewer.errors import OptionError, name_some
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Bools, Floats, Ints, frozen, offsets_of, places_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.document_lengths import ListLengths
from irviewer.model.judgments.judged import Judged
from irviewer.model.judgments.multiple import Assessments
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

_TIED_BEFORE: WeakKeyDictionary[Run, Ints] = WeakKeyDictionary()


def run_of_query(run: Run, query: str) -> Run:
    """Return the run with this query alone; without queries where it lacks it."""
    run = run.original or run
    index = run.query_index.get(query)
    if index is None:
        return replace(
            run, query_ids=(), offsets=frozen(np.zeros(1, np.int64)), doc_ids=run.doc_ids[:0], scores=run.scores[:0],
            tied=run.tied[:0], components={}, arrival=None,
        )  # fmt: skip
    start, stop = int(run.offsets[index]), int(run.offsets[index + 1])
    arrival = None
    if run.arrival is not None and run.tied[index]:
        before = _tied_before(run)
        arrival = run.arrival[before[index] : before[index + 1]]
    return replace(
        run, query_ids=(query,), offsets=frozen(np.array([0, stop - start])), doc_ids=run.doc_ids[start:stop],
        scores=run.scores[start:stop], tied=run.tied[index : index + 1], components={}, arrival=arrival,
    )  # fmt: skip


def _tied_before(run: Run) -> Ints:
    """int64[Q+1]: the number of tied documents before each query; computed once for each run."""
    counts_before = _TIED_BEFORE.get(run)
    if counts_before is None:
        counts = np.zeros(len(run.query_ids), dtype=np.int64)
        for index in np.flatnonzero(run.tied).tolist():
            counts[index] = int(tied_with_another(run.scores[run.offsets[index] : run.offsets[index + 1]]).sum())
        counts_before = _TIED_BEFORE[run] = offsets_of(counts)
    return counts_before


def tied_with_next(scores: Floats) -> Bools:
    """Return whether each document of a list and the next have the same score (two NaN do), bool[n-1]."""
    nan = np.isnan(scores)
    result: Bools = (scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1])
    return result


def tied_with_another(scores: Floats) -> Bools:
    """Return whether each document of a list has the score of a neighbour, bool[n]."""
    equal = tied_with_next(scores)
    tied = np.zeros(len(scores), dtype=np.bool_)
    tied[1:] |= equal
    tied[:-1] |= equal
    return tied


def qrels_of_query(qrels: Qrels, query: str) -> Qrels:
    """Return the qrels with this query alone."""
    index = qrels.query_index[query]
    start, stop = int(qrels.offsets[index]), int(qrels.offsets[index + 1])
    assessments = qrels.assessments
    if assessments is not None:
        rows = np.flatnonzero((assessments.rows >= start) & (assessments.rows < stop))
        assessments = Assessments(
            assessments.rows[rows] - start, assessments.grades[rows], assessments.names, assessments.codes[rows],
            assessments.sub_names,
            None if assessments.sub_codes is None else assessments.sub_codes[rows],
        )  # fmt: skip
    return Qrels(
        qrels.name, (query,), frozen(np.array([0, stop - start])), qrels.doc_ids[start:stop], qrels.grades[start:stop],
        assessments, qrels.origin, strata=None if qrels.strata is None else qrels.strata.at(np.arange(start, stop)),
        nuggets=qrels.nuggets,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class OneQuery:
    """A query of a run with its judgments.

    run, qrels   the whole run and qrels; ``part`` and ``asked`` their parts for the query
    options      the evaluation options
    """

    query: str
    run: Run
    qrels: Qrels
    part: Run
    asked: Qrels
    options: EvaluationOptions
    _joins: dict[JoinOptions, Judged] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, run: Run, qrels: Qrels, query: str, options: EvaluationOptions) -> OneQuery:
        """Return the part for a query. Raises OptionError where qrels lack the query, or options leave it out."""
        if query not in qrels.query_index:
            if query in run.query_index:
                raise OptionError(tr("query {query} of run {run} has no judgments", query=query, run=run.name))
            known = name_some(qrels.query_ids, 5)
            raise OptionError(tr("the qrels have no query {query}; they have {queries}", query=query, queries=known))
        query_part = cls(query, run, qrels, run_of_query(run, query), qrels_of_query(qrels, query), options)
        if not query_part.part.query_ids and options.missing_policy == "intersection":
            raise OptionError(
                tr(
                    "query {query} has no value: run {run} lacks it, and missing queries are left out",
                    query=query,
                    run=run.name,
                )
            )
        if options.rules.unanswerable == "drop" and not query_part.asked.relevant_counts()[0]:
            raise OptionError(
                tr(
                    "query {query} has no value: it has no relevant documents, and {dialect} leaves such queries out",
                    query=query,
                    dialect=options.rules.title,
                )
            )
        return query_part

    def ranked(self, join_options: JoinOptions) -> Run:
        """Return the list of the query under join options."""
        return self.part.reordered(join_options.ties, join_options.bits)

    def judged(self, join_options: JoinOptions) -> Judged:
        """Return the join of this query, E = 1, with the highest grade and the lengths of the whole."""
        cached = self._joins.get(join_options)
        if cached is not None:
            return cached
        judged = Joined(self.part, self.asked, self.options).under(join_options)
        lengths = judged.lengths
        if lengths is not None and self.options.lengths is not None:
            # An unknown length counts as the mean of the known ones of the whole run.
            whole = self.run.reordered(join_options.ties, join_options.bits)
            index = whole.query_index.get(self.query, -1)
            lengths = ListLengths(whole, self.options.lengths, frozen(np.array([index], dtype=np.int64)))
        judged = self._joins[join_options] = replace(judged, max_grade=self.qrels.max_grade, lengths=lengths)
        return judged


def ids_at(run: Run, positions: Ints) -> list[str]:
    """Return the document ids at positions of a one-query run."""
    return run.doc_ids.take(places_of(positions)).to_pylist()  # type: ignore[no-any-return]


def copies_of(qrels: Qrels, names: tuple[str, ...]) -> Qrels:
    """Return the judgments of one query, once for each name."""
    count, m = len(names), len(qrels)
    assessments = qrels.assessments
    if assessments is not None:
        rows = (assessments.rows[None, :] + np.arange(count)[:, None] * m).reshape(-1)
        sub = None if assessments.sub_codes is None else np.tile(assessments.sub_codes, count)
        assessments = Assessments(
            rows,
            np.tile(assessments.grades, count),
            assessments.names,
            np.tile(assessments.codes, count),
            assessments.sub_names,
            sub,
        )
    ids = qrels.doc_ids.take(places_of(np.tile(np.arange(m), count)))
    return Qrels(
        qrels.name, names, frozen(np.arange(count + 1, dtype=np.int64) * m), ids, frozen(np.tile(qrels.grades, count)),
        assessments, strata=None if qrels.strata is None else qrels.strata.at(np.tile(np.arange(m), count)),
    )  # fmt: skip


def values_under(bound_measure: BoundMeasure, joined: Joined, max_grade: float) -> Floats:
    """Return the values, float64[E], of a join with part of some qrels whose highest grade is ``max_grade``."""
    if isinstance(bound_measure.measure, Expression):
        parts = {part.measure.text: values_under(part, joined, max_grade) for part in bound_measure.parts}
        return bound_measure.measure.combine(parts)
    return bound_measure.measure.compute(replace(joined.under(bound_measure.join_options), max_grade=max_grade))
