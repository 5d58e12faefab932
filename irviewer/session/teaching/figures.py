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


def figure_text(figure: Figure, value: float | None) -> str:
    """Return a printed value digit for digit, with its author and heading, our value where it has more digits,
    and why they differ if they do; or a value that follows from the definition."""
    name = figure.measure
    if figure.run:
        name = tr("{measure} of {run}", measure=name, run=figure.run)
    if figure.query:
        name = tr("{measure}, query {query}", measure=name, query=figure.query)
    if not figure.source:
        return tr("By definition: {measure} = {value}", measure=name, value=decimal(with_zero(figure.text)))
    text = tr("Printed: {measure} = {value} ({source})", measure=name, value=figure.text, source=figure.source)
    if value is not None and not math.isnan(value):
        exact = f"{HalfUp(value):.4f}"
        is_shorter = "/" not in figure.text and len(exact.partition(".")[2].rstrip("0")) > figure.decimals
        if not figure.agrees(value) or is_shorter:
            text = tr("{printed} · more exactly {value:.4f}", printed=text, value=HalfUp(value))
    if figure.note:
        text = tr("{printed} · rounded: {reason}", printed=text, reason=with_signs(figure.note))
    return text
