"""Parameters and cutoffs of measures: what they may be, how they are checked, how they are written.

Knows no measure: a family's name comes in as text for the messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from irviewer.errors import MeasureError

Kind = Literal["integer", "number", "flag", "choice", "gains", "levels"]


class Cutoff(Enum):
    """Whether a family takes a cutoff after ``@``, and of what kind."""

    NONE = "none"
    OPTIONAL = "optional rank"
    REQUIRED = "rank"
    RECALL = "recall level"
    FACTOR = "multiple of R"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family. ``low`` and ``high`` bound numbers (``open_low``: low itself is out); ``always``
    prints it even at its default; ``level`` says that the person's relevance level stands in where none is given;
    ``from_grades`` finds the value from the qrels' highest grade where the person gave none."""

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


RELEVANCE_LEVEL = Parameter("rel", "number", 1, "least grade that counts as relevant", low=0, open_low=True, level=True)
JUDGED_ONLY = Parameter("judged_only", "flag", False, "remove unjudged documents from the ranking first")


def checked_cutoff(name: str, kind: Cutoff, cutoff: float | None) -> float | None:
    """The cutoff of a measure called ``name``; MeasureError where the kind wants another, or none."""
    if cutoff is None:
        if kind in (Cutoff.REQUIRED, Cutoff.RECALL, Cutoff.FACTOR):
            example = "0.1" if kind is Cutoff.RECALL else "10"
            raise MeasureError(f"{name} needs a cutoff, for example {name}@{example}")
        return None
    if not abs(cutoff) < 2**31:  # inf and nan among them; no list is longer
        raise MeasureError(f"{name}@{cutoff}: the cutoff is beyond any list")
    if kind is Cutoff.NONE:
        raise MeasureError(f"{name} takes no cutoff (@{number_text(cutoff)})")
    if kind is Cutoff.RECALL:
        if not 0 <= cutoff <= 1:
            raise MeasureError(f"{name}@{number_text(cutoff)}: a recall level lies between 0 and 1")
        return float(cutoff)
    if kind is Cutoff.FACTOR:
        if not cutoff > 0:
            raise MeasureError(f"{name}@{number_text(cutoff)}: the multiple of R must be above 0")
        return float(cutoff)
    if cutoff != int(cutoff) or cutoff < 1:
        raise MeasureError(f"{name}@{number_text(cutoff)}: a cutoff is a whole rank, 1 or more")
    return int(cutoff)


def checked(name: str, parameter: Parameter, value: Any) -> Any:
    """A parameter's value as it is kept (whole numbers as int); MeasureError that names its bounds or choices."""

    def refuse(what: str) -> MeasureError:
        return MeasureError(f"{name}({parameter.name}={value!r}): {what} ({parameter.meaning})")

    if parameter.kind == "flag":
        if not isinstance(value, bool):
            raise refuse("it is True or False")
        return value
    if parameter.kind == "choice":
        if value not in parameter.choices:
            raise refuse("it is one of " + ", ".join(map(repr, parameter.choices)))
        return value
    if parameter.kind == "gains":
        numbers = isinstance(value, Mapping) and all(_is_number(part) for pair in value.items() for part in pair)
        if not numbers:
            raise refuse("it is {grade: gain, …}")
        return dict(sorted(value.items()))
    if value is None and parameter.default is None:
        return None
    if parameter.kind == "levels":
        if not (isinstance(value, list | tuple) and value and all(_is_number(one) for one in value)):
            raise refuse("it is [level, …]")
        if not all((parameter.low or 0) <= one <= (parameter.high or 1) for one in value):
            raise refuse(f"its levels lie from {parameter.low} to {parameter.high}")
        return tuple(sorted({int(one) if one == int(one) else float(one) for one in value}))
    if not _is_number(value):
        raise refuse("it is a number")
    if parameter.kind == "integer" and value != int(value):
        raise refuse("it is a whole number")
    low, high = parameter.low, parameter.high
    if (low is not None and (value < low or (parameter.open_low and value == low))) or (
        high is not None and value > high
    ):
        raise refuse(
            f"it lies {'above' if parameter.open_low else 'from'} {low}{'' if high is None else f' to {high}'}"
        )
    return int(value) if value == int(value) else float(value)


def _is_number(value: Any) -> bool:
    """True for a number that can be computed with: neither inf nor nan, nor an integer that no float holds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def written(name: str, parameters: Sequence[Parameter], given: Mapping[str, Any], cutoff: float | None) -> str:
    """The text of a measure: what is not at its default, what is always shown, the cutoff."""
    shown = []
    for parameter in parameters:
        value = given.get(parameter.name, parameter.default)
        said = parameter.name in given and value != parameter.default
        if said or (parameter.always and value is not None):
            shown.append(f"{parameter.name}={_value(value)}")
    inside = f"({','.join(shown)})" if shown else ""
    return f"{name}{inside}" + ("" if cutoff is None else f"@{number_text(cutoff)}")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{number_text(grade)}:{number_text(gain)}" for grade, gain in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(number_text(one) for one in value) + "]"
    return number_text(value) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)


def number_text(value: float) -> str:
    """A number without needless places: 5, 0.8."""
    return repr(int(value)) if value == int(value) and not isinstance(value, bool) else repr(float(value))
