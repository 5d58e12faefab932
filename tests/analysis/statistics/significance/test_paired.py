"""Paired tests against scipy, against brute force over all assignments, and where there is nothing to test."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.significance.randomisation import EXACT, randomisation_column
from irviewer.analysis.statistics.significance.resampling import average_ranks
from irviewer.analysis.statistics.significance.test_results import TestResult
from irviewer.analysis.statistics.significance.wilcoxon import wilcoxon_column
from irviewer.errors import OptionError
from tests.helpers import one_pair

RANDOM = np.random.default_rng(4)
CONTINUOUS = [(RANDOM.random(n), RANDOM.random(n)) for n in (2, 3, 5, 10, 13, 14, 30, 50, 51, 225)]
TIED = [(RANDOM.integers(0, 5, n) / 4, RANDOM.integers(0, 5, n) / 4) for n in (3, 6, 10, 13, 14, 30, 50, 60, 225)]
ALL = CONTINUOUS + TIED


@pytest.mark.parametrize(
    "pair", ALL, ids=[f"{len(a)}{'' if i < len(CONTINUOUS) else ' tied'}" for i, (a, _) in enumerate(ALL)]
)
class TestAgainstScipy:
    def test_t(self, pair: tuple[np.ndarray, np.ndarray]) -> None:
        result, theirs = one_pair.paired_t(*pair), stats.ttest_rel(*pair)
        assert result.statistic == pytest.approx(theirs.statistic, abs=1e-9)
        assert result.p == pytest.approx(theirs.pvalue, abs=1e-9)
        assert result.df == theirs.df

    @pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
    def test_wilcoxon(self, pair: tuple[np.ndarray, np.ndarray], zeros: str) -> None:
        result = one_pair.wilcoxon(*pair, zeros=zeros)  # type: ignore[arg-type]
        theirs = stats.wilcoxon(pair[0] - pair[1], zero_method=zeros)
        assert result.statistic == pytest.approx(theirs.statistic, abs=1e-9)
        assert result.p == pytest.approx(theirs.pvalue, abs=1e-9)

    def test_sign(self, pair: tuple[np.ndarray, np.ndarray]) -> None:
        result = one_pair.sign_test(*pair)
        wins, losses = int((pair[0] > pair[1]).sum()), int((pair[0] < pair[1]).sum())
        assert (result.statistic, result.n_used) == (wins, wins + losses)
        assert result.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, abs=1e-9)

    def test_randomisation(self, pair: tuple[np.ndarray, np.ndarray]) -> None:
        result = one_pair.fisher_randomisation(*pair, samples=20_000)
        counted = len(pair[0]) <= 14
        theirs = stats.permutation_test(
            (pair[0] - pair[1],), lambda d, axis: np.abs(d.mean(axis=axis)), permutation_type="samples",
            n_resamples=np.inf if counted else 20_000, vectorized=True, alternative="greater", batch=1000,
            random_state=np.random.default_rng(5),
        )  # fmt: skip
        assert result.p == pytest.approx(theirs.pvalue, abs=1e-9 if counted else 0.02)


def test_randomisation_counts_every_assignment() -> None:
    for n in (1, 2, 3, 4, 7, 11):
        difference = RANDOM.integers(-3, 4, n) / 10
        sums = [abs(sum(s * d for s, d in zip(sign, difference, strict=True))) for sign in product((1, -1), repeat=n)]
        expected = np.mean([total >= abs(difference.sum()) - 1e-12 for total in sums])
        result = one_pair.fisher_randomisation(difference, np.zeros(n))
        assert result.p == pytest.approx(expected, abs=1e-12)
        assert result.samples is None


def test_randomisation_drawn_is_near_the_exact_one() -> None:
    difference = RANDOM.normal(0.03, 0.1, EXACT)
    exact = randomisation_column(difference[None]).p[0]
    # One query more, of no consequence to the sums, makes it draw.
    longer = np.append(difference, 1e-9)
    drawn = one_pair.fisher_randomisation(longer, np.zeros(EXACT + 1), samples=40_000, seed=1)
    assert drawn.samples == 40_000
    assert drawn.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 40_000))


def test_randomisation_is_equal_run_after_run_and_counts_the_observed_one() -> None:
    a, b = RANDOM.random(40) + 5, RANDOM.random(40)
    first, two = (one_pair.fisher_randomisation(a, b, samples=999, seed=7) for _ in range(2))
    assert first == two
    assert first.p == pytest.approx(2 / 2**40, rel=1e-12)  # counted, for none of the samples reached it
    many = one_pair.fisher_randomisation(RANDOM.random(300) + 5, RANDOM.random(300), samples=999, seed=7)
    assert many.p == 1 / 1000
    assert "(b+1)/(B+1)" in many.convention
    c, d = RANDOM.random(40), RANDOM.random(40)
    drawn = {one_pair.fisher_randomisation(c, d, samples=999, seed=seed).p for seed in range(4)}
    assert len(drawn) > 1


def test_rounding_is_no_difference() -> None:
    """.3 - .2 and .2 - .1 are the same to a person and differ in the last bit."""
    a, b = np.array([0.3, 0.2, 0.1 + 0.2, 0.5]), np.array([0.2, 0.1, 0.3, 0.1])
    result = one_pair.sign_test(a, b)
    assert (result.statistic, result.n_used) == (3, 3)
    ranks = one_pair.wilcoxon(a, b)
    assert ranks.p == stats.wilcoxon([1, 1, 0, 4]).pvalue


@pytest.mark.parametrize(
    "test", [one_pair.paired_t, one_pair.sign_test, one_pair.wilcoxon, one_pair.fisher_randomisation]
)
class TestNothingToTest:
    def test_all_equal(self, test: object) -> None:
        result = _call(test, [0.5, 0.25, 0.5], [0.5, 0.25, 0.5])
        assert (result.p, result.n, result.n_used) == (1, 3, 0)
        assert "All 3 differences are zero" in result.sentence

    def test_one_query(self, test: object) -> None:
        result = _call(test, [0.5], [0.25])
        assert (result.p, result.n) == (1, 1)
        assert result.sentence.startswith("1 query cannot show")

    def test_no_query(self, test: object) -> None:
        result = _call(test, [np.nan], [0.25])
        assert (result.p, result.n, result.dropped) == (1, 0, 1)

    def test_missing_queries_are_left_out_and_reported(self, test: object) -> None:
        a, b = RANDOM.random(12), RANDOM.random(12)
        whole = _call(test, a, b)
        result = _call(test, [*a, np.nan, 0.5], [*b, 0.5, np.nan])
        assert (result.p, result.n, result.dropped) == (whole.p, 12, 2)
        assert "2 queries that one of the two lacks are left out" in result.sentence

    def test_other_shapes(self, test: object) -> None:
        with pytest.raises(OptionError, match="query by query"):
            _call(test, [1, 2], [1, 2, 3])


def test_constant_difference() -> None:
    result = one_pair.paired_t([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])
    assert result.statistic == np.inf
    assert np.isnan(result.p)  # p was 0: three equal differences are no proof
    assert result.sentence == (
        "All 3 differences are the same: without spread t is infinite and meaningless. No p, and no conclusion."
    )
    assert one_pair.paired_t([0.2, 0.3], [0.3, 0.4]).statistic == -np.inf


def test_unknown_zeros() -> None:
    with pytest.raises(OptionError, match="neither"):
        one_pair.wilcoxon([1, 2], [2, 1], zeros="zsplit")  # type: ignore[arg-type]


def test_sentence() -> None:
    a, b = RANDOM.random(225), RANDOM.random(225)
    result = one_pair.paired_t(a, b)
    theirs = stats.ttest_rel(a, b)
    assert (
        f"t(224) = {theirs.statistic:.4f}".replace("-0.", "−.").replace("= 0.", "= .").replace("-", "−")
        in result.sentence
    )
    assert result.sentence.startswith("If the two were equally good")


def test_average_ranks() -> None:
    values = RANDOM.integers(0, 4, (20, 9)).astype(float)
    ranks, ties = average_ranks(values)
    assert ranks == pytest.approx(stats.rankdata(values, axis=1))
    counted = [sum(int(c) ** 3 - int(c) for c in np.unique(row, return_counts=True)[1]) for row in values]
    assert ties.tolist() == counted


def test_many_pairs_are_as_one_by_one() -> None:
    difference = np.round(RANDOM.normal(0, 1, (20, 30)), 1)
    column = wilcoxon_column(difference)
    assert [one_pair.wilcoxon(row, np.zeros(30)).p for row in difference] == column.p.tolist()


def _call(test: object, a: object, b: object) -> TestResult:
    assert callable(test)
    result = test(a, b)
    assert isinstance(result, TestResult)
    return result


@pytest.mark.parametrize(
    ("ours", "theirs", "ranks", "wins"),
    [
        # Twelve losses and no win: no rank is added up.
        ([0.1] * 12, [0.3] * 12, "W = 0, 12 queries", "wins = 0, 12 queries"),
        # One won and one lost by .1 share ranks 1 and 2; one lost by .2 has rank 3: 1.5 up, 4.5 down.
        ([0.1, 0.0, 0.0], [0.0, 0.1, 0.2], "W = 1.5, 3 queries", "wins = 1, 3 queries"),
    ],
)
def test_statistics_of_ranks_are_whole_in_words(ours: list[float], theirs: list[float], ranks: str, wins: str) -> None:
    assert ranks in one_pair.wilcoxon(np.array(ours), np.array(theirs)).sentence
    assert wins in one_pair.sign_test(np.array(ours), np.array(theirs)).sentence


def test_a_statistic_of_nothing_is_a_plain_zero() -> None:
    assert "t(2) = 0, 3 queries" in one_pair.paired_t(np.array([0.1, 0.2, 0.3]), np.array([0.3, 0.2, 0.1])).sentence
