"""The natural order of ids: 2 before 10, q2 before q10."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Ints, frozen
from irviewer.model.ascending_ids import AscendingIds

_DIGITS = re.compile(r"(\d+)")
_ONE_NUMBER = r"^(?P<text>[^0-9]*)(?P<number>[0-9]{1,18})$"
"""Ids with one number at the end, that 64 bits hold."""
MANY = 2_000
"""Of so many ids the order is found by arrays, if they have one number at the end each."""


def natural_order(ids: Sequence[str]) -> Ints:
    """Return int64[n]: the places of ids in natural order; equal ones keep their order."""
    order = by_arrays(ids) if len(ids) >= MANY else None
    if order is None:
        keys = list(map(_key, ids))
        order = np.array(sorted(range(len(ids)), key=keys.__getitem__), dtype=np.int64)
    return frozen(order)


def _key(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    parts = (
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(text) if part
    )  # fmt: skip
    return tuple(parts), text


def by_arrays(ids: Sequence[str]) -> Ints | None:
    """Return the order of ids that end with their only number; None where others are among them."""
    try:
        texts = ids.column if isinstance(ids, AscendingIds) else pa.array(ids, pa.string())
    except (UnicodeEncodeError, pa.ArrowInvalid):
        return None
    parts = pc.extract_regex(texts, _ONE_NUMBER)
    if parts.null_count or not all(map(str.isascii, pc.unique(pc.struct_field(parts, 0)).to_pylist())):
        return None
    text = pc.struct_field(parts, 0).dictionary_encode()
    names = np.array(text.dictionary.to_pylist(), dtype=object)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(names)] = np.arange(len(names))
    number = pc.struct_field(parts, 1).cast(pa.int64()).to_numpy(zero_copy_only=False)
    length = pc.utf8_length(texts).to_numpy(zero_copy_only=False).astype(np.int64)
    zeros = np.where(number == 0, length, -length)  # 07 is before 7, but 0 before 00
    return np.lexsort((zeros, number, rank[text.indices.to_numpy(zero_copy_only=False)]))
