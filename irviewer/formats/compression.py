"""Compressing what is written, as the name of the file says."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from irviewer.formats.format import Format


def compressed(data: bytes, path: str, target: Format) -> bytes:
    """Return the data compressed as the last ending of the path says, unless that ending is the format's own."""
    suffix = Path(path).suffix.lower()
    if suffix in target.suffixes:
        return data
    plain: dict[str, Callable[[bytes], bytes]] = {
        ".gz": _gzip, ".bz2": bz2.compress, ".xz": lzma.compress,
    }  # fmt: skip
    if suffix in plain:
        return plain[suffix](data)
    if suffix in (".zst", ".lz4"):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, {".zst": "zstd", ".lz4": "lz4"}[suffix]) as stream:
            stream.write(data)
        return bytes(sink.getvalue())
    return data


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # without a time, equal data gives equal bytes
