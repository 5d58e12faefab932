"""What a score is made of, as a run's file says it: in the document card, and in words for what is pointed at."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "mixed.csv").write_text(
        "query_id,doc_id,score,bm25,recency\n1,b,3.5,2.5,1\n1,a,2.25,2,0.25\n1,c,1,1,0.75\n2,a,1,1,0\n"
    )
    (tmp_path / "plain.run").write_text("1 Q0 a 1 0.5 t\n2 Q0 a 1 0.5 t\n")
    new_session = Session()
    new_session.files.open_files([str(path) for path in sorted(tmp_path.iterdir())])
    new_session.navigation.set_query("1")
    return new_session


def _parts(session: Session, document: str) -> dict[str, tuple[float, dict[str, float]]]:
    session.navigation.set_document(document)
    card = session.view_models.document_card()
    assert card is not None
    return {row.run.name: (row.score, dict(row.parts)) for row in card.scores}


def test_the_card_has_the_parts_by_name(session: Session) -> None:
    assert _parts(session, "a") == {"mixed": (2.25, {"bm25": 2.0, "recency": 0.25}), "plain": (0.5, {})}
    assert _parts(session, "b") == {"mixed": (3.5, {"bm25": 2.5, "recency": 1.0})}
    assert _parts(session, "nowhere") == {}


def test_no_table_where_files_say_only_a_score(session: Session) -> None:
    (key,) = (label.key for label in session.view.labels() if label.name == "plain")
    session.runs.show_runs([key])
    assert _parts(session, "a") == {}


def test_words_for_what_is_pointed_at(session: Session) -> None:
    keys = {label.name: label.key for label in session.view.labels()}
    assert session.view_models.score_words(keys["mixed"], 2) == "score 2.25 · bm25 2 · recency 0.25"
    assert session.view_models.score_words(keys["mixed"], 3) == "score 1 · bm25 1 · recency 0.75"
    assert session.view_models.score_words(keys["plain"], 1) == "score 0.5"
    assert session.view_models.score_words(keys["plain"], 2) == session.view_models.score_words(keys["plain"], 0) == ""


def test_parts_stay_with_their_document_where_lists_are_judged_only(session: Session) -> None:
    session.protocol.set(judged_only=True)
    keys = {label.name: label.key for label in session.view.labels()}
    assert session.view_models.score_words(keys["mixed"], 2) == "score 2.25 · bm25 2 · recency 0.25"
    assert session.view_models.score_words(keys["mixed"], 3) == ""
