"""A score of answers against a measure of the lists that they were made from: does better retrieval reach the answer?

Spearman's rho and Kendall's tau-b over topics, with intervals by Fisher's z: the standard error of rho is that of
Bonett and Wright (Psychometrika 65, 2000), that of tau is of Fieller, Hartley and Pearson (Biometrika 44, 1957)."""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, nan, sqrt, tanh

import numpy as np

from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.analysis.statistics.significance.resampling import average_ranks
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats

FEWEST = 5
"""The topics that an interval takes."""


@dataclass(frozen=True)
class Correlation:
    """A correlation over ``n`` pairs with the ends of its interval; NaN where it, or they, have no value."""

    n: int
    value: float
    low: float = nan
    high: float = nan


def _with_interval(n: int, value: float, squared: float, confidence: float) -> Correlation:
    """Return a correlation whose z has the variance ``squared``."""
    if n < FEWEST or not abs(value) < 1 - 1e-12:  # a perfect one, as far as it was rounded
        return Correlation(n, value)
    reach = float(special().ndtri((1 + confidence) / 2)) * sqrt(squared)
    return Correlation(n, value, tanh(atanh(value) - reach), tanh(atanh(value) + reach))


def correlations(first: Floats, second: Floats, confidence: float) -> tuple[Correlation, Correlation]:
    """Return rho and tau-b of the values of the same topics; a topic without one of the two is left out."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    n = len(first)
    if n < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return Correlation(n, nan), Correlation(n, nan)
    ranks = [average_ranks(values[None, :])[0][0] for values in (first, second)]
    rho = float(np.corrcoef(*ranks)[0, 1])
    tau = tau_b(first, second)
    return (
        _with_interval(n, rho, (1 + rho**2 / 2) / (n - 3) if n > 3 else nan, confidence),
        _with_interval(n, tau, 0.437 / (n - 4) if n > 4 else nan, confidence),
    )
