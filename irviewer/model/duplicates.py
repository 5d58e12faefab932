"""Documents that stand twice in one query's list, found without building seven million strings.

A row's (query, document) is folded into 64 bits eight bytes at a time; rows that share a fingerprint are few, and only
those are compared for real, so that the answer is exact."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from irviewer.model.arrays import Codes, Ints, Strings, places_of, values_of

PART = 1 << 16  # rows at a time
LONG = 256
"""Bytes from which an id is digested on its own: one of a megabyte must not cost every other a megabyte's work."""
_ODD = np.uint64(0xD6E8FEB86659FD93)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)


def repeated_rows(query_codes: Codes, doc_ids: Strings) -> Ints:
    """int64: the rows whose (query, document) already stands in an earlier row, ascending; empty for a clean file."""
    if len(query_codes) < 2:
        return np.empty(0, dtype=np.int64)
    if len(query_codes) < PART:
        return _repeated(query_codes, doc_ids, 0, len(query_codes))
    with ThreadPoolExecutor(2) as pool:  # more would wait for each other's Python
        found = list(pool.map(lambda part: _repeated(query_codes, doc_ids, *part), _parts(query_codes)))
    return np.concatenate(found)


def _parts(query_codes: Codes) -> Iterator[tuple[int, int]]:
    """Parts of the rows that share no query: some queries at a time where their rows stand together, else all rows."""
    n = len(query_codes)
    # Codes count queries in order of appearance, so that rows that stand together have codes that never fall.
    if any(_falls(query_codes[start : start + PART + 1]) for start in range(0, n, PART)):
        yield 0, n
        return
    start = 0
    while start < n:
        stop = min(start + PART, n)
        stop = int(np.searchsorted(query_codes, query_codes[stop - 1], side="right"))
        yield start, stop
        start = stop


def _falls(codes: Codes) -> bool:
    return bool(np.any(codes[1:] < codes[:-1]))


def _repeated(query_codes: Codes, doc_ids: Strings, start: int, stop: int) -> Ints:
    prints = np.empty(stop - start, np.uint64)
    for place in range(start, stop, PART):
        end = min(place + PART, stop)
        part = fingerprints(doc_ids[place:end])
        part ^= query_codes[place:end].astype(np.uint64) * _SPREAD
        np.multiply(part, _ODD, out=prints[place - start : end - start])
    ordered = np.sort(prints)
    same = ordered[1:] == ordered[:-1]
    if not same.any():
        return np.empty(0, dtype=np.int64)
    shared = ordered[1:][same]
    suspects = np.flatnonzero(np.isin(prints, shared)) + start
    # Of a file that stands there twice all rows are suspects: nothing of them becomes a Python value.
    names = doc_ids.take(places_of(suspects)).dictionary_encode()
    pairs = query_codes[suspects].astype(np.int64) * len(names.dictionary) + values_of(names.indices)
    order = np.argsort(pairs, kind="stable")
    again = order[1:][pairs[order[1:]] == pairs[order[:-1]]]
    return np.sort(suspects[again]).astype(np.int64, copy=False)


def fingerprints(ids: Strings) -> npt.NDArray[np.uint64]:
    """uint64[n]: equal ids have equal fingerprints; different ones nearly always differ."""
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
    for step in range(0, min(int(lengths.max()), LONG), 8):
        piece = windows[np.minimum(starts + step, end) if step else starts]
        if shortest < step + 8:
            piece &= _MASKS.take(lengths - step if step else lengths, mode="clip")
        if step < shortest:
            result = _mixed(result, piece)
        else:  # a short id's fingerprint must not depend on how long the others are
            np.copyto(result, _mixed(result.copy(), piece), where=lengths > step)
    for row in np.flatnonzero(lengths > LONG).tolist():
        text = padded[int(starts[row]) : int(starts[row]) + int(lengths[row])]
        result[row] = int.from_bytes(blake2b(text.data, digest_size=8).digest(), "little")
    return result


def _mixed(result: npt.NDArray[np.uint64], piece: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    result ^= piece
    result *= _ODD
    result ^= result >> np.uint64(32)
    return result
