"""The join of a run with qrels, which measures, curves and lists are computed from.

A judged run is sparse: of a thousand documents a query only the judged ones are kept, with rank and grade. Seven
million lines become about ten thousand hits, and a measure of all queries is a few numpy calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.answers.answered import Answered
from irviewer.model.arrays import (
    Bools,
    Floats,
    Ints,
    bytewise_order,
    frozen,
    group_of_each,
    offsets_of,
    sizes_of,
    sums_within,
)
from irviewer.model.document_lengths import ListLengths
from irviewer.model.judgments.multiple import Assessed
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Judged:
    """A run joined with qrels under options, over E evaluated queries in bytewise order of their ids.

    query_ids       the evaluated queries (all of the qrels, or those the run has as well), as trec_eval orders them
    in_run          bool[E]: the run has the query; a query it lacks has no hits and ``returned`` 0
    returned        int64[E]: how many documents the run returned (after depth and judged-only)
    hit_query       int64[h]: the evaluated query of each hit; a hit is a judged document that was returned
    hit_rank        int64[h]: its rank, from 1; hits are ordered by query, then rank
    hit_grade       float64[h]: its grade; below 0 means pooled but unjudged, which trec_eval counts as unjudged
    ideal_offsets   int64[E+1] into
    ideal_grades    float64: the qrels' grades of each query in descending order
    max_grade       the highest grade of the whole qrels (not only of these queries)
    hit_row         int64[h]: the judgment, as an index into the flat columns of ``qrels``
    qrels           the qrels, whose assessments diversity and preference measures read
    lengths         the run with its documents' lengths, None if unknown; read when a measure needs them
    listed_rank     int64[h]: the hits' ranks before unjudged documents were removed; None if none were
    negatives_judged    negative grades were read as 0: judged and non-relevant
    answered        the answers that the run's system made from its documents, and their labels; None without them
    """

    query_ids: tuple[str, ...]
    in_run: Bools
    returned: Ints
    hit_query: Ints
    hit_rank: Ints
    hit_grade: Floats
    ideal_offsets: Ints
    ideal_grades: Floats
    max_grade: float
    hit_row: Ints
    qrels: Qrels
    lengths: ListLengths | None = None
    listed_rank: Ints | None = None
    negatives_judged: bool = False
    answered: Answered | None = None

    @cached_property
    def n_queries(self) -> int:
        """E, the number of evaluated queries."""
        return len(self.query_ids)

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The evaluated queries that the run lacks."""
        return tuple(self.query_ids[place] for place in np.flatnonzero(~self.in_run))

    @cached_property
    def memory(self) -> dict[str, Any]:
        """A cache for results that several measures need."""
        return {}

    @cached_property
    def _hits_by_level(self) -> dict[float, Hits]:
        return {}

    @cached_property
    def _counts_by_level(self) -> dict[float, Ints]:
        return {}

    def relevant_hits(self, level: float = 1, cutoff: int | None = None) -> Hits:
        """Return the returned documents of grade ``level`` or more, down to rank ``cutoff``."""
        hits = self._hits_by_level.get(level)
        if hits is None:
            keep = (self.hit_grade >= level) & (self.hit_grade >= 0)
            hits = self._hits_by_level[level] = self._select(keep)
        return hits.to(cutoff)

    def nonrelevant_hits(self, level: float = 1) -> Hits:
        """Return the returned documents that are judged below ``level``; negative grades are unjudged."""
        return self._select((self.hit_grade >= 0) & (self.hit_grade < level))

    @cached_property
    def judged_hits(self) -> Hits:
        """The returned documents with a grade of 0 or more."""
        return self._select(self.hit_grade >= 0)

    @cached_property
    def listed_hits(self) -> Hits:
        """The returned documents that are in the qrels, with negative grades (ir_measures' "judged")."""
        return Hits.of(self.hit_query, self.hit_rank, self.hit_grade, self.n_queries)

    def _select(self, keep: Bools) -> Hits:
        return Hits.of(self.hit_query[keep], self.hit_rank[keep], self.hit_grade[keep], self.n_queries)

    @cached_property
    def hit_offsets(self) -> Ints:
        """int64[E+1]: where the hits of each evaluated query begin, and the last ones end."""
        return frozen(offsets_of(np.bincount(self.hit_query, minlength=self.n_queries)))

    @cached_property
    def ideal_query(self) -> Ints:
        """int64: the evaluated query of each ideal grade."""
        return group_of_each(self.ideal_offsets)

    @cached_property
    def ideal_rank(self) -> Ints:
        """int64: the rank, from 1, of each ideal grade in the ideal ranking of its query."""
        return np.arange(1, len(self.ideal_grades) + 1) - self.ideal_offsets[self.ideal_query]

    def relevant_count(self, level: float = 1) -> Ints:
        """Return R, int64[E]: the number of documents of grade ``level`` or more in the qrels, returned or not."""
        count = self._counts_by_level.get(level)
        if count is None:
            keep = (self.ideal_grades >= level) & (self.ideal_grades >= 0)
            counts = np.bincount(self.ideal_query[keep], minlength=self.n_queries)
            count = self._counts_by_level[level] = frozen(counts.astype(np.int64))
        return count

    def nonrelevant_count(self, level: float = 1) -> Ints:
        """Return N, int64[E]: the number of documents judged below ``level`` in the qrels, without negative grades."""
        keep = (self.ideal_grades >= 0) & (self.ideal_grades < level)
        return np.bincount(self.ideal_query[keep], minlength=self.n_queries).astype(np.int64)

    @cached_property
    def judged_only(self) -> Judged:
        """The judged run with unjudged documents removed from the rankings (trec_eval -J, ``judged_only=True``)."""
        hits = self.judged_hits
        return replace(
            self,
            returned=hits.count_by_query,
            hit_query=hits.query,
            hit_rank=hits.ordinal,
            hit_grade=hits.grade,
            hit_row=self.hit_row[self.hit_grade >= 0],
            listed_rank=hits.rank if self.listed_rank is None else self.listed_rank[self.hit_grade >= 0],
        )

    @cached_property
    def read_down_to(self) -> Floats:
        """float64[h]: the length read of a list down to and including each hit, in the unit of the lengths; of the
        judged documents only where the others were removed. Raises MeasureError if no lengths are known."""
        if self.lengths is None:
            raise MeasureError(
                tr("this measure needs the lengths of documents; open a file of the documents (--documents FILE)")
            )
        if self.listed_rank is None:
            return self.lengths.down_to(self.hit_query, self.hit_rank)
        own = self.lengths.one(self.hit_query, self.listed_rank)
        return sums_within(own, self.hit_offsets)

    @cached_property
    def assessed(self) -> Assessed:
        """The assessments of the documents (by subtopic or judge), with ranks. Qrels without a meaningful second
        column have one group, 0, for each query."""
        qrels, places = self.qrels, [self.qrels.query_index[query] for query in self.query_ids]
        ranks = np.zeros(len(qrels), dtype=np.int64)
        ranks[self.hit_row] = self.hit_rank
        assessments = qrels.assessments
        rows = np.arange(len(qrels)) if assessments is None else assessments.rows
        number = np.full(len(qrels.query_ids), -1, dtype=np.int64)
        number[places] = np.arange(self.n_queries)
        query = number[group_of_each(qrels.offsets)[rows]]
        nothing = np.zeros(len(rows), dtype=np.int64)
        group = nothing if assessments is None else assessments.codes
        subgroup = nothing if assessments is None or assessments.sub_codes is None else assessments.sub_codes
        grades = qrels.grades if assessments is None else assessments.grades
        order = np.flatnonzero(query >= 0)
        order = order[np.argsort(query[order], kind="stable")]
        rows = rows[order]
        return Assessed(
            query[order], rows, ranks[rows], group[order], subgroup[order], grades[order], self.n_queries
        )  # fmt: skip

    @cached_property
    def with_negatives_judged(self) -> Judged:
        """The judged run with negative grades read as 0: judged and non-relevant."""
        return replace(
            self,
            hit_grade=frozen(np.maximum(self.hit_grade, 0.0)),
            ideal_grades=frozen(np.maximum(self.ideal_grades, 0.0)),
            negatives_judged=True,
        )

    def hits_of(self, query: int) -> tuple[Ints, Floats]:
        """Return ranks and grades of one evaluated query's hits, by rank. Most runs are asked for one query only, for
        which all offsets would take longer to find."""
        own = slice(*self.hit_query.searchsorted((query, query + 1)).tolist())
        return self.hit_rank[own], self.hit_grade[own]

    def ideal_of(self, query: int) -> Floats:
        """The qrels' grades of one evaluated query, descending."""
        return self.ideal_grades[self.ideal_offsets[query] : self.ideal_offsets[query + 1]]

    @cached_property
    def query_index(self) -> dict[str, int]:
        """Query id -> its index in ``query_ids``."""
        return {query: position for position, query in enumerate(self.query_ids)}


@dataclass(frozen=True, eq=False)
class Hits:
    """Some of a judged run's returned documents, ordered by query, then rank: h of them over E queries.

    query, rank, ordinal   int64[h]; ``ordinal`` counts the hits of a query from 1
    grade                  float64[h]
    """

    query: Ints
    rank: Ints
    grade: Floats
    ordinal: Ints
    n_queries: int

    @classmethod
    def of(cls, query: Ints, rank: Ints, grade: Floats, n_queries: int) -> Hits:
        """Return hits with their ordinals."""
        starts = offsets_of(np.bincount(query, minlength=n_queries))
        ordinal = np.arange(1, len(query) + 1) - starts[query]
        return cls(query, rank, grade, ordinal, n_queries)

    def to(self, cutoff: int | None) -> Hits:
        """Return the hits at rank ``cutoff`` or better; ordinals do not change."""
        return self if cutoff is None else self.where(self.rank <= cutoff)

    def where(self, keep: Bools) -> Hits:
        """Return some of the hits; ordinals do not change."""
        return Hits(self.query[keep], self.rank[keep], self.grade[keep], self.ordinal[keep], self.n_queries)

    def sum_by_query(self, values: Floats) -> Floats:
        """Return float64[E]: the sums of ``values`` (one per hit) in rank order, as trec_eval adds them."""
        return np.bincount(self.query, weights=values, minlength=self.n_queries).astype(np.float64, copy=False)

    @cached_property
    def count_by_query(self) -> Ints:
        """int64[E]: the number of hits of each query."""
        return np.bincount(self.query, minlength=self.n_queries).astype(np.int64)

    def first_by_query(self, values: Ints | Floats, default: float) -> Floats:
        """Return float64[E]: the value at each query's first hit, ``default`` for a query without hits."""
        result = np.full(self.n_queries, default, dtype=np.float64)
        first = np.ones(len(self.query), dtype=np.bool_)
        first[1:] = self.query[1:] != self.query[:-1]
        result[self.query[first]] = values[first]
        return result


def judge(
    run: Run, qrels: Qrels, options: EvaluationOptions | None = None, queries: Sequence[str] | None = None
) -> Judged:
    """Join a run with qrels.

    ``queries`` limits the evaluation to some of the qrels' queries (an edited judgment costs one query); ids that are
    not in the qrels are ignored, as are the run's queries without judgments. Raises OptionError for a run of stored
    values, which has no documents."""
    if run.stored is not None:
        raise run.stored.refuse(run.name)
    options = options or EvaluationOptions()
    evaluated = _evaluated_queries(run, qrels, options, queries)
    ids = qrels.ordered_query_ids
    if evaluated is not qrels.query_order:
        ids = tuple([qrels.query_ids[place] for place in evaluated.tolist()])
    # Often the files have the same queries in the same order: then none is looked up.
    run_place = evaluated if run.query_ids == qrels.query_ids else run.places_of_queries(ids)
    in_run = run_place >= 0
    lengths = sizes_of(run.offsets)
    returned = np.where(in_run, lengths[run_place] if len(lengths) else 0, 0)

    hit_query, hit_rank, hit_row = _hits(run, qrels, evaluated, run_place)
    if options.depth is not None:
        keep = hit_rank <= options.depth
        hit_query, hit_rank, hit_row = hit_query[keep], hit_rank[keep], hit_row[keep]
        returned = np.minimum(returned, options.depth)

    counts = sizes_of(qrels.offsets)[evaluated]
    ideal_offsets = offsets_of(counts)
    rows = np.repeat(qrels.offsets[evaluated] - ideal_offsets[:-1], counts) + np.arange(int(counts.sum()))
    judged = Judged(
        ids,
        frozen(in_run),
        frozen(returned),
        frozen(hit_query),
        frozen(hit_rank),
        frozen(qrels.grades[hit_row]),
        frozen(ideal_offsets),
        frozen(qrels.descending[rows]),
        qrels.max_grade,
        frozen(hit_row),
        qrels,
        None if options.lengths is None else ListLengths(run, options.lengths, frozen(run_place)),
        answered=run.answered,
    )
    return judged.judged_only if options.judged_only else judged


def _evaluated_queries(run: Run, qrels: Qrels, options: EvaluationOptions, queries: Sequence[str] | None) -> Ints:
    """Return the indices in the qrels of the queries to evaluate, in bytewise order of their ids."""
    wanted = qrels.query_order if queries is None else _ordered(qrels, queries)
    if options.missing_policy == "intersection":
        wanted = np.array([p for p in wanted if qrels.query_ids[p] in run.query_index], dtype=np.int64)
    if options.rules.unanswerable == "drop":
        wanted = wanted[qrels.relevant_counts()[wanted] > 0]
    return wanted


def _ordered(qrels: Qrels, queries: Sequence[str]) -> Ints:
    known = [query for query in dict.fromkeys(queries) if query in qrels.query_index]
    return np.array([qrels.query_index[known[place]] for place in bytewise_order(known)], dtype=np.int64)


def _hits(run: Run, qrels: Qrels, evaluated: Ints, run_place: Ints) -> tuple[Ints, Ints, Ints]:
    """Return (evaluated query, rank, row of the qrels) of every returned document that the qrels have for its query."""
    if not len(qrels) or not len(run):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    # Few documents are judged for any query: find those first, then which of them are judged for this query.
    rows, documents = run.rows_in(qrels.id_lookup)
    run_query = np.searchsorted(run.offsets, rows, side="right") - 1
    place_of_run_query = np.full(len(run.query_ids), -1, dtype=np.int64)
    present = np.flatnonzero(run_place >= 0)
    place_of_run_query[run_place[present]] = present
    query = place_of_run_query[run_query]
    keep = query >= 0
    rows, query, run_query = rows[keep], query[keep], run_query[keep]
    keys = evaluated[query] * len(qrels.vocabulary) + documents[keep]
    judged_keys, judged_rows = qrels.pairs
    places = np.minimum(np.searchsorted(judged_keys, keys), len(judged_keys) - 1)
    hit = judged_keys[places] == keys
    rank = rows[hit] - run.offsets[run_query[hit]] + 1
    query, row = query[hit], judged_rows[places[hit]]
    if np.any(np.diff(query) < 0):
        order = np.lexsort((rank, query))
        query, rank, row = query[order], rank[order], row[order]
    return query, rank, row


# A judged run on some of its queries, for curves averaged over a query set.


def restricted(judged: Judged, within: Bools) -> Judged:
    """Return the judged run on the queries where ``within`` bool[E] is True. Lengths of documents are left out:
    measures that need them are computed for all queries, and their values are selected."""
    if len(within) != judged.n_queries:
        raise ValueError(f"{len(within)} marks for {judged.n_queries} queries")
    places = np.flatnonzero(within)
    number = np.full(judged.n_queries, -1, dtype=np.int64)
    number[places] = np.arange(len(places))
    hits = number[judged.hit_query] >= 0
    ideal = number[judged.ideal_query] >= 0
    counts = sizes_of(judged.ideal_offsets)[places]
    return replace(
        judged,
        query_ids=tuple(judged.query_ids[position] for position in places.tolist()),
        in_run=frozen(judged.in_run[places]),
        returned=frozen(judged.returned[places]),
        hit_query=frozen(number[judged.hit_query[hits]]),
        hit_rank=frozen(judged.hit_rank[hits]),
        hit_grade=frozen(judged.hit_grade[hits]),
        ideal_offsets=frozen(offsets_of(counts)),
        ideal_grades=frozen(judged.ideal_grades[ideal]),
        hit_row=frozen(judged.hit_row[hits]),
        lengths=None,
        listed_rank=None if judged.listed_rank is None else frozen(judged.listed_rank[hits]),
    )
