"""Checks of the shape of runs and qrels, one group of rows per query, made for each new value.

BrokenError is a fault of the program, not of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import Strings
from irviewer.model.ascending_ids import AscendingIds


class BrokenError(ValueError):
    """An invalid value, made by a fault of the program."""


def check_groups(what: str, names: Sequence[str], offsets: Any, doc_ids: Strings, columns: Mapping[str, Any]) -> None:
    """Raise BrokenError unless offsets, ids and columns fit and group names are distinct. Independent of the number of
    rows."""
    n = len(doc_ids)
    fault = ""
    if len(offsets) != len(names) + 1 or offsets.dtype != np.int64:
        fault = f"{len(offsets)} offsets ({offsets.dtype}) of {len(names)} queries"
    elif int(offsets[0]) != 0 or int(offsets[-1]) != n or bool(np.any(offsets[1:] < offsets[:-1])):
        fault = f"offsets from {offsets[0]} to {offsets[-1]}, not all of them rising, of {n} documents"
    elif not isinstance(names, AscendingIds) and len(set(names)) < len(names):
        fault = "two queries of one id"
    elif doc_ids.type != pa.string() or doc_ids.null_count:
        fault = f"document ids of type {doc_ids.type}, {doc_ids.null_count} of them missing"
    else:
        odd = {name: len(column) for name, column in columns.items() if len(column) != n}
        fault = f"{odd} values of {n} documents" if odd else ""
    if fault:
        raise BrokenError(f"{what}: {fault}")
