"""What a measure is: a described family, the parameters that make one measure of it, its text form, and the registry.

``Name(param=value,…)@cutoff`` is a measure's identity everywhere: window, command line, files, Python. Knows no
formula: the families in ``irviewer.model.measures`` register themselves here."""

from __future__ import annotations

import ast
import difflib
import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Literal

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, sequential_sum
from irviewer.model.judged import Judged

Aggregate = Literal["mean", "sum", "geometric", "count"]
Kind = Literal["integer", "number", "flag", "choice", "gains"]


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


@dataclass(frozen=True, eq=False)
class Family:
    """A described measure, parameters still open.

    compute     (judged, **parameters, cutoff=…) -> float64[E]; ``cutoff`` is passed only where the family takes one,
                ``judged_only`` never (the ranking comes condensed)
    aggregate   over queries: "mean", "sum", "geometric" (floor .00001, trec_eval's) or "count"
    rewards, ignores, formula (LaTeX), source    what a person is told
    """

    name: str
    title: str
    compute: Callable[..., Floats]
    parameters: tuple[Parameter, ...]
    cutoff: Cutoff
    aggregate: Aggregate
    rewards: str
    ignores: str
    formula: str
    source: str
    aliases: tuple[str, ...] = ()
    counts: bool = False
    higher_is_better: bool = True
    bounded: bool = True

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((one for one in self.parameters if one.name == name), None)


@dataclass(frozen=True)
class Measure:
    """One measure: a family with its parameters bound. Two are equal when their text is.

    given    parameters that were said, name -> value, in the family's order; others have their defaults
    cutoff   a rank, a recall level for IPrec, or None
    asked    the text before :meth:`bind` made it explicit
    """

    family: Family = field(compare=False, repr=False)
    text: str
    given: tuple[tuple[str, Any], ...] = field(default=(), compare=False)
    cutoff: float | None = field(default=None, compare=False)
    asked: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def aggregate(self) -> Aggregate:
        """How values of queries become one."""
        return self.family.aggregate

    @property
    def counts(self) -> bool:
        """True where values are whole numbers."""
        return self.family.counts

    @property
    def higher_is_better(self) -> bool:
        """False for costs such as a search length."""
        return self.family.higher_is_better

    def parameter(self, name: str) -> Any:
        """The value of a parameter, said or default."""
        parameter = self.family.parameter(name)
        return dict(self.given).get(name, parameter.default if parameter else None)

    def bind(self, *, level: float = 1, max_grade: float = 0) -> Measure:
        """The measure with what depends on options and qrels made explicit: the relevance level where it is not 1, and
        parameters that follow the highest grade (ERR's ``max_rel``)."""
        extra = {}
        said = dict(self.given)
        for parameter in self.family.parameters:
            if parameter.name in said:
                continue
            if parameter.level and level != 1:
                extra[parameter.name] = level
            elif parameter.from_grades is not None:
                extra[parameter.name] = parameter.from_grades(max_grade)
        return replace(make(self.family, {**said, **extra}, self.cutoff), asked=self.text) if extra else self

    def compute(self, judged: Judged) -> Floats:
        """The value of every evaluated query, float64[E]."""
        bound = self.bind(max_grade=judged.max_grade)
        values = {one.name: bound.parameter(one.name) for one in self.family.parameters}
        if values.pop("judged_only", False):
            judged = judged.condensed
        if self.family.cutoff is not Cutoff.NONE:
            rank = self.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
            values["cutoff"] = int(self.cutoff) if rank and self.cutoff is not None else self.cutoff
        return self.family.compute(judged, **values)

    def mean(self, values: Floats) -> float:
        """One number for all queries, as the family aggregates; NaN where there are no queries. Additions run in the
        order of the values (bytewise by query), as trec_eval adds."""
        if self.aggregate == "sum":
            return sequential_sum(values)
        if self.aggregate == "count":
            return float(len(values))
        if not len(values):
            return float("nan")
        if self.aggregate == "geometric":
            return float(np.exp(sequential_sum(np.log(np.maximum(values, GEOMETRIC_FLOOR))) / len(values)))
        return sequential_sum(values) / len(values)

    def label(self, graded: bool = False, level: float = 1) -> str:
        """A short header: binary measures say their level where the qrels are graded ("AP, grade ≥ 1")."""
        if not graded or self.family.parameter("rel") is None:
            return self.text
        value = dict(self.given).get("rel", level)
        if value is None:
            return self.text
        rest = tuple(pair for pair in self.given if pair[0] != "rel")
        return f"{_text(self.family, dict(rest), self.cutoff)}, grade ≥ {_number(value)}"


GEOMETRIC_FLOOR = 0.00001
"""trec_eval's MIN_GEO_MEAN: no value is less under the logarithm."""

_families: dict[str, Family] = {}
_names: dict[str, str] = {}


def measure(
    name: str,
    *,
    title: str,
    rewards: str,
    ignores: str,
    formula: str,
    source: str,
    parameters: tuple[Parameter, ...] = (),
    cutoff: Cutoff = Cutoff.NONE,
    aggregate: Aggregate = "mean",
    aliases: tuple[str, ...] = (),
    counts: bool = False,
    higher_is_better: bool = True,
    bounded: bool = True,
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register a function of a judged run as a family; see :class:`Family` for the words."""

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        family = Family(
            name, title, compute, parameters, cutoff, aggregate, rewards, ignores, formula, source,
            aliases, counts, higher_is_better, bounded,
        )  # fmt: skip
        for one in (name, *aliases):
            if one in _names:
                raise ValueError(f"measure name {one} is registered twice")
            _names[one] = name
        _families[name] = family
        return compute

    return register


def families() -> Mapping[str, Family]:
    """Every family by name, in the order of their files."""
    importlib.import_module("irviewer.model.measures")
    return _families


def make(family: Family, parameters: Mapping[str, Any] | None = None, cutoff: float | None = None) -> Measure:
    """A measure of a family, its parameters checked. Raises MeasureError that names the parameter and its bounds."""
    given = {}
    for key, value in (parameters or {}).items():
        parameter = family.parameter(key)
        if parameter is None:
            known = ", ".join(one.name for one in family.parameters) or "none"
            raise MeasureError(f"{family.name} has no parameter {key!r} (it has: {known})")
        given[key] = _checked(family, parameter, value)
    cutoff = _checked_cutoff(family, cutoff)
    ordered = {one.name: given[one.name] for one in family.parameters if one.name in given}
    return Measure(family, _text(family, ordered, cutoff), tuple(ordered.items()), cutoff)


_WRITTEN = re.compile(
    r"^\s*(?P<name>[^\s(@]+)\s*(?:\((?P<arguments>.*)\))?\s*(?:@(?P<cutoff>[^@()\s]+))?\s*$", re.DOTALL
)


def parse_measure(text: str) -> Measure:
    """One measure from its text in any of the three notations (ir_measures', trec_eval's, ranx's).

    Raises MeasureError where the text names none, or several (``P.5,10``, a group)."""
    found = parse_measures([text])
    if len(found) != 1:
        raise MeasureError(f"{text!r} names {len(found)} measures ({found[0]}, …, {found[-1]}); one is wanted here")
    return found[0]


def parse_measures(texts: list[str] | tuple[str, ...]) -> tuple[Measure, ...]:
    """Measures from texts, each a measure, a trec_eval name that stands for several, or a group (``official``). Order
    is kept, doubles are dropped."""
    from irviewer.model import notations  # the notations need the registry

    found: dict[str, Measure] = {}
    for text in texts:
        for one in notations.expand(text):
            found.setdefault(one.text, one)
    return tuple(found.values())


def parse_canonical(text: str) -> Measure | None:
    """A measure in ir_measures' notation; None where its name is not a family's. Raises MeasureError on a bad
    parameter or cutoff."""
    match = _WRITTEN.match(text)
    if match is None:
        return None
    known = families()
    name = _names.get(match["name"])
    if name is None:
        return None
    family = known[name]
    return make(family, _arguments(text, match["arguments"]), _cutoff_number(text, match["cutoff"]))


def suggestions(text: str, most: int = 3) -> tuple[str, ...]:
    """The nearest known names to a text that is none."""
    from irviewer.model import notations

    name = re.split(r"[(@.]", text.strip())[0]
    families()
    names = {one.lower(): one for one in (*notations.names(), *_names, *_families)}  # families win
    lowered = name.lower()
    close = [names[lowered]] if lowered in names else []
    close += [full for low, full in names.items() if lowered and low.startswith(lowered) and full not in close]
    close += [names[one] for one in difflib.get_close_matches(lowered, names, n=most, cutoff=0.5)]
    return tuple(dict.fromkeys(close))[:most]


def _arguments(text: str, arguments: str | None) -> dict[str, Any]:
    if not arguments or not arguments.strip():
        return {}
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
        assert isinstance(call, ast.Call)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise MeasureError(f"{text}: parameters are written name=value")
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, AssertionError) as error:
        raise MeasureError(f"{text}: cannot read the parameters ({arguments}); write name=value, …") from error


def _cutoff_number(text: str, cutoff: str | None) -> float | None:
    if cutoff is None:
        return None
    try:
        return int(cutoff) if re.fullmatch(r"\d+", cutoff) else float(cutoff)
    except ValueError as error:
        raise MeasureError(f"{text}: the cutoff {cutoff!r} is not a number") from error


def _checked_cutoff(family: Family, cutoff: float | None) -> float | None:
    kind = family.cutoff
    if cutoff is None:
        if kind in (Cutoff.REQUIRED, Cutoff.RECALL, Cutoff.FACTOR):
            example = "0.1" if kind is Cutoff.RECALL else "10"
            raise MeasureError(f"{family.name} needs a cutoff, for example {family.name}@{example}")
        return None
    if kind is Cutoff.NONE:
        raise MeasureError(f"{family.name} takes no cutoff (@{_number(cutoff)})")
    if kind is Cutoff.RECALL:
        if not 0 <= cutoff <= 1:
            raise MeasureError(f"{family.name}@{_number(cutoff)}: a recall level lies between 0 and 1")
        return float(cutoff)
    if kind is Cutoff.FACTOR:
        if not cutoff > 0:
            raise MeasureError(f"{family.name}@{_number(cutoff)}: the multiple of R must be above 0")
        return float(cutoff)
    if cutoff != int(cutoff) or cutoff < 1:
        raise MeasureError(f"{family.name}@{_number(cutoff)}: a cutoff is a whole rank, 1 or more")
    return int(cutoff)


def _checked(family: Family, parameter: Parameter, value: Any) -> Any:
    def refuse(what: str) -> MeasureError:
        return MeasureError(f"{family.name}({parameter.name}={value!r}): {what} ({parameter.meaning})")

    if parameter.kind == "flag":
        if not isinstance(value, bool):
            raise refuse("it is True or False")
        return value
    if parameter.kind == "choice":
        if value not in parameter.choices:
            raise refuse("it is one of " + ", ".join(map(repr, parameter.choices)))
        return value
    if parameter.kind == "gains":
        numbers = isinstance(value, Mapping) and all(
            isinstance(part, int | float) and not isinstance(part, bool) for pair in value.items() for part in pair
        )
        if not numbers:
            raise refuse("it is {grade: gain, …}")
        return dict(sorted(value.items()))
    if value is None and parameter.default is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
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


def _text(family: Family, given: Mapping[str, Any], cutoff: float | None) -> str:
    shown = []
    for parameter in family.parameters:
        value = given.get(parameter.name, parameter.default)
        said = parameter.name in given and value != parameter.default
        if said or (parameter.always and value is not None):
            shown.append(f"{parameter.name}={_value(value)}")
    inside = f"({','.join(shown)})" if shown else ""
    return f"{family.name}{inside}" + ("" if cutoff is None else f"@{_number(cutoff)}")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_number(grade)}:{_number(gain)}" for grade, gain in value.items()) + "}"
    return _number(value) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)


def _number(value: float) -> str:
    return repr(int(value)) if value == int(value) and not isinstance(value, bool) else repr(float(value))


__all__ = [
    "JUDGED_ONLY", "RELEVANCE_LEVEL", "Aggregate", "Cutoff", "Family", "Measure", "Parameter", "families", "make",
    "measure", "parse_canonical", "parse_measure", "parse_measures", "suggestions",
]  # fmt: skip
