"""Between what one value could be, were the unjudged documents that it reads judged; as a rule of its ledger."""

from __future__ import annotations

import math
from dataclasses import replace

from irviewer.analysis.explain.ledger_types import Interval, Ledger, Rule
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.wording import value_text
from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.bounds import layers_of
from irviewer.analysis.pooling.judged_without import plainly_joined
from irviewer.analysis.pooling.wording import STAY
from irviewer.errors import IrviewerError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.model.number_text import counted
from irviewer.model.workspace import Regime

SENTENCE = STAY.capitalize() + "."


def interval_sentence(interval: Interval) -> str:
    """The interval as a sentence."""
    documents = counted(interval.unjudged, "unjudged document", "unjudged documents")
    if interval.why:
        return f"How far its {documents} could move the value is not known: {interval.why}."
    low, high, none, every = (
        value_text(interval.measure, one) for one in (interval.low, interval.high, interval.none, interval.all)
    )
    if low == high:
        return f"The value stays {low}, however its {documents} were judged. {SENTENCE}"
    ends = (
        f"none relevant makes {none}, grade {interval.grade:g} for {'it' if interval.unjudged == 1 else 'all'} {every}"
    )
    return f"The value could lie between {low} and {high}, were its {documents} judged: {ends}. {SENTENCE}"


def interval_of(one: OneQuery, bound_measure: BoundMeasure, regime: Regime = Regime.POOLED) -> Interval | None:
    """The interval of one value; None where nothing that it reads is unjudged."""
    if regime is Regime.COMPLETE:
        return None
    scale = Scale.of(one.qrels)
    joined = plainly_joined(one.part, one.asked, one.options)
    try:
        found = layers_of(joined, bound_measure, one.options, regime, scale, one.qrels.max_grade)
    except IrviewerError:
        return None  # what the grade would be is refused by the measure
    _, none, every, low, high, opened = (float(layer[0]) if len(layer) else math.nan for layer in found.columns)
    if not opened > 0:
        return None
    why, grade = found.why.removeprefix("not boundable: "), scale.within(bound_measure.measure).grade
    return Interval(bound_measure.measure, int(opened), grade, low, high, none, every, why)


def with_interval(ledger: Ledger, one: OneQuery, bound_measure: BoundMeasure, regime: Regime = Regime.POOLED) -> Ledger:
    """The ledger with the interval among its rules, where something is open."""
    found = interval_of(one, bound_measure, regime)
    if found is None:
        return ledger
    return replace(ledger, rules=(*ledger.rules, Rule("interval", interval_sentence(found))), interval=found)
