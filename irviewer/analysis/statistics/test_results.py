"""What a statistical test is called and what it found: the table of tests, one result, and the results of many pairs as
columns. Knows the words of a result and none of the arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import counted, in_samples, p_text, p_value, quantity, ranked

LEAST = 6
"""Differences that are not zero below which there is no verdict: of five, all of one sign, an exact two-sided test has
p = 2 / 2^5 = .0625 at the least."""
RARE = 10
"""Draws that have to reach a difference, for their share to say how seldom that is."""
Step = Callable[[float], None]
"""Told the share that is done, 0..1; may raise to end the work."""


@dataclass(frozen=True)
class TestKind:
    """A row of the table of tests.

    name        what a person types and a file stores
    title       what a table calls it
    symbol      of its statistic
    null        what is supposed, in a sentence that begins with "If"
    more        what would then be at least as large
    convention  what else has to be said to reproduce the number
    seeded      True where it draws at random
    family      True where it corrects for all pairs itself
    of_ranks    True where the statistic adds ranks or counts: whole, or a half where ranks are shared
    supposes    what has to hold of all runs for it, beside what the paired tests ask; "" for nothing
    """

    __test__ = False  # pytest takes classes called Test… for its own

    name: str
    title: str
    symbol: str
    null: str
    more: str
    convention: str
    seeded: bool = False
    family: bool = False
    of_ranks: bool = False
    supposes: str = ""


TESTS: dict[str, TestKind] = {
    one.name: one
    for one in (
        TestKind(
            "t", "paired t-test", "t", "If the two were equally good on the average of all such queries",
            "a mean difference", "two-sided",
        ),
        TestKind(
            "wilcoxon", "Wilcoxon signed-rank test", "W",
            "If differences were as likely up as down, whatever their size", "an imbalance of the signed ranks",
            "two-sided; queries without a difference are left out (Wilcoxon)", of_ranks=True,
        ),
        TestKind(
            "wilcoxon-pratt", "Wilcoxon signed-rank test, zeros after Pratt", "W",
            "If differences were as likely up as down, whatever their size", "an imbalance of the signed ranks",
            "two-sided; queries without a difference are ranked, then left out (Pratt)", of_ranks=True,
        ),
        TestKind(
            "sign", "sign test", "wins", "If each were as likely as the other to win a query",
            "an imbalance of wins and losses", "two-sided, binomial; ties are left out", of_ranks=True,
        ),
        TestKind(
            "randomisation", "Fisher's randomisation test", "mean difference",
            "If on every query the two values could as well have changed places", "a mean difference",
            "two-sided on the mean difference; a tie counts as at least as large", seeded=True,
        ),
        TestKind(
            "tukey", "Tukey HSD, two-way", "q", "If all runs were equally good",
            "a widest difference between two of them",
            "runs and queries as factors; supposes that what neither explains spreads equally for all runs; queries "
            "that every run has; holds for all pairs at once", family=True, supposes="equal spread of all runs",
        ),
        TestKind(
            "tukey-randomised", "Tukey HSD by randomisation", "mean difference",
            "If on every query all runs' values could as well have changed places",
            "a widest difference between two means",
            "after Carterette 2012; supposes that all runs spread equally; queries that every run has; holds for all "
            "pairs at once; (b+1)/(B+1)",
            seeded=True, family=True, supposes="equal spread of all runs",
        ),
    )
}  # fmt: skip
"""Every test by name, in the order in which they are shown."""


def kind_of(name: str) -> TestKind:
    """The row of a test. Raises OptionError with the names there are."""
    found = TESTS.get(name)
    if found is None:
        raise OptionError(f"there is no test {name!r}; there are {', '.join(TESTS)}")
    return found


@dataclass(frozen=True)
class TestResult:
    """What one test found for one pair.

    n, n_used     queries that both have; those that the test counts (without ties, where it leaves them out)
    statistic     the test's own; infinite where all differences are the same and not zero
    df            degrees of freedom, None for a test that has none
    p             two-sided, before the correction (of a test that corrects itself: after); NaN where it is withheld:
                  of differences without spread, and of fewer than LEAST that are not zero unless it is exact
    correction    its title, "" for none
    p_corrected   p after it, equal to ``p`` without one
    comparisons   how many the correction counts
    seed, samples of a test that drew at random, None where it did not (an exact one does not)
    convention    what has to be said to reproduce the number
    dropped       queries that one of the two lacks; of a test of all runs at once, that any run lacks
    at_most       True where p is a bound: counted on a grid, or none of the samples reached the difference
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

    @property
    def p_shown(self) -> str:
        """p as it is written in a table: ``.055``, ``< .001``, ``≤ .002``."""
        return p_value(self.p, at_most=self.at_most)

    @property
    def p_corrected_shown(self) -> str:
        """p after the correction, as it is written in a table."""
        return p_value(self.p_corrected, at_most=self.at_most)

    @property
    def statistic_text(self) -> str:
        """The statistic as it is written: what is made of ranks and counts whole, or with a half."""
        if TESTS[self.name].of_ranks:
            return ranked(self.statistic)
        return quantity(self.statistic)

    @property
    def sentence(self) -> str:
        """What the p-value means."""
        kind = TESTS[self.name]
        if self.n < 2:
            said = f"{counted(self.n, 'query', 'queries')} cannot tell a difference from chance: p is 1 by definition."
        elif self.statistic == 0 and self.n_used == 0:
            said = f"All {self.n:,} differences are zero: nothing speaks against chance, p is 1."
        elif math.isnan(self.p):
            return f"{self._withheld} No p, and no verdict."
        else:
            said = (
                f"{kind.null}, {kind.more} at least as large as this one would come up {in_samples(self.p)} "
                f"({self._told})."
            )
        if self.correction and self.comparisons > 1 and not kind.family:
            after = p_text(self.p_corrected, at_most=self.at_most)
            said += f" After {self.correction} over {self.comparisons:,} comparisons: {after}."
        if self.dropped:
            who = "some run" if kind.family else "one of the two"
            said += f" {counted(self.dropped, 'query', 'queries')} that {who} lacks left out."
        return said

    @property
    def _withheld(self) -> str:
        """Why there is no p."""
        if math.isinf(self.statistic):
            return (
                f"All {self.n:,} differences are the same: without spread {TESTS[self.name].symbol} is infinite and "
                "says nothing."
            )
        return (
            f"Fewer than {LEAST} of {self.n:,} differences are not zero, and no exact two-sided test of so few has p "
            "below .05."
        )

    @property
    def _told(self) -> str:
        """Title, statistic and degrees of freedom, n, p, how it was drawn."""
        kind = TESTS[self.name]
        df = "" if self.df is None else f"({self.df:g})"
        drawn = "" if self.samples is None else f", {self.samples:,} samples, seed {self.seed}"
        used = "" if self.n_used == self.n else f"{self.n_used:,} of "
        return (
            f"{self.title}, {kind.symbol}{df} = {self.statistic_text}, "
            f"{used}{counted(self.n, 'query', 'queries')}, {p_text(self.p, at_most=self.at_most)}{drawn}"
        )


@dataclass(frozen=True, eq=False)
class Column:
    """One test for P pairs: arrays [P] beside each other, as a matrix or a table wants them.

    exact   True where the p-value was counted out, not drawn or approximated
    grid    True where it was counted on a grid, so that it is at most this, as too few of the drawn reached it
    toward  1 where what the test looks at speaks for more in the first run, -1 for more in the second, 0 for neither:
            the mean difference, or the sums of ranks or signs, which may point another way than that
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

    @property
    def title(self) -> str:
        """The test's."""
        return TESTS[self.test].title

    @property
    def drawn(self) -> Bools:
        """bool[P]: pairs whose p-value was drawn at random."""
        return ~(self.exact | self.grid) if TESTS[self.test].seeded else np.zeros(len(self.p), np.bool_)

    @property
    def floor(self) -> Bools:
        """bool[P]: pairs whose difference none of the samples reached: p is 1/(B+1) and may be far less."""
        return self.drawn & (self.p * ((self.samples or 0) + 1) < 1.5)

    def withholding(self, few: Bools) -> Column:
        """The same without the p-values that say nothing: of differences without spread, whose statistic is infinite,
        and of ``few`` bool[P] differences where it is not counted out (one that is cannot be small)."""
        p = np.where(np.isinf(self.statistic) | (few & ~self.exact), np.nan, self.p)
        return replace(self, p=p, corrected=p)

    def with_correction(self, title: str, corrected: Floats) -> Column:
        """The same with p-values after a correction."""
        return replace(self, correction=title, corrected=corrected, comparisons=len(self.p))

    def result(self, place: int, dropped: int = 0) -> TestResult:
        """The record of one pair."""
        kind = TESTS[self.test]
        drawn = bool(self.drawn[place])
        convention = kind.convention
        if self.test == "randomisation" and self.grid[place]:
            convention += (
                f"; fewer than {RARE} of {self.samples or 0:,} samples reached it, so sums were counted on a grid, "
                "each rounded so that p is never too small"
            )
        elif self.test == "randomisation":
            convention += "; every assignment counted" if self.exact[place] else "; (b+1)/(B+1)"
        elif self.test.startswith("wilcoxon"):
            convention += "; exact" if self.exact[place] else "; normal approximation without continuity correction"
        df = float(self.df[place])
        return TestResult(
            self.test, kind.title, int(self.n[place]), int(self.n_used[place]), float(self.statistic[place]),
            None if np.isnan(df) else df, float(self.p[place]), self.correction, float(self.corrected[place]),
            self.comparisons, self.seed if drawn else None, self.samples if drawn else None, convention, dropped,
            bool(self.grid[place] or self.floor[place]),
        )  # fmt: skip


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
    """A column whose p-values are not corrected; single numbers hold for every pair. Of ``toward`` the sign counts."""
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
    """One column of ``size`` pairs from parts that each know the places of theirs."""
    first = parts[0][1]

    def joined(name: str) -> npt.NDArray[np.generic]:
        whole = np.empty(size, getattr(first, name).dtype)
        for places, part in parts:
            whole[places] = getattr(part, name)
        return whole

    names = ("n", "n_used", "statistic", "df", "p", "exact", "grid", "corrected", "toward")
    return replace(first, **{name: joined(name) for name in names})  # type: ignore[arg-type]


__all__ = ["TESTS", "Column", "Step", "TestKind", "TestResult", "column", "kind_of", "p_value", "put_together"]
