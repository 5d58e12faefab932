"""How many queries a human must judge so that a corrected mean has an interval of a half-width that is wanted.

The half-width is that of Student's interval with the spreads of a sample: of n human queries of the N that a model
judged it is t(n − 1) √(σ²_Y / N + (1/n − 1/N) σ²_r), where σ²_Y is the variance between queries of the human's values
and σ²_r that of what the model leaves unexplained of them; of n queries judged by the human alone, of whatever number,
t(n − 1) σ_Y / √n. A standard deviation of a sample is uncertain: its limits (Sakai, IRJ 19(3), 2016, plans with σ² of a
pilot alike) give limits of the number. They are those of a pilot of a plan, from the kurtosis of the values (Bonett
2006)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.corrected import CorrectedMeans
from irviewer.analysis.planning.designs import Spread
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats, frozen
from irviewer.translation import tr

MOST = 1_000_000
"""No larger number of queries is sought."""


@dataclass(frozen=True, eq=False)
class NeededQueries:
    """Numbers of queries for R means, float64[R] each; NaN where no number is enough: of a corrected one more than
    the N queries that the model judged, of the human alone more than a million.

    needed      with the spreads of the sample
    low, high   with the limits of these spreads
    """

    needed: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class HumanQueries:
    """How many human queries give a half-width, by the correction and by the human alone."""

    half: float
    corrected: NeededQueries
    alone: NeededQueries


def human_queries(means: CorrectedMeans, half: float, *, confidence: float = 0.95) -> HumanQueries:
    """Return the human queries that a half-width takes of each of R means; ``confidence`` that of the limits of their
    spreads. The widening of intervals from fewer than 50 queries is not counted. Raises OptionError for a half-width
    that is not above 0."""
    if not half > 0:
        raise OptionError(tr("the half-width is {half:g}; it must be above 0", half=half))
    own, rest, total = means.human_spread, means.difference_spread, means.total
    low_own, high_own = _limits(means.n, means.human_kurtosis, confidence)
    low_rest, high_rest = _limits(means.n, means.difference_kurtosis, confidence)

    def corrected(own: Floats, rest: Floats) -> Floats:
        def width(n: Floats) -> Floats:
            left = np.maximum(1 / n - 1 / total, 0.0)
            return np.asarray(_t(means.level, n) * np.sqrt(own / total + left * rest))

        return _least(width, half, len(own), total)

    def alone(own: Floats) -> Floats:
        return _least(lambda n: np.asarray(_t(means.level, n) * np.sqrt(own / n)), half, len(own), MOST)

    return HumanQueries(
        half,
        NeededQueries(
            corrected(own, rest), corrected(low_own * own, low_rest * rest), corrected(high_own * own, high_rest * rest)
        ),
        NeededQueries(alone(own), alone(low_own * own), alone(high_own * own)),
    )


def _limits(n: int, kurtosis: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return float64[R] twice: the factors of R variances of n values that give their limits."""
    limits = np.array([Spread(1.0, n - 1, n, each).limits(confidence) for each in kurtosis.tolist()])
    low, high = limits.reshape(-1, 2).T ** 2
    return low, high


def _t(level: float, n: Floats) -> Floats:
    return np.asarray(special().stdtrit(n - 1, (1 + level) / 2))


def _least(width: Callable[[Floats], Floats], half: float, rows: int, most: int) -> Floats:
    """Return float64[rows]: the least whole number from 2 to ``most`` at which a width that falls with it is ``half``
    or less, by bisection; NaN for none."""
    low, high = np.full(rows, 1.0), np.full(rows, float(most))
    none = ~(width(high) <= half) if most >= 2 else np.ones(rows, dtype=np.bool_)
    while bool((high - low > 1).any()):
        middle = np.floor((low + high) / 2)
        middle = np.where(high - low > 1, middle, high)
        enough = width(middle) <= half
        high, low = np.where(enough, middle, high), np.where(enough, low, middle)
        low = np.minimum(low, high - 1)
    return frozen(np.where(none, np.nan, high))
