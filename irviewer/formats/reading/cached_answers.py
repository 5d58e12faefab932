"""The answers of a system, and what was said of them, as named columns of an Arrow table, and back.

Columns are named by their place in the value, ``assignments.nuggets.texts``; what is no column is in the description,
which JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.model.answers.answered import Answered
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.foreign import ForeignScores
from irviewer.model.answers.nuggets import Links, Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.arrays import frozen, strings, values_of

PARTS: Mapping[str, type[Any]] = {
    cls.__name__: cls for cls in (Answered, Answers, Assignments, Links, Nuggets, Support)
}
"""The values that have columns; they are written with their names."""
AS_BYTES = ("bool", "int8")
"""Arrays that are written as ``uint8``, which is mapped as it is."""


def packed(value: Any, place: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the columns of a value by their names, Arrow or NumPy arrays of one dimension, and its description.

    Raises TypeError for a value with other parts, such as the list that the answers were made from, and ValueError for
    texts that are no Unicode."""
    columns: dict[str, Any] = {}
    about: dict[str, Any] = {"": type(value).__name__}
    for each in fields(value):
        own, name = getattr(value, each.name), f"{place}{each.name}"
        if own is None:
            continue
        if isinstance(own, str):
            about[each.name] = own
        elif isinstance(own, np.ndarray):
            columns[name] = np.ascontiguousarray(own).reshape(-1)
            if own.dtype.name in AS_BYTES:
                columns[name] = columns[name].view(np.uint8)
            about[each.name] = {"array": own.dtype.name, "shape": list(own.shape)}
        elif isinstance(own, pa.Array | pa.ChunkedArray):
            columns[name] = own
            about[each.name] = {"strings": True}
        elif each.name == "foreign":
            about[each.name] = {"scores": [asdict(scores) for scores in own]}
        elif isinstance(own, tuple | frozenset) and all(isinstance(text, str) for text in own):
            columns[name] = strings(sorted(own) if isinstance(own, frozenset) else own)
            about[each.name] = {"texts": type(own).__name__}
        elif type(own).__name__ in PARTS:
            further, inner = packed(own, f"{name}.")
            columns |= further
            about[each.name] = {"part": inner}
        else:
            raise TypeError(f"{type(own).__name__} as {name} of answers")
    return columns, about


def unpacked(columns: Mapping[str, Any], about: Mapping[str, Any], place: str = "") -> Any:
    """Return the value of columns and a description. Raises KeyError, TypeError, ValueError for others."""
    given: dict[str, Any] = {}
    for field, how in about.items():
        name = f"{place}{field}"
        if field == "":
            continue
        if isinstance(how, str):
            given[field] = how
        elif "array" in how:
            given[field] = _array(columns[name], how)
        elif "strings" in how:
            given[field] = _strings(columns[name])
        elif "scores" in how:
            given[field] = tuple(ForeignScores(**scores) for scores in how["scores"])
        elif "texts" in how:
            own = columns[name].to_pylist()
            given[field] = frozenset(own) if how["texts"] == "frozenset" else tuple(own)
        else:
            given[field] = unpacked(columns, how["part"], f"{name}.")
    return PARTS[about[""]](**given)


def _strings(column: Any) -> Any:
    if column.type != pa.string():
        raise ValueError(f"{column.type}, not strings")
    return column


def _array(column: Any, how: Mapping[str, Any]) -> Any:
    values = values_of(column)
    if how["array"] in AS_BYTES:
        values = values.view(how["array"])
    if values.dtype.name != how["array"]:
        raise ValueError(f"{values.dtype.name}, not {how['array']}")
    return frozen(values.reshape(how["shape"]))
