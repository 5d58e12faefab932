"""The record of what was marked as read: a JSON file beside lessons, with a digest of each of their lines and of each
file that they name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.lessons.small_file import read_small
from irviewer.paths import is_anything, is_file
from irviewer.translation import tr

RECORD = "marked_as_read.json"
MARK, VERSION = "irviewer lessons marked as read", 1
MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Reading:
    """What a file had when it was marked as read: the day, ``2026-11-30``, a digest of each of its lines, and by name
    one of each file that it names."""

    date: str
    lines: tuple[str, ...]
    files: Mapping[str, str]


def read_record(folder: Path) -> dict[str, Reading]:
    """Return by the names of files in a folder what was marked as read; nothing without a record. Raises ParseError for
    one that cannot be read."""
    path = folder / RECORD
    if not is_anything(path):
        return {}
    if not is_file(path):  # a pipe would never end
        raise ParseError(path, tr("this is no file"), hint=_hint())
    data = read_small(path, MOST_BYTES, tr("the file is too large for a record of what was read"))
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as failure:
        line = getattr(failure, "lineno", 0)
        raise ParseError(path, tr("the file is not JSON"), line=line, hint=_hint()) from None
    version = content.get(MARK) if isinstance(content, dict) else None
    if type(version) is int and version > VERSION:
        hint = tr("use that one, as this one would lose what it wrote")
        raise ParseError(path, tr("the file was written by a later version of irviewer"), hint=hint)
    lessons = content.get("lessons") if type(version) is int and version == VERSION else None
    if not isinstance(lessons, dict):
        raise ParseError(path, tr("this is no record of what was read"), hint=_hint())
    return {name: _reading(name, entry, path) for name, entry in lessons.items()}


def record_of(readings: Mapping[str, Reading]) -> bytes:
    """Return the contents of a record, with its names in order."""
    lessons = {
        name: {"date": each.date, "files": dict(each.files), "lines": " ".join(each.lines)}
        for name, each in readings.items()
    }
    text = json.dumps({MARK: VERSION, "lessons": lessons}, indent=1, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def _hint() -> str:
    return tr("restore it, or remove it and mark the lessons again")


_NAME = re.compile(r"(?!\.{1,2}$)[^/\\\0]+")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DIGEST = re.compile(r"[0-9a-f]{12}")


def _reading(name: str, entry: Any, path: Path) -> Reading:
    """Return an entry of a record. Raises ParseError for one that no record has."""
    date, files, lines = (entry.get(key) if isinstance(entry, dict) else None for key in ("date", "files", "lines"))
    if (
        not _NAME.fullmatch(name)
        or not (isinstance(date, str) and _DATE.fullmatch(date))
        or not (isinstance(lines, str) and all(map(_DIGEST.fullmatch, lines.split())))
        or not isinstance(files, dict)
        or not all(isinstance(each, str) and _DIGEST.fullmatch(each) for each in files.values())
    ):
        raise ParseError(path, tr("its entry of {name} is damaged", name=name), hint=_hint())
    return Reading(date, tuple(lines.split()), files)
