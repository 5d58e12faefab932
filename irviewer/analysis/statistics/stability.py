"""How firm the order of the runs is: ranks, first places and who is ahead of whom, when the queries are drawn again.

Knows values of runs and queries, no names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.resampling import SAMPLES, SEED, average_ranks, bootstrap_means
from irviewer.analysis.statistics.test_results import Step
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import percent

AT_ONCE = 500
"""Samples whose runs are ranked at a time."""


@dataclass(frozen=True, eq=False)
class Stability:
    """Of R runs under ``samples`` draws of the queries that every run has.

    rank            float64[R]: by the mean as it is, 1 the best, equal means sharing their mean rank
    first           float64[R]: the share of draws in which the run comes first, shared where several do; adds to 1
    low, high       float64[R]: between which ranks it lies in ``level`` of the draws
    ahead           float64[R, R]: the share of draws in which the row is ahead of the column, ties half; NaN on itself
    tau             the mean of Kendall's tau-a between the drawn orders and the order as it is
    queries         how many queries were drawn from
    runs            their names, where they are known
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

    def sentence(self, name: str, run: int) -> str:
        """What it says of one run."""
        low, high = float(self.low[run]), float(self.high[run])
        between = f"rank {low:g}" if low == high else f"ranks {low:g} to {high:g}"
        return (
            f"{name} comes first in {percent(float(self.first[run]))} of {self.samples:,} draws of the queries and "
            f"takes {between} in {percent(self.level)} of them (seed {self.seed})."
        )


def ranking_stability(
    values: Floats,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    weights: Floats | None = None,
    higher_is_better: bool = True,
    progress: Step | None = None,
) -> Stability:
    """Ranks of R runs by their (weighted) means when queries are drawn with replacement, from float64[R, Q]. Queries
    that a run lacks (NaN) are left out for all. ``progress`` is told the share done. Raises OptionError where no query
    is left."""
    complete = ~np.isnan(values).any(axis=0)
    if not complete.any():
        raise OptionError("no query that every run has: there is no order to draw again")
    kept = values[:, complete] if higher_is_better else -values[:, complete]
    weighed = None if weights is None else weights[complete]
    runs, n = kept.shape
    scale = max(1.0, float(np.abs(kept).max()))
    means = np.average(kept, axis=1, weights=weighed) / scale
    rank = average_ranks(-np.round(means, 12)[None])[0][0]
    order = np.sign(rank - rank[:, None])  # 1 where the row is ahead of the column
    again = None if progress is None else partial(progress, 0.0)
    drawn = np.round(bootstrap_means(kept, samples, seed, weighed, again).T / scale, 12)
    ranks = np.empty((samples, runs))
    first = np.zeros(runs)
    ahead = np.zeros((runs, runs))
    for start in range(0, samples, AT_ONCE):
        part = drawn[start : start + AT_ONCE]
        ranks[start : start + AT_ONCE] = average_ranks(-part)[0]
        top = part == part.max(axis=1, keepdims=True)
        first += (top / top.sum(axis=1, keepdims=True)).sum(axis=0)
        for run in range(runs):
            ahead[run] += (part[:, run, None] > part).sum(axis=0) + (part[:, run, None] == part).sum(axis=0) / 2
        if progress is not None:
            progress(min(1.0, (start + AT_ONCE) / samples))
    ahead /= samples
    pairs = runs * (runs - 1)
    tau = float((order * (2 * ahead - 1)).sum() / pairs) if pairs else 1.0
    np.fill_diagonal(ahead, np.nan)
    low, high = np.quantile(ranks, [(1 - level) / 2, (1 + level) / 2], axis=0, method="nearest")
    return Stability(rank, first / samples, low, high, ahead, tau, n, samples, seed, level)


def order_of(stability: Stability) -> Ints:
    """int64[R]: the runs, best first."""
    return np.argsort(stability.rank, kind="stable")
