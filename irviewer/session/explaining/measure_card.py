"""A measure's card: all that is told of it, in the order that a person reads it. Knows the record, no widget."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.measures.base import Measure
from irviewer.measures.formulas import letters
from irviewer.measures.parameters import Parameter, number_text
from irviewer.measures.tool_names import alias_names

TOOL_NAMES = {"textbook": "books and papers"}


@dataclass(frozen=True)
class MeasureCard:
    """What a card shows.

    name, title    the measure's text, and what it is called
    formula        LaTeX
    rows           (what, text): what the formula's letters are, what it rewards and ignores, where it comes from, other
                   names
    parameters     (name=value, meaning) of each parameter, the cutoff not among them
    """

    name: str
    title: str
    formula: str
    rows: tuple[tuple[str, str], ...]
    parameters: tuple[tuple[str, str], ...]


def card(measure: Measure, treated: Measure | None = None) -> MeasureCard:
    """The card of a measure, built-in or one's own; ``treated`` is what the dialect and the relevance level in force
    make of it, whose formula and parameters these are."""
    family, treated = measure.family, treated or measure
    rows = [
        *((("Letters", known),) if (known := letters(treated.formula)) else ()),
        ("Rewards", treated.rewards),
        ("Ignores", treated.ignores),
        ("Mean", MEANS[treated.aggregate]),
    ]
    if not family.higher_is_better:
        rows.append(("Better", "less is better"))
    rows.append(("Source", treated.source))
    others = alias_names(family)
    if family.tools:
        rows.append(
            ("In tools", "; ".join(f"{TOOL_NAMES.get(tool, tool)}: {name}" for tool, name in family.tools.items()))
        )
    if others:
        rows.append(("Also read", ", ".join(others)))
    parameters = tuple((f"{one.name} = {_shown(one, treated)}", _meaning(one)) for one in family.parameters)
    return MeasureCard(measure.text, family.title, treated.formula, tuple(rows), parameters)


MEANS = {
    "mean": "the mean of all queries",
    "sum": "the sum over all queries",
    "geometric": "the geometric mean of all queries",
    "count": "the number of queries",
    "none": "none: text, query by query",
}
"""How values of queries become one number, in words."""


def _shown(parameter: Parameter, measure: Measure) -> str:
    value = measure.parameter(parameter.name)
    if value is None:
        return "–"
    return number_text(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _meaning(parameter: Parameter) -> str:
    choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
    return parameter.meaning + choices
