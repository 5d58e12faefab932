"""The texts of cells for people: rounded, in their language. Files of data never come from here."""

from __future__ import annotations

import math
from collections.abc import Callable

from irviewer.model.number_text import MINUS, p_value, percent, quantity, times
from irviewer.tables.column import Column
from irviewer.tables.emphasis import is_bound, is_log, is_whole, role
from irviewer.tables.table import Table
from irviewer.translation import decimal, tr
from irviewer.translation import interval as interval_text

NOTHING = "–"
UNJUDGED = "?"
EQUAL = "="
ARROWS = {"better": "▲", "worse": "▼", "weakly_better": "△", "weakly_worse": "▽", "equal": "="}


def shown(table: Table, column: Column, row: int, rounded: Callable[[float], float] = float) -> str:
    """Return the text of a cell, with its marks before it; ``rounded`` makes numbers that are formatted otherwise."""
    text = plain(column, row, rounded)
    mark = table.marks.get((row, column.key))
    return text if mark is None else f"{mark.sign} {text}"


def plain(column: Column, row: int, rounded: Callable[[float], float] = float) -> str:
    """Return the text of a cell without marks and arrows, as it is copied."""
    texts = column.show.texts
    instead = None if texts is None else texts[row]
    if instead is not None:
        return instead
    match column.kind:
        case "id" | "text" | "run" | "outcome":
            value = column.values[row] if texts is None else None
            return NOTHING if value is None else str(value)
        case "tags":
            return " ".join(map(str, column.values[row])) or NOTHING
        case "flag":
            value = column.values[row]
            return NOTHING if value is None else tr("yes") if value else tr("no")
        case "interval":
            return _interval(column, row)
        case "parts":
            return " · ".join(_number(column, row, part) for part in column.parts)
        case _:
            return _number(column, row, "", rounded)


def spoken(table: Table, column: Column, row: int) -> str:
    """Return the text of a cell for a screen reader: title, value, and whether the test shows it."""
    words = [column.title, plain(column, row)]
    if column.kind == "interval" and not math.isnan(column.numbers["low"][row]):
        ends = [_of_value(column, row, float(column.numbers[part][row])) for part in ("low", "high")]
        words = [column.title, tr("from {low} to {high}", low=ends[0], high=ends[1])]
    if column.kind == "difference":
        said = {
            "better": tr("better"),
            "worse": tr("worse"),
            "weakly_better": tr("better, not shown by the test"),
            "weakly_worse": tr("worse, not shown by the test"),
            "equal": tr("equal"),
        }.get(role(table, column, row), "")
        words += [said] if said else []
    mark = table.marks.get((row, column.key))
    return ", ".join([*words, *([mark.text] if mark else [])])


def arrow(table: Table, column: Column, row: int) -> str:
    """Return the arrow of a difference: filled where the test shows it, or where none was made."""
    return ARROWS.get(role(table, column, row), "")


def _number(column: Column, row: int, part: str, rounded: Callable[[float], float] = float) -> str:
    return _of_value(column, row, rounded(float(column.numbers[part][row])))


def _of_value(column: Column, row: int, value: float) -> str:
    if math.isnan(value):
        return UNJUDGED if column.kind == "grade" else NOTHING
    match column.kind:
        case "p":
            return p_value(value, at_most=is_bound(column, row))
        case "count" | "rank":
            return decimal(f"{value:,.0f}".replace("-", MINUS))
        case "share":
            return ("+" if column.show.signed and value > 0 else "") + percent(value)
        case "grade":
            return quantity(value)
        case "parts":
            return quantity(value)
    if math.isinf(value):
        return with_decimals(value, 0)
    if is_log(column, row):
        return times(math.exp(value))
    if is_whole(column, row) and value.is_integer():
        return decimal(f"{value:,.0f}".replace("-", MINUS))
    return with_decimals(value, column.show.decimals, "+" if column.kind == "difference" else "")


def is_decimal(column: Column) -> bool:
    """Return whether the text of each number of a column is that of :func:`with_decimals`, apart from marks."""
    show = column.show
    return column.kind == "number" and show.texts is None and show.log is False and show.whole is False


def with_decimals(value: float, decimals: int, plus: str = "") -> str:
    """Return a number with its decimals, one at most from 1000; ``plus`` before one above 0, "–" for NaN."""
    if value != value:
        return NOTHING
    size = abs(value)
    if size == math.inf:
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{size:,.{decimals if size < 1000 or decimals < 1 else 1}f}"
    sign = MINUS if value < 0 else plus
    return (sign if sign and text.strip("0.,") else "") + decimal(text)


def _interval(column: Column, row: int) -> str:
    low, high = (float(column.numbers[part][row]) for part in ("low", "high"))
    if math.isnan(low) and math.isnan(high):
        return NOTHING
    return interval_text(_of_value(column, row, low), _of_value(column, row, high))
