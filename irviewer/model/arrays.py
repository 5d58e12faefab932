"""The few array idioms every part of the model uses: types, offsets of groups, safe division, ids as bytes.

Groups (the documents of a query) lie one after the other in flat arrays; ``offsets`` int64[G+1] say where each begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.errors import OptionError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
Codes = Ints | Ranks  # small numbers of groups or names: 32 bits where there are millions of them
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


def sums_within(values: Floats, offsets: Ints) -> Floats:
    """float64[n]: the running sums of each group, its own element included. No sum runs from one group into the next:
    what is taken from a sum over all has last digits that follow the groups before."""
    lengths, result = np.diff(offsets), np.array(values, dtype=np.float64)
    longest = int(lengths.max(initial=0))
    if len(lengths) <= longest:
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            np.cumsum(result[start:stop], out=result[start:stop])
        return result
    starts = offsets[:-1][np.argsort(-lengths, kind="stable")]
    longer = len(lengths) - np.searchsorted(np.sort(lengths), np.arange(longest), side="right")
    for step in range(1, longest):  # of all groups at once: there are more groups than steps
        here = starts[: longer[step]] + step
        result[here] += result[here - 1]
    return result


def strings(values: Sequence[str] | Iterable[str] | Strings) -> Strings:
    """An Arrow string array (one chunk, 32-bit offsets, no nulls) of the ids given. Raises OptionError for 2 GB."""
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        values = pa.array(list(values), pa.string())
    try:
        if isinstance(values, pa.ChunkedArray):
            values = values.combine_chunks()
        if isinstance(values, pa.ChunkedArray) and values.num_chunks < 2:  # as older Arrow returns one
            values = values.chunk(0) if values.num_chunks else pa.array([], pa.string())
        if isinstance(values, pa.Array):
            return values if values.type == pa.string() else values.cast(pa.string())
    except pa.ArrowInvalid as fault:
        raise OptionError(f"these ids are no column of texts of less than 2 GB: {fault}") from fault
    raise OptionError("these ids are 2 GB or more, which one column cannot hold")


def nested_columns(
    nested: Mapping[str, Mapping[str, float]], what: str, number: str
) -> tuple[tuple[str, ...], Ints, Strings, Floats]:
    """The groups of ``{group: {id: number}}``, the group of each id int64[n], the ids and the numbers float64[n].

    Raises OptionError, in the words of ``what`` ("a run is") and ``number`` ("score"), where it has another shape."""
    try:
        counts = np.array([len(one) for one in nested.values()], dtype=np.int64)
        ids = strings([each for one in nested.values() for each in one])
        numbers = np.array([each for one in nested.values() for each in one.values()], dtype=np.float64)
        strings(nested)  # the groups are texts as well
        if numbers.ndim != 1:
            raise TypeError(f"a {number} is one number, not several")
    except (AttributeError, TypeError, ValueError, pa.ArrowInvalid, pa.ArrowTypeError) as fault:
        raise OptionError(f"{what} {{query: {{document: {number}}}}}, and this dictionary is not: {fault}") from fault
    return tuple(nested), np.repeat(np.arange(len(counts)), counts), ids, numbers


def values_of(array: Any) -> npt.NDArray[Any]:
    """The numbers or truths of an Arrow array without nulls, which are not to be written to: they are Arrow's memory.
    Not by ``to_numpy``, which imports pandas wherever that is installed: a fifth of a second and 45 MB."""
    kinds = {
        pa.uint8(): np.uint8,
        pa.int32(): np.int32,
        pa.int64(): np.int64,
        pa.uint64(): np.uint64,
        pa.float64(): np.float64,
    }
    start, stop = array.offset, array.offset + len(array)
    buffer = array.buffers()[1]
    if buffer is None:
        return np.empty(0, np.bool_ if array.type == pa.bool_() else kinds[array.type])
    if array.type == pa.bool_():
        bits = np.frombuffer(buffer, np.uint8)
        return frozen(np.unpackbits(bits, count=stop, bitorder="little")[start:].view(np.bool_))
    return frozen(np.frombuffer(buffer, kinds[array.type])[start:stop])


def places_of(numbers: npt.NDArray[Any]) -> Any:
    """An Arrow array of integers, to take by. Not by ``pa.array``, for the same reason."""
    narrow = numbers.dtype == np.int32
    whole = np.ascontiguousarray(numbers, dtype=np.int32 if narrow else np.int64)
    return pa.Array.from_buffers(pa.int32() if narrow else pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def ids_in_order(ids: Strings, parts: Iterable[tuple[tuple[int, int], Ranks | None]]) -> Strings:
    """All the ids in another order, told part by part: ranks from and to, and the row at each of them, None where the
    rows are the ranks. What is taken of a part is copied to where it stays: Arrow's own ``take`` of all of them holds
    up to twice their memory while it grows."""
    n, old = len(ids), _offsets_in(ids)
    offsets, data = np.zeros(n + 1, np.int32), np.empty(int(old[-1]) - int(old[0]) if n else 0, np.uint8)
    end = 0
    for (start, stop), rows in parts:
        one = ids[start:stop] if rows is None else ids.take(places_of(rows))
        own = _offsets_in(one)
        first, last = int(own[0]), int(own[-1])
        np.add(own[1:], end - first, out=offsets[start + 1 : stop + 1])
        if last > first:
            data[end : end + last - first] = np.frombuffer(one.buffers()[2], np.uint8)[first:last]
        end += last - first
    return pa.StringArray.from_buffers(n, pa.py_buffer(frozen(offsets)), pa.py_buffer(frozen(data)))


def _offsets_in(ids: Strings) -> Ranks:
    """int32[n+1]: where each id begins in its buffer."""
    buffer = ids.buffers()[1]
    return np.zeros(1, np.int32) if buffer is None else np.frombuffer(buffer, np.int32)[ids.offset :][: len(ids) + 1]


def numbers_in_order(values: npt.NDArray[Any], changes: Iterable[tuple[slice | Ints, Ranks]]) -> npt.NDArray[Any]:
    """The 64-bit numbers in another order, told by ranks and the row at each of them, all other rows being the ranks:
    the same array where they are the same bits in it, as
    where only ties move (but for 0.0 and -0.0), so that several rankings of a run share it."""
    result = values
    for places, rows in changes:
        own = values[rows]
        if result is values and not np.array_equal(own.view(np.int64), values[places].view(np.int64)):
            result = values.copy()
        if result is not values:
            result[places] = own
    return result


def bytewise_order(ids: Sequence[str]) -> Ints:
    """The order that sorts ids as bytes (UTF-8), which is how trec_eval sorts queries."""
    encoded = [one.encode("utf-8", "surrogateescape") for one in ids]
    return np.array(sorted(range(len(encoded)), key=encoded.__getitem__), dtype=np.int64)


def sequential_sum(values: Floats) -> float:
    """The sum in the order given, one addition at a time as trec_eval adds: numpy's pairwise sum differs in the last
    digit, which is a printed digit when a mean falls on a half."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0
