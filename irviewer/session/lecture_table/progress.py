"""How far a table is uncovered, and what was guessed: frozen values of the state. Knows no numbers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import NamedTuple

from irviewer.session.lecture_table.columns import COLUMN_OF


class Cell(NamedTuple):
    """A cell: which ranking (0 or 1), its rank, its column."""

    half: int
    rank: int
    column: str


@dataclass(frozen=True)
class WrongGuess:
    """The last guess, if it was wrong: as typed, why, and how it is done; ``value`` is the answer that it was compared
    with."""

    cell: Cell
    typed: str
    what: str
    remedy: str
    value: float


@dataclass(frozen=True)
class TableProgress:
    """How far the table is uncovered.

    row       the current row: those above it are open, those below covered
    shown     cells open though they are asked, or below the current row
    covered   cells that the user covered again
    at        the selected cell, None for the first that is asked
    asked     cells that were guessed or given up; ``right``: at the first guess
    """

    row: int = 1
    shown: frozenset[Cell] = frozenset()
    covered: frozenset[Cell] = frozenset()
    at: Cell | None = None
    asked: frozenset[Cell] = frozenset()
    right: frozenset[Cell] = frozenset()
    wrong: WrongGuess | None = None

    def is_open(self, cell: Cell, shown_columns: tuple[str, ...], asked_columns: frozenset[str]) -> bool:
        """Return whether a cell of a ranking with these columns is uncovered. In the current row a column is covered if
        it is asked, or leads from one that is."""
        if cell in self.covered:
            return False
        if cell in self.shown or cell.rank < self.row:
            return True
        if cell.rank > self.row or cell.column in asked_columns:
            return False
        pending = (
            column
            for column in shown_columns
            if column in asked_columns and cell._replace(column=column) not in self.shown
        )
        return not any(cell.column in COLUMN_OF[column].leads_to for column in pending)

    def with_shown(self, *cells: Cell) -> TableProgress:
        """Return the progress with cells uncovered."""
        return replace(self, shown=self.shown | set(cells), covered=self.covered - set(cells), wrong=None)

    @classmethod
    def asking(cls, cell: Cell) -> TableProgress:
        """Return the progress of a table in which everything above the row of a cell is open, and the cell is asked."""
        return cls(row=cell.rank, at=cell)

    def with_covered(self, cell: Cell) -> TableProgress:
        return replace(self, shown=self.shown - {cell}, covered=self.covered | {cell}, wrong=None)


@dataclass(frozen=True)
class LectureTable:
    """The table of one query: ``of`` is the collection that it is about.

    columns   the columns of both rankings; () for those of the measure
    asked     the columns whose values are asked row by row; None for that of the measure
    second    the ranking beside the first: (key of its run, query); None for the next shown run, (-1, "") for none
    formulas  whether the formulas stand above the rows: without them a class has to know what is computed
    """

    of: Hashable = None
    query_id: str = ""
    columns: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    asked: frozenset[str] | None = None
    second: tuple[int, str] | None = None
    formulas: bool = True
    progress: TableProgress = TableProgress()


def table_of(current: int, name: str) -> Hashable:
    """Return what a table is about: the collection by its number and its name."""
    return current, name
