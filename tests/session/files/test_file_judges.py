"""Tables that name several judges: opened, read again, kept in a project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from irviewer.model.judgments.explanations import Explanation, Explanations
from irviewer.model.workspace import JudgmentSet
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with

HEADER = "query_id,doc_id,relevance,judge,explanation,model,confidence\n"
ANN = "1,a,1,Ann,,,\n1,b,0,Ann,off topic,,\n"
GPT = "1,a,0,GPT,<b>too short</b>,gpt-4o,0.7\n1,b,0,GPT,,gpt-4o,\n"
BO = "1,a,1,Bo,,,\n1,b,1,Bo,,,\n"


def judges(session: Session) -> tuple[JudgmentSet, ...]:
    assert session.view.collection is not None
    return session.view.collection.judgments


def opened(path: Path) -> Session:
    session = session_with()
    session.files.open_files([str(path)])
    return session


def test_each_judge_is_a_set(tmp_path: Path) -> None:
    path = tmp_path / "panel.csv"
    path.write_text(HEADER + ANN + GPT + BO)
    session = opened(path)
    assert session.view.collection is not None
    assert session.view.collection.name == "panel"
    ann, gpt, bo = judges(session)
    assert [ann.name, gpt.label, bo.name] == ["Ann", "GPT, model", "Bo"]
    assert gpt.facts.family == "gpt-4o"
    assert [judge.qrels.judgments("1")["a"] for judge in (ann, gpt, bo)] == [1, 0, 1]
    assert gpt.explanations.explanation("1", "a") == Explanation("<b>too short</b>", "gpt-4o", "0.7")
    assert not bo.explanations


def test_judges_of_a_table_are_not_asked_about(tmp_path: Path) -> None:
    (tmp_path / "nist.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "panel.csv").write_text(HEADER + ANN + GPT)
    session = opened(tmp_path / "nist.qrels")
    session.files.open_files([str(tmp_path / "panel.csv")])
    assert [judge.name for judge in judges(session)] == ["nist", "Ann", "GPT"]
    assert session.judges.asked is None


def test_a_table_read_again_keeps_its_judges_apart(tmp_path: Path) -> None:
    path = tmp_path / "panel.csv"
    path.write_text(HEADER + ANN + GPT)
    session = opened(path)
    session.judges.describe(1, "the model", judges(session)[1].facts)
    path.write_text(HEADER + GPT.replace("too short", "too long").replace(",0,", ",1,") + BO)
    session.files.open_files([str(path)])
    ann, gpt, bo = judges(session)
    assert ann.qrels.judgments("1") == {"a": 1, "b": 0}  # no longer in the file: unchanged
    assert (gpt.name, gpt.qrels.judgments("1")) == ("the model", {"a": 1, "b": 1})
    assert gpt.explanations.explanation("1", "a").text == "<b>too long</b>"
    assert (bo.name, bo.file_judge) == ("Bo", "Bo")


def test_a_project_reads_the_judges_from_the_file_again(tmp_path: Path) -> None:
    path, project = tmp_path / "panel.csv", tmp_path / "work.irviewer"
    path.write_text(HEADER + ANN + GPT)
    session = opened(path)
    session.judges.describe(0, "Anna", judges(session)[0].facts)
    session.autosave.save_project(str(project))
    assert "too short" not in project.read_text()
    again = opened(project)
    for former, now in zip(judges(session), judges(again), strict=True):
        assert (now.name, now.file_judge, now.facts) == (former.name, former.file_judge, former.facts)
        assert now.qrels.judgments("1") == former.qrels.judgments("1")
        assert list(now.explanations) == list(former.explanations)
    path.write_text(HEADER + GPT)
    without = opened(project)
    assert [judge.name for judge in judges(without)] == ["GPT"]


def test_a_project_keeps_explanations_of_sets_without_a_file(tmp_path: Path) -> None:
    whole = collection(1, 2)
    judgments = whole.judgments[0]
    query = judgments.qrels.query_ids[0]
    kept = Explanations.of(
        [
            (query, "d1", Explanation("because", "", "0.5")),
            (query, "d2", Explanation("", "gpt")),
            (query, "d3", Explanation()),
        ]
    )
    session = session_with(replace(whole, judgments=(replace(judgments, explanations=kept),)))
    project = tmp_path / "work.irviewer"
    session.autosave.save_project(str(project))
    assert list(judges(opened(project))[0].explanations) == list(kept)
    assert len(kept) == 2
