"""Systems on collections: each cell is the collection's own evaluation, means and tests are plain loops over them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.collections.collection_table import (
    CollectionTable,
    CollectionValues,
    collection_table,
    forest,
    over_collections,
)
from irviewer.analysis.collections.random_effects import random_effects
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.errors import OptionError

SYSTEMS = ("a", "b", "c")


def one_of(name: str, rows: np.ndarray, systems: tuple[str, ...] = SYSTEMS, **choices: object) -> CollectionValues:
    ids = tuple(str(place) for place in range(rows.shape[1]))
    never = choices.pop("unreached", np.zeros(rows.shape, dtype=np.bool_))
    return CollectionValues(name, RunValues(systems, ids, rows, never, "AP", **choices))  # type: ignore[arg-type]


def world(collections: int = 7, seed: int = 1) -> list[CollectionValues]:
    dice = np.random.default_rng(seed)
    collections_so_far = []
    for number in range(collections):
        base = dice.uniform(0, 0.5, 20 + 5 * number)
        rows = np.stack([base, base + dice.normal(0.1, 0.1, len(base)), base + dice.normal(-0.05, 0.1, len(base))])
        collections_so_far.append(one_of(f"k{number}", rows))
    return collections_so_far


def gaps() -> list[CollectionValues]:
    every = world()
    every[2] = CollectionValues("k2", every[2].runs.only([0, 1]))
    every.append(one_of("alone", np.random.default_rng(3).uniform(0, 1, (1, 12)), ("c",)))
    return every


def test_cells_marks_and_means() -> None:
    every = gaps()
    table = collection_table(every, baseline="a")
    assert table.systems == SYSTEMS
    assert table.complete.tolist() == [True, True, False, True, True, True, True, False]
    for column, collection in enumerate(every):
        for row, system in enumerate(SYSTEMS):
            if system not in collection.runs.names:
                assert math.isnan(table.means[row, column])
                assert not table.present[row, column]
                continue
            mine = collection.runs.values[collection.runs.names.index(system)]
            assert table.means[row, column] == pytest.approx(mine.mean())
        if "a" in collection.runs.names:
            others = [system for system in collection.runs.names if system != "a"]
            tests = [
                stats.ttest_rel(collection.runs.values[collection.runs.names.index(system)], collection.runs.values[0])
                for system in others
            ]
            after = corrected([test.pvalue for test in tests], "holm")
            for system, test, p in zip(others, tests, after.tolist(), strict=True):
                mark = int(np.sign(test.statistic)) if p < 0.05 else 0
                assert table.marks[SYSTEMS.index(system), column] == mark
        else:
            assert table.marks[:, column].tolist() == [0, 0, 0]
    whole = [collection for collection in every if collection.runs.names == SYSTEMS]
    assert table.macro == pytest.approx(np.mean([collection.runs.values.mean(axis=1) for collection in whole], axis=0))
    pooled = np.concatenate([collection.runs.values for collection in whole], axis=1)
    assert table.micro == pytest.approx(pooled.mean(axis=1))
    p = corrected([stats.ttest_rel(pooled[row], pooled[0]).pvalue for row in (1, 2)], "holm")
    assert table.micro_marks.tolist() == [0, int(p[0] < 0.05), -int(p[1] < 0.05)]
    assert table.incomplete == (("k2", ("c",)), ("alone", ("a", "b")))
    assert table.best[:, 0].tolist() == [False, True, False]
    assert table.best[:, 7].tolist() == [False] * 3


def test_systems_in_another_order_and_a_baseline_that_is_nowhere() -> None:
    table = collection_table(gaps(), systems=("c", "a", "b"), baseline="b")
    assert (table.systems, table.baseline) == (("c", "a", "b"), 2)
    assert table.means[1] == pytest.approx(collection_table(gaps()).means[0], nan_ok=True)
    with pytest.raises(OptionError, match="No collection has a run of z"):
        collection_table(gaps(), baseline="z")
    with pytest.raises(OptionError, match="no collection"):
        collection_table([])
    with pytest.raises(OptionError, match="Two collections"):
        collection_table([*world(1), *world(1)])


def check_forest(table: CollectionTable, every: list[CollectionValues], system: str, other: str) -> None:
    plot = forest(table, system, other)
    differences, errors, names = [], [], []
    for collection in every:
        if {system, other} <= set(collection.runs.names):
            delta = (
                collection.runs.values[collection.runs.names.index(system)]
                - collection.runs.values[collection.runs.names.index(other)]
            )
            differences.append(delta.mean())
            errors.append(delta.std(ddof=1) / math.sqrt(len(delta)))
            names.append(collection.name)
    wanted = random_effects(np.array(differences), np.array(errors))
    assert (plot.overall.mean, plot.overall.low, plot.overall.p) == pytest.approx((wanted.mean, wanted.low, wanted.p))
    used = [row for row in plot.rows if not row.excluded]
    assert [row.collection for row in used] == names
    assert [row.weight for row in used] == pytest.approx(wanted.weights.tolist())
    assert sum(row.weight for row in used) == pytest.approx(1)
    for row, delta in zip(used, differences, strict=True):
        assert row.pair is not None
        assert row.pair.difference == pytest.approx(delta)
        low, high = stats.t.interval(0.95, row.pair.n - 1, delta, errors[names.index(row.collection)])
        assert (row.pair.interval.low, row.pair.interval.high) == pytest.approx((low, high))


def test_a_forest_is_of_the_collections_that_have_both() -> None:
    every = gaps()
    table = collection_table(every, baseline="a", options=ComparisonOptions(interval="t"))
    for system, other in (("b", "a"), ("c", "a"), ("c", "b"), ("a", "b")):
        check_forest(table, every, system, other)
    plot = forest(table, "c")
    assert [(row.collection, row.excluded) for row in plot.rows if row.excluded] == [
        ("k2", "no run of c"), ("alone", "no run of a"),
    ]  # fmt: skip
    assert plot.rows[0].pair is not None
    assert plot.rows[0].pair.decision.correction == "Holm"
    assert "to be better than a on 0 of" in plot.sentence
    with pytest.raises(OptionError, match="itself"):
        forest(table, "a")
    with pytest.raises(OptionError, match="no system z"):
        forest(table, "z")
    with pytest.raises(OptionError, match="Name the system"):
        forest(collection_table(every), "a")


def test_collections_that_cannot_be_weighed() -> None:
    dice = np.random.default_rng(2)
    base = dice.uniform(0, 0.5, 20)
    apart = np.full((2, 20), np.nan)
    apart[0, :10], apart[1, 10:] = base[:10], base[10:]
    never = np.zeros((2, 20), dtype=np.bool_)
    never[1, 0] = True
    gone = np.stack([base, base])
    gone[never] = np.nan
    every = [
        one_of("constant", np.stack([base, base + 0.25]), ("a", "b")),
        one_of("single", np.array([[0.1], [0.4]]), ("a", "b")),
        one_of("apart", apart, ("a", "b")),
        one_of("never", gone, ("a", "b"), unreached=never),
        one_of("good", np.stack([base, base + dice.normal(0, 0.1, 20)]), ("a", "b")),
    ]
    table = collection_table(every, baseline="a")
    plot = forest(table, "b")
    assert {row.collection: row.excluded for row in plot.rows} == {
        "constant": "all differences are the same: without spread there is no weight",
        "single": "a single query has no spread",
        "apart": "no query in common",
        "never": "the measure is not reached on every query, so there is no difference of means",
        "good": "",
    }
    assert plot.overall.k == 1
    assert plot.sentence.startswith("Fewer than two collections")
    assert math.isnan(table.means[1, 3])
    assert table.complete.tolist() == [True, True, True, False, True]


def test_tests_over_collections_count_collections() -> None:
    every = gaps()
    table = collection_table(every, baseline="a")
    rank_tests = over_collections(table)
    whole = [collection for collection in every if collection.runs.names == SYSTEMS]
    means = np.array([collection.runs.values.mean(axis=1) for collection in whole]).T
    assert rank_tests.collections == tuple(collection.name for collection in whole)
    assert rank_tests.excluded == (("k2", ("c",)), ("alone", ("a", "b")))
    for pair in rank_tests.pairs:
        delta = means[SYSTEMS.index(pair.system)] - means[SYSTEMS.index(pair.other)]
        wins = int((delta > 0).sum())
        assert (pair.better, pair.worse, pair.difference) == (wins, len(delta) - wins, pytest.approx(delta.mean()))
        assert pair.sign == pytest.approx(stats.binomtest(wins, len(delta)).pvalue)
        assert pair.wilcoxon == pytest.approx(stats.wilcoxon(delta, method="exact").pvalue)
    for which in ("sign", "wilcoxon"):
        after = corrected([getattr(pair, which) for pair in rank_tests.pairs], "holm").tolist()
        assert [getattr(pair, f"{which}_corrected") for pair in rank_tests.pairs] == pytest.approx(after)
    assert rank_tests.friedman is not None
    assert rank_tests.friedman.chi2 == pytest.approx(stats.friedmanchisquare(*means).statistic)
    assert rank_tests.ranks == pytest.approx(stats.rankdata(-means, axis=0).mean(axis=1))
    assert rank_tests.nemenyi.tolist() == rank_tests.nemenyi.T.tolist()


def test_none_below_six_collections() -> None:
    rank_tests = over_collections(collection_table(world(5)))
    assert (rank_tests.pairs, rank_tests.friedman) == ((), None)
    assert rank_tests.reason == "5 complete collections are too few for tests over collections; at least 6 are needed."
    assert math.isnan(rank_tests.critical_difference)
    assert np.isnan(rank_tests.nemenyi).all()
    six = over_collections(collection_table(world(6)))
    assert (six.reason, len(six.pairs)) == ("", 3)
    alone = [CollectionValues(collection.name, collection.runs.only([0])) for collection in world(6)]
    assert (
        over_collections(collection_table(alone)).reason == "Only one system is left, so there is nothing to compare."
    )


def test_two_systems_have_ranks_and_no_friedman() -> None:
    two = [CollectionValues(collection.name, collection.runs.only([0, 1])) for collection in world(6)]
    rank_tests = over_collections(collection_table(two))
    assert (rank_tests.friedman, rank_tests.ranks.tolist()) == (None, [2.0, 1.0])


def test_a_cost_and_a_geometric_mean() -> None:
    cost = [one_of(collection.name, collection.runs.values, higher_is_better=False) for collection in world()]
    table = collection_table(cost, baseline="a")
    assert table.marks.tolist() == (-collection_table(world(), baseline="a").marks).tolist()
    assert over_collections(table).ranks[1] == 3
    assert table.best[:, 0].tolist() == [False, False, True]
    geometric = [one_of(collection.name, np.exp(collection.runs.values), geometric=True) for collection in world()]
    geometric_table = collection_table(geometric, baseline="a")
    assert np.log(geometric_table.means) == pytest.approx(collection_table(world()).means)
    assert np.log(geometric_table.macro) == pytest.approx(collection_table(world()).macro)
    assert forest(geometric_table, "b").overall.mean == pytest.approx(
        forest(collection_table(world()), "b", "a").overall.mean
    )


def test_equal_systems() -> None:
    same = [one_of(collection.name, collection.runs.values[[0, 0, 0]]) for collection in world(6)]
    table = collection_table(same, baseline="a")
    assert not table.marks.any()
    assert not table.best.any()
    rank_tests = over_collections(table)
    assert {pair.sign for pair in rank_tests.pairs} == {1.0}
    assert rank_tests.ranks.tolist() == [2.0] * 3


def test_no_complete_collection() -> None:
    every = [CollectionValues("x", world(1)[0].runs.only([0])), one_of("y", np.ones((1, 4)), ("b",))]
    table = collection_table(every)
    assert np.isnan(table.macro).all()
    assert np.isnan(table.micro).all()
    assert table.micro_compared is None
