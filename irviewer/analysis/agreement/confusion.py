"""Two judges grade by grade: the confusion table with its margins, the same by query, and the documents of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, Grades, coefficients
from irviewer.analysis.agreement.pair_tables import PairTables, pair_tables
from irviewer.analysis.agreement.scales import positions, scales_differ
from irviewer.model.arrays import Floats, Ints, frozen, places_of
from irviewer.model.judgments.panel import Panel
from irviewer.translation import decimal, tr


@dataclass(frozen=True)
class Disagreement:
    """A document to which two judges give different grades; ``row`` is its row of the panel."""

    row: int
    query_id: str
    doc_id: str
    first: float
    second: float


@dataclass(frozen=True)
class TwoByTwo:
    """The pairs by relevant and non-relevant for both judges."""

    neither: int
    only_second: int
    only_first: int
    both: int

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.neither + self.only_second + self.only_first + self.both


@dataclass(frozen=True, eq=False)
class ByQuery:
    """Two judges on each of Q queries.

    pairs, disagreements   int64[Q]: pairs judged by both, and those with different grades
    first, second          float64[Q]: the share of relevant pairs for each judge
    values                 name of COEFFICIENTS -> float64[Q]; NaN if undefined
    """

    query_ids: tuple[str, ...]
    pairs: Ints
    disagreements: Ints
    first: Floats
    second: Floats
    values: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Confusion:
    """The pairs of query and document that both judges judged.

    grades     float64[K]: the grades that either judge gives
    counts     int64[K, K]: first judge by second
    """

    panel: Panel
    first: int
    second: int
    level: float
    tables: PairTables
    grades: Floats
    counts: Ints

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two judges, rows first."""
        return self.panel.names[self.first], self.panel.names[self.second]

    @cached_property
    def apart(self) -> bool:
        """Whether the scales of the judges differ, so that statistics of grades are withheld."""
        return scales_differ(self.panel, self.first, self.second)

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return int(self.counts.sum())

    @cached_property
    def row_shares(self) -> Floats:
        """float64[K, K]: each cell's share of its row; NaN in an empty row."""
        rows = self.counts.sum(axis=1, keepdims=True).astype(np.float64)
        shares = np.divide(self.counts, rows, out=np.full(self.counts.shape, np.nan), where=rows > 0)
        return np.asarray(frozen(shares))

    @property
    def margins(self) -> tuple[Ints, Ints]:
        """int64[K] twice: pairs by the row judge's grade, and by the column judge's."""
        return self.counts.sum(axis=1), self.counts.sum(axis=0)

    def two_by_two(self, level: float | None = None) -> TwoByTwo:
        """Return the pairs by relevant and non-relevant at a level; None: the selected level."""
        up = self.grades >= (self.level if level is None else level)
        cells = [int(self.counts[np.ix_(up == first, up == second)].sum()) for first in (0, 1) for second in (0, 1)]
        return TwoByTwo(*cells)

    @property
    def sentence(self) -> str:
        """The sentence that says which judge is more generous at the level."""
        first, second = self.names
        table = self.two_by_two()
        return tr(
            "{second} calls {n_second} of the {pairs} pairs relevant, {first} {n_first}. Of the {split} pairs on "
            "different sides of the level, {only_second} are relevant to {second} alone and {only_first} to {first} "
            "alone.",
            first=first, second=second, pairs=decimal(f"{table.pairs:,}"),
            n_first=decimal(f"{table.both + table.only_first:,}"),
            n_second=decimal(f"{table.both + table.only_second:,}"),
            split=decimal(f"{table.only_first + table.only_second:,}"),
            only_first=decimal(f"{table.only_first:,}"), only_second=decimal(f"{table.only_second:,}"),
        )  # fmt: skip

    @cached_property
    def by_query(self) -> ByQuery:
        """Return the agreement on each query."""
        counts = self.tables.counts
        up = self.grades >= self.level
        steps = positions(self.panel, self.first, self.second, self.tables.levels)
        stacked = np.moveaxis(counts, 0, -1)
        values = coefficients(stacked, Grades(steps, self.grades, up)) if counts.size else {}
        if self.apart:
            nothing = np.full(len(counts), np.nan)
            values |= {name: nothing for name, coefficient in COEFFICIENTS.items() if not coefficient.at_level}
        pairs = counts.sum(axis=(1, 2))
        same = np.einsum("qkk->q", counts)
        return ByQuery(
            tuple(self.panel.query_ids[query] for query in self.tables.queries.tolist()),
            frozen(pairs.astype(np.int64)),
            frozen((pairs - same).astype(np.int64)),
            frozen(counts[:, up].sum(axis=(1, 2)) / pairs),
            frozen(counts[:, :, up].sum(axis=(1, 2)) / pairs),
            {name: frozen(values.get(name, np.empty(0))) for name in COEFFICIENTS},
        )

    def documents(self, cells: Sequence[tuple[float, float]] | None = None) -> tuple[Disagreement, ...]:
        """Return the documents of cells (row grade, column grade), by query; None: all disagreements."""
        rows = self.tables.rows
        first, second = self.panel.grades[rows, self.first], self.panel.grades[rows, self.second]
        if cells is None:
            kept = first != second
        else:
            kept = np.zeros(len(rows), dtype=np.bool_)
            for row, column in cells:
                kept |= (first == row) & (second == column)
        places = np.flatnonzero(kept)
        ids = self.panel.doc_ids.take(places_of(rows[places])).to_pylist()
        return tuple(
            Disagreement(int(rows[place]), self.panel.query_ids[int(self.panel.query[rows[place]])], doc,
                         float(first[place]), float(second[place]))
            for place, doc in zip(places.tolist(), ids, strict=True)
        )  # fmt: skip


def confusion(panel: Panel, first: str | int, second: str | int, level: float = 1) -> Confusion:
    """Return the confusion of two judges, by name or index. Raises OptionError for an unknown name."""
    row, column = panel.place(first), panel.place(second)
    tables = pair_tables(panel, row, column)
    return Confusion(
        panel, row, column, level, tables, frozen(panel.scale[tables.levels]), frozen(tables.total.astype(np.int64))
    )
