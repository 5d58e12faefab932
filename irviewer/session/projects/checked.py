"""Validation of values of a project file: a shape is a function that returns the valid value or raises UnfitError.
Invalid values are left out of their list or object and recorded; the others are kept.

Knows JSON and no section; those are in ``schema``."""

from __future__ import annotations

import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union

from irviewer.translation import tr

Place = tuple[str | int, ...]
"""Keys and positions from 0, from the outside in."""


class UnfitError(ValueError):
    """A value that is not valid; the text says why."""


@dataclass(frozen=True)
class Fault:
    """A value that was left out: its place, and the reason."""

    place: Place
    why: str

    @property
    def words(self) -> str:
        """The fault as a text, positions from 1: ``collections 1 › runs 3: no “key”``."""
        parts: list[str] = []
        for part in self.place:
            if isinstance(part, int) and parts:
                parts[-1] += f" {part + 1}"
            else:
                parts.append(str(part) if isinstance(part, str) else str(part + 1))
        return f"{' › '.join(parts)}: {self.why}" if parts else self.why


@dataclass
class Heard:
    """Collects faults; ``at`` is the place that is being checked."""

    faults: list[Fault] = field(default_factory=list)
    at: list[str | int] = field(default_factory=list)

    def note(self, why: object, *below: str | int) -> None:
        """Record that the value at this place, or below it, is left out."""
        self.faults.append(Fault((*self.at, *below), str(why)))


Shape = Callable[[Any, Heard], Any]

FLAG, NUMBER, TEXT = tr("true or false"), tr("a number"), tr("text")
LIST, OBJECT, ROW = tr("a list"), tr("an object"), tr("a row")
"""The kinds of values, as texts of errors."""


def said(value: Any) -> str:
    """Return the kind of a value as a text."""
    if value is None:
        return "null"
    kinds = ((bool, FLAG), (int | float, NUMBER), (str, TEXT), (list, LIST), (dict, OBJECT))
    return next(text for kind, text in kinds if isinstance(value, kind))


def _unfit(value: Any, wanted: str) -> UnfitError:
    return UnfitError(tr("expected {wanted}, not {value}", wanted=wanted, value=said(value)))


def anything(value: Any, heard: Heard) -> Any:
    return value


def text(value: Any, heard: Heard) -> str:
    if not isinstance(value, str):
        raise _unfit(value, TEXT)
    return value


def name(value: Any, heard: Heard) -> str:
    """Text of whole characters: an id, or a name."""
    checked_text = text(value, heard)
    try:
        checked_text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UnfitError(tr("invalid character (half of a surrogate pair)")) from error
    return checked_text


def named(value: Any, heard: Heard) -> str:
    """A name that is not empty."""
    if not name(value, heard):
        raise UnfitError(tr("empty"))
    return str(value)


def path(value: Any, heard: Heard) -> str:
    """The name of a file; no name holds a NUL."""
    if not text(value, heard) or "\0" in value:
        raise UnfitError(tr("not a file name"))
    return str(value)


def flag(value: Any, heard: Heard) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise _unfit(value, FLAG)
    return value


def plain_value(value: Any, heard: Heard) -> Any:
    """True or false, a number, text, or a list of them: which of them is right, its reader knows."""
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, bool | int | float | str):
            raise UnfitError(tr("not a number, text, true or false, or a list of them"))
    return value


def number(low: float = -math.inf, high: float = math.inf, *, inside: bool = False, finite: bool = True) -> Shape:
    """A number from ``low`` to ``high``; ``inside`` excludes the bounds, ``finite`` excludes "inf" and "nan"."""

    def shape(value: Any, heard: Heard) -> Any:
        checked_number = value
        if not finite and isinstance(value, str) and value in ("inf", "-inf", "nan"):
            return value
        if isinstance(checked_number, bool) or not isinstance(checked_number, int | float):
            raise _unfit(value, NUMBER)
        try:
            fits = math.isfinite(checked_number) and (
                low < checked_number < high if inside else low <= checked_number <= high
            )
        except OverflowError:
            fits = False
        if not fits:
            raise UnfitError(tr("the number {number} is out of range", number=str(checked_number)[:40]))
        return value

    return shape


def whole(low: int, high: int = 2**31 - 1) -> Shape:
    """A whole number from ``low`` to ``high``."""
    inner = number(low, high)

    def shape(value: Any, heard: Heard) -> Any:
        if isinstance(inner(value, heard), float):
            if value != int(value):
                raise UnfitError(tr("expected a whole number, not {value}", value=value))
            return int(value)
        return value

    return shape


def one_of(*choices: str) -> Shape:
    """One of a few words."""

    def shape(value: Any, heard: Heard) -> Any:
        if text(value, heard) not in choices:
            raise UnfitError(tr("“{value}” is not one of {names}", value=value[:40], names=", ".join(choices)))
        return value

    return shape


def matching(pattern: str, what: str) -> Shape:
    """Text that matches a pattern; ``what`` describes it, with its article."""
    compiled = re.compile(pattern)

    def shape(value: Any, heard: Heard) -> Any:
        if not compiled.fullmatch(text(value, heard)):
            raise UnfitError(tr("“{value}” is not {kind}", value=value[:40], kind=what))
        return value

    return shape


def optional(inner: Shape) -> Shape:
    """The inner shape, or null."""

    def shape(value: Any, heard: Heard) -> Any:
        return None if value is None else inner(value, heard)

    return shape


def list_of(inner: Shape, unique: str = "", least: int = 0) -> Shape:
    """A list; invalid items are left out, and of objects with the same value of the key ``unique`` all but the first.
    A list of fewer than ``least`` items is invalid."""

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, list):
            raise _unfit(value, LIST)
        kept, known = [], set()
        heard.at.append(0)
        for position, item in enumerate(value):
            heard.at[-1] = position
            try:
                checked_item = inner(item, heard)
                if unique and checked_item[unique] in known:
                    raise UnfitError(tr("an earlier item has the same “{key}”", key=unique))
            except UnfitError as error:
                heard.note(error)
                continue
            if unique:
                known.add(checked_item[unique])
            kept.append(checked_item)
        heard.at.pop()
        if len(kept) < least:
            raise UnfitError(tr("expected a list of at least {least}, not {count}", least=least, count=len(kept)))
        return kept

    return shape


def mapping(inner: Shape, key: Shape = name) -> Shape:
    """An object of any keys; those with invalid values are left out."""

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, dict):
            raise _unfit(value, OBJECT)
        kept = {}
        heard.at.append("")
        for member, what in value.items():
            heard.at[-1] = member
            try:
                kept[key(member, heard)] = inner(what, heard)
            except UnfitError as error:
                heard.note(error)
        heard.at.pop()
        return kept

    return shape


def row(*cells: Shape, least: int = 0) -> Shape:
    """A list whose items have a shape each; those after the first ``least`` (0: all) may be absent."""
    least = least or len(cells)

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, list):
            raise _unfit(value, ROW)
        if not least <= len(value) <= len(cells):
            raise UnfitError(
                tr("expected a row of {least} to {most}, not {count}", least=least, most=len(cells), count=len(value))
            )
        return [inner(cell, heard) for inner, cell in zip(cells, value, strict=False)]

    return shape


def members(
    must: Mapping[str, Shape],
    may: Mapping[str, Shape] | None = None,
    *,
    any_of: tuple[str, ...] = (),
    rest: bool = True,
) -> Shape:
    """An object: it must have a valid member for each key of ``must``, and for one of ``any_of``; invalid members of
    ``may`` are left out. Other members are kept if ``rest`` is True."""
    shapes = {**must, **(may or {})}

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, dict):
            raise _unfit(value, OBJECT)
        kept = {}
        for member, what in value.items():
            if member not in shapes:
                if rest:
                    kept[member] = what
                continue
            heard.at.append(member)
            try:
                kept[member] = shapes[member](what, heard)
            except UnfitError as error:
                if member in must:
                    heard.at.pop()
                    raise UnfitError(f"“{member}”: {error}") from error
                heard.note(error)
            heard.at.pop()
        missing = next((member for member in must if member not in kept), None)
        if missing is not None:
            raise UnfitError(tr("“{key}” is missing", key=missing))
        if any_of and not any(member in kept for member in any_of):
            raise UnfitError(tr("one of {keys} is needed", keys=", ".join(f"“{key}”" for key in any_of)))
        return kept

    return shape


def record(kind: type, known: Mapping[str, Shape] | None = None, leave: frozenset[str] = frozenset()) -> Shape:
    """An object with the fields of a dataclass except ``leave``, each by its shape in ``known`` or its type; all may be
    absent."""
    known = known or {}
    hints = typing.get_type_hints(kind)
    fields = [known_field.name for known_field in dataclasses.fields(kind) if known_field.name not in leave]
    return members(
        {},
        {
            field_name: known[field_name] if field_name in known else _by_type(hints[field_name])
            for field_name in fields
        },
        rest=False,
    )


def _by_type(hint: Any) -> Shape:
    """Return the shape of a type annotation, as ``plain`` writes it."""
    simple: dict[Any, Shape] = {str: name, bool: flag, int: whole(-(2**31)), float: number(), type(None): _null}
    if hint in simple:
        return simple[hint]
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return one_of(*inside)
    if origin in (Union, types.UnionType):
        return _either([_by_type(hint) for hint in inside])
    if origin is frozenset or (origin is tuple and len(inside) == 2 and inside[1] is Ellipsis):
        return list_of(_by_type(inside[0]))
    if origin is tuple:
        return row(*(_by_type(hint) for hint in inside))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return mapping(_by_type(inside[1]))
    return _never


def _never(value: Any, heard: Heard) -> Any:
    raise UnfitError(tr("not part of a project"))


def _null(value: Any, heard: Heard) -> None:
    if value is not None:
        raise _unfit(value, "null")


def _either(shapes: list[Shape]) -> Shape:
    def shape(value: Any, heard: Heard) -> Any:
        first: UnfitError | None = None
        for candidate in shapes:
            try:
                return candidate(value, heard)
            except UnfitError as error:
                first = first or error
        raise first or UnfitError(tr("not valid"))

    return shape
