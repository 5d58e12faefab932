"""Values that change under another dialect, and the rules that change them.

Computed by evaluating under both dialects, and then under the first with one rule of the other at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.errors import MeasureError
from irviewer.evaluation.answer_cautions import lacking_in, refuse_lacking_all
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
"""Values that differ by less (relative to 1 or more) are equal: another order of additions may change such digits."""

ALL = "all"
"""The query of a mean, as trec_eval writes it."""


@dataclass(frozen=True)
class DialectChange:
    """A value that differs between two dialects.

    measure         the measure under the first dialect; ``under`` is its text under the other
    run, query      the run and the query; ALL for the mean
    before, after   the values; NaN if the query is left out or the dialect refuses (``refused`` is the reason)
    rules           the rules that each change this value alone; with ``together``, those that change it only jointly
    reasons         the descriptions of the rules
    whole           both are counts, written without decimals
    queries         of a mean: the number of queries whose values differ; the means may be equal nevertheless
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
    queries: int = 0

    @property
    def is_hidden(self) -> bool:
        """Whether values of queries differ, but their means do not: the differences cancel each other."""
        return self.query == ALL and self.queries > 0 and _equal(self.before, self.after)

    @property
    def digits(self) -> int:
        """The minimum number of decimals of the values."""
        return 0 if self.whole else 4


@dataclass(frozen=True, eq=False, repr=False)
class DialectChanges(Exported):
    """The changes under several dialects, by the dialect's name; ``by_query``: also those of single queries."""

    by_dialect: Mapping[str, tuple[DialectChange, ...]]
    by_query: bool = False

    def __getitem__(self, dialect: str) -> tuple[DialectChange, ...]:
        return self.by_dialect[dialect]


@dataclass(frozen=True, eq=False)
class _Values:
    """The values of a measure, a run and a dialect by query, and their mean, or why there are none."""

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
    """Return the values of ``measures`` that differ under ``dialect`` from those under ``options``: with ``by_query``
    those of queries and means, otherwise the means, also those that are equal although values of queries differ.

    In the order of runs, then measures, then queries bytewise with the mean last; a run that lacks what a measure reads
    is left out of it. Raises MeasureError for an unknown measure and where all runs lack what one reads, OptionError
    for an unknown dialect."""
    options = options or EvaluationOptions()
    other = dialect_of(dialect)
    asked = _asked(measures, *dict.fromkeys((options.rules.names, other.names)))
    all_changes: list[DialectChange] = []
    without = lacking_in(asked, [(run.name, run) for run in runs], qrels)
    refuse_lacking_all(without, [run.name for run in runs])
    for number, run in enumerate(runs):
        own = [measure for measure in asked if run.name not in without.get(measure.text, ())]
        all_changes += _Run(qrels, run, options, other).changes(own, by_query)
        if progress is not None:
            progress((number + 1) / len(runs))
    return tuple(all_changes)


def rules_of(dialect: str | Dialect, options: EvaluationOptions | None = None) -> tuple[Rule, ...]:
    """Return the rules by which a dialect differs from that of the options (by default trec_eval 10)."""
    base = dialect_of(DEFAULT) if options is None else options.rules
    return base.differing(dialect_of(dialect))


def _asked(measures: Sequence[str | Measure], *names: str) -> tuple[Measure, ...]:
    """Return the measures, with both meanings of a name that two tools have."""
    all_measures = (
        measure
        for item in measures
        for tool in names
        for measure in ((item,) if isinstance(item, Measure) else parse_measures([item], tool))
    )
    return tuple({measure.text: measure for measure in all_measures}.values())


class _Run:
    """A run under two dialects and those between them; joins are computed when needed and cached."""

    def __init__(self, qrels: Qrels, run: Run, options: EvaluationOptions, other: Dialect) -> None:
        self._qrels, self._run, self._options, self._other = qrels, run, options, other
        self._base = options.rules
        self._rules = self._base.differing(other)
        self._joined: dict[Dialect, Joined] = {}

    def changes(self, asked: Sequence[Measure], by_query: bool) -> Iterator[DialectChange]:
        for measure in asked:
            before, after = self._values(measure, self._base), self._values(measure, self._other)
            queries = dict.fromkeys((*before.by_query, *after.by_query))
            changed = [query for query in _in_order([*queries]) if not _same(before, after, query)]
            is_mean = not _same(before, after, ALL)
            if not changed and not is_mean:
                continue
            single = {rule: self._values(measure, self._base.with_rule(rule, self._other)) for rule in self._rules}
            for query in changed if by_query else ():
                yield self._change(measure, before, after, query, single)
            if is_mean:
                yield replace(self._change(measure, before, after, ALL, single), queries=len(changed))
            elif not by_query:
                yield self._hidden(before, after, [self._change(measure, before, after, q, single) for q in changed])

    def _hidden(self, before: _Values, after: _Values, changed: Sequence[DialectChange]) -> DialectChange:
        """Return the change of the queries behind equal means, with all their rules."""
        reasons = dict(pair for change in changed for pair in zip(change.rules, change.reasons, strict=True))
        return replace(
            changed[0], query=ALL, before=before.mean, after=after.mean, rules=tuple(reasons),
            reasons=tuple(reasons.values()), together=all(change.together for change in changed), queries=len(changed),
        )  # fmt: skip

    def _change(
        self, measure: Measure, before: _Values, after: _Values, query: str, single: dict[Rule, _Values]
    ) -> DialectChange:
        alone = tuple(rule for rule, values in single.items() if not _same(before, values, query))
        rules = alone or self._needed(measure, after, query)
        reasons = tuple(
            describe(rule, self._other, (after if not alone else single[rule]).bound_measure) for rule in rules
        )
        return DialectChange(
            before.bound_measure.measure, after.bound_measure.measure.text, self._run.name, query,
            _at(before, query), _at(after, query), rules, reasons, not alone, after.refused,
            before.bound_measure.measure.counts and after.bound_measure.measure.counts,
        )  # fmt: skip

    def _needed(self, measure: Measure, after: _Values, query: str) -> tuple[Rule, ...]:
        """Return the rules without which the other dialect has another value."""
        without = {rule: self._values(measure, self._other.with_rule(rule, self._base)) for rule in self._rules}
        needed = tuple(rule for rule, values in without.items() if not _same(after, values, query))
        return needed or self._rules

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


def _in_order(queries: Sequence[str]) -> list[str]:
    """Return queries in bytewise order, the mean last."""
    return sorted(queries, key=lambda query: (query == ALL, query.encode("utf-8", "surrogateescape")))


def _at(values: _Values, query: str) -> float:
    return values.mean if query == ALL else values.by_query.get(query, math.nan)


def _same(first: _Values, second: _Values, query: str) -> bool:
    return _equal(_at(first, query), _at(second, query))


def _equal(a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return abs(a - b) <= CLOSE * max(1.0, abs(a), abs(b))


def shown_pair(before: float, after: float, digits: int = 4) -> tuple[str, str]:
    """Return two values as texts with the fewest decimals, at least ``digits``, that show a difference."""
    while digits < 12 and not _equal(before, after) and f"{before:.{digits}f}" == f"{after:.{digits}f}":
        digits += 1
    first, second = (("–" if np.isnan(value) else f"{value:.{digits}f}") for value in (before, after))
    return first, second
