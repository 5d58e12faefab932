"""The bounds of a value if its unjudged documents were judged, as a rule of its ledger."""

from __future__ import annotations

import math
from dataclasses import replace

from irviewer.analysis.explain.ledger_types import Interval, Ledger, Rule
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.wording import value_text
from irviewer.analysis.pooling.bound_kinds import NOT_BOUNDABLE, SPARSE, Scale
from irviewer.analysis.pooling.bounds import layers_of
from irviewer.analysis.pooling.judged_without import plainly_joined
from irviewer.analysis.pooling.wording import STAY_SENTENCE
from irviewer.errors import IrviewerError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.model.workspace import Regime
from irviewer.translation import trn


def interval_sentence(interval: Interval) -> str:
    """Return the interval as a sentence."""
    n = interval.unjudged
    if interval.why:
        return trn(
            "The effect of its {n:,} unjudged document on the value is not known: {reason}.",
            "The effect of its {n:,} unjudged documents on the value is not known: {reason}.",
            n,
            reason=interval.why,
        )
    low, high, none_relevant, all_relevant = (
        value_text(interval.measure, value) for value in (interval.low, interval.high, interval.none, interval.all)
    )
    if low == high:
        return trn(
            "The value stays {low}, however its {n:,} unjudged document is judged. {assumption}",
            "The value stays {low}, however its {n:,} unjudged documents are judged. {assumption}",
            n,
            low=low,
            assumption=STAY_SENTENCE,
        )
    return trn(
        "The value could be between {low} and {high} if its {n:,} unjudged document were judged: {none} if it is not "
        "relevant, {all} if it has grade {grade:g}. {assumption}",
        "The value could be between {low} and {high} if its {n:,} unjudged documents were judged: {none} if none is "
        "relevant, {all} if all have grade {grade:g}. {assumption}",
        n, low=low, high=high, none=none_relevant, all=all_relevant, grade=interval.grade, assumption=STAY_SENTENCE,
    )  # fmt: skip


def interval_of(query_part: OneQuery, bound_measure: BoundMeasure, regime: Regime = Regime.POOLED) -> Interval | None:
    """Return the interval of a value; None if nothing that it reads is unjudged."""
    if regime is Regime.COMPLETE:
        return None
    scale = Scale.of(query_part.qrels)
    joined = plainly_joined(query_part.part, query_part.asked, query_part.options)
    try:
        layers = layers_of(joined, bound_measure, query_part.options, regime, scale, query_part.qrels.max_grade)
    except IrviewerError:
        return None  # the measure refuses the grade
    _, none_relevant, all_relevant, low, high, opened = (
        float(layer[0]) if len(layer) else math.nan for layer in layers.columns
    )
    if not opened > 0:
        return None
    why, grade = SPARSE if layers.why == NOT_BOUNDABLE else layers.why, scale.within(bound_measure.measure).grade
    return Interval(bound_measure.measure, int(opened), grade, low, high, none_relevant, all_relevant, why)


def with_interval(
    ledger: Ledger, query_part: OneQuery, bound_measure: BoundMeasure, regime: Regime = Regime.POOLED
) -> Ledger:
    """Return the ledger with the interval among its rules, where something is unjudged."""
    interval = interval_of(query_part, bound_measure, regime)
    if interval is None:
        return ledger
    return replace(ledger, rules=(*ledger.rules, Rule("interval", interval_sentence(interval))), interval=interval)
