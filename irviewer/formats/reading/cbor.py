"""As much of CBOR (RFC 8949) as maps of maps of numbers need, so that ranx' files are read without its libraries."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened

_DEPTH = 8
_BREAK = object()


def decode(opened: Opened) -> Any:
    """The first item of the bytes. Raises ParseError where they are cut off or hold what no run does."""
    reader = _Reader(opened)
    try:
        return reader.item(0)
    except (IndexError, struct.error) as error:
        raise ParseError(
            opened.path, f"the CBOR ends in the middle, at byte {reader.at:,}", hint="fetch the file again"
        ) from error


class IrregularError(Exception):
    """Not a map of maps of texts to doubles, or cut off: ``decode`` reads it, or says what is wrong."""


def maps_of_doubles(opened: Opened) -> Iterator[tuple[str, Any, npt.NDArray[np.float64]]]:
    """Each query with its documents (Arrow strings) and their numbers, as tools write runs. Raises IrregularError, also
    after some of them."""
    reader = _Reader(opened)
    try:
        first = reader.data[0]
        reader.at = 1
        if first >> 5 != 5 or first & 31 == 31:
            raise IrregularError
        for _ in range(reader.count(first & 31)):
            query = reader.item(1)
            if not isinstance(query, str):
                raise IrregularError
            yield query, *_doubles(reader)
    except (IndexError, struct.error, ParseError, pa.ArrowInvalid) as error:
        raise IrregularError from error


def _doubles(reader: _Reader) -> tuple[Any, npt.NDArray[np.float64]]:
    """The map at the reader's place, its texts of less than 256 bytes."""
    data, at = reader.data, reader.at
    if data[at] >> 5 != 5 or data[at] & 31 == 31:
        raise IrregularError
    reader.at += 1
    count = reader.count(data[at] & 31)
    at = reader.at
    keys, starts = [], []
    for _ in range(count):
        size = data[at] - 0x60
        if not 0 <= size < 24:
            if size != 24:
                raise IrregularError
            at += 1
            size = data[at]
        begin = at + 1
        at = begin + size
        keys.append(data[begin:at])
        if data[at] != 0xFB:
            raise IrregularError
        starts.append(at + 1)
        at += 9
    if at > len(data):
        raise IrregularError
    reader.at = at
    places = np.array(starts, np.int64).reshape(-1, 1) + np.arange(8)
    numbers = np.frombuffer(data, np.uint8)[places].view(">f8").reshape(-1).astype(np.float64)
    return pa.array(keys, pa.binary()).cast(pa.string()), numbers


class _Reader:
    def __init__(self, opened: Opened) -> None:
        self.opened, self.data, self.at = opened, opened.data, 0

    def item(self, depth: int) -> Any:
        if depth > _DEPTH:
            raise self.wrong("the CBOR is nested too deeply to be a run")
        first = self.data[self.at]
        self.at += 1
        major, minor = first >> 5, first & 31
        if major == 7:
            return self.simple(minor)
        if minor == 31:
            return self.open_ended(major, depth)
        count = self.count(minor)
        if major in (0, 1):
            return count if major == 0 else -1 - count
        if major in (2, 3):
            return self.text(count)
        if major == 5:
            return self.pairs(count, depth)
        if major == 6:  # a tag says how to read what follows; runs need none of them
            return self.item(depth + 1)
        raise self.wrong("the CBOR holds a list where a run has maps")

    def count(self, minor: int) -> int:
        if minor < 24:
            return minor
        if minor > 27:
            raise self.wrong("this is no CBOR")
        width = 1 << (minor - 24)
        piece = self.data[self.at : self.at + width]
        if len(piece) < width:
            raise IndexError
        self.at += width
        return int.from_bytes(piece, "big")

    def text(self, length: int) -> str:
        piece = self.data[self.at : self.at + length]
        if len(piece) < length:
            raise IndexError
        self.at += length
        return piece.decode("utf-8", "replace")

    def pairs(self, count: int, depth: int) -> dict[str, Any]:
        found = {}
        for _ in range(count):
            key = self.item(depth + 1)
            found[str(key)] = self.item(depth + 1)
        return found

    def open_ended(self, major: int, depth: int) -> Any:
        if major != 5:
            raise self.wrong("the CBOR holds something else than maps of numbers")
        found = {}
        while (key := self.item(depth + 1)) is not _BREAK:
            found[str(key)] = self.item(depth + 1)
        return found

    def simple(self, minor: int) -> Any:
        if minor == 31:
            return _BREAK
        formats = {25: ">e", 26: ">f", 27: ">d"}
        if minor not in formats:
            raise self.wrong("the CBOR holds something else than numbers")
        value = struct.unpack_from(formats[minor], self.data, self.at)[0]
        self.at += struct.calcsize(formats[minor])
        return float(value)

    def wrong(self, reason: str) -> ParseError:
        return ParseError(self.opened.path, f"{reason} (byte {self.at:,})")


def encode(found: Mapping[str, Mapping[str, float]]) -> bytes:
    """A map of maps of numbers, 64-bit floats."""
    out = bytearray(_start(5, len(found)))
    for query, inner in found.items():
        out += _text(query) + _start(5, len(inner))
        for document, value in inner.items():
            out += _text(document) + b"\xfb" + struct.pack(">d", value)
    return bytes(out)


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return _start(3, len(data)) + data


def _start(major: int, count: int) -> bytes:
    if count < 24:
        return bytes([major << 5 | count])
    width = next(one for one in (1, 2, 4, 8) if count < 1 << (8 * one))
    return bytes([major << 5 | 23 + width.bit_length()]) + count.to_bytes(width, "big")
