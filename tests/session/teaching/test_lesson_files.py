"""A lesson that names files opens them, from its folder only and in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest
from patience import deliver

from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.session.session import Session
from irviewer.session.teaching.checking.faults import faults_of
from irviewer.session.teaching.exchange.printing import lesson_sheet

LESSON = """---
title: Two runs
qrels: data/a.qrels
runs: data/a.run, data/b.run
level: 1
---
Look.

## Question: AP of query 1?
ask: AP of b, query 1
"""
QRELS = "1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n2 0 d1 1\n"
A = "1 Q0 d2 1 9 a\n1 Q0 d1 2 8 a\n2 Q0 d1 1 7 a\n"
B = "1 Q0 d1 1 9 b\n1 Q0 d2 2 8 b\n1 Q0 d3 3 7 b\n2 Q0 d2 1 7 b\n"


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    for name, text in (("a.qrels", QRELS), ("a.run", A), ("b.run", B)):
        (tmp_path / "data" / name).write_text(text)
    (tmp_path / "l.md").write_text(LESSON)
    return tmp_path / "l.md"


def said(session: Session) -> str:
    return " ".join(message.text for message in session.view.messages)


def test_its_files_open_with_its_measure_and_rules(lesson: Path) -> None:
    session = Session()
    session.files.open_files([str(lesson)])
    collection, context = session.view.collection, session.view.context
    assert collection is not None
    assert context is not None
    assert collection.name == "Two runs"
    assert [entry.name for entry in collection.runs] == ["a", "b"]
    assert (str(session.view.measure), session.view.dialect) == ("AP", "textbook")
    assert session.teaching.is_on
    assert session.lessons.lesson is not None
    # by hand: query 1 of b has its relevant documents at ranks 1 and 3, of two; query 2 none; a: (1/2 / 2 + 1) / 2
    assert [context.mean(entry, session.view.measure) for entry in collection.runs] == pytest.approx([0.625, 5 / 12])
    assert session.teaching.go()
    assert session.teaching.answer("0.83")
    assert session.teaching.restart_example()
    assert len(session.view.workspace.collections) == 1
    assert session.teaching.lesson.place == 0


def test_they_are_read_by_a_worker(lesson: Path) -> None:
    posted: Queue[Callable[[], None]] = Queue()
    session = Session(post=posted.put)
    session.files.open_files([str(lesson)])
    assert session.view.collection is None
    assert not session.teaching.lesson.on
    deliver(posted, lambda: session.teaching.is_on, seconds=20)
    assert session.lessons.lesson is not None
    session.close()


def test_a_file_that_is_damaged_is_said_and_nothing_opens(lesson: Path) -> None:
    (lesson.parent / "data" / "b.run").write_text("1 Q0 d1 1 nine b\n")
    session = Session()
    assert not session.teaching.open_lesson(str(lesson))
    assert session.view.collection is None
    assert "b.run" in said(session)


def test_no_file_outside_of_the_folder_is_read(lesson: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "b.run"
    elsewhere.write_text(B)
    link = lesson.parent / "data" / "b.run"
    link.unlink()
    link.symlink_to(elsewhere)
    session = Session()
    assert not session.teaching.open_lesson(str(lesson))
    assert session.view.collection is None
    assert "not in the lesson's folder" in said(session)


def test_its_sheet_has_its_rankings(lesson: Path) -> None:
    sheet = lesson_sheet([read_lesson(lesson)], answers=True)
    assert "a, query 1" in sheet
    assert "<b>.8333</b>" in sheet


def test_a_project_of_it_opens_again(lesson: Path, tmp_path: Path) -> None:
    session = Session()
    session.files.open_files([str(lesson)])
    session.autosave.save_project(str(tmp_path / "p"))
    session.autosave.finish()
    session.close()
    again = Session()
    again.projects.open_project(str(tmp_path / "p.irviewer"))
    assert again.view.collection is not None
    assert [entry.name for entry in again.view.collection.runs] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "false", "reason"),
    [("ask: AP of b, query 1", "ask: AP of b, query 9", "there is no query 9"),
     ("ask: AP of b, query 1", "ask: AP of c, query 1", "there is no ranking c"),
     ("level: 1\n", "level: 1\nrun: c\n", "there is no ranking c"),
     ("level: 1\n", "level: 1\nquery: 9\n", "there is no query 9")],
)  # fmt: skip
def test_a_name_that_the_files_do_not_have_is_a_fault(lesson: Path, text: str, false: str, reason: str) -> None:
    """A question about a query that is not there took the mean as its answer."""
    whole = lesson.read_text()
    assert text in whole
    lesson.write_text(whole.replace(text, false))
    assert reason in [fault.reason for fault in faults_of(read_lesson(lesson))]
