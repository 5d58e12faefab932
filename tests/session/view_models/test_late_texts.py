"""Texts that are made when they are asked for are those that are made at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.session.view_models.late_texts import LateTexts

ROWS = st.lists(st.sampled_from(["", "better", "no test shows a difference"]), max_size=5)


@given(rows=ROWS, data=st.data())
def test_late_texts_equal_texts_in_a_list(rows: list[str], data: st.DataObject) -> None:
    late = LateTexts(len(rows), rows.__getitem__)
    assert list(late) == [late[row] for row in range(len(late))] == rows
    places = data.draw(st.lists(st.integers(-1, len(rows) - 1), max_size=6))
    moved = [rows[place] if place >= 0 else "" for place in places]
    assert list(late.at(places)) == moved
    assert list(late.with_reason("Secondary").at(places)) == [f"{text}\nSecondary" if text else "" for text in moved]
    cut = data.draw(st.slices(len(rows)))
    assert list(late[cut]) == rows[cut]
    if rows:
        assert late[-1] == rows[-1]
