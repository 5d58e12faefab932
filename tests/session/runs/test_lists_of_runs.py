"""Which runs have a list: those that come later are chosen by value, and a list is moved, closed and changed."""

from __future__ import annotations

from pathlib import Path

from irviewer.session.session import Session
from tests.session.helpers import collection, session_with

QRELS = "".join(f"{query} 0 d{document} {int(document == 1)}\n" for query in (1, 2) for document in range(1, 6))


def run_of(tag: str, place: int) -> str:
    """A run with the relevant document at a rank from 1."""
    order = ["d2", "d3", "d4", "d5"]
    order.insert(place - 1, "d1")
    lines = [(query, doc, rank) for query in (1, 2) for rank, doc in enumerate(order, 1)]
    return "".join(f"{query} Q0 {doc} {rank} {10 - rank} {tag}\n" for query, doc, rank in lines)


def test_runs_that_come_later_are_chosen_by_value_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text(QRELS)
    first = {"m1": 4, "m2": 5}
    later = {"a": 5, "b": 4, "c": 1, "d": 3, "e": 2}
    for tag, place in (*first.items(), *later.items()):
        (tmp_path / f"{tag}.run").write_text(run_of(tag, place))
    session = Session()
    session.files.open_files([str(tmp_path / "qrels.txt"), *(str(tmp_path / f"{tag}.run") for tag in first)])
    session.files.open_files([str(tmp_path / f"{tag}.run") for tag in later])
    shown = {label.name for label in session.view.labels() if label.shown}
    assert shown == {"m1", "m2", "c", "e"}
    # Without room nothing is added.
    (tmp_path / "z.run").write_text(run_of("z", 1))
    session.files.open_files([str(tmp_path / "z.run")])
    assert {label.name for label in session.view.labels() if label.shown} == shown


def names(session: Session) -> list[str]:
    return [label.name for label in session.view.labels() if label.shown]


def test_a_list_moves_past_the_shown_ones_only() -> None:
    session = session_with(collection(6))
    session.runs.show_runs([0, 2, 5])
    first, second, third = names(session)
    session.runs.move_list(5, -1)
    assert names(session) == [first, third, second]
    session.runs.move_list(5, -1)
    assert names(session) == [third, first, second]
    session.runs.move_list(5, -1)  # there is nothing to its left
    session.runs.move_list(1, 1)  # it has no list
    assert names(session) == [third, first, second]
    session.history.undo()
    session.history.undo()
    assert names(session) == [first, second, third]


def test_another_run_takes_the_place_of_a_list() -> None:
    session = session_with(collection(6))
    every = [label.name for label in session.view.labels()]
    session.runs.show_runs([0, 1, 3])
    session.runs.set_focus(1)
    session.runs.change_list(1, 5)  # behind the third list in the order of the runs
    assert names(session) == [every[0], every[5], every[3]]
    assert session.view.focus == 5
    session.runs.change_list(0, 2)
    assert names(session) == [every[2], every[5], every[3]]
    before = names(session)
    session.runs.change_list(2, 3)  # has a list
    session.runs.change_list(0, 4)  # has none any more
    session.runs.change_list(2, 99)
    assert names(session) == before
