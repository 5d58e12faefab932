"""The shape that runs and qrels share, a group of rows a query, checked wherever one is made.

Raises BrokenError, which is a fault of the program and not of a file. Knows columns, not what made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import Strings


class BrokenError(ValueError):
    """A value that cannot be: the program that made it has a fault."""


def check_groups(what: str, names: Sequence[str], offsets: Any, doc_ids: Strings, columns: Mapping[str, Any]) -> None:
    """Offsets fit the groups, the ids and every column, and no group has the name of another. Costs nothing a row."""
    n = len(doc_ids)
    found = ""
    if len(offsets) != len(names) + 1 or offsets.dtype != np.int64:
        found = f"{len(offsets)} offsets ({offsets.dtype}) of {len(names)} queries"
    elif int(offsets[0]) != 0 or int(offsets[-1]) != n or bool(np.any(offsets[1:] < offsets[:-1])):
        found = f"offsets from {offsets[0]} to {offsets[-1]}, not all of them rising, of {n} documents"
    elif len(set(names)) < len(names):
        found = "two queries of one id"
    elif doc_ids.type != pa.string() or doc_ids.null_count:
        found = f"document ids of type {doc_ids.type}, {doc_ids.null_count} of them missing"
    else:
        odd = {name: len(one) for name, one in columns.items() if len(one) != n}
        found = f"{odd} values of {n} documents" if odd else ""
    if found:
        raise BrokenError(f"{what}: {found}")
