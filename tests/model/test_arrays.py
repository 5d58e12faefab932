"""The array idioms: offsets, division by nothing, ids as bytes, sums in order."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import (
    among,
    bytewise_order,
    distinct,
    frozen,
    group_of_each,
    grouped,
    looked_up,
    medians,
    offsets_of,
    safe_divide,
    sequential_sum,
    sequential_sums,
    stable_order,
    strings,
    sums_within,
)


@given(st.lists(st.integers(0, 5), max_size=20))
def test_groups(counts: list[int]) -> None:
    offsets = offsets_of(np.array(counts, dtype=np.int64))
    assert offsets.tolist() == [sum(counts[:place]) for place in range(len(counts) + 1)]
    assert group_of_each(offsets).tolist() == [place for place, count in enumerate(counts) for _ in range(count)]


@given(st.lists(st.integers(-9, 9), max_size=40))
def test_distinct_numbers_rise(numbers: list[int]) -> None:
    given_numbers = np.array(numbers, dtype=np.int64)
    assert distinct(given_numbers).tolist() == sorted(set(numbers))
    assert given_numbers.tolist() == numbers


@given(st.lists(st.integers(-9, 9), max_size=20), st.lists(st.integers(-9, 9), max_size=20))
def test_which_numbers_are_among_others(numbers: list[int], known: list[int]) -> None:
    is_known = among(np.array(numbers, dtype=np.int64), np.array(known, dtype=np.int64))
    assert is_known.tolist() == [number in known for number in numbers]


@given(st.lists(st.sampled_from("abcde")), st.integers(1, 3))
def test_places_are_looked_up_in_blocks(ids: list[str], block: int) -> None:
    assert looked_up({"b": 7, "d": 0}, ids, block).tolist() == [{"b": 7, "d": 0}.get(each, -1) for each in ids]


@given(st.lists(st.sampled_from([-1.5, -0.0, 0.0, 2.0, 7.25]), max_size=40))
def test_groups_of_equal_numbers_are_those_of_numpy(numbers: list[float]) -> None:
    given_numbers = np.array(numbers, dtype=np.float64)
    values, groups, counts = grouped(given_numbers)
    wanted = np.unique(given_numbers, return_inverse=True, return_counts=True)
    for array, expected in zip((values, groups, counts), wanted, strict=True):
        assert array.tolist() == expected.tolist()
    assert distinct(given_numbers).tolist() == wanted[0].tolist()


@given(
    st.integers(0, 6).flatmap(
        lambda rows: st.lists(
            st.lists(st.sampled_from([-np.inf, -1.5, 0.1, 0.2, 0.7, np.inf, np.nan]), min_size=rows, max_size=rows),
            min_size=1,
            max_size=5,
        )
    )
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy, about columns of NaN
def test_medians_are_those_of_numpy(columns: list[list[float]]) -> None:
    values = np.array(columns, dtype=np.float64).T.reshape(-1, len(columns))
    np.testing.assert_array_equal(medians(values), np.nanmedian(values, axis=0))


def test_division_by_nothing_is_nothing() -> None:
    assert safe_divide([1, 2, 0], [2, 0, 0]).tolist() == [0.5, 0, 0]
    assert safe_divide(np.array([3, 4]), 2).tolist() == [1.5, 2]


@given(st.lists(st.floats(-1e6, 1e6), max_size=50))
def test_sums_add_one_after_the_other(values: list[float]) -> None:
    total = 0.0
    for value in values:
        total += value
    for at_a_time in (3, 1 << 14):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("irviewer.model.arrays.SUMMED", at_a_time)
            assert sequential_sum(np.array(values)) == total
            assert sequential_sums(np.array([values, [-1.0] * len(values)])).tolist() == [total, -len(values)]
            assert sequential_sums(np.empty((0, len(values)))).tolist() == []


@pytest.mark.parametrize("sampled", [2, 30])
@given(st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0, math.inf, -math.inf]) | st.floats(), max_size=40))
def test_numbers_are_sorted_as_by_a_stable_sort(sampled: int, values: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irviewer.model.arrays.MANY_NUMBERS", 1)
        patch.setattr("irviewer.model.arrays.SAMPLED", sampled)
        for numbers in (np.array(values), np.array([value for value in values if value == value])):
            assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()
            many = np.tile(numbers, 5)
            assert stable_order(many).tolist() == np.argsort(many, kind="stable").tolist()


@given(st.lists(st.text(st.characters() | st.sampled_from("\udc80\udcfe"), max_size=5), max_size=20))
def test_bytewise(ids: list[str]) -> None:
    order = bytewise_order(ids)
    assert [ids[place] for place in order] == sorted(ids, key=lambda doc_id: doc_id.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    "given_ids",
    [
        ["a", "b"],
        pa.array(["a", "b"]),
        pa.chunked_array([["a"], ["b"]]),
        pa.chunked_array([["a", "b"]]),
        pa.array(["a", "b"], pa.large_string()),
        pa.array(["a", "b"]).dictionary_encode(),
        np.array(["a", "b"], dtype=object),
    ],
)
def test_ids_become_one_column(given_ids: object) -> None:
    column = strings(given_ids)
    assert isinstance(column, pa.StringArray)
    assert column.to_pylist() == ["a", "b"]


def test_no_ids() -> None:
    for nothing in ([], pa.chunked_array([], pa.string()), pa.array([], pa.string())):
        assert strings(nothing).to_pylist() == []


def test_frozen() -> None:
    array = frozen(np.zeros(2))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("counts", [[], [0], [3], [0, 2, 0, 5, 1], [1] * 50, [40, 0, 1], [2, 3] * 40])
def test_running_sums_stay_within_their_group(counts: list[int]) -> None:
    dice = np.random.default_rng(len(counts))
    values, offsets = dice.normal(size=sum(counts)) * 1e6, offsets_of(np.array(counts, np.int64))
    wanted = [total for start, stop in pairwise(offsets.tolist()) for total in np.cumsum(values[start:stop])]
    assert sums_within(values, offsets).tolist() == wanted
