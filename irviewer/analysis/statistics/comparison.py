"""What a comparison of runs for one measure found: a record of each pair, and all pairs as columns and matrices.

Knows how a result is kept and told; ``comparing`` computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.bayes import Posterior, Posteriors
from irviewer.analysis.statistics.compact_letters import compact_letters
from irviewer.analysis.statistics.corrections import CORRECTIONS
from irviewer.analysis.statistics.effects import Effects
from irviewer.analysis.statistics.intervals import INTERVALS, Interval, IntervalMethod, t_ends
from irviewer.analysis.statistics.log_ratios import Change, ratios
from irviewer.analysis.statistics.power import POWER, Power, power_from
from irviewer.analysis.statistics.test_results import LEAST, TESTS, Column, TestResult
from irviewer.analysis.statistics.verdicts import CHOSEN, disagreement, relative_change, undecided, verdict
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import counted, limit, percent

ALPHA = 0.05
"""The p-value after correction below which a difference counts as shown."""
STRICT = (CORRECTIONS["holm"], CORRECTIONS["bonferroni"])
"""Titles of the corrections that hold the chance of any false alarm, so that an interval at alpha / m agrees."""
MatrixOf = Literal["difference", "relative", "p", "corrected", "d", "superiority"]


@dataclass(frozen=True)
class Pair:
    """One run beside another (the baseline, where there is one), over the queries that both have.

    run, other              their places among the comparison's runs, and their names
    n, dropped              queries compared; queries that one of the two lacks
    mean, other_mean        over those queries
    difference              mean - other_mean; with ``geometric`` the mean difference of the values' logarithms
    relative                how much more the mean is than the other's, as a share of it (NaN where that is 0)
    deviation               of the differences (n - 1); NaN for fewer than two
    wins, ties, losses      queries on which the run is better, equal, worse; for a cost, less is better
    interval                of the difference
    tests                   what was looked at, in the order asked; ``declared`` names the one that decides
    weighted_difference     under the queries' weights, with its interval; None without weights
    chosen                  whether the queries were chosen after looking at the results
    differing               queries on which the two are not equal, whatever counts as a tie
    geometric               means are geometric; what is shown of a difference is its ratio, :attr:`change`
    by_signs                some run never reaches a value somewhere: there are signs, and no differences
    reached, other_reached  the share of its queries on which each run reaches a value; NaN where all always do
    """

    run: int
    other: int
    run_name: str
    other_name: str
    measure: str
    higher_is_better: bool
    n: int
    dropped: int
    mean: float
    other_mean: float
    difference: float
    deviation: float
    wins: int
    ties: int
    losses: int
    interval: Interval
    tests: tuple[TestResult, ...]
    effects: Effects
    posterior: Posterior
    weighted_difference: float | None = None
    weighted_interval: Interval | None = None
    baseline: bool = True
    alpha: float = ALPHA
    chosen: bool = False
    declared: str = "t"
    differing: int = 0
    geometric: bool = False
    by_signs: bool = False
    reached: float = math.nan
    other_reached: float = math.nan

    @property
    def change(self) -> Change:
        """The difference with its interval as it is shown: of geometric means their ratio."""
        return Change(self.difference, self.interval.low, self.interval.high, self.geometric)

    @property
    def weighted_change(self) -> Change | None:
        """The same under the queries' weights; None without."""
        if self.weighted_difference is None or self.weighted_interval is None:
            return None
        ends = self.weighted_interval
        return Change(self.weighted_difference, ends.low, ends.high, self.geometric)

    @property
    def shown_interval(self) -> Interval:
        """The interval as it is shown: of geometric means that of their ratio."""
        _, low, high = self.change.shown
        return replace(self.interval, low=low, high=high, ratio=self.geometric)

    @property
    def relative(self) -> float:
        """The difference over the other's mean, of a ratio what it is more than 1; NaN where that mean is 0."""
        if self.geometric:
            return self.change.shown[0] - 1
        return relative_change(self.difference, self.other_mean)

    @property
    def decision(self) -> TestResult:
        """What the declared test found: letters, marks and the verdict are of it."""
        return self.test(self.declared)

    @property
    def possible(self) -> Change:
        """The differences that remain possible where the declared test shows none: the interval at the level that the
        test has after its correction, Student's t where that is another level than the interval's own; 0, which the
        test does not rule out, is always among them. NaN of fewer than two queries."""
        decision = self.decision
        strict = TESTS[self.declared].family or decision.correction in STRICT
        level = 1 - self.alpha / (decision.comparisons if strict else 1)
        low, high = self.interval.low, self.interval.high
        if self.n > 1 and not math.isclose(level, self.interval.level):
            low, high = t_ends(self.difference, self.deviation, self.n, level)
        if math.isnan(low):
            return Change(self.difference, low, high, self.geometric)
        return Change(self.difference, min(low, 0.0), max(high, 0.0), self.geometric)

    def test(self, name: str) -> TestResult:
        """The result of a test. Raises OptionError where it was not looked at."""
        found = next((one for one in self.tests if one.name == name), None)
        if found is None:
            raise OptionError(f"the test {name!r} was not asked for; there are {', '.join(t.name for t in self.tests)}")
        return found

    @property
    def significant(self) -> bool:
        """Whether the declared test, corrected, shows a difference."""
        return not self.undecided and self.decision.p_corrected < self.alpha

    @property
    def undecided(self) -> str:
        """Why no test can say anything of the two, in words; "" where one can."""
        return undecided(self)

    @property
    def verdict(self) -> str:
        """The verdict in words: wins and losses, the mean difference with its interval, what the declared test shows,
        before and after the correction."""
        return verdict(self)

    def power(self, power: float = POWER, *, corrected: bool = True) -> Power:
        """How many queries it would take to see this difference with that chance, and what these queries can see. With
        a correction for m comparisons at Bonferroni's alpha / m, the least that a corrected test asks for; else, and
        with ``corrected`` False, for the test alone. By signs there is none."""
        test = self.decision if self.by_signs else self.test("t")
        alpha = self.alpha / test.comparisons if corrected and test.correction else self.alpha
        return power_from(self.n, self.difference, self.deviation, alpha=alpha, power=power, geometric=self.geometric)

    def power_sentence(self, power: float = POWER) -> str:
        """What :meth:`power` says, in words: after the correction, and of the test alone."""
        test, found = self.decision if self.by_signs else self.test("t"), self.power(power)
        if not test.correction or test.comparisons < 2 or found.needed is None:
            return found.sentence
        alone = self.power(power, corrected=False)
        needed = "no number of queries" if alone.needed is None else counted(alone.needed, "query", "queries")
        return (
            f"{found.sentence} That is Bonferroni's p for one of {test.comparisons:,} comparisons; alone "
            f"(p < {limit(self.alpha)}) {needed} would do."
        )

    @property
    def remark(self) -> str:
        """A sentence where the interval and the declared test, both before any correction, say different things; else
        nothing."""
        return disagreement(self)

    @property
    def flipped(self) -> Pair:
        """The same from the other run's side."""
        tests = tuple(_flipped_test(one) for one in self.tests)
        after = self.posterior
        weighted = None if self.weighted_interval is None else _flipped_interval(self.weighted_interval)
        return replace(
            self, run=self.other, other=self.run, run_name=self.other_name, other_name=self.run_name,
            mean=self.other_mean, other_mean=self.mean, difference=-self.difference, wins=self.losses,
            losses=self.wins, interval=_flipped_interval(self.interval), tests=tests,
            effects=Effects(-self.effects.d, -self.effects.g, 1 - self.effects.superiority),
            posterior=replace(
                after, mean=-after.mean, low=-after.high, high=-after.low, better=after.worse, worse=after.better
            ),
            reached=self.other_reached, other_reached=self.reached,
            weighted_difference=None if self.weighted_difference is None else -self.weighted_difference,
            weighted_interval=weighted,
        )  # fmt: skip


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

    def run_interval(self, run: int | str) -> Interval:
        """The interval of a run's own mean."""
        place = self.place(run)
        return self._interval(self.low[place], self.high[place], self.interval)

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


def _flipped_interval(interval: Interval) -> Interval:
    return replace(interval, low=-interval.high, high=-interval.low)


def _flipped_test(test: TestResult) -> TestResult:
    if test.name in ("t", "randomisation", "tukey-randomised"):
        return replace(test, statistic=-test.statistic + 0.0)
    return replace(test, statistic=test.n_used - test.statistic) if test.name == "sign" else test
