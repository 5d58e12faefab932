"""Edited copies of edited copies, and runs fused of them, come back with a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.model.rankings.fusion import Fusion
from irviewer.model.run import Run
from irviewer.session.projects.references import Where
from irviewer.session.projects.runs import edited_run
from irviewer.session.session import Session
from irviewer.session.settings import Settings

LISTS = {"one": "abcdef", "two": "fedcba"}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "small.qrels").write_text("1 0 a 1\n1 0 c 1\n2 0 b 1\n")
    for name, order in LISTS.items():
        lines = [f"{q} Q0 {doc} {n} {9 - n} {name}\n" for q in (1, 2) for n, doc in enumerate(order)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    new_session = Session(Settings())
    new_session.files.open_files([str(tmp_path / name) for name in ("small.qrels", "one.run", "two.run")])
    new_session.navigation.set_query("1")
    return new_session


def lists(session: Session) -> dict[int, tuple[str, dict[str, list[str]], bool]]:
    """key -> (name, the lists, whether it is an edited copy), in the order of the runs."""
    assert session.view.collection is not None
    return {
        entry.key: (
            entry.name,
            {query: entry.run.ranking(query) for query in entry.run.query_ids},
            entry.edited is not None,
        )
        for entry in session.view.collection.runs
    }


def copied(session: Session, key: int, document: str) -> int:
    copy = session.run_editing.edit_copy(key)
    assert copy is not None
    session.run_editing.move_document(copy, document, 1)
    return copy


def reopened(session: Session, folder: Path) -> Session:
    session.autosave.save_project(str(folder / "mine"))
    session.close()
    again = Session(Settings())
    again.projects.open_project(str(folder / "mine.irviewer"))
    return again


def chain(session: Session) -> list[int]:
    keys = [0]
    for document in "cde":
        keys.append(copied(session, keys[-1], document))
    return keys[1:]


@pytest.mark.parametrize("turned", [False, True])
def test_a_chain_of_copies_comes_back_and_is_edited_on(session: Session, tmp_path: Path, turned: bool) -> None:
    keys = chain(session)
    if turned:  # each stands before what it is of
        for key in keys:
            session.runs.move_run(key, 0)
    before = lists(session)
    assert before[keys[2]][1] == {"1": list("edcabf"), "2": list("abcdef")}
    again = reopened(session, tmp_path)
    assert lists(again) == before
    assert list(lists(again)) == list(before)
    again.run_editing.move_document(keys[1], "f", 1)
    once_more = lists(again)
    assert once_more[keys[1]][1]["1"] == list("fdcabe")
    assert once_more[keys[2]] == before[keys[2]]  # a copy is of what the other was when it was made
    assert lists(reopened(again, tmp_path)) == once_more


def test_copies_that_are_not_edited_are_not_each_others_source(session: Session, tmp_path: Path) -> None:
    first = session.run_editing.edit_copy(0)
    assert first is not None
    second = session.run_editing.edit_copy(first)
    session.runs.remove_run(0)
    before = lists(session)
    assert second in before
    assert lists(reopened(session, tmp_path)) == before


def test_a_run_fused_of_copies_and_a_copy_of_it_come_back(session: Session, tmp_path: Path) -> None:
    keys = chain(session)
    session.fusion.fuse_runs([keys[0], keys[2], 1], Fusion("rrf"))
    assert session.view.collection is not None
    fused = session.view.collection.runs[-1].key
    copied(session, fused, "f")
    before = lists(session)
    assert len(before) == 7
    assert lists(reopened(session, tmp_path)) == before


def test_a_copy_of_a_run_without_rows_comes_back() -> None:
    empty = Run.from_dict({}, name="none")
    assert len(empty) == 0
    edited = edited_run({"of": 3, "lists": {"1": ["a"]}}, "copy", {3: empty}, Where())
    assert edited is not None
    assert edited[0].ranking("1") == ["a"]
