"""A lesson that changes on disk is read again while it is open; with a fault the former one stays."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest
from patience import deliver

from irviewer.session.session import Session

LESSON = """---
title: {title}
rankings: {grades}
---
Text.

## Question: What is P@3?
ask: P@3

## Question: {second}
answer: 1
"""


def write(path: Path, title: str = "T", grades: str = "1 0 1", second: str = "And P@1?", *, age: float = 5.0) -> None:
    path.write_text(LESSON.format(title=title, grades=grades, second=second), encoding="utf-8")
    aged(path, age)


def aged(path: Path, seconds: float) -> None:
    """Make a file as if it was written some time ago, each time another."""
    when = time.time() - seconds
    os.utime(path, (when, when))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write(tmp_path / "l.md", age=60)
    return tmp_path / "l.md"


@pytest.fixture
def session(path: Path) -> Session:
    session = Session()
    assert session.teaching.open_path(str(path))
    return session


def said(session: Session) -> list[str]:
    return [message.text for message in session.view.messages]


def p3(session: Session) -> float:
    value = session.teaching.lesson_value("P@3")
    assert value is not None
    return value[1]


def test_a_changed_lesson_takes_the_place_of_the_former_one(session: Session, path: Path) -> None:
    session.lesson_watch.look_at_disk()
    assert p3(session) == pytest.approx(2 / 3)
    session.teaching.go()
    session.teaching.answer("2/3")
    session.teaching.go()
    session.teaching.answer("1")
    write(path, grades="1 1 1 | R=5", second="What is P@1?")
    session.lesson_watch.look_at_disk()
    assert p3(session) == 1
    assert len(session.view.workspace.collections) == 1
    assert session.teaching.is_on
    assert session.teaching.lesson.place == 2
    assert session.teaching.given is None  # the question is another
    assert dict(session.teaching.lesson.answers)[1].right  # this one stayed
    assert said(session) == []


def test_a_lesson_that_became_shorter_shows_its_last_place(session: Session, path: Path) -> None:
    session.lessons.show_place(2)
    path.write_text(path.read_text().partition("## Question: And")[0])
    aged(path, 5)
    session.lesson_watch.look_at_disk()
    assert session.teaching.lesson.place == 1


def test_a_fault_is_said_with_its_line_and_the_lesson_stays(session: Session, path: Path) -> None:
    path.write_text(path.read_text().replace("ask: P@3", "ask: Q@3"))
    aged(path, 5)
    for _ in range(2):
        session.lesson_watch.look_at_disk()
    assert len(said(session)) == 1
    assert said(session)[0].startswith(f"{path}:8:")
    assert "Q@3" in said(session)[0]
    assert p3(session) == pytest.approx(2 / 3)
    write(path, grades="1 1 1", age=4)
    session.lesson_watch.look_at_disk()
    assert said(session) == []
    assert p3(session) == 1


def test_a_file_that_is_being_written_is_read_when_it_rests(session: Session, path: Path) -> None:
    write(path, grades="1 1 1", age=0)
    session.lesson_watch.look_at_disk()
    assert p3(session) == pytest.approx(2 / 3)
    session.lesson_watch.look_at_disk()  # the same as at the last look
    assert p3(session) == 1


def test_a_lesson_that_could_not_be_read_opens_when_it_can(tmp_path: Path) -> None:
    (tmp_path / "l.md").write_text("no header")
    session = Session()
    assert not session.teaching.open_lesson(str(tmp_path / "l.md"))
    assert said(session)[0].startswith(f"{tmp_path / 'l.md'}:1:1:")
    write(tmp_path / "l.md")
    session.lesson_watch.look_at_disk()
    assert session.teaching.is_on
    assert p3(session) == pytest.approx(2 / 3)
    assert said(session) == []


def test_lessons_of_a_course_change_and_arrive(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    write(folder / "a.md", "A", age=60)
    write(folder / "b.md", "B", age=60)
    session = Session()
    session.teaching.open_path(str(folder))
    assert session.lessons.lesson is not None
    assert session.lessons.lesson.title == "A"
    write(folder / "c.md", "C", age=50)
    write(folder / "a.md", "A again", age=50)
    session.lesson_watch.look_at_disk()
    assert session.lessons.lesson.title == "A again"
    assert [lesson.title for lesson in session.lessons.courses[-1].lessons] == ["A again", "B", "C"]
    (folder / "b.md").write_text("nothing")
    aged(folder / "b.md", 40)
    session.lesson_watch.look_at_disk()
    assert [lesson.title for lesson in session.lessons.courses[-1].lessons] == ["A again", "C"]
    assert said(session)[0].startswith(f"{folder / 'b.md'}:1:1:")


def test_a_lesson_out_of_view_is_renewed_too(session: Session, path: Path) -> None:
    session.teaching.open_lesson("b2")
    write(path, title="New", grades="1 1 1")
    session.lesson_watch.look_at_disk()
    assert session.lessons.lesson is not None
    assert session.lessons.lesson.id == "b2"
    assert session.view.workspace.collections[0].name == "New"
    session.files.set_collection(0)
    assert p3(session) == 1


def test_what_was_tried_in_it_is_gone_and_cannot_be_undone(session: Session, path: Path) -> None:
    run = session.view.labels()[0].key
    copy = session.run_editing.edit_copy(run)
    assert copy is not None
    session.run_editing.swap_ranks(copy, 1, 2)
    write(path, grades="1 1 1")
    session.lesson_watch.look_at_disk()
    assert len(session.view.labels()) == 1
    assert not session.history.has_step_here()


def test_the_window_reads_no_lesson_on_its_thread(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window, readers = threading.get_ident(), []
    opened = Path.open

    def noted(self: Path, *arguments: object, **named: object) -> object:
        if self.suffix == ".md":
            readers.append(threading.get_ident())
        return opened(self, *arguments, **named)  # type: ignore[arg-type, call-overload]

    monkeypatch.setattr(Path, "open", noted)
    posted: Queue[Callable[[], None]] = Queue()
    session = Session(post=posted.put)
    assert session.teaching.open_lesson(str(path))  # as irviewer lesson FILE does
    deliver(posted, lambda: session.teaching.is_on, seconds=20)
    write(path, grades="1 1 1")
    readers.clear()
    session.lesson_watch.look_at_disk()
    deliver(posted, lambda: p3(session) == 1, seconds=20)
    assert readers
    assert window not in readers
    session.close()
