"""Tabs that have nothing to show, and what they lack."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.session.navigation.empty_tabs import nothing_in
from irviewer.session.session import Session
from irviewer.session.state import TABS
from tests.session.helpers import collection, session_with

JUDGES = ("judge", "agreement", "confusion", "judges", "corrected")
ANSWERS = ("nuggets", "lost", "sentences", "versions")


def empty(session: Session, place: str) -> set[str]:
    return {tab for tab in TABS[place] if nothing_in(session.view.collection, place, tab)}


def test_two_runs_of_one_judge() -> None:
    session = session_with(collection(3))
    assert empty(session, "compare") == {"sets", *JUDGES, *ANSWERS}
    assert empty(session, "queries") == set()
    session.query_sets.make_query_set("few", ["1", "2"], looked=False)
    assert empty(session, "compare") == {*JUDGES, *ANSWERS}
    session.close()


def test_every_tab_of_judges_says_what_to_open_in_the_words_that_it_shows() -> None:
    """Judge said "Nothing to show", where its neighbours said which file to open."""
    session = session_with(collection(3))
    service = session.judge_comparison
    shown = {
        "agreement": service.agreement_view_model(),
        "confusion": service.confusion_view_model(),
        "judges": service.systems_view_model(),
    }
    words = {tab: nothing_in(session.view.collection, "compare", tab) for tab in JUDGES}
    for tab, view_model in shown.items():
        assert view_model is not None and words[tab] == view_model.explanation
    for tab, name in {"judge": "Judge", "corrected": "Corrected"}.items():
        assert words[tab] == words["agreement"].replace("Agreement", name)
    session.close()


def test_one_run_and_two_judges(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "b.qrels").write_text("1 0 d1 0\n1 0 d2 0\n")
    (tmp_path / "x.run").write_text("1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n")
    session = session_with()
    session.files.open_files([str(tmp_path / name) for name in ("a.qrels", "b.qrels")])
    assert session.view.collection is not None
    assert len(session.view.collection.judgments) == 2
    assert {"pair", "pool", "judges", "corrected"} <= empty(session, "compare")
    assert not {"agreement", "confusion"} & empty(session, "compare")
    session.files.open_files([str(tmp_path / "x.run")])
    assert empty(session, "compare") == {"pair", "slices", "matrices", "sets", "corrected", *ANSWERS}
    session.close()


def test_a_judge_of_fewer_queries_corrects(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d2 0\n")
    (tmp_path / "b.qrels").write_text("1 0 d1 0\n1 0 d2 0\n")
    (tmp_path / "x.run").write_text("1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n")
    session = session_with()
    session.files.open_files([str(tmp_path / name) for name in ("a.qrels", "b.qrels", "x.run")])
    assert session.view.collection is not None
    assert len(session.view.collection.judgments) == 2
    assert "corrected" not in empty(session, "compare")
    session.close()


def test_answers_of_one_system_and_of_two() -> None:
    files = [str(Path(__file__).parents[1] / "data" / "answers" / f"{run}.answers.jsonl") for run in ("alpha", "beta")]
    session = session_with()
    session.files.open_files(files[:1])
    assert set(ANSWERS) & empty(session, "compare") == {"nuggets", "versions"}
    session.files.open_files(files[1:])
    assert not set(ANSWERS) & empty(session, "compare")
    session.close()


@pytest.mark.parametrize("place", list(TABS))
def test_nothing_open(place: str) -> None:
    assert all(nothing_in(None, place, tab) == "" for tab in TABS[place])
