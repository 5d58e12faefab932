"""Tukey's test against scipy's distribution and against draws with loops; letters against their definition."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from examples import a_part
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irviewer.analysis.statistics import compact_letters as letters
from irviewer.analysis.statistics.compact_letters import compact_letters, in_ranges
from irviewer.analysis.statistics.significance.studentized import _spread, studentized_range_sf
from irviewer.analysis.statistics.significance.tukey import anova, randomised_tukey_column, tukey_column

RANDOM = np.random.default_rng(6)
VALUES = RANDOM.random(20) + RANDOM.normal(0, 0.2, (5, 20)) + np.array([0, 0, 0.1, 0.3, 0.3])[:, None]
FIRST, SECOND = np.triu_indices(5, 1)


@pytest.mark.parametrize("every_second", a_part(range(2), 2))
@pytest.mark.parametrize("k", [2, 3, 15, 76, 100])
def test_the_studentized_range_is_scipys(k: int, every_second: int) -> None:
    q = np.array([0, 0.01, 0.3, 1, 2, 3.7, 4.5, 6, 9, 40, 200])
    for df in (1, 2, 1e6, 5, 29, 448, 99_999, 2175)[every_second::2]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # quad's own, where scipy integrates
            theirs = stats.studentized_range.sf(q, k, df)
        assert studentized_range_sf(q, k, df) == pytest.approx(theirs, abs=1e-9), df
    assert studentized_range_sf(np.array([np.inf]), k, 5).tolist() == [0]


def test_points_without_weight_cost_nothing() -> None:
    """All pairs of 500 runs have 124,750 values, each of which costs an interpolation for each point."""
    points, weights = _spread(24_451)
    assert len(points) < 200
    assert weights.sum() == pytest.approx(1, abs=1e-11)
    few, light = _spread(2)
    assert len(few) > 500
    assert light.sum() == pytest.approx(1, abs=1e-13)


def test_two_runs_are_the_paired_t_test() -> None:
    """q = |t| √2 and one error degree of freedom less than there are queries."""
    tukey = tukey_column(VALUES[:2], np.array([0]), np.array([1]))
    theirs = stats.ttest_rel(VALUES[0], VALUES[1])
    assert tukey.statistic[0] == pytest.approx(abs(theirs.statistic) * np.sqrt(2))
    assert tukey.p[0] == pytest.approx(theirs.pvalue, abs=1e-9)


def test_anova_of_the_sums() -> None:
    sums = anova(VALUES)
    total = ((VALUES - VALUES.mean()) ** 2).sum()
    assert sums.ss_runs + sums.ss_queries + sums.ss_error == pytest.approx(total)
    assert sums.df_error == 76


def test_randomised_with_loops() -> None:
    samples = 400
    tukey = randomised_tukey_column(VALUES, FIRST, SECOND, samples=samples, seed=4)
    random = np.random.default_rng(4)
    widest = []
    for _ in range(samples):
        drawn = np.empty((20, 5))
        drawn[:] = VALUES.T
        drawn = random.permuted(drawn, axis=1)
        widest.append(np.ptp(drawn.mean(axis=0)))
    for place, (mine, two) in enumerate(zip(FIRST, SECOND, strict=True)):
        gap = abs(VALUES[mine].mean() - VALUES[two].mean())
        reached = sum(width >= gap - 1e-12 for width in widest)
        assert tukey.p[place] == (reached + 1) / (samples + 1)


def test_randomised_is_near_the_formula_where_runs_are_equally_good() -> None:
    """Where they are not, what they differ by widens the drawn ranges (Carterette 2012, 4.3)."""
    values = VALUES - VALUES.mean(axis=1, keepdims=True) + np.array([0, 0.01, 0.02, 0.03, 0.06])[:, None]
    drawn = randomised_tukey_column(values, FIRST, SECOND, samples=20_000, seed=4)
    formula = tukey_column(values, FIRST, SECOND)
    assert drawn.p == pytest.approx(formula.p, abs=0.03)
    assert formula.p.min() < 0.9


def test_equal_runs_and_no_error() -> None:
    same = np.tile(VALUES[0], (3, 1))
    pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    assert tukey_column(same, *pairs).p.tolist() == [1, 1, 1]
    assert randomised_tukey_column(same, *pairs, samples=200).p.tolist() == [1, 1, 1]
    shifted = same + np.array([0, 0, 0.5])[:, None]
    p = tukey_column(shifted, *pairs).p  # q is infinite: nothing spreads, so nothing is known of chance
    assert (p[0], np.isnan(p[1:]).all()) == (1, True)
    for values in (same[:, :1], same[:, :0]):
        assert tukey_column(values, *pairs).p.tolist() == [1, 1, 1]
        assert randomised_tukey_column(values, *pairs, samples=200).p[0] == 1


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_letters_share_exactly_what_does_not_differ(bits: list[bool]) -> None:
    size = int(np.sqrt(len(bits)))
    half = np.triu(np.array(bits).reshape(size, size), 1)
    differ = half | half.T
    means = RANDOM.random(size)
    letter_sets = [set(text) for text in compact_letters(means, differ)]
    for mine in range(size):
        assert letter_sets[mine]
        for two in range(size):
            assert bool(letter_sets[mine] & letter_sets[two]) == (not differ[mine, two])


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_a_cover_shares_exactly_what_does_not_differ(bits: list[bool]) -> None:
    size = int(np.sqrt(len(bits)))
    half = np.triu(np.array(bits).reshape(size, size), 1)
    differ = half | half.T
    groups = letters._cover(differ, RANDOM.permutation(size).tolist())
    for mine in range(size):
        for other in range(size):
            shared = any(group >> mine & 1 and group >> other & 1 for group in groups)
            assert shared == (mine == other or not differ[mine, other])
    assert set(groups) <= set(letters._inserted(differ, size) or [])


def test_letters_of_a_table() -> None:
    """Means 5, 3, 2, 1 of which neighbours cannot be told apart: the textbook's ab, bc."""
    differ = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) > 1
    assert compact_letters(np.array([5.0, 3, 2, 1]), differ) == ("a", "ab", "bc", "c")
    assert compact_letters(np.array([1.0, 2, 3, 5]), differ, higher_is_better=False) == ("a", "ab", "bc", "c")
    assert compact_letters(np.array([1.0, 2, 3, 5]), differ) == ("c", "bc", "ab", "a")
    assert compact_letters(np.zeros(0), np.zeros((0, 0), bool)) == ()
    everyone = ~np.eye(60, dtype=bool)
    assert compact_letters(-np.arange(60.0), everyone)[51:54] == ("Z", "a2", "b2")


@pytest.mark.parametrize("seed", range(3))
def test_letters_without_an_order_are_few_and_right(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """50 runs of which three in ten pairs differ at random have thousands of groups: letters stay true, and only as
    many splits are made as it takes to see that there are too many."""
    random = np.random.default_rng(seed)
    differ = np.triu(random.random((50, 50)) < 0.3, 1)
    differ |= differ.T
    most = [0]
    split = letters._split

    def counted(groups: list[int], mine: int, other: int) -> list[int]:
        new_groups = split(groups, mine, other)
        most[0] = max(most[0], len(new_groups))
        return new_groups

    monkeypatch.setattr(letters, "_split", counted)
    shown = [set(re.findall(r"[a-zA-Z]\d*", text)) for text in compact_letters(-np.arange(50.0), differ)]
    for mine in range(50):
        for other in range(50):
            assert bool(shown[mine] & shown[other]) == (mine == other or not differ[mine, other])
    assert letters.MOST_GROUPS < most[0] < 50 * letters.MOST_GROUPS
    assert len(set().union(*shown)) < 50 * 49 / 2 * 0.7
    assert "a" in shown[0]


@pytest.mark.parametrize(
    ("letters", "shown"),
    [
        ("", ""), ("a", "a"), ("abc", "abc"), ("abcd", "a–d"), ("abfghij", "abf–j"), ("acegi", "acegi"),
        ("wxyzABC", "w–C"), ("XYZa2b2c2", "X–c2"), ("ac2d2e2f2", "ac2–f2"),
    ],
)  # fmt: skip
def test_many_letters_are_shown_as_ranges(letters: str, shown: str) -> None:
    assert in_ranges(letters) == shown


def test_the_same_value_everywhere_is_no_effect_of_runs() -> None:
    """F was infinite: the means of runs differed by rounding."""
    sums = anova(np.full((3, 10), 0.4))
    assert (sums.ss_runs, sums.ss_queries, sums.ss_error, sums.f_runs) == (0, 0, 0, 0)
