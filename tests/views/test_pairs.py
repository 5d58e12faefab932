"""The columns of comparisons: the numbers against SciPy and plain counts, rows without a comparison, ratios, signs."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.tables.column import identifier
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Table
from irviewer.tables.writers.registry import writer_named
from irviewer.views.pair_tests import tests_of as statistics_of
from irviewer.views.pairs import family_of, pair_columns

DICE = np.random.default_rng(7)
VALUES = DICE.random((4, 30))
NAMES = ("base", "a", "b", "c")


def compared(values: Any = VALUES, **options: Any) -> Comparison:
    return compare(values, NAMES[: len(values)], [str(n) for n in range(len(values[0]))], samples=200, **options)


def table_of(comparison: Comparison, **options: Any) -> Table:
    """The pairs of a comparison below a row of the baseline."""
    pairs = [None, *comparison.pairs]
    family = family_of("runs", comparison.pairs[0].decision, comparison.alpha)
    names = identifier("run", "run", [pair and pair.run_name for pair in pairs])
    return Table("pairs", "", (names, *pair_columns(pairs, family, **options)))


def rows_of(table: Table) -> list[dict[str, Any]]:
    return list(json.loads(writer_named("json").write([table]))["tables"][0]["rows"])


def test_numbers_are_those_of_scipy_and_of_counting() -> None:
    table = table_of(compared())
    rows = rows_of(table)
    assert list(rows[0]) == ["run", "difference", "interval_low", "interval_high", "better", "equal", "worse", "p",
                             "p_corrected", "outcome"]  # fmt: skip
    assert set(rows[0].values()) == {None}
    ps = [stats.ttest_rel(VALUES[run], VALUES[0]).pvalue for run in (1, 2, 3)]
    for run, row in enumerate(rows[1:], start=1):
        delta = VALUES[run] - VALUES[0]
        assert row["difference"] == pytest.approx(delta.mean(), abs=1e-12)
        assert (row["better"], row["equal"], row["worse"]) == ((delta > 0).sum(), 0, (delta < 0).sum())
        assert row["p"] == pytest.approx(ps[run - 1])
        assert row["interval_low"] < row["difference"] < row["interval_high"]
    holm = np.minimum(1, np.maximum.accumulate(np.sort(ps) * [3, 2, 1]))
    assert sorted(row["p_corrected"] for row in rows[1:]) == pytest.approx(holm)
    family = table.column("p_corrected").family
    assert family is not None
    assert (family.name, family.n, family.correction) == ("runs", 3, "Holm")


def test_a_difference_is_marked_if_the_test_shows_it() -> None:
    values = np.vstack([VALUES[0], VALUES[0] + 0.1 + VALUES[1] / 100, VALUES[0] - 0.1 - VALUES[1] / 100, VALUES[3]])
    table = table_of(compared(values))
    place = [column.key for column in grid_of(table).columns].index("difference")
    assert [row[place][0] for row in grid_of(table).rows][:3] == ["–", "▲", "▼"]
    assert [row["outcome"] for row in rows_of(table)] == [None, "better", "worse", "open"]
    lower = table_of(compared(values, higher_is_better=False))
    assert [row[place][0] for row in grid_of(lower).rows][:3] == ["–", "▼", "▲"]
    assert [row["outcome"] for row in rows_of(lower)][:3] == [None, "worse", "better"]
    secondary = table_of(compared(values), decides=[True, True, False, True])
    assert [row[place][0] for row in grid_of(secondary).rows][:3] == ["–", "▲", "−"]


def test_geometric_means_have_ratios() -> None:
    rows = rows_of(table_of(compared(VALUES + 0.1, geometric=True)))
    assert "difference" not in rows[0]
    for run, row in enumerate(rows[1:], start=1):
        expected = stats.gmean(VALUES[run] + 0.1) / stats.gmean(VALUES[0] + 0.1)
        assert row["ratio"] == pytest.approx(expected)
        assert row["ratio_interval_low"] < expected < row["ratio_interval_high"]


def test_runs_that_do_not_reach_a_value_have_counts_and_no_difference() -> None:
    values, unreached = VALUES.copy(), np.zeros(VALUES.shape, bool)
    values[1, :5], unreached[1, :5] = np.nan, True
    comparison = compared(values, unreached=unreached)
    rows = rows_of(table_of(comparison))
    assert [row["difference"] is None for row in rows] == [True, True, False, False], "both reach it always"
    assert all(row["interval_low"] is None for row in rows)
    wins = int((VALUES[1, 5:] > VALUES[0, 5:]).sum())
    assert (rows[1]["better"], rows[1]["worse"]) == (wins, 30 - wins)
    assert rows[1]["p"] == pytest.approx(stats.binomtest(wins, 30).pvalue)
    alone = compared(values[:2], unreached=unreached[:2])
    assert "Δ" not in grid_of(table_of(alone)).header


def test_p_of_another_family_decides_the_outcome() -> None:
    values = np.vstack([VALUES[0], VALUES[0] + 0.1 + VALUES[1] / 100])
    table = table_of(compared(values), p=[math.nan, 0.03], corrected=[math.nan, 0.06])
    assert [(row["p"], row["p_corrected"], row["outcome"]) for row in rows_of(table)][1] == (0.03, 0.06, "open")


@pytest.mark.parametrize(
    ("shift", "likely"),
    [(0.3, "better 1.000"), (-0.3, "better .000, worse 1.000"), (0.001, "better .000, equal 1.000")],
)
def test_the_likeliest_of_the_posterior_is_said_beside_better(shift: float, likely: str) -> None:
    noise = np.random.default_rng(3).normal(0, 0.002, 30)
    base = np.full(30, 0.4)
    (pair,) = compared(np.array([base, base + shift + noise - noise.mean()])).pairs
    (row,) = [row for row in statistics_of(pair) if row.name == "posterior of the difference"]
    # The mean has a t distribution with 29 degrees of freedom; it is equal within .01.
    spread = stats.t(29, shift, noise.std(ddof=1) / 30**0.5)
    better, worse = spread.sf(0.01), spread.cdf(-0.01)
    assert row.number == pytest.approx(better, abs=1e-9)
    assert row.value == likely
    shown = [float(word.strip(",")) for word in row.value.split()[1::2]]
    assert shown == [round(share, 3) for share in (better, max(1 - better - worse, worse))][: len(shown)]


def test_no_pair_at_all() -> None:
    columns = pair_columns([], family_of("runs", None, 0.05))
    assert [len(column) for column in columns] == [0] * 8


def test_tukey_is_named_as_its_own_correction() -> None:
    comparison = compared(tests=("tukey",), pairs=True, correction="none")
    table = Table("pairs", "", pair_columns(comparison.pairs, family_of("pairs", comparison.pairs[0].decision, 0.05)))
    family = table.column("p").family
    assert family is not None
    assert (family.n, family.correction) == (6, "Tukey")
