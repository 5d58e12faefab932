"""A course is walked: from lesson to lesson, back to what was wrong, and to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.formats.lessons.course_folder import bundled_course, read_course
from irviewer.session.session import Session
from irviewer.session.settings import Settings

LESSON = """---
title: {title}
rankings: 1 0 1 | R=3
---
Text.

## Question: What is P@3?
ask: P@3

## Question: Who?
answer: Cleverdon
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "week"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.md").write_text(LESSON.format(title=name.upper()))
    (folder / "course.md").write_text("---\ntitle: W\nlessons:\n  # One\n  b.md\n  a.md\n  # Two\n  c.md\n---\n")
    return folder


@pytest.fixture
def session(course: Path, tmp_path: Path) -> Session:
    session = Session(settings=Settings(tmp_path / "settings.json"))
    assert session.teaching.open_path(str(course))
    return session


def at(session: Session) -> tuple[str, int]:
    assert session.lessons.lesson is not None
    return session.lessons.lesson.title, session.teaching.lesson.place


def solve(session: Session, *answers: str) -> None:
    """Answer the questions of the lesson in view, each with one answer or, apart by bars, with several tries."""
    for answer in answers:
        assert session.teaching.go()
        for each in answer.split("|"):
            session.teaching.answer(each)


def test_lessons_follow_each_other_as_the_course_says(session: Session) -> None:
    walk = session.course_walk
    assert (at(session), walk.chapter) == (("B", 0), "One")
    assert not walk.go(-1)
    assert walk.go()
    assert walk.go()
    assert (at(session), walk.chapter) == (("C", 0), "Two")
    assert walk.beside(1) is None
    assert not walk.go()
    assert walk.go(-1)
    assert at(session) == ("A", 0)


def test_a_single_lesson_has_no_course(tmp_path: Path) -> None:
    (tmp_path / "l.md").write_text(LESSON.format(title="L"))
    session = Session()
    assert session.teaching.open_path(str(tmp_path / "l.md"))
    walk = session.course_walk
    assert (walk.course, walk.chapter, walk.beside(1), walk.missed, walk.end_text) == (None, "", None, (), "")
    assert not walk.come_back()


def test_missed_questions_come_back_until_they_are_right(session: Session) -> None:
    walk = session.course_walk
    solve(session, ".1|2/3", "Cleverdon")
    assert [(lesson.title, place) for lesson, place in walk.missed] == [("B", 1)]
    assert walk.go()
    solve(session, "2/3", "nobody")
    session.teaching.show_answer()
    assert [(lesson.title, place) for lesson, place in walk.missed] == [("B", 1), ("A", 2)]
    assert walk.come_back()
    assert at(session) == ("B", 1)  # after the last one the first
    assert session.teaching.is_asking
    session.teaching.answer("2/3")
    assert [(lesson.title, place) for lesson, place in walk.missed] == [("A", 2)]
    assert walk.come_back()
    assert at(session) == ("A", 2)
    session.teaching.answer("cleverdon")
    assert walk.missed == ()
    assert not walk.come_back()


def test_missed_questions_are_known_in_another_session_and_forgotten_by_a_reset(
    session: Session, course: Path, tmp_path: Path
) -> None:
    solve(session, ".1")
    other = Session(settings=Settings(tmp_path / "settings.json"))
    [lesson] = [each for each in read_course(course).lessons if each.title == "B"]
    assert other.progress.of(lesson).missed == (1,)
    put_back = other.progress.reset([lesson])
    assert other.progress.of(lesson).missed == ()
    put_back()
    assert other.progress.of(lesson).missed == (1,)


def test_the_end_of_the_course_says_what_is_done_and_what_is_left(session: Session) -> None:
    walk = session.course_walk
    solve(session, ".1|2/3", "Cleverdon")
    assert walk.end_text == ""
    walk.go()
    walk.go()
    solve(session, "2/3", "nobody")
    assert walk.end_text == ""  # it asks
    session.teaching.answer("Cleverdon")
    assert walk.end_text == "The end of the course. 2 of 3 lessons done. 2 questions to come back to."


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_bundled_lesson_has_a_chapter(language: str) -> None:
    chapters = [entry.chapter for entry in bundled_course(language).entries]
    assert all(chapters)
    assert sum(a != b for a, b in zip(chapters, ["", *chapters], strict=False)) == len(set(chapters)) >= 5
