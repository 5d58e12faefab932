"""Qrels by subtopic, by person and as preferences in the window: measures for them, and what they say of a document."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.measures.parser import parse_measure
from irviewer.session.evaluation.default_measures import BY_ASPECT, COMMON, PREFERENCES
from irviewer.session.session import Session

RUN = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n2 Q0 b 1 1 t\n"


def _session(folder: Path, qrels: str, name: str = "some.qrels") -> Session:
    (folder / name).write_text(qrels)
    (folder / "one.run").write_text(RUN)
    session = Session()
    session.files.open_files([str(folder / name), str(folder / "one.run")])
    session.navigation.set_query("1")
    return session


def _said(session: Session, document: str) -> str:
    session.navigation.set_document(document)
    card = session.view_models.document_card()
    assert card is not None
    assert card.aspects == session.view_models.aspect_words(document)
    return card.aspects


def test_subtopics_of_a_document_are_reported(tmp_path: Path) -> None:
    session = _session(tmp_path, "1 1 a 1\n1 2 a 2\n1 3 a 0\n1 1 b 0\n1 3 c 1\n2 1 b 1\n")
    assert _said(session, "a") == "subtopics or judges: 1, 2 (2), not 3"
    assert _said(session, "b") == "subtopics or judges: not 1"
    assert _said(session, "c") == "subtopics or judges: 3"
    assert _said(session, "elsewhere") == ""
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.aspects == {"a": "1, 2", "c": "3"}
    session.navigation.set_query("2")
    assert _said(session, "b") == "subtopics or judges: 1"
    assert session.view.common_measures == (*COMMON, *BY_ASPECT)


def test_ordinary_qrels_say_nothing_more(tmp_path: Path) -> None:
    session = _session(tmp_path, "1 0 a 1\n1 0 b 0\n2 0 b 1\n")
    assert _said(session, "a") == ""
    assert session.view.common_measures == COMMON


def test_a_second_column_of_rounds_is_no_subtopic(tmp_path: Path) -> None:
    session = _session(tmp_path, "1 0.5 a 1\n1 1 b 2\n2 1 b 1\n")
    session.navigation.set_query("1")
    session.judging.judge("c", 2)
    for document in "abc":
        assert _said(session, document) == ""
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.aspects == {}


def test_preferences_offer_their_measures(tmp_path: Path) -> None:
    session = _session(tmp_path, "1 j1 s1 a 2\n1 j1 s1 b 1\n1 j2 s2 c 1\n2 j1 s1 b 1\n", "some.prefs")
    assert _said(session, "a") == "subtopics or judges: j1/s1 (2)"
    assert session.view.common_measures == (*COMMON, *PREFERENCES)


@pytest.mark.parametrize("text", [*BY_ASPECT, *PREFERENCES])
def test_what_is_offered_can_be_had(text: str, tmp_path: Path) -> None:
    assert parse_measure(text).text
    session = _session(tmp_path, "1 1 a 1\n1 2 a 1\n1 3 c 1\n2 1 b 1\n")
    assert session.evaluation.set_measure(text)
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert any(column.chosen for column in view_model.columns)
