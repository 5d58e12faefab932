"""Progress in lessons is kept for each course, survives a crash and a second window, and can be reset."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

import pytest

from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.teaching import progress

LESSON = """---
title: {title}
rankings: 1 0 1 | R=2
---
Text.

## Question: What is P@3?
answer: 2/3

## Question: And P@1?
answer: 1
{more}"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text(LESSON.format(title=name, more=""), encoding="utf-8")
    return folder


def make(tmp_path: Path) -> Session:
    return Session(Settings(tmp_path / "config" / "settings.json"))


def progress_of(session: Session, path: Path) -> tuple[int, int, bool]:
    session.progress.look()
    of = session.progress.of(read_lesson(path))
    return of.answered, of.questions, of.is_done


def answer(session: Session, path: Path, *answers: str) -> None:
    session.teaching.open_path(str(path))
    for text in answers:
        session.teaching.go()
        session.teaching.answer(text)


def test_questions_answered_rightly_are_done_and_the_lesson_with_all_of_them(course: Path, tmp_path: Path) -> None:
    session = make(tmp_path)
    assert progress_of(session, course / "a.md") == (0, 2, False)
    answer(session, course / "a.md", "0.5", "1")  # the first one is wrong
    assert progress_of(session, course / "a.md") == (1, 2, False)
    answer(session, course / "a.md", "2/3")
    assert progress_of(session, course / "a.md") == (2, 2, True)
    assert progress_of(session, course / "b.md") == (0, 2, False)
    assert progress_of(make(tmp_path), course / "a.md") == (2, 2, True)  # another session


def test_an_answer_that_was_shown_is_not_given(course: Path, tmp_path: Path) -> None:
    session = make(tmp_path)
    session.teaching.open_path(str(course / "a.md"))
    session.teaching.go()
    session.teaching.show_answer()
    assert progress_of(session, course / "a.md") == (0, 2, False)


def test_a_course_opens_at_its_first_lesson_that_is_not_done(course: Path, tmp_path: Path) -> None:
    session = make(tmp_path)
    answer(session, course / "a.md", "2/3", "1")
    session.teaching.open_path(str(course))
    assert session.lessons.lesson is not None
    assert session.lessons.lesson.title == "b"


def test_a_question_that_is_new_in_the_file_is_not_done(course: Path, tmp_path: Path) -> None:
    session = make(tmp_path)
    answer(session, course / "a.md", "2/3", "1")
    more = "\n## Question: And R@3?\nanswer: 1\n"
    (course / "a.md").write_text(LESSON.format(title="a", more=more), encoding="utf-8")
    assert progress_of(session, course / "a.md") == (2, 3, False)


def test_bundled_lessons_are_one_course_in_all_languages(tmp_path: Path) -> None:
    session = make(tmp_path)
    session.teaching.open_lesson("b2")
    lesson = session.lessons.lesson
    assert lesson is not None
    session.lessons.show_place(len(lesson.items))
    path = Path(lesson.path)
    session.teaching.go(-1)
    session.teaching.show_answer()
    stored = json.loads((tmp_path / "config" / progress.FILE).read_bytes())["courses"]
    assert list(stored) == ["bundled"]
    assert session.progress.of(lesson) == session.progress.of(read_lesson(path.parent.parent / "es" / path.name))


def test_a_reset_forgets_one_course_and_is_undone(course: Path, tmp_path: Path) -> None:
    session, second = make(tmp_path), make(tmp_path)
    answer(session, course / "a.md", "2/3", "1")
    assert progress_of(second, course / "a.md") == (2, 2, True)
    undo = session.progress.reset([read_lesson(course / "a.md"), read_lesson(course / "b.md")])
    answer(second, course / "b.md", "2/3")  # a second window does not bring back what was reset
    assert progress_of(session, course / "a.md") == (0, 2, False)
    assert progress_of(session, course / "b.md") == (1, 2, False)
    undo()
    assert progress_of(second, course / "a.md") == (2, 2, True)


def test_nothing_is_stored_in_a_confidential_session(course: Path, tmp_path: Path) -> None:
    session = make(tmp_path)
    session.settings.keep_to_itself()
    answer(session, course / "a.md", "2/3")
    assert not (tmp_path / "config" / progress.FILE).exists()
    assert session.progress.of(read_lesson(course / "a.md")).answered == 1


def test_a_damaged_file_is_kept_under_another_name(course: Path, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / progress.FILE).write_bytes(b'{"courses": [')
    session = make(tmp_path)
    answer(session, course / "a.md", "2/3")
    assert progress_of(make(tmp_path), course / "a.md") == (1, 2, False)
    assert (tmp_path / "config" / "lessons.unreadable").read_bytes() == b'{"courses": ['


def test_a_crash_while_writing_leaves_the_former_file(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make(tmp_path)
    answer(session, course / "a.md", "2/3")
    before = (tmp_path / "config" / progress.FILE).read_bytes()

    def crash(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", crash)
    answer(session, course / "b.md", "2/3")
    assert "No space left on device" in session.view.messages[-1].text
    assert (tmp_path / "config" / progress.FILE).read_bytes() == before
    monkeypatch.undo()
    answer(session, course / "a.md", "2/3", "1")  # what could not be stored is stored with the next change
    assert progress_of(make(tmp_path), course / "b.md") == (1, 2, False)


def _add(config: str, folder: str, number: int) -> None:
    session = Session(Settings(Path(config)))
    for name in range(5):
        mark = (folder, f"{number}-{name}", "question")
        session.progress._change(added=frozenset({mark}))
    session.close()


def test_windows_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    config = tmp_path / "config" / "settings.json"
    # Where processes can be forked, one imports for all three.
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if forks else "spawn")
    context.set_forkserver_preload([__name__])
    windows = [context.Process(target=_add, args=(str(config), "c", number)) for number in range(3)]
    for window in windows:
        window.start()
    for window in windows:
        window.join(120)
        assert window.exitcode == 0
    stored = json.loads((config.parent / progress.FILE).read_bytes())["courses"]["c"]
    assert set(stored) == {f"{number}-{name}" for number in range(3) for name in range(5)}
