"""Lessons and courses as they are read from files: on a worker, since a disk may not respond."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson
from irviewer.paths import is_anything
from irviewer.session.files.changed_files import Stamp, stamp

Stamps = Mapping[str, Stamp]
"""By path, the state of the file of a lesson, or of all lessons of a folder."""


@dataclass(frozen=True)
class LessonSource:
    """What was read from a file or a folder.

    path      the whole path of the file, or of the folder of a course
    stamps    its state from before it was read; {} if there is no such file or folder
    content   the lesson or the course; None if it cannot be read
    fault     why it cannot be read; None if it can be, or if it does not exist
    """

    path: str
    stamps: Stamps
    content: Lesson | Course | None = None
    fault: ParseError | None = None

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that can be read."""
        return self.content.lessons if isinstance(self.content, Course) else (self.content,) if self.content else ()

    @property
    def faults(self) -> tuple[ParseError, ...]:
        """The faults of all lessons that cannot be read."""
        entries = self.content.entries if isinstance(self.content, Course) else ()
        faults = (self.fault, *(entry.fault for entry in entries))
        return tuple(fault for fault in faults if fault is not None)


def read_source(path: str) -> LessonSource:
    from irviewer.formats.lessons.course_folder import read_course
    from irviewer.formats.lessons.lesson_file import read_lesson

    whole = Path(path).absolute()
    if not is_anything(whole):
        return LessonSource(str(whole), {})
    stamps = stamps_of(str(whole))
    try:
        content = read_course(whole) if whole.is_dir() else read_lesson(whole)
    except ParseError as failure:
        return LessonSource(str(whole), stamps, fault=failure)
    return LessonSource(str(whole), stamps, content)


def lesson_among(paths: Sequence[str]) -> LessonSource | None:
    """Return the lesson or the course among paths that were opened, dropped or double-clicked; None if they are
    something else."""
    from irviewer.formats.lessons.course_folder import is_lesson_path

    return read_source(paths[0]) if len(paths) == 1 and is_lesson_path(paths[0]) else None


def stamps_of(path: str) -> Stamps:
    """Return the present state of a lesson, or of all lessons of a folder."""
    names = [path]
    if Path(path).is_dir():
        try:
            with os.scandir(path) as entries:
                names = sorted(entry.path for entry in entries if entry.name.lower().endswith(".md"))
        except OSError:
            names = []
    present = {name: stamp(name) for name in names}
    return {name: each for name, each in present.items() if each is not None}
