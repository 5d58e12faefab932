"""Undo and redo against a list with a mark in it; long histories cost what their steps cost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.changes.history import History

acts = st.lists(st.one_of(st.just("undo"), st.just("redo"), st.integers(0, 99)), max_size=60)


@given(acts)
def test_undo_and_redo_walk_the_steps(acts: list[str | int]) -> None:
    history: History[int] = History()
    steps: list[int] = []
    mark = 0
    for act in acts:
        if act == "undo":
            undone = history.undo()
            assert (undone is None) == (mark == 0)
            if undone is not None:
                history, change = undone
                mark -= 1
                assert change == steps[mark]
        elif act == "redo":
            undone = history.redo()
            assert (undone is None) == (mark == len(steps))
            if undone is not None:
                history, change = undone
                assert change == steps[mark]
                mark += 1
        else:
            assert isinstance(act, int)
            history = history.with_step(f"step {act}", act)
            steps[mark:] = [act]
            mark += 1
        assert len(history) == mark
        assert history.undo_label == (f"step {steps[mark - 1]}" if mark else "")
        assert history.redo_label == (f"step {steps[mark]}" if mark < len(steps) else "")


def test_steps_that_belong_together_are_one() -> None:
    history: History[int] = History[int]().with_step("1", 1)
    joined = history.amended("3", lambda last: last + 2)
    assert joined is not None
    assert len(joined) == 1
    back = joined.undo()
    assert back is not None
    assert back[1] == 3
    assert back[0].amended("no", lambda last: last) is None  # something was undone since
    assert history.amended("no", lambda last: None) is None
    assert History[int]().amended("no", lambda last: last) is None


def test_a_hundred_thousand_steps_go_and_come_back() -> None:
    history: History[int] = History()
    for number in range(100_000):
        history = history.with_step("", number)
    while (undone := history.undo()) is not None:
        history = undone[0]
    while (undone := history.redo()) is not None:
        history = undone[0]
    assert len(history) == 100_000
    del history, undone  # a chain of this length is let go without a recursion of its own
