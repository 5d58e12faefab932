"""A fault of a lesson: where it is, why, and what to do."""

from __future__ import annotations

from irviewer.errors import ParseError
from irviewer.model.lessons.lesson import Lesson, Place


def fault_at(lesson: Lesson, at: Place, reason: str, text: str, hint: str = "") -> ParseError:
    return ParseError(lesson.path, reason, line=at.line, column=at.column, text=text, hint=hint)
