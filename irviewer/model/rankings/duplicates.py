"""Documents that stand twice in one query's list, found without building seven million strings.

A row's (query, document) is folded into 64 bits eight bytes at a time; rows that share a fingerprint are few, and only
those are compared for real, so that the answer is exact."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Codes, Ints, Strings, places_of, values_of
from irviewer.model.parts import PART, Part, falls

LONG = 256
"""Bytes from which an id is digested on its own: one of a megabyte must not cost every other a megabyte's work."""
_ODD = np.uint64(0xD6E8FEB86659FD93)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)


def repeated_rows(query_codes: Codes, doc_ids: Strings, *, part: int = PART, long: int = LONG) -> Ints:
    """int64: the rows whose (query, document) already stands in an earlier row, ascending; empty for a clean file.
    Some queries are compared at a time, ``part`` rows or more; ``long`` as of :func:`fingerprints`."""
    found = [_repeated(query_codes, doc_ids, one, long) for one in _apart(query_codes, part)]
    return np.concatenate([np.empty(0, np.int64), *found])


def _apart(query_codes: Codes, part: int) -> list[Part]:
    """Parts of the rows that share no query: some queries at a time where their rows stand together, else all rows."""
    n = len(query_codes)
    if falls(query_codes, part):
        return [(0, n)]
    parts, start = [], 0
    while start < n:
        last = query_codes[min(start + part, n) - 1]
        stop = int(np.searchsorted(query_codes, last, side="right"))
        parts.append((start, stop))
        start = stop
    return parts


def _repeated(query_codes: Codes, doc_ids: Strings, part: Part, long: int) -> Ints:
    start, stop = part
    codes, ids = query_codes[start:stop], doc_ids[start:stop]
    prints = fingerprints(ids, long)
    prints ^= codes.astype(np.uint64) * _SPREAD
    prints *= _ODD
    ordered = np.sort(prints)
    same = ordered[1:] == ordered[:-1]
    if not same.any():
        return np.empty(0, dtype=np.int64)
    suspects = np.flatnonzero(np.isin(prints, ordered[1:][same]))
    # Of a file that stands there twice all rows are suspects: nothing of them becomes a Python value.
    names = ids.take(places_of(suspects)).dictionary_encode()
    pairs = codes[suspects].astype(np.int64) * len(names.dictionary) + values_of(names.indices)
    order = np.argsort(pairs, kind="stable")
    again = order[1:][pairs[order[1:]] == pairs[order[:-1]]]
    return np.sort(suspects[again]).astype(np.int64, copy=False) + start


def refuse_repeated(query_ids: Sequence[str], query_codes: Codes, doc_ids: Strings) -> None:
    """Raises OptionError where a document stands twice for a query."""
    found = repeated_rows(query_codes, doc_ids)
    if len(found):
        row = int(found[0])
        raise OptionError(f"document {doc_ids[row].as_py()} stands twice for query {query_ids[query_codes[row]]}")


def fingerprints(ids: Strings, long: int = LONG) -> npt.NDArray[np.uint64]:
    """uint64[n]: equal ids have equal fingerprints; different ones nearly always differ. Ids of more than ``long``
    bytes are digested on their own."""
    n = len(ids)
    if n == 0:
        return np.empty(0, dtype=np.uint64)
    _, offset_buffer, data_buffer = ids.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[ids.offset : ids.offset + n + 1]
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer is not None else np.empty(0, np.uint8)
    # Unaligned 8-byte windows over the text; padded so that the last id has a window too.
    padded = np.concatenate([data[offsets[0] : offsets[-1]], np.zeros(8, np.uint8)])
    windows: npt.NDArray[np.uint64] = np.ndarray((len(padded) - 7,), "<u8", padded.data, strides=(1,))
    starts, lengths, end = offsets[:-1] - offsets[0], np.diff(offsets), offsets[-1] - offsets[0]
    shortest = int(lengths.min())
    result = lengths.astype(np.uint64)
    result *= _SPREAD
    for step in range(0, min(int(lengths.max()), long), 8):
        piece = windows[np.minimum(starts + step, end) if step else starts]
        if shortest < step + 8:
            piece &= _MASKS.take(lengths - step if step else lengths, mode="clip")
        if step < shortest:
            result = _mixed(result, piece)
        else:  # a short id's fingerprint must not depend on how long the others are
            np.copyto(result, _mixed(result.copy(), piece), where=lengths > step)
    for row in np.flatnonzero(lengths > long).tolist():
        text = padded[int(starts[row]) : int(starts[row]) + int(lengths[row])]
        result[row] = int.from_bytes(blake2b(text.data, digest_size=8).digest(), "little")
    return result


def _mixed(result: npt.NDArray[np.uint64], piece: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    result ^= piece
    result *= _ODD
    result ^= result >> np.uint64(32)
    return result
