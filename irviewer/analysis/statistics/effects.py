"""How large a difference is beside its spread: effect sizes of paired values. Knows arrays of differences only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.number_text import percent, quantity


@dataclass(frozen=True)
class Effects:
    """Of one pair. ``d`` is Cohen's d_z, ``g`` Hedges' g, ``superiority`` the share of queries won, ties half; all
    three are greater the better the run is, though the measure be a cost. d and g are 0 where all differences are
    zero, and NaN where there is no spread to measure by: all are the same and not zero, or there is one query."""

    d: float
    g: float
    superiority: float

    @property
    def sentence(self) -> str:
        """In words, after Cohen's (1988) marks .2, .5, .8."""
        size = abs(self.d)
        if np.isnan(size):
            return "Differences that do not vary have no spread to measure their size by."
        word = "very small" if size < 0.2 else "small" if size < 0.5 else "middling" if size < 0.8 else "large"
        return (
            f"Beside its spread over queries the difference is {word} (d = {quantity(self.d)}); a query drawn at "
            f"random is won, ties counting half, with a chance of {percent(self.superiority)}."
        )


def effect_columns(difference: Floats) -> tuple[Floats, Floats, Floats]:
    """d_z, g and the probability of superiority, each float64[P], of differences float64[P, n] without NaN.

    d_z is the mean difference over its standard deviation (Cohen 1988); g takes the bias of few queries away (Hedges
    1981, his exact factor); superiority is (wins + ties / 2) / n."""
    size, n = difference.shape
    if n == 0:
        return np.full(size, np.nan), np.full(size, np.nan), np.full(size, np.nan)
    won = ((difference > 0).sum(axis=1) + (difference == 0).sum(axis=1) / 2) / n
    if n < 2:
        return np.full(size, np.nan), np.full(size, np.nan), won
    mean = difference.mean(axis=1)
    spread = difference.std(axis=1, ddof=1)
    spread[np.ptp(difference, axis=1) == 0] = 0
    d = np.divide(mean, spread, out=np.where(mean == 0, 0.0, np.nan), where=spread > 0)
    return d, d * hedges_factor(n), won


def hedges_factor(n: int) -> float:
    """What Cohen's d of n pairs is multiplied by; 0 for two, whose d says nothing of all others."""
    from scipy.special import gammaln

    df = n - 1
    if df < 2:
        return 0.0
    return float(np.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / np.sqrt(df / 2))
