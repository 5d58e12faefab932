"""Texts that are looked up row by row: equal to a tuple of them, whatever is asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.tables import column, lazy_texts
from irviewer.tables.lazy_texts import LazyTexts
from irviewer.tables.table import Table
from tests.session.helpers import collection, session_with

BASE = ("a", "b", "", "a", "ü")
rows = st.lists(st.integers(0, len(BASE) - 1), max_size=6)


@given(rows, rows, st.integers(-3, 3))
def test_they_are_the_texts_of_the_rows(first: list[int], second: list[int], at: int) -> None:
    lazy, plain = LazyTexts(BASE, np.array(first, dtype=np.int64)), tuple(BASE[row] for row in first)
    other = LazyTexts(BASE, np.array(second, dtype=np.int64))
    assert lazy == plain
    assert tuple(lazy) == plain
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy_texts, "AT_ONCE", 2)
        assert tuple(lazy) == plain
    assert lazy[at:] == plain[at:]
    assert (lazy == tuple(other)) == (plain == tuple(other))
    assert (LazyTexts(BASE, np.array(first, dtype=np.int64)) == lazy) is True
    apart = [mine != theirs for mine, theirs in zip(plain, tuple(other), strict=False)]
    assert lazy.differing(tuple(other)).tolist() == apart
    assert (lazy != other) == (first != second)
    assert set(plain) <= set(lazy.in_memory)
    if not any(apart):
        return
    assert lazy.differing(other).any()


@pytest.mark.parametrize("lazy", [0, 1 << 30])
@given(rows=rows)
def test_the_rows_of_a_table_are_those_asked_for(rows: list[int], lazy: int) -> None:
    words = Table("words", "Words", (
        column.identifier("word", "word", BASE, tips=lambda row: f"of {row}"),
        column.number("n", "n", np.arange(len(BASE)), best=[row == 1 for row in range(len(BASE))]),
    ), keys=tuple(range(len(BASE))))  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for module in (lazy_texts, column):
            patch.setattr(module, "LAZY", lazy)
        some = words.rows(rows)
    word, number = some.columns
    assert list(word.values) == [BASE[row] for row in rows]
    assert isinstance(word.values, LazyTexts) == bool(rows and not lazy)
    assert number.values.tolist() == list(some.keys) == rows  # type: ignore[union-attr]
    assert number.show.best == tuple(row == 1 for row in rows)
    assert word.tips is not None
    assert [word.tips(place) for place in range(len(rows))] == [f"of {row}" for row in rows]


@pytest.mark.parametrize("lazy", [0, 1 << 30])
def test_many_queries_are_shown_as_few_are(lazy: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_texts, "LAZY", lazy)
    session = session_with(collection(3))
    for key, descending in (("delta", True), ("query", False)):
        session.navigation.sort_queries(key, descending)
        context, view_model = session.view.context, session.view_models.queries_view_model()
        assert context is not None
        assert view_model is not None
        order = session.view.order(context).rows.tolist()
        assert view_model.query_ids == tuple(context.query_ids[row] for row in order)
        assert isinstance(view_model.query_ids, LazyTexts if lazy == 0 else tuple)
        for step in range(4):
            selected = session.view_models.queries_view_model()
            assert selected is not None
            assert selected.query_ids[selected.selected] == session.view.query_id
            assert selected.bars.bars is not None
            assert selected.bars.bars.selected == selected.selected
            assert selected.values is view_model.values, f"step {step} makes only the selection anew"
            session.navigation.step_query(1)
