"""Values as JSON and back: frozen records field by field, only what is not the default, and numbers that JSON lacks."""

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
    """A value as JSON has it: tuples and sets (in order) as lists. Raises NotPlain for what is more than that."""
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
    """The fields of a dataclass that are not their defaults; those that have no plain form are left out."""
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
    """The dataclass with the fields that data has; what it does not know, or what is of another type, stays."""
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(value):  # type: ignore[arg-type]
        if field.name in data and field.name not in leave:
            changed[field.name] = _like(getattr(value, field.name), data[field.name])
    record: T = dataclasses.replace(value, **changed)  # type: ignore[type-var]
    return record


def number_data(value: float) -> Any:
    """A number as JSON has it; whole ones without a point, and text for those that JSON lacks."""
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def _like(present: Any, given: Any) -> Any:
    """What was read, as the type that stands there has it."""
    if isinstance(given, list):
        items = tuple(_like((), item) if isinstance(item, list) else item for item in given)
        return frozenset(items) if isinstance(present, frozenset) else items
    if isinstance(present, float) and isinstance(given, int | str):
        return float(given)
    return given
