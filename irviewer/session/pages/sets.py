"""The query sets side by side: the chosen measure of each shown run on every set, and what the sets say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.session.pages.common import RunLabel

RowKind = Literal["all", "set", "macro", "micro", "weighted"]


@dataclass(frozen=True)
class SetRow:
    """One row: all queries, a set, the mean of the sets (macro), the mean of the queries that are in any of them
    (micro, where that is not all of them), or the mean in which each query counts by its weight. ``key`` is the set's
    name where it is one, ``tip`` what is averaged."""

    kind: RowKind
    key: str
    title: str
    tip: str
    chosen: bool = False
    looked: bool = False


@dataclass(frozen=True, eq=False)
class SetsPage:
    """S rows x R shown runs.

    counts       int64[S]: queries in each, that count
    values       float64[S, R]; NaN where there is no value
    best         bool[S, R]: the best of a row; none where all are equal
    delta        float64[S]: focus minus baseline; with ``ratio`` the logarithm of their ratio; NaN without such a pair
    delta_note   what is compared
    explanation  what is missing, and how to get it; "" where nothing is
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    rows: tuple[SetRow, ...]
    counts: Ints
    values: Floats
    best: Bools
    delta: Floats
    delta_note: str
    higher_is_better: bool = True
    explanation: str = ""
    ratio: bool = False
