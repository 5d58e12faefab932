"""``irviewer lesson``: check lessons, and print them as sheets. Without an option the window opens them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.lessons.course_folder import bundled_course, read_course
from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.model.lessons.lesson import Lesson
from irviewer.paths import is_anything, is_folder
from irviewer.session.teaching.checking import faults_of
from irviewer.session.teaching.printing import lesson_sheet, opened, save_sheet
from irviewer.translation import tr, trn


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = tr(
        "Open a lesson in the window; with --print or --check, write its sheet or report its faults instead."
    )
    parser.add_argument(
        "lesson", metavar="LESSON", help=tr("a file, a folder of lessons, or the id of a bundled lesson")
    )
    parser.add_argument(
        "--print", dest="sheet", metavar="FILE", help=tr("write a sheet with blanks to fill in; - for standard output")
    )
    parser.add_argument("--answers", action="store_true", help=tr("with --print: a sheet with the answers"))
    parser.add_argument("--check", action="store_true", help=tr("report faults with file, line and column"))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer lesson``; 2 if a lesson has a fault. Raises OptionError for options that do not go together."""
    if options.answers and not options.sheet:
        raise OptionError(tr("--answers needs --print FILE"))
    lessons, faults = _with_files(*_read(options.lesson), check=options.check)
    for fault in faults:
        print(f"irviewer: {fault}", file=sys.stderr)
    if options.sheet and lessons:
        if options.sheet == "-":
            sys.stdout.write(lesson_sheet(lessons, answers=options.answers))
        else:
            save_sheet(options.sheet, lessons, answers=options.answers)
    elif not faults:
        n = len(lessons)
        print(trn("{n} lesson without faults", "{n} lessons without faults", n))
    return 2 if faults else 0


def _with_files(
    lessons: Sequence[Lesson], faults: Sequence[IrviewerError], *, check: bool
) -> tuple[tuple[Lesson, ...], list[IrviewerError]]:
    """Return the lessons whose files can be read, and the faults with those of the others; with ``check`` also what is
    false in a lesson."""
    good, all_faults = [], list(faults)
    for lesson in lessons:
        try:
            if check:
                all_faults += faults_of(lesson)
            elif lesson.files:
                opened(lesson)
        except IrviewerError as fault:
            all_faults.append(fault)
        else:
            good.append(lesson)
    return tuple(good), all_faults


def _read(name: str) -> tuple[tuple[Lesson, ...], list[IrviewerError]]:
    """Return the lessons of a name, and the faults of those that cannot be read. Raises IrviewerError."""
    if is_folder(name):
        course = read_course(name)
        return course.lessons, [entry.fault for entry in course.entries if entry.fault is not None]
    if is_anything(name):
        return (read_lesson(name),), []
    lesson = bundled_course().lesson(name)
    if lesson is None:
        known = ", ".join(each.id for each in bundled_course().lessons)
        raise IrviewerError(tr("there is no lesson {name!r}; bundled are {known}", name=name, known=known))
    return (lesson,), []
