"""What Python asks of a window, on a session without a window."""

from __future__ import annotations

import pytest

from irviewer.errors import IrviewerError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.session.scripting.actions import GivenData
from irviewer.session.session import Session

QRELS = {"q1": {"d1": 2.0, "d2": 0.0, "d9": 1.0}, "q2": {"d3": 1.0}}
FIRST = {"q1": {"d1": 1.0, "d2": 2.0}, "q2": {"d3": 1.0}}
SECOND = {"q1": {"d9": 1.0}, "q2": {"d4": 1.0}}


@pytest.fixture
def session() -> Session:
    session = Session()
    queries = TextTable.from_rows([{"id": "q1", "text": "what <b>is</b>"}])
    runs = (Run.from_dict(FIRST, name="a"), Run.from_dict(SECOND, name="b"))
    session.scripting.open_data(GivenData("mine", Qrels.from_dict(QRELS), runs, queries, baseline="b"))
    return session


def test_data_become_a_collection(session: Session) -> None:
    collection = session.view.collection
    assert collection is not None
    assert (collection.name, collection.query_text("q1")) == ("mine", "what <b>is</b>")
    assert [entry.name for entry in collection.runs] == ["a", "b"]
    selection = session.scripting.selection()
    assert (selection["baseline"], selection["runs"]) == ("b", ["a", "b"])


def test_a_run_is_added_as_one_step(session: Session) -> None:
    assert session.scripting.add_runs([Run.from_dict(FIRST, name="a")]) == ("a (2)",)
    assert session.scripting.selection()["runs"] == ["a", "b", "a (2)"]
    session.history.undo()
    assert session.scripting.selection()["runs"] == ["a", "b"]


def test_selecting(session: Session) -> None:
    session.scripting.select(query="q2", measure="AP", queries=["q2", "q1"], document="d3")
    selection = session.scripting.selection()
    assert [selection[name] for name in ("query", "document", "measure", "queries")] == ["q2", "d3", "AP", ["q1", "q2"]]
    with pytest.raises(IrviewerError, match="no query q7"):
        session.scripting.select(query="q7", measure="RR")
    with pytest.raises(IrviewerError):
        session.scripting.select(query="q1", measure="no such measure")
    assert session.scripting.selection() == selection  # nothing was selected


def test_judgments_and_sets_come_back(session: Session) -> None:
    session.scripting.select(query="q1")
    session.judging.judge("d2", 2)
    session.query_sets.make_query_set("hard", ["q2"])
    rows = session.scripting.judgments().to_pylist()
    assert [(row["query_id"], row["doc_id"], row["grade"], row["former_grade"]) for row in rows] == [("q1", "d2", 2, 0)]
    qrels = session.scripting.qrels()
    assert qrels is not None
    assert qrels.judgments("q1") == {"d1": 2, "d2": 2, "d9": 1}
    assert session.scripting.query_sets().to_pylist() == [{"query_set": "hard", "query_id": "q2"}]


def test_the_collection_is_found_behind_another_and_missed_when_closed(session: Session) -> None:
    session.teaching.open_inline_ranking("1 0 1")
    assert session.scripting.selection()["runs"] == ["a", "b"]
    session.scripting.add_runs([Run.from_dict(FIRST, name="c")])
    assert session.view.collection is not None
    assert session.view.collection.name == "mine"
    session.files.close_collection()
    with pytest.raises(IrviewerError, match="closed"):
        session.scripting.selection()


def test_data_without_qrels() -> None:
    session = Session()
    session.scripting.open_data(GivenData("runs", None, (Run.from_dict(FIRST, name="a"),)))
    assert session.scripting.qrels() is None
    assert session.scripting.judgments().num_rows == 0
