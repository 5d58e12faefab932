"""Runs compared slice by slice: each row is what a comparison of that slice's queries alone says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.slices.crossing import cross_slices
from irviewer.analysis.slices.difficulty import difficulty
from irviewer.analysis.slices.search import search_slices
from irviewer.analysis.slices.slices import LEAST_QUERIES, compare_slices
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.errors import OptionError
from irviewer.model.attributes.queries import Cut, QueryAttribute, Slicing, slices_of

SIZE = 90
IDS = tuple(f"q{place:02}" for place in range(SIZE))
QUICK = ComparisonOptions(samples=200)


def values_of(rows: np.ndarray, names: tuple[str, ...] = ("a", "b"), **choices: object) -> RunValues:
    unreached = choices.pop("unreached", np.zeros(rows.shape, dtype=np.bool_))
    ids = IDS[: rows.shape[1]]
    return RunValues(names, ids, rows, unreached, "nDCG@10", **choices)  # type: ignore[arg-type]


@pytest.fixture
def runs() -> RunValues:
    numbers = np.random.default_rng(1).uniform(0, 1, (3, SIZE))
    numbers[1, :45] = np.minimum(1, numbers[0, :45] + 0.2)
    return values_of(numbers, ("a", "b", "c"))


def cut_of(name: str, values: list[object], ids: tuple[str, ...] = IDS, cut: Cut | None = None) -> Slicing:
    kind = "category" if any(isinstance(value, str) for value in values) else "number"
    known = {query: value for query, value in zip(ids, values, strict=True) if value is not None}
    return slices_of(QueryAttribute(name, kind, known), ids, cut)  # type: ignore[arg-type]


HALVES = cut_of("half", ["first"] * 45 + ["second"] * 40 + ["few"] * 5)
NUMBERS = cut_of("n", [float(place % 7) if place % 9 else None for place in range(SIZE)])


def test_a_row_is_the_comparison_of_its_queries(runs: RunValues) -> None:
    comparison = compare_slices(runs, [HALVES, NUMBERS], QUICK, baseline="a")
    assert [run_slices.overall.run_name for run_slices in comparison.runs] == ["b", "c"]
    tested = []
    for run_slices in comparison.runs:
        row_number = runs.names.index(run_slices.overall.run_name)
        for slicing, attribute in zip((HALVES, NUMBERS), run_slices.attributes, strict=True):
            for part, row in zip(slicing.slices, attribute.rows, strict=True):
                mine, its = runs.values[row_number][part.places], runs.values[0][part.places]
                assert row.pair is not None
                assert row.query_ids == tuple(IDS[place] for place in part.places.tolist())
                assert (row.n, row.pair.mean, row.pair.other_mean) == (
                    len(mine), pytest.approx(mine.mean()), pytest.approx(its.mean()),
                )  # fmt: skip
                assert row.pair.difference == pytest.approx((mine - its).mean())
                if len(mine) >= LEAST_QUERIES:
                    assert row.p == pytest.approx(stats.ttest_rel(mine, its).pvalue)
                    tested.append(row)
                else:
                    assert math.isnan(row.p)
                    assert math.isnan(row.corrected)
                    assert row.p_shown == "too few"
    assert comparison.runs[0].family == len(tested) == 12
    assert [row.corrected for row in tested] == pytest.approx(corrected([row.p for row in tested], "holm"))


def test_the_interaction_is_of_the_differences_and_corrected_over_attributes_and_runs(runs: RunValues) -> None:
    comparison = compare_slices(runs, [HALVES, NUMBERS], QUICK, baseline="a")
    tests = [slices.interaction for run_slices in comparison.runs for slices in run_slices.attributes]
    groups = [(runs.values[1] - runs.values[0])[part.places] for part in HALVES.slices]
    assert tests[0].f == pytest.approx(stats.f_oneway(*groups).statistic)
    assert tests[0].p < 0.05 < tests[1].p
    assert [test.corrected for test in tests] == pytest.approx(corrected([test.p for test in tests], "holm"))
    assert {test.family for test in tests} == {4}
    assert comparison.notes == ("10 queries have no value of n and are in none of its slices.",)
    assert comparison.runs[0].attributes[1].without == tuple(IDS[place] for place in range(0, SIZE, 9))


def test_a_cost_and_a_geometric_mean(runs: RunValues) -> None:
    cost = values_of(runs.values[:2], higher_is_better=False)
    row = compare_slices(cost, [HALVES], QUICK).find("b").find("half", "first")
    assert row.pair is not None
    assert (row.toward, row.pair.difference > 0) == (-1, True)
    geometric = values_of(np.exp(runs.values[:2] * 5), geometric=True)
    comparison = compare_slices(geometric, [HALVES], QUICK).find("b")
    row = comparison.find("half", "first")
    assert row.pair is not None
    inside = slice(0, 45)
    logs = (runs.values[1] - runs.values[0])[inside] * 5
    assert row.pair.change.shown[0] == pytest.approx(math.exp(logs.mean()))
    groups = [((runs.values[1] - runs.values[0]) * 5)[part.places] for part in HALVES.slices]
    assert comparison.attributes[0].interaction.f == pytest.approx(stats.f_oneway(*groups).statistic)


def test_queries_that_a_run_lacks_and_empty_slices() -> None:
    rows = np.random.default_rng(2).uniform(0, 1, (2, 30))
    rows[1, :12] = np.nan
    cut = cut_of("x", ["gone"] * 12 + ["there"] * 18, IDS[:30])
    comparison = compare_slices(values_of(rows), [cut], QUICK).find("b")
    gone, present = comparison.rows[1], comparison.rows[0]
    if gone.name != "gone":
        gone, present = present, gone
    assert (gone.n, gone.pair, gone.p_shown, len(gone.query_ids)) == (0, None, "–", 12)
    assert present.n == 18
    assert comparison.family == 1
    assert math.isnan(comparison.attributes[0].interaction.p)
    borders = cut_of("n", [1.0] * 30, IDS[:30], Cut(borders=(5.0,)))
    assert [row.n for row in compare_slices(values_of(rows), [borders], QUICK).runs[0].rows] == [18, 0]


def test_runs_without_a_common_query() -> None:
    rows = np.full((2, 24), np.nan)
    rows[0, :12] = rows[1, 12:] = 0.5
    cut = cut_of("x", ["l"] * 12 + ["r"] * 12, IDS[:24])
    comparison = compare_slices(values_of(rows), [cut], QUICK).find("b")
    assert [row.n for row in comparison.rows] == [0, 0]
    assert comparison.sentence == "b and a have no query in common. No slice has 10 queries or more: none is tested."


def test_equal_and_constant_differences() -> None:
    rows = np.random.default_rng(4).uniform(0, 0.5, (2, 24))
    cut = cut_of("x", ["l"] * 12 + ["r"] * 12, IDS[:24])
    equal = compare_slices(values_of(rows[[0, 0]]), [cut], QUICK).find("b")
    assert [(row.p, row.toward, row.significant) for row in equal.rows] == [(1.0, 0, False)] * 2
    assert equal.attributes[0].interaction.p == 1
    constant = compare_slices(values_of(np.array([rows[0], rows[0] + 0.25])), [cut], QUICK).find("b")
    assert [(math.isnan(row.p), row.significant, row.toward) for row in constant.rows] == [(True, False, 1)] * 2
    assert constant.attributes[0].interaction.p == 1
    few = rows[0] + np.where(np.arange(24) < 3, 0.25, 0)  # three differences were called a better run
    for values, reason in ((rows[0] + 0.25, "all 24 differences are the same"), (few, "only 3 queries differ")):
        sentence = compare_slices(values_of(np.array([rows[0], values])), [cut], QUICK).find("b").sentence
        assert sentence.startswith("Over all queries b against a: Δ .") and f"; no conclusion: {reason}" in sentence
    whole = compare_slices(values_of(rows[[0, 0]]), [cut], QUICK)
    assert whole.methods[-1] == "interaction: one-way F of the differences by query, all permutations counted"


def test_one_query() -> None:
    cut = cut_of("x", ["only"], IDS[:1])
    comparison = compare_slices(values_of(np.array([[0.1], [0.4]])), [cut], QUICK).find("b")
    assert [(row.n, row.p_shown) for row in comparison.rows] == [(1, "too few")]
    assert comparison.sentence.startswith(
        "Over all queries b against a: Δ .3000; one query cannot show whether it is chance."
    )


def test_what_is_never_reached_has_signs_and_no_interaction() -> None:
    rows = np.random.default_rng(6).integers(1, 50, (2, 40)).astype(float)
    never = np.zeros((2, 40), dtype=np.bool_)
    never[1, ::3] = True
    rows[never] = np.nan
    cut = cut_of("x", ["l"] * 20 + ["r"] * 20, IDS[:40])
    comparison = compare_slices(values_of(rows, unreached=never, higher_is_better=False), [cut], QUICK).find("b")
    for row in comparison.rows:
        assert row.pair is not None
        assert row.p == pytest.approx(stats.binomtest(row.pair.wins, row.pair.wins + row.pair.losses).pvalue)
        assert row.toward == np.sign(row.pair.wins - row.pair.losses)
    assert math.isnan(comparison.attributes[0].interaction.p)


def test_what_is_no_comparison(runs: RunValues) -> None:
    with pytest.raises(OptionError, match="no run d"):
        compare_slices(runs, [HALVES], QUICK, baseline="d")
    with pytest.raises(OptionError, match="two runs"):
        compare_slices(runs.only([0]), [HALVES], QUICK)
    comparison = compare_slices(runs, [HALVES], QUICK)
    with pytest.raises(OptionError, match="not compared"):
        comparison.find("a")
    with pytest.raises(OptionError, match="no slice"):
        comparison.find("b").find("half", "third")


def test_crossed(runs: RunValues) -> None:
    crossed = cross_slices(runs, "b", "a", HALVES, NUMBERS, QUICK)
    cells = [row for line in crossed.cells for row in line]
    for across, line in zip(HALVES.slices, crossed.cells, strict=True):
        for down, row in zip(NUMBERS.slices, line, strict=True):
            both = [place for place in across.places.tolist() if place in down.places]
            assert row.n == len(both)
            if both:
                assert row.pair is not None
                assert row.pair.difference == pytest.approx((runs.values[1] - runs.values[0])[both].mean())
    large = [row for row in cells if row.n >= LEAST_QUERIES]
    assert crossed.family == len(large) > 0
    assert [row.corrected for row in large] == pytest.approx(corrected([row.p for row in large], "holm"))
    with pytest.raises(OptionError, match="itself"):
        cross_slices(runs, "a", 0, HALVES, NUMBERS)


def test_difficulty_is_the_mean_of_other_runs(runs: RunValues) -> None:
    rows = runs.values.copy()
    rows[0, 3] = rows[:, 5] = np.nan
    difficulties = difficulty(values_of(rows, ("x", "y", "z")))
    assert "q05" not in difficulties.values
    assert difficulties.values["q03"] == pytest.approx(rows[1:, 3].mean())
    assert difficulties.values["q00"] == pytest.approx(rows[:, 0].mean())
    with pytest.raises(OptionError, match="Difficulty needs"):
        difficulty(runs.only([]))


def test_a_search_tests_on_the_half_that_it_did_not_see(runs: RunValues) -> None:
    search = search_slices(runs, "a", "b", [HALVES, NUMBERS], QUICK)
    assert search.candidates >= len(search.found) > 1
    assert set(search.searched).isdisjoint(search.held_out)
    assert len(search.searched) == len(search.held_out) == 45
    difference = dict(zip(IDS, (runs.values[0] - runs.values[1]).tolist(), strict=True))
    slices = {(cut.attribute.name, part.name): {IDS[place] for place in part.places.tolist()}
              for cut in (HALVES, NUMBERS) for part in cut.slices}  # fmt: skip
    for slice_found in search.found:
        inside = set.intersection(*(slices[part] for part in slice_found.parts))
        searched = [difference[query] for query in inside & set(search.searched)]
        assert (slice_found.searched_n, slice_found.searched) == (len(searched), pytest.approx(np.mean(searched)))
        assert set(slice_found.tested.query_ids) == inside & set(search.held_out)
        assert min(slice_found.searched_n, slice_found.tested.n) >= LEAST_QUERIES
        rest = [difference[query] for query in set(search.held_out) - inside]
        mine = [difference[query] for query in slice_found.tested.query_ids]
        assert slice_found.elsewhere.f == pytest.approx(stats.f_oneway(mine, rest).statistic)
    assert [slice_found.searched for slice_found in search.found] == sorted(
        slice_found.searched for slice_found in search.found
    )
    assert search_slices(runs, "a", "b", [HALVES, NUMBERS], QUICK).found[0].name == search.found[0].name
    assert search_slices(runs, "a", "b", [HALVES, NUMBERS], QUICK, seed=7).searched != search.searched


def test_a_search_holds_its_level() -> None:
    """Nothing differs; of the first slice found the tests say so in about 95 % of samples, though it was searched."""
    random_numbers = np.random.default_rng(11)
    shown = elsewhere = 0
    for number in range(80):
        rows = random_numbers.normal(0, 1, (2, SIZE))
        names = [str(number) for number in random_numbers.integers(0, 3, SIZE)]
        numbers = [float(number) for number in random_numbers.integers(0, 50, SIZE)]
        cuts = [cut_of("c", list(names)), cut_of("n", list(numbers))]
        first = search_slices(values_of(rows), "a", "b", cuts, ComparisonOptions(samples=199), seed=number).found[0]
        shown += first.tested.p < 0.05
        elsewhere += first.elsewhere.p < 0.05
    assert stats.binomtest(shown, 80, 0.05).pvalue > 0.001
    assert stats.binomtest(elsewhere, 80, 0.05).pvalue > 0.001


def test_a_search_that_cannot_be(runs: RunValues) -> None:
    with pytest.raises(OptionError, match="too few"):
        search_slices(runs.at(np.arange(20)), "a", "b", [cut_of("x", ["l"] * 20, IDS[:20])])
    with pytest.raises(OptionError, match="itself"):
        search_slices(runs, "a", "a", [HALVES])
    assert search_slices(runs, "a", "b", [cut_of("x", ["all"] * SIZE)], QUICK).found == ()


def test_runs_that_are_not_shown_count_in_every_family(runs: RunValues) -> None:
    options = ComparisonOptions(("randomisation",), samples=300)
    every = compare_slices(runs, [HALVES, NUMBERS], options, baseline="a")
    for shown in (1, 2):
        alone = compare_slices(runs, [HALVES, NUMBERS], options, baseline="a", shown=[shown])
        (mine,), its = alone.runs, every.find(runs.names[shown])
        assert mine.family == its.family == 12
        assert mine.overall.decision == its.overall.decision
        assert mine.overall.decision.comparisons == 2
        for row, other in zip(mine.rows, its.rows, strict=True):
            np.testing.assert_array_equal([row.p, row.corrected], [other.p, other.corrected])
            assert row.pair is not None
            assert other.pair is not None
            assert row.pair.decision == other.pair.decision
            ends = [(each.interval.low, each.interval.high) for each in (row.pair, other.pair)]
            np.testing.assert_array_equal(*ends)
            assert np.isnan(ends[0]).all() == (row.n < 10)
        assert [each.interaction for each in mine.attributes] == [each.interaction for each in its.attributes]


def test_all_queries_have_the_p_of_the_runs(runs: RunValues) -> None:
    for pairs in (False, True):
        declared = runs.compare(QUICK, baseline=None if pairs else 0, pairs=pairs)
        compared = compare_slices(runs, [HALVES], QUICK, baseline="a", pairs=pairs)
        for run in compared.runs:
            (pair,) = [
                pair for pair in declared.pairs if {pair.run_name, pair.other_name} == {"a", run.overall.run_name}
            ]
            assert run.overall.decision.p_corrected == pair.decision.p_corrected
        assert compared.methods[0] == f"all queries: paired t-test, Holm over {3 if pairs else 2} comparisons"
        assert compared.methods[1] == "slices, exploratory: paired t-test, Holm over 4"


def test_tukey_is_of_the_runs_and_t_of_the_slices(runs: RunValues) -> None:
    compared = compare_slices(runs, [HALVES], ComparisonOptions(("tukey",), samples=200), baseline="a")
    run, plain = compared.find("b"), compare_slices(runs, [HALVES], QUICK, baseline="a").find("b")
    assert (run.overall.declared, run.overall.decision.comparisons) == ("tukey", 3)
    assert run.overall.decision.p_corrected == runs.compare(ComparisonOptions(("tukey",))).pair(0).decision.p
    np.testing.assert_array_equal([row.corrected for row in run.rows], [row.corrected for row in plain.rows])


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "none"])
def test_interactions_follow_the_declared_correction(runs: RunValues, correction: str) -> None:
    options = ComparisonOptions(correction=correction, samples=200)
    compared = compare_slices(runs, [HALVES, NUMBERS], options, baseline="a")
    tests = [attribute.interaction for run in compared.runs for attribute in run.attributes]
    assert [test.corrected for test in tests] == corrected([test.p for test in tests], correction).tolist()
    title = {
        "holm": "after Holm",
        "bonferroni": "after Bonferroni",
        "bh": "after Benjamini",
        "none": "not corrected for 4",
    }
    assert all(title[correction] in test.text for test in tests)


def test_a_conclusion_is_that_of_the_slices(runs: RunValues) -> None:
    for row in compare_slices(runs, [HALVES, NUMBERS], QUICK, baseline="a").find("b").rows:
        if row.tested:
            assert row.pair is not None
            assert row.pair.significant == row.significant
            assert "after Holm over 12 comparisons" in row.pair.conclusion
