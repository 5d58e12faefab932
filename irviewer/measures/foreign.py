"""The guard around measures of other packages: they get copies, and their faults are PluginErrors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from irviewer.errors import PluginError
from irviewer.installed.guard import guarded, told
from irviewer.model.arrays import Floats
from irviewer.model.immutable import immutable_copy
from irviewer.model.judgments.judged import Judged
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

_COPIES: WeakKeyDictionary[Qrels, Qrels] = WeakKeyDictionary()
"""The copies of qrels, which all their judged runs share."""


def is_foreign(function: Callable[..., Any]) -> bool:
    """Return True for a function of another package."""
    return not (getattr(function, "__module__", None) or "").startswith("irviewer.")


def guarded_measure(name: str, function: Callable[..., Any]) -> Callable[..., Floats]:
    """Return a measure's function that gets a copy of the judged run, with its exceptions raised as PluginError and
    its values checked."""

    @wraps(function)
    def compute(judged: Judged, **parameters: Any) -> Floats:
        copy = _copy_of(judged)
        try:
            with guarded():
                values = np.array(function(copy, **parameters))
                if values.dtype.kind == "O":
                    values = values.astype(np.float64)
        except Exception as error:
            raise _failed(name, error) from error
        if values.dtype.kind not in "biuf":
            raise PluginError(
                tr(
                    "{measure}: its function must return numbers, but returned {kind}; report it to its author",
                    measure=name, kind=values.dtype.name,
                )
            )  # fmt: skip
        if values.shape != (judged.n_queries,):
            raise PluginError(
                tr(
                    "{measure}: its function must return {count} values, one per query, but returned an array of shape "
                    "{shape}; report it to its author",
                    measure=name,
                    count=judged.n_queries,
                    shape=values.shape,
                )
            )
        return values.astype(np.float64)

    return compute


def guarded_strings(name: str, function: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """Return the function of a measure's texts, guarded in the same way."""

    @wraps(function)
    def strings(judged: Judged, **parameters: Any) -> list[str]:
        copy = _copy_of(judged)
        try:
            with guarded():
                return [str(text) for text in function(copy, **parameters)]
        except Exception as error:
            raise _failed(name, error) from error

    return strings


def _failed(name: str, error: Exception) -> PluginError:
    return PluginError(
        tr("{measure}: its function failed: {error!r}; report it to its author", measure=name, error=told(error))
    )


def _copy_of(judged: Judged) -> Judged:
    """Return a judged run that shares no writable memory with the original, and none of its computed values."""
    qrels = _COPIES.get(judged.qrels)
    if qrels is None:
        qrels = _COPIES[judged.qrels] = immutable_copy(judged.qrels)
    arrays: dict[str, Any] = {
        field.name: immutable_copy(value)
        for field in fields(judged)
        if isinstance(value := getattr(judged, field.name), np.ndarray)
    }
    return replace(judged, qrels=qrels, **arrays)
