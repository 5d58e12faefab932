"""Query sets and weights: what a column parts, what it does not, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.model.query_sets import (
    LENGTH,
    QuerySet,
    QuerySetError,
    attributes,
    free_set_name,
    make_weights,
    numbers,
    sets_by,
    weights_by,
)
from irviewer.model.texts import TextTable

ROWS = [
    {"id": str(n), "text": "word " * length, "language": language, "turn": turn, "traffic": traffic, "note": f"n{n}"}
    for n, (length, language, turn, traffic) in enumerate(
        [(1, "de", 1, 10), (2, "en", 2, 0), (3, "en", 10, 5), (5, "de", 2, None), (9, None, 1, 7.5), (20, "fr", 1, 1)],
        1,
    )
]
QUERIES = TextTable.from_rows(ROWS)
IDS = [row["id"] for row in ROWS]


def sets(column: str) -> dict[str, set[str]]:
    return {query_set.name: set(query_set.query_ids) for query_set in sets_by(QUERIES, column, IDS)}


def test_a_column_of_few_values_parts_the_queries_and_a_query_without_one_is_in_none() -> None:
    assert sets("language") == {"language: de": {"1", "4"}, "language: en": {"2", "3"}, "language: fr": {"6"}}


def test_values_are_in_natural_order() -> None:
    assert list(sets("turn")) == ["turn: 1", "turn: 2", "turn: 10"]


def test_length_in_words_needs_no_column() -> None:
    assert sets(LENGTH) == {
        "1–2 words": {"1", "2"}, "3–4 words": {"3"}, "5–8 words": {"4"}, "9–15 words": {"5"}, "16+ words": {"6"},
    }  # fmt: skip


def test_numbers_of_many_values_are_parted_into_quarters() -> None:
    table = TextTable.from_rows([{"id": str(n), "price": n * 1.5} for n in range(40)])
    quarters = sets_by(table, "price", table.ids)
    assert [len(query_set.query_ids) for query_set in quarters] == [10, 10, 10, 10]
    assert set.union(*(set(query_set.query_ids) for query_set in quarters)) == set(table.ids)
    assert quarters[0].name == "price: 0–13.5"


def test_what_parts_and_what_weights() -> None:
    assert attributes(QUERIES, IDS) == ("language", "turn", LENGTH)
    assert numbers(QUERIES) == ("turn", "traffic")
    assert attributes(None, IDS) == ()


def test_only_queries_asked_for_are_in_a_set() -> None:
    sets_by_language = sets_by(QUERIES, "language", ["1", "2"])
    assert [set(query_set.query_ids) for query_set in sets_by_language] == [{"1"}, {"2"}]
    with pytest.raises(QuerySetError, match="does not divide the queries into sets"):
        sets_by(QUERIES, "note", IDS)


def test_a_mask_follows_the_order_of_the_queries() -> None:
    mine = QuerySet("mine", frozenset({"b", "z"}))
    assert mine.mask(["a", "b", "c", "z"]).tolist() == [False, True, False, True]


def test_a_set_chosen_after_looking_says_so() -> None:
    assert QuerySet("hard", frozenset(), "brush", looked=True).warning.startswith("hard was chosen after looking")
    assert QuerySet("hard", frozenset(), "file").warning == ""


def test_weights_of_a_column() -> None:
    weights = weights_by(QUERIES, "traffic")
    np.testing.assert_array_equal(weights.of(["3", "1", "4", "unknown"]), [5, 10, 0, 0])
    with pytest.raises(QuerySetError, match="the one query has no weight"):
        weights.of(["unknown"])
    with pytest.raises(QuerySetError, match="has no weights"):
        weights_by(QUERIES, "language")


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_is_a_number_from_0_up(weight: float) -> None:
    with pytest.raises(QuerySetError, match="the weight of query 7"):
        make_weights({"7": weight}, "traffic.tsv")


def test_names_are_made_free() -> None:
    assert free_set_name(" hard  ones ", ["hard ones", "hard ones (2)"]) == "hard ones (3)"
    with pytest.raises(QuerySetError, match="needs a name"):
        free_set_name("  ", [])
