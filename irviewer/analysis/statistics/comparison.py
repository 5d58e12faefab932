"""What a comparison of runs for one measure found: a record of each pair, and all pairs as columns and matrices.

Knows how a result is kept and told; ``comparing`` computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.bayes import Posteriors
from irviewer.analysis.statistics.compact_letters import compact_letters
from irviewer.analysis.statistics.corrections import CORRECTIONS
from irviewer.analysis.statistics.effects import Effects
from irviewer.analysis.statistics.intervals import INTERVALS, Interval, IntervalMethod
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.pair import ALPHA, Pair, relative_change
from irviewer.analysis.statistics.test_results import LEAST, TESTS, Column
from irviewer.analysis.statistics.verdicts import CHOSEN
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import counted, limit, percent

MatrixOf = Literal["difference", "relative", "p", "corrected", "d", "superiority"]


@dataclass(frozen=True, eq=False)
class Comparison:
    """R runs over Q queries for one measure, P pairs: each run beside the baseline, or all pairs.

    names, query_ids        of the runs and of the queries
    baseline                its place; None where all pairs were compared
    first, second           int64[P] places of the runs of each pair; ``second`` is the baseline where there is one
    n                       int64[P] queries that both have
    means                   float64[R] over each run's own queries; ``low``, ``high`` their intervals
    first_mean, second_mean, difference, difference_low, difference_high, deviation    float64[P]
    wins, ties, losses      int64[P]
    tests                   name -> column of P results
    weights                 float64[Q] or None; with them ``weighted_means`` float64[R] and ``weighted`` float64[3, P],
                            the weighted difference and its interval's two ends
    warnings                what a person has to be told, sentences
    own                     int64[R] queries that each run has; None where all have all
    looked_at               every test and interval that was computed, as an export has to name them
    declared                the test that decides: letters, marks and verdicts are of it
    differing               int64[P] queries on which the two are not equal
    geometric               ``means``, ``first_mean``, ``second_mean``, ``weighted_means`` and ``low``, ``high`` are
                            geometric means; differences and their intervals are of the values' logarithms
    at_floor                int64[R] with ``geometric``: queries whose value counts as the least there is under the
                            logarithm; else None
    reached                 int64[R] queries of ``own`` on which a value is reached, where some never are: runs are
                            compared by signs then, and one that does not reach all has no mean; else None
    """

    names: tuple[str, ...]
    query_ids: tuple[str, ...]
    measure: str
    higher_is_better: bool
    baseline: int | None
    first: Ints
    second: Ints
    n: Ints
    means: Floats
    low: Floats
    high: Floats
    first_mean: Floats
    second_mean: Floats
    difference: Floats
    difference_low: Floats
    difference_high: Floats
    deviation: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    tests: Mapping[str, Column]
    d: Floats
    g: Floats
    superiority: Floats
    posteriors: Posteriors
    interval: IntervalMethod
    level: float
    correction: str
    samples: int
    seed: int
    tie: float
    weights: Floats | None = None
    weighted_means: Floats | None = None
    weighted: Floats | None = None
    alpha: float = ALPHA
    warnings: tuple[str, ...] = ()
    own: Ints | None = None
    declared: str = "t"
    differing: Ints | None = None
    geometric: bool = False
    at_floor: Ints | None = None
    reached: Ints | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def ragged(self) -> bool:
        """Whether runs lack queries, so that a run's own mean is of other queries than its differences are."""
        return self.own is not None and bool((self.own < len(self.query_ids)).any())

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair's record, in the order of the columns."""
        return tuple(self.pair(place) for place in range(len(self.first)))

    def pair(self, place: int) -> Pair:
        """The record of the pair at that place."""
        one, two, n = int(self.first[place]), int(self.second[place]), int(self.n[place])
        dropped = len(self.query_ids) - n
        weighted = self.weighted
        return Pair(
            one, two, self.names[one], self.names[two], self.measure, self.higher_is_better, n, dropped,
            float(self.first_mean[place]), float(self.second_mean[place]), float(self.difference[place]),
            float(self.deviation[place]),
            int(self.wins[place]), int(self.ties[place]), int(self.losses[place]),
            self._interval(self.difference_low[place], self.difference_high[place], self.interval),
            tuple(one.result(place, len(self.query_ids) - int(one.n[place])) for one in self.tests.values()),
            Effects(float(self.d[place]), float(self.g[place]), float(self.superiority[place])),
            self.posteriors.posterior(place),
            None if weighted is None else float(weighted[0, place]),
            None if weighted is None else self._interval(weighted[1, place], weighted[2, place], self._drawn),
            self.baseline is not None,
            self.alpha,
            CHOSEN in self.warnings,
            self.declared,
            n - int(self.ties[place]) if self.differing is None else int(self.differing[place]),
            self.geometric,
            self.reached is not None,
            self.share_reached(one),
            self.share_reached(two),
        )  # fmt: skip

    def share_reached(self, place: int) -> float:
        """The share of a run's queries on which it reaches a value; NaN where all runs always do."""
        if self.reached is None or self.own is None or not self.own[place]:
            return math.nan
        return float(self.reached[place] / self.own[place])

    @property
    def standing(self) -> Floats:
        """float64[R]: what puts the runs in order, the more the better: their means or, by signs, queries won less
        queries lost."""
        if self.reached is None:
            return self.means if self.higher_is_better else -self.means
        found = np.zeros(len(self.names))
        np.add.at(found, self.first, self.wins - self.losses)
        np.add.at(found, self.second, self.losses - self.wins)
        return found

    def find(self, run: int | str, other: int | str | None = None) -> Pair:
        """The pair of two runs by place or name, seen from the first; ``other`` is the baseline where none is named.
        Raises OptionError where the two were not compared."""
        one = self.place(run)
        two = self.baseline if other is None else self.place(other)
        for mine, its, flip in ((self.first, self.second, False), (self.second, self.first, True)):
            found = np.flatnonzero((mine == one) & (its == two))
            if len(found):
                pair = self.pair(int(found[0]))
                return pair.flipped if flip else pair
        named = (
            "no other run was named" if two is None else f"{self.names[one]} and {self.names[two]} are no pair of it"
        )
        raise OptionError(f"this comparison has no such pair: {named}")

    def place(self, run: int | str) -> int:
        """A run's place from its place or name. Raises OptionError."""
        if isinstance(run, str):
            if run not in self.names:
                raise OptionError(f"there is no run {run}; there are {', '.join(self.names)}")
            return self.names.index(run)
        if not -len(self.names) <= run < len(self.names):
            raise OptionError(f"there is no run number {run}; there are {len(self.names)}")
        return int(run) % len(self.names)

    def matrix(self, what: MatrixOf, test: str | None = None) -> Floats:
        """float64[R, R] of all pairs, row beside column, NaN where there is no pair: "difference" and "relative" of the
        row from the column, "p" and "corrected" of a test (None: the declared one), "d", "superiority"."""
        found = np.full((len(self.names), len(self.names)), np.nan)
        if what in ("p", "corrected"):
            column = self.column(test)
            there = back = column.p if what == "p" else column.corrected
        elif what == "relative" and self.geometric:
            there, back = ratios(self.difference) - 1, ratios(-self.difference) - 1
        elif what == "relative":
            there = np.array([relative_change(*pair) for pair in zip(self.difference, self.second_mean, strict=True)])
            back = np.array([relative_change(-d, m) for d, m in zip(self.difference, self.first_mean, strict=True)])
        elif what == "superiority":
            there, back = self.superiority, 1 - self.superiority
        else:
            there = self.difference if what == "difference" else self.d
            back = -there
        found[self.first, self.second] = there
        found[self.second, self.first] = back
        return found

    def column(self, test: str | None = None) -> Column:
        """The results of a test, of the declared one where none is named. Raises OptionError where it was not looked
        at."""
        column = self.tests.get(test or self.declared)
        if column is None:
            raise OptionError(f"the test {test!r} was not asked for; there are {', '.join(self.tests)}")
        return column

    def shown(self, test: str | None = None) -> Bools:
        """bool[P]: pairs whose difference the test (None: the declared one) shows after its correction. Never of fewer
        than LEAST queries that differ, nor of differences without spread: their p is NaN, or cannot be small."""
        enough = np.ones(len(self), np.bool_) if self.differing is None else self.differing >= LEAST
        return np.asarray((self.column(test).corrected < self.alpha) & enough)  # NaN is not less

    def marks(self) -> Ints:
        """int64[R]: 1 for a run that the declared test shows better than the baseline, -1 for one that it shows worse;
        0 else. Raises OptionError where all pairs were compared."""
        if self.baseline is None:
            raise OptionError("marks need a baseline; this comparison is of all pairs")
        found = np.zeros(len(self.names), np.int64)
        toward = self.column().toward * (1 if self.higher_is_better else -1)
        found[self.first] = np.where(self.shown(), toward, 0)
        return found

    def differ(self, test: str | None = None) -> Bools:
        """bool[R, R]: the same for every two runs; False where there is no pair."""
        found = np.zeros((len(self.names), len(self.names)), np.bool_)
        found[self.first, self.second] = found[self.second, self.first] = self.shown(test)
        return found

    def letters(self, test: str | None = None) -> tuple[str, ...]:
        """The compact letter display of all pairs: runs share a letter where the test (None: the declared one) shows no
        difference between them. Raises OptionError where only a baseline was compared."""
        if self.baseline is not None:
            raise OptionError("letters need all pairs; this comparison has a baseline")
        return compact_letters(self.standing, self.differ(test))

    def decided_by(self, test: str | None = None) -> str:
        """The test, its correction and the family that it is corrected over, as letters and marks have to name them:
        ``paired t-test, Holm over 4 comparisons``."""
        return named(self.column(test), CORRECTIONS[self.correction])

    @property
    def grouping(self) -> str:
        """What letters of all pairs mean, in a sentence."""
        how = f"{self.decided_by()}, p < {limit(self.alpha)}"
        return f"Between runs that share a letter the test shows no difference ({how})."

    @cached_property
    def looked_at(self) -> tuple[str, ...]:
        """All tests, intervals and posteriors that were computed, each with what is needed to reproduce it."""
        drawn = f"{self.samples:,} samples, seed {self.seed}"
        found = ["compared: natural logarithms of the values"] if self.geometric else []
        for name, column in self.tests.items():
            how = f" ({_how(column, drawn)})" if TESTS[name].seeded else ""
            found.append(named(column, CORRECTIONS[self.correction], how))
        if self.reached is not None:
            return ("compared: signs, what is not reached being the worst", *found)
        ends = "" if self.interval == "t" else f" ({drawn})"
        of = ", of geometric means and their ratios" if self.geometric else ""
        found.append(f"{percent(self.level)} intervals: {INTERVALS[self.interval]}{ends}{of}")
        on = " of the logarithms" if self.geometric else ""
        found.append(f"effect sizes{on}: Cohen's d for paired samples, Hedges' g, probability of superiority")
        what = "ratio" if self.geometric else "mean difference"
        found.append(f"posterior of the {what} ({self.posteriors.method}), {self.posteriors.region}")
        return tuple(found)

    @property
    def _drawn(self) -> IntervalMethod:
        return "bca" if self.interval == "t" else self.interval

    def _interval(self, low: float, high: float, method: IntervalMethod) -> Interval:
        drawn = method != "t"
        return Interval(
            float(low), float(high), self.level, method, self.seed if drawn else None, self.samples if drawn else None
        )


def _how(column: Column, drawn: str) -> str:
    """How p-values of a test that draws came about, and those of how many pairs where not all came about alike."""
    ways = {drawn: column.drawn, "exact": column.exact, "counted on a grid of sums, at most": column.grid}
    some = {said: int(np.count_nonzero(which)) for said, which in ways.items() if which.any()}
    if len(some) < 2:
        return next(iter(some), drawn)
    return "; ".join(f"{said}: {counted(count, 'pair', 'pairs')}" for said, count in some.items())


def named(column: Column, correction: str, how: str = "") -> str:
    """A test with the correction's title and the family: ``paired t-test, Holm over 4 comparisons``; ``how`` it was
    drawn stands behind its title."""
    kind = TESTS[column.test]
    if kind.family:
        pairs = counted(column.comparisons, "pair", "pairs")
        return f"{kind.title}{how}, {pairs} at once, supposing {kind.supposes}"
    size = len(column.p)
    if size < 2:
        return f"{kind.title}{how}, one comparison"
    return (
        f"{kind.title}{how}, {correction} over {size:,} comparisons"
        if correction
        else f"{kind.title}{how}, not corrected"
    )
