"""Search for documents that are listed twice for a query, without building millions of Python strings.

A row's query and the last eight bytes of its document's id are hashed to 64 bits, and where too many rows share a hash,
the whole id, eight bytes at a time; only rows that share one are compared, so the result is exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Codes, Ints, Ranks, Strings, among, places_of, values_of
from irviewer.model.parts import PART, Part, falls, parts_of
from irviewer.translation import tr

Hashes = npt.NDArray[np.uint64]
LONG = 256
"""Ids with more bytes are hashed one by one: a single long id must not slow down all others."""
ALIKE = 16
"""One in so many rows may share the hash of its id's end with another row before whole ids are hashed."""
TAILS = 1 << 14
"""The ids whose ends are hashed at a time: with all that is made of them they fit the processor's cache."""
_ODD = np.uint64(0xD6E8FEB86659FD93)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)
_LAST = ~_MASKS[::-1]


def repeated_rows(
    query_codes: Codes, doc_ids: Strings, known: Hashes | None = None, *,
    part: int = PART, long: int = LONG, alike: int = ALIKE,
) -> Ints:  # fmt: skip
    """Return the rows whose (query, document) is in an earlier row too, ascending, int64.

    known   the ``tails`` of the ids, if they are known
    part    the least number of rows compared at a time, whole queries
    long    see :func:`fingerprints`
    alike   see ``ALIKE``; 0: whole ids are hashed"""
    rows = [_repeated(query_codes, doc_ids, known, bounds, long, alike) for bounds in _query_parts(query_codes, part)]
    return np.concatenate([np.empty(0, np.int64), *rows])


def _query_parts(query_codes: Codes, part: int) -> list[Part]:
    """Return parts of the rows that share no query; one part if the rows are not grouped by query."""
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


def _repeated(
    query_codes: Codes, doc_ids: Strings, known: Hashes | None, part: Part, long: int, alike: int
) -> Ints:  # fmt: skip
    start, stop = part
    codes, ids = query_codes[start:stop], doc_ids[start:stop]
    suspects = _sharing(codes, tails(ids) if known is None else known[start:stop]) if alike else None
    if suspects is None or len(suspects) * alike > len(codes):  # most ids end alike, such as "….html"
        suspects = _sharing(codes, fingerprints(ids, long))
    if not len(suspects):
        return np.empty(0, dtype=np.int64)
    # In a doubled file all rows are suspects, so none of them is made a Python value.
    names = ids.take(places_of(suspects)).dictionary_encode()
    pairs = codes[suspects].astype(np.int64) * len(names.dictionary) + values_of(names.indices)
    order = np.argsort(pairs, kind="stable")
    repeated = order[1:][pairs[order[1:]] == pairs[order[:-1]]]
    return np.sort(suspects[repeated]).astype(np.int64, copy=False) + start


def _sharing(codes: Codes, hashes: Hashes) -> Ints:
    """Return the rows that share their query and their hash with another."""
    prints = codes.astype(np.uint64)
    prints *= _SPREAD
    prints ^= hashes
    ordered = np.sort(prints)
    same = ordered[1:] == ordered[:-1]
    if not same.any():
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(among(prints, ordered[1:][same]))


def refuse_repeated(query_ids: Sequence[str], query_codes: Codes, doc_ids: Strings) -> None:
    """Raise OptionError if a document is listed twice for a query."""
    rows = repeated_rows(query_codes, doc_ids)
    if len(rows):
        row = int(rows[0])
        raise OptionError(
            tr(
                "document {document} is listed twice for query {query}; remove one of the rows",
                document=doc_ids[row].as_py(),
                query=query_ids[query_codes[row]],
            )
        )


def tails(ids: Strings, part: int = TAILS) -> Hashes:
    """Return a hash of the last eight bytes of each id, uint64[n], a quarter of the work of :func:`fingerprints`: ids
    that end alike share it. ``part``: the ids hashed at a time."""
    n = len(ids)
    if n == 0:
        return np.empty(0, dtype=np.uint64)
    offsets, data = _bytes_of(ids)
    result = np.empty(n, dtype=np.uint64)
    for start, stop in parts_of(n, part):
        _hash_tails(offsets[start : stop + 1], data, result[start:stop])
    return result


def _hash_tails(offsets: Ranks, data: npt.NDArray[np.uint8], into: Hashes) -> None:
    """Write the hashes of the ids between the offsets."""
    # Windows that end where an id does; what they have of the bytes before the id is shifted out.
    ends, before = offsets[1:], 8
    if offsets[0] < before:  # the text has no eight bytes before these ids
        data, before = np.concatenate([np.zeros(8, np.uint8), data[offsets[0] : offsets[-1]]]), int(offsets[0])
    windows: npt.NDArray[np.uint64] = np.ndarray((len(data) - 7,), "<u8", data.data, strides=(1,))
    hashed(windows[ends - before], np.diff(offsets), into)


def hashed(pieces: Hashes, lengths: Codes, into: Hashes) -> None:
    """Write the hashes of the last eight bytes of ids, given the eight bytes that end where each does, which are
    overwritten."""
    if int(lengths.min()) < 8:
        pieces &= _LAST.take(lengths, mode="clip")
    pieces *= _SPREAD
    pieces ^= pieces >> np.uint64(32)
    np.multiply(pieces, _ODD, out=into)


def _bytes_of(ids: Strings) -> tuple[Ranks, npt.NDArray[np.uint8]]:
    """Return int32[n+1], where each of n ids begins and the last ends, and the bytes there."""
    _, offset_buffer, data_buffer = ids.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[ids.offset : ids.offset + len(ids) + 1]
    return offsets, np.frombuffer(data_buffer, np.uint8) if data_buffer is not None else np.empty(0, np.uint8)


def fingerprints(ids: Strings, long: int = LONG) -> Hashes:
    """Return a hash of each id, uint64[n]; different ids nearly always differ. Ids of more than ``long`` bytes are
    hashed one by one."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    n = len(ids)
    if n == 0:
        return np.empty(0, dtype=np.uint64)
    offsets, data = _bytes_of(ids)
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
        else:  # the fingerprint of a short id must not depend on the lengths of other ids
            np.copyto(result, _mixed(result.copy(), piece), where=lengths > step)
    for row in np.flatnonzero(lengths > long).tolist():
        text = padded[int(starts[row]) : int(starts[row]) + int(lengths[row])]
        result[row] = int.from_bytes(blake2b(text.data, digest_size=8).digest(), "little")
    return result


def _mixed(result: Hashes, piece: Hashes) -> Hashes:
    result ^= piece
    result *= _ODD
    result ^= result >> np.uint64(32)
    return result
