"""Similarity of runs: one number for each pair of runs, the mean over the queries that both have.

The formulas are in ``set_overlap`` and ``rank_correlation``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from irviewer.analysis.similarity import set_overlap
from irviewer.analysis.similarity.clusters import Clusters, clusters
from irviewer.analysis.similarity.rank_biased_overlap import Lists, Part, ranks_within
from irviewer.analysis.similarity.rank_correlation import Grid, tau_ap_of_rows, tau_b_of_rows
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, Ranks, frozen
from irviewer.model.exported import Exported
from irviewer.model.number_text import limit
from irviewer.model.run import Run
from irviewer.translation import tr

Kind = Literal["rbo", "rbo-min", "rbo-residual", "rbo-seen", "overlap", "jaccard", "tau", "tau-ap"]
Progress = Callable[[float], None]
DEPTH = 100
"""The default depth of kinds that read whole lists: below it is .003 % of the weight of rank-biased overlap at its
usual p = .9."""
TOP = 10
"""The default depth of kinds that read the top only."""


@dataclass(frozen=True, eq=False)
class SimilarityKind:
    """A kind of similarity in words; values are from ``low`` to ``high``, ``depth`` is the default."""

    title: str
    meaning: str
    source: str
    low: float = 0.0
    high: float = 1.0
    depth: int = DEPTH


_WEBBER = "Webber, Moffat and Zobel, TOIS 2010"
KINDS: dict[str, SimilarityKind] = {
    "rbo": SimilarityKind(
        tr("RBO"), tr("rank-biased overlap, extrapolated: shared documents, weighted towards the top"),
        _WEBBER,
    ),
    "rbo-min": SimilarityKind(
        tr("RBO, minimum"), tr("the least possible rank-biased overlap, whatever is below the ends of the lists"),
        _WEBBER
    ),
    "rbo-residual": SimilarityKind(
        tr("RBO, residual"),
        tr("how much higher rank-biased overlap could be if the lists were the same below their ends"), _WEBBER,
    ),
    "rbo-seen": SimilarityKind(
        tr("RBO, truncated"), tr("the sum down to the end of the shorter list, which some tools call the minimum"),
        _WEBBER
    ),
    "overlap": SimilarityKind(
        tr("Overlap"), tr("documents that both return down to the depth, as a share of the longer list"), "", depth=TOP
    ),
    "jaccard": SimilarityKind(
        "Jaccard", tr("documents that both return down to the depth, as a share of those that either returns"), "",
        depth=TOP,
    ),
    "tau": SimilarityKind(
        "Kendall's τ", tr("tau-b of the order of the documents that both return; equal scores are tied"),
        "Kendall 1945", -1.0,
    ),
    "tau-ap": SimilarityKind(
        "τ-AP", tr("like τ with more weight near the top; mean of both directions, ties broken as in the runs"),
        "Yilmaz, Aslam and Robertson, SIGIR 2008", -1.0,
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Similarity(Exported):
    """The similarity of R runs.

    kind, p, depth   the kind with its parameters; ``p`` is the persistence of rank-biased overlap
    runs             the names of the runs
    query_ids        the Q queries
    means            float64[R, R], symmetric: the mean over the queries that both runs have (for the taus: with at
                     least two documents in common); NaN where there is none. The diagonal is a run with itself
    compared         int64[R, R]: the number of queries of each mean
    by_query         float64[R, R, Q], NaN where a query was not compared; None unless requested
    """

    kind: Kind
    p: float
    depth: int
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    means: Floats
    compared: Ints
    by_query: Floats | None = None

    @cached_property
    def tree(self) -> Clusters:
        """The clusters of similar runs, by the means; computed once."""
        return clusters(self.means)

    @property
    def about(self) -> SimilarityKind:
        """The kind in words."""
        return KINDS[self.kind]

    @property
    def title(self) -> str:
        """The kind with its parameters: "RBO, p = .9, depth 100"."""
        if self.kind.startswith("rbo"):
            return tr("{kind}, p = {p}, depth {depth}", kind=self.about.title, p=limit(self.p), depth=self.depth)
        return tr("{kind}, depth {depth}", kind=self.about.title, depth=self.depth)

    def ordered(self, order: Sequence[int]) -> Similarity:
        """Return the similarity with the runs in another order, indices in ``runs``."""
        indices = np.array(order, dtype=np.int64)
        square = np.ix_(indices, indices)
        return replace(
            self,
            runs=tuple(self.runs[index] for index in indices),
            means=frozen(self.means[square]),
            compared=frozen(self.compared[square]),
            by_query=None if self.by_query is None else frozen(self.by_query[square]),
        )


def similarity(
    runs: Sequence[Run],
    kind: Kind = "rbo",
    *,
    p: float = 0.9,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    by_query: bool = False,
    progress: Progress | None = None,
) -> Similarity:
    """Return the similarity of every pair of runs.

    p          the persistence of rank-biased overlap, 0 < p < 1; .9 gives the first ten ranks 86 % of the weight
    depth      the ranks that are compared; None: the default of the kind
    queries    the queries that are compared; None: all of any run. A pair is compared where both runs return something
    by_query   keep the value of every query too: R × R × Q numbers
    progress   called with the share done; may raise to stop the work

    Raises OptionError for an unknown kind, or p or depth out of range."""
    if kind not in KINDS:
        raise OptionError(tr("unknown similarity {name!r}; choose one of {names}", name=kind, names=", ".join(KINDS)))
    if not 0 < p < 1:
        raise OptionError(tr("p is {p:g}; for rank-biased overlap it must be above 0 and below 1", p=p))
    depth = KINDS[kind].depth if depth is None else depth
    if not 1 <= depth < 2**24:
        raise OptionError(tr("the depth is {depth}; it must be 1 or more", depth=depth))
    lists = Lists.of(runs, depth, queries)
    n, n_queries = len(lists.runs), len(lists.query_ids)
    total, compared = np.zeros((n, n)), np.zeros((n, n), dtype=np.int64)
    values_by_query = np.full((n, n, n_queries), np.nan) if by_query else None
    work = float(lists.lengths.sum()) * (n + 1) / 2 or 1.0
    done = 0.0
    for part in lists.parts(tied=kind == "tau"):
        first, last = part.queries
        for run in range(n):
            values = _values(part, run, kind, p)
            both_return = (part.lengths[run] > 0)[:, None] & (part.lengths[run:].T > 0)
            values = np.where(both_return, values, np.nan)
            total[run, run:] += np.nansum(values, axis=0)
            compared[run, run:] += np.count_nonzero(~np.isnan(values), axis=0)
            if values_by_query is not None:
                values_by_query[run, run:, first:last] = values.T
                values_by_query[run:, run, first:last] = values.T
            done += float(part.lengths[run].sum()) * (n - run)
            if progress is not None:
                progress(min(done / work, 1.0))
    upper = np.triu_indices(n)
    total.T[upper], compared.T[upper] = total[upper], compared[upper]
    means = np.full((n, n), np.nan)
    np.divide(total, compared, out=means, where=compared > 0)
    names = tuple(run.name for run in lists.runs)
    return Similarity(
        kind, p, depth, names, lists.query_ids, frozen(means), frozen(compared),
        None if values_by_query is None else frozen(values_by_query),
    )  # fmt: skip


_OF_SHARED: dict[str, Callable[[set_overlap.Shared], Floats]] = {
    "rbo": set_overlap.rbo_ext,
    "rbo-min": set_overlap.rbo_min,
    "rbo-residual": set_overlap.rbo_residual,
    "rbo-seen": set_overlap.rbo_seen,
    "overlap": set_overlap.overlap,
    "jaccard": set_overlap.jaccard,
}


def _values(part: Part, run: int, kind: Kind, p: float) -> Floats:
    """float64[Q, R - run]: the similarity of a run to itself and every later one."""
    formula = _OF_SHARED.get(kind)
    if formula is not None:
        return formula(set_overlap.shared(part, run, p))
    table = part.ranks if part.grades is None else part.grades
    rows = part.rows[run]
    keys, counts = _common_keys(part, run, table[rows, run], table[rows, run:])
    width = part.absent + 1
    if kind == "tau":
        result = tau_b_of_rows(keys, width, counts)
    else:
        within = np.arange(keys.shape[1]) < counts[:, None]
        result = tau_ap_of_rows(np.where(within, keys % width, width + np.arange(keys.shape[1])), counts)
    return result.reshape(part.lengths.shape[1], -1)


def _common_keys(part: Part, run: int, own: Ranks, other: Ranks) -> tuple[Grid, Ints]:
    """Rows of (query, other run): the ranks of the common documents in both lists as one number, ascending; and the
    number of common documents."""
    lengths = part.lengths[run]
    n_queries, others, longest = len(lengths), other.shape[1], int(lengths.max(initial=0))
    width = part.absent + 1
    keys = np.full((n_queries, longest, others), width * width, dtype=np.int64)
    query = np.repeat(np.arange(n_queries), lengths)
    common = other < part.absent
    keys[query, ranks_within(lengths) - 1] = np.where(
        common, own[:, None].astype(np.int64) * width + other, width * width
    )
    flat = np.sort(keys.transpose(0, 2, 1).reshape(n_queries * others, longest), axis=1)
    counts = np.count_nonzero(flat < width * width, axis=1)
    return flat[:, : max(int(counts.max(initial=0)), 1)], counts
