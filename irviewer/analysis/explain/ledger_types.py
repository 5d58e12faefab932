"""The records of an explanation: a ledger of one value, row by row, and of a mean, query by query.

Frozen values that a window, a command line and a file can show as they are. Know no measure: what stands in the rows is
the explainers' business."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats, sequential_sum
from irviewer.model.exported import Exported
from irviewer.model.geometric import logarithms

Kind = Literal["int", "float", "grade", "text"]
Operation = Literal["sum", "log odds", "parts", "Z-score", "text", "opaque"]
"""How rows become the value; see :attr:`Ledger.recomputed`."""


@dataclass(frozen=True)
class Interval:
    """Between what one value could be, were its unjudged documents judged.

    low, high   the least and the greatest value over all ways to judge the ``unjudged`` documents; NaN where they
                are not known, and then ``why``
    none, all   the value were none of them relevant, and were every one of ``grade``
    """

    measure: Measure
    unjudged: int
    grade: float
    low: float
    high: float
    none: float
    all: float
    why: str


@dataclass(frozen=True)
class Column:
    """A column of a ledger: ``title`` heads it, ``meaning`` is a sentence for who asks, ``decimals`` are shown."""

    key: str
    title: str
    meaning: str
    kind: Kind = "float"
    decimals: int = 4

    def show(self, value: float | str) -> str:
        """A cell as text; empty where there is nothing."""
        if isinstance(value, str):
            return value
        if math.isnan(value):
            return ""
        if self.kind == "float":
            return f"{value:.{self.decimals}f}"
        return f"{value:.0f}" if float(value).is_integer() else f"{value:g}"


@dataclass(frozen=True)
class Quantity:
    """A number beside the rows: R, k, an ideal's DCG."""

    symbol: str
    meaning: str
    value: float
    whole: bool = True


@dataclass(frozen=True)
class Rule:
    """A rule that applied, as a sentence. ``key`` says which: level, cutoff, gain, discount, ideal, unjudged, negative,
    ties, interval, missing, short, depth, judged_only, dialect, nothing relevant, own (what the family alone has)."""

    key: str
    text: str


@dataclass(frozen=True)
class Missed:
    """A document of the qrels that counts for the measure and stands nowhere in the rows; ``rank`` is where it stands
    below the cutoff, None where it was not returned."""

    document: str
    grade: float
    rank: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Ledger(Exported):
    """How one value of one query came about.

    measure        as computed, everything that options and dialect decide made explicit
    query, run     whose value it is
    columns        what stands in the rows, in order: rank, document, grade, the family's own, contribution, running
                   (and the ideal's, beside)
    cells          one sequence a column, m long: float64[m] (NaN: nothing) or texts
    contributions  float64[m], what each row adds
    credits        float64[m], what each row is worth in a difference taken apart; see ``attribution``
    attribution    how credits are made, a sentence
    offset         what is added to the rows' part of the value; 0 for nearly every measure
    normaliser     what the rows' sum is divided by; None where it stands as it is. By 0 is 0, as trec_eval has it
    least          the value is no less than this; None where it may be anything
    operation      "sum": offset + sum / normaliser; "log odds": log((1 + sum) / (1 + normaliser - sum)); "parts": put
                   together from the values of ``parts``; "Z-score": (the part's - mean) / deviation; "text": a text,
                   no number; "opaque": nothing is known of how
    value          the very number shown
    text           the value of a measure that is a text
    formula        the measure's, with its parameters, LaTeX
    worked         with the numbers put in, plain; ``worked_latex`` the same as LaTeX
    rules          what applied, as sentences
    quantities     numbers that the formula names
    missed         documents that count and stand in no row
    interval       between what the value could be were unjudged documents judged (``explain.interval``); None where
                   nothing is open, or nobody asked
    parts          ledgers that this one is put together from (an expression's measures)
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
        """m, how many rows there are."""
        return len(self.contributions)

    @cached_property
    def sum(self) -> float:
        """The contributions added up in the order of the rows."""
        return sequential_sum(self.contributions)

    @property
    def recomputed(self) -> float:
        """The value once more, from rows, offset and normaliser alone: what it means that a ledger adds up. NaN where
        the operation is "text" or "opaque"."""
        return _OPERATIONS[self.operation](self)

    def column(self, key: str) -> Floats | tuple[str, ...]:
        """The cells of a column. Raises KeyError with the columns there are."""
        for column, values in zip(self.columns, self.cells, strict=True):
            if column.key == key:
                return values
        raise KeyError(f"{self.measure} has no column {key}; there are {', '.join(one.key for one in self.columns)}")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each row, key -> int, float, text, or None where there is nothing."""
        lists = [list(values) if isinstance(values, tuple) else values.tolist() for values in self.cells]
        for cells in zip(*lists, strict=True):
            yield {one.key: _plain(one, cell) for one, cell in zip(self.columns, cells, strict=True)}

    def shown(self, row: int) -> list[str]:
        """The cells of a row as texts; the grade of a document that is not judged is "?"."""
        found = [column.show(values[row]) for column, values in zip(self.columns, self.cells, strict=True)]
        keys = [one.key for one in self.columns]
        if "grade" in keys and "document" in keys and found[keys.index("document")]:
            place = keys.index("grade")
            found[place] = found[place] or "?"
        return found

    def rule(self, key: str) -> str:
        """The sentences of a rule; empty where it did not apply."""
        return " ".join(one.text for one in self.rules if one.key == key)


def _plain(column: Column, cell: Any) -> Any:
    if isinstance(cell, str):
        return cell
    if math.isnan(cell):
        return None
    return int(cell) if column.kind != "float" and float(cell).is_integer() else float(cell)


def _of_sum(ledger: Ledger) -> float:
    normaliser = 1.0 if ledger.normaliser is None else ledger.normaliser.value
    value = ledger.sum / normaliser if normaliser else 0.0
    value += 0.0 if ledger.offset is None else ledger.offset.value
    return value if ledger.least is None else max(value, ledger.least)


def _of_odds(ledger: Ledger) -> float:
    most = 0.0 if ledger.normaliser is None else ledger.normaliser.value
    return math.log((1.0 + ledger.sum) / (1.0 + most - ledger.sum))


def _of_parts(ledger: Ledger) -> float:
    if not isinstance(ledger.measure, Expression):
        return math.nan
    values = {one.measure.text: np.array([one.recomputed]) for one in ledger.parts}
    return float(ledger.measure.combine(values)[0])


def _of_deviation(ledger: Ledger) -> float:
    known = {one.symbol: one.value for one in ledger.quantities}
    distance = ledger.parts[0].recomputed - known["mean"]
    if known["deviation"]:
        return distance / known["deviation"]
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
    """A query that is not in a mean, and why; or one that is, at 0, and why."""

    query: str
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class MeanLedger(Exported):
    """How one value over queries came about.

    query_ids   the queries behind it, in bytewise order, as they are added
    values      float64[q]
    shares      float64[q]: what each query adds to the mean (value / q), to the sum (value), to the logarithm of a
                geometric mean (log(max(value, .00001)) / q), to a count (1); NaN for a measure that is a text
    value       the very number shown
    left_out    queries of qrels or run that are not behind it
    counted     queries that the run lacks and that count as if it had returned nothing
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
        """How queries become one value: mean, sum, geometric, count, none."""
        return self.measure.aggregate

    @property
    def recomputed(self) -> float:
        """The value once more, from the shares alone."""
        if self.aggregate == "none" or (not len(self.shares) and self.aggregate in ("mean", "geometric")):
            return math.nan
        total = sequential_sum(self.shares)
        return math.exp(total) if self.aggregate == "geometric" else total


def shares_of(measure: Measure, values: Floats) -> Floats:
    """float64[q]: what each query's value adds; see :class:`MeanLedger`."""
    n = max(len(values), 1)
    if measure.aggregate == "geometric":
        return np.asarray(logarithms(values) / n)
    if measure.aggregate == "mean":
        return np.asarray(values / n)
    if measure.aggregate == "count":
        return np.ones(len(values))
    return values.copy() if measure.aggregate == "sum" else np.full(len(values), np.nan)


def shorten(texts: Sequence[str], most: int = 6) -> str:
    """Some texts in one line: ``a, b, c … and 12 more``."""
    if len(texts) <= most:
        return ", ".join(texts)
    return ", ".join(texts[: most - 1]) + f" … and {len(texts) - most + 1:,} more"
