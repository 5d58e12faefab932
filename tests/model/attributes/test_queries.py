"""Attributes of queries: numbers and categories, and the slices they make."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from irviewer.errors import OptionError
from irviewer.model.attributes.queries import (
    Cut,
    QueryAttribute,
    attribute_of,
    attributes_of_table,
    known_attributes,
    query_length,
    question_word,
    relevant_documents,
    slices_of,
    value_text,
)
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable


def numbers(values: list[float]) -> QueryAttribute:
    return QueryAttribute("x", "number", {str(place): value for place, value in enumerate(values)})


def ids(n: int) -> list[str]:
    return [str(place) for place in range(n)]


@pytest.mark.random
@pytest.mark.parametrize("seed", range(20))
def test_quantiles_are_as_equal_as_equal_values_allow(seed: int) -> None:
    dice = random.Random(seed)
    n, parts = dice.randint(4, 60), dice.randint(2, 6)
    values = [float(dice.randint(0, 12)) for _ in range(n)]
    slices = slices_of(numbers(values), ids(n), Cut(parts)).slices
    distinct = sorted(set(values))
    if len(distinct) <= parts:
        assert [part.low for part in slices] == distinct
    counts = [sum(value < border for value in values) for border in distinct[1:]]
    for wanted in (n * share / parts for share in range(1, parts)):
        if len(distinct) > parts:
            nearest = min(abs(count - wanted) for count in counts)
            below = np.cumsum([len(part.places) for part in slices])[:-1]
            assert min(abs(count - wanted) for count in below) == nearest
    assert sorted(place for part in slices for place in part.places.tolist()) == list(range(n))
    for part in slices:
        mine = [values[place] for place in part.places.tolist()]
        assert (part.low, part.high) == (min(mine), max(mine))
    assert all(low_slice.high < two.low for low_slice, two in itertools.pairwise(slices))
    assert len({part.name for part in slices}) == len(slices)


@pytest.mark.random
@pytest.mark.parametrize("seed", range(5))
def test_values_of_many_queries_are_those_of_each(seed: int) -> None:
    dice = random.Random(seed)
    qrels = Qrels.from_dict({query: {"d": dice.randint(0, 2), "e": 1} for query in ids(30)})
    words = QueryAttribute("w", "category", {query: dice.choice("abc") for query in ids(20)})
    plain = numbers([dice.choice((0.0, -0.0, 2.5, 1e13)) for _ in ids(20)])
    for attribute in (relevant_documents(qrels), plain, words):
        asked = dice.sample(ids(40), 35)
        each = [attribute.values.get(query) for query in asked]
        assert attribute.texts(asked) == [None if value is None else value_text(value) for value in each]
        if attribute.kind == "number":
            expected = [math.nan if value is None else value for value in each]
            np.testing.assert_array_equal(attribute.numbers(asked), expected)
    assert value_text(-0.0) == "0"


def test_borders_are_the_least_number_of_the_slice_above() -> None:
    sliced = slices_of(numbers([1, 2, 3, 4, 9]), ids(6), Cut(borders=(2, 4, 8, 20)))
    assert [(part.name, part.places.tolist()) for part in sliced.slices] == [
        ("< 2", [0]), ("[2, 4)", [1, 2]), ("[4, 8)", [3]), ("[8, 20)", [4]), ("≥ 20", []),
    ]  # fmt: skip
    assert sliced.without.tolist() == [5]
    assert sliced.codes.tolist() == [0, 1, 1, 2, 3, -1]
    assert math.isnan(sliced.slices[4].low)


@pytest.mark.parametrize("borders", [(3, 3), (4, 2), (math.nan,), tuple(range(30))])
def test_borders_that_cut_nothing_are_refused(borders: tuple[float, ...]) -> None:
    with pytest.raises(OptionError):
        Cut(borders=borders)


@pytest.mark.parametrize("parts", [0, 1, 25])
def test_parts_out_of_range(parts: int) -> None:
    with pytest.raises(OptionError, match="2 to 24"):
        Cut(parts)


def test_names_tell_close_numbers_apart() -> None:
    close = [1.00001, 1.00002, 1.00003, 1.00004]
    names = [part.name for part in slices_of(numbers(close), ids(4)).slices]
    assert len(set(names)) == 4
    large = [1234567.0, 1234568.0, 2234567.0, 2234569.0]
    assert [part.name for part in slices_of(numbers(large), ids(4), Cut(2)).slices] == [
        "1234567–1234568", "2234567–2234569",
    ]  # fmt: skip


def test_categories_are_in_natural_order_and_too_many_are_refused() -> None:
    values = {"1": "k10", "2": "k9", "3": "k9", "5": "other"}
    sliced = slices_of(QueryAttribute("c", "category", values, order=("other",)), ids(6))
    assert [(part.name, part.places.tolist()) for part in sliced.slices] == [
        ("other", [5]),
        ("k9", [2, 3]),
        ("k10", [1]),
    ]
    assert sliced.without.tolist() == [0, 4]
    many = QueryAttribute("c", "category", {str(place): f"v{place}" for place in range(25)})
    with pytest.raises(OptionError, match="25 different values"):
        slices_of(many, ids(25))


def test_no_query_has_a_value() -> None:
    with pytest.raises(OptionError, match="None of the 2 queries"):
        slices_of(numbers([1, 2]), ["a", "b"])


def test_cells_are_numbers_or_categories() -> None:
    number = attribute_of("n", {"1": "3", "2": 4, "3": "", "4": None, "5": " 1e2 ", "6": "nan"})
    assert number is not None
    assert (number.kind, dict(number.values)) == ("number", {"1": 3.0, "2": 4.0, "5": 100.0})
    mixed = attribute_of("n", {"1": "3", "2": "x", "3": 2.5, "4": float("nan")})
    assert mixed is not None
    assert (mixed.kind, dict(mixed.values)) == ("category", {"1": "3", "2": "x", "3": "2.5"})
    truth = attribute_of("t", {"1": True, "2": False})
    assert truth is not None
    assert truth.kind == "category"
    assert attribute_of("n", {"1": "", "2": None}) is None
    assert attribute_of("n", {"1": "nan"}) is None


TABLE = TextTable.from_rows(
    [
        {"id": "1", "text": "What is a rock?", "hops": 2, "lang": "en"},
        {"id": "2", "text": "rocks, and where to find them", "hops": None, "lang": "de"},
        {"id": "3", "text": "granite", "hops": 1, "lang": None},
        {"id": "4", "text": None, "hops": 1, "lang": "en"},
    ]
)


def test_columns_of_a_table_but_texts() -> None:
    kinds_and_values = {
        attribute.name: (attribute.kind, dict(attribute.values)) for attribute in attributes_of_table(TABLE)
    }
    assert kinds_and_values == {
        "hops": ("number", {"1": 2.0, "3": 1.0, "4": 1.0}),
        "lang": ("category", {"1": "en", "2": "de", "4": "en"}),
    }


def test_what_texts_and_qrels_say() -> None:
    queries = ["1", "2", "3", "4"]
    length, word = query_length(TABLE, queries), question_word(TABLE, queries)
    assert length is not None
    assert word is not None
    assert dict(length.values) == {"1": 4.0, "2": 6.0, "3": 1.0}
    assert dict(word.values) == {"1": "what", "2": "where", "3": "other, or none"}
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 1, "c": 0, "d": -1}, "2": {"a": 0}})
    assert dict(relevant_documents(qrels, 1).values) == {"1": 2.0, "2": 0.0}
    assert dict(relevant_documents(qrels, 2).values) == {"1": 1.0, "2": 0.0}
    counts, changing = relevant_documents(qrels, 1), ["1", "2", "none"]
    for asked in (("1", "2"), ("2", "none"), ("2", "none"), changing):
        expected = [{"1": 2.0, "2": 0.0}.get(query, np.nan) for query in asked]
        np.testing.assert_array_equal(counts.numbers(asked), expected)
    changing.reverse()
    np.testing.assert_array_equal(counts.numbers(changing), [np.nan, 0.0, 2.0])
    counts = relevant_documents(qrels).values
    assert (len(counts), "1" in counts, "3" in counts, counts.get("3")) == (2, True, False, None)
    assert [attribute.name for attribute in known_attributes(None, qrels, queries)] == ["relevant"]
    assert [attribute.name for attribute in known_attributes(TABLE, qrels, queries)] == [
        "relevant",
        "question-word",
        "length",
    ]
    assert query_length(TABLE, ["4"]) is None
