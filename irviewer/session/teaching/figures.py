"""Printed values of lessons beside the exact ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from irviewer.measures.parser import parse_measure
from irviewer.model.lessons.lesson import Figure
from irviewer.session.evaluation.zscores import plain
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.model.workspace import RunEntry
    from irviewer.session.evaluation.context import EvaluationContext


def value_of(figure: Figure, context: EvaluationContext, entry: RunEntry) -> float:
    """Return the exact value of a figure, of a run: of its query, or the mean of all."""
    measure = parse_measure(figure.measure, context.options.rules.names)
    if figure.query in context.query_index:
        return float(plain(context).values(entry, measure)[context.query_index[figure.query]])
    return float(context.mean(entry, measure))


def figure_text(figure: Figure, value: float | None) -> str:
    """Return a printed value digit for digit, with its author and heading, the exact value where it has more digits,
    and why they differ if they do; or a value that follows from the definition."""
    name = figure.measure
    if figure.run:
        name = tr("{measure} of {run}", measure=name, run=figure.run)
    if figure.query:
        name = tr("{measure}, query {query}", measure=name, query=figure.query)
    if not figure.source:
        return tr("By definition: {measure} = {value}", measure=name, value=figure.text)
    text = tr("Printed: {measure} = {value} ({source})", measure=name, value=figure.text, source=figure.source)
    if value is not None and not math.isnan(value):
        exact = f"{value:.4f}"
        if not figure.agrees(value) or len(exact.partition(".")[2].rstrip("0")) > figure.decimals:
            text = tr("{printed} · exactly {value:.4f}", printed=text, value=value)
    if figure.note:
        text = tr("{printed} · rounded: {reason}", printed=text, reason=figure.note)
    return text
