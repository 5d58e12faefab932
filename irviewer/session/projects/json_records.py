"""Conversion of frozen records to JSON and back: only fields that differ from their defaults, and infinite numbers as
text."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")


class NotPlain(TypeError):  # noqa: N818 - a sign between two functions
    """Raised for a value that has no plain form."""


def plain(value: Any) -> Any:
    """Return a value in JSON's types: tuples and sets (in order) become lists. Raises NotPlain for what is more than
    that."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return number_data(value)
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, frozenset | set):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    raise NotPlain(f"{type(value).__name__} has no plain form")


def record_data(value: Any, leave: Iterable[str] = ()) -> dict[str, Any]:
    """Return the fields of a dataclass that differ from their defaults; those without a form in JSON are left out."""
    members = {}
    for field in dataclasses.fields(value):
        mine = getattr(value, field.name)
        if field.name in leave or (field.default is not dataclasses.MISSING and mine == field.default):
            continue
        if field.default_factory is not dataclasses.MISSING and mine == field.default_factory():
            continue
        try:
            members[field.name] = plain(mine)
        except NotPlain:
            continue
    return members


def with_record(value: T, data: Mapping[str, Any], leave: Iterable[str] = ()) -> T:
    """Return the dataclass with the fields of ``data``; unknown fields and values of another type are ignored."""
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(value):  # type: ignore[arg-type]
        if field.name in data and field.name not in leave:
            changed[field.name] = _like(getattr(value, field.name), data[field.name])
    record: T = dataclasses.replace(value, **changed)  # type: ignore[type-var]
    return record


def further(data: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of ``data`` that are not among ``known``; those of an object for which ``known`` has one too
    are looked for inside it."""
    rest: dict[str, Any] = {}
    for name, value in data.items():
        if name not in known:
            rest[name] = value
        elif isinstance(known[name], Mapping) and isinstance(value, Mapping) and (inner := further(value, known[name])):
            rest[name] = inner
    return rest


def with_further(data: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``data`` with the members that :func:`further` found in another version's."""
    joined = dict(data)
    for name, value in rest.items():
        mine = joined.get(name)
        joined[name] = with_further(mine, value) if isinstance(mine, Mapping) and isinstance(value, Mapping) else value
    return joined


def number_data(value: float) -> Any:
    """Return a number for JSON: whole numbers without a point, and infinities and NaN as text."""
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def _like(present: Any, given: Any) -> Any:
    """Return a value read from JSON in the type of the field's default."""
    if isinstance(given, list):
        items = tuple(_like((), item) if isinstance(item, list) else item for item in given)
        return frozenset(items) if isinstance(present, frozenset) else items
    if isinstance(present, float) and isinstance(given, int | str):
        return float(given)
    return given
