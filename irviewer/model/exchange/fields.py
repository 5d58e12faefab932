"""The fields of a frozen data class that can also be made from one value of another library: ``Run(frame)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any


def set_fields(target: Any, arguments: Sequence[Any], options: Mapping[str, Any]) -> None:
    """Set the fields of a frozen data class from the arguments of its call.

    A first argument that is no text is a value for the class's ``of``, with the options of that call; else the
    arguments are the fields in order and by name. Raises TypeError for arguments that do not fit, as a call does."""
    kind = type(target)
    if len(arguments) == 1 and not isinstance(arguments[0], str):
        values = _values_of(kind.of(arguments[0], **options), fields(kind))
    else:
        values = _given(kind.__name__, fields(kind), arguments, options)
    for name, value in values.items():
        object.__setattr__(target, name, value)  # the class is frozen


def _values_of(other: Any, parts: Sequence[Field[Any]]) -> dict[str, Any]:
    return {part.name: getattr(other, part.name) for part in parts}


def _given(
    name: str, parts: Sequence[Field[Any]], arguments: Sequence[Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    names = [part.name for part in parts]
    if len(arguments) > len(names):
        raise TypeError(f"{name}() takes {len(names)} fields, not {len(arguments)}")
    if len(arguments) == 1 and len(names) > 1 and not options:
        raise TypeError(f"{name}() takes a table or all columns; irviewer.read_{name.lower()} reads a file")
    values = dict(zip(names, arguments, strict=False))
    wrong = next((option for option in options if option not in names or option in values), None)
    if wrong is not None:
        raise TypeError(f"{name}() has no field {wrong!r}, or it is given twice")
    values.update(options)
    for part in parts:
        if part.name in values:
            continue
        if part.default is not MISSING:
            values[part.name] = part.default
        elif part.default_factory is not MISSING:
            values[part.name] = part.default_factory()
        else:
            raise TypeError(f"{name}() needs {part.name}: pass a table, or all columns")
    return values
