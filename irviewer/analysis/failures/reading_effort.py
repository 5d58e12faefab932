"""JoinOptions effort: the recall after each number of documents read, and the consequences of stopping there.

The measures of this family are in ``measures.families.high_recall``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, frozen, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Effort:
    """A run read from the top, over E queries.

    size        int64[E]: the documents to read for each query
    relevant    int64[E]: the relevant ones
    returned    int64[E]: the documents that the run ranks; all others follow in no order
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
        """Return the ranks of the relevant documents of a query, ascending."""
        return self.ranks[int(self.offsets[query]) : int(self.offsets[query + 1])]

    def curve(self, query: int, last: int | None = None) -> tuple[Floats, Floats]:
        """Return (documents read, recall) as the corners of a step curve from (0, 0) to the end of the list, or to
        ``last`` documents read; empty where nothing is relevant."""
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
        """Return the number of relevant documents among the first ``stop`` of each list, int64[E]."""
        within = np.concatenate([[0], np.cumsum(self.ranks <= stop)])
        result: Ints = within[self.offsets[1:]] - within[self.offsets[:-1]]
        return result

    def recall(self, stop: int) -> Floats:
        """Return the recall after ``stop`` documents, float64[E]; NaN where nothing is relevant."""
        return np.where(self.relevant > 0, safe_divide(self.found(stop), self.relevant), np.nan)

    @property
    def area(self) -> Floats:
        """float64[E]: the area under recall over the share of documents read, at most 1; the documents after the end of
        the list are in no order and add a straight line. NaN where nothing is relevant."""
        query = np.repeat(np.arange(len(self.size)), np.diff(self.offsets))
        listed = np.bincount(query, weights=self.size[query] - self.ranks + 0.5, minlength=len(self.size))
        unlisted = (self.relevant - np.diff(self.offsets)) * (self.size - self.returned) / 2
        return np.where(self.relevant > 0, safe_divide(listed + unlisted, self.relevant * self.size), np.nan)

    @property
    def worst_first(self) -> Ints:
        """The queries with relevant documents, by ascending area."""
        answerable = np.flatnonzero(self.relevant > 0)
        result: Ints = answerable[np.argsort(self.area[answerable], kind="stable")]
        return result


@dataclass(frozen=True)
class Stop:
    """The state of reading when it stops: documents read of ``size``, relevant documents found of ``relevant``."""

    read: int
    size: int
    found: int
    relevant: int

    @property
    def recall(self) -> float:
        """The recall; NaN where nothing is relevant."""
        return self.found / self.relevant if self.relevant else float("nan")

    @property
    def missed(self) -> int:
        """The number of relevant documents that are not found."""
        return self.relevant - self.found

    @property
    def saved(self) -> float:
        """The share of documents that are not read."""
        return 1.0 - self.read / self.size if self.size else 0.0


def effort(judged: Judged, size: int | None = None, level: float = 1) -> Effort:
    """Return the effort of reading a run from the top. ``size`` is the number of documents; None: those that the run
    returned or the qrels list. Raises OptionError where there are more than ``size``."""
    n_known = judged.returned + np.diff(judged.ideal_offsets) - judged.listed_hits.count_by_query
    if size is not None and len(n_known) and int(n_known.max()) > size:
        query = judged.query_ids[int(n_known.argmax())]
        raise OptionError(
            tr(
                "{size:,} documents are too few: run and qrels contain {known:,} for query {query}",
                size=size, known=int(n_known.max()), query=query,
            )
        )  # fmt: skip
    hits = judged.relevant_hits(level)
    offsets = np.concatenate([[0], np.cumsum(hits.count_by_query)])
    sizes = n_known if size is None else np.full(judged.n_queries, size)
    return Effort(
        judged.query_ids, frozen(sizes.astype(np.int64)), judged.relevant_count(level), judged.returned,
        frozen(hits.rank), frozen(offsets.astype(np.int64)),
    )  # fmt: skip


def stopped(measured: Effort, query: int, stop: int) -> Stop:
    """Return the state after ``stop`` documents of one query; after the end of the list nothing more is found."""
    return Stop(
        min(stop, int(measured.size[query])), int(measured.size[query]),
        int(np.searchsorted(measured.ranks_of(query), stop, side="right")), int(measured.relevant[query]),
    )  # fmt: skip


def stopped_everywhere(measured: Effort, stop: int) -> Stop:
    """Return the state after ``stop`` documents of every query with relevant documents, added up."""
    answerable = measured.relevant > 0
    return Stop(
        int(np.minimum(stop, measured.size[answerable]).sum()), int(measured.size[answerable].sum()),
        int(measured.found(stop)[answerable].sum()), int(measured.relevant[answerable].sum()),
    )  # fmt: skip
