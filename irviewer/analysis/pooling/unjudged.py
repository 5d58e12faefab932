"""What of the returned documents is unjudged, and judged runs in which some of it is taken for relevant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints, frozen, group_of_each, offsets_of
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class Unjudged:
    """The first documents of each query's list that have no grade of 0 or more.

    query, rank    int64[u], ordered by query, then rank
    offsets        int64[E+1]
    limit          the rank down to which was looked
    """

    query: Ints
    rank: Ints
    offsets: Ints
    limit: float = np.inf

    @classmethod
    def of(cls, judged: Judged, limit: int | None = None) -> Unjudged:
        """Those down to rank ``limit``; without it, of the whole lists."""
        lengths = judged.returned if limit is None else np.minimum(judged.returned, limit)
        starts = offsets_of(lengths)
        open_ = np.ones(int(starts[-1]), dtype=np.bool_)
        known = (judged.hit_grade >= 0) & (judged.hit_rank <= lengths[judged.hit_query])
        open_[starts[judged.hit_query[known]] + judged.hit_rank[known] - 1] = False
        places = np.flatnonzero(open_)
        query = group_of_each(starts)[places]
        counts = np.bincount(query, minlength=judged.n_queries)
        return cls(query, places - starts[query] + 1, offsets_of(counts), np.inf if limit is None else limit)

    @property
    def counts(self) -> Ints:
        """int64[E]"""
        return np.diff(self.offsets)

    @property
    def ordinal(self) -> Ints:
        """int64[u]: which of its query's they are, from 0."""
        return np.arange(len(self.query)) - self.offsets[self.query]


@dataclass(frozen=True, eq=False)
class Chosen:
    """Assignments to try: P of them, each of one query. The first ``relevant`` unjudged documents are relevant, or
    where ``last``, the last ones; the others are non-relevant."""

    query: Ints
    relevant: Ints
    last: Bools

    def part(self, rows: slice) -> Chosen:
        """Some of them."""
        return Chosen(self.query[rows], self.relevant[rows], self.last[rows])


def everyone(counts: Ints, relevant: Ints) -> Chosen:
    """One assignment a query."""
    n = len(counts)
    return Chosen(np.arange(n), relevant, np.zeros(n, dtype=np.bool_))


def chains(counts: Ints) -> Chosen:
    """For each query with u unjudged documents: the first 0 … u relevant, and the last 1 … u - 1."""
    sizes = counts + 1 + np.maximum(counts - 1, 0)
    query = np.repeat(np.arange(len(counts)), sizes)
    step = np.arange(len(query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    last = step > counts[query]
    return Chosen(query, np.where(last, step - counts[query], step), last)


def assigned(judged: Judged, unjudged: Unjudged, chosen: Chosen, grade: float) -> Judged:
    """A judged run whose queries are the assignments: relevant documents have ``grade``, the others 0, in the lists
    and in the ideal. Of documents below the unjudged ones' limit nothing changes."""
    known = judged.hit_grade >= 0
    query = np.concatenate([judged.hit_query[known], unjudged.query])
    rank = np.concatenate([judged.hit_rank[known], unjudged.rank])
    base = np.concatenate([judged.hit_grade[known], np.zeros(len(unjudged.rank))])
    ordinal = np.concatenate([np.full(int(known.sum()), -1), unjudged.ordinal])
    order = np.lexsort((rank, query))
    rank, base, ordinal = rank[order], base[order], ordinal[order]
    starts = offsets_of(np.bincount(query, minlength=judged.n_queries))
    number, row = repeated(starts, chosen.query)
    which, counts = ordinal[row], unjudged.counts[chosen.query]
    first = np.where(chosen.last, counts - chosen.relevant, 0)[number]
    past = np.where(chosen.last, counts, chosen.relevant)[number]
    grades = np.where((which >= 0) & (which >= first) & (which < past), grade, base[row])
    more = offsets_of(counts)
    place = np.arange(int(more[-1])) - more[:-1].repeat(counts)
    added = np.where(place < chosen.relevant.repeat(counts), grade, 0.0)
    negative = (judged.hit_grade < 0) & (judged.hit_rank <= unjudged.limit)
    gone = np.bincount(judged.hit_query[negative], minlength=judged.n_queries)
    return _made(judged, chosen.query, (number, rank[row], grades), (more, added), gone, grade)


def tried(
    judged: Judged, unjudged: Unjudged, query: int, grades: tuple[Floats, Floats], grade: float, listed: Bools
) -> Judged:
    """A judged run whose queries are ways to judge one query.

    grades   float64[A, u] of its open documents by rank, float64[A, v] of documents that its list lacks
    grade    the highest that there could be
    listed   bool[u + v]: which of them the qrels list with a negative grade"""
    own, elsewhere = grades
    ways = len(own)
    here = slice(*np.searchsorted(judged.hit_query, [query, query + 1]).tolist())
    known = judged.hit_grade[here] >= 0
    ranks, said = judged.hit_rank[here][known], judged.hit_grade[here][known]
    opened = unjudged.rank[unjudged.offsets[query] : unjudged.offsets[query + 1]]
    every = np.concatenate([np.broadcast_to(said, (ways, len(said))), own], axis=1)
    order = np.argsort(np.concatenate([ranks, opened]), kind="stable")
    rank = np.tile(np.concatenate([ranks, opened])[order], ways)
    number = np.repeat(np.arange(ways), len(order))
    added = np.concatenate([own, elsewhere], axis=1)
    more = np.arange(ways + 1) * added.shape[1]
    hits = number, rank, every[:, order].ravel()
    gone = np.full(judged.n_queries, int(listed.sum()))
    return _made(judged, np.full(ways, query), hits, (more, added.ravel()), gone, grade)


def _made(
    judged: Judged, queries: Ints, hits: tuple[Ints, Ints, Floats], added: tuple[Ints, Floats], gone: Ints, grade: float
) -> Judged:
    """A judged run whose queries are ways to judge ``queries``: hits as (way, rank, grade); the grades that are added
    to the ideal lists, flat by way, with offsets; and how many negative grades each query's ideal loses, whose
    documents are among those added: int64[E]. ``grade`` is the highest that there could be."""
    number, row = repeated(judged.ideal_offsets, queries)
    stays = row < (judged.ideal_offsets[1:] - gone)[queries[number]]  # negative grades are the last
    offsets, grades = added
    number = np.concatenate([number[stays], group_of_each(offsets)])
    grades = np.concatenate([judged.ideal_grades[row[stays]], grades])
    order = np.lexsort((-grades, number))
    lengths = judged.lengths
    if lengths is not None:
        lengths = lengths.of_queries(queries)
    return replace(
        judged,
        query_ids=tuple(judged.query_ids[place] for place in queries.tolist()),
        in_run=judged.in_run[queries],
        returned=judged.returned[queries],
        hit_query=frozen(hits[0]),
        hit_rank=frozen(hits[1]),
        hit_grade=frozen(hits[2]),
        hit_row=frozen(np.zeros(len(hits[0]), dtype=np.int64)),  # no measure that has bounds reads it
        ideal_offsets=frozen(offsets_of(np.bincount(number, minlength=len(queries)))),
        ideal_grades=frozen(grades[order]),
        max_grade=judged.max_grade if judged.max_grade > 0 else grade,
        lengths=lengths,
        listed_rank=None,
    )


def repeated(offsets: Ints, groups: Ints) -> tuple[Ints, Ints]:
    """The rows of some groups, which may come several times: (which of ``groups``, row)."""
    sizes = np.diff(offsets)[groups]
    number = np.repeat(np.arange(len(groups)), sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return number, offsets[groups][number] + within


def residual(judged: Judged, p: float) -> Floats:
    """The residual of rank-biased precision, float64[E]: the weight of all that is unjudged, below the end of the list
    too (Moffat and Zobel 2008). Of a query that the run lacks nothing is known: 1."""
    hits = judged.judged_hits
    return 1.0 - (1.0 - p) * hits.sum_by_query(np.power(p, hits.rank - 1.0))
