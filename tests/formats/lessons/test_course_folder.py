"""Courses: folders of lessons, in order, with translations and faults."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.lessons import course_folder
from irviewer.formats.lessons.course_folder import bundled_course, read_course
from irviewer.model.lessons.course import Course


def lesson(title: str) -> str:
    return f"---\ntitle: {title}\nrankings: 1 0 1\n---\n"


def test_lessons_come_by_name_or_as_the_course_says(tmp_path: Path) -> None:
    for name in ("02-b", "01-a"):
        (tmp_path / f"{name}.md").write_text(lesson(name))
    (tmp_path / "README.md").write_text("no lesson")
    course = read_course(tmp_path)
    assert [each.title for each in course.lessons] == ["01-a", "02-b"]
    assert course.title == tmp_path.name
    (tmp_path / "course.md").write_text("---\ntitle: Mine\nlessons:\n  02-b.md\n  01-a.md\n---\nAbout it.\n")
    course = read_course(tmp_path)
    assert (course.title, course.text) == ("Mine", "About it.")
    assert [each.title for each in course.lessons] == ["02-b", "01-a"]
    (tmp_path / "course.md").write_text("---\ntitle: Mine\nlessons: ../x.md\n---\n")
    with pytest.raises(ParseError, match="not in the lesson's folder"):
        read_course(tmp_path)


def test_lessons_of_folders_have_their_own_chapters_and_are_listed_once(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text(lesson(folder))
    index = "---\ntitle: C\nlessons:\n  # First\n  one/a.md\n  # Second\n  two/a.md\n{more}---\n"
    (tmp_path / "course.md").write_text(index.format(more=""))
    entries = read_course(tmp_path).entries
    assert [(each.lesson.title, each.chapter) for each in entries if each.lesson] == [
        ("one", "First"),
        ("two", "Second"),
    ]
    (tmp_path / "course.md").write_text(index.format(more="  one/../one/a.md\n"))
    with pytest.raises(ParseError, match=r"one/\.\./one/a\.md is listed twice; list each lesson once"):
        read_course(tmp_path)


def test_a_lesson_with_a_fault_keeps_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(lesson("A"))
    (tmp_path / "b.md").write_text("---\nrankings: 1 0\n---\n")
    course = read_course(tmp_path)
    assert [entry.lesson is None for entry in course.entries] == [False, True]
    assert "has no title" in str(course.entries[1].fault)
    with pytest.raises(ParseError, match="has no lessons"):
        read_course(tmp_path / ".." / tmp_path.name / "none" if (tmp_path / "none").mkdir() else tmp_path / "none")


def test_a_language_takes_the_place_of_english_where_it_has_the_lesson(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language, names in (("en", ("a", "b")), ("es", ("b",))):
        (tmp_path / language).mkdir()
        for name in names:
            (tmp_path / language / f"{name}.md").write_text(lesson(f"{name} {language}"))
    monkeypatch.setattr(course_folder, "resource", lambda name: tmp_path / "en")
    course_folder._bundled.cache_clear()
    try:
        for language in ("es", "es_MX"):
            assert [each.title for each in bundled_course(language).lessons] == ["a en", "b es"]
        assert [each.title for each in bundled_course("de").lessons] == ["a en", "b en"]
    finally:
        course_folder._bundled.cache_clear()


def test_every_bundled_lesson_can_be_read() -> None:
    course = bundled_course("")
    assert [str(entry.fault) for entry in course.entries if entry.fault is not None] == []
    assert len({each.id for each in course.lessons}) == len(course.lessons) >= 18


def test_the_lessons_of_the_program_are_read_once_by_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for them while they are read in the background waits for them."""
    begun, go_on, readings = threading.Event(), threading.Event(), []

    def slow(folder: Path) -> Course:
        readings.append(folder)
        begun.set()
        go_on.wait(60)
        return read_course(folder)

    monkeypatch.setattr(course_folder, "read_course", slow)
    course_folder._bundled.cache_clear()
    courses: list[Course] = []
    threads = [threading.Thread(target=lambda: courses.append(bundled_course("en"))) for _ in range(2)]
    threads[0].start()
    assert begun.wait(60)
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert len(readings) == 1
    assert courses[0] is courses[1]
