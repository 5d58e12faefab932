"""The faults of a lesson of one text, for tests of what sentences say."""

from __future__ import annotations

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.faults import faults_of


def reasons(head: str, text: str) -> list[str]:
    """Return the reasons of all faults of a lesson with some lines of a header and a text."""
    return [fault.reason for fault in faults_of(parse_lesson(f"---\ntitle: T\n{head}---\n{text}\n", "l.md"))]
