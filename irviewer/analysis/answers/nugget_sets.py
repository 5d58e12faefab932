"""Two sets of nuggets, such as an automatic and a post-edited one: the order of systems under each, and the topics that
turn. Nuggets of two sets are not compared with each other; scores of the same answers are."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.model.arrays import Floats, Ints

SAME = 1e-12
"""Means that differ by no more are equal: sums of the same numbers in another order."""


@dataclass(frozen=True, eq=False)
class TwoSets:
    """S systems under the nuggets of two assigners, over the T topics of which both labelled all of them.

    means      float64[2, S]
    tau        tau-b of the two orders, with the ends of its interval over topics; NaN without one
    opposite   the pairs of systems in the opposite order, of ``pairs``
    turned     int64[T], the pairs of systems that the topic alone orders the other way
    """

    first: str
    second: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    means: Floats
    tau: float
    low: float
    high: float
    opposite: int
    turned: Ints

    @property
    def pairs(self) -> int:
        """The pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2


def _signs(values: Floats) -> Floats:
    """Return float64[…, pairs], the order of each two systems by values [S, …]; 0 for two that are equal but for
    rounding."""
    first, second = np.triu_indices(len(values), 1)
    apart = values[first] - values[second]
    return np.moveaxis(np.where(np.abs(apart) > SAME, np.sign(apart), 0.0), 0, -1)


def two_sets(
    first: str, second: str, systems: tuple[str, ...], topics: tuple[str, ...], values: Floats, *, samples: int,
    seed: int, confidence: float,
) -> TwoSets:  # fmt: skip
    """Return the orders under two sets by the values float64[2, S, T]. The interval of tau is that of the percentiles
    of draws of topics; of fewer than two topics there is none."""
    means = values.mean(axis=2)
    by_first, by_second = _signs(means[0]), _signs(means[1])
    tau, low, high, n = tau_b(*np.round(means, 12)), nan, nan, len(topics)
    if samples and n > 1 and tau == tau:
        weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=samples) / n
        drawn = [_signs(each @ weights.T) for each in values]
        untied = [np.count_nonzero(each, axis=1) for each in drawn]
        below = np.sqrt(untied[0] * untied[1].astype(np.float64))
        taus = (drawn[0] * drawn[1]).sum(axis=1)[below > 0] / below[below > 0]
        if len(taus):
            low, high = (float(end) for end in np.quantile(taus, [(1 - confidence) / 2, (1 + confidence) / 2]))
    of_topics = _signs(values[0]) * _signs(values[1])
    return TwoSets(
        first, second, systems, topics, means, tau, low, high,
        int(np.count_nonzero(by_first * by_second < 0)), np.count_nonzero(of_topics < 0, axis=1).astype(np.int64),
    )  # fmt: skip
