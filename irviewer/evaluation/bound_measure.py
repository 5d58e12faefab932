"""A measure as a dialect computes it: parameters bound, and how run and qrels are read for it.

Knows dialects and measures; computes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from irviewer.measures.base import Measure, make
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats
from irviewer.model.dialect_rules import Rule
from irviewer.model.dialects import Dialect, ExternalProvider, JoinOptions

PREFERENCES = "prefs_"
"""How the names of preference measures begin: trec_eval, which alone has them, ranks ties by document id ascending
there (form_prefs_counts.c), and descending everywhere else."""


@dataclass(frozen=True)
class BoundMeasure:
    """A measure as a dialect computes it: its parameters bound, and the reading it is computed on. An expression is put
    together from ``parts``, each of which may have a reading of its own."""

    measure: Measure
    join_options: JoinOptions
    parts: tuple[BoundMeasure, ...] = ()

    def mean(self, values: Floats) -> float:
        """One number for the values of all queries that count, as the dialect sums the measure up. Whatever is shown as
        a measure's number over queries comes from here or, in a ResultTable, from a measure of it: a measure as it was
        asked for may be summed up otherwise (ranx has the mean where trec_eval has the sum)."""
        return self.measure.mean(values)


def treat(dialect: Dialect, measure: Measure, *, level: float = 1, max_grade: float = 0) -> BoundMeasure:
    """A measure as a dialect computes it under a relevance level and the qrels' highest grade. What the person
    said stays as said; ``measure.asked`` is the text before."""
    if isinstance(measure, Expression):
        parts = {one.text: treat(dialect, one, level=level, max_grade=max_grade) for one in measure.parts}
        whole = measure.with_parts(lambda one: parts[one.text].measure)
        return BoundMeasure(whole, dialect.join_options, tuple(parts.values()))
    said = dict(measure.given)
    extra = {
        name: value
        for name, value in _parameters(dialect, measure, level, max_grade).items()
        if name not in said and (known := measure.family.parameter(name)) is not None and known.default != value
    }
    bound = make(measure.family, {**said, **extra}, measure.cutoff) if extra else measure
    bound = bound.bind(level=level, max_grade=max_grade)
    if bound.text != measure.text:
        bound = replace(bound, asked=measure.asked or measure.text)
    apart = next((one for one in dialect.apart if computes(one, bound)), None)
    if apart is None:
        if bound.name.startswith(PREFERENCES) and dialect.ties == "descending":
            return BoundMeasure(bound, replace(dialect.join_options, ties="ascending"))
        return BoundMeasure(bound, dialect.join_options)
    return BoundMeasure(bound, replace(dialect.join_options, ties=apart.ties, bits=apart.bits))


def _parameters(dialect: Dialect, measure: Measure, level: float, max_grade: float) -> dict[str, Any]:
    """What the dialect binds where the person said nothing."""
    family = measure.name
    least = {"rel": level} if dialect.level_drops_gain and level != 1 else {}
    if family in ("DCG", "nDCG", "IdealDCG"):
        return {"dcg": dialect.dcg, **least}
    if family == "RBP":
        return {"gain": dialect.rbp_gain, **least}
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
    """Whether the other program computes this measure."""
    return (
        measure.name in provider.families
        and provider.cutoff in (None, measure.cutoff is not None)
        and all(measure.parameter(name) == value for name, value in provider.given)
    )


def describe(rule: Rule, dialect: Dialect, bound_measure: BoundMeasure) -> str:
    """What a dialect does to one measure under a rule, in words."""
    if bound_measure.parts:
        own = [one for one in bound_measure.parts if rule.name != "err_top" or one.measure.parameter("max_rel")]
        return ", ".join(dict.fromkeys(describe(rule, dialect, one) for one in own))
    if rule.in_apart:
        by = next((f" ({one.by})" for one in dialect.apart if computes(one, bound_measure.measure)), "")
        return rule.say(getattr(bound_measure.join_options, rule.name)) + by
    if rule.name == "err_top":
        return rule.say(bound_measure.measure.parameter("max_rel"))
    return rule.say(getattr(dialect, rule.name))
