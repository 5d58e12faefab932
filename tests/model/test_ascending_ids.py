"""Ids in ascending order: they are a tuple, their places those of a dictionary, however many are asked for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation.evaluate import missing_queries
from irviewer.model import ascending_ids
from irviewer.model.arrays import bytewise_order, looked_up, rows_among, strings
from irviewer.model.ascending_ids import AscendingIds, PlacesOfIds, outside, places_of_ids
from irviewer.model.natural_order import natural_order
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.shapes import BrokenError

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=30)


def of(ids: list[str]) -> tuple[str, ...]:
    return AscendingIds.of(pa.array(ids, pa.string()))


@given(TEXTS)
def test_only_distinct_ids_in_order_ascend(texts: list[str]) -> None:
    ordered = sorted(set(texts), key=lambda text: text.encode())
    assert of(texts) == tuple(texts)
    assert isinstance(of(texts), AscendingIds) == (texts == ordered)
    assert isinstance(of(ordered), AscendingIds)


@pytest.mark.parametrize("few", [0, 3, 10_000])
@given(TEXTS, TEXTS)
def test_places_are_those_of_a_dictionary(few: int, texts: list[str], others: list[str]) -> None:
    ids = of(sorted(set(texts)))
    assert isinstance(ids, AscendingIds)
    known = dict(zip(ids, range(len(ids)), strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ascending_ids, "FEW", few)
        places = PlacesOfIds(ids)
        for text in (*others, *texts, *others):
            assert places.get(text) == known.get(text)
            assert places.get(text, -1) == known.get(text, -1)
            assert (text in places) == (text in known)
        for text in texts:
            assert places[text] == known[text]
    with pytest.raises(KeyError):
        places["no such id"]
    odd: Any = 3
    assert odd not in places
    assert looked_up(places, others).tolist() == [known.get(text, -1) for text in others]
    assert (places, list(places), len(places)) == (known, list(known), len(known))
    assert (places.keys() <= set(others)) == (known.keys() <= set(others))


def test_many_are_looked_up_in_a_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = of([f"{number:03}" for number in range(100)])
    assert isinstance(ids, AscendingIds)
    monkeypatch.setattr("irviewer.model.arrays.FEW", 50)
    assert looked_up(PlacesOfIds(ids), ["007", "x"]).tolist() == [7, -1]
    assert not ids.has_places
    assert looked_up(PlacesOfIds(ids), ["007", "x"] * 30).tolist() == [7, -1] * 30
    assert ids.has_places


def test_a_dictionary_is_made_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ascending_ids, "AT_ONCE", 3)
    ids = [f"{number:03}" for number in range(10)]
    assert of(ids) == tuple(ids)
    assert places_of_ids(ids) == {query: place for place, query in enumerate(ids)}


@given(TEXTS, TEXTS)
def test_some_are_left_out(texts: list[str], others: list[str]) -> None:
    ids = of(sorted(set(texts)))
    assert isinstance(ids, AscendingIds)
    left = ids.without(frozenset(others))
    assert left == tuple(text for text in ids if text not in others)
    assert left.column.to_pylist() == list(left)
    gone = tuple(text for text in ids if text in others)
    assert (outside(ids, left, left.places), outside(left, ids, ids.places)) == (gone, ())
    alike = AscendingIds.of(left.column)  # which does not know it
    assert (outside(ids, alike, left.places), outside(alike, ids, ids.places)) == (gone, ())


@pytest.mark.parametrize("ascend", [True, False])
@given(TEXTS, TEXTS)
def test_those_that_are_not_among_others(ascend: bool, texts: list[str], others: list[str]) -> None:
    first, second = (of(sorted(set(each))) if ascend else tuple(dict.fromkeys(each)) for each in (texts, others))
    assert outside(first, second, places_of_ids(second)) == tuple(text for text in first if text not in others)
    assert outside(first, first, {}) == ()


@pytest.mark.parametrize("many", [0, 1000])
def test_judged_queries_in_order_ascend_where_they_are_many(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ascending_ids, "MANY", many)
    qrels = Qrels.from_dict({query: {"d": 1.0} for query in ("2", "10", "é", "1")})
    ids = qrels.ordered_query_ids
    assert (ids, isinstance(ids, AscendingIds)) == (("1", "10", "2", "é"), not many)
    odd = AscendingIds.ordered(["2", "\udc80", "1"], [2, 0, 1])
    assert (odd, type(odd)) == (("1", "2", "\udc80"), tuple)
    none = np.zeros(3, dtype=np.bool_)
    run = Run("run", of(["10", "2", "é"]), np.zeros(4, dtype=np.int64), strings([]), np.empty(0), none)
    assert missing_queries(run, qrels) == ("1",)


def test_they_are_ids_as_others() -> None:
    ids = of(["1", "10", "2", "é"])
    assert isinstance(ids, AscendingIds)
    assert type(pickle.loads(pickle.dumps(ids))) is AscendingIds
    assert pickle.loads(pickle.dumps(ids)) == ids
    assert strings(ids).to_pylist() == list(ids)
    assert rows_among(["2", "x"], ids).tolist() == [2, -1]
    assert bytewise_order(ids).tolist() == bytewise_order(tuple(ids)[:]).tolist() == [0, 1, 2, 3]
    assert natural_order(ids).tolist() == natural_order(list(ids)).tolist()


def test_those_of_one_of_many_runs_are_pickled_alone() -> None:
    """A part of a column holds all of it, that of a file of many systems."""
    texts = [f"query {number:04}" for number in range(1000)]
    ids = AscendingIds.of(pa.array(texts * 50, pa.string()).slice(3000, 1000))
    assert isinstance(ids, AscendingIds)
    assert (ids, ids.column.to_pylist(), pickle.loads(pickle.dumps(ids))) == (tuple(texts), texts, tuple(texts))
    assert len(pickle.dumps(ids)) < 2 * len(pickle.dumps(tuple(texts)))


def test_runs_and_judgments_take_them() -> None:
    ids = of(["1", "10", "2"])
    qrels = Qrels.of_digest("judged", ids, "digest", 1.0)
    assert qrels.ordered_query_ids is ids
    assert (qrels.query_order.tolist(), qrels.query_index) == ([0, 1, 2], {"1": 0, "10": 1, "2": 2})
    none = np.zeros(3, dtype=np.bool_)
    run = Run("run", ids, np.zeros(4, dtype=np.int64), strings([]), np.empty(0), none)
    assert run.places_of_queries(["2", "1", "3"]).tolist() == [2, 0, -1]
    with pytest.raises(BrokenError):
        Run("run", of(["1", "1", "2"]), np.zeros(4, dtype=np.int64), strings([]), np.empty(0), none)
