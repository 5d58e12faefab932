"""``irviewer lesson``: check lessons, print them, write them as a web page. Without an option the window opens them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from irviewer.cli.options.common import add_output, put, put_result
from irviewer.cli.streams import ProgressLine
from irviewer.engines.engine import PROCESSES, Attempt, Results, engine_of, result_of
from irviewer.errors import IrviewerError, OptionError, ParseError, printable
from irviewer.formats.lessons.answer_file import read_answers
from irviewer.formats.lessons.course_folder import bundled_course, read_course, translations_of
from irviewer.formats.lessons.lesson_file import read_lesson, read_text
from irviewer.formats.lessons.read_record import RECORD, Reading
from irviewer.formats.lessons.students import read_students
from irviewer.model.lessons.course import Course, course_of, refuse_same_ids
from irviewer.model.lessons.lesson import Lesson
from irviewer.paths import is_anything, is_folder
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.table_files import save_tables
from irviewer.session.teaching.checking.bundled_lessons import bundled_like, differences_from_bundled
from irviewer.session.teaching.checking.check_again import CheckAgain
from irviewer.session.teaching.checking.course_references import false_references
from irviewer.session.teaching.checking.fault_lines import at_their_lines
from irviewer.session.teaching.checking.faults import TRIED, faults_of
from irviewer.session.teaching.checking.proofreading import changes_since, mark_as_read, read_lines, readings_of
from irviewer.session.teaching.checking.translations import differences
from irviewer.session.teaching.checking.unchecked_places import (
    KINDS,
    TextPlace,
    lines_of_ideas,
    places_of,
    to_read,
    unnoticed,
)
from irviewer.session.teaching.exchange.grading import graded
from irviewer.session.teaching.exchange.moodle import moodle_xml
from irviewer.session.teaching.exchange.printing import lesson_sheet, save_sheet
from irviewer.session.teaching.exchange.qti import VERSIONS, qti_package
from irviewer.session.teaching.exchange.variant_pages import KEYS, save_variants
from irviewer.session.teaching.exchange.web_page import lesson_page, save_page
from irviewer.session.teaching.own_session import opened
from irviewer.tables.table import Table
from irviewer.tables.writers.registry import WRITERS, writer_named
from irviewer.translation import is_known, languages, tr, trn

BUNDLED = "bundled"
"""The name of the course that comes with the program."""
FORMAT = "csv"
"""The format of points, if none is named."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = tr(
        "Open a lesson in the window; an option writes its sheets, web page or questions, marks answers, or reports "
        "faults."
    )
    parser.add_argument(
        "lesson",
        metavar="LESSON",
        help=tr("a file, a folder of lessons, the id of a bundled lesson, or bundled for all of them"),
    )
    parser.add_argument(
        "--print", dest="sheet", metavar="FILE", help=tr("write a sheet with blanks to fill in; - for standard output")
    )
    parser.add_argument(
        "--web",
        metavar="FILE",
        help=tr("write one web page that needs no network and no server; - for standard output"),
    )
    parser.add_argument(
        "--second",
        metavar="FILE",
        help=tr(
            "with --web: such a page of the same lessons in another language, which the page can switch to; with "
            "--variants: the folder of the pages in that language; with --check: the lessons in that language, which "
            "have to have the same numbers, steps and answers"
        ),
    )
    parser.add_argument(
        "--moodle",
        metavar="FILE",
        help=tr("write the questions as Moodle XML, for a question bank; - for standard output"),
    )
    parser.add_argument(
        "--qti", metavar="FILE", help=tr("write the questions as a QTI package (ZIP), for other question banks")
    )
    parser.add_argument(
        "--qti-version",
        choices=VERSIONS,
        help=tr("with --qti: the version of QTI; {default} if left out", default=VERSIONS[0]),
    )
    parser.add_argument(
        "--language", metavar="CODE", help=tr("the language of sheets, pages and bundled lessons, such as es")
    )
    parser.add_argument(
        "--grade", nargs="+", metavar="FILE",
        help=tr("mark answers that students saved in the web page of the lessons: points by question, and mistakes"),
    )  # fmt: skip
    add_output(
        parser,
        [writer.name for writer in WRITERS],
        FORMAT,
        tr("with --grade: write the points to this file; with --variants: the folder"),
    )
    parser.add_argument(
        "--variants", metavar="FILE",
        help=tr(
            "with -o FOLDER: write a web page for each student of a file that has a name a line, in lessons that vary "
            "with rankings of their own, and the right answers; with --grade: name answers of others; with --check: "
            "try the lessons as each of them has it"
        ),
    )  # fmt: skip
    parser.add_argument("--answers", action="store_true", help=tr("with --print: a sheet with the answers"))
    parser.add_argument("--check", action="store_true", help=tr("report faults with file, line and column"))
    parser.add_argument(
        "--unchecked",
        action="store_true",
        help=tr(
            "with --check: list the sentences that could say something else without a fault, which are yours to read"
        ),
    )
    parser.add_argument(
        "--again", action="store_true", help=tr("with --unchecked: list also the sentences that were marked as read")
    )
    parser.add_argument(
        "--mark-read",
        action="store_true",
        help=tr(
            "with --check: if there are no faults, mark the lessons as read, in {file} beside them; from then on "
            "--check reports each line and each file of a lesson that has changed",
            file=RECORD,
        ),
    )


def _refuse_passed_over(options: argparse.Namespace) -> None:
    """Raise OptionError for an option that would be passed over: pages of students and marks are all that is made where
    they are asked for, and only marks are a table."""
    alone = "--grade" if options.grade else "--variants" if options.variants and not options.check else ""
    others = {
        "--print": options.sheet, "--web": options.web, "--moodle": options.moodle, "--qti": options.qti,
        "--check": options.check,
    }  # fmt: skip
    for option in filter(others.__getitem__, others if alone else ()):
        raise OptionError(tr("{first} does nothing else; leave out {option}", first=alone, option=option))
    if options.output and not alone and not options.variants:
        raise OptionError(tr("{option} needs {other}", option="-o", other="--grade FILE, --variants FILE"))
    named = options.format != FORMAT and not options.output  # else it may be that of the file's ending
    if (named or options.spreadsheet) and not options.grade:
        option = "--format" if named else "--spreadsheet"
        raise OptionError(tr("{option} needs {other}", option=option, other="--grade FILE"))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer lesson``; 2 if a lesson has a fault. Raises OptionError for options that do not go together."""
    if options.answers and not options.sheet:
        raise OptionError(tr("--answers needs --print FILE"))
    if options.unchecked and not options.check:
        raise OptionError(tr("--unchecked needs --check"))
    if options.qti_version and not options.qti:
        raise OptionError(tr("{option} needs {other}", option="--qti-version", other="--qti FILE"))
    _refuse_passed_over(options)
    if options.again and not options.unchecked:
        raise OptionError(tr("--again needs --unchecked"))
    if options.mark_read and not options.check:
        raise OptionError(tr("--mark-read needs --check"))
    if options.mark_read and not is_anything(options.lesson):
        raise OptionError(tr("--mark-read needs a file or a folder of lessons"))
    if options.second and not options.web and not options.check and (options.grade or not options.variants):
        raise OptionError(tr("--second needs --check, --web FILE, or --variants FILE -o FOLDER"))
    if options.language and not is_known(options.language):
        known = ", ".join(languages())
        raise OptionError(tr("there is no language {name!r}; known are {known}", name=options.language, known=known))
    course, faults = _read(options.lesson)
    if options.grade:
        enrolled = read_students(options.variants) if options.variants else None
        answers = []
        for path in options.grade:
            try:
                answers.append(read_answers(path))
            except IrviewerError as unread:
                faults.append(unread)
        for fault in faults:
            print(f"irviewer: {fault}", file=sys.stderr)
        if answers:
            _put_table(graded(course, answers, enrolled), options)
        return 2 if faults else 0
    if options.check and options.variants and options.output:
        raise OptionError(tr("--check --variants FILE writes nothing; leave out -o, or --check"))
    if options.variants and not options.check:
        for fault in faults:
            print(f"irviewer: {fault}", file=sys.stderr)
        return max(_write_variants(course, options), 2 if faults else 0)
    if options.check:
        try:
            refuse_same_ids(course)
        except ParseError as same:
            faults.append(same)
    students = TRIED if not (options.check and options.variants) else read_students(options.variants)
    if options.check and options.second and not options.web:
        faults += _between_languages(course, options.second)
    faults += false_references(course) if options.check else ()
    beside = _translations(course) if options.check and not options.second else {}
    faults += [fault for lesson, file in _pairs(course, beside) for fault in _between(lesson, file)]
    made_of = (
        {lesson.path: other for lesson in course.lessons if (other := bundled_like(lesson))} if options.check else {}
    )
    for lesson in course.lessons:
        faults += differences_from_bundled(lesson, made_of[lesson.path]) if lesson.path in made_of else ()
    lessons, faults = _with_files(course.lessons, faults, students if options.check else ())
    readings, changes = _readings(course, options) if options.check else ({}, [])
    for fault in [*at_their_lines(faults), *changes]:
        print(f"irviewer: {fault}", file=sys.stderr)
    faults += changes

    def trials(some: Sequence[Lesson]) -> Iterator[_Trial]:
        return _trials(some, students, _others(course, beside, options.second), made_of)

    if options.unchecked:
        _put_unchecked([*trials(lessons)], {} if options.again else readings)
    if options.mark_read and faults:
        print("irviewer: " + tr("nothing was marked as read, as there are faults"), file=sys.stderr)
    elif options.mark_read:
        for name in mark_as_read(course):
            print(printable(tr("{name} is there no longer, and no longer marked as read", name=name)))
        readings = readings_of(course)
    if options.sheet and lessons:
        if options.sheet == "-":
            sys.stdout.write(lesson_sheet(lessons, answers=options.answers))
        else:
            save_sheet(options.sheet, lessons, answers=options.answers)
    good = replace(course, entries=tuple(entry for entry in course.entries if entry.lesson in lessons))
    if options.web and lessons:
        if options.web == "-":
            sys.stdout.write(lesson_page(good, options.second or ""))
        else:
            save_page(options.web, good, options.second or "")
    if options.moodle and lessons:
        put(moodle_xml(good).decode(), options.moodle)
    if options.qti and lessons:
        package = qti_package(good, options.qti_version or VERSIONS[0])
        if options.qti == "-":
            sys.stdout.buffer.write(package)
        else:
            write_atomically(Path(options.qti), lambda file: file.write(package))
    if options.sheet or options.web or options.moodle or options.qti:
        return 2 if faults else 0
    if not faults:
        n = len(lessons)
        print(trn("{n} lesson without faults", "{n} lessons without faults", n))
        for folder, files in beside.items():
            n = len(files)
            print(
                trn("compared with {n} lesson in {folder}", "compared with {n} lessons in {folder}", n, folder=folder)
            )
        if made_of:
            names = ", ".join(other.id for other in made_of.values())
            print(tr("compared with the bundled lessons of the same id, rankings and items: {names}", names=names))
        if options.check and any(lesson.varies_order for lesson in lessons):
            tried = len(students)
            print(trn("rankings that vary: tried as {n} student has them",
                      "rankings that vary: tried as {n} students have them", tried))  # fmt: skip
        if options.check and not options.unchecked and lessons:
            _put_count(lessons, trials, readings)
    return 2 if faults else 0


def _readings(course: Course, options: argparse.Namespace) -> tuple[dict[str, Reading], list[IrviewerError]]:
    """Return by path what was marked as read of lessons, and a fault for each change since, unless they are marked now;
    the fault of a record that cannot be read."""
    try:
        readings = readings_of(course)
        return readings, [] if options.mark_read else [*changes_since(course, readings)]
    except ParseError as damaged:
        return {}, [damaged]


def _put_unchecked(trials: Sequence[_Trial], readings: Mapping[str, Reading]) -> None:
    """Print the sentences of lessons in which something else would be no fault, but for lines that were marked as read,
    and how many places there are."""
    count, missed = sum(len(trial.places) for trial in trials), _tried(trials)
    unnoticed_places = sum(map(len, missed.values()))
    sentences = left = 0
    for lesson, text, places, own in _by_lesson(trials, missed):
        reading = readings.get(lesson.path)
        read = read_lines(lesson.path, reading) if reading is not None else frozenset()
        unread = [each for each in own if text.count("\n", 0, each[0].start) + 1 not in read]
        left += len(unread)
        for each in to_read(text, unread):
            sentences += 1
            said = _not_noticed(each.kind, "; ".join(each.unnoticed))
            print(printable(f"{lesson.path}:{each.line}:{each.column}: {said} [{each.sentence}]"))
        _put_ideas(lesson, [line for line in lines_of_ideas(text, lesson, places) if line not in read])
    if left < unnoticed_places:
        print(
            trn("{n} place was marked as read: --unchecked --again lists it too",
                "{n} places were marked as read: --unchecked --again lists them too", unnoticed_places - left)
        )  # fmt: skip
    print(
        trn(
            "of {n} place in the texts the check judges {checked}; read the others yourself: {left}, {sentences}",
            "of {n} places in the texts the check judges {checked}; read the others yourself: {left}, {sentences}",
            count,
            checked=count - unnoticed_places,
            left=trn("{n} place", "{n} places", left),
            sentences=trn("in {n} sentence", "in {n} sentences", sentences),
        )
    )


def _by_lesson(
    trials: Sequence[_Trial], missed: Mapping[int, _Missed]
) -> Iterator[tuple[Lesson, str, list[TextPlace], _Missed]]:
    """Yield the lessons of some trials, each with its text, its places, and those in which something else is not
    noticed."""
    for lesson, group in groupby(enumerate(trials), key=lambda each: each[1].lesson):
        own = [*group]
        places = [place for _, trial in own for place in trial.places]
        yield lesson, own[0][1].text, places, [each for at, _ in own for each in missed[at]]


def _put_ideas(lesson: Lesson, lines: Sequence[int]) -> None:
    """Print the lines of the sentences in which nothing can be tried."""
    if lines:
        runs = [[*run] for _, run in groupby(enumerate(lines), key=lambda each: each[1] - each[0])]
        said = ", ".join(str(run[0][1]) if len(run) == 1 else f"{run[0][1]}–{run[-1][1]}" for run in runs)
        print(
            printable(
                f"{lesson.path}: " + tr("sentences without numbers, names and comparisons: lines {lines}", lines=said)
            )
        )


def _not_noticed(kind: str, changes: str) -> str:
    if kind == "answer":
        return tr("right answer not noticed: {changes}", changes=changes)
    if kind == "number":
        return tr("number not noticed: {changes}", changes=changes)
    if kind == "comparison":
        return tr("comparison not noticed: {changes}", changes=changes)
    return tr("name not noticed: {changes}", changes=changes)


def _put_count(
    lessons: Sequence[Lesson],
    trials_of: Callable[[Sequence[Lesson]], Iterable[_Trial]],
    readings: Mapping[str, Reading],
) -> None:
    """Print what the check does not judge of lessons that were not marked as read, and how many places of the texts it
    judges, if trying them takes about a second."""
    unread = [lesson for lesson in lessons if lesson.path not in readings]
    marked = [readings[lesson.path].date for lesson in lessons if lesson.path in readings]
    trials, n = [], 0
    for trial in trials_of(unread or lessons):
        trials.append(trial)
        n += len(trial.places)
        if n > MOST_COUNTED:
            break
    missed = _tried(trials) if n <= MOST_COUNTED else {}
    left = sum(map(len, missed.values()))
    if marked and (unread or not left):
        print(trn("{n} lesson was marked as read on {days}", "{n} lessons were marked as read on {days}", len(marked),
                  days=_days(marked)))  # fmt: skip
    if not unread and left:
        print(
            trn(
                "of {n} place in the texts the check judges {checked}; the rest, {left}, was marked as read on {days}",
                "of {n} places in the texts the check judges {checked}; the rest, {left}, was marked as read on {days}",
                n,
                checked=n - left,
                left=left,
                days=_days(marked),
            )
        )
    elif unread and n > MOST_COUNTED:
        print(tr("not every sentence can be checked: --check --unchecked lists those that are yours to read"))
    elif unread:
        _put_what_is_unread(trials, missed)
        if left:
            print(
                trn("of {n} place in the texts the check judges {checked}; read the others yourself",
                    "of {n} places in the texts the check judges {checked}; read the others yourself",
                    n, checked=n - left)
            )  # fmt: skip
        elif n:
            print(trn("the check judges the {n} place in the texts that can be another one",
                      "the check judges all {n} places in the texts that can be other ones", n))  # fmt: skip
    if unread:
        print(tr("what you have read is marked as read with --check --mark-read; later changes are faults then"))


def _days(dates: Sequence[str]) -> str:
    first, last = min(dates), max(dates)
    return first if first == last else tr("{first} to {last}", first=first, last=last)


def _put_what_is_unread(trials: Sequence[_Trial], missed: Mapping[int, _Missed]) -> None:
    """Print the sentences that the check does not judge, of many those that matter most, and the lines of those in
    which nothing can be tried."""
    lessons = [*_by_lesson(trials, missed)]
    listed = [(number, each) for number, (_, text, _, own) in enumerate(lessons) for each in to_read(text, own)]
    first = sorted(listed, key=lambda each: KINDS.index(each[1].kind))[:MOST_LISTED]
    ideas = [lines_of_ideas(text, lesson, places) for lesson, text, places, _ in lessons]
    if listed or any(ideas):
        print(tr("read yourself what the check does not judge:"))
    for number, (lesson, *_) in enumerate(lessons):
        for each in (each for of, each in listed if of == number and (of, each) in first):
            print(printable(f"{lesson.path}:{each.line}:{each.column}: {each.sentence}"))
        _put_ideas(lesson, ideas[number])
    if len(listed) > len(first):
        n = len(listed) - len(first)
        print(trn("… and {n} more sentence: --check --unchecked lists it too",
                  "… and {n} more sentences: --check --unchecked lists them too", n))  # fmt: skip


MOST_LISTED = 40
"""The most sentences that a check lists without being asked."""
MOST_COUNTED = 250
"""The most places that a check tries without being asked for those that it does not judge."""


def _trials(
    lessons: Sequence[Lesson],
    students: Sequence[str],
    others: Mapping[str, Sequence[Lesson]],
    made_of: Mapping[str, Lesson],
) -> Iterator[_Trial]:
    for lesson in lessons:
        text = read_text(lesson.path).replace("\r\n", "\n")
        check = CheckAgain(tuple(students), tuple(others.get(lesson.path, ())), made_of.get(lesson.path))
        places = places_of(text, lesson)
        for start in range(0, max(1, len(places)), _AT_ONCE):
            yield _Trial(lesson, text, check, tuple(places[start : start + _AT_ONCE]))


def _tried(trials: Sequence[_Trial]) -> dict[int, _Missed]:
    """Return the places of each trial in which something else is not noticed, by its number."""
    count, number, missed = sum(len(trial.places) for trial in trials), 0, dict[int, _Missed]()
    with closing(ProgressLine()) as line, closing(_results(trials)) as results:
        for at, attempt in results:
            missed[at] = result_of(attempt)
            number += len(trials[at].places)
            line.show(tr("trying other texts: {number} of {count}", number=number, count=count))
    return missed


_Missed = list[tuple[TextPlace, str]]
_AT_ONCE = 40
"""Places that a process tries before it says so."""


@dataclass(frozen=True)
class _Trial:
    """Some places of a lesson, which are tried together."""

    lesson: Lesson
    text: str
    check: CheckAgain
    places: tuple[TextPlace, ...]


def _missed(trial: _Trial) -> _Missed:
    return unnoticed(trial.places, trial.text, trial.lesson, trial.check)


def _results(trials: Sequence[_Trial]) -> Results[Any]:
    """Yield what is not noticed in each of some trials, with its number; many are shared out among processes."""
    work = Attempt(_missed)
    if len(trials) < _WORTH_PROCESSES:
        yield from ((number, work(trial)) for number, trial in enumerate(trials))
    else:
        with engine_of(PROCESSES) as engine, closing(engine.results(work, trials)) as results:
            yield from results


_WORTH_PROCESSES = 25
"""Trials that take longer than processes take to start."""


def _others(course: Course, beside: Mapping[str, Mapping[str, Path]], second: str | None) -> dict[str, list[Lesson]]:
    """Return the lessons in other languages that can be read, by the paths of theirs."""
    known: dict[str, list[Lesson]] = {}
    course_there = _read(second)[0] if second else None
    for lesson in course.lessons:
        if course_there is not None and (other := course_there.lesson(lesson.id)) is not None:
            known[lesson.path] = [other]
    for lesson, file in _pairs(course, beside):
        with suppress(IrviewerError):
            known.setdefault(lesson.path, []).append(read_lesson(file))
    return known


def _between_languages(course: Course, second: str) -> list[IrviewerError]:
    """Return where lessons differ from those of the same ids in another language, and the faults of these."""
    others, faults = _read(second)
    for lesson in course.lessons:
        other = others.lesson(lesson.id)
        if other is None:
            reason = tr("{folder} has no lesson {name}", folder=second, name=lesson.id)
            faults.append(ParseError(lesson.path, reason, hint=tr("write it with the same id:")))
        else:
            faults += differences(lesson, other)
    return faults


def _translations(course: Course) -> dict[str, dict[str, Path]]:
    """Return, by folder, the files of the lessons of a course in other languages that are beside theirs, by the paths
    of the lessons."""
    beside: dict[str, dict[str, Path]] = {}
    for lesson in course.lessons:
        for file in translations_of(lesson.path) if lesson.path else ():
            beside.setdefault(str(file.parent), {})[lesson.path] = file
    return beside


def _pairs(course: Course, beside: Mapping[str, Mapping[str, Path]]) -> Iterator[tuple[Lesson, Path]]:
    for lesson in course.lessons:
        yield from ((lesson, files[lesson.path]) for files in beside.values() if lesson.path in files)


def _between(lesson: Lesson, file: Path) -> Iterator[IrviewerError]:
    try:
        other = read_lesson(file)
    except IrviewerError as fault:
        yield fault
    else:
        yield from differences(lesson, other)


def _write_variants(course: Course, options: argparse.Namespace) -> int:
    if not options.output or options.output == "-":
        raise OptionError(tr("--variants needs -o FOLDER"))
    students = read_students(options.variants)
    n = save_variants(options.output, course, students, second=options.second or "", spreadsheet=options.spreadsheet)
    print(trn("{n} page, and the right answers in {file}", "{n} pages, and the right answers in {file}", n, file=KEYS))
    return 0


def _put_table(table: Table, options: argparse.Namespace) -> None:
    """Write a table in the format of the options, and its remarks to standard error where the format has none."""
    writer = writer_named(options.format)
    if writer.exact:
        for remark in table.notes:
            print(f"irviewer: {remark.text}", file=sys.stderr)
    if options.output not in (None, "-"):
        save_tables(options.output, [table], form=writer.name, spreadsheet=options.spreadsheet)
    elif writer.name in ("arrow", "parquet"):
        sys.stdout.flush()
        sys.stdout.buffer.write(writer.write([table]))
    else:
        put_result(options, writer.write([table]).decode("utf-8", "surrogateescape"))


def _with_files(
    lessons: Sequence[Lesson], faults: Sequence[IrviewerError], students: Sequence[str]
) -> tuple[tuple[Lesson, ...], list[IrviewerError]]:
    """Return the lessons whose files can be read, and the faults with those of the others; with students also what is
    false in a lesson, of one that varies as these students have it."""
    good, all_faults = [], list(faults)
    for lesson in lessons:
        try:
            if students:
                all_faults += faults_of(lesson, students)
            elif lesson.files:
                opened(lesson)
        except IrviewerError as fault:
            all_faults.append(fault)
        else:
            good.append(lesson)
    return tuple(good), all_faults


def _read(name: str) -> tuple[Course, list[IrviewerError]]:
    """Return the course of a name, of one lesson where it names one, and the faults of the lessons that cannot be read.
    Raises IrviewerError."""
    if is_folder(name):
        course = read_course(name)
        return course, [entry.fault for entry in course.entries if entry.fault is not None]
    if is_anything(name):
        return course_of(read_lesson(name)), []
    if name == BUNDLED:
        return bundled_course(), []
    lesson = bundled_course().lesson(name)
    if lesson is None:
        known = ", ".join(each.id for each in bundled_course().lessons)
        raise IrviewerError(tr("there is no lesson {name!r}; bundled are {known}", name=name, known=known))
    return course_of(lesson), []
