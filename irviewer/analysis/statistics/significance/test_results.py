"""The table of tests, the result of a test for one pair, and the results for many pairs as columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import in_samples, p_text, p_value, quantity, ranked, units_text
from irviewer.translation import tr, trn

LEAST = 6
"""Non-zero differences below which there is no conclusion: with five of the same sign, an exact two-sided test has
p = 2 / 2^5 = .0625 at the least."""
RARE = 10
"""Draws that must reach a difference for their share to be a usable p-value."""
Step = Callable[[float], None]
"""Called with the share of the work done, 0..1; may raise to stop the work."""


@dataclass(frozen=True)
class TestKind:
    """A row of the table of tests.

    name        the name that users type and files store
    title       the name in tables and sentences
    symbol      the symbol of its statistic
    meaning     a sentence about the p-value with the placeholders {share} and {details}
    convention  the details that are needed to reproduce the number
    seeded      True where it draws at random
    family      True where it corrects for all pairs itself
    of_ranks    True where the statistic adds ranks or counts: whole, or a half where ranks are shared
    supposes    what it assumes of all runs beyond the paired tests; "" for nothing
    """

    __test__ = False  # pytest takes classes called Test… for its own

    name: str
    title: str
    symbol: str
    meaning: str
    convention: str
    seeded: bool = False
    family: bool = False
    of_ranks: bool = False
    supposes: str = ""


_SIGNED_RANKS = tr(
    "If differences were as likely up as down, whatever their size, an imbalance of the signed ranks at least as large "
    "as this one would come up {share} ({details})."
)

TESTS: dict[str, TestKind] = {
    kind.name: kind
    for kind in (
        TestKind(
            "t", tr("paired t-test"), "t",
            tr("If the two were equally good on average over all such queries, a mean difference at least as "
               "large as this one would come up {share} ({details})."),
            tr("two-sided"),
        ),
        TestKind(
            "wilcoxon", tr("Wilcoxon signed-rank test"), "W",
            _SIGNED_RANKS,
            tr("two-sided; queries without a difference are left out (Wilcoxon)"), of_ranks=True,
        ),
        TestKind(
            "wilcoxon-pratt", tr("Wilcoxon signed-rank test, zeros after Pratt"), "W",
            _SIGNED_RANKS,
            tr("two-sided; queries without a difference are ranked, then left out (Pratt)"), of_ranks=True,
        ),
        TestKind(
            "sign", tr("sign test"), tr("wins"),
            tr("If each were as likely as the other to win a query, an imbalance of wins and losses at least as large "
               "as this one would come up {share} ({details})."),
            tr("two-sided, binomial; ties are left out"), of_ranks=True,
        ),
        TestKind(
            "randomisation", tr("Fisher's randomisation test"), tr("mean difference"),
            tr("If on every query the two values could be exchanged, a mean difference at least as large as this one "
               "would come up {share} ({details})."),
            tr("two-sided on the mean difference; a tie counts as at least as large"), seeded=True,
        ),
        TestKind(
            "tukey", tr("Tukey HSD, two-way"), "q",
            tr("If all runs were equally good, a widest difference between two of them at least as large as this one "
               "would come up {share} ({details})."),
            tr("runs and queries as factors; assumes that the differences of all pairs have the same variance; "
               "queries that every run has; valid for all pairs together"),
            family=True, supposes=tr("equal variance of the differences of all pairs"),
        ),
        TestKind(
            "tukey-randomised", tr("Tukey HSD by randomisation"), tr("mean difference"),
            tr("If on every query the values of all runs could be exchanged, a widest difference between two means at "
               "least as large as this one would come up {share} ({details})."),
            tr("after Carterette 2012; assumes that the differences of all pairs have the same variance; queries that "
               "every run has; valid for all pairs together; (b+1)/(B+1)"),
            seeded=True, family=True, supposes=tr("equal variance of the differences of all pairs"),
        ),
    )
}  # fmt: skip
"""Every test by name, in the order in which they are shown."""


def kind_of(name: str) -> TestKind:
    """Return the row of a test. Raises OptionError, which lists the names."""
    kind = TESTS.get(name)
    if kind is None:
        raise OptionError(tr("unknown test {test!r}; choose one of {tests}", test=name, tests=", ".join(TESTS)))
    return kind


@dataclass(frozen=True)
class TestResult:
    """The result of a test for one pair.

    n, n_used     queries that both have; those that the test counts (without ties, where it leaves them out)
    statistic     its statistic; infinite where all differences are the same and not zero
    df            degrees of freedom, None for a test that has none
    p             two-sided, before the correction (of a test that corrects itself: after); NaN where it is withheld:
                  of differences without spread, and of fewer than LEAST that are not zero unless it is exact
    correction    its title, "" for none
    p_corrected   p after it, equal to ``p`` without one
    comparisons   how many comparisons the correction counts
    seed, samples of a test that drew at random, None if it did not (an exact one does not)
    convention    the details that are needed to reproduce the number
    dropped       queries that one of the two lacks; of a test of all runs at once, that any run lacks
    at_most       True where p is a bound: counted on a grid, or none of the samples reached the difference
    unit, units   what queries count together by, and how many units they are; "" and 0 where each is one
    toward        1 where what the test measures is larger for the first run, -1 for the second, 0 for neither: the mean
                  difference, or the sums of ranks or signs, which may point another way
    """

    __test__ = False

    name: str
    title: str
    n: int
    n_used: int
    statistic: float
    df: float | None
    p: float
    correction: str
    p_corrected: float
    comparisons: int
    seed: int | None
    samples: int | None
    convention: str
    dropped: int = 0
    at_most: bool = False
    toward: int = 0
    unit: str = ""
    units: int = 0

    @property
    def in_family(self) -> str:
        """The test with the family over which p is corrected: ``paired t-test, Holm over 13 comparisons``."""
        n = self.comparisons
        if TESTS[self.name].family:
            return trn("{test}, over {n} pair of runs", "{test}, over {n} pairs of runs", n, test=self.title)
        if n < 2:
            return tr("{test}, one comparison", test=self.title)
        if not self.correction:
            return tr("{test}, not corrected for {n} comparisons", test=self.title, n=n)
        return tr("{test}, {correction} over {n} comparisons", test=self.title, correction=self.correction, n=n)

    @property
    def p_shown(self) -> str:
        """p as written in tables: ``.055``, ``< .001``, ``≤ .002``."""
        return p_value(self.p, at_most=self.at_most)

    @property
    def p_corrected_shown(self) -> str:
        """p after correction, as written in tables."""
        return p_value(self.p_corrected, at_most=self.at_most)

    @property
    def statistic_text(self) -> str:
        """The statistic as written: sums of ranks and counts whole, or with a half."""
        if TESTS[self.name].of_ranks:
            return ranked(self.statistic)
        return quantity(self.statistic)

    @property
    def sentence(self) -> str:
        """The meaning of the p-value."""
        kind = TESTS[self.name]
        if self.n < 2:
            parts = [
                trn(
                    "{n} query cannot show whether a difference is chance: p is 1 by definition.",
                    "{n} queries cannot show whether a difference is chance: p is 1 by definition.",
                    self.n,
                )
            ]
        elif self.statistic == 0 and self.n_used == 0:
            parts = [tr("All {n:,} differences are zero, as chance alone would explain: p is 1.", n=self.n)]
        elif math.isnan(self.p):
            return tr("{reason} No p, and no conclusion.", reason=self._withheld)
        else:
            parts = [kind.meaning.format(share=in_samples(self.p), details=self._details)]
        if self.correction and self.comparisons > 1 and not kind.family:
            parts.append(
                tr(
                    "After {correction} over {n:,} comparisons: {p}.",
                    correction=self.correction,
                    n=self.comparisons,
                    p=p_text(self.p_corrected, at_most=self.at_most),
                )
            )
        if self.dropped and kind.family:
            parts.append(
                trn(
                    "{n:,} query that some run lacks is left out.",
                    "{n:,} queries that some run lacks are left out.",
                    self.dropped,
                )
            )
        elif self.dropped:
            parts.append(
                trn(
                    "{n:,} query that one of the two lacks is left out.",
                    "{n:,} queries that one of the two lacks are left out.",
                    self.dropped,
                )
            )
        return " ".join(parts)

    @property
    def _withheld(self) -> str:
        """The reason why there is no p."""
        if math.isinf(self.statistic):
            return tr(
                "All {n:,} differences are the same: without spread {statistic} is infinite and meaningless.",
                n=self.n,
                statistic=TESTS[self.name].symbol,
            )
        return tr(
            "Fewer than {least} of {n:,} differences are not zero, and no exact two-sided test of so few has p below "
            ".05.",
            least=LEAST,
            n=self.n,
        )

    @property
    def _details(self) -> str:
        """Title, statistic and degrees of freedom, queries, p, samples and seed."""
        kind = TESTS[self.name]
        df = "" if self.df is None else f"({self.df:g})"
        queries = units_text(self.n, self.unit, self.units)
        if self.n_used != self.n:
            queries = trn("{used:,} of {n:,} query", "{used:,} of {n:,} queries", self.n, used=self.n_used)
        details = f"{self.title}, {kind.symbol}{df} = {self.statistic_text}, {queries}, "
        details += p_text(self.p, at_most=self.at_most)
        if self.samples is None:
            return details
        return tr("{details}, {samples:,} samples, seed {seed}", details=details, samples=self.samples, seed=self.seed)


@dataclass(frozen=True, eq=False)
class Column:
    """The results of a test for P pairs, arrays [P].

    exact   True where the p-value was counted exactly, not drawn or approximated
    grid    True where it was counted on a grid and is an upper bound, because too few draws reached the difference
    unit    the attribute of queries whose values are the independent units; "" where each query is one
    units   how many these are
    toward  1 where what the test measures is larger for the first run, -1 for the second, 0 for neither: the mean
            difference, or the sums of ranks or signs, which may point another way
    """

    test: str
    n: Ints
    n_used: Ints
    statistic: Floats
    df: Floats
    p: Floats
    exact: Bools
    grid: Bools
    corrected: Floats
    toward: Ints
    correction: str = ""
    comparisons: int = 1
    seed: int | None = None
    samples: int | None = None
    unit: str = ""
    units: Ints | None = None

    @property
    def title(self) -> str:
        """The title of the test, with the unit that it counts by."""
        title = TESTS[self.test].title
        return tr("{test} by {unit}", test=title, unit=self.unit) if self.unit else title

    @property
    def drawn(self) -> Bools:
        """bool[P]: pairs whose p-value was drawn at random."""
        return ~(self.exact | self.grid) if TESTS[self.test].seeded else np.zeros(len(self.p), np.bool_)

    @property
    def floor(self) -> Bools:
        """bool[P]: pairs whose difference no sample reached: p is 1/(B+1) and may be far lower."""
        return self.drawn & (self.p * ((self.samples or 0) + 1) < 1.5)

    def withholding(self, few: Bools) -> Column:
        """Return the column without meaningless p-values: of differences without spread, whose statistic is infinite,
        and of ``few`` bool[P] differences where p is not exact (an exact one cannot be small)."""
        p = np.where(np.isinf(self.statistic) | (few & ~self.exact), np.nan, self.p)
        return replace(self, p=p, corrected=p)

    def with_correction(self, title: str, corrected: Floats) -> Column:
        """Return the column with corrected p-values."""
        return replace(self, correction=title, corrected=corrected, comparisons=len(self.p))

    def result(self, pair: int, dropped: int = 0) -> TestResult:
        """Return the result for one pair."""
        kind = TESTS[self.test]
        drawn = bool(self.drawn[pair])
        convention = kind.convention
        if self.test == "randomisation" and self.grid[pair]:
            convention = tr(
                "{convention}; fewer than {rare} of {samples:,} samples reached it, so sums were counted on a grid, "
                "each rounded so that p is never too small",
                convention=convention, rare=RARE, samples=self.samples or 0,
            )  # fmt: skip
        elif self.test == "randomisation":
            detail = tr("every assignment counted") if self.exact[pair] else "(b+1)/(B+1)"
            convention = f"{convention}; {detail}"
        elif self.test.startswith("wilcoxon"):
            exact = self.exact[pair]
            detail = tr("exact") if exact else tr("normal approximation without continuity correction")
            convention = f"{convention}; {detail}"
        df = float(self.df[pair])
        if self.unit:
            convention = f"{convention}; {_BY_UNIT[self.test]}"
        return TestResult(
            self.test, self.title, int(self.n[pair]), int(self.n_used[pair]), float(self.statistic[pair]),
            None if np.isnan(df) else df, float(self.p[pair]), self.correction, float(self.corrected[pair]),
            self.comparisons, self.seed if drawn else None, self.samples if drawn else None, convention, dropped,
            bool(self.grid[pair] or self.floor[pair]), int(self.toward[pair]), self.unit,
            0 if self.units is None else int(self.units[pair]),
        )  # fmt: skip


_BY_UNIT = {
    "t": tr("standard error CR2, which holds where queries of one unit are alike; degrees of freedom by Satterthwaite"),
    "randomisation": tr("the signs of all queries of a unit change together"),
}
"""How the tests that have a form for units count by them."""


def column(
    test: str,
    n: int | Ints,
    n_used: npt.ArrayLike,
    statistic: Floats,
    p: Floats,
    toward: npt.NDArray[Any],
    *,
    df: npt.ArrayLike = np.nan,
    exact: npt.ArrayLike = False,
    grid: npt.ArrayLike = False,
    seed: int | None = None,
    samples: int | None = None,
) -> Column:
    """Return a column with uncorrected p-values; single numbers apply to every pair. Of ``toward`` the sign counts."""
    size = len(p)
    return Column(
        test,
        np.broadcast_to(np.asarray(n, np.int64), size).copy(),
        np.broadcast_to(np.asarray(n_used, np.int64), size).copy(),
        statistic,
        np.broadcast_to(np.asarray(df, np.float64), size).copy(),
        p,
        np.broadcast_to(np.asarray(exact, np.bool_), size).copy(),
        np.broadcast_to(np.asarray(grid, np.bool_), size).copy(),
        p,
        np.sign(toward).astype(np.int64),
        seed=seed,
        samples=samples,
    )


def put_together(parts: list[tuple[Ints, Column]], size: int) -> Column:
    """Join parts, each with the indices of its pairs, to a column of ``size`` pairs."""
    first = parts[0][1]

    def joined(name: str) -> npt.NDArray[np.generic]:
        whole = np.empty(size, getattr(first, name).dtype)
        for pairs, part in parts:
            whole[pairs] = getattr(part, name)
        return whole

    names = ("n", "n_used", "statistic", "df", "p", "exact", "grid", "corrected", "toward")
    return replace(first, **{name: joined(name) for name in names})  # type: ignore[arg-type]


__all__ = ["TESTS", "Column", "Step", "TestKind", "TestResult", "column", "kind_of", "p_value", "put_together"]
