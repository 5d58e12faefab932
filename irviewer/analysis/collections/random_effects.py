"""Random-effects meta-analysis: the mean of differences that vary between collections by more than chance.

Sources: DerSimonian and Laird, Meta-analysis in clinical trials, 1986; restricted maximum likelihood as in Viechtbauer,
Bias and efficiency of meta-analytic variance estimators, 2005; the interval by Hartung and Knapp 2001 and Sidik and
Jonkman 2002, never narrower than the one with known variances (Knapp and Hartung 2003, their q* ≥ 1); heterogeneity by
Higgins and Thompson 2002; the prediction interval by Higgins, Thompson and Spiegelhalter 2009."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.model.number_text import p_text, percent, quantity
from irviewer.translation import tr

Estimator = Literal["dl", "reml"]
ESTIMATORS: dict[Estimator, str] = {"dl": "DerSimonian and Laird", "reml": "REML"}


@dataclass(frozen=True, eq=False)
class RandomEffects:
    """The meta-analysis of k differences; NaN for fewer than two.

    mean, low, high   the mean difference over collections like these, its interval and ``p`` (two-sided, t with k - 1)
    error             its standard error, by Hartung and Knapp
    tau2              the variance between collections (not by chance)
    q, q_p            Cochran's Q and its p, chi-squared with k - 1
    i2                the share of the variance that chance does not explain, 0..1
    new_low, new_high the prediction interval for one further collection; NaN for fewer than three
    weights           float64[k]: the weights of the differences in the mean
    """

    k: int
    mean: float
    error: float
    low: float
    high: float
    p: float
    tau2: float
    q: float
    q_p: float
    i2: float
    new_low: float
    new_high: float
    weights: Floats
    level: float
    estimator: Estimator

    @property
    def tau(self) -> float:
        """The standard deviation between collections."""
        return math.sqrt(self.tau2)

    @property
    def method(self) -> str:
        """The text that says how it was computed."""
        return tr("{estimator}; interval by Hartung and Knapp", estimator=ESTIMATORS[self.estimator])

    @property
    def heterogeneity(self) -> str:
        """``I² = 93 %, τ = .0770, Q(6) = 91.90, p < .001``."""
        if self.k < 2:
            return ""
        parts = (f"I² = {percent(self.i2)}", f"τ = {quantity(self.tau)}", f"Q({self.k - 1}) = {quantity(self.q)}")
        return ", ".join((*parts, p_text(self.q_p)))


def random_effects(
    differences: Floats, errors: Floats, *, estimator: Estimator = "dl", level: float = LEVEL
) -> RandomEffects:
    """Return the mean of differences float64[k] with standard errors float64[k] above 0. Raises OptionError for another
    estimator or errors that are none."""
    if estimator not in ESTIMATORS:
        raise OptionError(
            tr("There is no estimator {name}; the estimators are {names}.", name=estimator, names=", ".join(ESTIMATORS))
        )
    y, v = np.asarray(differences, np.float64), np.asarray(errors, np.float64) ** 2
    if len(y) != len(v) or not (np.isfinite(y).all() and np.isfinite(v).all() and (v > 0).all()):
        raise OptionError(
            tr("Random effects need, for each collection, a finite difference and a standard error above 0.")
        )
    k = len(y)
    nan = math.nan
    if k < 2:
        return RandomEffects(
            k, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, np.ones(k), level, estimator
        )  # fmt: skip
    functions = special()
    chdtrc, stdtr, stdtrit = functions.chdtrc, functions.stdtr, functions.stdtrit

    w = 1 / v
    fixed = float((w * y).sum() / w.sum())
    q = float((w * (y - fixed) ** 2).sum())
    tau2 = max(0.0, (q - (k - 1)) / float(w.sum() - (w**2).sum() / w.sum()))
    if estimator == "reml":
        tau2 = _reml(y, v, tau2)
    weights = 1 / (v + tau2)
    mean = float((weights * y).sum() / weights.sum())
    scale = float((weights * (y - mean) ** 2).sum()) / (k - 1)
    error = math.sqrt(max(1.0, scale) / float(weights.sum()))
    half = float(stdtrit(k - 1, (1 + level) / 2)) * error
    p = min(1.0, 2 * float(stdtr(k - 1, -abs(mean) / error)))
    spread = float(stdtrit(k - 2, (1 + level) / 2)) * math.sqrt(tau2 + error**2) if k > 2 else nan
    i2 = max(0.0, (q - (k - 1)) / q) if q > 0 else 0.0
    return RandomEffects(
        k, mean, error, mean - half, mean + half, p, tau2, q, float(chdtrc(k - 1, q)), i2, mean - spread, mean + spread,
        weights / weights.sum(), level, estimator,
    )  # fmt: skip


def _reml(y: Floats, v: Floats, start: float) -> float:
    """Fisher scoring from a start, halving steps that leave the range (Viechtbauer 2005)."""
    tau2 = start
    for _ in range(200):
        w = 1 / (v + tau2)
        mean = (w * y).sum() / w.sum()
        square, cube = (w**2).sum(), (w**3).sum()
        score = -w.sum() + square / w.sum() + (w**2 * (y - mean) ** 2).sum()
        information = square - 2 * cube / w.sum() + (square / w.sum()) ** 2
        step = float(score / information)
        following = max(0.0, tau2 + step)
        if abs(following - tau2) <= 1e-12 * max(1e-12, float(v.mean())):
            return following
        tau2 = following
    return tau2
