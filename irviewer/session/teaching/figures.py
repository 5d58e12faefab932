"""Printed values of lessons beside the exact ones."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irviewer.measures.parser import parse_measure
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Figure
from irviewer.rendering.lesson_text import with_signs
from irviewer.session.evaluation.zscores import plain
from irviewer.translation import decimal, tr, with_zero

if TYPE_CHECKING:
    from irviewer.model.workspace import RunEntry
    from irviewer.session.evaluation.context import EvaluationContext


def value_of(figure: Figure, context: EvaluationContext, entry: RunEntry) -> float:
    """Return the exact value of a figure, of a run: of its query, or the mean of all."""
    measure = parse_measure(figure.measure, context.options.rules.names)
    if figure.query in context.query_index:
        return float(plain(context).values(entry, measure)[context.query_index[figure.query]])
    return float(context.mean(entry, measure))


ROUNDED = 5
"""How many units of the last printed decimal an author who rounds on the way may be off."""


def printed_in_foot(
    figures: Sequence[Figure], column: str, value: float, run: str, query: str, last: int
) -> Figure | None:
    """Return the printed figure of a value below the lecture's table, of the family ``column`` down to rank ``last``;
    None if nobody prints it. It agrees with the value, or says that the author rounded on the way."""

    def is_it(figure: Figure) -> bool:
        measure = parse_measure(figure.measure)
        rounded = bool(figure.note) and abs(value - figure.value) <= ROUNDED * 10.0**-figure.decimals
        return (
            bool(figure.source)
            and measure.name == column
            and (measure.cutoff is None or int(measure.cutoff) == last)
            and figure.run in ("", run)
            and figure.query in ("", query)
            and (figure.agrees(value) or rounded)
        )

    return next(filter(is_it, figures), None)


def brief_text(figure: Figure) -> str:
    """Return a printed value with its author, digit for digit: ``Arguello: 0.76``."""
    author = re.split(r"[,“]", figure.source, maxsplit=1)[0].strip()
    text = tr("{author}: {value}", author=author, value=figure.text)
    return tr("{printed}, rounded on the way", printed=text) if figure.note else text


_CUTOFF = re.compile(r"(.*@)(\d+)")


def in_rows(figures: Sequence[Figure]) -> list[range]:
    """Return the places of figures in rows: those of one measure at ranks that follow each other, such as ``P@1..10``,
    are one row."""
    rows: list[range] = []
    for place, figure in enumerate(figures):
        if rows and _follows(figures[place - 1], figure):
            rows[-1] = range(rows[-1].start, place + 1)
        else:
            rows.append(range(place, place + 1))
    return rows


def _follows(former: Figure, figure: Figure) -> bool:
    """Return whether a figure is of the next rank, and everything else the same."""
    first, second = _CUTOFF.fullmatch(former.measure), _CUTOFF.fullmatch(figure.measure)
    if first is None or second is None or int(second[2]) != int(first[2]) + 1:
        return False
    parts = [(each.run, each.query, each.source, each.note) for each in (former, figure)]
    return first[1] == second[1] and parts[0] == parts[1]


def figure_text(figure: Figure, value: float | None) -> str:
    """Return a printed value digit for digit, with its author and heading, our value where it has more digits,
    and why they differ if they do; or a value that follows from the definition."""
    return row_text((figure,), (value,))


def row_text(figures: Sequence[Figure], values: Sequence[float | None]) -> str:
    """Return :func:`figure_text` of the figures of a row, with one author: ``P@1..3 = 1.0 0.5 0.67``."""
    figure, name = figures[0], figures[0].measure
    if len(figures) > 1:
        name += f"..{figures[-1].measure.rpartition('@')[2]}"
    if figure.run:
        name = tr("{measure} of {run}", measure=name, run=figure.run)
    if figure.query:
        name = tr("{measure}, query {query}", measure=name, query=figure.query)
    if not figure.source:
        value = " ".join(decimal(with_zero(each.text)) for each in figures)
        return tr("By definition: {measure} = {value}", measure=name, value=value)
    value = " ".join(each.text for each in figures)
    text = tr("Printed: {measure} = {value} ({source})", measure=name, value=value, source=figure.source)
    if any(_is_shorter(each, exact) for each, exact in zip(figures, values, strict=True)):
        exactly = " ".join("–" if exact is None else decimal(f"{HalfUp(exact):.4f}") for exact in values)
        text = tr("{printed} · more exactly {values}", printed=text, values=exactly)
    if figure.note:
        text = tr("{printed} · rounded: {reason}", printed=text, reason=with_signs(figure.note))
    return text


def _is_shorter(figure: Figure, value: float | None) -> bool:
    """Return whether a printed value differs from ours, or has fewer digits."""
    if value is None or math.isnan(value):
        return False
    digits = len(f"{HalfUp(value):.4f}".partition(".")[2].rstrip("0"))
    return not figure.agrees(value) or ("/" not in figure.text and digits > figure.decimals)
