"""Tables with a column of judges: each judge is a judgment set of the collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.session.session import Session
from irviewer.session.settings import Settings

JUDGES = {"human": {"d1": 0, "d2": 2}, "gpt": {"d1": 1, "d2": 2}, "other": {"d3": 1}}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"q1,{document},{grade},{judge}" for judge, grades in JUDGES.items() for document, grade in grades.items()]
    path = tmp_path / "grades.csv"
    path.write_text("\n".join(["query,document,grade,judge", *rows]) + "\n")
    return path


def judges(session: Session) -> dict[str, dict[str, float]]:
    """The grades of the only query by judge and document."""
    assert len(session.state.workspace.collections) == 1
    return {
        judge.name: dict(zip(judge.qrels.doc_ids.to_pylist(), judge.qrels.grades.tolist(), strict=True))
        for judge in session.judges.sets
    }


def test_each_value_is_a_judge_and_no_question_is_asked(table: Path) -> None:
    session = Session(Settings())
    session.files.open_files([str(table)])
    assert judges(session) == JUDGES
    assert session.judges.asked is None
    assert not any("--part" in line for message in session.state.messages for line in (message.text, *message.details))


def test_the_file_read_again_renews_its_judges(table: Path) -> None:
    session = Session(Settings())
    session.files.open_files([str(table)])
    table.write_text(table.read_text().replace("q1,d2,2,gpt", "q1,d2,3,gpt"))
    session.files.reload()
    assert judges(session) == {**JUDGES, "gpt": {"d1": 1, "d2": 3}}


def test_a_project_has_the_judges_of_one_file(table: Path, tmp_path: Path) -> None:
    session = Session(Settings())
    session.files.open_files([str(table)])
    path = str(tmp_path / "p.irviewer")
    session.autosave.save_project(path)
    again = Session(Settings())
    again.projects.open_project(path)
    assert judges(again) == JUDGES
