"""The card of a measure: its description, in reading order. Knows measures, no widget."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.measures.base import Measure
from irviewer.measures.formulas import letters
from irviewer.measures.parameters import Parameter, number_text
from irviewer.measures.tool_names import alias_names
from irviewer.model.dialect_rules import discount_words
from irviewer.translation import tr

TOOL_NAMES = {"textbook": tr("books and papers")}


@dataclass(frozen=True)
class MeasureCard:
    """The content of a card.

    name, title    the measure's text, and its title
    formula        LaTeX
    rows           (heading, text): the formula's letters, its gain and discount, what the measure rewards and ignores,
                   its source, other names
    parameters     (name=value, meaning) of each parameter except the cutoff
    """

    name: str
    title: str
    formula: str
    rows: tuple[tuple[str, str], ...]
    parameters: tuple[tuple[str, str], ...]


def card(measure: Measure, treated: Measure | None = None) -> MeasureCard:
    """Return the card of a measure; ``treated`` is the measure bound by the current dialect and relevance level, whose
    formula and parameters are shown."""
    family, treated = measure.family, treated or measure
    rows = [
        *(((tr("Letters"), known),) if (known := letters(treated.formula)) else ()),
        *(((tr("Gain and discount"), gain),) if (gain := _gain(treated)) else ()),
        (tr("Rewards"), treated.rewards),
        (tr("Ignores"), treated.ignores),
        (tr("Mean"), MEANS[treated.aggregate]),
    ]
    if not treated.higher_is_better:
        rows.append((tr("Better"), tr("lower values are better")))
    rows.append((tr("Source"), treated.source))
    others = alias_names(family)
    if family.tools:
        rows.append(
            (tr("In tools"), "; ".join(f"{TOOL_NAMES.get(tool, tool)}: {name}" for tool, name in family.tools.items()))
        )
    if others:
        rows.append((tr("Other names"), ", ".join(others)))
    parameters = tuple(
        (f"{parameter.name} = {_shown(parameter, treated)}", _meaning(parameter)) for parameter in family.parameters
    )
    return MeasureCard(measure.text, family.title, treated.formula, tuple(rows), parameters)


MEANS = {
    "mean": tr("the mean over all queries"),
    "sum": tr("the sum over all queries"),
    "geometric": tr("the geometric mean over all queries"),
    "count": tr("the number of queries"),
    "none": tr("none: a text for each query"),
}
"""How values of queries are summarized, as texts."""


def _gain(measure: Measure) -> str:
    """Return the gain and the discount of DCG, its ideal and nDCG in words; "" of any other measure."""
    if not {"dcg", "base"} <= {parameter.name for parameter in measure.family.parameters}:
        return ""
    return discount_words(measure.parameter("dcg"), measure.parameter("base"))


def _shown(parameter: Parameter, measure: Measure) -> str:
    value = measure.parameter(parameter.name)
    if value is None:
        return "–"
    return number_text(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _meaning(parameter: Parameter) -> str:
    choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
    return parameter.meaning + choices
