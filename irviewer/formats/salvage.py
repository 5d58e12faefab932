"""What can be read of a project file whose text is no JSON any more: cut at its end, overwritten in its middle.

The file is read by its lines: it is written with an item a line, indented by its depth, so that damage ends with its
line, and the next item of the same list or object is found by its indentation. What has meaning only as a whole (a
judgment, a run, a query set) is read whole or left out; lists of them keep those that can be read. What stands in one
line is read up to the first damage."""

from __future__ import annotations

import codecs
import contextlib
import json
import re
from dataclasses import dataclass
from typing import Any

from irviewer.formats.project_file import MARK, ProjectError, Sections, parse_project, upgraded

Place = tuple[str | int, ...]

MOST_LOST = 2_000
"""After so many damaged places the rest of the file is left out."""

_LISTS = {"edited": {"lists": {...: ...}}}
_REMARKS = {"query": [...], "document": [...]}
PARTS: Any = {
    "collections": [
        {
            "judgments": [{"judged": [...], "grades": {...: {...: ...}}}],
            "runs": [_LISTS],
            "removed runs": [_LISTS],
            "query sets": [...],
            "remarks": _REMARKS,
        }
    ],
    MARK: ...,
}
"""What may be read in part: of an object its members, under ``...`` whatever they are called; of a list its items. All
else is read whole or not at all."""


@dataclass(frozen=True)
class Lost:
    """A part that could not be read: the line of the file, from 1, and where in the project it stood, keys and
    positions from 0, from the outside in."""

    line: int
    place: Place
    why: str = "it cannot be read"


def read_damaged(path: object, content: bytes) -> tuple[Sections, tuple[Lost, ...]]:
    """The sections of a project file's content as far as they can be read, upgraded to this version, and what cannot;
    () where all can. Raises ProjectError where nothing can, and for the project of a newer version."""
    name = str(path)
    try:
        return parse_project(name, content), ()
    except ProjectError:
        reading = _Salvage(content.decode("utf-8-sig", _HANDLER))
        try:
            found = reading.whole()
        except _UnreadableError:
            found = None
        if not isinstance(found, dict) or "collections" not in found or not reading.lost:
            raise
    return upgraded(name, found), tuple(reading.lost)


class _UnreadableError(ValueError):
    """The value that begins at ``at`` cannot be read."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class _Salvage:
    """One reading of a damaged text; ``lost`` is what could not be read so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lost: list[Lost] = []
        self._known = (0, 1)  # a place in the text, and its line
        self._resumed = -1  # where reading goes on after damage that was noted

    def whole(self) -> Any:
        """The value that the text is. Raises _UnreadableError."""
        start = self._skipped(0)
        if not self.text.startswith("{", start):
            raise _UnreadableError(start)
        found, end = self._value(start, (), PARTS)
        end = self._skipped(end)
        if end < len(self.text):
            self._note(end, (), "what stands behind its end cannot be read")
        return found

    def _value(self, at: int, place: Place, parts: Any) -> tuple[Any, int]:
        """The value that begins there, and where it ends."""
        try:
            found, end = _DECODER.raw_decode(self.text, at)
        except (ValueError, RecursionError):
            opening = "" if parts is ... else "{" if isinstance(parts, dict) else "["
            if not opening:
                raise _UnreadableError(at) from None
            if self.text.startswith(opening, at):
                return self._inside(at + 1, place, parts)
            line_end = self.text.find("\n", at)
            if 0 <= line_end - at <= 2:  # the sign that opens it is damaged, and nothing else
                self._note(at, place, "what stands before its first item cannot be read")
                return self._inside(line_end, place, parts)
            raise _UnreadableError(at) from None
        if end == len(self.text) and not isinstance(found, dict | list | str):
            raise _UnreadableError(at)  # the beginning of a number is a number as well
        return found, end

    def _inside(self, at: int, place: Place, parts: Any) -> tuple[Any, int]:
        """What an object or a list holds of which the first sign was read, and where it ends."""
        text, is_object = self.text, isinstance(parts, dict)
        members: dict[str, Any] = {}
        items: list[Any] = []
        found, closing = (members, "}") if is_object else (items, "]")
        number, at = 0, self._skipped(at)
        depth = self._depth(at)
        while at < len(text):
            if text[at] == closing:
                return found, at + 1
            here = self._depth(at)
            if depth is not None and here is not None and here < depth and text[at] in '[]{}"':
                break  # its end is damaged: this is of what it stands in
            key: str | int = number
            number += 1
            junk = (_BEFORE_KEY if is_object else _BEFORE_ITEM).match(text, at)
            if junk is not None:
                self._note(at, place, f"a sign before item {number} cannot be read")
                at = junk.end()
            start = at
            try:
                if is_object:
                    key, at = self._key(at, parts)
                    members[str(key)], at = self._value(at, (*place, key), parts.get(key, parts.get(..., ...)))
                else:
                    item, at = self._value(at, (*place, key), parts[0])
                    items.append(item)
                resumed = at == self._resumed
                at = self._skipped(at)
                if not resumed and text.startswith(",", at):
                    at = self._skipped(at + 1)
                elif not text.startswith(closing, at) and at < len(text):
                    if not resumed:
                        self._note(at, (*place, key), "a sign behind it cannot be read")
                    if _is_whole(place):
                        raise _UnreadableError(start)
                    if depth is None or self._depth(at) is None:
                        at = self._next(at, depth)
            except _UnreadableError as error:
                if _is_whole(place):
                    raise
                behind = "" if depth is not None else ", nor what follows it in its line"
                self._note(error.at, (*place, key), f"{Lost.why}{behind}")
                at = self._next(error.at, depth)
        if at >= len(text):
            if _is_whole(place):
                raise _UnreadableError(at)
            if not self.lost or self.lost[-1].why != _CUT:
                self._note(len(text), place, _CUT)
        self._resumed = at
        return found, at

    def _key(self, at: int, parts: Any) -> tuple[str, int]:
        """The key that begins there, and where its value does; one with a damaged sign is what differs in one alone."""
        found = _KEY.match(self.text, at)
        if found is not None:
            with contextlib.suppress(ValueError):
                return str(json.loads(found[1])), found.end()
        for name in parts:
            expected = f'"{name}": '
            if isinstance(name, str) and _differ(expected, self.text[at : at + len(expected)]) == 1:
                self._note(at, (), f"“{name}” has a damaged sign")
                return name, at + len(expected)
        raise _UnreadableError(at)

    def _next(self, at: int, depth: int | None) -> int:
        """Where reading goes on behind damage: the next item of that depth, or what ends the list or object that it is
        in; without a depth the end of the line."""
        if len(self.lost) >= MOST_LOST:
            return len(self.text)
        if depth is None:
            end = self.text.find("\n", at)
            return end if end >= 0 else len(self.text)
        for line in _LINE.finditer(self.text, at):
            if len(line[1]) <= depth:
                return line.end()
        return len(self.text)

    def _depth(self, at: int) -> int | None:
        """How far the line is indented that begins there; None in the middle of a line."""
        start = self.text.rfind("\n", 0, at) + 1
        return None if self.text[start:at].strip(" ") else at - start

    def _skipped(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        assert found is not None
        return found.end()

    def _note(self, at: int, place: Place, why: str) -> None:
        before, line = self._known
        if at < before:
            before, line = 0, 1
        self._known = (at, line + self.text.count("\n", before, at))
        self.lost.append(Lost(self._known[1], place, why))


def _is_whole(place: Place) -> bool:
    """True for a run and what it is edited with: it means nothing without all of its members."""
    return len(place) in (4, 5) and place[2] in ("runs", "removed runs")


def _differ(one: str, other: str) -> int:
    """In how many signs."""
    return sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))


def _without_damaged(error: UnicodeError) -> tuple[str | bytes, int]:
    """Bytes that are no text as a sign that JSON does not allow: whatever holds it cannot be read."""
    try:
        found: tuple[str | bytes, int] = codecs.lookup_error("surrogatepass")(error)
        return found
    except UnicodeDecodeError as damaged:
        return "\0", damaged.end


_HANDLER = "irviewer-damaged"
codecs.register_error(_HANDLER, _without_damaged)

_CUT = "the file ends here: what came after is missing"
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_KEY = re.compile(r'("(?:[^"\\\n]|\\.)*")\s*:\s*')
_BEFORE_ITEM = re.compile(r'[^\s\[\]{}",]{1,2} *(?=[\[{])')
_BEFORE_KEY = re.compile(r'[^\s\[\]{}",]{1,2} *(?=")')
_LINE = re.compile(r"\n( *)(?=[\[\]{}\"\-0-9tfn])")
