"""Systems ranked on each collection: Friedman's test with an exact p for small tables, and Nemenyi's critical
difference.

Sources: Friedman 1937; Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.significance.resampling import SEED, average_ranks, decimals_of
from irviewer.analysis.statistics.significance.studentized import studentized_range_sf
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import p_text, quantity
from irviewer.translation import tr

MOST_STATES = 2_000_000
"""The largest number of rank sums times orders in one step of the exact distribution; for larger tables it is
sampled."""
DRAWN = 100_000
_INFINITE = 1e9


@dataclass(frozen=True, eq=False)
class Friedman:
    """Friedman's test of S systems on C collections.

    ranks       float64[S]: average ranks, 1 the best
    chi2        the statistic, corrected for ties; NaN if all systems are equal on every collection
    p           the probability of rank sums at least so far apart if every order of the systems were equally likely
    exact       True if all orders were counted, otherwise ``samples`` tables were drawn with ``seed``
    chi2_p      p by the chi-squared distribution, for comparison with other programs
    """

    ranks: Floats
    chi2: float
    p: float
    exact: bool
    chi2_p: float
    collections: int
    samples: int | None = None
    seed: int | None = None

    @property
    def text(self) -> str:
        """``Friedman χ² = 6.3333, exact p = .052``."""
        if math.isnan(self.chi2):
            return tr("Friedman: all systems are equal on every collection, p = 1")
        if self.exact:
            return tr("Friedman χ² = {chi2}, exact {p}", chi2=quantity(self.chi2), p=p_text(self.p))
        return tr(
            "Friedman χ² = {chi2}, {p} ({samples:,} tables drawn, seed {seed})",
            chi2=quantity(self.chi2), p=p_text(self.p), samples=self.samples, seed=self.seed,
        )  # fmt: skip


def friedman(values: Floats, *, higher_is_better: bool = True, seed: int = SEED) -> Friedman:
    """Test systems on collections, float64[S, C] without NaN. Raises OptionError for fewer than three systems (take the
    sign test) or fewer than two collections."""
    systems, collections = values.shape
    if systems < 3 or collections < 2:
        raise OptionError(tr("Friedman's test needs three systems or more on two collections or more."))
    rounded = np.round(values, decimals_of(values)) + 0.0
    ranks, ties = average_ranks(-rounded.T if higher_is_better else rounded.T)  # [C, S]
    sums = ranks.sum(axis=0)
    centre = collections * (systems + 1) / 2
    spread = float(((sums - centre) ** 2).sum())
    whole = collections * systems * (systems + 1) - float(ties.sum()) / (systems - 1)
    if whole <= 0:
        return Friedman(ranks.mean(axis=0), math.nan, 1.0, True, 1.0, collections)
    chdtrc = special().chdtrc

    chi2 = 12 * spread / whole
    chi2_p = float(chdtrc(systems - 1, chi2))
    doubled = np.rint(2 * ranks).astype(np.int64)
    p = _exact(doubled, 4 * spread)
    if p is not None:
        return Friedman(ranks.mean(axis=0), chi2, p, True, chi2_p, collections)
    p = _drawn(doubled, 4 * spread, seed)
    return Friedman(ranks.mean(axis=0), chi2, p, False, chi2_p, collections, DRAWN, seed)


def _exact(doubled: Ints, spread: float) -> float | None:
    """Return the share of all tables whose doubled rank sums are at least so far apart; None if there are too many. The
    next collection does not depend on which system has which sum, so sums are sorted and counted together."""
    systems = doubled.shape[1]
    if math.factorial(systems) > 5040:
        return None
    base = int(doubled.max(axis=1).sum()) + 1
    if systems * math.log2(base) > 62:
        return None
    digits = base ** np.arange(systems, dtype=np.int64)
    states: Ints = np.zeros((1, systems), dtype=np.int64)
    counts: Floats = np.ones(1)
    for row in doubled:
        orders = np.array(list(set(itertools.permutations(row.tolist()))), dtype=np.int64)
        if len(states) * len(orders) * systems > MOST_STATES:
            return None
        following = np.sort((states[:, None, :] + orders[None, :, :]).reshape(-1, systems), axis=1)
        weights = np.repeat(counts / len(orders), len(orders))
        _, first, place = np.unique(following @ digits, return_index=True, return_inverse=True)
        states = following[first]
        counts = np.asarray(np.bincount(place.reshape(-1), weights=weights), dtype=np.float64)
    centre = doubled.sum(axis=1).sum() / systems
    apart = ((states - centre) ** 2).sum(axis=1)
    return float(min(1.0, counts[apart >= spread - 1e-6].sum()))


def _drawn(doubled: Ints, spread: float, seed: int) -> float:
    random = np.random.default_rng(seed)
    collections, systems = doubled.shape
    centre = doubled.sum(axis=1).sum() / systems
    step = max(1, (1 << 22) // (collections * systems))
    reached = 0
    for start in range(0, DRAWN, step):
        rows = min(step, DRAWN - start)
        tables = random.permuted(np.broadcast_to(doubled, (rows, collections, systems)), axis=2)
        reached += int((((tables.sum(axis=1) - centre) ** 2).sum(axis=1) >= spread - 1e-6).sum())
    return (reached + 1) / (DRAWN + 1)


def critical_difference(systems: int, collections: int, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference: average ranks that differ by it or more differ at ``alpha`` (Demšar 2006). Raises
    OptionError for fewer than two systems."""
    if systems < 2 or collections < 1 or not 0 < alpha < 1:
        raise OptionError(
            tr("A critical difference needs two systems or more, a collection, and alpha between 0 and 1.")
        )
    return _range_quantile(systems, alpha) / math.sqrt(2) * math.sqrt(systems * (systems + 1) / (6 * collections))


def nemenyi(ranks: Floats, collections: int) -> Floats:
    """Return float64[S, S]: Nemenyi's p of every two systems from their average ranks float64[S], 1 on the diagonal."""
    systems = len(ranks)
    distance = np.abs(ranks[:, None] - ranks[None, :]) / math.sqrt(systems * (systems + 1) / (12 * collections))
    return studentized_range_sf(distance, systems, _INFINITE)


def _range_quantile(systems: int, alpha: float) -> float:
    """Return the studentized range, infinite degrees of freedom, that is exceeded with that chance."""
    low, high = 0.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        if float(studentized_range_sf(np.array(middle), systems, _INFINITE)) > alpha:
            low = middle
        else:
            high = middle
    return (low + high) / 2
