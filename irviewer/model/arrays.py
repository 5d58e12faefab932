"""Array types and functions of the model: offsets of groups, safe division, ids as bytes and as sequences.

Groups (the documents of a query) are adjacent in flat arrays; ``offsets`` int64[G+1] are the starts of the groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any, Literal, TypeVar, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError, printable
from irviewer.model.ascending_ids import FEW, AscendingIds, PlacesOfIds
from irviewer.translation import tr

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
Codes = Ints | Ranks  # numbers of groups or names, with 32 bits if there are millions
Bools = npt.NDArray[np.bool_]
Labelled = TypeVar("Labelled")
Number = TypeVar("Number", np.float64, np.int64, np.int32, np.uint64)
Strings = Any  # pyarrow.StringArray: pyarrow ships no types


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array, made read-only: values of the model are shared, never copied."""
    array.flags.writeable = False
    return array


def restore(value: object, state: Mapping[str, Any]) -> None:
    """Set the fields of a pickled value, for its ``__setstate__``: arrays, which pickle makes writable, are read-only
    as they were."""
    for item in state.values():
        if isinstance(item, np.ndarray):
            frozen(item)
    vars(value).update(state)


def relabelled(value: Labelled, **labels: Any) -> Labelled:
    """Return a copy of a frozen value with other labels: fields on which nothing depends that is checked or derived.
    So nothing is checked again, and what was derived is shared."""
    copied = object.__new__(type(value))
    vars(copied).update(vars(value), **labels)
    return copied


def as_tuple(ids: Iterable[str]) -> tuple[str, ...]:
    """Return ids as a tuple; a tuple of any kind is not copied."""
    return ids if isinstance(ids, tuple) else tuple(ids)


def offsets_of(counts: npt.NDArray[Any]) -> Ints:
    """Return the offsets int64[G+1] of groups whose sizes are ``counts``."""
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    counts.cumsum(out=offsets[1:])
    return offsets


def sizes_of(offsets: npt.NDArray[Any]) -> Ints:
    """Return the sizes int64[G] of groups with these offsets. ``np.diff`` takes ten times as long for small arrays."""
    sizes: Ints = offsets[1:] - offsets[:-1]
    return sizes


def distinct(numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Return the distinct numbers, rising; none may be NaN. ``np.unique`` of NumPy 2.3 and later puts each whole number
    into a table instead of sorting them, which takes a hundred times as long where most numbers differ; and it imports
    masked arrays, a fiftieth of the window's start."""
    ordered = np.sort(numbers)
    return ordered[_first_of_equals(ordered)]


def among(numbers: npt.NDArray[Number], known: npt.NDArray[Number]) -> Bools:
    """Return bool[n]: which of the numbers are among the known ones; none may be NaN. As ``np.isin``; see
    :func:`distinct`."""
    ordered = distinct(known)
    if not len(ordered):
        return np.zeros(len(numbers), np.bool_)
    is_known: Bools = ordered[np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)] == numbers
    return is_known


def grouped(numbers: npt.NDArray[Number]) -> tuple[npt.NDArray[Number], Ints, Ints]:
    """Return the distinct numbers [g], rising, the group of each number int64[n], and the sizes of the groups int64[g].
    None may be NaN. As ``np.unique`` with inverse and counts; see :func:`distinct`."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    first = _first_of_equals(ordered)
    groups = np.empty(len(numbers), dtype=np.int64)
    groups[order] = np.cumsum(first) - 1
    return ordered[first], groups, np.bincount(groups, minlength=np.count_nonzero(first))


def medians(values: Floats) -> Floats:
    """Return the median of each column of float64[n, m]; NaN is left out, and is that of a column of nothing else. As
    ``np.nanmedian``; see :func:`distinct`."""
    ordered = np.sort(values, axis=0)  # NaN last
    counts = np.count_nonzero(~np.isnan(values), axis=0)
    middles = np.full(values.shape[1], np.nan)
    columns = np.flatnonzero(counts)
    low, high = (ordered[place, columns] for place in ((counts[columns] - 1) // 2, counts[columns] // 2))
    with np.errstate(invalid="ignore"):  # between the infinities there is no middle
        middles[columns] = np.where(low == high, low, (low + high) / 2)
    return middles


def _first_of_equals(ordered: npt.NDArray[Any]) -> Bools:
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return first


def group_of_each(offsets: Ints) -> Ints:
    """Return int64[n]: the group of each element."""
    groups: Ints = np.arange(len(offsets) - 1).repeat(sizes_of(offsets))
    return groups


def safe_divide(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Floats:
    """Return numerator / denominator elementwise, 0 where the denominator is 0 (trec_eval's rule for empty queries)."""
    top = np.asarray(numerator, dtype=np.float64)
    bottom = np.asarray(denominator, dtype=np.float64)
    top, bottom = np.broadcast_arrays(top, bottom)
    return np.divide(top, bottom, out=np.zeros(top.shape, dtype=np.float64), where=bottom != 0)


def sums_within(values: Floats, offsets: Ints) -> Floats:
    """Return float64[n]: the cumulative sums within each group. Differences of a cumulative sum over all groups would
    have last digits that depend on the groups before."""
    lengths, result = sizes_of(offsets), np.array(values, dtype=np.float64)
    longest = int(lengths.max(initial=0))
    if len(lengths) <= longest:
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            np.cumsum(result[start:stop], out=result[start:stop])
        return result
    starts = offsets[:-1][np.argsort(-lengths, kind="stable")]
    longer = len(lengths) - np.searchsorted(np.sort(lengths), np.arange(longest), side="right")
    for step in range(1, longest):  # for all groups together: there are more groups than steps
        places = starts[: longer[step]] + step
        result[places] += result[places - 1]
    return result


def strings(values: Sequence[str] | Iterable[str] | Strings) -> Strings:
    """Return ids as an Arrow string array (one chunk, 32-bit offsets, no nulls). Raises OptionError for 2 GB."""
    if isinstance(values, AscendingIds):
        values = values.column
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
        raise OptionError(
            tr("The ids cannot be a column of texts of less than 2 GB: {reason}", reason=fault)
        ) from fault
    raise OptionError(tr("The ids are 2 GB or more, which one column cannot hold."))


def nested_columns(
    nested: Mapping[str, Mapping[str, float]], kind: Literal["run", "qrels"]
) -> tuple[tuple[str, ...], Ints, Strings, Floats]:
    """Return the groups of ``{group: {id: number}}``, the group of each id int64[n], the ids and the numbers
    float64[n].

    Raises OptionError for another shape."""
    try:
        wrong = next((query for query, inner in nested.items() if not isinstance(inner, Mapping)), None)
        if wrong is not None:
            raise TypeError(
                tr(
                    "query {query} has a value of type {kind}, not a dictionary",
                    query=shown_value(wrong), kind=type(nested[wrong]).__name__,
                )
            )  # fmt: skip
        counts = np.array([len(inner) for inner in nested.values()], dtype=np.int64)
        ids = strings([identifier for inner in nested.values() for identifier in inner])
        numbers = _numbers(nested)
        strings(nested)  # the groups are texts as well
    except (AttributeError, TypeError, ValueError, pa.ArrowInvalid, pa.ArrowTypeError) as fault:
        if kind == "run":
            message = tr("A run must be {{query: {{document: score}}}}. The dictionary differs: {reason}", reason=fault)
        else:
            message = tr("Qrels must be {{query: {{document: grade}}}}. The dictionary differs: {reason}", reason=fault)
        raise OptionError(message) from fault
    return tuple(nested), np.repeat(np.arange(len(counts)), counts), ids, numbers


def _numbers(nested: Mapping[str, Mapping[str, float]]) -> Floats:
    """Return the numbers of ``{group: {id: number}}``. Raises TypeError, which names the first value that is none."""
    try:
        numbers = np.array([value for inner in nested.values() for value in inner.values()], dtype=np.float64)
        # None becomes NaN, which is a score for those who ask for it.
        if numbers.ndim == 1 and not (np.isnan(numbers).any() and _has_none(nested)):
            return numbers
    except (TypeError, ValueError, OverflowError):
        pass
    for group, inner in nested.items():
        for identifier, value in inner.items():
            try:
                is_number = value is not None and np.array(value, dtype=np.float64).ndim == 0
            except (TypeError, ValueError, OverflowError):
                is_number = False
            if not is_number:
                raise TypeError(
                    tr(
                        "document {document} of query {query} has {value}, which is no number",
                        document=shown_value(identifier), query=shown_value(group), value=shown_value(value),
                    )
                )  # fmt: skip
    raise TypeError(tr("a value must be a single number"))


def _has_none(nested: Mapping[str, Mapping[str, float]]) -> bool:
    return any(value is None for inner in nested.values() for value in inner.values())


def shown_value(value: object) -> str:
    """Return a value as in a program, shortened, for a message."""
    text = printable(repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


def values_of(array: Any) -> npt.NDArray[Any]:
    """Return the numbers or truth values of an Arrow array without nulls, read-only, in Arrow's memory. Without
    ``to_numpy``, which imports pandas if it is installed (0.2 seconds and 45 MB)."""
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
    """Return integers as an Arrow array for ``take``. Without ``pa.array``, for the same reason."""
    narrow = numbers.dtype == np.int32
    whole = np.ascontiguousarray(numbers, dtype=np.int32 if narrow else np.int64)
    return pa.Array.from_buffers(pa.int32() if narrow else pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def ids_in_order(ids: Strings, parts: Iterable[tuple[tuple[int, int], Ranks | None]]) -> Strings:
    """Return all ids in another order, given in parts: the range of ranks, and the row at each rank or None if the rows
    are the ranks. Each part is copied to its final place: Arrow's ``take`` of all ids needs up to twice their
    memory."""
    n, old = len(ids), _offsets_in(ids)
    offsets, data = np.zeros(n + 1, np.int32), np.empty(int(old[-1]) - int(old[0]) if n else 0, np.uint8)
    end = 0
    for (start, stop), rows in parts:
        taken = ids[start:stop] if rows is None else ids.take(places_of(rows))
        own = _offsets_in(taken)
        first, last = int(own[0]), int(own[-1])
        np.add(own[1:], end - first, out=offsets[start + 1 : stop + 1])
        if last > first:
            data[end : end + last - first] = np.frombuffer(taken.buffers()[2], np.uint8)[first:last]
        end += last - first
    return pa.StringArray.from_buffers(n, pa.py_buffer(frozen(offsets)), pa.py_buffer(frozen(data)))


def _offsets_in(ids: Strings) -> Ranks:
    """Return int32[n+1]: where each id begins in its buffer."""
    buffer = ids.buffers()[1]
    return np.zeros(1, np.int32) if buffer is None else np.frombuffer(buffer, np.int32)[ids.offset :][: len(ids) + 1]


def numbers_in_order(values: npt.NDArray[Any], changes: Iterable[tuple[slice | Ints, Ranks]]) -> npt.NDArray[Any]:
    """Return 64-bit numbers in another order, given by ranks and the row at each of them; other rows do not move. The
    same array if the bits are the same, as if only ties move (but for 0.0 and -0.0), so that several rankings of a run
    share it."""
    result = values
    for places, rows in changes:
        own = values[rows]
        if result is values and not np.array_equal(own.view(np.int64), values[places].view(np.int64)):
            result = values.copy()
        if result is not values:
            result[places] = own
    return result


def looked_up(place: Mapping[str, int], ids: Sequence[str], block: int = 4096) -> Ints:
    """Return int64[n]: the place of each id, -1 where there is none. In blocks of ids, after each of which the window
    may have its turn: a worker does no line of Python for each, and keeps the interpreter for a millisecond."""
    places = np.empty(len(ids), dtype=np.int64)
    if isinstance(place, PlacesOfIds) and len(ids) > FEW:
        place = place.whole()
    for start in range(0, len(ids), block):
        part = ids[start : start + block]
        places[start : start + block] = np.fromiter(map(place.get, part, repeat(-1)), np.int64, len(part))
    return places


MANY_NUMBERS, SAMPLED = 1 << 17, 1 << 16
"""From so many numbers it is worthwhile to see in so many of them whether they are often the same."""


def stable_order(numbers: Floats) -> Ints:
    """Return the order that sorts numbers, equal ones in their order, as NumPy's stable sort, which takes .1 s for a
    million: values of a measure are mostly few different numbers, which are counted, and others are sorted in the
    processor's quickest way and equal ones put in their order."""
    n = len(numbers)
    if n < MANY_NUMBERS or np.isnan(numbers).any():
        return np.argsort(numbers, kind="stable")
    sample = numbers[:: max(1, n // SAMPLED)]
    if len(np.unique(sample)) < len(sample) / 2:
        encoded = pa.array(numbers + 0.0).dictionary_encode()  # -0 and 0 are equal
        different = values_of(encoded.dictionary)
        if len(different) <= 1 << 16:
            place = np.empty(len(different), dtype=np.uint16)
            place[np.argsort(different)] = np.arange(len(different))
            return np.argsort(place[values_of(encoded.indices)], kind="stable")
    order = np.argsort(numbers)
    numbers = numbers.take(order)
    groups = np.zeros(n, dtype=np.int64)
    np.cumsum(numbers[1:] != numbers[:-1], out=groups[1:])
    groups <<= 32
    groups |= order
    groups.sort()
    groups &= (1 << 32) - 1
    return groups


def bytewise_order(ids: Sequence[str]) -> Ints:
    """Return the order that sorts ids as bytes (UTF-8), as trec_eval sorts queries. Arrow lets other threads go on
    meanwhile, which matters for a million of them."""
    if isinstance(ids, AscendingIds):
        return np.arange(len(ids), dtype=np.int64)
    try:
        texts = pa.array(ids, pa.string())  # compared by their bytes
    except (UnicodeEncodeError, pa.ArrowInvalid):
        texts = pa.array([text.encode("utf-8", "surrogateescape") for text in ids], pa.binary())
    return np.asarray(pc.array_sort_indices(texts).to_numpy(), dtype=np.int64)


SUMMED = 1 << 14
"""Values that are added at a time."""


def sequential_sum(values: Floats) -> float:
    """Return the sum of values added in their order, as in trec_eval. numpy's pairwise sum differs in the last digit,
    which can change a printed digit."""
    return float(sequential_sums(values[None])[0])


def sequential_sums(values: Floats) -> Floats:
    """Return the :func:`sequential_sum` of each row, float64[K] of float64[K, n]."""
    total = np.zeros(len(values))
    for start in range(0, values.shape[1], SUMMED):  # a million partial sums would be written to memory for the last
        part = values[:, start : start + SUMMED]
        if start:
            part = part.copy()
            part[:, 0] += total
        total = np.add.accumulate(part, axis=1)[:, -1]
    return total


class ListedIds(Sequence[str]):
    """The ids of an Arrow column as a sequence; a slice is a list. All of them become strings only when they are
    iterated over or searched."""

    def __init__(self, ids: Strings) -> None:
        self.ids = ids
        self._length = len(ids)

    @cached_property
    def _all(self) -> list[str]:
        ids: list[str] = self.ids.to_pylist()
        return ids

    def __len__(self) -> int:
        """The number of ids."""
        return self._length

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> Any:
        """Return one of them, or the list of a slice."""
        if isinstance(place, slice):
            return self.ids[place].to_pylist()
        return self.ids[place].as_py()

    def __iter__(self) -> Iterator[str]:
        """Iterate over all ids."""
        return iter(self._all)

    def __contains__(self, doc_id: object) -> bool:
        """Whether an id is among them."""
        return doc_id in self._all

    def index(self, doc_id: str, start: int = 0, stop: int | None = None) -> int:
        """Return the first row of an id."""
        return self._all.index(doc_id, start, self._length if stop is None else stop)

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same ids in the same order."""
        if isinstance(other, ListedIds):
            return bool(self.ids.equals(other.ids))
        return isinstance(other, list) and self._all == other

    __hash__ = None  # type: ignore[assignment]


def rows_among(ids: Sequence[str] | Strings, others: Sequence[str] | Strings) -> Ints:
    """Return int64[n]: the row of each id among ``others``, -1 if it is not there."""
    positions = pc.index_in(_column(ids), value_set=_column(others))
    rows = values_of(positions).astype(np.int64)
    if positions.null_count:
        stop = positions.offset + len(positions)
        bits = np.unpackbits(np.frombuffer(positions.buffers()[0], np.uint8), count=stop, bitorder="little")
        rows[bits[positions.offset :] == 0] = -1
    return frozen(rows)


def _column(ids: Sequence[str] | Strings) -> Strings:
    if isinstance(ids, ListedIds):
        return ids.ids
    if isinstance(ids, AscendingIds):
        return ids.column
    return ids if isinstance(ids, pa.Array) else pa.array(ids, pa.string())
