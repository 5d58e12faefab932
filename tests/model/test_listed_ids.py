"""The ids of an Arrow column as a sequence, and their rows among other ids."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import ListedIds, rows_among

IDS = st.lists(st.text(st.characters(codec="utf-8"), max_size=4), unique=True, max_size=30)


@given(IDS, st.integers(-40, 40), st.integers(-40, 40))
def test_it_is_like_the_list(ids: list[str], start: int, stop: int) -> None:
    listed = ListedIds(pa.array(["before", *ids, "after"], pa.string())[1:-1])
    assert listed == ids
    assert listed == ListedIds(pa.array(ids, pa.string()))
    assert listed != [*ids, "x"]
    assert listed != tuple(ids)
    assert len(listed) == len(ids)
    assert list(listed) == ids
    assert listed[start:stop] == ids[start:stop]
    assert [listed[row] for row in range(len(ids))] == ids
    assert [listed.index(doc_id) for doc_id in ids] == list(range(len(ids)))
    assert all(doc_id in listed for doc_id in ids)
    assert "none of them" not in listed


def test_what_is_not_there_is_refused() -> None:
    listed = ListedIds(pa.array(["a", "b"], pa.string()))
    assert listed[-1] == "b"
    with pytest.raises(IndexError):
        listed[2]
    with pytest.raises(ValueError, match="c"):
        listed.index("c")
    with pytest.raises(ValueError, match="a"):
        listed.index("a", 1)


@given(IDS, IDS)
def test_rows_among_are_those_of_the_list(ids: list[str], others: list[str]) -> None:
    wanted = [others.index(doc_id) if doc_id in others else -1 for doc_id in ids]
    assert rows_among(ids, others).tolist() == wanted
    listed = [ListedIds(pa.array(column, pa.string())) for column in (ids, others)]
    assert rows_among(*listed).tolist() == wanted
    assert rows_among(listed[0], others).tolist() == wanted
