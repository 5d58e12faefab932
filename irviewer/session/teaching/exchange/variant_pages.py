"""The web pages of a course for each of its students, and the right answers to each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.model.lessons.course import Course
from irviewer.rendering.table_files import save_tables
from irviewer.session.teaching.exchange.keys import key_table
from irviewer.session.teaching.exchange.web_page import LessonPages, save_text
from irviewer.translation import tr

KEYS = "keys.csv"
"""The file of the right answers."""
MOST_LETTERS = 60
"""The most characters of a student's name in the name of a page."""


def save_variants(
    folder: str, course: Course, students: Sequence[str], *, second: str = "", spreadsheet: bool = False
) -> int:
    """Write a page for each student and the right answers of all into a folder, which is made; return the number of
    pages. ``second`` is a folder with the pages of the same students in another language, which each can switch to.
    Raises OSError, and IrviewerError if no lesson of the course varies, or as
    :func:`~irviewer.session.teaching.exchange.web_page.lesson_page` does."""
    if not any(lesson.varies for lesson in course.lessons):
        raise IrviewerError(tr("No lesson here varies; write vary: in the header of one."))
    names = page_names(students)
    pages = LessonPages(course)
    if second and Path(second).resolve() == Path(folder).resolve():
        raise IrviewerError(
            tr("{folder} holds the pages in the other language; write to another folder", folder=folder)
        )
    seconds = [str(Path(second) / name) if second else "" for name in names]
    texts = [pages.page(student, other) for student, other in zip(students, seconds, strict=True)]
    keys = key_table(course, students, names)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in zip(names, texts, strict=True):
        save_text(Path(folder) / name, text)
    save_tables(str(Path(folder) / KEYS), [keys], form="csv", spreadsheet=spreadsheet)
    return len(names)


def page_names(students: Sequence[str]) -> list[str]:
    """Return the name of each student's page: letters, digits and hyphens, no two that differ in case alone."""
    names: list[str] = []
    taken: set[str] = set()
    for student in students:
        stem = re.sub(r"[^\w]+", "-", student).strip("-_")[:MOST_LETTERS] or "student"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names.append(f"{name}.html")
    return names
