"""Paths into JSON values, ``results[].query.id``: their parser, their values with places, and where a value stands.

A path is read from left to right::

    query.id        the member id of the member query
    hits[]          each item of a list
    hits[0]         one item, counted from 0
    *               each member of an object; rank* each whose key begins so, numbers in their order
    *~              the keys of these members instead of their values
    "a.b"           a key with signs that mean something in a path, as JSON text; also ["a.b"]
    $.query         from the top of the file (or of its line), where other paths begin at its rows

Each ``[]`` and each ``*`` is a place, counted from 0. Values of several paths belong together by their places, not by
their keys: ``ids[][]`` and ``distances[][]`` are parallel lists, and ``queries[]`` has a value for each list of them
(:func:`aligned`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from irviewer.errors import OptionError
from irviewer.formats.reading.json_file import members
from irviewer.translation import tr

_DIGITS = re.compile(r"(\d+)")
_BARE = re.compile(r"[^.\[\]\"*~$]+")
_TOKEN = re.compile(r'\.|\[\]|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|("(?:[^"\\]|\\.)*")|([^.\[\]"]+)')
_SIGNS = re.compile(r"[.\[*$]")
MOST_PATHS = 200
"""The paths of a file that are listed."""

EXAMINED = 20
"""The items of a list, and the members of an object, of which :func:`paths_in` lists the paths."""

DEEPEST = 12
"""The steps of a path that is listed."""

Key = str | int
"""A member's key, or an item's number from 0."""


@dataclass(frozen=True)
class Step:
    """One step of a path. ``key`` is a member's key, a pattern (``each``) or "" for the items of a list; ``item`` one
    item's number; ``keys``: the keys instead of the values."""

    key: str = ""
    item: int | None = None
    each: bool = False
    keys: bool = False

    @property
    def of_list(self) -> bool:
        """Whether this step goes over the items of a list."""
        return self.each and not self.key

    @property
    def of_columns(self) -> bool:
        """Whether this step goes over the members whose keys begin alike, ``rank*``, which may be empty."""
        return self.each and self.key not in ("", "*")

    def __str__(self) -> str:
        if self.item is not None:
            return f"[{self.item}]"
        if self.of_list:
            return "[]"
        if self.each:
            return self.key + ("~" if self.keys else "")
        return self.key if _BARE.fullmatch(self.key) and self.key == self.key.strip() else json.dumps(
            self.key, ensure_ascii=False
        )  # fmt: skip


@dataclass(frozen=True)
class JsonPath:
    """A path; ``from_top``: it begins with ``$`` and is not within the rows."""

    steps: tuple[Step, ...] = ()
    from_top: bool = False

    @property
    def depth(self) -> int:
        """The number of places of each value."""
        return sum(step.each for step in self.steps)

    def within(self, rows: JsonPath) -> JsonPath:
        """Return the path from the top, of a path within ``rows``."""
        return self if self.from_top else JsonPath((*rows.steps, *self.steps), True)

    def __str__(self) -> str:
        text = "$" if self.from_top else ""
        for step in self.steps:
            text += str(step) if str(step).startswith("[") else f"{'.' if text else ''}{step}"
        return text


class Found(NamedTuple):
    """A value: its ``places``, one number for each ``[]`` and ``*``, and the ``keys`` that lead to it."""

    places: tuple[int, ...]
    value: Any
    keys: tuple[Key, ...]


def is_path(text: str) -> bool:
    """Return True for a text with a sign of a path, which may still be the name of a column."""
    return _SIGNS.search(text) is not None


def parse_path(text: str) -> JsonPath:
    """Return a path. Raises OptionError that shows where the text is no path; "" is the whole value."""
    begin = text.strip()
    from_top = begin.startswith("$")
    rest = begin[1:] if from_top else begin
    if rest.startswith(".") and not from_top:
        raise _no_path(text, 1)
    steps: list[Step] = []
    position, after_point = 0, not from_top
    while position < len(rest):
        match = _TOKEN.match(rest, position)
        if match is None:
            raise _no_path(text, position + 1 + from_top)
        token, (item, bracketed, quoted, bare) = match[0], match.groups()
        if token == ".":
            if (after_point and position) or match.end() == len(rest):
                raise _no_path(text, position + 1 + from_top)
            after_point = True
            position = match.end()
            continue
        if token.startswith("["):
            if after_point and position:
                raise _no_path(text, position + 1 + from_top)
        elif not after_point:
            raise _no_path(text, position + 1 + from_top)
        steps.append(_step(text, item, bracketed or quoted, bare))
        after_point = False
        position = match.end()
    last = next((number for number, step in enumerate(steps, start=1) if step.keys), len(steps))
    if last < len(steps):
        raise OptionError(tr("{text!r} is no path: nothing can follow the keys that ~ stands for", text=text[:80]))
    return JsonPath(tuple(steps), from_top)


def _step(text: str, item: str | None, quoted: str | None, bare: str | None) -> Step:
    if item is not None:
        return Step(item=int(item))
    if quoted is not None:
        try:
            return Step(json.loads(quoted))
        except ValueError:
            raise OptionError(tr("{text!r} is no path: {key} is not JSON text", text=text[:80], key=quoted)) from None
    if bare is None:
        return Step(each=True)
    bare = bare.strip()
    pattern, keys = (bare[:-1], True) if bare.endswith("~") and "*" in bare else (bare, False)
    if "*" in pattern:
        return Step(pattern, each=True, keys=keys)
    return Step(bare)


def _no_path(text: str, column: int) -> OptionError:
    return OptionError(
        tr("{text!r} is no path: it breaks at character {column}; a path looks like results[].query.id",
           text=text[:80], column=column)
    )  # fmt: skip


def found(value: Any, path: JsonPath) -> Iterator[Found]:
    """Yield the values of a path in the order of the file. What is not there, or is of another shape, yields
    nothing."""
    yield from _found(value, path.steps, (), ())


def _found(value: Any, steps: tuple[Step, ...], places: tuple[int, ...], keys: tuple[Key, ...]) -> Iterator[Found]:
    if not steps:
        yield Found(places, value, keys)
        return
    step, rest = steps[0], steps[1:]
    if step.item is not None:
        if isinstance(value, list) and step.item < len(value):
            yield from _found(value[step.item], rest, places, (*keys, step.item))
    elif step.of_list:
        if isinstance(value, list):
            for number, item in enumerate(value):
                yield from _found(item, rest, (*places, number), (*keys, number))
    elif isinstance(value, dict):
        if not step.each:
            if step.key in value:
                yield from _found(value[step.key], rest, places, (*keys, step.key))
            return
        for number, (key, item) in enumerate(_matching(value, step.key)):
            within = key if step.keys else item
            yield from _found(within, rest, (*places, number), (*keys, key))


def _matching(value: dict[str, Any], pattern: str) -> list[tuple[str, Any]]:
    """The members whose keys match, in the order of the file; those of a pattern with more than ``*`` by the numbers
    in their keys."""
    if pattern == "*":
        return list(members(value))
    return sorted((pair for pair in members(value) if fnmatchcase(pair[0], _only_stars(pattern))), key=_natural)


def _only_stars(pattern: str) -> str:
    return pattern.replace("?", "[?]")


def _natural(pair: tuple[str, Any]) -> list[tuple[int, int, str]]:
    """The parts of a key: rank2 comes before rank10."""
    return [(1, int(part), "") if part.isdigit() and part.isascii() else (0, 0, part)
            for part in _DIGITS.split(pair[0])]  # fmt: skip


def aligned(values: Mapping[tuple[int, ...], Any], places: tuple[int, ...]) -> Any:
    """Return the value that belongs to a place: its own, else that of the nearest list around it; None without one."""
    for length in range(len(places), -1, -1):
        if places[:length] in values:
            return values[places[:length]]
    return None


def paths_in(value: Any) -> list[str]:
    """Return the paths of a value's texts and numbers in the order of the file; lists have ``[]``, and an object whose
    members all look alike has ``*``. At most ``MOST_PATHS``."""
    found_paths: dict[str, None] = {}
    for path in _paths(value, (), 0):
        found_paths.setdefault(str(JsonPath(path)))
        if len(found_paths) >= MOST_PATHS:
            break
    return list(found_paths)


def _paths(value: Any, steps: tuple[Step, ...], depth: int) -> Iterator[tuple[Step, ...]]:
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value[:EXAMINED]:
            yield from _paths(item, (*steps, Step(each=True)), depth + 1)
    elif isinstance(value, dict):
        if _is_map(value):
            yield (*steps, Step("*", each=True, keys=True))
            for item in list(value.values())[:EXAMINED]:
                yield from _paths(item, (*steps, Step("*", each=True)), depth + 1)
            return
        for key, item in value.items():
            yield from _paths(item, (*steps, Step(key)), depth + 1)
    elif value is not None:
        yield steps


def _is_map(value: dict[str, Any]) -> bool:
    """Return True for objects or lists by id: two or more members of the same shape, whose keys are no usual names."""
    items = list(value.values())[:EXAMINED]
    if len(items) < 2:
        return False
    if all(isinstance(item, dict) for item in items):
        return len({tuple(item) for item in items}) == 1 and bool(items[0])
    return all(isinstance(item, list) for item in items) and not all(key.isidentifier() for key in value)


def offset_of(text: str, keys: tuple[Key, ...]) -> int:
    """Return where the value that ``keys`` lead to begins in a JSON text; of a key that is repeated, the first. The
    value before it where one of the keys is not there."""
    decoder, at = json.JSONDecoder(), _skip(text, 0)
    for key in keys:
        inside = _member(text, at, key, decoder) if isinstance(key, str) else _item(text, at, key, decoder)
        if inside is None:
            break
        at = inside
    return at


_SPACE = re.compile(r"[ \t\n\r]*")


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _member(text: str, at: int, wanted: str, decoder: json.JSONDecoder) -> int | None:
    if text[at : at + 1] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        key, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            return at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at : at + 1] == "," else at
    return None


def _item(text: str, at: int, wanted: int, decoder: json.JSONDecoder) -> int | None:
    if text[at : at + 1] != "[":
        return None
    at = _skip(text, at + 1)
    for _ in range(wanted):
        if text[at : at + 1] in ("]", ""):
            return None
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
    return at
