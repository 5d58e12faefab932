"""What its author has read of a lesson and marked as read: what the check cannot judge does not change unnoticed.

Each line, and each file that a lesson names, is compared with the record beside the lesson; ends of lines and what is
blank there are no change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from difflib import SequenceMatcher
from functools import partial
from hashlib import blake2b
from itertools import groupby, takewhile
from operator import eq
from pathlib import Path
from typing import BinaryIO

from irviewer.errors import ParseError
from irviewer.formats.lessons.course_folder import INDEX
from irviewer.formats.lessons.lesson_file import parse_lesson, read_text
from irviewer.formats.lessons.read_record import RECORD, Reading, read_record, record_of
from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson
from irviewer.paths import is_file, is_folder
from irviewer.rendering.atomic import write_atomically
from irviewer.session.projects.locks import writing
from irviewer.translation import tr, trn


def readings_of(course: Course) -> dict[str, Reading]:
    """Return by path what was marked as read of the lessons of a course, and of its ``course.md``. Raises ParseError
    for a record that cannot be read."""
    paths = {path: Path(path) for path in _files(course)}
    records = {folder: read_record(folder) for folder in {each.parent for each in paths.values()}}
    known = ((path, records[each.parent].get(each.name)) for path, each in paths.items())
    return {path: reading for path, reading in known if reading is not None}


def changes_since(course: Course, readings: Mapping[str, Reading]) -> Iterator[ParseError]:
    """Yield a fault for lines that differ from what was marked as read, each where it is, for each file of another
    content, and of a folder for each lesson that is gone."""
    for path, lesson in _files(course).items():
        if path in readings:
            with suppress(ParseError):  # which is a fault already
                lines = _lines(read_text(path))
                yield from _changed_lines(path, lines, readings[path])
                yield from _changed_files(path, lines, lesson, readings[path])
    if is_folder(course.path):
        record = read_record(Path(course.path))
        for name in sorted(name for name in record if not is_file(Path(course.path) / name)):
            reason = tr(
                "{name} was marked as read on {date}, and is there no longer", name=name, date=record[name].date
            )
            hint = tr("restore it, or mark the others again with --check --mark-read")
            yield ParseError(Path(course.path) / RECORD, reason, hint=hint)


def mark_as_read(course: Course) -> list[str]:
    """Write into the record of each folder what its lessons have now, beside what it has of others; return the names of
    lessons that are gone, whose entries were dropped. Raises IrviewerError if a lesson changed after it was checked, or
    if a record cannot be read or written."""
    files, dropped = _files(course), list[str]()
    for folder in sorted({Path(path).parent for path in files}):
        with writing(folder / RECORD):
            readings = read_record(folder)
            own = {path: lesson for path, lesson in files.items() if Path(path).parent == folder}
            readings |= {Path(path).name: _reading(path, lesson) for path, lesson in own.items()}
            gone = sorted(name for name in readings if not is_file(folder / name))
            left = record_of({name: each for name, each in readings.items() if name not in gone})
            write_atomically(folder / RECORD, partial(_write, left))
            dropped += gone
    return dropped


def _write(data: bytes, file: BinaryIO) -> None:
    file.write(data)


def _files(course: Course) -> dict[str, Lesson | None]:
    """Return the files of a course that people read, each with its lesson; None for ``course.md``, and for a lesson
    that cannot be read."""
    index = str(Path(course.path) / INDEX)
    files: dict[str, Lesson | None] = {index: None} if is_folder(course.path) and is_file(index) else {}
    return files | {entry.path: entry.lesson for entry in course.entries if entry.path}


def _hint() -> str:
    return tr("read it, then mark it as read with --check --mark-read")


def _reading(path: str, lesson: Lesson | None) -> Reading:
    """Return what a file has now. Raises ParseError if it cannot be read, or is no longer the lesson."""
    text = read_text(path)
    if lesson is not None and parse_lesson(text, path) != lesson:
        raise ParseError(path, tr("the file has changed while it was checked"), hint=tr("check it again"))
    files = {name: _digest_of(Path(path).parent / name) for name in _named(lesson)}
    if not all(files.values()):
        raise ParseError(path, tr("a file that the lesson names cannot be read"), hint=tr("check it again"))
    return Reading(f"{date.today():%Y-%m-%d}", tuple(map(_digest, _lines(text))), files)


def _lines(text: str) -> list[str]:
    """Return the lines of a text without what is blank at their ends, and at the end of the text."""
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _named(lesson: Lesson | None) -> list[str]:
    """Return the names of the files that a lesson needs, with each value of what varies."""
    names: set[str] = set()
    for each in (lesson.alternatives or (lesson,)) if lesson is not None else ():
        files = (each.files.qrels, *each.files.runs, each.files.queries or "") if each.files else ()
        names |= {*files, *(picture.name for picture in each.pictures)} - {""}
    return sorted(names)


_BYTES = 6


def _digest(line: str) -> str:
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=_BYTES).hexdigest()


def _digest_of(file: Path) -> str:
    """Return the digest of a file, whichever ends its lines have; "" for one that cannot be read."""
    digest = blake2b(digest_size=_BYTES)
    try:
        with file.open("rb") as opened:
            for line in opened:
                digest.update(line.replace(b"\r\n", b"\n"))
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()


def _changed_files(path: str, lines: Sequence[str], lesson: Lesson | None, reading: Reading) -> Iterator[ParseError]:
    for name in _named(lesson):
        if _digest_of(Path(path).parent / name) != reading.files.get(name):
            line = next((number for number, text in enumerate(lines, start=1) if name in text), 1)
            reason = tr("the lesson was marked as read on {date} with another {name}", date=reading.date, name=name)
            yield ParseError(path, reason, line=line, column=1, text=lines[line - 1].strip(), hint=_hint())


def _changed_lines(path: str, lines: Sequence[str], reading: Reading) -> Iterator[ParseError]:
    for kind, line, n in _differences(reading.lines, [*map(_digest, lines)]):
        at = min(line, len(lines))  # what is gone at the end was below the last line
        reason = _said(kind, n, reading.date)
        yield ParseError(path, reason, line=at, column=1, text=lines[at - 1].strip(), hint=_hint())


def _said(kind: str, n: int, day: str) -> str:
    if kind == "moved":
        return trn(
            "this line was at another place when the lesson was marked as read on {date}",
            "{n} lines from here were at another place when the lesson was marked as read on {date}",
            n,
            date=day,
        )
    if kind == "new":
        return trn(
            "this line is new since the lesson was marked as read on {date}",
            "{n} lines from here are new since the lesson was marked as read on {date}",
            n,
            date=day,
        )
    if kind == "gone":
        return trn(
            "a line was removed here since the lesson was marked as read on {date}",
            "{n} lines were removed here since the lesson was marked as read on {date}",
            n,
            date=day,
        )
    return trn(
        "this line has changed since the lesson was marked as read on {date}",
        "{n} lines from here have changed since the lesson was marked as read on {date}",
        n,
        date=day,
    )


def read_lines(path: str, reading: Reading) -> frozenset[int]:
    """Return the lines of a file, from 1, that are as they were marked as read, at the same place among the others."""
    lines = [*map(_digest, _lines(read_text(path)))]
    others = {
        line + each for kind, line, n in _differences(reading.lines, lines) if kind != "gone" for each in range(n)
    }
    return frozenset(range(1, len(lines) + 1)) - others


_MANY = 10_000_000
"""Pairs of lines from which on those that come often are not matched: it would take minutes."""


def _differences(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield what differs between two lists of digests: changed, new, moved or gone, the line in the second from 1, and
    how many lines from there; those that are gone were before that line."""
    before, now = [*before], [*now]
    same = _n_alike(before, now)
    ends = _n_alike(before[same:][::-1], now[same:][::-1])
    old, new = (each[same : len(each) - ends] for each in (before, now))
    codes = SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > _MANY).get_opcodes()
    edits = [[same + each for each in code[1:]] for code in codes if code[0] != "equal"]
    taken = Counter(each for start, end, _, _ in edits for each in before[start:end])
    moved = taken & Counter(each for _, _, first, last in edits for each in now[first:last])
    del moved[_digest("")]  # an empty line is like any other
    put = Counter(moved)
    for start, end, first, last in edits:
        gone = 0
        for each in before[start:end]:
            if moved[each]:
                moved[each] -= 1
            else:
                gone += 1
        kinds = []
        for each in now[first:last]:
            if put[each]:
                put[each] -= 1
                kinds.append("moved")
            else:
                kinds.append("changed" if gone else "new")
                gone -= gone > 0
        at = first + 1
        for kind, run in groupby(kinds):
            n = len([*run])
            yield kind, at, n
            at += n
        if gone:
            yield "gone", at, gone


def _n_alike(before: Sequence[str], now: Sequence[str]) -> int:
    """Return how many digests two lists have in common at their beginning."""
    return sum(1 for _ in takewhile(bool, map(eq, before, now)))
