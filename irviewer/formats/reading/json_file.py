"""JSON for the readers: parsed with the place of every fault, and keys that stand twice kept.

Knows JSON, not what its members mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened


class Repeated(dict[str, Any]):
    """An object in which a key stands twice; ``pairs`` are all members in file order."""

    pairs: list[tuple[str, Any]]


_HALF = re.compile(
    rb"(?<!\\)(?:\\\\)*("
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)


def refuse_half_characters(opened: Opened) -> None:
    """Raises ParseError at an escape such as ``\\ud800`` without its other half, which no text can hold."""
    data = opened.data
    found = _HALF.search(data) if b"\\u" in data else None
    if found is None:
        return
    line, column, text = around(opened, found.start(1))
    raise ParseError(
        opened.path,
        f"the escape {found[1].decode()} is half a character",
        line=line,
        column=column,
        text=text,
        hint="write the character itself",
    )


def around(opened: Opened, at: int) -> tuple[int, int, str]:
    """Line and column of a byte of the file, from 1, and the text there."""
    data = opened.data
    begin = data.rfind(b"\n", 0, at) + 1
    column = len(data[begin:at].decode("utf-8", "replace")) + 1
    return data.count(b"\n", 0, at) + 1, column, _around(data[begin : at + 200].decode("utf-8", "replace"), column - 1)


def parse_json(opened: Opened) -> Any:
    """The value of the file. Raises ParseError with the line and column of what is no JSON."""
    refuse_half_characters(opened)
    text = opened.data.decode("utf-8", "replace")
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ParseError(
            opened.path,
            f"not JSON: {error.msg}",
            line=error.lineno,
            column=error.colno,
            text=_around(text, error.pos),
            hint="is the file whole?",
        ) from error
    except RecursionError as error:
        raise ParseError(opened.path, "the JSON is nested too deeply to be a run or qrels") from error
    except ValueError as error:  # an integer of thousands of digits
        raise ParseError(opened.path, f"not JSON that can be read: {error}") from error


def members(found: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """Key and value of an object in file order, repeated keys included."""
    return found.pairs if isinstance(found, Repeated) else found.items()


def fault(opened: Opened, reason: str, *keys: str, hint: str = "") -> ParseError:
    """A ParseError that stands where the members ``keys`` (outermost first) are found in the text."""
    text = opened.data.decode("utf-8", "replace")
    at = 0
    for number, key in enumerate(keys, start=1):
        found = None
        for follows in (r"\s*:\s*[{\[]", r"\s*[:,\]}]")[number == len(keys) :]:  # an outer one's value holds the inner
            for shown in (json.dumps(key, ensure_ascii=False), json.dumps(key)):
                found = found or re.compile(re.escape(shown) + follows).search(text, at)
        if found is None:
            break
        at = found.start()
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return ParseError(opened.path, reason, line=line, column=column, text=_around(text, at), hint=hint)


def number(opened: Opened, value: Any, what: str, *keys: str) -> float:
    """A number of the file, digits in quotation marks allowed. Raises ParseError where it is none."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            pass
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    shown = json.dumps(value, ensure_ascii=False, default=str)
    raise fault(opened, f"{what} {shown[:60]} is not a number", *keys)


def numbers_of(opened: Opened, values: list[Any], what: str, keys: Sequence[tuple[str, ...]]) -> Any:
    """float64 of the values, each at its ``keys``. Raises ParseError at the first that is none."""
    if all(type(value) in (float, int) for value in values):
        try:
            return np.array(values, dtype=np.float64)
        except OverflowError:
            pass
    return np.array([number(opened, one, what, *where) for one, where in zip(values, keys, strict=True)])


def identifier(opened: Opened, value: Any, what: str, *keys: str) -> str:
    """An id: a text, or a whole number as text. Raises ParseError for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise fault(opened, f"no {what} id" if value is None else f"the {what} id is no text", *keys)


def is_object_with(begin: str, *keys: str) -> bool:
    """True where a file that begins so is a JSON object or array in whose first 64 kB every one of ``keys`` occurs."""
    return begin.startswith(("{", "[")) and all(re.search(rf'"{re.escape(key)}"\s*:', begin) for key in keys)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice = Repeated(found)
    twice.pairs = pairs
    return twice


def _around(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at) + 1, at - 40)
    return text[start : at + 60].split("\n")[0].strip()
