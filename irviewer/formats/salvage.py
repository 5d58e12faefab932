"""Reading of damaged project files, which are cut off or overwritten and not valid JSON.

The file is read line by line: it is written with one item per line, indented by depth, so that damage ends with its
line, and the next item of the same list or object is found by its indentation. Items that mean something only as a
whole (a judgment, a run, a query set) are read whole or left out; lists keep their readable items. A line is read up to
the first damage."""

from __future__ import annotations

import codecs
import contextlib
import json
import re
from dataclasses import dataclass
from typing import Any

from irviewer.formats.project_file import MARK, ProjectError, Sections, parse_project, upgraded
from irviewer.translation import tr

Place = tuple[str | int, ...]

MOST_LOST = 2_000
"""The number of damaged places after which the rest of the file is left out."""

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
"""The parts that may be read partially: the members of an object (``...``: of any name), the items of a list. All else
is read whole or left out."""


@dataclass(frozen=True)
class Lost:
    """A part that could not be read: the line of the file, from 1, and its place in the project, keys and indices from
    0, outermost first."""

    line: int
    place: Place
    why: str = tr("it cannot be read")


def read_damaged(path: object, content: bytes) -> tuple[Sections, tuple[Lost, ...]]:
    """Return the readable sections of a project file's content, upgraded to this version, and the unreadable parts.
    Raises ProjectError if nothing is readable, and for the project of a newer version."""
    name = str(path)
    try:
        return parse_project(name, content), ()
    except ProjectError:
        reader = _Salvage(content.decode("utf-8-sig", _HANDLER))
        try:
            sections = reader.whole()
        except _UnreadableError:
            sections = None
        if not isinstance(sections, dict) or "collections" not in sections or not reader.lost:
            raise
    return upgraded(name, sections), tuple(reader.lost)


class _UnreadableError(ValueError):
    """The value at ``at`` cannot be read."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class _Salvage:
    """A reader of a damaged text; ``lost`` are the parts that could not be read so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lost: list[Lost] = []
        self._known = (0, 1)  # a position in the text, and its line
        self._resumed = -1  # where reading continues after recorded damage

    def whole(self) -> Any:
        """Return the value of the whole text. Raises _UnreadableError."""
        start = self._skipped(0)
        if not self.text.startswith("{", start):
            raise _UnreadableError(start)
        value, end = self._value(start, (), PARTS)
        end = self._skipped(end)
        if end < len(self.text):
            self._note(end, (), tr("the text after its end cannot be read"))
        return value

    def _value(self, at: int, place: Place, parts: Any) -> tuple[Any, int]:
        """Return the value at a position, and its end."""
        try:
            value, end = _DECODER.raw_decode(self.text, at)
        except (ValueError, RecursionError):
            opening = "" if parts is ... else "{" if isinstance(parts, dict) else "["
            if not opening:
                raise _UnreadableError(at) from None
            if self.text.startswith(opening, at):
                return self._inside(at + 1, place, parts)
            line_end = self.text.find("\n", at)
            if 0 <= line_end - at <= 2:  # only the opening bracket is damaged
                self._note(at, place, tr("the text before its first item cannot be read"))
                return self._inside(line_end, place, parts)
            raise _UnreadableError(at) from None
        if end == len(self.text) and not isinstance(value, dict | list | str):
            raise _UnreadableError(at)  # a cut number is a number as well
        return value, end

    def _inside(self, at: int, place: Place, parts: Any) -> tuple[Any, int]:
        """Return the content of an object or list after its opening bracket, and its end."""
        text, is_object = self.text, isinstance(parts, dict)
        members: dict[str, Any] = {}
        items: list[Any] = []
        content, closing = (members, "}") if is_object else (items, "]")
        number, at = 0, self._skipped(at)
        depth = self._depth(at)
        while at < len(text):
            if text[at] == closing:
                return content, at + 1
            own_depth = self._depth(at)
            if depth is not None and own_depth is not None and own_depth < depth and text[at] in '[]{}"':
                break  # its end is damaged: this belongs to the enclosing value
            key: str | int = number
            number += 1
            stray = (_BEFORE_KEY if is_object else _BEFORE_ITEM).match(text, at)
            if stray is not None:
                self._note(at, place, tr("a character before item {number} cannot be read", number=number))
                at = stray.end()
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
                        self._note(at, (*place, key), tr("a character after it cannot be read"))
                    if _is_whole(place):
                        raise _UnreadableError(start)
                    if depth is None or self._depth(at) is None:
                        at = self._next(at, depth)
            except _UnreadableError as error:
                if _is_whole(place):
                    raise
                why = Lost.why if depth is not None else tr("it and the rest of its line cannot be read")
                self._note(error.at, (*place, key), why)
                at = self._next(error.at, depth)
        if at >= len(text):
            if _is_whole(place):
                raise _UnreadableError(at)
            if not self.lost or self.lost[-1].why != _CUT:
                self._note(len(text), place, _CUT)
        self._resumed = at
        return content, at

    def _key(self, at: int, parts: Any) -> tuple[str, int]:
        """Return the key at a position, and the start of its value; a key may have one damaged character."""
        match = _KEY.match(self.text, at)
        if match is not None:
            with contextlib.suppress(ValueError):
                return str(json.loads(match[1])), match.end()
        for name in parts:
            expected = f'"{name}": '
            if isinstance(name, str) and _differ(expected, self.text[at : at + len(expected)]) == 1:
                self._note(at, (), tr("“{name}” has a damaged character", name=name))
                return name, at + len(expected)
        raise _UnreadableError(at)

    def _next(self, at: int, depth: int | None) -> int:
        """Return where reading continues after damage: the next item of that depth, or the end of the enclosing list or
        object; without a depth the end of the line."""
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
        """Return the indentation of the line that begins there; None inside a line."""
        start = self.text.rfind("\n", 0, at) + 1
        return None if self.text[start:at].strip(" ") else at - start

    def _skipped(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        assert match is not None
        return match.end()

    def _note(self, at: int, place: Place, why: str) -> None:
        before, line = self._known
        if at < before:
            before, line = 0, 1
        self._known = (at, line + self.text.count("\n", before, at))
        self.lost.append(Lost(self._known[1], place, why))


def _is_whole(place: Place) -> bool:
    """Return True for a run and its edits, which mean nothing without all members."""
    return len(place) in (4, 5) and place[2] in ("runs", "removed runs")


def _differ(text: str, other: str) -> int:
    """Return the number of different characters."""
    return sum(character != other_character for character, other_character in zip(text, other, strict=False)) + abs(
        len(text) - len(other)
    )


def _without_damaged(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace invalid bytes by a character that JSON does not allow, so that their value is unreadable."""
    try:
        replacement: tuple[str | bytes, int] = codecs.lookup_error("surrogatepass")(error)
        return replacement
    except UnicodeDecodeError as damaged:
        return "\0", damaged.end


_HANDLER = "irviewer-damaged"
codecs.register_error(_HANDLER, _without_damaged)

_CUT = tr("the file ends here: the rest is missing")
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_KEY = re.compile(r'("(?:[^"\\\n]|\\.)*")\s*:\s*')
_BEFORE_ITEM = re.compile(r'[^\s\[\]{}",]{1,2} *(?=[\[{])')
_BEFORE_KEY = re.compile(r'[^\s\[\]{}",]{1,2} *(?=")')
_LINE = re.compile(r"\n( *)(?=[\[\]{}\"\-0-9tfn])")
