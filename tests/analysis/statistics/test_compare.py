"""Comparisons: columns against one pair at a time, the conclusion word for word, costs, missing queries, cancel."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.statistics.compare import ComparisonCancelled, compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.intervals import IntervalMethod, mean_interval
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.analysis.statistics.warnings import CHOSEN
from irviewer.errors import OptionError
from irviewer.model.number_text import p_text
from irviewer.model.query_units import QueryUnits
from irviewer.views import pair_tests
from tests.helpers import one_pair
from tests.helpers.one_pair import detectable_of

RANDOM = np.random.default_rng(11)
VALUES = np.round(np.clip(RANDOM.random(40) + RANDOM.normal(0, 0.15, (6, 40)) + np.arange(6)[:, None] / 40, 0, 1), 2)
NAMES = [f"run_{number}" for number in range(6)]
QUERIES = [str(number) for number in range(40)]
ONE_BY_ONE = {
    "t": one_pair.paired_t, "wilcoxon": one_pair.wilcoxon, "sign": one_pair.sign_test,
    "wilcoxon-pratt": lambda a, b: one_pair.wilcoxon(a, b, zeros="pratt"),
    "randomisation": lambda a, b: one_pair.fisher_randomisation(a, b, samples=2000, seed=3),
}  # fmt: skip


def against(values: np.ndarray = VALUES, **options: object) -> Comparison:
    given: dict[str, object] = {"samples": 2000, "seed": 3, **options}
    return compare(values, NAMES[: len(values)], QUERIES[: values.shape[1]], **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("geometric", [False, True])
def test_the_difference_of_two_runs_is_the_same_whichever_others_are_compared(geometric: bool) -> None:
    """Another run's values, of another size, round nothing of it."""
    values = np.concatenate([RANDOM.random((2, 40)), RANDOM.random((1, 40)) * (1e-9 if geometric else 1e6)])
    two, three = (against(values[:n], pairs=True, geometric=geometric, interval="bca") for n in (2, 3))
    for name in ("difference", "difference_low", "difference_high", "deviation"):
        assert getattr(two, name)[0] == getattr(three, name)[0], name
    assert two.tests["t"].p[0] == three.tests["t"].p[0]


@pytest.mark.parametrize("measure", ["AP", "gm_map"])
def test_means_have_the_last_digit_of_an_evaluation(measure: str) -> None:
    """Which adds them in their order, as trec_eval does: every door shows the same mean."""
    documents = [f"d{n}" for n in range(9)]
    qrels = {query: {doc: int(RANDOM.integers(0, 2)) for doc in documents} for query in QUERIES}
    runs = {name: {query: {doc: RANDOM.random() for doc in documents} for query in QUERIES} for name in NAMES}
    means = irviewer.evaluate(qrels, runs, [measure])[measure].tolist()
    for pairs in ({"baseline": NAMES[0]}, {"pairs": True}):
        comparison = irviewer.compare(qrels, runs, [measure], samples=200, **pairs)[measure]  # type: ignore[arg-type]
        assert comparison.means.tolist() == means
        for pair in comparison.pairs:
            assert (pair.mean, pair.other_mean) == (means[pair.run], means[pair.other])


@pytest.mark.parametrize("holes", [False, True])
def test_all_pairs_are_as_each_alone(holes: bool) -> None:
    """Also where runs lack queries: then each pair is over those that both have."""
    values = VALUES.copy()
    if holes:
        values[1, :3] = values[4, 5] = values[5, 5] = np.nan
    comparison = against(values, pairs=True, tests=list(TESTS))
    assert len(comparison) == 15
    for pair in comparison.pairs:
        mine, its = values[pair.run], values[pair.other]
        both = ~np.isnan(mine) & ~np.isnan(its)
        difference = mine[both] - its[both]
        assert pair.n == both.sum()
        assert pair.difference == pytest.approx(difference.mean(), abs=1e-12)
        assert (pair.mean, pair.other_mean) == pytest.approx((mine[both].mean(), its[both].mean()))
        assert pair.relative == pytest.approx(difference.mean() / its[both].mean())
        assert (pair.wins, pair.ties, pair.losses) == (
            (difference > 1e-9).sum(), (np.abs(difference) <= 1e-9).sum(), (difference < -1e-9).sum(),
        )  # fmt: skip
        for name, test in ONE_BY_ONE.items():
            single = test(mine, its)
            assert (pair.test(name).p, pair.test(name).statistic) == pytest.approx(
                (single.p, single.statistic), abs=1e-12
            )
            assert pair.test(name).dropped == single.dropped
        assert pair.test("tukey").dropped == (4 if holes else 0)
        assert ("that some run lacks" in pair.test("tukey").sentence) == holes
        alone = mean_interval(difference, samples=2000, seed=3)
        assert (pair.interval.low, pair.interval.high) == pytest.approx((alone.low, alone.high), abs=1e-9)
    for run in range(6):
        alone = mean_interval(values[run], samples=2000, seed=3)
        assert (comparison.low[run], comparison.high[run]) == pytest.approx((alone.low, alone.high), abs=1e-9)
    warnings = [said for said in comparison.warnings if "left out wherever" in said]
    assert len(warnings) == (3 if holes else 0)
    assert any("37 of 40" in said or "36 of 40" in said for said in comparison.warnings) == holes


def test_a_baseline_has_the_pairs_of_all_pairs() -> None:
    every, some = against(pairs=True, tests=["randomisation"]), against(baseline=2, tests=["randomisation"])
    assert [pair.other for pair in some.pairs] == [2] * 5
    for pair in some.pairs:
        same = every.find(pair.run, 2)
        assert pair.test("randomisation").p == same.test("randomisation").p
        assert pair.test("t").statistic == pytest.approx(same.test("t").statistic)
        assert (pair.wins, pair.losses) == (same.wins, same.losses)
        assert (pair.interval.low, pair.interval.high) == pytest.approx(
            (same.interval.low, same.interval.high), rel=0.05
        )
        assert pair.test("t").comparisons == 5
        assert same.test("t").comparisons == 15


def test_the_same_seed_gives_the_same_numbers_and_another_others() -> None:
    tests = ["randomisation", "tukey-randomised"]
    first, two, other = (against(tests=tests, pairs=True, seed=seed) for seed in (5, 5, 6))
    for name in tests:
        assert first.tests[name].p.tolist() == two.tests[name].p.tolist()
        assert first.tests[name].p.tolist() != other.tests[name].p.tolist()
    assert first.difference_low.tolist() == two.difference_low.tolist()
    assert first.difference_low.tolist() != other.difference_low.tolist()


def test_conclusion_word_for_word() -> None:
    comparison = against(tests=["t"])
    pair = comparison.find("run_1")
    test = pair.test("t")
    number = r"−?(?:\d+)?\.\d{4}"
    assert re.fullmatch(
        rf"run_1 is better on {pair.wins} queries, equal on {pair.ties}, worse on {pair.losses}; "
        rf"the mean difference {number} \[{number}, {number}\]: the test "
        r"(shows a difference|shows no difference) "
        r"\(paired t-test: p (= \.\d{3}|< \.001), (\.\d{3}|1|< \.001) after Holm over 5 comparisons\)",
        pair.conclusion,
    ), pair.conclusion
    assert ("shows no difference" in pair.conclusion) == (test.p_corrected >= 0.05)
    possible = rf"A Δ from [+−]?{number} to [+−]?{number} remains possible at the corrected level \(99 % t interval\)\."
    assert re.fullmatch(possible if test.p_corrected >= 0.05 else "", pair.remains)
    assert "not corrected for 5 comparisons" in against(correction="none").pair(0).conclusion
    alone = against(VALUES[:2]).pair(0).conclusion
    assert "comparison" not in alone
    assert against(VALUES[:2], pairs=True).pair(0).conclusion.startswith("run_0 against run_1 is better on")


def test_what_queries_can_show_is_of_the_spread_of_the_differences() -> None:
    holes = np.where(np.arange(40) < 3, np.nan, VALUES[3])
    for other in (VALUES[3], holes, VALUES[0]):
        pair = against(np.stack([VALUES[0], other])).pair(0)
        can_show, alone = (
            pair.detectable(0.9, smallest=0.02),
            detectable_of(other - VALUES[0], power=0.9, smallest=0.02),
        )
        assert (can_show.n, can_show.needed) == (alone.n, alone.needed)
        assert (can_show.deviation, can_show.size) == pytest.approx((alone.deviation, alone.size), nan_ok=True)
    assert against(VALUES[:2, :1]).pair(0).detectable(smallest=0.1).needed is None


def test_it_asks_for_what_the_corrected_test_asks_for() -> None:
    """Holm over 5 comparisons may ask for .01; its sentence has both numbers."""
    pair = against().pair(3)
    corrected, alone = pair.detectable(), pair.detectable(corrected=False)
    differences = VALUES[4] - VALUES[0]
    assert (corrected.alpha, alone.alpha) == (0.05 / 5, 0.05)
    assert corrected.size == detectable_of(differences, alpha=0.01).size
    said = pair.detectable_sentence()
    assert f"can show a true difference of {corrected.shown_size} or more, with a probability of 80 %" in said
    assert said.endswith(f"for one of 5 comparisons; for this comparison alone (p < .05) it is {alone.shown_size}.")
    for plain in (against(correction="none").pair(3), against(VALUES[[0, 4]]).pair(0)):
        assert plain.detectable_sentence() == plain.detectable().sentence
        assert plain.detectable().alpha == 0.05


def test_conclusions_at_the_edges() -> None:
    same = against(VALUES[[0, 0]]).pair(0)
    assert same.conclusion == "run_1 is equal on all 40 queries"
    assert same.test("t").p == 1
    assert np.isnan([same.interval.low, same.interval.high]).all()  # none without width
    pair = against(VALUES[:2, :1]).pair(0)
    assert pair.conclusion.endswith("one query cannot show whether it is chance")
    few = against(VALUES[:2, :5]).pair(0)  # there is no interval; a dash stood for it
    assert "no conclusion: only 5 queries" in few.conclusion and "–" not in few.conclusion
    fewer = replace(few, higher_is_better=False)
    assert f"the mean difference (lower is better) {few.change.text}: no conclusion" in fewer.conclusion
    wide = replace(against(VALUES[:2]).pair(0), higher_is_better=False)
    assert f"(lower is better) {wide.change.text} {wide.change.ends}: " in wide.conclusion
    none = against(np.array([[0.5, np.nan], [np.nan, 0.5]])).pair(0)
    assert "no query in common" in none.conclusion
    assert none.test("t").p == 1
    alone = against(VALUES[:1])
    assert len(alone) == 0
    assert alone.pairs == ()
    assert alone.low[0] < alone.means[0] < alone.high[0]


def test_a_note_where_interval_and_test_disagree() -> None:
    seen = {}
    for gap in np.linspace(0.02, 0.08, 200):
        skewed = np.append(np.full(36, gap), [-0.3, -0.3, -0.2, -0.1])
        pair = against(np.stack([np.zeros(40), skewed])).pair(0)
        outside = not pair.interval.low <= 0 <= pair.interval.high
        disagreement = (outside, pair.test("t").p < 0.05)
        seen[disagreement] = pair.remark
    assert seen[True, True] == seen[False, False] == ""
    assert any("borderline" in said for outcome, said in seen.items() if outcome[0] != outcome[1])


def test_less_is_better_for_a_cost() -> None:
    plain, cost = against(), against(higher_is_better=False)
    for pair, two in zip(plain.pairs, cost.pairs, strict=True):
        assert (pair.wins, pair.losses) == (two.losses, two.wins)
        assert pair.difference == two.difference
        assert pair.posterior.better == two.posterior.worse
        assert pair.effects.superiority == pytest.approx(1 - two.effects.superiority)
        assert pair.test("t").p == two.test("t").p
    every = against(pairs=True, higher_is_better=False)
    assert "a" in every.letters()[int(np.argmin(every.means))]


def test_flipped() -> None:
    comparison = against(pairs=True, tests=list(TESTS))
    forth, back = comparison.find(1, 4), comparison.find(4, 1)
    swapped = against(VALUES[[4, 1]], tests=list(TESTS)).find(1, 0)
    assert back == forth.flipped
    assert replace(back.flipped, effects=forth.effects) == forth
    assert (forth.wins, forth.losses, forth.difference) == (swapped.wins, swapped.losses, swapped.difference)
    other = against(VALUES[[4, 1]], tests=list(TESTS), baseline=1).find(0, 1)
    assert (back.wins, back.difference, back.relative) == (other.wins, other.difference, other.relative)
    for name in ONE_BY_ONE:
        assert back.test(name).statistic == pytest.approx(other.test(name).statistic)
    assert back.posterior.better == pytest.approx(other.posterior.better)
    assert back.effects.superiority == pytest.approx(other.effects.superiority)


def test_matrices() -> None:
    comparison = against(pairs=True)
    difference, p = comparison.matrix("difference"), comparison.matrix("corrected")
    means = VALUES.mean(axis=1)
    apart = means[:, None] - means
    np.fill_diagonal(apart, np.nan)
    assert difference == pytest.approx(apart, nan_ok=True)
    assert comparison.matrix("relative") == pytest.approx(apart / means, nan_ok=True)
    assert np.array_equal(p, p.T, equal_nan=True)
    assert p[0, 5] == comparison.find(0, 5).test("t").p_corrected
    assert comparison.matrix("superiority")[5, 0] == pytest.approx(1 - comparison.matrix("superiority")[0, 5])
    with pytest.raises(OptionError, match="'sign' was not run"):
        comparison.matrix("p", "sign")


def test_ties_of_a_size() -> None:
    pair = against(VALUES[:2], tie=0.1).pair(0)
    difference = np.round(VALUES[1] - VALUES[0], 12)
    assert (pair.wins, pair.ties) == ((difference > 0.1).sum(), (np.abs(difference) <= 0.1).sum())
    assert pair.test("t").n_used == 40


@pytest.mark.parametrize("unit", ["", "topic"])
@pytest.mark.parametrize("method", ["percentile", "bca", "t"])
def test_a_weighted_interval_of_few_weights_says_why(method: str, unit: str) -> None:
    """Forty queries, or twenty topics of two: each of the first ``some`` has a weight above 0."""
    size = 2 if unit else 1
    units = QueryUnits("topic", tuple(QUERIES), tuple(str(place // 2) for place in range(40))) if unit else None
    for some in (10, 9, 2, 1):
        weights = np.where(np.arange(40) < some * size, 2.0, 0.0)
        compared = against(weights=weights, interval=method, units=units)
        said = [text for text in compared.warnings if text.startswith("No weighted interval")]
        interval = compared.find("run_5").weighted_interval
        assert interval is not None
        assert interval.weighted == some
        assert np.isnan(interval.low) == (some < 10)
        assert said == ([interval.sentence] if some < 10 else [])
        assert all(str(some) in text and (f"({unit})" if unit else "quer") in text for text in said)
    if not unit:
        own = mean_interval(VALUES[0], weights=np.where(np.arange(40) < 4, 1.0, 0.0))
        assert own.sentence.startswith("No weighted interval: 4 queries have a weight above 0")


def test_a_weighted_interval_of_equal_differences_says_why() -> None:
    """The queries that have a weight differ alike, the others do not."""
    values = VALUES.copy()
    values[1, :20] = values[0, :20] + 0.25
    compared = against(values, weights=np.where(np.arange(40) < 20, 1.0, 0.0))
    interval = compared.pairs[0].weighted_interval
    assert interval is not None
    assert np.isnan(interval.low)
    assert "all values are the same" in interval.sentence
    row = next(row for row in pair_tests.tests_of(compared.pairs[0]) if row.name == "weighted difference")
    assert row.sentence.endswith(interval.sentence)


def test_weighted_means_are_beside_the_plain_means() -> None:
    weights = RANDOM.integers(0, 5, 40).astype(float)
    comparison = against(weights=weights)
    pair = comparison.find("run_5")
    difference = VALUES[5] - VALUES[0]
    assert pair.difference == pytest.approx(difference.mean())
    assert pair.weighted_difference == pytest.approx(np.average(difference, weights=weights))
    assert pair.weighted_interval is not None
    assert pair.weighted_interval.low < pair.weighted_difference < pair.weighted_interval.high
    assert comparison.weighted_means == pytest.approx(np.average(VALUES, axis=1, weights=weights))
    equal = against(weights=np.full(40, 2.5)).find("run_5")
    assert equal.weighted_interval is not None
    assert (equal.weighted_interval.low, equal.weighted_interval.high) == pytest.approx(
        (equal.interval.low, equal.interval.high)
    )
    assert any("weights" in said for said in comparison.warnings)
    said = "weighted 95 % intervals: bootstrap (BCa) (2,000 samples, seed 3), as Student's t takes no weights"
    assert [text for text in against(weights=weights, interval="t").looked_at if "weighted" in text] == [said]
    for others in ({"weights": weights, "interval": "bca"}, {"weights": weights}, {"interval": "t"}):
        assert not any("weighted" in text for text in against(**others).looked_at)


def test_warnings() -> None:
    assert against().warnings == ()
    assert against(chosen_after_looking=True).warnings == (CHOSEN,)
    (few,) = against(VALUES[:, :12]).warnings
    assert few.startswith("12 queries are few")


def test_everything_examined_is_named() -> None:
    lines = "\n".join(against(pairs=True, tests=list(TESTS), correction="bh").looked_at)
    for kind in TESTS.values():
        assert kind.title in lines
    assert "Benjamini-Hochberg over 15 comparisons" in lines
    assert "2,000 samples, seed 3" in lines
    assert "95 % intervals: bootstrap (percentile)" in lines
    assert against(interval="t").looked_at[1] == "95 % intervals: Student's t"


def test_progress_and_cancel() -> None:
    shares: list[float] = []
    against(pairs=True, tests=list(TESTS), progress=shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    with pytest.raises(ComparisonCancelled):
        against(cancelled=lambda: True)
    answers = iter([False, False, True])
    with pytest.raises(ComparisonCancelled):
        against(pairs=True, tests=["tukey-randomised"], cancelled=lambda: next(answers))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tests": ["u"]}, "unknown test 'u'; choose one of t, wilcoxon"),
        ({"correction": "sidak"}, "unknown correction"),
        ({"interval": "normal"}, "unknown interval 'normal'"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"baseline": 6}, "no run number 6"),
        ({"samples": 10}, "too few"),
        ({"tie": -1}, "0 or more"),
        ({"tie": np.nan}, "0 or more"),
        ({"rope": -1}, "0 or more"),
        ({"alpha": 0}, "between 0 and 1"),
        ({"bayes": "x"}, "unknown posterior"),
        ({"weights": [1, 2]}, "one for each query"),
        ({"weights": [-1] * 40}, "none below 0"),
        ({"tests": "t"}, "a list"),
        ({"values": np.full((6, 40), np.inf)}, "infinite"),
    ],
)
def test_what_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        against(**options)  # type: ignore[arg-type]


def test_shapes_and_names_are_checked() -> None:
    with pytest.raises(OptionError, match="3 run names and 40 query ids"):
        compare(VALUES, NAMES[:3], QUERIES)
    comparison = against()
    for wanted, said in (("nobody", "no run nobody"), (9, "no run number 9")):
        with pytest.raises(OptionError, match=said):
            comparison.find(wanted)
    with pytest.raises(OptionError, match="were not compared"):
        comparison.find(1, 2)
    with pytest.raises(OptionError, match="letters need all pairs"):
        comparison.letters()
    with pytest.raises(OptionError, match="'sign' was not run"):
        comparison.pair(0).test("sign")


def test_one_query_has_no_interval_and_no_posterior_and_few_in_common_are_reported() -> None:
    single = against(VALUES[:2, :1])
    assert np.isnan(
        [
            single.low,
            single.high,
        ]
    ).all()
    assert single.pair(0).interval.text == "–"
    assert single.pair(0).posterior.sentence.startswith("One query does not show")
    holes = VALUES[:3].copy()
    holes[1, 5:] = np.nan
    warned = " ".join(against(holes).warnings)
    assert "have 5 queries in common: too few" in warned


MANY = tuple(f"q{n}" for n in range(40))


@pytest.mark.parametrize("interval", ["percentile", "bca", "t"])
@pytest.mark.parametrize("units", [None, QueryUnits("user", MANY, tuple(str(n % 12) for n in range(40)))])
def test_values_that_are_all_the_same_have_no_interval(interval: IntervalMethod, units: QueryUnits | None) -> None:
    """[.4, .4] would say that no other query can differ; of means and of differences."""
    values = np.array([np.full(40, 0.1 + 0.2), np.full(40, 0.7), np.linspace(0, 1, 40)])
    compared = compare(values, ["a", "b", "c"], MANY, interval=interval, units=units, samples=200)
    assert np.isnan(compared.low).tolist() == np.isnan(compared.high).tolist() == [True, True, False]
    assert np.isnan(compared.difference_low).tolist() == [True, False]
    assert "[" not in compared.pairs[0].conclusion
    said = (
        "No interval: all values are the same" if units is None else "No interval by user: all units have the same mean"
    )
    assert compared.pairs[0].interval.sentence.startswith(said)
    assert compared.difference_low[1] < compared.difference_high[1]


def test_skewed_differences_are_said_beside_intervals_by_units_and_looks() -> None:
    """The p of the smaller t is that of scipy's skewness and t distribution."""
    random = np.random.default_rng(1)
    base = random.random(40) * 0.3
    skewed = base + random.exponential(0.1, 40) * (random.random(40) < 0.3)
    units = QueryUnits("user", MANY, tuple(str(n // 2) for n in range(40)))
    even = base + random.uniform(-0.1, 0.1, 40)
    for values, said in ((skewed, True), (even, False)):
        compared = compare(np.array([base, values]), ["a", "b"], MANY, units=units, interval="t")
        assert any("1 + |skewness| / √units" in each for each in compared.warnings) is said
        looked = compare(np.array([base, values]), ["a", "b"], MANY, at_looks=True)
        notes = [each for each in looked.warnings if "The differences are skewed" in each]
        assert bool(notes) is said
        assert not any("skewed" in each for each in compare(np.array([base, values]), ["a", "b"], MANY).warnings)
    difference = skewed - base
    factor = 1 + abs(stats.skew(difference)) / math.sqrt(40)
    p = 2 * stats.t.sf(abs(stats.ttest_1samp(difference, 0).statistic) / factor, 39)
    (note,) = [
        each for each in compare(np.array([base, skewed]), ["a", "b"], MANY, at_looks=True).warnings if "skewed" in each
    ]
    assert note.endswith(f"it is {p_text(p)}.")
    sums = np.add.reduceat(difference, range(0, 40, 2))
    (note,) = [
        each for each in compare(np.array([base, skewed]), ["a", "b"], MANY, units=units, interval="t").warnings
        if "skewed" in each
    ]  # fmt: skip
    assert f"{1 + abs(stats.skew(sums)) / math.sqrt(20):.2f} times" in note
