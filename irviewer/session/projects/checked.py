"""What a value of a project file must be: shapes, each a function that gives the value back as it may be used, or says
why it may not. What does not fit is left out of its list or its object, and that is noted; nothing else suffers.

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

Place = tuple[str | int, ...]
"""Keys and positions from 0, from the outside in."""


class UnfitError(ValueError):
    """A value that is not what must stand there; the text says why."""


@dataclass(frozen=True)
class Fault:
    """Something that was left out: where it stood, and why it could not stay."""

    place: Place
    why: str

    @property
    def words(self) -> str:
        """``collections 1 › runs 3: no “key”``, positions from 1 as a person counts."""
        parts: list[str] = []
        for one in self.place:
            if isinstance(one, int) and parts:
                parts[-1] += f" {one + 1}"
            else:
                parts.append(str(one) if isinstance(one, str) else str(one + 1))
        return f"{' › '.join(parts)}: {self.why}" if parts else self.why


@dataclass
class Heard:
    """Collects faults; ``at`` is where the check is now."""

    faults: list[Fault] = field(default_factory=list)
    at: list[str | int] = field(default_factory=list)

    def note(self, why: object, *below: str | int) -> None:
        """Something at this place, or below it, is left out."""
        self.faults.append(Fault((*self.at, *below), str(why)))


Shape = Callable[[Any, Heard], Any]


def said(value: Any) -> str:
    """What a value is, in a word or two."""
    if value is None:
        return "null"
    kinds = ((bool, "true or false"), (int | float, "a number"), (str, "text"), (list, "a list"), (dict, "an object"))
    return next(words for kind, words in kinds if isinstance(value, kind))


def _unfit(value: Any, wanted: str) -> UnfitError:
    return UnfitError(f"{said(value)} stands where {wanted} is expected")


def anything(value: Any, heard: Heard) -> Any:
    """Whatever it is."""
    return value


def text(value: Any, heard: Heard) -> str:
    """Text."""
    if not isinstance(value, str):
        raise _unfit(value, "text")
    return value


def name(value: Any, heard: Heard) -> str:
    """Text of whole characters: an id, or a name."""
    found = text(value, heard)
    try:
        found.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UnfitError("half a character stands in it") from error
    return found


def named(value: Any, heard: Heard) -> str:
    """The same, and not empty."""
    if not name(value, heard):
        raise UnfitError("it is empty")
    return str(value)


def path(value: Any, heard: Heard) -> str:
    """The name of a file; no name holds a NUL."""
    if not text(value, heard) or "\0" in value:
        raise UnfitError("this is no name of a file")
    return str(value)


def flag(value: Any, heard: Heard) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise _unfit(value, "true or false")
    return value


def number(low: float = -math.inf, high: float = math.inf, *, inside: bool = False, finite: bool = True) -> Shape:
    """A number from ``low`` to ``high``, ``inside`` them where they do not count; ``finite``: no "inf" or "nan"."""

    def shape(value: Any, heard: Heard) -> Any:
        found = value
        if not finite and isinstance(value, str) and value in ("inf", "-inf", "nan"):
            return value
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise _unfit(value, "a number")
        try:
            fits = math.isfinite(found) and (low < found < high if inside else low <= found <= high)
        except OverflowError:
            fits = False
        if not fits:
            raise UnfitError(f"the number {str(found)[:40]} will not do here")
        return value

    return shape


def whole(low: int, high: int = 2**31 - 1) -> Shape:
    """A whole number from ``low`` to ``high``."""
    inner = number(low, high)

    def shape(value: Any, heard: Heard) -> Any:
        if isinstance(inner(value, heard), float):
            if value != int(value):
                raise UnfitError(f"{value} stands where a whole number is expected")
            return int(value)
        return value

    return shape


def one_of(*choices: str) -> Shape:
    """One of a few words."""

    def shape(value: Any, heard: Heard) -> Any:
        if text(value, heard) not in choices:
            raise UnfitError(f"“{value[:40]}” is none of {', '.join(choices)}")
        return value

    return shape


def matching(pattern: str, what: str) -> Shape:
    """Text of a pattern; ``what`` it is in words."""
    compiled = re.compile(pattern)

    def shape(value: Any, heard: Heard) -> Any:
        if not compiled.fullmatch(text(value, heard)):
            raise UnfitError(f"“{value[:40]}” is no {what}")
        return value

    return shape


def optional(inner: Shape) -> Shape:
    """That, or null."""

    def shape(value: Any, heard: Heard) -> Any:
        return None if value is None else inner(value, heard)

    return shape


def list_of(inner: Shape, unique: str = "", least: int = 0) -> Shape:
    """A list; items that do not fit are left out, and of objects that say the same under the key ``unique`` all but the
    first. With fewer than ``least`` it does not fit."""

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, list):
            raise _unfit(value, "a list")
        kept, known = [], set()
        heard.at.append(0)
        for place, one in enumerate(value):
            heard.at[-1] = place
            try:
                found = inner(one, heard)
                if unique and found[unique] in known:
                    raise UnfitError(f"another before it has the same “{unique}”")
            except UnfitError as error:
                heard.note(error)
                continue
            if unique:
                known.add(found[unique])
            kept.append(found)
        heard.at.pop()
        if len(kept) < least:
            raise UnfitError(f"a list of {len(kept)}, where {least} are expected")
        return kept

    return shape


def mapping(inner: Shape, key: Shape = name) -> Shape:
    """An object of any keys; those whose values do not fit are left out."""

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, dict):
            raise _unfit(value, "an object")
        kept = {}
        heard.at.append("")
        for one, what in value.items():
            heard.at[-1] = one
            try:
                kept[key(one, heard)] = inner(what, heard)
            except UnfitError as error:
                heard.note(error)
        heard.at.pop()
        return kept

    return shape


def row(*cells: Shape, least: int = 0) -> Shape:
    """A list whose items each have a shape of their own; those behind the first ``least`` (0: all) may be absent."""
    least = least or len(cells)

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, list):
            raise _unfit(value, "a row")
        if not least <= len(value) <= len(cells):
            raise UnfitError(f"a row of {len(value)}, where {least} to {len(cells)} are expected")
        return [inner(one, heard) for inner, one in zip(cells, value, strict=False)]

    return shape


def members(
    must: Mapping[str, Shape],
    may: Mapping[str, Shape] | None = None,
    *,
    any_of: tuple[str, ...] = (),
    rest: bool = True,
) -> Shape:
    """An object: without a member of ``must``, or of ``any_of``, that fits it does not fit; one of ``may`` that does
    not is left out. Members of which nothing is said stay where ``rest`` says so."""
    shapes = {**must, **(may or {})}

    def shape(value: Any, heard: Heard) -> Any:
        if not isinstance(value, dict):
            raise _unfit(value, "an object")
        kept = {}
        for one, what in value.items():
            if one not in shapes:
                if rest:
                    kept[one] = what
                continue
            heard.at.append(one)
            try:
                kept[one] = shapes[one](what, heard)
            except UnfitError as error:
                if one in must:
                    heard.at.pop()
                    raise UnfitError(f"“{one}”: {error}") from error
                heard.note(error)
            heard.at.pop()
        missing = next((one for one in must if one not in kept), None)
        if missing is not None:
            raise UnfitError(f"no “{missing}”")
        if any_of and not any(one in kept for one in any_of):
            raise UnfitError("neither " + " nor ".join(f"“{one}”" for one in any_of))
        return kept

    return shape


def record(kind: type, known: Mapping[str, Shape] | None = None, leave: frozenset[str] = frozenset()) -> Shape:
    """An object with the fields of a dataclass but those to ``leave``, each by its type or as ``known`` says; all may
    be absent."""
    known = known or {}
    hints = typing.get_type_hints(kind)
    fields = [one.name for one in dataclasses.fields(kind) if one.name not in leave]
    return members({}, {one: known[one] if one in known else _by_type(hints[one]) for one in fields}, rest=False)


def _by_type(hint: Any) -> Shape:
    """The shape of what a type annotation says, as ``plain`` writes it."""
    simple: dict[Any, Shape] = {str: name, bool: flag, int: whole(-(2**31)), float: number(), type(None): _null}
    if hint in simple:
        return simple[hint]
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return one_of(*inside)
    if origin in (Union, types.UnionType):
        return _either([_by_type(one) for one in inside])
    if origin is frozenset or (origin is tuple and len(inside) == 2 and inside[1] is Ellipsis):
        return list_of(_by_type(inside[0]))
    if origin is tuple:
        return row(*(_by_type(one) for one in inside))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return mapping(_by_type(inside[1]))
    return _never


def _never(value: Any, heard: Heard) -> Any:
    raise UnfitError("no project keeps this")


def _null(value: Any, heard: Heard) -> None:
    if value is not None:
        raise _unfit(value, "null")


def _either(shapes: list[Shape]) -> Shape:
    def shape(value: Any, heard: Heard) -> Any:
        told: UnfitError | None = None
        for one in shapes:
            try:
                return one(value, heard)
            except UnfitError as error:
                told = told or error
        raise told or UnfitError("nothing fits")

    return shape
