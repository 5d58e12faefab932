"""Two values of different topics as one: answers, labels, nuggets."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from irviewer.model.answers.labels import UNJUDGED
from irviewer.model.arrays import frozen

Part = TypeVar("Part")
_GAPS: dict[str, tuple[str, float]] = {
    "votes": ("texts", np.nan), "spans": ("labels", -1), "together": ("texts", UNJUDGED), "others": ("cited", UNJUDGED),
}  # fmt: skip
"""Columns that a file may lack -> a column of as many rows, and what is there then."""


def concatenated(first: Part, other: Part) -> Part:
    """Return two values of different topics as one: columns one after the other, and what is said of all as the first
    has it."""
    assert is_dataclass(first) and is_dataclass(other)
    columns = {}
    for name in (each.name for each in fields(first)):
        own, more = getattr(first, name), getattr(other, name)
        if name in _GAPS and (own is None) != (more is None):
            own, more = _filled(first, name, own, more), _filled(other, name, more, own)
        columns[name] = _column(name, own, more)
    return replace(first, **columns)  # type: ignore[type-var]


def _column(name: str, own: Any, more: Any) -> Any:
    if name.endswith("offsets"):
        return frozen(np.concatenate((own, more[1:] + own[-1])))
    if isinstance(own, np.ndarray):
        return frozen(np.concatenate((own, more)))
    if isinstance(own, pa.Array):
        return pa.concat_arrays([own, more])
    if is_dataclass(own):
        return concatenated(own, more)
    return own + more if isinstance(own, tuple) else own


def _filled(value: Any, name: str, own: Any, like: Any) -> Any:
    """Return a column, or one of gaps where a value lacks it, as another one is."""
    if own is not None:
        return own
    rows, gap = _GAPS[name]
    return np.full((len(getattr(value, rows)), *like.shape[1:]), gap, dtype=like.dtype)
