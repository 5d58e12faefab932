"""The power of tests of a mean difference and the expected width of its interval, by the number of queries n.

Power is what a design has before the data, for a difference that a user chose. The standard deviation of a sample is
integrated over: given u = s / sigma, each of these tests is an event of the normal distribution. That is exact, also
far out where series of the noncentral t distribution give up."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np

from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats

_PANELS, _NODES = 10, 20
_TAIL = 1e-18
"""The probability of standard deviations that are left out on each side."""


def t_power(d: float, n: float, alpha: float = 0.05) -> float:
    """Return the probability that a two-sided paired t-test of n >= 2 queries has p < alpha where the true difference
    is d standard deviations (Cohen 1988)."""
    critical, shift = _critical(alpha / 2, n - 1), abs(d) * math.sqrt(n)
    return _tail(shift, critical, n - 1) + _tail(-shift, critical, n - 1)


def t_power_one_sided(d: float, n: int, alpha: float = 0.05) -> float:
    """Return the same of a test on the side where d is above 0. With d = (margin + true) / sigma this is the power of
    non-inferiority against -margin."""
    return _tail(d * math.sqrt(n), _critical(alpha, n - 1), n - 1)


def equivalence_power(margin: float, true: float, sd: float, n: int, alpha: float = 0.05, *, samples: int = 1) -> float:
    """Return the probability that two one-sided t-tests, each at alpha, place the true difference between -margin and
    margin (Schuirmann 1987).

    sd       of the paired differences; with two ``samples`` that within each, n queries each"""
    df, scale = samples * (n - 1), sd * math.sqrt(samples / n)
    critical = _critical(alpha, df)
    most = margin / (scale * critical)  # with a larger s the interval is wider than both margins together
    up, down = (margin - true) / scale, -(margin + true) / scale
    ndtr = special().ndtr
    at = [most, *(_near(up, critical)), *(_near(-down, critical))]
    u, weights = _spread(df, tuple(at), most)
    return float(np.clip((ndtr(up - critical * u) - ndtr(down + critical * u)) @ weights, 0.0, 1.0))


def unpaired_t_power(d: float, n: int, alpha: float = 0.05) -> float:
    """Return the power of a two-sided t-test of two independent samples, n each, d standard deviations apart."""
    df, shift = 2 * (n - 1), abs(d) * math.sqrt(n / 2)
    critical = _critical(alpha / 2, df)
    return _tail(shift, critical, df) + _tail(-shift, critical, df)


def anova_power(d: float, systems: int, n: int, alpha: float = 0.05) -> float:
    """Return the power of a one-way analysis of variance where two of the systems are d standard deviations (within a
    system) apart and the others halfway, the least favourable means: noncentrality n d² / 2 (Sakai 2016)."""
    functions = special()
    between, within, away = systems - 1, systems * (n - 1), n * d * d / 2
    critical = float(functions.fdtri(between, within, 1 - alpha))
    # Given the spread u within systems, it is a noncentral chi-square between them.
    root = math.sqrt(max(away, 1e-300))
    edge = math.sqrt(between * critical)
    u, weights = _spread(within, _near(root, edge))
    return float(np.clip((1.0 - functions.chndtr(between * critical * u * u, between, away)) @ weights, 0.0, 1.0))


def paired_width(sd: float, n: int, alpha: float = 0.05) -> float:
    """Return the expected width of the t interval of a mean of n differences (Sakai 2016)."""
    return 2 * _critical(alpha / 2, n - 1) * _mean_of_s(n - 1) * sd / math.sqrt(n)


def unpaired_width(sd: float, n: int, alpha: float = 0.05) -> float:
    """Return the same of the difference of two independent means, n queries each."""
    df = 2 * (n - 1)
    return 2 * _critical(alpha / 2, df) * _mean_of_s(df) * sd * math.sqrt(2 / n)


def _critical(alpha: float, df: float) -> float:
    """Return the t above which a share alpha lies."""
    return float(-special().stdtrit(df, alpha))


def _tail(shift: float, critical: float, df: float) -> float:
    """Return P(T > critical) of the noncentral t."""
    u, weights = _spread(df, _near(shift, critical))
    return float(np.clip(special().ndtr(shift - critical * u) @ weights, 0.0, 1.0))


def _mean_of_s(df: float) -> float:
    """Return the expectation of s / sigma, c4 for df = n - 1."""
    gammaln = special().gammaln
    return math.sqrt(2 / df) * math.exp(float(gammaln((df + 1) / 2) - gammaln(df / 2)))


def _near(shift: float, critical: float) -> tuple[float, ...]:
    """Return the u around which Φ(shift - critical u) changes from 1 to 0."""
    return (shift - 9) / critical, shift / critical, (shift + 9) / critical


def _spread(df: float, at: tuple[float, ...] = (), most: float = math.inf) -> tuple[Floats, Floats]:
    """Return values of u = s / sigma and their weights, together 1 or, below ``most``, its probability. Panels are cut
    at the places ``at``, where the integrand changes fast."""
    functions = special()
    low = math.sqrt(2 * float(functions.gammaincinv(df / 2, _TAIL)) / df)
    high = math.sqrt(2 * float(functions.gammainccinv(df / 2, _TAIL)) / df)
    mode = math.sqrt(max(0.0, 1 - 1 / df))
    cuts = sorted({low, high, *(float(np.clip(place, low, high)) for place in (*at, mode, most))})
    nodes, shares = _legendre()
    edges = np.concatenate([np.linspace(a, b, _PANELS + 1)[:-1] for a, b in pairwise(cuts)] + [[high]])
    widths = np.diff(edges)[:, None] / 2
    u = (edges[:-1, None] + widths * (nodes + 1)).ravel()
    away = u - 1  # exact logarithms where u is near 1, however many degrees of freedom there are
    rise = df * (np.log1p(away) - away - away * away / 2) - np.log1p(away)
    weights = (widths * shares).ravel() * np.exp(rise - rise.max())
    weights /= weights.sum()
    kept = u < most
    return u[kept], weights[kept]


@lru_cache
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights
