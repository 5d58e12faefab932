"""What a measure is: a described family, the parameters that make one measure of it, its text form, and the registry.

``Name(param=value,…)@cutoff`` is a measure's identity everywhere: window, command line, files, Python. Knows no
formula: the families in ``irviewer.measures.families`` register themselves here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.parameters import (
    JUDGED_ONLY,
    RELEVANCE_LEVEL,
    Cutoff,
    Parameter,
    checked,
    checked_cutoff,
    number_text,
    written,
)
from irviewer.model.arrays import Floats, sequential_sum
from irviewer.model.geometric import logarithms
from irviewer.model.judgments.judged import Judged

Aggregate = Literal["mean", "sum", "geometric", "count", "none"]
Span = tuple[float, float]
"""The least and the greatest value that a measure can have for a query, whatever run and qrels; infinite where there is
none."""
SHARE: Span = (0.0, 1.0)
FROM_ZERO: Span = (0.0, math.inf)
FROM_ONE: Span = (1.0, math.inf)
ENDLESS: Span = (-math.inf, math.inf)
Wording = str | Callable[["Measure"], str]
"""A text about a family, or what makes it from one measure's parameters."""
REMOVED = r"\mathrm{unjudged\ documents\ removed}"
"""What stands behind the formula of a measure on judged documents only."""
TOOLS = ("trec_eval", "ir_measures", "ranx", "gdeval", "ndeval", "textbook")
"""Whose names a family may tell; "textbook" where books and papers define it and write it so."""


@dataclass(frozen=True, eq=False)
class Family:
    """A described measure, parameters still open.

    compute     (judged, **parameters, cutoff=…) -> float64[E]; ``cutoff`` is passed only where the family takes one,
                ``judged_only`` never (the ranking comes condensed)
    aggregate   over queries: "mean", "sum", "geometric" (floor .00001, trec_eval's), "count", or "none" for text
    rewards, ignores, formula (LaTeX), source (with its year)    what a person is told: a text, or a function of the
                measure where its parameters decide; read :attr:`Measure.formula` and so on, which are those of one
                measure
    tools       tool (one of TOOLS) -> the measure's name there
    span        what values of queries lie between; a function of the measure where its parameters decide
    strings     (judged, **parameters) -> one text a query, for a family that is no number (its values are NaN)
    """

    name: str
    title: str
    compute: Callable[..., Floats]
    parameters: tuple[Parameter, ...]
    cutoff: Cutoff
    aggregate: Aggregate
    rewards: Wording
    ignores: Wording
    formula: Wording
    source: Wording
    aliases: tuple[str, ...] = ()
    counts: bool = False
    higher_is_better: bool = True
    span: Span | Callable[[Measure], Span] = SHARE
    tools: Mapping[str, str] = field(default_factory=dict)
    strings: Callable[..., list[str]] | None = None

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return self.named.get(name)

    @cached_property
    def named(self) -> dict[str, Parameter]:
        """The parameters by name."""
        return {one.name: one for one in self.parameters}


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

    @cached_property
    def as_said(self) -> tuple[str, ...]:
        """The text, and the parameters that were named. One that is named at its default reads the same, but a dialect
        with a default of its own leaves it as it was said."""
        return self.text, *[name for name, _ in self.given]

    @cached_property
    def name(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def is_text(self) -> bool:
        """True where the values are texts (:meth:`strings`) and no numbers."""
        return self.family.strings is not None

    @cached_property
    def aggregate(self) -> Aggregate:
        """How values of queries become one: the family's way, or the one that its parameter ``over`` says."""
        over = dict(self.given).get("over")
        return over if over in ("mean", "sum") else self.family.aggregate

    @property
    def counts(self) -> bool:
        """True where values are whole numbers, their sum over queries too."""
        return self.family.counts and self.aggregate != "mean"

    @property
    def higher_is_better(self) -> bool:
        """False for costs such as a search length."""
        return self.family.higher_is_better

    @property
    def span(self) -> Span:
        """What the value of any query lies between; measures with a greedy ideal may pass its end by little."""
        found = self.family.span
        return found(self) if callable(found) else found

    @property
    def formula(self) -> str:
        """How it is computed with these parameters, LaTeX; ``irviewer.measures.formulas`` says what the letters are."""
        return joined(said(self.family.formula, self), REMOVED if self.parameter("judged_only") else "")

    @property
    def rewards(self) -> str:
        """What makes it better with these parameters."""
        return said(self.family.rewards, self)

    @property
    def ignores(self) -> str:
        """What it does not see with these parameters."""
        found = said(self.family.ignores, self)
        if self.cutoff is not None and self.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED):
            found += f"; what stands below rank {number_text(self.cutoff)}"
        return found + ("; unjudged documents, which are removed first" if self.parameter("judged_only") else "")

    @property
    def source(self) -> str:
        """Where it is defined with these parameters, with a year."""
        return said(self.family.source, self)

    @property
    def bounded(self) -> bool:
        """True for a share: a measure whose values lie between 0 and 1."""
        return self.span == SHARE

    @property
    def wants_size(self) -> bool:
        """True for a cost that is as large as the collection where it is never paid off, while nobody said N."""
        return not self.higher_is_better and self.family.parameter("N") is not None and self.parameter("N") is None

    def parameter(self, name: str) -> Any:
        """The value of a parameter, said or default."""
        given = dict(self.given)
        if name in given:
            return given[name]
        parameter = self.family.named.get(name)
        return parameter.default if parameter else None

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
        given = dict(bound.given)
        values = {one.name: given.get(one.name, one.default) for one in self.family.parameters}
        if values.pop("judged_only", False):
            judged = judged.condensed
        if self.family.cutoff is not Cutoff.NONE:
            rank = self.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
            values["cutoff"] = int(self.cutoff) if rank and self.cutoff is not None else self.cutoff
        return self.family.compute(judged, **values)

    def strings(self, judged: Judged) -> list[str]:
        """The text of every evaluated query, where the family is text; empty texts where it is not."""
        if self.family.strings is None:
            return [""] * judged.n_queries
        return self.family.strings(judged, **{one.name: self.parameter(one.name) for one in self.family.parameters})

    def mean(self, values: Floats) -> float:
        """One number for all queries, as the family aggregates; NaN where there are no queries. Additions run in the
        order of the values (bytewise by query), as trec_eval adds."""
        if self.aggregate == "none":
            return float("nan")
        if self.aggregate == "sum":
            return sequential_sum(values)
        if self.aggregate == "count":
            return float(len(values))
        if not len(values):
            return float("nan")
        if self.aggregate == "geometric":
            return float(np.exp(sequential_sum(logarithms(values)) / len(values)))
        return sequential_sum(values) / len(values)

    def label(self, graded: bool = False, level: float = 1, *, short: bool = False) -> str:
        """A header: binary measures say their level where the qrels are graded ("AP, grade ≥ 1"; short "AP ≥1")."""
        parameter = self.family.parameter("rel")
        if not graded or parameter is None:
            return self.text
        value = dict(self.given).get("rel", level if parameter.level else None)
        if value is None:
            return self.text
        rest = tuple(pair for pair in self.given if pair[0] != "rel")
        text = written(self.family.name, self.family.parameters, dict(rest), self.cutoff)
        return f"{text} ≥{number_text(value)}" if short else f"{text}, grade ≥ {number_text(value)}"


REGISTERED: dict[str, Family] = {}
NAMES: dict[str, str] = {}


def measure(
    name: str,
    *,
    title: str,
    rewards: Wording,
    ignores: Wording,
    formula: Wording,
    source: Wording,
    parameters: tuple[Parameter, ...] = (),
    cutoff: Cutoff = Cutoff.NONE,
    aggregate: Aggregate = "mean",
    aliases: tuple[str, ...] = (),
    counts: bool = False,
    higher_is_better: bool = True,
    span: Span | Callable[[Measure], Span] = SHARE,
    tools: Mapping[str, str] | None = None,
    strings: Callable[..., list[str]] | None = None,
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register a function of a judged run as a family; see :class:`Family` for the words."""

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        family = Family(
            name, title, compute, parameters, cutoff, aggregate, rewards, ignores, formula, source,
            aliases, counts, higher_is_better, span, MappingProxyType(dict(tools or {})), strings,
        )  # fmt: skip
        for one in (name, *aliases):
            if one in NAMES:
                raise ValueError(f"measure name {one} is registered twice")
            NAMES[one] = name
        REGISTERED[name] = family
        return compute

    return register


def registered(name: str) -> Family | None:
    """The family that has this name, or this alias, by now; loads nothing."""
    return REGISTERED.get(NAMES.get(name, ""))


def make(family: Family, parameters: Mapping[str, Any] | None = None, cutoff: float | None = None) -> Measure:
    """A measure of a family, its parameters checked. Raises MeasureError that names the parameter and its bounds."""
    given = {}
    for key, value in (parameters or {}).items():
        parameter = family.parameter(key)
        if parameter is None:
            known = ", ".join(one.name for one in family.parameters) or "none"
            raise MeasureError(f"{family.name} has no parameter {key!r} (it has: {known})")
        given[key] = checked(family.name, parameter, value)
    cutoff = checked_cutoff(family.name, family.cutoff, cutoff)
    ordered = {one.name: given[one.name] for one in family.parameters if one.name in given}
    return Measure(family, written(family.name, family.parameters, ordered, cutoff), tuple(ordered.items()), cutoff)


__all__ = [
    "JUDGED_ONLY", "NAMES", "REGISTERED", "RELEVANCE_LEVEL", "TOOLS", "Aggregate", "Cutoff", "Family", "Measure",
    "Parameter", "make", "measure", "registered",
]  # fmt: skip


def said(wording: Wording, measure: Measure) -> str:
    """A text of a family for one measure."""
    return wording if isinstance(wording, str) else wording(measure)


def joined(main: str, *definitions: str) -> str:
    """An expression and its definitions; empty ones are left out."""
    return r", \quad ".join(one for one in (main, *definitions) if one)
