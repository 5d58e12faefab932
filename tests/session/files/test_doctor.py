"""Choices of the file doctor in a session: a file is read again under one, keeps it, and the status line tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.commands import run_command
from irviewer.formats.doctor import ReadOptions
from irviewer.session.messages import Level
from irviewer.session.session import Session

QRELS = "".join(f"{q} 0 doc{q}{n} {n % 2}\n" for q in "12" for n in range(10))
CHUNKS = "".join(f"{q} Q0 doc{q}{n}#{c} 0 {10 - n - 0.25 * c} t\n" for q in "12" for n in range(8) for c in (2, 10))
TWICE = "1 Q0 doc11 0 2 t\n1 Q0 doc12 0 2.5 t\n1 Q0 doc11 0 3 t\n2 Q0 doc21 0 2 t\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.qrels").write_text(QRELS)
    (tmp_path / "chunks.run").write_text(CHUNKS)
    (tmp_path / "twice.run").write_text(TWICE)
    return tmp_path


def opened(folder: Path, *names: str) -> Session:
    session = Session()
    session.files.open_files([str(folder / name) for name in names])
    return session


def ranking(session: Session) -> list[str]:
    assert session.view.collection is not None
    return session.view.collection.runs[0].run.ranking("1")


def test_ids_are_matched_and_rolled_up_on_demand(folder: Path) -> None:
    session = opened(folder, "small.qrels", "chunks.run")
    path = str(folder / "chunks.run")
    session.runs.rename_run(0, "mine")
    assert ranking(session)[0] == "doc10#2"
    choice = next(
        choice
        for diagnosis in session.files.diagnoses()
        for choice in diagnosis.choices
        if diagnosis.report.path == path
    )
    option = next(
        choice_option
        for choice_option in choice.options
        if choice_option.read_options == ReadOptions(ids="chunk", rollup="best")
    )
    session.files.treat(path, option.read_options)
    assert ranking(session) == [f"doc1{n}" for n in range(8)]
    assert "mine: document ids matched by the rule chunk" in session.view.caveats
    assert "mine: chunks rolled up: the best score" in session.view.caveats
    lines = [line for message in session.view.messages for line in (message.text, *message.details)]
    assert any("16 of 20 judged documents are found" in line for line in lines), lines
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["mine"]
    assert any(
        "← as read here" in line
        for line in (line for diagnosis in session.files.diagnoses() for line in diagnosis.lines())
    )

    session.files.reload()  # the choice holds whenever the file is read
    assert ranking(session) == [f"doc1{n}" for n in range(8)]
    session.files.open_files([path])
    assert ranking(session) == [f"doc1{n}" for n in range(8)]
    (folder / "small.qrels").write_text(QRELS.replace("doc", "paper"))
    (folder / "chunks.run").write_text(CHUNKS.replace("doc", "paper"))
    session.files.reload()
    assert ranking(session)[0] == "paper10"
    assert "mine: document ids matched by the rule chunk" in session.view.caveats

    session.files.treat(path, ReadOptions())
    assert ranking(session)[0] == "paper10#2"
    assert not any("rule chunk" in caveat for caveat in session.view.caveats)


def test_a_choice_that_cannot_be_leaves_everything(folder: Path) -> None:
    session = opened(folder, "small.qrels", "chunks.run")
    before = session.view.collection
    session.files.treat(str(folder / "chunks.run"), ReadOptions(ids="chunk"))
    assert session.view.messages[-1].level is Level.ERROR
    assert "choose their score" in session.view.messages[-1].text
    assert session.view.collection is before


def test_a_refused_file_is_read_once_the_user_chose(folder: Path) -> None:
    alone = opened(folder, "twice.run")
    assert alone.view.collection is None
    asked: list[str] = []
    alone.asked.connect(asked.append)
    assert run_command(alone, "show_reports")
    assert asked == ["show_reports"]
    session = opened(folder, "small.qrels", "twice.run")
    assert "File doctor" in session.view.messages[-1].details[-1]
    path = str(folder / "twice.run")
    assert session.files.has_refused
    first = session.files.diagnoses()[0]
    assert (first.report.path, first.report.format) == (path, "not read")
    (choice,) = first.choices
    assert [option.read_options.duplicates for option in choice.options if option.chosen] == ["refuse"]
    session.files.treat(path, ReadOptions("first"))
    assert not session.files.has_refused
    assert ranking(session) == ["doc12", "doc11"]
    assert "twice: of repeated documents the first is kept" in session.view.caveats
    session.files.treat(path, ReadOptions("best"))
    assert ranking(session) == ["doc11", "doc12"]
    assert session.view.caveats[0] == "twice: of repeated documents the best is kept"


def test_codes_or_grades_are_asked_about(folder: Path) -> None:
    path = folder / "made.qrels"
    path.write_text("1 28 1\n1 29 4\n")
    session = opened(folder, "made.qrels")
    assert session.view.collection is None
    message = session.view.messages[-1]
    assert (message.level, message.action) == (Level.ERROR, "show_reports")
    assert "grades (higher is better) or Cranfield's codes" in message.text
    (choice,) = session.files.diagnoses()[0].choices
    assert not any(option.chosen for option in choice.options)
    for name, grade in (("msmarco", 1), ("cranfield", 4)):
        session.files.treat(
            str(path), next(option.read_options for option in choice.options if option.read_options.format == name)
        )
        assert session.view.judgments is not None
        assert session.view.judgments.qrels.judgments("1")["28"] == grade
        assert not session.files.has_refused
        (choice,) = session.files.diagnoses()[0].choices  # and it can be taken back
        assert [option.read_options.format for option in choice.options if option.chosen] == [name]


def test_nothing_to_decide(folder: Path) -> None:
    assert Session().files.diagnoses() == ()
    session = opened(folder, "small.qrels")
    assert [diagnosis.choices for diagnosis in session.files.diagnoses()] == [()]
    assert not session.files.has_refused


def test_a_training_set_is_compared_with_the_collection_in_view_alone(tmp_path: Path) -> None:
    for name, queries in (("a", ("q1", "q2")), ("b", ("q1", "q3")), ("train", ("q1", "q9"))):
        (tmp_path / f"{name}.qrels").write_text("".join(f"{query} 0 {name} 1\n" for query in queries))
    session = Session()
    session.files.open_files([str(tmp_path / "a.qrels")])
    session.files.compare_with_training(str(tmp_path / "train.qrels"), lambda: None)

    def said() -> list[str]:
        findings = [each for diagnosis in session.files.diagnoses() for each in diagnosis.report.findings]
        return [each.text for each in findings if "training set" in each.text]

    assert said() == ["1 of 2 queries is in the training set train.qrels too, by its id: q1"]
    session.files.open_files([str(tmp_path / "b.qrels")])
    session.files.set_collection(len(session.view.workspace.collections) - 1)
    assert session.view.judgments is not None
    assert session.view.judgments.qrels.origin.endswith("b.qrels")
    assert said() == []
    session.files.set_collection(0)
    assert len(said()) == 1
