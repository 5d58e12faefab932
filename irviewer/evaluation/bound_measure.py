"""Measures bound to a dialect: their parameters, and the join of run and qrels they are computed on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from irviewer.measures.base import Measure, make
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats
from irviewer.model.dialect_rules import Rule
from irviewer.model.dialects import Dialect, ExternalProvider, JoinOptions

PREFERENCES = "prefs_"
"""The beginning of the names of preference measures. trec_eval, the only tool with them, breaks ties by ascending
document id there (form_prefs_counts.c), and by descending id elsewhere."""


@dataclass(frozen=True)
class BoundMeasure:
    """A measure with the parameters and the join options of a dialect. An expression is combined from ``parts``, each
    with its own join options."""

    measure: Measure
    join_options: JoinOptions
    parts: tuple[BoundMeasure, ...] = ()

    def mean(self, values: Floats) -> float:
        """Return one number for the values of queries, as the dialect aggregates the measure.

        All means shown come from here or from the measures of a ResultTable: the measure before binding may aggregate
        otherwise (ranx has the mean where trec_eval has the sum)."""
        return self.measure.mean(values)


def treat(dialect: Dialect, measure: Measure, *, level: float = 1, max_grade: float = 0) -> BoundMeasure:
    """Return the measure bound to a dialect, a relevance level and the qrels' highest grade. Given parameters are not
    changed; ``measure.asked`` is the text before."""
    if isinstance(measure, Expression):
        parts = {part.text: treat(dialect, part, level=level, max_grade=max_grade) for part in measure.parts}
        whole = measure.with_parts(lambda part: parts[part.text].measure)
        return BoundMeasure(whole, dialect.join_options, tuple(parts.values()))
    given = dict(measure.given)
    extra = {
        name: value
        for name, value in _parameters(dialect, measure, level, max_grade).items()
        if name not in given and (known := measure.family.parameter(name)) is not None and known.default != value
    }
    bound = make(measure.family, {**given, **extra}, measure.cutoff) if extra else measure
    bound = bound.bind(level=level, max_grade=max_grade)
    if bound.text != measure.text:
        bound = replace(bound, asked=measure.asked or measure.text)
    provider = next((provider for provider in dialect.apart if computes(provider, bound)), None)
    if provider is None:
        if bound.name.startswith(PREFERENCES) and dialect.ties == "descending":
            return BoundMeasure(bound, replace(dialect.join_options, ties="ascending"))
        return BoundMeasure(bound, dialect.join_options)
    return BoundMeasure(bound, replace(dialect.join_options, ties=provider.ties, bits=provider.bits))


def _parameters(dialect: Dialect, measure: Measure, level: float, max_grade: float) -> dict[str, Any]:
    """Return the dialect's values of parameters that are not given."""
    family = measure.name
    lowest = {"rel": level} if dialect.level_drops_gain and level != 1 else {}
    if family in ("DCG", "nDCG", "IdealDCG"):
        return {"dcg": dialect.dcg, **lowest}
    if family == "RBP":
        return {"gain": dialect.rbp_gain, **lowest}
    if family == "SetF":
        return {} if measure.parameter("beta") == 1 else {"weight": dialect.f_weight}
    if family == "NumRelRet":
        return {"over": dialect.hits}
    if family in ("IPrec", "11pt_avg"):
        return {"cut": dialect.recall_cut}
    if family == "ERR" and dialect.err_top is not None:
        return {"max_rel": max(max_grade, 1) if dialect.err_top == "qrels" else dialect.err_top}
    return {}


def computes(provider: ExternalProvider, measure: Measure) -> bool:
    """Return whether the other program computes this measure."""
    return (
        measure.name in provider.families
        and provider.cutoff in (None, measure.cutoff is not None)
        and all(measure.parameter(name) == value for name, value in provider.given)
    )


def describe(rule: Rule, dialect: Dialect, bound_measure: BoundMeasure) -> str:
    """What a dialect does to one measure under a rule, in words."""
    if bound_measure.parts:
        own = [part for part in bound_measure.parts if rule.name != "err_top" or part.measure.parameter("max_rel")]
        return ", ".join(dict.fromkeys(describe(rule, dialect, part) for part in own))
    if rule.in_apart:
        by = next((f" ({provider.by})" for provider in dialect.apart if computes(provider, bound_measure.measure)), "")
        return rule.say(getattr(bound_measure.join_options, rule.name)) + by
    if rule.name == "err_top":
        return rule.say(bound_measure.measure.parameter("max_rel"))
    return rule.say(getattr(dialect, rule.name))
