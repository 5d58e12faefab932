"""The comparison of two runs for one measure, with its conclusion as a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from irviewer.analysis.planning.detectable import POWER, Detectable, detectable
from irviewer.analysis.statistics.bayes import Posterior
from irviewer.analysis.statistics.effects import Effects
from irviewer.analysis.statistics.intervals import Interval, t_ends
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.analysis.statistics.significance.test_results import LEAST, TESTS, TestResult
from irviewer.errors import OptionError
from irviewer.model.number_text import alpha_text, level_text, p_text, p_value
from irviewer.translation import tr, trn

ALPHA = 0.05
"""The significance level: the corrected p-value below which a test shows a difference."""
STRICT = (CORRECTIONS["holm"], CORRECTIONS["bonferroni"])
"""Titles of the corrections that control the family-wise error rate, so that an interval at alpha / m agrees."""


@dataclass(frozen=True)
class RunComparison:
    """Comparison of a run with another (the baseline, if there is one) over the queries that both have.

    run, other              their indices among the comparison's runs; ``run_name``, ``other_name``
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
    differing               queries on which the two are not equal, ``tie`` or not
    geometric               means are geometric; a difference is shown as a ratio, :attr:`change`
    by_signs                some run never reaches a value on some query: there are signs, and no differences
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
    unit: str = ""
    units: int = 0

    @property
    def df(self) -> float | None:
        """The degrees of freedom of the paired t-test where it counts by a unit; None for n - 1, and without one."""
        return self.test("t").df if self.unit and not self.by_signs else None

    @property
    def change(self) -> Change:
        """The difference with its interval as it is shown: a ratio for geometric means."""
        return Change(self.difference, self.interval.low, self.interval.high, self.geometric)

    @property
    def weighted_change(self) -> Change | None:
        """The weighted difference with its interval; None without weights."""
        if self.weighted_difference is None or self.weighted_interval is None:
            return None
        ends = self.weighted_interval
        return Change(self.weighted_difference, ends.low, ends.high, self.geometric)

    @property
    def shown_interval(self) -> Interval:
        """The interval as it is shown: of the ratio for geometric means."""
        _, low, high = self.change.shown
        return replace(self.interval, low=low, high=high, ratio=self.geometric)

    @property
    def relative(self) -> float:
        """The difference as a share of the other mean, or the ratio less 1; NaN where that mean is 0."""
        if self.geometric:
            return self.change.shown[0] - 1
        return relative_change(self.difference, self.other_mean)

    @property
    def decision(self) -> TestResult:
        """The result of the declared test, which decides letters, marks and the conclusion."""
        return self.test(self.declared)

    @property
    def possible(self) -> Change:
        """The differences that remain possible where the declared test shows none.

        This is the interval at the level that the test has after its correction, Student's t where that level is not
        the interval's own; it always contains 0, which the test does not rule out. NaN for fewer than two queries."""
        level = self.possible_level
        low, high = self.interval.low, self.interval.high
        if self.n > 1 and not math.isclose(level, self.interval.level):
            low, high = t_ends(self.difference, self.deviation, self.n, level, self.df)
        if math.isnan(low):
            return Change(self.difference, low, high, self.geometric)
        return Change(self.difference, min(low, 0.0), max(high, 0.0), self.geometric)

    @property
    def possible_level(self) -> float:
        """The level of :attr:`possible`: that of the declared test after its correction."""
        strict = TESTS[self.declared].family or self.decision.correction in STRICT
        return 1 - self.alpha / (self.decision.comparisons if strict else 1)

    def test(self, name: str) -> TestResult:
        """The result of a test. Raises OptionError for a test that was not run."""
        result = next((test for test in self.tests if test.name == name), None)
        if result is None:
            raise OptionError(
                tr(
                    "the test {test!r} was not run; choose one of {tests}",
                    test=name,
                    tests=", ".join(test.name for test in self.tests),
                )
            )
        return result

    @property
    def significant(self) -> bool:
        """True if the declared test shows a difference after correction, which on chosen queries none does."""
        return not (self.chosen or self.undecided) and self.decision.p_corrected < self.alpha

    @property
    def better_by_test(self) -> bool:
        """True if what the declared test measures speaks for the run, shown or not."""
        return self.decision.toward * (1 if self.higher_is_better else -1) > 0

    @property
    def undecided(self) -> str:
        """The reason why no test can decide between the two; "" where one can."""
        return undecided(self)

    @property
    def unproven(self) -> str:
        """Why the declared test proves nothing about the two, in words; "" where it can."""
        if self.n < 2:
            return tr("one query cannot show whether it is chance")
        if self.chosen:
            return tr("the test proves nothing, because these queries were chosen after looking at the results")
        return tr("no conclusion: {reason}", reason=self.undecided) if self.undecided else ""

    @property
    def conclusion(self) -> str:
        """The conclusion in words: wins and losses, the mean difference with its interval, the result of the declared
        test, p before and after correction."""
        return conclusion(self)

    @property
    def remains(self) -> str:
        """A sentence with :attr:`possible` where it is another interval than that of the conclusion; else ""."""
        if not self._shows_none or math.isclose(self.possible_level, self.interval.level) or self.n < 2:
            return ""
        change = self.possible.span
        return tr("{range} remains possible at the corrected level ({level} t interval).",
                  range=f"{change[:1].upper()}{change[1:]}", level=level_text(self.possible_level))  # fmt: skip

    @property
    def _shows_none(self) -> bool:
        """Whether the declared test could show a difference of means, and shows none."""
        return self.ties < self.n and not (self.chosen or self.undecided or self.significant or self.by_signs)

    @property
    def decision_text(self) -> str:
        """What the declared test shows, in words, with p before and after correction."""
        return _decision(self)

    @property
    def verdict(self) -> str:
        """The former name of :attr:`conclusion`."""
        return self.conclusion

    def detectable(self, power: float = POWER, *, smallest: float | None = None, corrected: bool = True) -> Detectable:
        """The true difference that these queries can show with that power, and the queries that ``smallest`` needs, the
        smallest difference that matters.

        With a correction for m comparisons at Bonferroni's alpha / m, the strictest that a corrected test can be; else,
        and with ``corrected`` False, for the test alone. There is none for a comparison by signs."""
        if self.by_signs:
            return Detectable(self.n, math.nan, self.alpha, power, math.nan, by_signs=True)
        test = self.test("t") if any(test.name == "t" for test in self.tests) else self.decision
        alpha = self.alpha / test.comparisons if corrected and test.correction else self.alpha
        if self.unit:
            # The noncentral t with the degrees of freedom of the CR2 error; how many queries further units have is not
            # known, and so not what is needed.
            free = (self.df or 0.0) + 1
            can_show = detectable(free, self.deviation * math.sqrt(free / max(1, self.n)), alpha=alpha, power=power,
                               geometric=self.geometric)  # fmt: skip
            return replace(can_show, n=self.n, deviation=self.deviation, smallest=smallest, unit=self.unit,
                           units=self.units)  # fmt: skip
        return detectable(
            self.n, self.deviation, alpha=alpha, power=power, smallest=smallest, geometric=self.geometric
        )  # fmt: skip

    def detectable_sentence(self, power: float = POWER, *, smallest: float | None = None) -> str:
        """:meth:`detectable` in words: after correction, and for the test alone."""
        shown, alone = (self.detectable(power, smallest=smallest, corrected=yes) for yes in (True, False))
        if shown.alpha == alone.alpha or math.isnan(shown.size):
            return shown.sentence
        return tr(
            "{sentence} That is Bonferroni's p for one of {comparisons:,} comparisons; for this comparison alone "
            "(p < {alpha}) it is {size}.",
            sentence=shown.sentence, comparisons=self.decision.comparisons, alpha=alpha_text(self.alpha),
            size=alone.shown_size,
        )  # fmt: skip

    @property
    def remark(self) -> str:
        """A sentence where the interval and the declared test disagree before any correction; else ""."""
        return disagreement(self)

    @property
    def flipped(self) -> RunComparison:
        """The comparison with the two runs exchanged."""
        tests = tuple(_flipped_test(test) for test in self.tests)
        posterior = self.posterior
        weighted = None if self.weighted_interval is None else _flipped_interval(self.weighted_interval)
        return replace(
            self, run=self.other, other=self.run, run_name=self.other_name, other_name=self.run_name,
            mean=self.other_mean, other_mean=self.mean, difference=-self.difference, wins=self.losses,
            losses=self.wins, interval=_flipped_interval(self.interval), tests=tests,
            effects=Effects(-self.effects.d, -self.effects.g, 1 - self.effects.superiority),
            posterior=replace(
                posterior, mean=-posterior.mean, low=-posterior.high, high=-posterior.low, better=posterior.worse,
                worse=posterior.better
            ),
            reached=self.other_reached, other_reached=self.reached,
            weighted_difference=None if self.weighted_difference is None else -self.weighted_difference,
            weighted_interval=weighted,
        )  # fmt: skip


def conclusion(pair: RunComparison, *, with_interval: bool = True) -> str:
    """``a is better on 107 queries, equal on 39, worse on 79; the mean difference .0157 [−.0003, .0317]: the test shows
    no difference (paired t-test: p = .055, .275 after Holm over 14 comparisons)``; without the interval where another
    one is said of the difference."""
    name = pair.run_name
    if not pair.baseline:
        name = tr("{run} against {other}", run=pair.run_name, other=pair.other_name)
    if not pair.n:
        return tr("{run}: no query in common, nothing to compare", run=name)
    if pair.ties == pair.n and (pair.difference == 0 or pair.by_signs):
        return trn("{run} is equal on the {n} query", "{run} is equal on all {n:,} queries", pair.n, run=name)
    counts = trn(
        "{run} is better on {n:,} query, equal on {ties:,}, worse on {losses:,}",
        "{run} is better on {n:,} queries, equal on {ties:,}, worse on {losses:,}",
        pair.wins, run=name, ties=pair.ties, losses=pair.losses,
    )  # fmt: skip
    if pair.unit:
        counts = trn("{counts}, in {n:,} unit ({unit})", "{counts}, in {n:,} units ({unit})", pair.units, counts=counts,
                     unit=pair.unit)  # fmt: skip
    if pair.by_signs:
        return tr("{counts} (not reached is the worst): {decision}", counts=counts, decision=_decision(pair))
    change = pair.change
    value = change.with_ends if with_interval and pair.n > 1 else change.text
    difference = f"{change.name} {value}"
    if not pair.higher_is_better:
        difference = tr("{name} (lower is better) {value}", name=change.name, value=value)
    return f"{counts}; {difference}: {_decision(pair)}"


def _decision(pair: RunComparison) -> str:
    """What the declared test shows, with p before and after correction."""
    shown = tr("the test shows a difference") if pair.significant else tr("the test shows no difference")
    text, test = pair.unproven or shown, pair.decision
    return text if math.isnan(test.p) else f"{text} ({test.title}: {_p_values(test)})"


def undecided(pair: RunComparison) -> str:
    """Return the reason why the declared test decides nothing about a pair; "" where it does."""
    if math.isinf(pair.decision.statistic):
        return trn(
            "the only difference has no spread to test",
            "all {n:,} differences are the same, and without spread there is no test",
            pair.n,
        )
    if pair.unit and pair.units < 2 and pair.ties < pair.n:
        return tr("all queries are of one {unit}, and nothing shows how much they vary", unit=pair.unit)
    if pair.unit and 0 < pair.differing < LEAST:
        return tr(
            "only {n} of {units:,} units ({unit}) differ, too few for an exact p below .05",
            n=pair.differing, units=pair.units, unit=pair.unit,
        )  # fmt: skip
    if 0 < pair.differing < LEAST:
        return trn(
            "only {n} query differs, too few for an exact p below .05",
            "only {n} queries differ, too few for an exact p below .05",
            pair.differing,
        )
    return ""


def _p_values(test: TestResult) -> str:
    """``p = .055, .275 after Holm over 14 comparisons``."""
    p = p_text(test.p, at_most=test.at_most)
    if TESTS[test.name].family:
        return trn("{p} for {n:,} pair", "{p} for {n:,} pairs together", test.comparisons, p=p)
    if test.comparisons < 2:
        return p
    if not test.correction:
        return tr("{p}, not corrected for {n:,} comparisons", p=p, n=test.comparisons)
    return tr(
        "{p}, {corrected} after {correction} over {n:,} comparisons",
        p=p, corrected=p_value(test.p_corrected, at_most=test.at_most), correction=test.correction,
        n=test.comparisons,
    )  # fmt: skip


def disagreement(pair: RunComparison) -> str:
    """A sentence where the interval excludes 0 and the declared test at the same level shows no difference, or the
    other way round; else ""."""
    test = pair.decision
    if pair.n < 2 or pair.by_signs or pair.undecided or TESTS[test.name].family or math.isnan(pair.interval.low):
        return ""
    outside = not pair.interval.low <= 0 <= pair.interval.high
    if outside == (test.p < 1 - pair.interval.level):
        return ""
    none = "1" if pair.geometric else "0"
    title, p = pair.interval.title, p_text(test.p)
    if outside:
        return tr(
            "The {interval} interval does not contain {none}, but the {test} shows no difference before correction "
            "({p}): the two treat skewed differences differently, and this pair is a borderline case.",
            interval=title, none=none, test=test.title, p=p,
        )  # fmt: skip
    return tr(
        "The {interval} interval contains {none}, but the {test} shows a difference before correction ({p}): the two "
        "treat skewed differences differently, and this pair is a borderline case.",
        interval=title, none=none, test=test.title, p=p,
    )  # fmt: skip


def relative_change(difference: float, base: float) -> float:
    """Return difference / |base|; NaN where the base is 0."""
    return float(difference / abs(base)) if base else float("nan")


def _flipped_interval(interval: Interval) -> Interval:
    return replace(interval, low=-interval.high, high=-interval.low)


def _flipped_test(test: TestResult) -> TestResult:
    test = replace(test, toward=-test.toward)
    if test.name in ("t", "randomisation", "tukey-randomised"):
        return replace(test, statistic=-test.statistic + 0.0)
    return replace(test, statistic=test.n_used - test.statistic) if test.name == "sign" else test
