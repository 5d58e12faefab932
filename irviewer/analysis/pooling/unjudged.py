"""The unjudged documents of runs, and judged runs in which some of them are assumed to be relevant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints, frozen, group_of_each, offsets_of, sizes_of
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class Unjudged:
    """The documents of each query's list that have no grade of 0 or more.

    query, rank    int64[u], ordered by query, then rank
    offsets        int64[E+1]
    limit          the last rank that is considered
    """

    query: Ints
    rank: Ints
    offsets: Ints
    limit: float = np.inf

    @classmethod
    def of(cls, judged: Judged, limit: int | None = None) -> Unjudged:
        """Return the unjudged documents down to rank ``limit``, by default of the whole lists."""
        lengths = judged.returned if limit is None else np.minimum(judged.returned, limit)
        starts = offsets_of(lengths)
        open_ = np.ones(int(starts[-1]), dtype=np.bool_)
        is_judged = (judged.hit_grade >= 0) & (judged.hit_rank <= lengths[judged.hit_query])
        open_[starts[judged.hit_query[is_judged]] + judged.hit_rank[is_judged] - 1] = False
        positions = np.flatnonzero(open_)
        query = group_of_each(starts)[positions]
        counts = np.bincount(query, minlength=judged.n_queries)
        return cls(query, positions - starts[query] + 1, offsets_of(counts), np.inf if limit is None else limit)

    @property
    def counts(self) -> Ints:
        """int64[E]: unjudged documents of each query."""
        return sizes_of(self.offsets)

    @property
    def ordinal(self) -> Ints:
        """int64[u]: the number of each document among those of its query, from 0."""
        return np.arange(len(self.query)) - self.offsets[self.query]


@dataclass(frozen=True, eq=False)
class Chosen:
    """P assignments to try, each of one query: the first ``relevant`` unjudged documents are relevant, or where
    ``last`` the last ones; the others are non-relevant."""

    query: Ints
    relevant: Ints
    last: Bools

    def part(self, rows: slice) -> Chosen:
        """Return some of the assignments."""
        return Chosen(self.query[rows], self.relevant[rows], self.last[rows])


def everyone(counts: Ints, relevant: Ints) -> Chosen:
    """Return one assignment for each query, with ``relevant`` int64[E] relevant documents."""
    n = len(counts)
    return Chosen(np.arange(n), relevant, np.zeros(n, dtype=np.bool_))


def chains(counts: Ints) -> Chosen:
    """Return, for each query with u unjudged documents, the first 0 … u relevant and the last 1 … u - 1."""
    sizes = counts + 1 + np.maximum(counts - 1, 0)
    query = np.repeat(np.arange(len(counts)), sizes)
    step = np.arange(len(query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    last = step > counts[query]
    return Chosen(query, np.where(last, step - counts[query], step), last)


def assigned(judged: Judged, unjudged: Unjudged, chosen: Chosen, grade: float) -> Judged:
    """Return a judged run whose queries are the assignments: relevant documents have ``grade``, the others 0, in the
    lists and in the ideal. Documents below the limit of ``unjudged`` do not change."""
    is_judged = judged.hit_grade >= 0
    query = np.concatenate([judged.hit_query[is_judged], unjudged.query])
    rank = np.concatenate([judged.hit_rank[is_judged], unjudged.rank])
    base = np.concatenate([judged.hit_grade[is_judged], np.zeros(len(unjudged.rank))])
    ordinal = np.concatenate([np.full(int(is_judged.sum()), -1), unjudged.ordinal])
    order = np.lexsort((rank, query))
    rank, base, ordinal = rank[order], base[order], ordinal[order]
    starts = offsets_of(np.bincount(query, minlength=judged.n_queries))
    number, row = repeated(starts, chosen.query)
    ordinal_of_row, counts = ordinal[row], unjudged.counts[chosen.query]
    first = np.where(chosen.last, counts - chosen.relevant, 0)[number]
    past = np.where(chosen.last, counts, chosen.relevant)[number]
    grades = np.where((ordinal_of_row >= 0) & (ordinal_of_row >= first) & (ordinal_of_row < past), grade, base[row])
    added_offsets = offsets_of(counts)
    position = np.arange(int(added_offsets[-1])) - added_offsets[:-1].repeat(counts)
    added = np.where(position < chosen.relevant.repeat(counts), grade, 0.0)
    negative = (judged.hit_grade < 0) & (judged.hit_rank <= unjudged.limit)
    removed = np.bincount(judged.hit_query[negative], minlength=judged.n_queries)
    return _judged_ways(judged, chosen.query, (number, rank[row], grades), (added_offsets, added), removed, grade)


def tried(
    judged: Judged, unjudged: Unjudged, query: int, grades: tuple[Floats, Floats], grade: float, listed: Bools
) -> Judged:
    """Return a judged run whose queries are ways to judge one query.

    grades   float64[A, u] of its unjudged documents by rank, float64[A, v] of documents that its list lacks
    grade    the highest possible grade
    listed   bool[u + v]: which of them the qrels list with a negative grade"""
    own_grades, elsewhere = grades
    n_ways = len(own_grades)
    span = slice(*np.searchsorted(judged.hit_query, [query, query + 1]).tolist())
    is_judged = judged.hit_grade[span] >= 0
    ranks, known_grades = judged.hit_rank[span][is_judged], judged.hit_grade[span][is_judged]
    opened = unjudged.rank[unjudged.offsets[query] : unjudged.offsets[query + 1]]
    every = np.concatenate([np.broadcast_to(known_grades, (n_ways, len(known_grades))), own_grades], axis=1)
    order = np.argsort(np.concatenate([ranks, opened]), kind="stable")
    rank = np.tile(np.concatenate([ranks, opened])[order], n_ways)
    number = np.repeat(np.arange(n_ways), len(order))
    added = np.concatenate([own_grades, elsewhere], axis=1)
    added_offsets = np.arange(n_ways + 1) * added.shape[1]
    hits = number, rank, every[:, order].ravel()
    removed = np.full(judged.n_queries, int(listed.sum()))
    return _judged_ways(judged, np.full(n_ways, query), hits, (added_offsets, added.ravel()), removed, grade)


def _judged_ways(
    judged: Judged,
    queries: Ints,
    hits: tuple[Ints, Ints, Floats],
    added: tuple[Ints, Floats],
    removed: Ints,
    grade: float,
) -> Judged:
    """A judged run whose queries are ways to judge ``queries``. ``hits`` are (way, rank, grade); ``added`` the grades
    that are added to the ideal rankings, flat by way, with offsets; ``removed`` int64[E] how many negative grades each
    query's ideal loses, whose documents are among those added; ``grade`` the highest possible grade."""
    number, row = repeated(judged.ideal_offsets, queries)
    stays = row < (judged.ideal_offsets[1:] - removed)[queries[number]]  # negative grades are the last
    offsets, grades = added
    number = np.concatenate([number[stays], group_of_each(offsets)])
    grades = np.concatenate([judged.ideal_grades[row[stays]], grades])
    order = np.lexsort((-grades, number))
    lengths = judged.lengths
    if lengths is not None:
        lengths = lengths.of_queries(queries)
    return replace(
        judged,
        query_ids=tuple(judged.query_ids[query] for query in queries.tolist()),
        in_run=judged.in_run[queries],
        returned=judged.returned[queries],
        hit_query=frozen(hits[0]),
        hit_rank=frozen(hits[1]),
        hit_grade=frozen(hits[2]),
        hit_row=frozen(np.zeros(len(hits[0]), dtype=np.int64)),  # no measure with bounds reads it
        ideal_offsets=frozen(offsets_of(np.bincount(number, minlength=len(queries)))),
        ideal_grades=frozen(grades[order]),
        max_grade=judged.max_grade if judged.max_grade > 0 else grade,
        lengths=lengths,
        listed_rank=None,
    )


def repeated(offsets: Ints, groups: Ints) -> tuple[Ints, Ints]:
    """Return the rows of ``groups``, which may contain repetitions, as (index in ``groups``, row)."""
    sizes = sizes_of(offsets)[groups]
    number = np.repeat(np.arange(len(groups)), sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return number, offsets[groups][number] + within


def residual(judged: Judged, p: float) -> Floats:
    """Return the residual of rank-biased precision, float64[E]: the weight of all unjudged ranks, also below the end of
    the list (Moffat and Zobel 2008); 1 for a query that the run lacks."""
    hits = judged.judged_hits
    return 1.0 - (1.0 - p) * hits.sum_by_query(np.power(p, hits.rank - 1.0))
