"""Copies of values for code of other packages, whose arrays nobody can write into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

Value = TypeVar("Value")


def immutable_copy(value: Value) -> Value:
    """Return a value of the model whose arrays are copies in memory that cannot be made writable; what the original has
    computed and kept is not in it. Arrow's arrays are shared, as they cannot be written."""
    return _copied(value)  # type: ignore[no-any-return]


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.frombuffer(value.tobytes(), value.dtype).reshape(value.shape) if value.dtype.kind != "O" else value
    if is_dataclass(value) and not isinstance(value, type):
        copies = {field.name: _copied(getattr(value, field.name)) for field in fields(value) if field.init}
        changed = {name: copy for name, copy in copies.items() if copy is not getattr(value, name)}
        return replace(value, **changed)
    if isinstance(value, Mapping) and any(isinstance(item, np.ndarray) for item in value.values()):
        return MappingProxyType({key: _copied(item) for key, item in value.items()})
    return value
