"""The records of an explanation: the ledger of a value, row by row, and of a mean, query by query."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from irviewer.errors import short_name
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats, sequential_sum
from irviewer.model.exported import Exported
from irviewer.model.geometric import logarithms
from irviewer.translation import decimal, tr

Kind = Literal["int", "float", "grade", "text"]
Operation = Literal["sum", "log odds", "parts", "Z-score", "text", "opaque"]
"""How the rows make the value; see :attr:`Ledger`."""
MEAN, DEVIATION = tr("mean"), tr("deviation")
"""The quantities of a Z-score."""


@dataclass(frozen=True)
class Interval:
    """The bounds of a value if its unjudged documents were judged.

    low, high   the least and the greatest value over all ways to judge the ``unjudged`` documents; NaN where unknown,
                with
                the reason ``why``
    none, all   the value with none of them relevant, and with all of ``grade``
    others      further unjudged documents that some run returned and that count for the norm of the measure
    alone       the run's own documents are all that take part, not those of other runs
    exact       both ends can be reached
    """

    measure: Measure
    unjudged: int
    grade: float
    low: float
    high: float
    none: float
    all: float
    why: str
    others: int = 0
    alone: bool = True
    exact: bool = True


@dataclass(frozen=True)
class Column:
    """A column of a ledger; ``meaning`` is its tooltip."""

    key: str
    title: str
    meaning: str
    kind: Kind = "float"
    decimals: int = 4

    def show(self, value: float | str) -> str:
        """Return a cell as text; NaN is empty."""
        if isinstance(value, str):
            return value
        if math.isnan(value):
            return ""
        if self.kind == "float":
            return decimal(f"{value:.{self.decimals}f}")
        return decimal(f"{value:.0f}" if float(value).is_integer() else f"{value:g}")


@dataclass(frozen=True)
class Quantity:
    """A number that the formula names: R, k, the DCG of the ideal ranking."""

    symbol: str
    meaning: str
    value: float
    whole: bool = True


@dataclass(frozen=True)
class Rule:
    """A rule that applied, as a sentence. ``key`` is its kind: level, cutoff, gain, discount, ideal, unjudged,
    negative, ties, regime, interval, missing, short, depth, judged_only, dialect, nothing relevant,
    own (of the family)."""

    key: str
    text: str


@dataclass(frozen=True)
class Missed:
    """A document of the qrels that counts for the measure but is not in the rows; ``rank`` is its rank below the
    cutoff, None if it was not returned."""

    document: str
    grade: float
    rank: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Ledger(Exported):
    """The calculation of a value of a query.

    measure        as computed, with all parameters that options and dialect decide
    query, run     the query and the run of the value
    columns        rank, document, grade, the family's own, contribution, running (and those of the ideal ranking)
    cells          one sequence for each column: float64[m] (NaN: empty) or texts
    contributions  float64[m], what each row adds
    credits        float64[m], the worth of each row in a difference split over documents; see ``attribution``
    attribution    how credits are computed, a sentence
    offset         what is added to the sum of the rows; None for nearly every measure
    normaliser     the divisor of the sum; None if there is none. Division by 0 gives 0, as in trec_eval, or no value
                   where the measure declares so
    least          the lower limit of the value; None without a limit
    operation      "sum": offset + sum / normaliser; "log odds": log((1 + sum) / (1 + normaliser - sum)); "parts":
                   combined from the values of ``parts``; "Z-score": (the part's - mean) / deviation; "text": a text, no
                   number; "opaque": unknown
    value          the value shown
    text           the value of a measure that is a text
    formula        the measure's, with its parameters, LaTeX
    worked         with the numbers put in, plain; ``worked_latex`` the same as LaTeX
    rules          the rules that applied, as sentences
    quantities     numbers that the formula names
    missed         documents that count but are in no row
    interval       the bounds if unjudged documents were judged (``unjudged_interval``); None if nothing is unjudged,
                   or not requested
    parts          ledgers that this one combines (the measures of an expression)
    """

    measure: Measure
    query: str
    run: str
    columns: tuple[Column, ...]
    cells: tuple[Floats | tuple[str, ...], ...]
    contributions: Floats
    credits: Floats
    attribution: str
    value: float
    formula: str
    worked: str
    worked_latex: str
    rules: tuple[Rule, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    offset: Quantity | None = None
    normaliser: Quantity | None = None
    least: float | None = None
    operation: Operation = "sum"
    text: str = ""
    missed: tuple[Missed, ...] = ()
    parts: tuple[Ledger, ...] = field(default=(), repr=False)
    interval: Interval | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows, m."""
        return len(self.contributions)

    @cached_property
    def sum(self) -> float:
        """The contributions added in the order of the rows."""
        return sequential_sum(self.contributions)

    @property
    def recomputed(self) -> float:
        """The value recomputed from rows, offset and normaliser, which shows that the ledger adds up. NaN where the
        operation is "text" or "opaque"."""
        return _OPERATIONS[self.operation](self)

    def column(self, key: str) -> Floats | tuple[str, ...]:
        """Return the cells of a column. Raises KeyError, which lists the columns."""
        for column, values in zip(self.columns, self.cells, strict=True):
            if column.key == key:
                return values
        columns = ", ".join(column.key for column in self.columns)
        raise KeyError(
            tr("{measure} has no column {key}; choose one of {columns}", measure=self.measure, key=key, columns=columns)
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each row, key -> int, float, text, or None for an empty cell."""
        lists = [list(values) if isinstance(values, tuple) else values.tolist() for values in self.cells]
        for cells in zip(*lists, strict=True):
            yield {column.key: _plain(column, cell) for column, cell in zip(self.columns, cells, strict=True)}

    def shown(self, row: int) -> list[str]:
        """Return the cells of a row as texts; the grade of an unjudged document is "?"."""
        texts = [column.show(values[row]) for column, values in zip(self.columns, self.cells, strict=True)]
        keys = [column.key for column in self.columns]
        if "grade" in keys and "document" in keys and texts[keys.index("document")]:
            grade_index = keys.index("grade")
            texts[grade_index] = texts[grade_index] or "?"
        return texts

    def rule(self, key: str) -> str:
        """Return the sentences of a rule; "" where it did not apply."""
        return " ".join(rule.text for rule in self.rules if rule.key == key)


def _plain(column: Column, cell: Any) -> Any:
    if isinstance(cell, str):
        return cell
    if math.isnan(cell):
        return None
    return int(cell) if column.kind != "float" and float(cell).is_integer() else float(cell)


def _of_sum(ledger: Ledger) -> float:
    normaliser = 1.0 if ledger.normaliser is None else ledger.normaliser.value
    value = ledger.sum / normaliser if normaliser else math.nan if math.isnan(ledger.value) else 0.0
    value += 0.0 if ledger.offset is None else ledger.offset.value
    return value if ledger.least is None else max(value, ledger.least)


def _of_odds(ledger: Ledger) -> float:
    most = 0.0 if ledger.normaliser is None else ledger.normaliser.value
    return math.log((1.0 + ledger.sum) / (1.0 + most - ledger.sum))


def _of_parts(ledger: Ledger) -> float:
    if not isinstance(ledger.measure, Expression):
        return math.nan
    values = {part.measure.text: np.array([part.recomputed]) for part in ledger.parts}
    return float(ledger.measure.combine(values)[0])


def _of_deviation(ledger: Ledger) -> float:
    numbers = {quantity.symbol: quantity.value for quantity in ledger.quantities}
    distance = ledger.parts[0].recomputed - numbers[MEAN]
    if numbers[DEVIATION]:
        return distance / numbers[DEVIATION]
    return 0.0 if distance == 0 else math.nan


def _of_nothing(ledger: Ledger) -> float:
    return math.nan


_OPERATIONS = {
    "sum": _of_sum,
    "log odds": _of_odds,
    "parts": _of_parts,
    "Z-score": _of_deviation,
    "text": _of_nothing,
    "opaque": _of_nothing,
}


@dataclass(frozen=True)
class ExcludedQuery:
    """A query that is left out of a mean, or counts 0 in it, with the reason."""

    query: str
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class MeanLedger(Exported):
    """The calculation of a mean (or sum, or count) over queries.

    query_ids   its queries, in bytewise order, as they are added
    values      float64[q]
    shares      float64[q]: what each query adds to the mean (value / q), to the sum (value), to the logarithm of a
                geometric mean (log(max(value, .00001)) / q), to a count (1); NaN for a measure that is a text
    value       the value shown
    left_out    queries of qrels or run that are left out
    counted     queries that the run lacks and that count as empty lists
    """

    measure: Measure
    run: str
    query_ids: tuple[str, ...]
    values: Floats
    shares: Floats
    value: float
    formula: str
    worked: str
    worked_latex: str
    rules: tuple[Rule, ...] = ()
    left_out: tuple[ExcludedQuery, ...] = ()
    counted: tuple[ExcludedQuery, ...] = ()

    @property
    def aggregate(self) -> str:
        """The aggregation of values by query: mean, sum, geometric, count, none."""
        return self.measure.aggregate

    @property
    def recomputed(self) -> float:
        """The value recomputed from the shares."""
        if self.aggregate == "none" or (not len(self.shares) and self.aggregate in ("mean", "geometric")):
            return math.nan
        total = sequential_sum(self.shares)
        return math.exp(total) if self.aggregate == "geometric" else total


def shares_of(measure: Measure, values: Floats) -> Floats:
    """Return what the value of each query adds, float64[q]; see :class:`MeanLedger`."""
    n = max(len(values), 1)
    if measure.aggregate == "geometric":
        return np.asarray(logarithms(values) / n)
    if measure.aggregate == "mean":
        return np.asarray(values / n)
    if measure.aggregate == "count":
        return np.ones(len(values))
    return values.copy() if measure.aggregate == "sum" else np.full(len(values), np.nan)


def shorten(texts: Sequence[str], most: int = 6) -> str:
    """Return texts in one line: ``a, b, c … and 12 more``; of a long one the beginning."""
    if len(texts) <= most:
        return ", ".join(map(short_name, texts))
    return tr("{texts} … and {n:,} more", texts=", ".join(map(short_name, texts[: most - 1])), n=len(texts) - most + 1)
