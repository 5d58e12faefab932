"""Files that are parts of one run: ``part-00000``, ``part-00001`` … as Spark and others write in parallel.

The parts have one path, in which ``*`` stands for their number: ``runs/part-*.parquet``. It is read as one run if no
query is in two parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.formats.names import name_of
from irviewer.paths import is_file
from irviewer.translation import tr, trn

_WORDS = "part|shard|chunk|split"
_NUMBERED = (
    re.compile(
        rf"(?P<before>(?:.*[-_.])?(?:{_WORDS})[-_.]?(?:[rm][-_.])?)(?P<number>\d+)(?P<after>(?:[-_.].*)?)", re.I
    ),
    re.compile(r"(?P<before>(?:.*[-_.])?)(?P<number>\d+)(?P<after>[-_.]of[-_.]\d+(?:[-_.].*)?)", re.I),
    re.compile(r"(?P<before>.+[-_.])(?P<number>\d{5,})(?P<after>(?:\.[A-Za-z][A-Za-z0-9]*)*)"),
)
"""The names of parts: a word before the number, the count of parts after it, or at least five digits at the end."""
_WORD = re.compile(rf"(?:^|[-_.])(?:{_WORDS})(?:[-_.]?[rm])?[-_.]*$", re.I)


MOST_NAMED = 5
"""The missing parts that are named."""


class PartsError(ParseError):
    """Numbered files are no parts of one run: a query is in two of them."""


def pattern_of(path: str) -> str | None:
    """Return the path that a part has in common with the others; None for a file whose name is not that of a part."""
    place = Path(path)
    for numbered in _NUMBERED:
        match = numbered.fullmatch(place.name)
        if match is not None and "*" not in place.name:
            return str(place.with_name(f"{match['before']}*{match['after']}"))
    return None


def parts_of(path: str) -> list[str]:
    """Return the files of the path of parts, sorted by number; none for another path."""
    place = Path(path)
    if place.name.count("*") != 1 or is_file(path):
        return []
    before, after = place.name.split("*")
    try:
        names = [file.name for file in place.parent.iterdir()]
    except OSError:
        return []
    inside = [name[len(before) : len(name) - len(after)] for name in names if _is_between(name, before, after)]
    numbers = sorted((number for number in inside if number.isascii() and number.isdigit()), key=lambda n: (int(n), n))
    files = [str(place.with_name(f"{before}{number}{after}")) for number in numbers]
    return [file for file in files if pattern_of(file) == path and is_file(file)]


def _is_between(name: str, before: str, after: str) -> bool:
    return len(name) > len(before) + len(after) and name.startswith(before) and name.endswith(after)


def grouped(paths: Iterable[str]) -> list[str]:
    """Return the paths with all parts of a run, if there are two or more, replaced by their common path."""
    paths = list(paths)
    given: dict[str, set[str]] = {}
    patterns = [pattern_of(path) for path in paths]
    for path, pattern in zip(paths, patterns, strict=True):
        if pattern is not None:
            given.setdefault(pattern, set()).add(str(Path(path)))
    whole = {pattern for pattern, own in given.items() if len(own) > 1 and own == set(parts_of(pattern))}
    result: list[str] = []
    for path, pattern in zip(paths, patterns, strict=True):
        if pattern is None or pattern not in whole:
            result.append(path)
        elif pattern not in result:
            result.append(pattern)
    return result


def refuse_missing(files: Sequence[str]) -> None:
    """Raise ParseError if names such as ``part-00003-of-00010`` count more parts than there are."""
    for file in files:
        _, mark, rest = Path(file).name.partition("-of-")
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        if mark and digits and int(digits) != len(files):
            raise ParseError(
                file, tr("the name says {count:,} parts, and there are {found:,}", count=int(digits), found=len(files)),
                hint=tr("complete the folder"),
            )  # fmt: skip


def gap_in(path: str, files: Sequence[str]) -> tuple[str, int]:
    """Return the sentence about numbers that the parts of a path lack, and how many; "" and 0 for none."""
    count, numbers = missing_numbers(path, files)
    if not count:
        return "", 0
    return trn(
        "the numbers of the parts have a gap: {names} is not there; it may be an empty part that was not written",
        "the numbers of the parts have gaps: {names} are not there; they may be empty parts that were not written",
        count, names=", ".join(map(str, numbers)) + (", …" if count > len(numbers) else ""),
    ), count  # fmt: skip


def missing_numbers(path: str, files: Sequence[str]) -> tuple[int, list[int]]:
    """Return how many numbers the parts of a path lack, and the first of them; none where they begin with another
    number than 0 or 1. An engine that writes no empty part may have left them out."""
    before, after = Path(path).name.split("*")
    names = (Path(file).name for file in files)
    numbers = {int(name[len(before) : len(name) - len(after)]) for name in names}
    first, last = min(numbers), max(numbers)
    if first > 1:
        return 0, []
    lacking = (number for number in range(first, last) if number not in numbers)
    return last - first + 1 - len(numbers), list(islice(lacking, MOST_NAMED))


def name_of_parts(path: str) -> str:
    """Return the name of the run of a path of parts: the text before the number, else the folder's name."""
    place = Path(path)
    before = _WORD.sub("", place.name.split("*")[0]).strip("-_. ")
    return name_of(before) if before else name_of(str(place.absolute().parent))
