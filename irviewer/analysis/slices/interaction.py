"""Test of interaction: whether the difference of two runs varies between slices of the queries.

The statistic is the F of a one-way analysis of variance of the differences by query. Its distribution is that of
permutations of the queries among the slices, so that no normal distribution is assumed (Fisher 1935; Good, Permutation,
Parametric and Bootstrap Tests of Hypotheses, 2005, 5.3). Where so many queries are permuted that it would take long,
means of large slices are as good as normal, and the distribution is F's (Hoeffding, A combinatorial central limit
theorem, Annals of Mathematical Statistics 1951); with a small slice, or differences of which nearly all are 0, fewer
permutations are drawn."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from irviewer.analysis.statistics.significance.resampling import AT_ONCE, SAMPLES, SEED
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats, Ints, Ranks, offsets_of
from irviewer.model.number_text import p_text, p_value, quantity
from irviewer.translation import number_list, tr

EXACT = 20_000
"""Up to this number of partitions of the queries, all are computed."""
LONG = 1 << 27
"""Permuted differences, of all samples together, that take long: some seconds. With more, p is that of F where it is as
good, or at least ``FEWEST`` permutations are drawn."""
FEWEST = 999
NORMAL = 0.05
"""The largest kurtosis of the differences by the size of the smallest slice with which F is used."""
STEPS = 15
"""The fewest steps in the standard deviation of the smallest slice's sum with which F is used, where most differences
are some few values that lie a step apart (those of P@1 are −1, 0 and 1): F counts half of the ties. With both limits
the share of permutations that reach the statistic is within a tenth of p at p = .05, and within half of it at .005 (by
simulation, in the tests)."""
COMMON = 0.01
"""The share of queries from which a difference is one of few values."""
MOST_KEPT = 1 << 23
"""The largest number of elements of random permutations that are cached for the next test: 32 MB."""


@dataclass(frozen=True)
class Interaction:
    """The test of one attribute.

    f               variance between the slices over that within them; infinite where there is none within, NaN where
                    there is none at all, or nothing to compare
    between, within degrees of freedom: slices - 1, queries - slices
    p               the share of permutations whose F is as large; NaN where there are fewer than two slices with
                    queries, or no query more than slices
    corrected       p after the correction over all attributes and runs, equal to p where it is alone
    family          how many tests the correction counts
    correction      its title, "" for none
    unit            the unit of several queries by which this test cannot count, so that there is none
    exact           True where all permutations were counted; else ``samples`` were drawn with ``seed``, or p is that of
                    the F distribution, if ``samples`` is None
    """

    f: float
    between: int
    within: int
    p: float
    corrected: float
    family: int = 1
    exact: bool = False
    samples: int | None = None
    seed: int | None = None
    correction: str = "Holm"
    unit: str = ""

    @property
    def at_most(self) -> bool:
        """True if p is a bound: no drawn permutation reached the statistic."""
        return self.samples is not None and self.p * (self.samples + 1) < 1.5

    @property
    def p_shown(self) -> str:
        """p as a table writes it."""
        return p_value(self.p, at_most=self.at_most)

    @property
    def corrected_shown(self) -> str:
        """p after the correction, as a table writes it."""
        return p_value(self.corrected, at_most=self.at_most)

    @property
    def text(self) -> str:
        """``p = .090, .180 after Holm over 2 tests, F(4, 419) = 2.01``; a reason where there is no test."""
        if self.unit:
            return tr("no test: permutations of single queries cannot count by a unit ({unit})", unit=self.unit)
        if math.isnan(self.p):
            return tr("no test: it needs two slices with queries, and more queries than slices")
        words = [p_text(self.p, at_most=self.at_most)]
        if self.family > 1 and self.correction:
            p, title = self.corrected_shown, self.correction
            words.append(tr("{p} after {correction} over {n} tests", p=p, correction=title, n=self.family))
        elif self.family > 1:
            words.append(tr("not corrected for {n} tests", n=self.family))
        if not math.isnan(self.f):
            words.append(f"F({self.between}, {self.within}) = {quantity(self.f)}")
        return number_list(words)

    @property
    def method(self) -> str:
        """The text that says how p was computed."""
        if math.isnan(self.p):
            return ""
        if self.exact:
            return tr("one-way F of the differences by query, all permutations counted")
        if self.samples is None:
            return tr("one-way F of the differences by query, F distribution, as slices are large")
        return tr(
            "one-way F of the differences by query, {samples:,} permutations, seed {seed}",
            samples=self.samples, seed=self.seed,
        )  # fmt: skip


def interaction(differences: Floats, codes: Ints, *, samples: int = SAMPLES, seed: int = SEED) -> Interaction:
    """Test whether the means of ``differences`` float64[n] differ between the groups ``codes`` int64[n]; queries with a
    NaN or a code below 0 are left out."""
    kept = ~np.isnan(differences) & (codes >= 0)
    groups, group = np.unique(codes[kept], return_inverse=True)
    order = np.argsort(group, kind="stable")
    values = differences[kept][order]
    sizes = np.bincount(group, minlength=len(groups))
    between, within = len(groups) - 1, len(values) - len(groups)
    if between < 1 or within < 1:
        return Interaction(math.nan, max(between, 0), max(within, 0), math.nan, math.nan)
    centred = values - values.mean()
    total = float(centred @ centred)
    scale = float(np.abs(values).max(initial=0.0))
    if total <= len(values) * (1e-12 * scale) ** 2:
        return Interaction(math.nan, between, within, 1.0, 1.0, exact=True)  # every permutation is the same
    observed = float(_between(centred[None, :], sizes)[0])
    inside = max(total - observed, 0.0)
    f = (observed / between) / (inside / within) if inside > 1e-12 * total else math.inf
    limit = observed - 1e-9 * total
    if _ways(sizes) <= EXACT:
        reached = [int((_between(rows, sizes) >= limit).sum()) for rows in _every_permutation(centred, sizes)]
        p = sum(reached) / _ways(sizes)
        return Interaction(f, between, within, p, p, exact=True)
    if len(centred) * samples > LONG:
        if _is_like_f(centred, int(sizes.min())):
            p = float(special().fdtrc(between, within, f))
            return Interaction(f, between, within, p, p)
        samples = min(samples, max(FEWEST, LONG // len(centred)))
    orders = _orders(len(centred), samples, seed)
    count = sum(int((_between(centred[order], sizes) >= limit).sum()) for order in orders)
    p = (count + 1) / (samples + 1)
    return Interaction(f, between, within, p, p, samples=samples, seed=seed)


def _is_like_f(centred: Floats, smallest: int) -> bool:
    """Return whether F's distribution is that of permutations among slices of which the smallest has this size."""
    n, total = len(centred), float(centred @ centred)
    if n * float((centred**4).sum()) / total**2 > NORMAL * smallest:
        return False
    values, counts = np.unique(np.round(centred * (1e9 / np.abs(centred).max())), return_counts=True)
    common = counts >= COMMON * n
    if counts[common].sum() < n / 2 or common.sum() < 2:
        return True
    step = float(np.diff(values[common]).min()) * float(np.abs(centred).max()) / 1e9
    return math.sqrt(smallest * (1 - smallest / n) * total / n) >= STEPS * step


def _between(rows: Floats, sizes: Ints) -> Floats:
    """Return the sum of squares between groups that lie one after the other, float64[m] of centred values float64[m,
    n]."""
    sums = np.add.reduceat(rows, offsets_of(sizes)[:-1], axis=1)
    return np.asarray((sums**2 / sizes).sum(axis=1))


def _ways(sizes: Ints) -> int:
    """Return the number of partitions of queries into groups of these sizes; one beyond ``EXACT`` where it is beyond:
    the number for a million queries has 250,000 digits, and takes seconds."""
    ways, left = 1, int(sizes.sum())
    for size in sizes.tolist():
        ways *= math.comb(left, min(size, left - size, EXACT.bit_length()))
        if ways > EXACT:
            return EXACT + 1
        left -= size
    return ways


def _orders(n: int, samples: int, seed: int) -> Sequence[Ranks] | Iterator[Ranks]:
    """Return random orders of n queries, int32[*, n], ``samples`` rows in all. For few queries they are cached, since
    the next attribute and run use the same permutations."""
    return _kept_orders(n, samples, seed) if n * samples <= MOST_KEPT else _drawn_orders(n, samples, seed)


@lru_cache(maxsize=2)
def _kept_orders(n: int, samples: int, seed: int) -> tuple[Ranks, ...]:
    return tuple(_drawn_orders(n, samples, seed))


def _drawn_orders(n: int, samples: int, seed: int) -> Iterator[Ranks]:
    random = np.random.default_rng(seed)
    step = max(1, AT_ONCE // n)
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        yield random.permuted(np.broadcast_to(np.arange(n, dtype=np.int32), (rows, n)), axis=1)


def _every_permutation(values: Floats, sizes: Ints) -> Iterator[Floats]:
    """Return every way to share the values among the groups, some at a time."""
    block: list[list[int]] = []
    for order in _shares(tuple(range(len(values))), sizes.tolist()):
        block.append(order)
        if len(block) == 4096:
            yield values[np.array(block)]
            block = []
    if block:
        yield values[np.array(block)]


def _shares(places: tuple[int, ...], sizes: list[int]) -> Iterator[list[int]]:
    if len(sizes) == 1:
        yield list(places)
        return
    for first in itertools.combinations(places, sizes[0]):
        taken = set(first)
        rest = tuple(place for place in places if place not in taken)
        for others in _shares(rest, sizes[1:]):
            yield [*first, *others]
