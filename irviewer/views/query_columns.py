"""The columns of one query's values, a row for each measure: those of the runs, and a difference to the baseline.

Apart from the view, so that the window shows them before it needs what views compute from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.geometric import logarithms
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.translation import tr


def value_columns(
    keys: Sequence[str], names: Sequence[str], values: Floats, whole: Sequence[bool]
) -> tuple[Column, ...]:
    """Return the columns of runs with the values float64[M, R] of each measure; ``whole`` by measure, whether they are
    counts."""
    missing = tr("No value: the run lacks this query, or the measure is not defined for it.")
    return tuple(
        column.number(key, name, values[:, place], names="run", whole=whole, missing=missing)
        for place, (key, name) in enumerate(zip(keys, names, strict=True))
    )


def difference_column(
    key: str, name: str, values: Floats, base: Floats, *, whole: Sequence[bool], up: Sequence[bool], log: Sequence[bool]
) -> Column:
    """Return the differences of a run to the baseline, float64[M] each; of logarithms where ``log``."""
    levels = [np.where(log, logarithms(each), each) for each in (values, base)]
    return column.difference(
        key, name, levels[0] - levels[1], names="run", whole=whole, better_up=up, log=log,
        missing=tr("No difference: baseline and another run must both have a value for this query."),
    )  # fmt: skip
