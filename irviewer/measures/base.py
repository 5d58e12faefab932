"""Measures: described families, measures (families with bound parameters), their text form, and the registry.

``Name(param=value,…)@cutoff`` identifies a measure everywhere: window, command line, files, Python. The families in
``irviewer.measures.families`` register themselves here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.foreign import guarded_measure, guarded_strings, is_foreign
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
from irviewer.translation import tr

Aggregate = Literal["mean", "sum", "geometric", "count", "none"]
Span = tuple[float, float]
"""The lowest and highest value that a measure can have for any query; infinite where there is no bound."""
SHARE: Span = (0.0, 1.0)
FROM_ZERO: Span = (0.0, math.inf)
FROM_ONE: Span = (1.0, math.inf)
ENDLESS: Span = (-math.inf, math.inf)
ROUNDING = 1e-9
"""What sums of thousands of values may be beyond a bound; more is a fault of the computation."""
Wording = str | Callable[["Measure"], str]
"""A text about a family, or a function that makes it from a measure's parameters."""
TOOLS = ("trec_eval", "ir_measures", "ranx", "gdeval", "ndeval", "textbook")
"""The tools whose names for a family may be listed; "textbook" for the name in books and papers."""


def clipped(values: Floats, low: float, high: float) -> Floats:
    """Return the values, those beyond a bound by less than ROUNDING at the bound."""
    inside = np.clip(values, low, high)
    with np.errstate(invalid="ignore"):  # infinite values are not beyond infinite bounds
        return np.where(np.abs(inside - values) < ROUNDING, inside, values)


def in_formula(words: str) -> str:
    """Return words as upright LaTeX text."""
    return rf"\mathrm{{{words}}}".replace(" ", r"\ ")


REMOVED = in_formula(tr("unjudged documents removed"))
"""Ends the formula of a measure of judged documents only."""


@dataclass(frozen=True, eq=False)
class Family:
    """A described measure whose parameters are not bound yet.

    compute     (judged, **parameters, cutoff=…) -> float64[E]; ``cutoff`` is passed only where the family takes one,
                ``judged_only`` never (unjudged documents are removed before)
    aggregate   over queries: "mean", "sum", "geometric" (floor .00001, trec_eval's), "count", or "none" for text
    rewards, ignores, formula (LaTeX), source (with its year)    the texts of the measure card: a text, or a function of
                the measure where parameters change it; :attr:`Measure.formula` and so on are those of one measure
    tools       tool (one of TOOLS) -> the measure's name there
    span        bounds of the values of queries; a function of the measure where parameters change them
    strings     (judged, **parameters) -> one text per query, for a family of texts (its values are NaN)
    of_judgments  whether the values are of the judgments alone, and the same for every list, also an empty one
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
    of_judgments: bool = False

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter of this name, or None."""
        return self.named.get(name)

    @cached_property
    def named(self) -> dict[str, Parameter]:
        """The parameters by name."""
        return {parameter.name: parameter for parameter in self.parameters}


@dataclass(frozen=True)
class Measure:
    """A family with its parameters bound. Two measures are equal if their texts are.

    given    parameters that were written out, (name, value), in the family's order; others have their defaults
    cutoff   a rank, a recall level (IPrec), a multiple of R (Rprec_mult), or None
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
        """The text and the names of the parameters written out: what identifies a measure before a dialect is applied.

        A parameter written out at its default does not change the text, but a dialect's default does not replace it."""
        return self.text, *[name for name, _ in self.given]

    @cached_property
    def name(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def is_text(self) -> bool:
        """True if the values are texts (:meth:`strings`), not numbers."""
        return self.family.strings is not None

    @cached_property
    def aggregate(self) -> Aggregate:
        """How values of queries become one: the family's way, or that of its parameter ``over``."""
        over = dict(self.given).get("over")
        return over if over in ("mean", "sum") else self.family.aggregate

    @property
    def is_mean(self) -> bool:
        """Whether the value of all queries is a mean of theirs, so that a difference can be tested."""
        return self.aggregate in ("mean", "geometric")

    @property
    def counts(self) -> bool:
        """True if values are whole numbers, their sum over queries too."""
        return self.family.counts and self.aggregate != "mean"

    @property
    def higher_is_better(self) -> bool:
        """False for costs such as a search length, and where the parameter ``better`` declares it."""
        better = dict(self.given).get("better")
        return self.family.higher_is_better if better is None else better == "higher"

    @property
    def span(self) -> Span:
        """The bounds of the value of any query; measures with a greedy ideal ranking may exceed 1 by a little."""
        span = self.family.span
        return span(self) if callable(span) else span

    @property
    def formula(self) -> str:
        """The formula with these parameters, LaTeX; ``irviewer.measures.formulas`` explains the letters."""
        return joined(wording_of(self.family.formula, self), REMOVED if self.parameter("judged_only") else "")

    @property
    def rewards(self) -> str:
        """What improves the value, with these parameters."""
        return wording_of(self.family.rewards, self)

    @property
    def ignores(self) -> str:
        """What does not change the value, with these parameters."""
        text = wording_of(self.family.ignores, self)
        if self.cutoff is not None and self.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED):
            text = tr("{ignored}; documents below rank {rank}", ignored=text, rank=number_text(self.cutoff))
        if self.parameter("judged_only"):
            text = tr("{ignored}; unjudged documents, which are removed first", ignored=text)
        return text

    @property
    def source(self) -> str:
        """The publication that defines it with these parameters, with its year."""
        return wording_of(self.family.source, self)

    @property
    def bounded(self) -> bool:
        """True if values are between 0 and 1."""
        return self.span == SHARE

    def within_span(self, values: Floats) -> Floats:
        """Return values that lie beyond an end of the span by rounding alone at that end, 1.0000000000000004 at 1."""
        return clipped(values, *self.span)

    @property
    def wants_size(self) -> bool:
        """True for a cost that is undefined for some queries because the size of the collection, N, is not given."""
        return not self.higher_is_better and self.family.parameter("N") is not None and self.parameter("N") is None

    @cached_property
    def leaves_out(self) -> bool:
        """True if queries without a value are left out of the mean and of comparisons, as its parameter ``missing``
        declares; by other measures a query without a value leaves a run without a mean."""
        return bool(self.parameter("missing") == "undefined")

    def parameter(self, name: str) -> Any:
        """Return the value of a parameter, or its default."""
        given = dict(self.given)
        if name in given:
            return given[name]
        parameter = self.family.named.get(name)
        return parameter.default if parameter else None

    def bind(self, *, level: float = 1, max_grade: float = 0) -> Measure:
        """Return the measure with the values that options and qrels determine written out: the relevance level if it
        is not 1, and parameters that depend on the highest grade (ERR's ``max_rel``)."""
        given = dict(self.given)
        extra = {}
        for parameter in self.family.parameters:
            if parameter.name in given:
                continue
            if parameter.level and level != 1:
                extra[parameter.name] = level
            elif parameter.from_grades is not None:
                extra[parameter.name] = parameter.from_grades(max_grade)
        return replace(make(self.family, {**given, **extra}, self.cutoff), asked=self.text) if extra else self

    @property
    def last_rank(self) -> int | None:
        """The last rank that is read; None for a measure that is not cut at a rank."""
        by_rank = self.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
        return int(self.cutoff) if by_rank and self.cutoff is not None else None

    def compute(self, judged: Judged) -> Floats:
        """Return the value of each evaluated query, float64[E]."""
        bound = self.bind(max_grade=judged.max_grade)
        given = dict(bound.given)
        values = {parameter.name: given.get(parameter.name, parameter.default) for parameter in self.family.parameters}
        if values.pop("judged_only", False):
            judged = judged.judged_only
        if self.family.cutoff is not Cutoff.NONE:
            rank = self.last_rank
            values["cutoff"] = self.cutoff if rank is None else rank
        return self.family.compute(judged, **values)

    def strings(self, judged: Judged) -> list[str]:
        """Return the text of each evaluated query; empty texts if the measure is a number."""
        if self.family.strings is None:
            return [""] * judged.n_queries
        values = {parameter.name: self.parameter(parameter.name) for parameter in self.family.parameters}
        return self.family.strings(judged, **values)

    def mean(self, values: Floats) -> float:
        """Return one number for all queries, as the family aggregates; NaN without queries. Values are added in their
        order (bytewise by query), as trec_eval does."""
        if self.aggregate == "none":
            return float("nan")
        if self.leaves_out:
            values = values[~np.isnan(values)]
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
        """Return the text for headers: binary measures show their relevance level if the qrels are graded
        ("AP, grade ≥ 1"; short "AP ≥1")."""
        text, value = self.apart_from_level(graded, level)
        return text if value is None else with_level(text, value, short=short)

    def apart_from_level(self, graded: bool = False, level: float = 1) -> tuple[str, float | None]:
        """Return the text without the relevance level, and the level that headers show: None for a measure without
        one, and if the qrels are not graded."""
        parameter = self.family.parameter("rel")
        if not graded or parameter is None:
            return self.text, None
        value = dict(self.given).get("rel", level if parameter.level else None)
        if value is None:
            return self.text, None
        rest = tuple(pair for pair in self.given if pair[0] != "rel")
        return written(self.family.name, self.family.parameters, dict(rest), self.cutoff), value


def with_level(text: str, level: float, *, short: bool = False) -> str:
    """Return a measure's text with its relevance level."""
    if short:
        return f"{text} ≥{number_text(level)}"
    return tr("{measure}, grade ≥ {level}", measure=text, level=number_text(level))


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
    of_judgments: bool = False,
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register a function of a judged run as a family; :class:`Family` explains the arguments. A function of another
    package is guarded: see ``foreign``."""

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        own, texts = compute, strings
        if is_foreign(compute):
            own = guarded_measure(name, compute)
            texts = None if strings is None else guarded_strings(name, strings)
        family = Family(
            name, title, own, parameters, cutoff, aggregate, rewards, ignores, formula, source,
            aliases, counts, higher_is_better, span, MappingProxyType(dict(tools or {})), texts, of_judgments,
        )  # fmt: skip
        for alias in (name, *aliases):
            if alias in NAMES:
                raise ValueError(f"measure name {alias} is registered twice")
            NAMES[alias] = name
        REGISTERED[name] = family
        return compute

    return register


def registered(name: str) -> Family | None:
    """Return the family registered so far under this name or alias, or None; loads no packages."""
    return REGISTERED.get(NAMES.get(name, ""))


def make(family: Family, parameters: Mapping[str, Any] | None = None, cutoff: float | None = None) -> Measure:
    """Return a measure of a family. Raises MeasureError that names the wrong parameter and its bounds."""
    given = {}
    for key, value in (parameters or {}).items():
        parameter = family.parameter(key)
        if parameter is None:
            known = ", ".join(parameter.name for parameter in family.parameters)
            if not known:
                raise MeasureError(
                    tr("{measure} has no parameter {parameter!r}; it takes none", measure=family.name, parameter=key)
                )
            raise MeasureError(
                tr(
                    "{measure} has no parameter {parameter!r}; its parameters: {known}",
                    measure=family.name,
                    parameter=key,
                    known=known,
                )
            )
        given[key] = checked(family.name, parameter, value)
    cutoff = checked_cutoff(family.name, family.cutoff, cutoff)
    ordered = {parameter.name: given[parameter.name] for parameter in family.parameters if parameter.name in given}
    return Measure(family, written(family.name, family.parameters, ordered, cutoff), tuple(ordered.items()), cutoff)


__all__ = [
    "JUDGED_ONLY", "NAMES", "REGISTERED", "RELEVANCE_LEVEL", "TOOLS", "Aggregate", "Cutoff", "Family", "Measure",
    "Parameter", "make", "measure", "registered",
]  # fmt: skip


def wording_of(wording: Wording, measure: Measure) -> str:
    """Return a text of a family for one measure."""
    return wording if isinstance(wording, str) else wording(measure)


def joined(main: str, *definitions: str) -> str:
    """Return an expression and its definitions as one formula; empty ones are left out."""
    return r", \quad ".join(part for part in (main, *definitions) if part)
