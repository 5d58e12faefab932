"""Effect sizes of paired values: the size of a difference relative to its spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.model.number_text import percent, quantity
from irviewer.translation import tr


@dataclass(frozen=True)
class Effects:
    """The effect sizes of one pair. ``d`` is Cohen's d_z, ``g`` Hedges' g, ``superiority`` the share of queries won,
    ties half; all three are greater for a better run, also where less is better. d and g are 0 where all differences
    are zero, and NaN without spread: where all are the same and not zero, or with one query."""

    d: float
    g: float
    superiority: float

    @property
    def sentence(self) -> str:
        """The effect in words, after Cohen's (1988) limits .2, .5, .8."""
        size = abs(self.d)
        if np.isnan(size):
            return tr("There is no effect size: the differences do not vary.")
        word = (
            tr("very small")
            if size < 0.2
            else tr("small")
            if size < 0.5
            else tr("medium")
            if size < 0.8
            else tr("large")
        )
        return tr(
            "Relative to its spread over queries the difference is {size} (d = {d}); a query drawn at random is won, "
            "ties counting half, with a probability of {superiority}.",
            size=word,
            d=quantity(self.d),
            superiority=percent(self.superiority),
        )


def effect_columns(difference: Floats) -> tuple[Floats, Floats, Floats]:
    """Return d_z, g and the probability of superiority, each float64[P], of differences float64[P, n] without NaN.

    d_z is the mean difference over its standard deviation (Cohen 1988); g corrects it for the bias of few queries
    (Hedges 1981, the exact factor); superiority is (wins + ties / 2) / n."""
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
    """Return the factor from Cohen's d of n queries to Hedges' g; 0 for two, for which it is undefined."""
    gammaln = special().gammaln

    df = n - 1
    if df < 2:
        return 0.0
    return float(np.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / np.sqrt(df / 2))
