"""Why a number is what it is: a value's ledger with the difference to the baseline taken apart, and a mean's."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Floats
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True)
class LedgerColumn:
    """A column: its name, title, what it means, and whether it holds a rank, a grade, numbers or text."""

    key: str
    title: str
    meaning: str
    kind: str
    decimals: int


@dataclass(frozen=True, eq=False)
class LedgerPage:
    """The ledger of one value of a query, or of a mean.

    title       "Why is nDCG@10 of english_bm25 0.8833?"
    note        what else is to be known in short, such as that a judgment of one's own is in it
    columns     of the table; ``cells`` beside them, float64[m] (NaN: nothing) or m texts
    documents   the document of each row (of a mean: the query), "" where it is of none
    selected    the row of the selected document or query, -1
    worked      the formula with the numbers put in, as text; ``formula`` and ``worked_latex`` as LaTeX
    rules       the rules that applied, as sentences
    difference  the difference to the baseline taken apart; None without such a pair
    mean        True where rows are queries
    explanation why there is nothing to explain, "" where there is
    """

    title: str
    note: str
    run: RunLabel | None
    measure: str
    columns: tuple[LedgerColumn, ...]
    cells: tuple[Floats | tuple[str, ...], ...]
    documents: tuple[str, ...]
    selected: int
    worked: str
    formula: str
    worked_latex: str
    rules: tuple[str, ...]
    max_grade: float
    difference: Figure | None
    mean: bool = False
    explanation: str = ""
