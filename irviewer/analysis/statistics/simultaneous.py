"""Intervals of several mean differences that hold together: for a run that was chosen by its result.

The interval of the best of K runs is too narrow as soon as the run was chosen among them by the same queries. Here all
K intervals contain their differences at once, with the declared confidence, so whichever run is chosen, its own does.
The single-step max-t method (Westfall and Young 1993; Romano and Wolf, Econometrica 2005): queries are drawn again for
all runs at once, and the quantile of the largest absolute t of each sample takes the place of Student's."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED, counts
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.number_text import level_text
from irviewer.translation import trn


@dataclass(frozen=True, eq=False)
class Simultaneous:
    """Intervals float64[K], ``low`` to ``high``, of K mean ``differences`` that hold together.

    critical  the number of standard errors to each side; NaN where there are fewer than two queries, or no spread
    """

    differences: Floats
    low: Floats
    high: Floats
    critical: float
    level: float = LEVEL
    samples: int = SAMPLES
    seed: int = SEED

    @property
    def note(self) -> str:
        """What the intervals are, for the note beside a number."""
        return trn(
            "simultaneous {level} interval over {n:,} comparison; max-t, {samples:,} samples, seed {seed}",
            "simultaneous {level} interval over {n:,} comparisons; max-t, {samples:,} samples, seed {seed}",
            len(self.differences), level=level_text(self.level), samples=self.samples, seed=self.seed,
        )  # fmt: skip


def simultaneous_intervals(
    differences: Floats, level: float = LEVEL, *, samples: int = SAMPLES, seed: int = SEED,
    clusters: Clusters | None = None,
) -> Simultaneous:  # fmt: skip
    """Return intervals of the means of differences float64[K, Q] by query that hold together with probability
    ``level``; NaN for a query that a pair does not have in common. A row without spread has none.
    With ``clusters`` of the Q queries whole clusters are drawn, and standard errors are CR1."""
    present = ~np.isnan(differences)
    values = np.where(present, differences, 0.0)
    n = present.sum(axis=1)
    means = np.divide(values.sum(axis=1), n, out=np.full(len(n), np.nan), where=n > 0)
    centred = np.where(present, differences - means[:, None], 0.0)
    errors = _standard_errors(centred.sum(axis=1), (centred**2).sum(axis=1), n.astype(np.float64))
    sums, sizes = np.empty((0, 0)), np.empty((0, 0))
    if clusters is not None:
        sums, sizes = clusters.sums(centred), clusters.sums(present.astype(np.float64))
        errors = _cluster_errors(np.ones((1, len(clusters))), sums, sizes)[2][0]
    spread = errors > 1e-12 * np.maximum(1.0, np.abs(means))
    critical = math.nan
    if spread.any() and samples > 0:
        critical = (
            _critical(centred[spread], present[spread], level, samples, seed)
            if clusters is None
            else _cluster_critical(sums[spread], sizes[spread], level, samples, seed)
        )
    half = np.full(len(means), np.nan)
    half[spread] = critical * errors[spread]  # infinite where more samples than allowed have no spread
    low, high = frozen(means - half), frozen(means + half)
    return Simultaneous(frozen(means), low, high, critical, level, samples, seed)


def _critical(centred: Floats, present: Bools, level: float, samples: int, seed: int) -> float:
    """Return the quantile of the largest absolute t of samples of the queries, drawn for all rows at once; ``centred``
    float64[K, Q] have the mean 0, and 0 where ``present`` is False."""
    largest = []
    whole = bool(present.all())
    for drawn in counts(centred.shape[1], samples, seed):
        sums, squares = drawn @ centred.T, drawn @ (centred**2).T
        n = np.full_like(sums, centred.shape[1]) if whole else drawn @ present.T.astype(np.float64)
        errors = _standard_errors(sums, squares, n)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(sums / n) / errors
        largest.append(np.nanmax(np.where(sums == 0, 0.0, t), axis=1, initial=0.0))
    ordered = np.sort(np.concatenate(largest))
    return float(ordered[min(math.ceil((samples + 1) * level), samples) - 1])


def _cluster_critical(sums: Floats, sizes: Floats, level: float, samples: int, seed: int) -> float:
    """Return the same where whole clusters are drawn; ``sums`` float64[K, G] are of centred values, ``sizes`` the
    queries of each cluster that a pair has."""
    largest = []
    for drawn in counts(sums.shape[1], samples, seed):
        total, n, errors = _cluster_errors(drawn, sums, sizes)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(total / n) / errors
        largest.append(np.nanmax(np.where(total == 0, 0.0, t), axis=1, initial=0.0))
    ordered = np.sort(np.concatenate(largest))
    return float(ordered[min(math.ceil((samples + 1) * level), samples) - 1])


def _cluster_errors(drawn: Floats, sums: Floats, sizes: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the sums, the numbers of values and the CR1 standard errors of means, float64[S, K] each, of clusters that
    are drawn as often as ``drawn`` float64[S, G] says; NaN for fewer than two."""
    total, n = drawn @ sums.T, drawn @ sizes.T
    groups = drawn @ (sizes > 0).astype(np.float64).T
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        squares = drawn @ (sums**2).T - 2 * mean * (drawn @ (sums * sizes).T) + mean**2 * (drawn @ (sizes**2).T)
        errors = np.sqrt(np.maximum(squares, 0.0) * groups / (groups - 1)) / n
        return total, n, np.where(groups > 1, errors, np.nan)


def _standard_errors(sums: Floats, squares: Floats, n: Floats) -> Floats:
    """Return the standard errors of means of n values with these sums and sums of squares; NaN for n below 2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(squares - sums**2 / n, 0.0) / (n - 1)
        return np.where(n > 1, np.sqrt(variance / n), np.nan)
