"""What is emphasised in a table: the best of each row, against a plain loop; texts in place of values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.tables import column
from irviewer.tables.emphasis import best, shaded_ends
from irviewer.tables.show import plain
from irviewer.tables.table import Table

NAN = math.nan


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize(
    "values", [[], [0.25], [0.5, 0.125], [0.5, -1.0], [0.5, 3.0], [NAN], [NAN, 0.5, math.inf, 0.75]]
)
def test_the_ends_of_shades_are_of_finite_values(bounded: bool, values: list[float]) -> None:
    known = [value for value in values if math.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    wanted = (0.0, 1.0) if bounded and low >= 0 and high <= 1 else (low, high)
    assert shaded_ends(np.array(values), bounded=bounded) == wanted
    assert shaded_ends(*(np.array([value]) for value in values), bounded=bounded) == wanted


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_each_row_is_that_of_a_plain_loop(up: bool, seed: int) -> None:
    dice = np.random.default_rng(seed)
    values = dice.choice([NAN, 0.1, 0.2, 0.20000001, 0.3, math.inf], size=(12, 4))
    columns = [column.number(f"r{n}", "r", values[:, n], best="row", better_up=up) for n in range(4)]
    table = Table("t", "T", (column.text("set", "set", ["x"] * 12), *columns, column.number("n", "n", values[:, 0])))
    marked = np.stack([best(table, each) for each in columns], axis=1)
    for row in range(12):
        known = [round(value, 4) for value in values[row].tolist() if math.isfinite(value)]
        top = (max(known) if up else min(known)) if len(set(known)) > 1 else NAN
        assert marked[row].tolist() == [round(value, 4) == top for value in values[row].tolist()]
    assert not best(table, table.columns[-1]).any()


def test_the_direction_may_differ_by_row() -> None:
    columns = [column.number(f"r{n}", "r", [n, n, n], best="row", better_up=[True, False, True]) for n in range(2)]
    table = Table("t", "T", tuple(columns))
    assert [best(table, each).tolist() for each in columns] == [[False, True, False], [True, False, True]]


def test_texts_are_shown_instead_of_some_numbers() -> None:
    change = column.difference("change", "Δ", [0.1, NAN, NAN], texts=[None, "baseline", None])
    assert [plain(change, row) for row in range(3)] == ["+0.1000", "baseline", "–"]
    ends = column.interval("interval", "95 %", [NAN, 0.1], [NAN, 0.2], texts=["all judged", None])
    assert [plain(ends, row) for row in range(2)] == ["all judged", "[0.1000, 0.2000]"]
