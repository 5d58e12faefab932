"""What is emphasised in a table: the best value of a column, how dark a cell is, which differences are shown.

Computed from the values, so that every door has the same; colours are the themes'."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from irviewer.model.arrays import Bools, Floats
from irviewer.tables.best_of_rows import rounded
from irviewer.tables.column import Column
from irviewer.tables.table import Status, Table

Role = Literal["", "better", "worse", "weakly_better", "weakly_worse", "equal"]
"""What a difference is: better or worse and shown by the test, or weakly so and not shown; "" for no difference."""


def better_up(column: Column, row: int) -> bool | None:
    """Return whether larger values are the better in a row; None for neither."""
    up = column.show.better_up
    return up if up is None or isinstance(up, bool) else bool(up[row])


def is_log(column: Column, row: int) -> bool:
    """Return whether a difference of a row is the logarithm of a ratio."""
    log = column.show.log
    return log if isinstance(log, bool) else bool(log[row])


def is_bound(column: Column, row: int) -> bool:
    """Return whether a p-value of a row is at most as large as it says."""
    bound = column.show.at_most
    return bound if isinstance(bound, bool) else bool(bound[row])


def is_whole(column: Column, row: int) -> bool:
    """Return whether a number of a row is shown without decimals."""
    whole = column.show.whole
    return whole if isinstance(whole, bool) else bool(whole[row])


def best(table: Table, column: Column) -> Bools:
    """Return which values of a column are the best as they are shown, bool[n]; none where all are the same, or the
    column has no best. Rows that are not plain take no part."""
    values = column.numbers[""]
    none = np.zeros(len(values), dtype=bool)
    asked = column.show.better_up
    up = asked if asked is None or isinstance(asked, bool) else asked[0] if len({*asked}) == 1 else None
    given = column.show.best
    if isinstance(given, str):
        return table.best_of_rows[column.key]
    if not isinstance(given, bool):
        return np.array(given, dtype=bool)
    if not given or up is None:
        return none
    takes_part = ~np.isnan(values)
    if table.status is not None:
        takes_part &= table.status == Status.PLAIN
    if not takes_part.any():
        return none
    shown = rounded(values, column.show.decimals)
    present = shown[takes_part]
    top = present.max() if up else present.min()
    if (present == top).all():
        return none
    tops: Bools = takes_part & (shown == top)
    return tops


def heat(column: Column) -> Floats:
    """Return how dark each cell is, 0 for the worst value to 1 for the best, float64[n]; NaN for no heat."""
    values = column.numbers[""]
    if not column.show.heat or np.isnan(values).all():
        return np.full(len(values), np.nan)
    given = column.show.heat
    low, high = (float(np.nanmin(values)), float(np.nanmax(values))) if isinstance(given, bool) else given
    if low == high:
        return np.where(np.isnan(values), np.nan, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        shades = np.clip((values - low) / (high - low), 0.0, 1.0)
    return 1.0 - shades if column.show.better_up is False else shades


def role(table: Table, column: Column, row: int) -> Role:
    """Return what a difference is. It is shown where the p-values that ``column.show.of`` names are below alpha of
    their family, as long as that is declared (of a total it is, also where the family of its parts is exploratory); a
    column without such p-values was not tested, and is plainly better or worse. A secondary measure decides nothing,
    and has no role, and where the test proves nothing no difference is shown."""
    value = float(column.numbers[""][row])
    decides, proves = column.show.decides, column.show.proves
    if math.isnan(value) or not (decides if isinstance(decides, bool) else decides[row]):
        return ""
    up = better_up(column, row)
    if not value or up is None:
        return "equal"
    side: Role = "better" if (value > 0) == up else "worse"
    if not column.show.of:
        return side
    p = table.column(column.show.of)
    family = p.family
    proven = proves if isinstance(proves, bool) else proves[row]
    declared = family is not None and proven and (not family.exploratory or table.status_of(row) is Status.TOTAL)
    if family is not None and declared and float(p.numbers[""][row]) < family.alpha:
        return side
    return "weakly_better" if side == "better" else "weakly_worse"


def shaded_ends(*values: Floats, bounded: bool) -> tuple[float, float]:
    """Return the values of the palest and the darkest cell of all float64[…]: 0 and 1 where the measure has these
    bounds, else the least and the greatest one. All runs have the same, so that rows can be compared as well as
    columns: a hard query is pale."""
    ends: list[float] = []
    for part in values:
        low, high = (float(part.min()), float(part.max())) if part.size else (np.nan, np.nan)
        if math.isfinite(low) and math.isfinite(high):
            ends += (low, high)
        else:
            known = part[np.isfinite(part)]
            ends += (float(known.min()), float(known.max())) if len(known) else ()
    if not ends:
        return 0.0, 1.0
    low, high = min(ends), max(ends)
    return (0.0, 1.0) if bounded and low >= 0 and high <= 1 else (low, high)
