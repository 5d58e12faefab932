"""One query's part of a run and of qrels, and their join: what an explanation reads, at the cost of one query.

The columns are shared, nothing is copied but what the query holds. Knows no measure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from irviewer.errors import OptionError
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

_TIED_BEFORE: WeakKeyDictionary[Run, Ints] = WeakKeyDictionary()


def run_of_query(run: Run, query: str) -> Run:
    """The run with this query alone; with none where it lacks it."""
    run = run.original or run
    place = run.query_index.get(query)
    if place is None:
        return replace(
            run, query_ids=(), offsets=frozen(np.zeros(1, np.int64)), doc_ids=run.doc_ids[:0], scores=run.scores[:0],
            tied=run.tied[:0], components={}, arrival=None,
        )  # fmt: skip
    start, stop = int(run.offsets[place]), int(run.offsets[place + 1])
    arrival = None
    if run.arrival is not None and run.tied[place]:
        before = _tied_before(run)
        arrival = run.arrival[before[place] : before[place + 1]]
    return replace(
        run, query_ids=(query,), offsets=frozen(np.array([0, stop - start])), doc_ids=run.doc_ids[start:stop],
        scores=run.scores[start:stop], tied=run.tied[place : place + 1], components={}, arrival=arrival,
    )  # fmt: skip


def _tied_before(run: Run) -> Ints:
    """int64[Q+1]: how many documents that share their score stand before each query; found once a run."""
    known = _TIED_BEFORE.get(run)
    if known is None:
        counts = np.zeros(len(run.query_ids), dtype=np.int64)
        for place in np.flatnonzero(run.tied).tolist():
            counts[place] = int(tied_with_another(run.scores[run.offsets[place] : run.offsets[place + 1]]).sum())
        known = _TIED_BEFORE[run] = offsets_of(counts)
    return known


def tied_with_next(scores: Floats) -> Bools:
    """bool[n-1]: whether a document of one list and the next share their score (two NaN do)."""
    nan = np.isnan(scores)
    result: Bools = (scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1])
    return result


def tied_with_another(scores: Floats) -> Bools:
    """bool[n]: whether a document of one list shares its score with a neighbour."""
    equal = tied_with_next(scores)
    found = np.zeros(len(scores), dtype=np.bool_)
    found[1:] |= equal
    found[:-1] |= equal
    return found


def qrels_of_query(qrels: Qrels, query: str) -> Qrels:
    """The qrels with this query alone."""
    place = qrels.query_index[query]
    start, stop = int(qrels.offsets[place]), int(qrels.offsets[place + 1])
    said = qrels.assessments
    if said is not None:
        rows = np.flatnonzero((said.rows >= start) & (said.rows < stop))
        said = Assessments(
            said.rows[rows] - start, said.grades[rows], said.names, said.codes[rows], said.sub_names,
            None if said.sub_codes is None else said.sub_codes[rows],
        )  # fmt: skip
    return Qrels(
        qrels.name, (query,), frozen(np.array([0, stop - start])), qrels.doc_ids[start:stop], qrels.grades[start:stop],
        said, qrels.origin,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class OneQuery:
    """A query of a run beside its judgments.

    run, qrels   the whole; ``part`` and ``asked`` the query's share of them
    options      the choices behind the value
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
        """The query's share. Raises OptionError where the qrels do not have the query, or where options leave it out
        of the evaluation."""
        if query not in qrels.query_index:
            known = f"; the run {run.name} has it, but nothing was judged for it" if query in run.query_index else ""
            raise OptionError(f"the qrels have no query {query}{known}")
        one = cls(query, run, qrels, run_of_query(run, query), qrels_of_query(qrels, query), options)
        if not one.part.query_ids and options.missing_policy == "intersection":
            raise OptionError(f"query {query} has no value for {run.name}: the run lacks it, and such are left out")
        if options.rules.unanswerable == "drop" and not one.asked.relevant_counts()[0]:
            raise OptionError(
                f"query {query} has no value: no document is relevant, and {options.rules.title} leaves such out"
            )
        return one

    def ranked(self, join_options: JoinOptions) -> Run:
        """The query's list under a reading."""
        return self.part.reordered(join_options.ties, join_options.bits)

    def judged(self, join_options: JoinOptions) -> Judged:
        """The join of this one query, E = 1, with what the whole decides (the highest grade, unknown lengths)."""
        known = self._joins.get(join_options)
        if known is not None:
            return known
        found = Joined(self.part, self.asked, self.options).under(join_options)
        lengths = found.lengths
        if lengths is not None and self.options.lengths is not None:
            # An unknown length counts as the mean of the run's known ones: of the whole run's.
            whole = self.run.reordered(join_options.ties, join_options.bits)
            place = whole.query_index.get(self.query, -1)
            lengths = ListLengths(whole, self.options.lengths, frozen(np.array([place], dtype=np.int64)))
        found = self._joins[join_options] = replace(found, max_grade=self.qrels.max_grade, lengths=lengths)
        return found


def ids_at(run: Run, places: Ints) -> list[str]:
    """The document ids at places of a one-query run."""
    return run.doc_ids.take(places_of(places)).to_pylist()  # type: ignore[no-any-return]


def copies_of(qrels: Qrels, names: tuple[str, ...]) -> Qrels:
    """The judgments of one query, once for each name."""
    count, m = len(names), len(qrels)
    said = qrels.assessments
    if said is not None:
        rows = (said.rows[None, :] + np.arange(count)[:, None] * m).reshape(-1)
        sub = None if said.sub_codes is None else np.tile(said.sub_codes, count)
        said = Assessments(
            rows, np.tile(said.grades, count), said.names, np.tile(said.codes, count), said.sub_names, sub
        )
    ids = qrels.doc_ids.take(places_of(np.tile(np.arange(m), count)))
    return Qrels(
        qrels.name, names, frozen(np.arange(count + 1, dtype=np.int64) * m), ids, frozen(np.tile(qrels.grades, count)),
        said,
    )  # fmt: skip


def values_under(bound_measure: BoundMeasure, joined: Joined, max_grade: float) -> Floats:
    """float64[E]: the values of a join that stands for part of some qrels, whose highest grade is ``max_grade``."""
    if isinstance(bound_measure.measure, Expression):
        parts = {one.measure.text: values_under(one, joined, max_grade) for one in bound_measure.parts}
        return bound_measure.measure.combine(parts)
    return bound_measure.measure.compute(replace(joined.under(bound_measure.join_options), max_grade=max_grade))
