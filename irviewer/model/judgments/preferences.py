"""Preferences between documents, and how many of them a ranking fulfils.

A judgment group is one user's information need. In one subgroup a document of a higher level is preferred to one of a
lower level; several subgroups are parts of one order, which is transitive. A preference between two returned documents
is fulfilled if the preferred document is ranked above the other; a returned document is ranked above all that are not
returned. The counts are trec_eval's; a group whose preferences contradict each other is refused."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import MeasureError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

FEW_LEVELS = 12
"""The most levels that are compared pair by pair; with more levels, documents are compared."""

RETURNED, OF_RETURNED, IMPLIED, OF_IMPLIED, ABSENT = range(5)
"""Columns of counts: preferences between two returned documents, fulfilled and all; with one returned document,
fulfilled and all; with none."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """Counts for G judgment groups of E queries.

    query     int64[G]
    counts    int64[G, 5], columns as above
    relevant  int64[G, 2]: documents of a level above 0, all and returned
    others    int64[G, 2]: documents of level 0, all and returned
    limited   int64[G, 4]: fulfilled and all preferences where only as many documents of level 0 count as are relevant,
              of all documents and of the returned ones
    pairs     float64[E, 5]: over pairs of documents the share of groups whose preference is fulfilled, added up, and
              the number of pairs; columns as those of counts
    """

    query: Ints
    counts: Ints
    relevant: Ints
    others: Ints
    limited: Ints
    pairs: Floats


def preferences_of(judged: Judged) -> Preferences:
    """Return the counts, cached in the judged run. Raises MeasureError for a group that contradicts itself."""
    preferences = judged.memory.get("preferences")
    if not isinstance(preferences, Preferences):
        preferences = judged.memory["preferences"] = _count(judged)
    return preferences


def _count(judged: Judged) -> Preferences:
    rows = judged.assessed
    ids = judged.qrels.doc_ids.cast(pa.binary())
    by_id = np.empty(len(ids), dtype=np.int64)
    by_id[pc.sort_indices(ids).to_numpy()] = np.arange(len(ids))
    unreturned = rows.rank == 0
    order = np.lexsort((by_id[rows.document], rows.rank, unreturned, rows.cell))
    edges = np.searchsorted(rows.cell[order], np.arange(rows.n_cells + 1))
    groups: list[_Group] = []
    pairs = np.zeros((judged.n_queries, 5))
    many = rows.groups_by_query
    for cell, query in enumerate(rows.cell_query.tolist()):
        taken = order[edges[cell] : edges[cell + 1]]
        group = _Group(rows.document[taken], rows.subgroup[taken], rows.grade[taken], ~unreturned[taken])
        if group.contradicts:
            name = _name(judged, int(rows.group[taken[0]]))
            raise MeasureError(
                tr(
                    "query {query}: the preferences of group {group} contradict each other",
                    query=judged.query_ids[query],
                    group=name,
                )
            )
        groups.append(group)
        if many[query] == 1:
            pairs[query] = group.counts
    for query in np.flatnonzero(many > 1).tolist():
        first, last = np.searchsorted(rows.cell_query, [query, query + 1])  # a query's groups are adjacent
        taken = order[edges[first] : edges[last]]
        pairs[query] = _pairs(groups[first:last], rows.document[taken], rows.rank[taken], by_id)
    return Preferences(
        rows.cell_query,
        np.array([group.counts for group in groups], dtype=np.int64).reshape(-1, 5),
        np.array([group.relevant for group in groups], dtype=np.int64).reshape(-1, 2),
        np.array([group.others for group in groups], dtype=np.int64).reshape(-1, 2),
        np.array([group.limited for group in groups], dtype=np.int64).reshape(-1, 4),
        pairs,
    )


def _name(judged: Judged, group: int) -> str:
    assessments = judged.qrels.assessments
    return "0" if assessments is None else assessments.names[group]


class _Group:
    """A judgment group: its documents in rank order, then those not returned, by id.

    Rows of one document (from several subgroups) are adjacent."""

    def __init__(self, documents: Ints, subgroups: Ints, levels: Floats, returned: Bools) -> None:
        first = np.concatenate(([True], documents[1:] != documents[:-1]))
        self._rows = np.cumsum(first) - 1
        self._subgroups, self._row_levels = subgroups, levels
        self.documents = documents[first]
        self.n = len(self.documents)
        self.n_returned = int(returned[first].sum())
        self.levels = np.full(self.n, -np.inf)
        np.maximum.at(self.levels, self._rows, levels)
        self.partial = len(np.unique(subgroups)) > 1
        self.contradicts = False
        self._matrix: Bools | None = None
        if self.partial:
            lowest = np.full(self.n, np.inf)
            np.minimum.at(lowest, self._rows, levels)
            matrix = self.matrix
            self.contradicts = bool(np.any(matrix & matrix.T) or np.any((lowest == 0) & (self.levels > 0)))
        above = self.levels > 0
        below = self.levels == 0 if self.partial else ~above
        self._other = below
        self.relevant = (int(above.sum()), int(above[: self.n_returned].sum()))
        self.others = (int(below.sum()), int(below[: self.n_returned].sum()))
        self.counts = self._areas(np.ones(self.n, dtype=np.bool_))
        self.limited = self._limited_partial() if self.partial else self._limited()

    @property
    def matrix(self) -> Bools:
        """bool[n, n]: whether the row's document is preferred to the column's, with the transitive preferences."""
        if self._matrix is None:
            preferred = np.zeros((self.n, self.n), dtype=np.bool_)
            for subgroup in np.unique(self._subgroups):
                rows = np.flatnonzero(self._subgroups == subgroup)
                places, levels = self._rows[rows], self._row_levels[rows]
                preferred[np.ix_(places, places)] |= levels[:, None] > levels[None, :]
            self._matrix = _transitive(preferred) if self.partial else preferred
        return self._matrix

    def _areas(self, keep: Bools) -> tuple[int, int, int, int, int]:
        """Return the five counts among some of the documents."""
        levels = np.unique(self.levels[keep])
        n = int(keep[: self.n_returned].sum())
        if not self.partial and len(levels) <= FEW_LEVELS:
            return _areas_of_levels(self.levels[keep], levels, n)
        matrix = self.matrix[np.ix_(keep, keep)]
        both, implied = matrix[:n, :n], int(matrix[:n, n:].sum())
        return (
            int(np.triu(both, 1).sum()), int(both.sum()), implied, implied + int(matrix[n:, :n].sum()),
            int(matrix[n:, n:].sum()),
        )  # fmt: skip

    def _limited(self) -> tuple[int, int, int, int]:
        """Return the counts as trec_eval limits them if the lowest level has more documents than are relevant:
        preferences above that level, and every document of the group against the first R of that level, which are
        themselves included."""
        lowest = self.levels == self.levels.min(initial=0)
        counts = self._areas(~lowest)
        counts_of_lowest = []
        for number, documents in ((self.relevant[0], self.n), (self.relevant[1], self.n_returned)):
            places = np.flatnonzero(lowest[:documents])[:number]
            above = np.minimum(places, self.n_returned)  # the number of returned documents above each
            counts_of_lowest += [int(above.sum()), documents * len(places)]
        ful = counts[RETURNED] + counts[IMPLIED]
        total = counts[OF_RETURNED] + counts[OF_IMPLIED] + counts[ABSENT]
        return (
            ful + counts_of_lowest[0],
            total + counts_of_lowest[1],
            counts[RETURNED] + counts_of_lowest[2],
            counts[OF_RETURNED] + counts_of_lowest[3],
        )

    def _limited_partial(self) -> tuple[int, int, int, int]:
        """Return the limited counts of a partial order: without the documents of level 0 after the first R."""
        places = np.flatnonzero(self._other)
        keep = np.ones(self.n, dtype=np.bool_)
        keep[places[self.relevant[0] :]] = False
        counts = self._areas(keep)
        return (
            counts[RETURNED] + counts[IMPLIED], counts[OF_RETURNED] + counts[OF_IMPLIED] + counts[ABSENT],
            counts[RETURNED], counts[OF_RETURNED],
        )  # fmt: skip


def _areas_of_levels(documents: Floats, levels: Floats, n: int) -> tuple[int, int, int, int, int]:
    """Return the five counts of a complete order; ``documents`` are levels in rank order, the first n returned."""
    ful = both = implied = of_implied = absent = 0
    places = [np.flatnonzero(documents == level) for level in levels]
    returned = [int(np.searchsorted(ranks, n)) for ranks in places]
    for high in range(1, len(levels)):
        for low in range(high):
            above, below = returned[high], returned[low]
            ful += int(np.searchsorted(places[high][:above], places[low][:below]).sum())
            both += above * below
            hidden, missed = len(places[low]) - below, len(places[high]) - above
            implied += above * hidden
            of_implied += above * hidden + missed * below
            absent += missed * hidden
    return ful, both, implied, of_implied, absent


def _transitive(preferred: Bools) -> Bools:
    """Return the transitive closure: the matrix is squared until nothing is new."""
    known = preferred.copy()
    while True:
        number = known.astype(np.float32)
        more = known | (number @ number > 0)
        if np.array_equal(more, known):
            return known
        known = more


def _pairs(groups: list[_Group], documents: Ints, ranks: Ints, by_id: Ints) -> Floats:
    """Return float64[5]: the share of groups that prefer a pair in the run's order, summed over pairs, and the number
    of pairs, by area."""
    distinct, first = np.unique(documents, return_index=True)
    order = np.lexsort((by_id[distinct], ranks[first], ranks[first] == 0))
    place = np.empty(len(distinct), dtype=np.int64)
    place[order] = np.arange(len(distinct))
    n = int((ranks[first] > 0).sum())
    sums = np.zeros((len(distinct), len(distinct)), dtype=np.int32)
    for group in groups:
        places = place[np.searchsorted(distinct, group.documents)]
        sums[np.ix_(places, places)] += group.matrix
    upper = np.triu(np.ones(sums.shape, dtype=np.bool_), 1)
    compared = (sums + sums.T > 0) & upper
    share = np.zeros(sums.shape)
    np.divide(sums, sums + sums.T, out=share, where=compared)
    return np.array(
        [
            share[:n, :n].sum(),
            compared[:n, :n].sum(),
            share[:n, n:].sum(),
            compared[:n, n:].sum(),
            compared[n:, n:].sum(),
        ],
        dtype=np.float64,
    )
