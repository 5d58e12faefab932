"""Sorting and filtering tables: against Python's own sort, and never another table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import OptionError
from irviewer.model.natural_order import MANY, by_arrays, natural_order
from irviewer.tables.column import Column, difference, identifier, interval, number, outcome, parts, tags, text
from irviewer.tables.order import filtered_rows, sorted_rows, with_rows
from irviewer.tables.table import Mark, Status, Table

IDS = st.lists(st.from_regex(r"(|q|doc-)[0-9]{1,4}", fullmatch=True), min_size=0, max_size=40)


@given(IDS)
def test_ids_are_ordered_by_arrays_as_one_by_one(ids: list[str]) -> None:
    assert len(ids) < MANY
    fast = by_arrays(ids)
    assert fast is not None and fast.tolist() == natural_order(ids).tolist()


@pytest.mark.parametrize("ids", [["a", "1"], ["1a"], ["1" * 19], ["é1"], ["\ud800"]])
def test_other_ids_are_left_to_the_careful_way(ids: list[str]) -> None:
    assert by_arrays(ids) is None


@given(st.lists(st.sampled_from([1.0, 2.0, -1.0, math.nan]), max_size=12), st.booleans())
def test_numbers_are_sorted_stably_with_the_missing_last(values: list[float], descending: bool) -> None:
    table = Table("t", "T", (number("n", "n", values),))
    known = [row for row, value in enumerate(values) if not math.isnan(value)]
    expected = sorted(known, key=lambda row: -values[row] if descending else values[row])
    missing = [row for row, value in enumerate(values) if math.isnan(value)]
    assert sorted_rows(table, "n", descending=descending).tolist() == [*expected, *missing]


@given(st.lists(st.sampled_from(["q10", "q2", "Q2", None, ""]), max_size=12), st.booleans())
def test_texts_too(values: list[str | None], descending: bool) -> None:
    table = Table("t", "T", (identifier("id", "id", values),))
    order = ["", "Q2", "q2", "q10"]
    known = [row for row, value in enumerate(values) if value is not None]
    sign = -1 if descending else 1
    expected = sorted(known, key=lambda row: sign * order.index(str(values[row])))
    missing = [row for row, value in enumerate(values) if value is None]
    assert sorted_rows(table, "id", descending=descending).tolist() == [*expected, *missing]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (interval("x", "x", [1, 0, 3], [2, 9, 4]), [0, 2, 1]),
        (parts("x", "x", {"a": [1, 5, 0], "b": [1, 0, 1]}), [2, 0, 1]),
        (outcome("x", "x", ["worse", None, "better"]), [2, 0, 1]),
        (tags("x", "x", [("b",), (), ("a", "c")]), [2, 0, 1]),
        (text("x", "x", ["b", "a", "c"], texts=["1", "2", "0"]), [1, 0, 2]),
    ],
)
def test_every_kind_has_an_order(column: Column, expected: list[int]) -> None:
    assert sorted_rows(Table("t", "T", (column,)), "x").tolist() == expected


def test_an_interval_is_sorted_by_its_value_and_totals_and_groups_stay() -> None:
    columns = (
        text("part", "part", ["", "b", "a", "b", "a"]), difference("d", "Δ", [9, 1, 2, 3, math.nan]),
        interval("i", "i", [0] * 5, [0] * 5, of="d"),
    )  # fmt: skip
    table = Table("t", "T", columns, group="part", line_below=0)
    assert sorted_rows(table, "i", descending=True).tolist() == [0, 3, 1, 2, 4]
    with pytest.raises(OptionError, match="no column z; the columns are part, d, i"):
        sorted_rows(table, "z")


def small() -> Table:
    columns = (
        identifier("query", "Query", ["q1", "q2", "q3"]), text("cause", "Cause", ["order", "lost", None]),
        number("mean", "nDCG@10", [0.5, math.nan, 0.1], whole=[True, False, False]),
    )  # fmt: skip
    marks = {(2, "mean"): Mark("weak", "†", "few")}
    status = Status.of(Status.PLAIN, Status.WEAK, Status.ABSENT)
    return Table("t", "T", columns, keys=("a", "b", "c"), marks=marks, status=status)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("mean > .2", [0]), ("nDCG@10 < .2", [2]), ("cause = lost", [1]), ("Cause:lost or q3", [1, 2]), ("id:q1", [0]),
        ("not mean > 0", [1]), ("", [0, 1, 2]), ("ord", [0]),
    ],
)  # fmt: skip
def test_filters_name_columns_by_key_and_title(where: str, expected: list[int]) -> None:
    assert filtered_rows(small(), where).tolist() == expected


def test_rows_take_their_keys_status_and_marks_with_them() -> None:
    taken = with_rows(small(), np.array([2, 0]))
    assert (list(taken.keys), list(taken.columns[0].values)) == (["c", "a"], ["q3", "q1"])
    assert taken.marks[0, "mean"].sign == "†" and taken.status_of(0) is Status.ABSENT
    assert taken.column("mean").show.whole == [False, True]
