"""The few array idioms every part of the model uses: types, offsets of groups, safe division, ids as bytes.

Groups (the documents of a query) lie one after the other in flat arrays; ``offsets`` int64[G+1] say where each begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Strings = Any  # pyarrow.StringArray: pyarrow ships no types


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, refusing to be written to: values of the model are shared, never copied."""
    array.flags.writeable = False
    return array


def offsets_of(counts: npt.NDArray[Any]) -> Ints:
    """int64[G+1] offsets of groups whose sizes are ``counts``."""
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def group_of_each(offsets: Ints) -> Ints:
    """int64[n]: the group that each flat element belongs to."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def safe_divide(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Floats:
    """numerator / denominator elementwise, 0 where the denominator is 0 (trec_eval's rule for empty queries)."""
    top = np.asarray(numerator, dtype=np.float64)
    bottom = np.asarray(denominator, dtype=np.float64)
    top, bottom = np.broadcast_arrays(top, bottom)
    return np.divide(top, bottom, out=np.zeros(top.shape, dtype=np.float64), where=bottom != 0)


def strings(values: Sequence[str] | Iterable[str] | Strings) -> Strings:
    """An Arrow string array (one chunk, 32-bit offsets, no nulls) of the ids given."""
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
        if isinstance(values, pa.ChunkedArray):  # older Arrow returns one chunk still wrapped
            values = values.chunk(0) if values.num_chunks else pa.array([], pa.string())
    if isinstance(values, pa.Array):
        return values if values.type == pa.string() else values.cast(pa.string())
    return pa.array(list(values), pa.string())


def bytewise_order(ids: Sequence[str]) -> Ints:
    """The order that sorts ids as bytes (UTF-8), which is how trec_eval sorts queries."""
    encoded = [one.encode("utf-8", "surrogateescape") for one in ids]
    return np.array(sorted(range(len(encoded)), key=encoded.__getitem__), dtype=np.int64)


def sequential_sum(values: Floats) -> float:
    """The sum in the order given, one addition at a time as trec_eval adds: numpy's pairwise sum differs in the last
    digit, which is a printed digit when a mean falls on a half."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0
