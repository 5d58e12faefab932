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
from irviewer.analysis.similarity.tied_overlap import tied_overlap
from irviewer.analysis.similarity.ties import MEANINGS, VARIANTS, TieVariant
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, Ranks, frozen
from irviewer.model.exported import Exported
from irviewer.model.number_text import limit
from irviewer.model.run import Run
from irviewer.translation import tr, trn

Kind = Literal["rbo", "rbo-min", "rbo-max", "rbo-residual", "rbo-seen", "overlap", "jaccard", "tau", "tau-ap"]
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
    "rbo-max": SimilarityKind(
        tr("RBO, maximum"),
        tr("the greatest possible rank-biased overlap, if the lists were the same below their ends"),
        _WEBBER,
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
    ties             how rank-biased overlap counts tied scores (``tied_overlap``)
    runs             the names of the runs
    query_ids        the Q queries
    means            float64[R, R], symmetric: the mean over the queries that both runs have (for the taus: with at
                     least two documents in common); NaN where there is none. The diagonal is a run with itself
    compared         int64[R, R]: the number of queries of each mean
    by_query         float64[R, R, Q], NaN where a query was not compared; None unless requested
    tied, documents  int64[R] each: of the documents of each run that are compared, those that share their score with
                     another of the list, and all; None for kinds that do not count ties
    """

    kind: Kind
    p: float
    depth: int
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    means: Floats
    compared: Ints
    by_query: Floats | None = None
    ties: TieVariant = "a"
    tied: Ints | None = None
    documents: Ints | None = None

    @property
    def ranks(self) -> int:
        """The ranks of each list that are compared."""
        return self.depth

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
        """The kind with its parameters: "RBO, p = .9, ties a, depth 100"."""
        if self.kind.startswith("rbo"):
            return tr("{kind}, p = {p}, ties {ties}, depth {depth}", kind=self.about.title, p=limit(self.p),
                      ties=tr("broken") if self.ties == "broken" else self.ties, depth=self.depth)  # fmt: skip
        return tr("{kind}, depth {depth}", kind=self.about.title, depth=self.depth)

    @property
    def ties_note(self) -> str:
        """How ties are counted, how many documents tie, and why a run may agree with itself by less than 1; "" for
        other kinds than rank-biased overlap, and where nothing ties."""
        if self.tied is None or self.documents is None or not self.tied.any():
            return ""
        tied, documents = int(self.tied.sum()), int(self.documents.sum())
        note = trn(
            "{tied:,} of {n:,} document compared shares its score with another; ties {ties}: {meaning}.",
            "{tied:,} of {n:,} documents compared share their score with another; ties {ties}: {meaning}.",
            documents, tied=tied, ties=tr("broken") if self.ties == "broken" else self.ties,
            meaning=MEANINGS[self.ties],
        )  # fmt: skip
        if self.ties == "broken":
            return tr("{note} Ids that break ties alike in both runs raise the agreement.", note=note)
        own = np.diagonal(self.means)
        if self.kind in ("rbo", "rbo-max") and bool((own < 1 - 1e-9).any()):
            return tr(
                "{note} A run with ties agrees with itself by less than 1: two unknown orders of one tie need not be "
                "the same.", note=note,
            )  # fmt: skip
        return note

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
            tied=None if self.tied is None else frozen(self.tied[indices]),
            documents=None if self.documents is None else frozen(self.documents[indices]),
        )


def similarity(
    runs: Sequence[Run],
    kind: Kind = "rbo",
    *,
    p: float = 0.9,
    depth: int | None = None,
    ties: TieVariant = "a",
    queries: Sequence[str] | None = None,
    by_query: bool = False,
    progress: Progress | None = None,
) -> Similarity:
    """Return the similarity of every pair of runs.

    p          the persistence of rank-biased overlap, 0 < p < 1; .9 gives the first ten ranks 86 % of the weight
    depth      the ranks that are compared; None: the default of the kind. Rank-biased overlap that counts ties reads
               the whole of a tie that begins above it
    ties       how rank-biased overlap counts tied scores: "a" as an order that is not known, "w" as equal, "b" as "a",
               corrected so that a list agrees with itself by 1, "broken" in the order of the runs
    queries    the queries that are compared; None: all of any run. A pair is compared where both runs return something
    by_query   keep the value of every query too: R × R × Q numbers
    progress   called with the share done; may raise to stop the work

    Raises OptionError for an unknown kind or treatment of ties, or p or depth out of range."""
    if kind not in KINDS:
        raise OptionError(tr("unknown similarity {name!r}; choose one of {names}", name=kind, names=", ".join(KINDS)))
    if not 0 < p < 1:
        raise OptionError(tr("p is {p:g}; for rank-biased overlap it must be above 0 and below 1", p=p))
    depth = KINDS[kind].depth if depth is None else depth
    if not 1 <= depth < 2**24:
        raise OptionError(tr("the depth is {depth}; it must be 1 or more", depth=depth))
    if ties not in VARIANTS:
        raise OptionError(tr("unknown ties {name!r}; choose one of {names}", name=ties, names=", ".join(VARIANTS)))
    is_rbo = kind.startswith("rbo")
    by_ties = is_rbo and ties != "broken"
    lists = Lists.of(runs, depth, queries, whole_ties=by_ties)
    n, n_queries = len(lists.runs), len(lists.query_ids)
    total, compared = np.zeros((n, n)), np.zeros((n, n), dtype=np.int64)
    values_by_query = np.full((n, n, n_queries), np.nan) if by_query else None
    work = float(lists.lengths.sum()) * (n + 1) / 2 or 1.0
    done = 0.0
    tied, documents = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for part in lists.parts(tied=kind == "tau" or is_rbo):
        first, last = part.queries
        tied += part.tied.sum(axis=1)
        documents += part.lengths.sum(axis=1)
        for run in range(n):
            values = _values(part, run, kind, p)
            with_ties = (part.tied[run] + part.tied[run:]).T > 0 if by_ties else np.False_
            if with_ties.any():
                values = np.where(with_ties, tied_overlap(part, run, p, kind, ties), values)
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
        None if values_by_query is None else frozen(values_by_query), ties if is_rbo else "a",
        *((frozen(tied), frozen(documents)) if is_rbo else ()),
    )  # fmt: skip


_OF_SHARED: dict[str, Callable[[set_overlap.Shared], Floats]] = {
    "rbo": set_overlap.rbo_ext,
    "rbo-min": set_overlap.rbo_min,
    "rbo-max": set_overlap.rbo_max,
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
