"""The answers of a student, as the web page of a course saves them: JSON, by lesson and place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.lessons.small_file import read_small
from irviewer.translation import tr

MARK, VERSION = "irviewer answers", 1
MOST_BYTES = 5_000_000
MOST_DIGITS = 6
"""The most digits of the place of a question."""


@dataclass(frozen=True)
class Try:
    """One answer: a text, or chosen choices by their places from 0, or the right answer or the hint shown instead."""

    text: str = ""
    picked: tuple[int, ...] = ()
    shown: bool = False
    hint: bool = False


@dataclass(frozen=True)
class StudentAnswers:
    """The answers of a student. ``tries`` by the id of a lesson and the place of a question, in their order;
    ``versions`` of the questions that were asked, where the file says them; ``student`` whose page it was, "" if it was
    one for all."""

    path: str
    name: str
    tries: Mapping[tuple[str, int], tuple[Try, ...]]
    versions: Mapping[tuple[str, int], str] = field(default_factory=dict)
    student: str = ""


def read_answers(path: str | Path) -> StudentAnswers:
    """Return the answers in a file. Raises ParseError if it cannot be read, or is none of such a page."""
    data = read_small(path, MOST_BYTES, tr("the file is too large for answers to lessons"))
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as failure:
        line = getattr(failure, "lineno", 0)
        raise ParseError(path, tr("the file is not JSON"), line=line, hint=_hint()) from None
    if not isinstance(content, dict) or content.get(MARK) != VERSION or not isinstance(content.get("answers"), dict):
        raise ParseError(path, tr("these are no answers to lessons"), hint=_hint())
    name = content.get("name")
    tries = _tries(content["answers"], path)
    versions = {key: said for key in tries if (said := _version(content.get("versions"), *key))}
    student = content.get("student")
    whose = student if isinstance(student, str) else ""
    return StudentAnswers(str(path), name if isinstance(name, str) else "", tries, versions, whose)


def _hint() -> str:
    return tr("save them with the button of the web page of the course")


def _tries(content: Mapping[str, Any], path: str | Path) -> Mapping[tuple[str, int], tuple[Try, ...]]:
    tries = {}
    for lesson, places in content.items():
        if not isinstance(places, dict):
            raise ParseError(path, tr("lesson {lesson}: these are no answers", lesson=lesson), hint=_hint())
        for place, given in places.items():
            if not place.isdecimal() or len(place) > MOST_DIGITS or not isinstance(given, list):
                raise ParseError(path, tr("lesson {lesson}: {place} is no question", lesson=lesson, place=place))
            tries[lesson, int(place)] = tuple(_try(each) for each in given)
    return tries


def _version(content: Any, lesson: str, place: int) -> str:
    """Return the version of a question; "" if the file does not say it."""
    places = content.get(lesson) if isinstance(content, dict) else None
    said = places.get(str(place)) if isinstance(places, dict) else None
    return said if isinstance(said, str) else ""


def _try(given: Any) -> Try:
    """Return one answer; of one that is none, without a text and without choices, nobody knows what it was."""
    given = given if isinstance(given, dict) else {}
    text, picked = given.get("text"), given.get("picked")
    chosen = [each for each in picked if type(each) is int] if isinstance(picked, list) else []
    return Try(
        text if isinstance(text, str) else "", tuple(chosen), given.get("shown") is True, given.get("hint") is True
    )
