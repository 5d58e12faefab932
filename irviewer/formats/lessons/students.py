"""Reading the students of a course: a text file with a name or number a line."""

from __future__ import annotations

from pathlib import Path

from irviewer.errors import ParseError
from irviewer.formats.lessons.small_file import read_small
from irviewer.model.lessons.variants import seed_of
from irviewer.translation import tr

MOST_BYTES = 1_000_000
MOST_LETTERS = 200
"""The most characters of a name."""


def read_students(path: str | Path) -> tuple[str, ...]:
    """Return the students of a file, in its order; empty lines and those that begin with ``#`` are none. Raises
    ParseError if it cannot be read, names nobody, or a student twice."""
    data = read_small(path, MOST_BYTES, tr("the file is too large for names of students"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParseError(path, tr("the file is not UTF-8"), hint=tr("save it as UTF-8")) from None
    students: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if len(name) > MOST_LETTERS or not name.isprintable():
            raise ParseError(path, tr("this is no name of a student"), line=number, column=1, text=name)
        seed = seed_of(name)
        if seed in students:
            hint = tr("add a number to one of the two")
            raise ParseError(path, tr("{name} comes twice", name=name), line=number, column=1, text=name, hint=hint)
        students[seed] = name
    if not students:
        raise ParseError(path, tr("the file names no students"), hint=tr("write a name or number a line"))
    return tuple(students.values())
