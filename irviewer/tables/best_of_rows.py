"""The best values of rows, among the columns of a table whose best is that of the row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.model.arrays import Bools, Floats
from irviewer.tables.column import Column

MOST_ROUNDED = 1e12
"""Larger values have no decimals to be rounded."""
_SIGNS = {True: 1.0, False: -1.0, None: np.nan}


def best_of_rows(columns: Sequence[Column]) -> dict[str, Bools]:
    """Return which values are the best of their row as they are shown, bool[n] by key, among the columns whose best is
    that of the row; none where all are the same."""
    columns = [column for column in columns if isinstance(column.show.best, str)]
    if not columns:
        return {}
    ranked = rounded(np.stack([column.numbers[""] for column in columns]), columns[0].show.decimals)
    up = columns[0].show.better_up
    each = [up] * len(columns[0]) if up is None or isinstance(up, bool) else map(bool, up)
    ranked = ranked * np.array([_SIGNS[up] for up in each], dtype=np.float64)
    known = np.isfinite(ranked)
    top = np.max(np.where(known, ranked, -np.inf), axis=0, initial=-np.inf)
    low = np.min(np.where(known, ranked, np.inf), axis=0, initial=np.inf)
    tops = known & (ranked == top) & (top > low)
    return {column.key: tops[place] for place, column in enumerate(columns)}


def rounded(values: Floats, decimals: int) -> Floats:
    """Return values as they are shown."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.abs(values) < MOST_ROUNDED, np.round(values, decimals), values)
