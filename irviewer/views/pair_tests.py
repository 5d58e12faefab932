"""All statistics of two runs, a row each, and the table of them: the declared test first, then how large the difference
is, the other tests, and what they leave open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from irviewer.analysis.statistics.bayes import Posterior
from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.significance.test_results import TESTS, TestResult
from irviewer.model.number_text import percent, percent_change, quantity, times
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import decimal, tr
from irviewer.views.pairs import family_of


@dataclass(frozen=True)
class TestRow:
    """One statistic of two runs: its name, its value as text and, where it is one, as a number; p before and after the
    correction, None for what has none, NaN where it cannot be computed; whether p is a bound; its meaning in a
    sentence."""

    __test__ = False  # not a test class, despite its name

    name: str
    value: str
    sentence: str
    number: float = math.nan
    p: float | None = None
    corrected: float | None = None
    at_most: bool = False


def table_of_tests(rows: Sequence[TestRow], title: str, pair: RunComparison | None) -> Table:
    """Return the table ``tests``: a row for each statistic of a pair, whose tip is what it means."""
    family = None if pair is None else family_of("runs", pair.decision, pair.alpha)

    def tip(row: int) -> str:
        return rows[row].sentence

    def p_column(key: str, title: str, values: Sequence[float | None], words: str) -> column.Column:
        return column.p_value(
            key, title, values, family if key == "p_corrected" else None,
            at_most=[row.at_most for row in rows],
            texts=["" if value is None else None for value in values], tips=tip, tip=words,
        )  # fmt: skip

    return Table("tests", title, (
        column.text("test", tr("test"), [row.name for row in rows], tips=tip,
                    tip=tr("All statistics that were computed")),
        column.number("value", tr("value"), [row.number for row in rows], texts=[row.value for row in rows], tips=tip,
                      tip=tr("Value of the statistic")),
        p_column("p", "p", [row.p for row in rows], tr("p-value before the correction")),
        p_column("p_corrected", tr("corrected"), [row.corrected for row in rows], tr("p-value after the correction")),
    ), keys=[row.name for row in rows])  # fmt: skip


def tests_of(
    pair: RunComparison, among: RunComparison | None = None, *, smallest: float | None = None
) -> tuple[TestRow, ...]:
    """Return all statistics; ``among`` is the same pair in the comparison of all pairs, for Tukey's test; ``smallest``
    is the smallest difference that matters."""
    if pair.by_signs:
        return _signs(pair)
    rows = [_row(test, pair.geometric) for test in pair.tests]
    # Tukey's test is about all pairs: its p is a corrected one. The randomised form is used if it was selected; the
    # declared test is among the rows already.
    known = {test.name for test in pair.tests}
    kinds = [] if among is None else [test for test in among.tests if TESTS[test.name].family]
    kinds = [test for test in kinds if TESTS[test.name].seeded] or kinds
    rows += [_row(test, pair.geometric) for test in kinds if test.name not in known]
    rows[1:1] = _sizes(pair)  # how large the difference is, after the declared test
    name = tr("posterior of the ratio") if pair.geometric else tr("posterior of the difference")
    rows.append(TestRow(name, _likely(pair.posterior), pair.posterior.sentence, float(pair.posterior.better)))
    can_show = pair.detectable(smallest=smallest)
    text = "–" if math.isnan(can_show.size) else tr("{size} or more", size=can_show.shown_size)
    rows.append(TestRow(tr("can show"), text, pair.detectable_sentence(smallest=smallest),
                        _exact(can_show.size, pair.geometric)))  # fmt: skip
    return tuple(rows)


def _likely(after: Posterior) -> str:
    """Return the probability of being better, and that of being equal or worse where it is higher: a difference within
    the region of practical equivalence is no sign of being worse."""
    shares = (after.better, after.equal, after.worse)
    better, equal, worse = (decimal(f"{share:.3f}".replace("0.", ".")) for share in shares)
    if math.isnan(after.better):
        return "–"
    if after.better >= max(after.equal, after.worse):
        return tr("better {probability}", probability=better)
    if after.equal >= after.worse:
        return tr("better {probability}, equal {other}", probability=better, other=equal)
    return tr("better {probability}, worse {other}", probability=better, other=worse)


def _row(test: TestResult, geometric: bool) -> TestRow:
    """Return the row of a test. That of all pairs corrects itself: it has one p, the corrected one."""
    alone = not TESTS[test.name].family
    corrected = test.p if not alone else test.p_corrected if test.correction else None
    number = float(test.statistic) if test.n >= 2 else math.nan
    return TestRow(test.title, _statistic(test, geometric), test.sentence, number, test.p if alone else None, corrected,
                   test.at_most)  # fmt: skip


def _sizes(pair: RunComparison) -> list[TestRow]:
    """Return how large the difference is: interval, weighted difference, relative difference or ratio, effect."""
    change, weighted = pair.change, pair.weighted_change
    name = tr("interval of the ratio of means") if pair.geometric else tr("interval of the difference")
    sizes = [TestRow(name, change.ends, pair.shown_interval.sentence, _exact(pair.difference, pair.geometric))]
    if weighted is not None:
        name = tr("weighted ratio") if pair.geometric else tr("weighted difference")
        sentence = tr("Each query counts with its weight.")
        if pair.weighted_interval is not None and math.isnan(pair.weighted_interval.low) and not pair.by_signs:
            sentence += f" {pair.weighted_interval.sentence}"
        sizes.append(TestRow(name, weighted.with_ends, sentence,
                             _exact(pair.weighted_difference, pair.geometric)))  # fmt: skip
    if pair.geometric:
        meaning = tr(
            "The geometric mean is {mean} instead of {base}.", mean=quantity(pair.mean), base=quantity(pair.other_mean)
        )
        sizes.append(TestRow(tr("ratio of means"), change.text, meaning, _exact(pair.difference, True)))
    elif not math.isnan(pair.relative):
        meaning = tr("The mean is {mean} instead of {base}.", mean=quantity(pair.mean), base=quantity(pair.other_mean))
        relative = percent_change(pair.relative)
        sizes.append(TestRow(tr("relative difference"), relative, meaning, float(pair.relative)))
    effects = pair.effects
    text = f"d {quantity(effects.d)}, g {quantity(effects.g)}"
    sentence = effects.sentence
    if pair.unit and pair.units < 2:
        sentence = tr("There is no effect size: all queries are of one {unit}, and one unit is no sample.",
                      unit=pair.unit)  # fmt: skip
    elif pair.n < 2:
        sentence = tr("There is no effect size: one query has no spread.")
    sizes.append(TestRow(tr("effect size"), text, sentence, float(effects.d)))
    return sizes


def _exact(difference: float | None, geometric: bool) -> float:
    """Return a difference, or the ratio whose logarithm it is; NaN for none."""
    if difference is None:
        return math.nan
    return ratio_of(difference) if geometric else float(difference)


def _signs(pair: RunComparison) -> tuple[TestRow, ...]:
    """Return the statistics of two runs of which one does not reach a value on some query: signs, and shares
    reached."""
    test = pair.decision
    shares = tr("{share} against {other_share}", share=percent(pair.reached), other_share=percent(pair.other_reached))
    meaning = tr("Not reached counts as worst and leaves no mean, so the size of the difference is unknown.")
    won = pair.effects.superiority
    return (
        TestRow(test.title, _statistic(test, False), test.sentence, float(test.statistic), test.p,
                test.p_corrected if test.correction else None, test.at_most),
        TestRow(tr("queries reached"), shares, meaning, float(pair.reached)),
        TestRow(tr("queries won (ties count half)"), percent(won),
                tr("The probability that the run wins a query drawn at random."), float(won)),
    )  # fmt: skip


def _statistic(test: TestResult, geometric: bool) -> str:
    """Return the value of a test with its degrees of freedom, a mean difference of logarithms as a ratio; a dash for
    fewer than two queries."""
    if test.n < 2:
        return "–"
    if geometric and test.name in ("randomisation", "tukey-randomised"):
        return times(ratio_of(test.statistic))
    return (
        test.statistic_text
        if test.df is None
        else tr("{statistic}, df {df:g}", statistic=test.statistic_text, df=test.df)
    )
