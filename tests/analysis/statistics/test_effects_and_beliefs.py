"""Effect sizes, posteriors and what queries can show, against figures in books and integrals by others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.planning.detectable import detectable_d, needed_queries
from irviewer.analysis.planning.powers import t_power
from irviewer.analysis.statistics.bayes import posterior, posteriors
from irviewer.analysis.statistics.effects import Effects, effect_columns, hedges_factor
from irviewer.errors import OptionError
from tests.helpers.one_pair import detectable_of

RANDOM = np.random.default_rng(9)
DIFFERENCE = RANDOM.normal(0.03, 0.1, (4, 30))


def test_effects() -> None:
    d, g, won = effect_columns(DIFFERENCE)
    assert d == pytest.approx(DIFFERENCE.mean(axis=1) / DIFFERENCE.std(axis=1, ddof=1))
    assert g == pytest.approx(d * (1 - 3 / (4 * 29 - 1)), rel=1e-3)  # Hedges' approximation
    assert hedges_factor(11) == pytest.approx(0.9227, abs=1e-4)  # his table: c(10)
    assert won == pytest.approx((DIFFERENCE > 0).mean(axis=1))
    assert effect_columns(np.array([[1.0, 0, -1, 2]]))[2].tolist() == [0.625]


def test_effects_at_the_edges() -> None:
    d, g, won = effect_columns(np.array([[0.1, 0.1, 0.1], [0, 0, 0], [-1, -1, -1]]))
    assert np.isnan(d).tolist() == np.isnan(g).tolist() == [True, False, True]
    assert (d[1], g[1]) == (0, 0)
    assert won.tolist() == [1, 0.5, 0]
    assert np.isnan(effect_columns(np.ones((1, 1)))[0][0])
    assert "do not vary" in Effects(float("nan"), 0, 0.5).sentence
    sentences = [Effects(d, d, 0.5).sentence for d in (0.1, 0.3, -0.6, 0.9)]
    assert [next(w for w in ("very small", "small", "medium", "large") if w in sentence) for sentence in sentences] == [
        "very small", "small", "medium", "large",
    ]  # fmt: skip


@pytest.mark.parametrize("rope", [0, 0.01, 0.05])
def test_posterior_is_students(rope: float) -> None:
    beliefs = posteriors(DIFFERENCE, rope=rope, level=0.9)
    for row, values in enumerate(DIFFERENCE):
        law = stats.t(29, values.mean(), values.std(ddof=1) / np.sqrt(30))
        belief = beliefs.posterior(row)
        assert belief.better == pytest.approx(law.sf(rope), abs=1e-9)
        assert belief.worse == pytest.approx(law.cdf(-rope), abs=1e-9)
        assert belief.better + belief.equal + belief.worse == pytest.approx(1)
        assert (belief.low, belief.high) == pytest.approx(law.interval(0.9))
    assert beliefs.equal.tolist() == pytest.approx([0] * 4, abs=1e-12) or rope > 0


def test_without_a_region_the_posterior_is_the_p_value() -> None:
    """With a flat prior, P(worse) is half the two-sided p of the t-test."""
    belief = posterior(DIFFERENCE[0] + 0.01, np.zeros(30), rope=0)
    assert min(belief.better, belief.worse) * 2 == pytest.approx(stats.ttest_1samp(DIFFERENCE[0] + 0.01, 0).pvalue)


def test_bootstrap_posterior() -> None:
    first, two = (posterior(DIFFERENCE[0], np.zeros(30), method="bootstrap", seed=3, samples=20_000) for _ in range(2))
    assert first == two
    plain = posterior(DIFFERENCE[0], np.zeros(30))
    assert first.better == pytest.approx(plain.better, abs=0.03)
    weights = np.random.default_rng(1).dirichlet(np.ones(30), 50_000)
    assert first.better == pytest.approx((weights @ DIFFERENCE[0] > 0.01).mean(), abs=0.015)


def test_posteriors_at_the_edges() -> None:
    same = posterior([0.3, 0.4], [0.1, 0.2], rope=0.05)
    assert np.isnan([same.better, same.equal, same.worse]).all()  # without spread nobody knows how sure that is
    assert "without spread" in same.sentence
    equal = posterior([0.3, 0.4], [0.3, 0.4])
    assert (equal.better, equal.equal, equal.worse) == (0, 1, 0)
    alone = posterior([0.3, np.nan], [0.1, 0.2])
    assert (alone.better, alone.equal, alone.worse) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    cost = posterior([0.3, 0.4], [0.1, 0.20001], higher_is_better=False)
    assert cost.worse == pytest.approx(1, abs=1e-4)
    assert "flat prior" in cost.sentence
    with pytest.raises(OptionError, match="unknown posterior"):
        posterior([1, 2], [2, 1], method="mcmc")  # type: ignore[arg-type]


@pytest.mark.parametrize(("d", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_needed_queries_of_the_books(d: float, n: int) -> None:
    """Cohen's small, middling and large effect, alpha .05 two-sided, power .8, matched pairs: G*Power's figures."""
    assert needed_queries(d) == n
    assert needed_queries(-d) == n


def test_power_is_the_noncentral_t() -> None:
    for d, n, alpha in ((0.1, 5, 0.05), (0.5, 30, 0.01), (1.2, 12, 0.05), (0.02, 5000, 0.05)):
        critical = stats.t.ppf(1 - alpha / 2, n - 1)
        law = stats.nct(n - 1, d * np.sqrt(n))
        assert t_power(d, n, alpha) == pytest.approx(law.sf(critical) + law.cdf(-critical), abs=1e-9)


def test_detectable_and_needed_agree() -> None:
    for n in (2, 5, 30, 225):
        d = detectable_d(n)
        assert t_power(d, n) == pytest.approx(0.8)
        assert needed_queries(d * 1.0001) == n


def test_what_the_queries_of_a_pair_can_show() -> None:
    change = DIFFERENCE[0]
    can_show = detectable_of([*change, np.nan], smallest=0.01)
    assert (can_show.n, can_show.size) == (30, pytest.approx(detectable_d(30) * change.std(ddof=1)))
    assert can_show.needed == needed_queries(0.01 / change.std(ddof=1))
    assert (
        f"For .0100, the smallest that matters, about {can_show.needed:,} queries would be needed, at"
        in can_show.sentence
    )
    moved = detectable_of([*(change + 0.3), np.nan], smallest=0.01)
    assert moved.sentence == can_show.sentence  # nothing is said of the power of the difference that was seen
    assert "matters" not in detectable_of(change).sentence
    assert detectable_of(np.zeros(9)).needed is None
    assert "without spread" in detectable_of(np.zeros(9)).sentence
    assert "does not show" in detectable_of([0.5]).sentence
    with pytest.raises(OptionError, match="alpha < power"):
        detectable_of(change, power=0.01)


def test_power_far_out_is_a_number() -> None:
    """Series of the noncentral t distribution give up there: the power is drawn instead."""
    random = np.random.default_rng(5)
    for d, n in ((0.9, 225), (2.0, 30), (4.5, 5), (8 / 2**0.5, 2), (9.5, 2)):
        drawn = random.normal(d, 1, (400_000 // n, n))
        t = drawn.mean(axis=1) / drawn.std(axis=1, ddof=1) * n**0.5
        share = float((2 * stats.t.sf(np.abs(t), n - 1) < 0.05).mean())
        assert t_power(d, n) == pytest.approx(share, abs=0.01)
    assert needed_queries(1e-6) is None
