"""What the lessons of a course say of each other and of the files beside them: lessons that are named and not there,
pictures that no lesson shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.lessons.course_folder import bundled_course, read_course
from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson
from irviewer.paths import is_folder
from irviewer.session.teaching.checking.prose.unknown_names import unknown_lessons
from irviewer.translation import tr

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".svg"})
"""The endings of pictures that lessons can show."""


def false_references(course: Course) -> Iterator[ParseError]:
    """Yield a fault for each other lesson that a lesson names and that neither its folder nor the program has; of a
    folder also for each picture that none of its lessons shows."""
    bundled = [name for lesson in bundled_course().lessons for name in (lesson.id, lesson.title)]
    for lesson in course.lessons:
        if not any(unknown_lessons(lesson, ())):
            continue
        known = [*bundled, *_names(course), *_beside(lesson)]
        for reason, text, hint, at in unknown_lessons(lesson, known):
            yield ParseError(lesson.path, reason, line=at.line, column=at.column, text=text, hint=hint)
    if is_folder(course.path) and all(entry.fault is None for entry in course.entries):
        # The folder may be named from where the program runs; the paths of its lessons are whole.
        shown = {
            (Path(lesson.path).parent / each.name).resolve() for lesson in course.lessons for each in lesson.pictures
        }
        for file in sorted(Path(course.path).iterdir()):
            if file.suffix.lower() in PICTURES and file.resolve() not in shown:
                yield ParseError(file, tr("no lesson shows this picture"), hint=tr("show it, or remove it"))


def _names(course: Course) -> Iterator[str]:
    for entry in course.entries:
        yield from (Path(entry.path).name, Path(entry.path).stem)
        if entry.lesson is not None:
            yield from (entry.lesson.id, entry.lesson.title)


def _beside(lesson: Lesson) -> list[str]:
    """Return the names of the lessons in the folder of a lesson; none where it cannot be read."""
    try:
        return list(_names(read_course(Path(lesson.path).parent))) if lesson.path else []
    except IrviewerError:
        return []
