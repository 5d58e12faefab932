"""One declared test, one correction and one family decide letters, marks and conclusion; where nothing can be tested
there is no conclusion. Against scipy, with Holm and the letters computed here."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.significance.test_results import TESTS

NAMES = ("a", "b", "c", "d")


def holm(p: list[float]) -> list[float]:
    """Holm's step-down, by its definition."""
    corrected, least = [0.0] * len(p), 0.0
    for place, number in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = corrected[number] = max(least, min(1.0, (len(p) - place) * p[number]))
    return corrected


def unequal(queries: int = 40) -> np.ndarray:
    """Four runs: c and d jump about, which widens Tukey's common spread; a and b differ by little and steadily."""
    random = np.random.default_rng(3)
    base = random.random(queries) * 0.4 + 0.3
    steady = base + 0.02 + random.normal(0, 0.02, queries)
    return np.stack([base, steady, base + random.normal(0, 0.3, queries), base + random.normal(0, 0.3, queries)])


def compared(values: np.ndarray, **options: object) -> Comparison:
    queries = [str(number) for number in range(values.shape[1])]
    given: dict[str, object] = {"samples": 1000, "seed": 3, **options}
    return compare(values, NAMES[: len(values)], queries, **given)  # type: ignore[arg-type]


def by_scipy(values: np.ndarray, test: str) -> list[float]:
    p_values = []
    for own, two in combinations(range(len(values)), 2):
        mine, its = values[own], values[two]
        if test == "t":
            p_values.append(float(stats.ttest_rel(mine, its).pvalue))
        elif test == "wilcoxon":
            p_values.append(float(stats.wilcoxon(mine, its).pvalue))
        else:
            wins, losses = int((mine > its).sum()), int((mine < its).sum())
            p_values.append(float(stats.binomtest(wins, wins + losses).pvalue))
    return p_values


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_letters_marks_and_conclusion_are_of_the_declared_test(test: str) -> None:
    """Tukey's p for a and b is .7 here and Holm's below .01: the letters used to be of the one, the conclusion of the
    other."""
    values = unequal()
    comparison = compared(values, pairs=True, tests=[test])
    after = holm(by_scipy(values, test))
    letters = [set(letter) for letter in comparison.letters()]
    for place, (mine, two) in enumerate(combinations(range(4), 2)):
        pair = comparison.find(mine, two)
        assert pair.decision.name == test
        assert pair.decision.p_corrected == pytest.approx(after[place], abs=1e-9)
        shown = after[place] < 0.05
        assert pair.significant == shown
        assert bool(comparison.differ()[mine, two]) == shown
        assert (not letters[mine] & letters[two]) == shown
        assert ("the test shows a difference" in pair.conclusion) == shown
        assert ("the test shows no difference" in pair.conclusion) == (not shown)
        assert TESTS[test].title in pair.conclusion
        assert "over 6 comparisons" in pair.conclusion
    assert comparison.decided_by() == f"{TESTS[test].title}, Holm over 6 comparisons"


def test_tukey_decides_where_it_is_asked_for_and_says_what_it_supposes() -> None:
    values = unequal()
    comparison = compared(values, pairs=True, tests=["tukey"])
    expected = by_tukey(values)
    for place, pair in enumerate(comparison.pairs):
        assert pair.decision.p == pytest.approx(expected[place], abs=1e-6)
        assert pair.significant == (expected[place] < 0.05)
    assert (
        comparison.decided_by()
        == "Tukey HSD, two-way, 6 pairs together, assuming equal variance of the differences of all pairs"
    )
    assert "for 6 pairs together" in comparison.pair(0).conclusion
    # b is better than a beyond doubt by the paired test, and not by Tukey's, whose spread is that of c and d.
    assert not comparison.find("b", "a").significant
    assert compared(values, pairs=True).find("b", "a").significant
    assert not any("Tukey" in said for said in compared(values, pairs=True).looked_at)


def by_tukey(values: np.ndarray) -> list[float]:
    """Tukey's p of every pair, the two-way residuals' variance as its spread."""
    runs, queries = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    error = np.sqrt((rest**2).sum() / ((runs - 1) * (queries - 1)) / queries)
    gaps = [abs(values[mine].mean() - values[two].mean()) for mine, two in combinations(range(runs), 2)]
    return [float(stats.studentized_range.sf(gap / error, runs, (runs - 1) * (queries - 1))) for gap in gaps]


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "none"])
@pytest.mark.parametrize("interval", ["t", "percentile", "bca"])
def test_what_remains_possible_holds_nought_and_agrees_with_the_test(correction: str, interval: str) -> None:
    """Where the test shows nothing 0 is among what remains possible; of the t-test and Bonferroni's level it is
    scipy's interval."""
    random = np.random.default_rng(5)
    for effect in (0.0, 0.03, 0.06):
        values = random.random((4, 30)) * 0.5
        values[1] += effect
        comparison = compared(values, correction=correction, interval=interval)
        for pair in comparison.pairs:
            if pair.significant:
                continue
            assert pair.possible.low <= 0 <= pair.possible.high
            level = 1 - 0.05 / (3 if correction in ("holm", "bonferroni") else 1)
            if interval == "t" or level != 0.95:
                difference = values[pair.run] - values[pair.other]
                ends = stats.t.interval(level, 29, difference.mean(), stats.sem(difference))
                ends = min(ends[0], 0), max(ends[1], 0)
                assert (pair.possible.low, pair.possible.high) == pytest.approx(ends, abs=1e-9)
            assert pair.conclusion.count("[") == 1 and pair.possible.span not in pair.conclusion
            said = pair.remains
            assert (pair.possible.span[1:] in said and "98.33 % t interval" in said) if level != 0.95 else not said


@pytest.mark.parametrize("differing", range(1, 9))
@pytest.mark.parametrize("test", ["t", "wilcoxon", "wilcoxon-pratt", "sign", "randomisation", "tukey"])
def test_fewer_than_six_differences_have_no_conclusion(differing: int, test: str) -> None:
    """Five of one sign have 2 / 2^5 = .0625 at the least; the t-test of five may have far less."""
    values = np.full((2, 30), 0.5)
    values[1, :differing] += 0.3 + np.arange(differing) / 1000
    pair = compared(values, tests=[test]).pair(0)
    assert pair.differing == differing
    none = differing < 6
    assert ("no conclusion" in pair.conclusion) == none
    assert not (none and pair.significant)
    if none:
        assert np.isnan(pair.decision.p) or pair.decision.p >= 0.0625 - 1e-12
        assert np.isnan(pair.test("t").p)
        assert "too few for an exact p below .05" in pair.conclusion
    if test == "t" and not none:
        assert pair.decision.p == pytest.approx(float(stats.ttest_rel(values[1], values[0]).pvalue))
        assert "the test shows" in pair.conclusion


def test_differences_without_spread_have_no_conclusion_of_the_t_test() -> None:
    """Their t is infinite, and p was 0."""
    values = np.stack([np.linspace(0.1, 0.4, 30), np.linspace(0.1, 0.4, 30) + 0.25])
    pair = compared(values).pair(0)
    assert np.isinf(pair.test("t").statistic)
    assert np.isnan(pair.test("t").p)
    assert np.isnan(pair.test("t").p_corrected)
    assert not pair.significant
    assert "no conclusion: all 30 differences are the same" in pair.conclusion
    assert "and meaningless. No p, and no conclusion." in pair.test("t").sentence
    assert pair.remark == ""
    assert compared(values, pairs=True).letters() == ("", "")  # a letter says that a test shows no difference
    # The sign test asks for no spread.
    signs = compared(values, tests=["sign"]).pair(0)
    assert signs.decision.p == pytest.approx(2 / 2**30)
    assert "the test shows a difference" in signs.conclusion


def test_holm_over_comparisons_some_of_which_have_no_p() -> None:
    """What has none counts as a comparison that shows nothing, and has none after the correction."""
    random = np.random.default_rng(9)
    base = random.random(30)
    values = np.stack([base, base + 0.1, base + random.normal(0.1, 0.1, 30), base])
    values[3, :4] += [0.1, 0.2, 0.3, 0.4]
    for correction in ("holm", "bonferroni", "bh"):
        comparison = compared(values, correction=correction)
        p = comparison.tests["t"].p
        assert np.isnan(p).tolist() == [True, False, True]
        assert np.isnan(comparison.tests["t"].corrected).tolist() == [True, False, True]
        assert comparison.tests["t"].corrected[1] == pytest.approx(3 * p[1])
        assert "over 3 comparisons" in comparison.pair(1).conclusion


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 12))])
def test_nothing_warns_however_small_or_flat_the_values(seed: int) -> None:
    """numpy warned of 0 times infinity for two queries of equal difference."""
    random = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for queries in (1, 2, 3, 5, 6, 26):
            values = random.choice([0.0, 0.5, 1.0], (3, queries))
            values[1] = values[0] + random.choice([0.0, 0.5])
            if seed % 3 == 0:
                values[2, random.random(queries) < 0.3] = np.nan
            for interval in ("t", "bca", "percentile"):
                for geometric in (False, True):
                    comparison = compared(
                        values, pairs=bool(seed % 2), tests=list(TESTS), interval=interval, samples=100,
                        geometric=geometric, weights=random.integers(0, 2, queries) + 0.5,
                    )  # fmt: skip
                    for pair in comparison.pairs:
                        check_sentences(pair)


def check_sentences(pair: RunComparison) -> None:
    """Everything that a pair says."""
    assert pair.conclusion
    assert pair.effects.sentence
    assert pair.posterior.sentence
    assert pair.detectable_sentence()
    assert pair.remark is not None
    assert all(test.sentence for test in pair.tests)
