"""A second language of a course's page: what another page of the same lessons holds, so that a switch keeps answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.lessons.small_file import read_small
from irviewer.translation import tr

Json = dict[str, Any]
MOST_BYTES = 100_000_000
_HELD = re.compile(r'<script type="application/json" id="lessons">(.*?)</script>', re.S)
_KEPT = ("version", "value", "within", "spellings")
"""What of a question marks its answers; both languages have that of the first."""


def read_page(path: str | Path) -> Json:
    """Return what a page that ``web_page`` writes holds. Raises ParseError if it is none."""
    text = read_small(path, MOST_BYTES, tr("the file is too large for a page of lessons")).decode("utf-8", "replace")
    held = _HELD.search(text)
    try:
        content = json.loads(held[1]) if held is not None else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or not isinstance(content.get("lessons"), list) or "language" not in content:
        raise ParseError(path, tr("this is no web page of lessons"), hint=tr("write one with --web and --language"))
    content.pop("other", None)
    return content


def put_second(content: Json, second: Json, path: str | Path) -> None:
    """Put a second language into the content of a page. Raises ParseError if its lessons and questions are not those of
    the first, if its student is another one, or if its language is the same."""
    if content["language"] == second["language"]:
        raise ParseError(path, tr("this page is in the same language"), hint=tr("write one with another --language"))
    if content["student"] != second.get("student", ""):
        raise ParseError(path, tr("this page is of another student"), hint=tr("write both with the same names"))
    try:
        if [each["id"] for each in content["lessons"]] != [each["id"] for each in second["lessons"]]:
            raise ParseError(path, tr("this page has other lessons"), hint=_same())
        for lesson, other in zip(content["lessons"], second["lessons"], strict=True):
            _match(lesson["id"], lesson["places"], other["places"], path)
    except (KeyError, TypeError, AttributeError):
        raise ParseError(path, tr("this is no web page of lessons"), hint=tr("write it anew")) from None
    content["other"] = second


def _match(name: str, places: Sequence[Json], others: Sequence[Json], path: str | Path) -> None:
    if list(map(_shape, places)) != list(map(_shape, others)):
        differing = next(
            (n for n, (place, other) in enumerate(zip(places, others, strict=False)) if _shape(place) != _shape(other)),
            min(len(places), len(others)),
        )
        raise ParseError(
            path, tr("lesson {lesson} is another one at place {n}", lesson=name, n=differing + 1), hint=_same()
        )
    for place, other in zip(places, others, strict=True):
        other.update({key: place[key] for key in _KEPT if key in place})


def _shape(place: Mapping[str, Any]) -> list[object]:
    """Return what has to be the same in both languages: the kind, the rankings, the right choices and the number."""
    grades = [table["grades"] for table in place["tables"]]
    cells = re.findall("<td>(.*?)</td>", place.get("values", ""))
    values = [cell.removeprefix("0") for cell in cells]  # some languages write .5, others 0.5
    return [place["kind"], grades, values, [each["right"] for each in place.get("choices", ())], place.get("value")]


def _same() -> str:
    return tr("write both pages of the same lessons, in files of the same names")
