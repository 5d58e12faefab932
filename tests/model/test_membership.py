"""Ids among others, against Python's sets, through the sieve and without it."""

from __future__ import annotations

import pytest
import strategies as some
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irviewer.model import membership
from irviewer.model.arrays import strings
from irviewer.model.membership import rows_in

ids = st.one_of(some.documents, st.text("ab\0é文", max_size=20), st.sampled_from(["a" * n for n in range(30)]))


@pytest.mark.parametrize("many", [0, 1 << 20])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ids, min_size=2, max_size=60), st.lists(ids, min_size=1, max_size=20, unique=True))
def test_against_a_set(monkeypatch: pytest.MonkeyPatch, many: int, rows: list[str], words: list[str]) -> None:
    monkeypatch.setattr(membership, "MANY", many)
    monkeypatch.setattr(membership, "_PART", 7)
    found, places = rows_in(strings(rows)[1:], strings(words))
    assert found.tolist() == [row for row, one in enumerate(rows[1:]) if one in words]
    assert places.tolist() == [words.index(one) for one in rows[1:] if one in words]


def test_a_vocabulary_too_large_for_a_sieve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "MANY", 0)
    monkeypatch.setattr(membership, "_MOST", 3)
    found, places = rows_in(strings(["x", "b", "a", "b"]), strings(["a", "b"]))
    assert (found.tolist(), places.tolist()) == ([1, 2, 3], [1, 0, 1])
