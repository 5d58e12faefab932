"""One-sided tests of a difference against a margin: whether it is shown to be more, or less, than the smallest
difference that matters.

Each test is the declared one on the differences less the margin, one-sided at alpha / 2, so that the tests of both
directions together err no more often than the test of a difference. p is corrected over the declared family, whose
members are all tested against the same margin (non-inferiority, superiority and equivalence as in Wellek, Testing
Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed. 2010; two one-sided tests, Schuirmann 1987)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.model.arrays import Floats, frozen


@dataclass(frozen=True)
class MarginTest:
    """A one-sided test of a difference against a margin.

    p, p_corrected  one-sided; NaN where there is no test
    level           the level that p_corrected is held against: alpha / 2
    family          how many comparisons the correction counts
    """

    p: float
    p_corrected: float
    level: float
    family: int

    @property
    def shown(self) -> bool:
        """Whether the test shows it."""
        return self.p_corrected < self.level


@dataclass(frozen=True)
class Margins:
    """The tests of a difference, above 0 where the run is better, against a margin above 0.

    more        the difference is more than the margin
    less        it is less than the margin
    above       it is more than minus the margin: the run is not worse by the margin
    below       it is less than minus the margin: the run is worse by more than it
    """

    margin: float
    more: MarginTest
    less: MarginTest
    above: MarginTest
    below: MarginTest

    @property
    def flipped(self) -> Margins:
        """The tests with the two runs exchanged."""
        return Margins(self.margin, self.below, self.above, self.less, self.more)


def margin_tests(
    differences: Floats, asked: int, margin: float, options: ComparisonOptions, query_ids: Sequence[str] = ()
) -> Margins:
    """Test the difference ``asked`` of a family float64[K, Q] by query, above 0 where the run is better and NaN for a
    query that a pair does not have in common, against a margin in the measure's unit. ``query_ids`` are the Q queries,
    where options have units.

    The first of ``options.tests`` decides; Tukey's, which is of all pairs at once, is replaced by the paired t-test.
    Where the family is all pairs of runs, give each with the run first whose mean is higher, so that the family does
    not depend on the order of the runs."""

    def at(border: float, *, upper: bool) -> MarginTest:
        p = _one_sided(differences - border, options.of_pairs, query_ids)
        p = p if upper else 1 - p
        # A one-sided p of .5 or more shows nothing; twice p is what a correction for alpha expects.
        stepped = corrected(np.minimum(1.0, 2 * p), options.correction) / 2
        return MarginTest(float(p[asked]), float(stepped[asked]), options.alpha / 2, len(differences))

    return Margins(
        margin, more=at(margin, upper=True), less=at(margin, upper=False), above=at(-margin, upper=True),
        below=at(-margin, upper=False),
    )  # fmt: skip


def _one_sided(differences: Floats, options: ComparisonOptions, query_ids: Sequence[str]) -> Floats:
    """Return the p of "more than 0" of each row, float64[K]: half of the two-sided p, which is of a symmetric test."""
    zero = np.zeros((1, differences.shape[1]))
    values = np.concatenate([differences, zero])
    rows = RunValues(
        tuple(str(row) for row in range(len(values))),
        tuple(query_ids) or tuple(str(query) for query in range(values.shape[1])),
        frozen(values), frozen(np.zeros(values.shape, np.bool_)),
    )  # fmt: skip
    compared = rows.compare(replace(options, tests=options.tests[:1], interval="t"), baseline=len(differences))
    column = compared.column()
    half, toward = column.p / 2, np.asarray(column.toward)
    return np.where(toward > 0, half, np.where(toward < 0, 1 - half, np.where(np.isnan(half), math.nan, 0.5)))


def declared_family(runs: RunValues, baseline: int | None) -> tuple[Floats, tuple[tuple[int, int], ...]]:
    """Return the differences float64[K, Q] of the declared comparisons, above 0 where the first run of a pair is
    better, and the pairs: each run with the baseline, or (None) all pairs with the better mean first."""
    sign = 1.0 if runs.higher_is_better else -1.0
    if baseline is not None:
        pairs = [(run, baseline) for run in range(len(runs.names)) if run != baseline]
    else:
        pairs = [(run, other) for run in range(len(runs.names)) for other in range(run)]
    rows = [sign * runs.difference(*pair) for pair in pairs]
    if baseline is None:
        turned = [bool(np.nansum(row) < 0) for row in rows]
        pairs = [pair[::-1] if turn else pair for pair, turn in zip(pairs, turned, strict=True)]
        rows = [-row if turn else row for row, turn in zip(rows, turned, strict=True)]
    return np.array(rows).reshape(len(pairs), len(runs.query_ids)), tuple(pairs)
