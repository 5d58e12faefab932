"""How alike runs are: one number for each pair of runs, from the mean over the queries that both have.

Puts the kinds of likeness together; the formulas are in ``overlaps`` and ``orders``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.similarity import set_overlap
from irviewer.analysis.similarity.rank_biased_overlap import Lists, Part, ranks_within
from irviewer.analysis.similarity.rank_correlation import Grid, tau_ap_of_rows, tau_b_of_rows
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, Ranks, frozen
from irviewer.model.exported import Exported
from irviewer.model.number_text import limit
from irviewer.model.run import Run

Kind = Literal["rbo", "rbo-min", "rbo-residual", "rbo-seen", "overlap", "jaccard", "tau", "tau-ap"]
Progress = Callable[[float], None]
DEPTH = 100
"""What lists are cut at unless somebody says, for what looks at whole lists: below it stands .003 % of rank-biased
overlap's weight at its usual p = .9."""
TOP = 10
"""The same for what looks at the top alone."""


@dataclass(frozen=True, eq=False)
class SimilarityKind:
    """A kind in words; values lie from ``low`` to ``high``. ``depth`` is what lists are cut at unless said."""

    title: str
    meaning: str
    source: str
    low: float = 0.0
    high: float = 1.0
    depth: int = DEPTH


_WEBBER = "Webber, Moffat and Zobel, TOIS 2010"
KINDS: dict[str, SimilarityKind] = {
    "rbo": SimilarityKind(
        "RBO", "rank-biased overlap, extrapolated: shared documents, the more the nearer the top; what is seen goes on",
        _WEBBER,
    ),
    "rbo-min": SimilarityKind(
        "RBO, least", "the least that rank-biased overlap can be, whatever stands below the lists' ends", _WEBBER
    ),
    "rbo-residual": SimilarityKind(
        "RBO, residual", "how much more rank-biased overlap could be, were what stands below the ends alike", _WEBBER
    ),
    "rbo-seen": SimilarityKind(
        "RBO, seen", "the sum down to the shorter list's end and no further, which some tools call the least", _WEBBER
    ),
    "overlap": SimilarityKind(
        "Overlap", "documents that both return down to the depth, as a share of the longer list", "", depth=TOP
    ),
    "jaccard": SimilarityKind(
        "Jaccard", "documents that both return down to the depth, as a share of those that either returns", "",
        depth=TOP,
    ),
    "tau": SimilarityKind(
        "Kendall's τ", "tau-b of the order of the documents that both return; equal scores are tied", "Kendall 1945",
        -1.0,
    ),
    "tau-ap": SimilarityKind(
        "τ-AP", "as τ, disagreement near the top counting more; mean of both directions, ties as the runs rank them",
        "Yilmaz, Aslam and Robertson, SIGIR 2008", -1.0,
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Similarity(Exported):
    """What was found for R runs.

    kind, p, depth   what was asked; ``p`` is rank-biased overlap's persistence
    runs             the runs' names, R of them
    query_ids        the queries that were looked at, Q of them
    means            float64[R, R], symmetric: the mean over the queries that both runs have (for the taus: and share at
                     least two documents of); NaN where there is none. The diagonal is a run beside itself
    compared         int64[R, R]: how many queries each mean is of
    by_query         float64[R, R, Q], NaN where a query was not compared; None unless it was asked for
    """

    kind: Kind
    p: float
    depth: int
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    means: Floats
    compared: Ints
    by_query: Floats | None = None

    @property
    def about(self) -> SimilarityKind:
        """The kind in words."""
        return KINDS[self.kind]

    @property
    def title(self) -> str:
        """The kind with its parameters: "RBO, p = .9, depth 100"."""
        persistence = f", p = {limit(self.p)}" if self.kind.startswith("rbo") else ""
        return f"{self.about.title}{persistence}, depth {self.depth}"

    def ordered(self, order: Sequence[int]) -> Similarity:
        """The same with the runs in another order (places in ``runs``)."""
        places = np.array(order, dtype=np.int64)
        square = np.ix_(places, places)
        return replace(
            self,
            runs=tuple(self.runs[place] for place in places),
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
    """How alike runs are, every pair of them.

    p          rank-biased overlap's persistence: 0 < p < 1; .9 gives the first ten ranks 86 % of the weight
    depth      what lists are cut at (as a person reads them); None takes the kind's own
    queries    those to look at; None: all that any run has. A pair is compared where both runs return something
    by_query   keep the value of every query too: R × R × Q numbers
    progress   is given the share that is done, and stops the work by raising

    Raises OptionError for a kind that is none, a p or a depth out of range."""
    if kind not in KINDS:
        raise OptionError(f"{kind!r} is no likeness of runs; there are {', '.join(KINDS)}")
    if not 0 < p < 1:
        raise OptionError(f"p is {p:g}; rank-biased overlap wants more than 0 and less than 1")
    depth = KINDS[kind].depth if depth is None else depth
    if not 1 <= depth < 2**24:
        raise OptionError(f"the depth is {depth}; it must be 1 or more")
    lists = Lists.of(runs, depth, queries)
    n, n_queries = len(lists.runs), len(lists.query_ids)
    total, compared = np.zeros((n, n)), np.zeros((n, n), dtype=np.int64)
    kept = np.full((n, n, n_queries), np.nan) if by_query else None
    work = float(lists.lengths.sum()) * (n + 1) / 2 or 1.0
    done = 0.0
    for part in lists.parts(tied=kind == "tau"):
        first, last = part.queries
        for run in range(n):
            values = _values(part, run, kind, p)
            both = (part.lengths[run] > 0)[:, None] & (part.lengths[run:].T > 0)
            values = np.where(both, values, np.nan)
            total[run, run:] += np.nansum(values, axis=0)
            compared[run, run:] += np.count_nonzero(~np.isnan(values), axis=0)
            if kept is not None:
                kept[run, run:, first:last] = values.T
                kept[run:, run, first:last] = values.T
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
        None if kept is None else frozen(kept),
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
    """float64[Q, R - run]: the likeness of a run to itself and every later one."""
    formula = _OF_SHARED.get(kind)
    if formula is not None:
        return formula(set_overlap.shared(part, run, p))
    table = part.ranks if part.grades is None else part.grades
    rows = part.rows[run]
    keys, counts = _common_keys(part, run, table[rows, run], table[rows, run:])
    width = part.absent + 1
    if kind == "tau":
        found = tau_b_of_rows(keys, width, counts)
    else:
        within = np.arange(keys.shape[1]) < counts[:, None]
        found = tau_ap_of_rows(np.where(within, keys % width, width + np.arange(keys.shape[1])), counts)
    return found.reshape(part.lengths.shape[1], -1)


def _common_keys(part: Part, run: int, own: Ranks, other: Ranks) -> tuple[Grid, Ints]:
    """Rows of (query, other run): what the common documents have in both lists as one number, ascending; and how many
    there are."""
    lengths = part.lengths[run]
    n_queries, others, longest = len(lengths), other.shape[1], int(lengths.max(initial=0))
    width = part.absent + 1
    keys = np.full((n_queries, longest, others), width * width, dtype=np.int64)
    query = np.repeat(np.arange(n_queries), lengths)
    both = other < part.absent
    keys[query, ranks_within(lengths) - 1] = np.where(
        both, own[:, None].astype(np.int64) * width + other, width * width
    )
    flat = np.sort(keys.transpose(0, 2, 1).reshape(n_queries * others, longest), axis=1)
    counts = np.count_nonzero(flat < width * width, axis=1)
    return flat[:, : max(int(counts.max(initial=0)), 1)], counts
