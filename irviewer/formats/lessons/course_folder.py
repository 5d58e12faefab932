"""Reading a course: the lessons of a folder, in the order of its ``course.md`` or of their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from irviewer.errors import ParseError
from irviewer.formats.lessons.fields import Field, read_fields
from irviewer.formats.lessons.file_inside import file_inside
from irviewer.formats.lessons.formulas import refuse_false_formulas
from irviewer.formats.lessons.lesson_file import read_lesson, read_text, split_header
from irviewer.formats.lessons.read_record import RECORD
from irviewer.formats.lessons.sections import text_of
from irviewer.model.lessons.course import Course, CourseEntry
from irviewer.paths import resource
from irviewer.translation import current_language, tr

INDEX = "course.md"
MOST_LESSONS = 500
_KEYS = ("title", "lessons")


def read_course(folder: str | Path) -> Course:
    """Return the course of a folder. A lesson that cannot be read keeps its place, with its fault. Raises ParseError if
    there is no lesson, or if ``course.md`` is wrong."""
    folder = Path(folder)
    title, text, files = folder.resolve().name, "", _lessons_in(folder)
    chapters: Mapping[Path, str] = {}
    if (folder / INDEX).is_file():
        index = _index(folder / INDEX, title)
        title, text = index.title, index.text
        chapters = _listed(folder / INDEX, index)
        files = list(chapters) or files
    if not files:
        raise ParseError(folder, tr("the folder has no lessons"), hint=tr("lessons are files that end in .md"))
    entries = (replace(_entry(file), chapter=chapters.get(file, "")) for file in files)
    return Course(title, tuple(entries), text, str(folder))


def is_lesson_path(path: str | Path) -> bool:
    """Return whether a path is a lesson or a folder of lessons: a file that ends in .md, a folder with a ``course.md``
    or with nothing but such files and the record of what was read of them."""
    try:
        path = Path(path)
        if not path.is_dir():
            return path.suffix.lower() == ".md" and path.is_file()
        files = [each for each in path.iterdir() if not each.name.startswith(".") and each.name != RECORD]
        return (path / INDEX).is_file() or (bool(files) and all(each.suffix.lower() == ".md" for each in files))
    except (OSError, ValueError):
        return False


def _lessons_in(folder: Path) -> list[Path]:
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".md" and path.is_file())
    except OSError as failure:
        raise ParseError(folder, failure.strerror or str(failure)) from None
    return [path for path in files if path.name.lower() not in (INDEX, "readme.md")][:MOST_LESSONS]


class _Index(NamedTuple):
    """What a ``course.md`` says: ``names`` of files in their order, by name the chapters they stand in, and the field
    that lists them."""

    title: str
    text: str
    names: tuple[str, ...]
    chapters: Mapping[str, str]
    field: Field | None


def _index(path: Path, title: str) -> _Index:
    header, body = split_header(read_text(path), path)
    refuse_false_formulas(body, path)
    fields, _ = read_fields(header, _KEYS, path)
    named = {field.key: field for field in fields}
    if "title" in named:
        title = " ".join(named["title"].value.split())
    listed = named.get("lessons")
    names: list[str] = []
    chapters: dict[str, str] = {}
    chapter = ""
    for row in listed.rows if listed is not None else ():
        if row.startswith("#"):
            chapter = row.lstrip("#").strip()
            continue
        names.append(row)
        chapters[row] = chapter
    return _Index(title, text_of(body), tuple(names), chapters, listed)


def _listed(path: Path, index: _Index) -> dict[Path, str]:
    """Return the files that a ``course.md`` lists, in its order, with their chapters. Raises ParseError for one that
    is not there, and for one that is listed twice."""
    listed: dict[Path, str] = {}
    if index.field is None:
        return listed
    for name in index.names:
        file = file_inside(path, name, index.field)
        if file in listed:
            raise index.field.error(tr("{name} is listed twice", name=name), hint=tr("list each lesson once"), text="")
        listed[file] = index.chapters[name]
    return listed


def _entry(path: Path) -> CourseEntry:
    try:
        return CourseEntry(str(path), read_lesson(path))
    except ParseError as failure:
        return CourseEntry(str(path), fault=failure)


def bundled_course(language: str | None = None) -> Course:
    """Return the lessons that come with the program, in a language (``"es_MX"``, ``"es"``), by default that of the
    process; each that has no translation is in English."""
    with _reading:
        return _bundled(current_language() if language is None else language)


_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[_-][A-Za-z]{2,4})?")
"""The name of a folder that is that of a language: es, pt_BR."""


def translations_of(path: str | Path) -> list[Path]:
    """Return the files of the same lesson in other languages: those of its name in the folders beside its own, where
    all of these have the names of languages."""
    path = Path(path).absolute()
    if _LANGUAGE.fullmatch(path.parent.name) is None:
        return []
    try:
        folders = sorted(each for each in path.parent.parent.iterdir() if _LANGUAGE.fullmatch(each.name))
        return [folder / path.name for folder in folders if folder != path.parent and (folder / path.name).is_file()]
    except OSError:
        return []


_reading = Lock()
"""Held while they are read: who asks for them meanwhile waits, and does not read them too."""


@lru_cache(maxsize=4)
def _bundled(language: str) -> Course:
    folder = resource("lessons/en")
    english = read_course(folder)
    names = [language, language.partition("_")[0]]
    entries = [_translated(entry, names) for entry in english.entries]
    index = next((file for name in names if (file := folder.parent / name / INDEX).is_file()), None)
    title, text = english.title, english.text
    if index is not None:
        title, text, _, chapters, _ = _index(index, title)
        entries = [replace(each, chapter=chapters.get(Path(each.path).name, each.chapter)) for each in entries]
    return Course(title, tuple(entries), text, str(folder))


def _translated(entry: CourseEntry, languages: list[str]) -> CourseEntry:
    for language in filter(None, languages):
        twin = Path(entry.path).parent.parent / language / Path(entry.path).name
        if twin.is_file():
            translated = _entry(twin)
            if translated.lesson is not None:
                return replace(translated, chapter=entry.chapter)
    return entry
