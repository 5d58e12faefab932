"""A digest of judgments, by which values say what they were computed with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Floats, Strings, values_of
from irviewer.model.exchange.arrow_types import plain_column


def digest_of_rows(queries: Strings, seconds: Strings | None, documents: Strings, grades: Floats) -> str:
    """Return the digest of the rows of judgments, the same in any order; ``seconds`` is the second column of the file,
    None if it has no meaning."""
    columns = {"query": queries, "document": documents, "grade": pa.array(grades)}
    if seconds is not None:
        columns["second"] = seconds
    table = pa.table(columns)
    table = table.sort_by([(name, "ascending") for name in table.column_names])
    return digest_of_bytes(piece for name in table.column_names for piece in _bytes_of(plain_column(table[name])))


def digest_of_values(identifiers: Strings, values: Any) -> str:
    """Return the digest of a value (a text, or float64) for each identifier, the same in any order."""
    table = pa.table({"id": identifiers, "value": values}).sort_by("id")
    return digest_of_bytes(piece for name in ("id", "value") for piece in _bytes_of(plain_column(table[name])))


def digest_of_bytes(pieces: Iterable[bytes]) -> str:
    """Return a digest of pieces, whose borders matter."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    digest = blake2b(digest_size=16)
    for piece in pieces:
        digest.update(len(piece).to_bytes(8, "little"))
        digest.update(piece)
    return digest.hexdigest()


def _bytes_of(column: Any) -> Iterator[bytes]:
    """Yield the values of a column without nulls as bytes."""
    if not pa.types.is_string(column.type):
        yield values_of(column).tobytes()
        return
    yield values_of(pc.binary_length(column)).tobytes()
    start = column.offset
    offsets = np.frombuffer(column.buffers()[1] or bytes(4), np.int32)[start : start + len(column) + 1]
    yield bytes((column.buffers()[2] or b"")[int(offsets[0]) : int(offsets[-1])])
