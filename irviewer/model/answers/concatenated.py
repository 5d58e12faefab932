"""Values of different topics as one: answers, labels, nuggets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import chain
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


def concatenated(*parts: Part) -> Part:
    """Return values of different topics as one: columns one after the other, and what is said of all as the first has
    it. The time is linear in the rows of all."""
    first = parts[0]
    assert is_dataclass(first)
    columns = {}
    for name in (each.name for each in fields(first)):
        own = [getattr(part, name) for part in parts]
        given = next((each for each in own if each is not None), None)
        if name in _GAPS and given is not None:
            own = [_gaps(part, name, given) if each is None else each for part, each in zip(parts, own, strict=True)]
        columns[name] = _column(name, own)
    return replace(first, **columns)  # type: ignore[type-var]


def _column(name: str, own: Sequence[Any]) -> Any:
    first = own[0]
    if name.endswith("offsets"):
        before = np.cumsum([0, *(each[-1] for each in own[:-1])])
        return frozen(np.concatenate([first[:1], *(each[1:] + more for each, more in zip(own, before, strict=True))]))
    if isinstance(first, np.ndarray):
        return frozen(np.concatenate(own))
    if isinstance(first, pa.Array):
        return pa.concat_arrays(own)
    if is_dataclass(first):
        return concatenated(*own)
    return tuple(chain.from_iterable(own)) if isinstance(first, tuple) else first


def _gaps(value: Any, name: str, like: Any) -> Any:
    """Return a column of gaps for a value that lacks it, as another one is."""
    rows, gap = _GAPS[name]
    return np.full((len(getattr(value, rows)), *like.shape[1:]), gap, dtype=like.dtype)
