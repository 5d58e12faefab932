"""Whether two values hold the same: arrays by their content, NaN equal to NaN, data classes by their fields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pyarrow as pa


def equal(value: Any, other: Any) -> bool:
    """Return whether two values are of the same type and hold the same; what a data class computed and kept does not
    count, nor do fields that it leaves out of comparisons."""
    if value is other:
        return True
    if type(value) is not type(other):
        return False
    if isinstance(value, np.ndarray):
        return _same_arrays(value, other)
    if isinstance(value, pa.Table):
        return value.schema.equals(other.schema) and all(map(equal, value.columns, other.columns))
    if hasattr(value, "equals"):  # Arrow's columns, for which NaN is not NaN, and data frames, for which it is
        floats = isinstance(value, pa.Array | pa.ChunkedArray) and pa.types.is_floating(value.type)
        return bool(value.equals(other)) or (
            floats and value.type == other.type and equal(value.to_pylist(), other.to_pylist())
        )
    if isinstance(value, float):
        return value == other or (math.isnan(value) and math.isnan(other))
    if is_dataclass(value):
        return all(
            equal(getattr(value, field.name), getattr(other, field.name)) for field in fields(value) if field.compare
        )
    if isinstance(value, Mapping):
        return len(value) == len(other) and all(key in other and equal(item, other[key]) for key, item in value.items())
    if isinstance(value, list | tuple):
        return len(value) == len(other) and all(map(equal, value, other))
    return bool(value == other)


def hash_of(value: Any) -> int:
    """Return a hash of a data class that equal ones share: of its type, texts, whole numbers and tuples of texts."""
    parts = [
        getattr(value, field.name) for field in fields(value) if field.compare and field.hash is not False
    ]  # fmt: skip
    return hash((type(value), *(part for part in parts if _is_plain(part))))


def _same_arrays(value: Any, other: Any) -> bool:
    if value.dtype != other.dtype or value.shape != other.shape:
        return False
    if value.dtype.kind == "O":
        return all(map(equal, value.ravel().tolist(), other.ravel().tolist()))
    return bool(np.array_equal(value, other, equal_nan=value.dtype.kind in "fc"))


def _is_plain(part: Any) -> bool:
    if isinstance(part, tuple):
        return all(isinstance(each, str) for each in part)
    return isinstance(part, str | int) and not isinstance(part, Set)
