"""One run beside another for one measure: the record of a pair, and the verdict on it in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from irviewer.analysis.statistics.bayes import Posterior
from irviewer.analysis.statistics.corrections import CORRECTIONS
from irviewer.analysis.statistics.effects import Effects
from irviewer.analysis.statistics.intervals import Interval, t_ends
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.power import POWER, Power, power_from
from irviewer.analysis.statistics.test_results import LEAST, TESTS, TestResult
from irviewer.errors import OptionError
from irviewer.model.number_text import counted, limit, p_text, p_value

ALPHA = 0.05
"""The p-value after correction below which a difference counts as shown."""
STRICT = (CORRECTIONS["holm"], CORRECTIONS["bonferroni"])
"""Titles of the corrections that hold the chance of any false alarm, so that an interval at alpha / m agrees."""


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
    tests                   the tests that were run, in the order asked for; ``declared`` names the one that decides
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
        """The result of a test. Raises OptionError for a test that was not run."""
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


def verdict(pair: Pair) -> str:
    """``a is better on 107 queries, equal on 39, worse on 79; the mean difference .0157 [−.0003, .0317]: the test
    shows none, a Δ from −.0080 to +.0395 remains possible (paired t-test: p = .055, .275 after Holm over 14
    comparisons)``."""
    name = pair.run_name if pair.baseline else f"{pair.run_name} against {pair.other_name}"
    if not pair.n:
        return f"{name}: no query that both have, nothing to compare"
    if pair.ties == pair.n and (pair.difference == 0 or pair.by_signs):
        return f"{name} is equal on all of {counted(pair.n, 'query', 'queries')}"
    won = counted(pair.wins, "query", "queries")
    counts = f"{name} is better on {won}, equal on {pair.ties:,}, worse on {pair.losses:,}"
    if pair.by_signs:
        return f"{counts}, not reached being the worst: {_decision(pair)}"
    change = pair.change
    means = change.name if pair.higher_is_better else f"{change.name} (less is better)"
    means += f" {change.text}"
    if pair.n < 2:
        return f"{counts}; {means} is of one query, which cannot tell it from chance"
    return f"{counts}; {means} {change.ends}: {_decision(pair)}"


def _decision(pair: Pair) -> str:
    """What the declared test shows, and its p before and after the correction."""
    found = pair.decision
    how = "" if math.isnan(found.p) else f" ({found.title}: {p_text(found.p, at_most=found.at_most)}{_after(found)})"
    if pair.chosen:
        said = "the test proves nothing, for these queries were chosen after looking"
    elif pair.undecided:
        said = f"no verdict, for {pair.undecided}"
    elif pair.significant:
        said = "the test shows a difference"
    elif pair.by_signs:
        said = "the test shows none"
    else:
        said = f"the test shows none, {pair.possible.span} remains possible"
    return f"{said}{how}"


def undecided(pair: Pair) -> str:
    """Why the declared test says nothing of a pair; "" where it does."""
    if math.isinf(pair.decision.statistic):
        return f"all {pair.n:,} differences are the same, and without spread there is no test"
    if 0 < pair.differing < LEAST:
        only = "one query differs" if pair.differing == 1 else f"{pair.differing:,} queries differ"
        return f"only {only}, too few for an exact p below .05"
    return ""


def _after(found: TestResult) -> str:
    if TESTS[found.name].family:
        return f" for {counted(found.comparisons, 'pair', 'pairs')} at once"
    if found.comparisons < 2:
        return ""
    if not found.correction:
        return f", not corrected for {found.comparisons:,} comparisons"
    after = p_value(found.p_corrected, at_most=found.at_most)
    return f", {after} after {found.correction} over {found.comparisons:,} comparisons"


def disagreement(pair: Pair) -> str:
    """Where the interval leaves 0 out and the declared test at the same level shows nothing, or the other way round."""
    found = pair.decision
    if pair.n < 2 or pair.by_signs or pair.undecided or TESTS[found.name].family:
        return ""
    outside = not pair.interval.low <= 0 <= pair.interval.high
    if outside == (found.p < 1 - pair.interval.level):
        return ""
    none = "1" if pair.geometric else "0"
    said = f"leaves {none} out, though the {found.title}" if outside else f"holds {none}, though the {found.title}"
    shows = "shows no difference" if outside else "shows a difference"
    return (
        f"The {pair.interval.title} interval {said} before correction {shows} ({p_text(found.p)}): the two treat "
        "skewed differences otherwise, and this pair is at the edge."
    )


def relative_change(difference: float, base: float) -> float:
    """difference / base; NaN where the base is 0."""
    return float(difference / abs(base)) if base else float("nan")


def _flipped_interval(interval: Interval) -> Interval:
    return replace(interval, low=-interval.high, high=-interval.low)


def _flipped_test(test: TestResult) -> TestResult:
    if test.name in ("t", "randomisation", "tukey-randomised"):
        return replace(test, statistic=-test.statistic + 0.0)
    return replace(test, statistic=test.n_used - test.statistic) if test.name == "sign" else test
