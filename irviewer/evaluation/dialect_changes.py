"""Which values change under another dialect, from what to what, and which of its rules did it.

Found by evaluating under both, and then under the first with one rule of the other at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.errors import MeasureError
from irviewer.evaluation.bound_measure import BoundMeasure, describe, treat
from irviewer.evaluation.evaluate import Joined, value_of
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measures
from irviewer.model.arrays import Floats
from irviewer.model.dialect_rules import Rule
from irviewer.model.dialects import DEFAULT, Dialect, dialect_of
from irviewer.model.exported import Exported
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

CLOSE = 1e-12
"""Values nearer than this (relative to 1 or more) are one: additions in another order differ in such digits."""

ALL = "all"
"""The query of a mean, as trec_eval writes it."""


@dataclass(frozen=True)
class DialectChange:
    """One value that the dialect makes another.

    measure         as the first dialect computes it; ``under`` is the text of what the other computes
    run, query      whose value; ``query`` is ALL for the mean
    before, after   NaN where there is none: the query is left out, or the dialect refuses (``refused`` says why)
    rules           the rules that change this value, each alone; ``together``, those without any of which it is another
    reasons         the same in words, one a rule
    whole           both count, so that both are written without decimals
    """

    measure: Measure
    under: str
    run: str
    query: str
    before: float
    after: float
    rules: tuple[Rule, ...]
    reasons: tuple[str, ...]
    together: bool = False
    refused: str = ""
    whole: bool = False

    @property
    def digits(self) -> int:
        """With how many decimals the two are written at the least: a mean of counts is not whole."""
        return 0 if self.whole else 4


@dataclass(frozen=True, eq=False, repr=False)
class DialectChanges(Exported):
    """The changes under several dialects, by the dialect's name."""

    by_dialect: Mapping[str, tuple[DialectChange, ...]]

    def __getitem__(self, dialect: str) -> tuple[DialectChange, ...]:
        return self.by_dialect[dialect]


@dataclass(frozen=True, eq=False)
class _Values:
    """One measure of one run under one dialect: values by query, their mean, or why there are none."""

    bound_measure: BoundMeasure
    by_query: dict[str, float]
    mean: float
    refused: str = ""


def changes(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    dialect: str | Dialect,
    options: EvaluationOptions | None = None,
    *,
    by_query: bool = False,
    progress: Callable[[float], None] | None = None,
) -> tuple[DialectChange, ...]:
    """The values of ``measures`` (and of every query, ``by_query``) that ``dialect`` changes against ``options``.

    Run by run in their order, measures in theirs, queries bytewise with the mean last. Raises MeasureError for an
    unknown measure, OptionError for an unknown dialect."""
    options = options or EvaluationOptions()
    other = dialect_of(dialect)
    asked = _asked(measures, *dict.fromkeys((options.rules.names, other.names)))
    found: list[DialectChange] = []
    for number, run in enumerate(runs):
        found += _Run(qrels, run, options, other).changes(asked, by_query)
        if progress is not None:
            progress((number + 1) / len(runs))
    return tuple(found)


def rules_of(dialect: str | Dialect, options: EvaluationOptions | None = None) -> tuple[Rule, ...]:
    """The rules in which a dialect differs from that of the options (trec_eval 10)."""
    base = dialect_of(DEFAULT) if options is None else options.rules
    return base.differing(dialect_of(dialect))


def _asked(measures: Sequence[str | Measure], *names: str) -> tuple[Measure, ...]:
    """The measures, under every reading of a name that two tools have."""
    every = (
        one
        for each in measures
        for whose in names
        for one in ((each,) if isinstance(each, Measure) else parse_measures([each], whose))
    )
    return tuple({one.text: one for one in every}.values())


class _Run:
    """One run under a dialect, another, and those between; each join is made when it is needed and kept."""

    def __init__(self, qrels: Qrels, run: Run, options: EvaluationOptions, other: Dialect) -> None:
        self._qrels, self._run, self._options, self._other = qrels, run, options, other
        self._base = options.rules
        self._rules = self._base.differing(other)
        self._joined: dict[Dialect, Joined] = {}

    def changes(self, asked: Sequence[Measure], by_query: bool) -> Iterator[DialectChange]:
        for measure in asked:
            before, after = self._values(measure, self._base), self._values(measure, self._other)
            places = [*dict.fromkeys((*before.by_query, *after.by_query)), ALL] if by_query else [ALL]
            moved = [place for place in _in_order(places) if not _same(before, after, place)]
            if not moved:
                continue
            single = {rule: self._values(measure, self._base.with_rule(rule, self._other)) for rule in self._rules}
            for place in moved:
                yield self._change(measure, before, after, place, single)

    def _change(
        self, measure: Measure, before: _Values, after: _Values, place: str, single: dict[Rule, _Values]
    ) -> DialectChange:
        alone = tuple(rule for rule, values in single.items() if not _same(before, values, place))
        rules = alone or self._needed(measure, after, place)
        reasons = tuple(
            describe(rule, self._other, (after if not alone else single[rule]).bound_measure) for rule in rules
        )
        return DialectChange(
            before.bound_measure.measure, after.bound_measure.measure.text, self._run.name, place,
            _at(before, place), _at(after, place), rules, reasons, not alone, after.refused,
            before.bound_measure.measure.counts and after.bound_measure.measure.counts,
        )  # fmt: skip

    def _needed(self, measure: Measure, after: _Values, place: str) -> tuple[Rule, ...]:
        """The rules without which the other dialect comes to another value."""
        without = {rule: self._values(measure, self._other.with_rule(rule, self._base)) for rule in self._rules}
        found = tuple(rule for rule, values in without.items() if not _same(after, values, place))
        return found or self._rules

    def _values(self, measure: Measure, dialect: Dialect) -> _Values:
        joined = self._joined.get(dialect)
        if joined is None:
            joined = Joined(self._run, self._qrels, replace(self._options, dialect=dialect))
            self._joined[dialect] = joined
        bound_measure = treat(dialect, measure, level=self._options.level, max_grade=self._qrels.max_grade)
        try:
            values: Floats = value_of(bound_measure, joined)
        except MeasureError as error:
            return _Values(bound_measure, {}, math.nan, str(error))
        ids = joined.under(bound_measure.join_options).query_ids
        mean = bound_measure.mean(values)
        return _Values(bound_measure, dict(zip(ids, values.tolist(), strict=True)), mean)


def _in_order(places: Sequence[str]) -> list[str]:
    """Queries bytewise, the mean last."""
    return sorted(places, key=lambda one: (one == ALL, one.encode("utf-8", "surrogateescape")))


def _at(values: _Values, place: str) -> float:
    return values.mean if place == ALL else values.by_query.get(place, math.nan)


def _same(one: _Values, other: _Values, place: str) -> bool:
    a, b = _at(one, place), _at(other, place)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return abs(a - b) <= CLOSE * max(1.0, abs(a), abs(b))


def shown_pair(before: float, after: float, digits: int = 4) -> tuple[str, str]:
    """The two values with as many decimals, from ``digits`` on, as it takes to tell them apart."""
    while digits < 12 and f"{before:.{digits}f}" == f"{after:.{digits}f}":
        digits += 1
    first, second = (("–" if np.isnan(one) else f"{one:.{digits}f}") for one in (before, after))
    return first, second
