"""JoinOptions on: which share of the relevant documents is found after how many were read, and what stopping there
means.

Reads joins; the measures of this family are in ``measures.families.high_recall``. Knows nothing of how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, frozen, safe_divide
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class Effort:
    """A run read from the top, over E queries.

    size        int64[E]: how many documents there are for each query
    relevant    int64[E]
    returned    int64[E]: how many the run ranks; behind them come all others, in no order
    ranks       int64: the ranks of the relevant documents, by query
    offsets     int64[E+1] into them
    """

    query_ids: tuple[str, ...]
    size: Ints
    relevant: Ints
    returned: Ints
    ranks: Ints
    offsets: Ints

    def ranks_of(self, query: int) -> Ints:
        """The ranks at which the relevant documents of a query stand, ascending."""
        return self.ranks[int(self.offsets[query]) : int(self.offsets[query + 1])]

    def curve(self, query: int, last: int | None = None) -> tuple[Floats, Floats]:
        """(documents read, recall) as the corners of a staircase from (0, 0) to the end of the list, or to ``last``
        documents read; empty where nothing is relevant."""
        total = int(self.relevant[query])
        end = int(self.returned[query]) if last is None else min(last, int(self.returned[query]))
        if not total:
            return np.empty(0), np.empty(0)
        ranks = self.ranks_of(query)
        ranks = ranks[ranks <= end]
        x = np.concatenate([[0.0], np.repeat(ranks, 2), [float(end)]])
        steps = np.arange(len(ranks) + 1) / total
        return x, np.repeat(steps, 2)

    def found(self, stop: int) -> Ints:
        """int64[E]: the relevant documents among the first ``stop`` of each list."""
        within = np.concatenate([[0], np.cumsum(self.ranks <= stop)])
        result: Ints = within[self.offsets[1:]] - within[self.offsets[:-1]]
        return result

    def recall(self, stop: int) -> Floats:
        """float64[E]: the share found; NaN where nothing is relevant."""
        return np.where(self.relevant > 0, safe_divide(self.found(stop), self.relevant), np.nan)

    @property
    def area(self) -> Floats:
        """float64[E]: the area under recall over the share read, 1 at most: what comes behind the list is taken to be
        in no order, so that it adds a straight line. NaN where nothing is relevant."""
        query = np.repeat(np.arange(len(self.size)), np.diff(self.offsets))
        listed = np.bincount(query, weights=self.size[query] - self.ranks + 0.5, minlength=len(self.size))
        rest = (self.relevant - np.diff(self.offsets)) * (self.size - self.returned) / 2
        return np.where(self.relevant > 0, safe_divide(listed + rest, self.relevant * self.size), np.nan)

    @property
    def worst_first(self) -> Ints:
        """The queries that have something relevant, the one with the smallest area first."""
        some = np.flatnonzero(self.relevant > 0)
        result: Ints = some[np.argsort(self.area[some], kind="stable")]
        return result


@dataclass(frozen=True)
class Stop:
    """What stopping means: documents read of those there are, relevant ones found of those there are."""

    read: int
    size: int
    found: int
    relevant: int

    @property
    def recall(self) -> float:
        """The share found; NaN where nothing is relevant."""
        return self.found / self.relevant if self.relevant else float("nan")

    @property
    def missed(self) -> int:
        """How many are not found."""
        return self.relevant - self.found

    @property
    def saved(self) -> float:
        """The share of all documents that is not read."""
        return 1.0 - self.read / self.size if self.size else 0.0


def effort(judged: Judged, size: int | None = None, level: float = 1) -> Effort:
    """What reading a run from the top finds. ``size`` is how many documents there are; None: those that the run
    returned or the qrels list. Raises OptionError where there are more than that."""
    known = judged.returned + np.diff(judged.ideal_offsets) - judged.listed_hits.count_by_query
    if size is not None and len(known) and int(known.max()) > size:
        query = judged.query_ids[int(known.argmax())]
        raise OptionError(
            f"{size:,} documents are too few: run and qrels hold {int(known.max()):,} for query {query}"
        )  # fmt: skip
    hits = judged.relevant_hits(level)
    offsets = np.concatenate([[0], np.cumsum(hits.count_by_query)])
    sizes = known if size is None else np.full(judged.n_queries, size)
    return Effort(
        judged.query_ids, frozen(sizes.astype(np.int64)), judged.relevant_count(level), judged.returned,
        frozen(hits.rank), frozen(offsets.astype(np.int64)),
    )  # fmt: skip


def stopped(found: Effort, query: int, stop: int) -> Stop:
    """Stopping in one query after ``stop`` documents; behind the list's end nothing more is known to be found."""
    return Stop(
        min(stop, int(found.size[query])), int(found.size[query]),
        int(np.searchsorted(found.ranks_of(query), stop, side="right")), int(found.relevant[query]),
    )  # fmt: skip


def stopped_everywhere(found: Effort, stop: int) -> Stop:
    """Stopping in every query that has something relevant after ``stop`` documents, added up."""
    some = found.relevant > 0
    return Stop(
        int(np.minimum(stop, found.size[some]).sum()), int(found.size[some].sum()),
        int(found.found(stop)[some].sum()), int(found.relevant[some].sum()),
    )  # fmt: skip
