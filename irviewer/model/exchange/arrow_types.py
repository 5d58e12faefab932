"""The one place where Arrow's types become the few that irviewer computes with.

Other programs write one column in many ways: Polars writes texts as views and categories as dictionaries of them,
DuckDB and Spark write decimals, others run-end encoded ids. Every reader of Arrow data takes its columns from here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import places_of, values_of
from irviewer.translation import tr


def plain_column(column: Any) -> Any:
    """Return a column, chunked or not, as one array of a plain type (see ``plain``). Raises OptionError for texts of
    2 GB."""
    if not isinstance(column, pa.ChunkedArray):
        column = pa.chunked_array([column])
    try:
        parts = [plain(chunk) for chunk in column.chunks] or [plain(pa.nulls(0, column.type))]
        if len({part.type for part in parts}) > 1:  # some of the whole numbers are larger than int64
            parts = [part.cast(pa.string()) for part in parts]
        return parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
    except pa.ArrowInvalid as fault:
        raise OptionError(tr("The ids are 2 GB or more, which one column cannot hold.")) from fault


def plain(array: Any) -> Any:
    """Return an array (not chunked) with a plain type of the same values: texts, bytes, int64, float64, lists of texts.
    Numbers, dates and nested values that have no simpler form are unchanged. Raises ArrowInvalid for texts of 2 GB."""
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(array.storage)
    if pa.types.is_dictionary(kind):
        texts = plain(array.dictionary)
        return array.dictionary_decode() if texts.type == array.dictionary.type else texts.take(array.indices)
    if pa.types.is_run_end_encoded(kind):
        return plain(array.values).take(places_of(_runs(array)))
    target = _target(kind)
    if target is not None:
        return array.cast(target)
    return _of_decimals(array) if pa.types.is_decimal(kind) else array


def is_whole(kind: Any) -> bool:
    """Return True for a type of whole numbers, however they are stored."""
    while pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    return bool(pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale <= 0))


def is_number(kind: Any) -> bool:
    """Return True for a type of whole numbers or fractions, however they are stored."""
    while pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def is_shared(kind: Any) -> bool:
    """Return True for a type whose rows may share one text, so that the file is smaller than its texts."""
    return bool(
        pa.types.is_dictionary(kind)
        or pa.types.is_run_end_encoded(kind)
        or _is("string_view", kind)
        or _is("binary_view", kind)
    )


def text_size(array: Any) -> int:
    """Return the bytes that the texts of an array take once each row has its own; 0 for other values."""
    lengths = _lengths(array)
    return 0 if lengths is None else int(lengths.sum())


def _lengths(array: Any) -> Any:
    """Return the length in bytes of each text, int64[n], 0 for nulls; None for other values."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        own = _lengths(array.dictionary)
        return None if own is None else own[values_of(array.indices.drop_null().cast(pa.int64()))]
    if pa.types.is_run_end_encoded(kind):
        own = _lengths(array.values)
        return None if own is None else own[_runs(array)]
    if _is("string_view", kind) or _is("binary_view", kind):
        views = np.frombuffer(array.buffers()[1] or b"", np.int32)[4 * array.offset :: 4][: len(array)]
        return np.where(values_of(array.is_valid()), views, 0).astype(np.int64)
    if any(_is(name, kind) for name in ("string", "large_string", "binary", "large_binary")):
        return values_of(pc.binary_length(array).cast(pa.int64()).fill_null(0))
    return None


def _runs(array: Any) -> Any:
    """Return the position in ``values`` of each row of a run-end encoded array, int64[n]."""
    ends = values_of(array.run_ends.cast(pa.int64()))
    lengths = np.diff(np.clip(ends - array.offset, 0, len(array)), prepend=0)
    return np.repeat(np.arange(len(ends)), lengths)


def _target(kind: Any) -> Any:
    """Return the plain type that Arrow casts this type to without loss; None without one."""
    if _is("string_view", kind) or pa.types.is_large_string(kind):
        return pa.string()
    if _is("binary_view", kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_float16(kind):
        return pa.float64()
    if any(_is(name, kind) for name in ("list", "large_list", "fixed_size_list", "list_view", "large_list_view")):
        of_texts = any(_is(name, kind.value_type) for name in ("string", "large_string", "string_view"))
        return pa.list_(pa.string()) if of_texts else None
    return None


def _of_decimals(array: Any) -> Any:
    """Return whole numbers as int64, or as their digits if they are too large, and others as the nearest float64."""
    if array.type.scale <= 0:
        try:
            return array.cast(pa.int64())
        except pa.ArrowInvalid:
            return array.cast(pa.string())
    return array.cast(pa.string()).cast(pa.float64())  # the direct cast does not round to the nearest


def _is(name: str, kind: Any) -> bool:
    """Return ``pyarrow.types.is_NAME(kind)``; False if this version of Arrow does not know the type."""
    test = getattr(pa.types, f"is_{name}", None)
    return test is not None and bool(test(kind))
