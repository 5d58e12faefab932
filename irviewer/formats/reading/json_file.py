"""JSON for the readers: parsing with the position of every fault, and with repeated keys kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.opener import Opened
from irviewer.translation import tr


class Repeated(dict[str, Any]):
    """An object with a repeated key; ``pairs`` are all members in file order."""

    pairs: list[tuple[str, Any]]


_MAY_BE_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""An escape: both halves of a character, one half alone (the group), or another one."""


def refuse_half_characters(opened: Opened) -> None:
    """Raise ParseError for an escape such as ``\\ud800`` without its other half, which is not a character."""
    data = opened.data
    if _MAY_BE_HALF.search(data) is None:  # the first step is all that most files need
        return
    match = next((escape for escape in _ESCAPE.finditer(data) if escape[1]), None)
    if match is None:
        return
    line, column, text = around(opened, match.start())
    raise ParseError(
        opened.path,
        tr("the escape {escape} is half a character", escape=match[0].decode()),
        line=line,
        column=column,
        text=text,
        hint=tr("write the character itself"),
    )


def around(opened: Opened, at: int) -> tuple[int, int, str]:
    """Return line and column, from 1, of a byte of the file, and the text there."""
    data = opened.data
    begin = data.rfind(b"\n", 0, at) + 1
    column = len(data[begin:at].decode("utf-8", "replace")) + 1
    return data.count(b"\n", 0, at) + 1, column, _around(data[begin : at + 200].decode("utf-8", "replace"), column - 1)


def parse_json(opened: Opened) -> Any:
    """Return the value of the file. Raises ParseError with the line and column of invalid JSON."""
    refuse_half_characters(opened)
    text = opened.data.decode("utf-8", "replace")
    try:
        return json.loads(text, object_pairs_hook=object_of)
    except json.JSONDecodeError as error:
        raise ParseError(
            opened.path,
            tr("not valid JSON: {error}", error=error.msg),
            line=error.lineno,
            column=error.colno,
            text=_around(text, error.pos),
            hint=tr("check if the file is complete"),
        ) from error
    except RecursionError as error:
        raise ParseError(opened.path, tr("the JSON is nested too deeply to be a run or qrels")) from error
    except ValueError as error:  # an integer of thousands of digits
        raise ParseError(opened.path, tr("this JSON cannot be read: {error}", error=json_reason(error))) from error


def members(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """Return the keys and values of an object in file order, with repeated keys."""
    return value.pairs if isinstance(value, Repeated) else value.items()


def fault(opened: Opened, reason: str, *keys: str, hint: str = "") -> ParseError:
    """Return a ParseError with the line and column of the member ``keys`` (outermost first)."""
    text = opened.data.decode("utf-8", "replace")
    at = 0
    for number, key in enumerate(keys, start=1):
        match = None
        for follows in (r"\s*:\s*[{\[]", r"\s*[:,\]}]")[
            number == len(keys) :
        ]:  # the value of an outer key is an object or a list
            for written_key in (json.dumps(key, ensure_ascii=False), json.dumps(key)):
                match = match or re.compile(re.escape(written_key) + follows).search(text, at)
        if match is None:
            break
        at = match.start()
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return ParseError(opened.path, reason, line=line, column=column, text=_around(text, at), hint=hint)


def as_number(value: Any) -> float | None:
    """Return a number, which may be in quotation marks; None for other values, and for one too large for a float."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def as_identifier(value: Any) -> str | None:
    """Return an id: a text, or a whole number as text; None for other values."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value)


def no_identifier(value: Any, what: str) -> str:
    """Return the reason why a value is not an id."""
    return tr("there is no {kind} id", kind=what) if value is None else tr("the {kind} id is not a text", kind=what)


def number(opened: Opened, value: Any, what: str, *keys: str) -> float:
    """Return a number of the file; it may be in quotation marks. Raises ParseError if it is not a number."""
    held = as_number(value)
    if held is not None:
        return held
    shown = json.dumps(value, ensure_ascii=False, default=str)
    raise fault(opened, tr("{name} {value} is not a number", name=what, value=shown[:60]), *keys)


def numbers_of(opened: Opened, values: list[Any], what: str, keys: Sequence[tuple[str, ...]]) -> Any:
    """Return float64[n] of values at their ``keys``. Raises ParseError for the first that is not a number."""
    if all(type(value) in (float, int) for value in values):
        try:
            return np.array(values, dtype=np.float64)
        except OverflowError:
            pass
    return np.array([number(opened, value, what, *place) for value, place in zip(values, keys, strict=True)])


def identifier(opened: Opened, value: Any, what: str, *keys: str) -> str:
    """Return an id: a text, or a whole number as text. Raises ParseError for other values."""
    held = as_identifier(value)
    if held is None:
        raise fault(opened, no_identifier(value, what), *keys)
    return held


def is_object_with(begin: str, *keys: str) -> bool:
    """Return True if ``begin`` (64 kB) begins a JSON object or array and has all ``keys``."""
    return begin.startswith(("{", "[")) and all(re.search(rf'"{re.escape(key)}"\s*:', begin) for key in keys)


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object with these members, a :class:`Repeated` for repeated keys."""
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeated = Repeated(members)
    repeated.pairs = pairs
    return repeated


def _around(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at) + 1, at - 40)
    return text[start : at + 60].split("\n")[0].strip()
