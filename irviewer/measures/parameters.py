"""Parameters and cutoffs of measures: their kinds, checks and text forms.

Depends on no measure: messages are given a family's name as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from irviewer.errors import MeasureError
from irviewer.model.field_conditions import parse_condition
from irviewer.translation import tr

Kind = Literal["integer", "number", "flag", "choice", "gains", "levels", "text", "condition"]
"""Kinds of values; a condition is one on the fields of documents (``model.field_conditions``)."""


class Cutoff(Enum):
    """Whether a family takes a cutoff after ``@``, and of what kind."""

    NONE = "none"
    OPTIONAL = "optional rank"
    REQUIRED = "rank"
    RECALL = "recall level"
    FACTOR = "multiple of R"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family.

    meaning      what it is, for the user
    low, high    bounds of numbers; ``open_low``: low itself is not allowed
    always       the measure's text shows it even at its default
    level        without a value the relevance level chosen by the user is used
    from_grades  makes the value from the highest grade of the qrels where none is given
    """

    name: str
    kind: Kind
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    always: bool = False
    level: bool = False
    from_grades: Callable[[float], float] | None = None


RELEVANCE_LEVEL = Parameter(
    "rel", "number", 1, tr("lowest grade that counts as relevant"), low=0, open_low=True, level=True
)
GAINS = Parameter("gains", "gains", None, tr("gain of each grade; by default the grade"))
JUDGED_ONLY = Parameter("judged_only", "flag", False, tr("remove unjudged documents from the ranking first"))


def checked_cutoff(name: str, kind: Cutoff, cutoff: float | None) -> float | None:
    """Return the checked cutoff of a measure. Raises MeasureError where its kind is another or it is out of bounds.

    name   the measure's name, for the message"""
    if cutoff is None:
        if kind in (Cutoff.REQUIRED, Cutoff.RECALL, Cutoff.FACTOR):
            example = f"{name}@0.1" if kind is Cutoff.RECALL else f"{name}@10"
            raise MeasureError(tr("{measure} needs a cutoff, for example {example}", measure=name, example=example))
        return None
    if not abs(cutoff) < 2**31:  # inf and nan too
        raise MeasureError(
            tr("{measure}: the cutoff is too large; it must be less than 2147483648", measure=f"{name}@{cutoff}")
        )
    text = f"{name}@{number_text(cutoff)}"
    if kind is Cutoff.NONE:
        raise MeasureError(tr("{measure}: {name} takes no cutoff; write {name}", measure=text, name=name))
    if kind is Cutoff.RECALL:
        if not 0 <= cutoff <= 1:
            raise MeasureError(tr("{measure}: a recall level must be between 0 and 1", measure=text))
        return float(cutoff)
    if kind is Cutoff.FACTOR:
        if not cutoff > 0:
            raise MeasureError(tr("{measure}: the multiple of R must be above 0", measure=text))
        return float(cutoff)
    if cutoff != int(cutoff) or cutoff < 1:
        raise MeasureError(tr("{measure}: a cutoff must be a whole number, 1 or more", measure=text))
    return int(cutoff)


def checked(name: str, parameter: Parameter, value: Any) -> Any:
    """Return a parameter's value as it is stored, whole numbers as int. Raises MeasureError with the bounds or choices.

    name   the family's name, for the message"""

    def refusal(problem: str) -> MeasureError:
        return MeasureError(f"{name}({parameter.name}={value!r}): {problem} ({parameter.meaning})")

    if parameter.kind == "flag":
        if not isinstance(value, bool):
            raise refusal(tr("{parameter} must be True or False", parameter=parameter.name))
        return value
    if parameter.kind == "choice":
        if value is None and parameter.default is None:
            return None
        if value not in parameter.choices:
            choices = ", ".join(map(repr, parameter.choices))
            raise refusal(tr("{parameter} must be one of: {choices}", parameter=parameter.name, choices=choices))
        return value
    if parameter.kind == "gains":
        numbers = isinstance(value, Mapping) and all(_is_number(number) for pair in value.items() for number in pair)
        if not numbers:
            raise refusal(tr("{parameter} must be written {{grade: gain, …}}", parameter=parameter.name))
        return dict(sorted(value.items()))
    if value is None and parameter.default is None:
        return None
    if parameter.kind in ("text", "condition"):
        if not isinstance(value, str) or not value.strip():
            raise refusal(tr("{parameter} must be a text in quotes", parameter=parameter.name))
        return parse_condition(value).text if parameter.kind == "condition" else value
    if parameter.kind == "levels":
        if not (isinstance(value, list | tuple) and value and all(_is_number(level) for level in value)):
            raise refusal(tr("{parameter} must be a list of numbers: [level, …]", parameter=parameter.name))
        if not all((parameter.low or 0) <= level <= (parameter.high or 1) for level in value):
            raise refusal(
                tr(
                    "the levels of {parameter} must be between {low} and {high}",
                    parameter=parameter.name,
                    low=parameter.low,
                    high=parameter.high,
                )
            )
        return tuple(sorted({int(level) if level == int(level) else float(level) for level in value}))
    if not _is_number(value):
        raise refusal(tr("{parameter} must be a number", parameter=parameter.name))
    if parameter.kind == "integer" and value != int(value):
        raise refusal(tr("{parameter} must be a whole number", parameter=parameter.name))
    low, high = parameter.low, parameter.high
    if (low is not None and (value < low or (parameter.open_low and value == low))) or (
        high is not None and value > high
    ):
        raise refusal(_bounds(parameter))
    return int(value) if value == int(value) else float(value)


def _bounds(parameter: Parameter) -> str:
    """Return what a number must be, as a sentence."""
    name, low, high = parameter.name, parameter.low, parameter.high
    if high is None:
        if parameter.open_low:
            return tr("{parameter} must be above {low}", parameter=name, low=low)
        return tr("{parameter} must be {low} or more", parameter=name, low=low)
    if parameter.open_low:
        return tr("{parameter} must be above {low} and at most {high}", parameter=name, low=low, high=high)
    return tr("{parameter} must be between {low} and {high}", parameter=name, low=low, high=high)


def _is_number(value: Any) -> bool:
    """Return whether a value is a number that floats can compute with: not inf, not nan, not an integer too large."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def written(name: str, parameters: Sequence[Parameter], given: Mapping[str, Any], cutoff: float | None) -> str:
    """Return the text of a measure: name, parameters that differ from their defaults or are always shown, cutoff."""
    shown = []
    for parameter in parameters:
        value = given.get(parameter.name, parameter.default)
        differs = parameter.name in given and value != parameter.default
        if differs or (parameter.always and value is not None):
            shown.append(f"{parameter.name}={_value(value)}")
    inside = f"({','.join(shown)})" if shown else ""
    return f"{name}{inside}" + ("" if cutoff is None else f"@{number_text(cutoff)}")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{number_text(grade)}:{number_text(gain)}" for grade, gain in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(number_text(level) for level in value) + "]"
    return number_text(value) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)


def number_text(value: float) -> str:
    """Return a number without needless decimals: 5, 0.8."""
    return repr(int(value)) if value == int(value) and not isinstance(value, bool) else repr(float(value))
