"""Stability of the order of the runs when the queries are drawn again: ranks, first places, pairwise order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.significance.resampling import (
    SAMPLES,
    SEED,
    SharedMeans,
    average_ranks,
    bootstrap_means,
)
from irviewer.analysis.statistics.significance.test_results import Step
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.exported import Exported
from irviewer.model.number_text import level_text, percent
from irviewer.translation import tr, trn

AT_ONCE = 500
"""Samples whose runs are ranked together."""


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Exported):
    """The stability of the order of R runs under ``samples`` draws of the queries that every run has.

    rank            float64[R]: by the observed mean, 1 the best, equal means sharing their mean rank
    first           float64[R]: the share of draws in which the run comes first, shared where several do; adds to 1
    low, high       float64[R]: the range of its ranks in ``level`` of the draws
    ahead           float64[R, R]: the share of draws in which the row is ahead of the column, ties half; NaN on the
                    diagonal
    tau             the mean of Kendall's tau-a between the drawn orders and the observed order
    queries         the number of queries that are drawn from
    runs, measure   the names of the runs and the measure, where they are known
    notes           what to know of the weights, of a geometric mean, of queries that runs lack, and of few queries
    """

    rank: Floats
    first: Floats
    low: Floats
    high: Floats
    ahead: Floats
    tau: float
    queries: int
    samples: int
    seed: int
    level: float
    runs: tuple[str, ...] = ()
    measure: str = ""
    notes: tuple[str, ...] = ()

    @property
    def looked_at(self) -> str:
        """What was drawn, with what is needed to reproduce it."""
        return trn(
            "1st: {samples:,} bootstrap samples of the one query that all runs have, seed {seed}",
            "1st: {samples:,} bootstrap samples of the {n:,} queries that all runs have, seed {seed}",
            self.queries, samples=self.samples, seed=self.seed,
        )  # fmt: skip

    def sentence(self, name: str, run: int) -> str:
        """Return the stability of one run as a sentence."""
        low, high = float(self.low[run]), float(self.high[run])
        first, level = percent(float(self.first[run])), level_text(self.level)
        if low == high:
            return tr(
                "{run} comes first in {first} of {samples:,} draws of the queries and has rank {rank:g} in {level} of "
                "them (seed {seed}).",
                run=name, first=first, samples=self.samples, rank=low, level=level, seed=self.seed,
            )  # fmt: skip
        return tr(
            "{run} comes first in {first} of {samples:,} draws of the queries and has ranks {low:g} to {high:g} in "
            "{level} of them (seed {seed}).",
            run=name, first=first, samples=self.samples, low=low, high=high, level=level, seed=self.seed,
        )  # fmt: skip


def can_be_drawn(values: Floats) -> bool:
    """Return whether two queries or more are in all runs, float64[R, Q]: every draw of one is the same."""
    return int(np.count_nonzero(~np.isnan(values).any(axis=0))) > 1


def ranking_stability(
    values: Floats,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    weights: Floats | None = None,
    higher_is_better: bool = True,
    shared: SharedMeans | None = None,
    progress: Step | None = None,
) -> Stability:
    """Return the ranks of R runs by their (weighted) means when queries are drawn with replacement, from float64[R, Q].

    Queries that a run lacks (NaN) are left out for all. ``shared`` are drawn means that others need, too. ``progress``
    is called with the share done. Raises OptionError where fewer than two queries are left."""
    complete = ~np.isnan(values).any(axis=0)
    if not complete.any():
        raise OptionError(tr("no query is in every run, so the order of the runs cannot be resampled"))
    if not can_be_drawn(values):
        raise OptionError(tr("only one query is in every run, which shows nothing of how stable their order is"))
    scores = values[:, complete] if higher_is_better else -values[:, complete]
    if samples < 1:
        raise OptionError(tr("samples is 0; a comparison needs 1 or more"))
    weighed = None if weights is None else weights[complete]
    runs, n = scores.shape
    scale = max(1.0, float(np.abs(scores).max()))
    means = np.average(scores, axis=1, weights=weighed) / scale
    rank = average_ranks(-np.round(means, 12)[None])[0][0]
    order = np.sign(rank - rank[:, None])  # 1 where the row is ahead of the column
    step = None if progress is None else partial(progress, 0.0)
    if weighed is None:
        drawn = (shared or SharedMeans()).means(values[:, complete], samples, seed, step)
        signed = scale if higher_is_better else -scale
    else:
        drawn, signed = bootstrap_means(scores, samples, seed, weighed, step), scale
    # Whole numbers of few bytes: all ranks of 500 runs as floats are 40 MB.
    doubled = np.empty((runs, samples), np.int16 if runs < 1 << 14 else np.int64)
    tied = np.zeros(samples, np.bool_)
    first = np.zeros(runs)
    for start in range(0, samples, AT_ONCE):
        part = np.round(drawn[:, start : start + AT_ONCE].T / signed, 12)
        ranks, ties = average_ranks(-part)
        doubled[:, start : start + AT_ONCE] = (2 * ranks).T
        tied[start : start + AT_ONCE] = ties > 0
        top = part == part.max(axis=1, keepdims=True)
        first += (top / top.sum(axis=1, keepdims=True)).sum(axis=0)
        if progress is not None:
            progress(0.5 * min(1.0, (start + AT_ONCE) / samples))
    ahead = _ahead(doubled, tied, progress)
    ahead /= samples
    pairs = runs * (runs - 1)
    tau = float((order * (2 * ahead - 1)).sum() / pairs) if pairs else 1.0
    np.fill_diagonal(ahead, np.nan)
    low, high = np.quantile(doubled, [(1 - level) / 2, (1 + level) / 2], axis=1, method="nearest") / 2
    return Stability(rank, first / samples, low, high, ahead, tau, n, samples, seed, level)


def _ahead(doubled: npt.NDArray[np.integer[Any]], tied: Bools, progress: Step | None) -> Floats:
    """Return in how many draws the row is ahead of the column, ties half, float64[R, R], from twice the ranks, whole
    numbers [R, samples], and the draws in which any runs share a rank, bool[samples]."""
    runs, samples = doubled.shape
    sharing = np.ascontiguousarray(doubled[:, tied])
    ahead = np.full((runs, runs), samples / 2)
    for run in range(runs):
        others = slice(run + 1, runs)
        won = np.count_nonzero(doubled[run] < doubled[others], axis=1)
        won = won + np.count_nonzero(sharing[run] == sharing[others], axis=1) / 2
        ahead[run, others] = won
        ahead[others, run] = samples - won
        if progress is not None:
            progress(0.5 + 0.5 * (run + 1) / runs)
    return ahead


def order_of(stability: Stability) -> Ints:
    """Return the runs, best first, int64[R]."""
    return np.argsort(stability.rank, kind="stable")
