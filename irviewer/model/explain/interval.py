"""Between what one value could be, were the unjudged documents that it reads judged; as a rule of its ledger."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from irviewer.errors import IrviewerError
from irviewer.model.dialects import Treatment
from irviewer.model.explain.one_query import OneQuery
from irviewer.model.explain.records import Ledger, Rule
from irviewer.model.explain.sentences import value_text
from irviewer.model.measure import Measure
from irviewer.model.pool.bound_kinds import Scale
from irviewer.model.pool.bounds import of_one
from irviewer.model.pool.joins import plainly_joined
from irviewer.model.pool.wording import STAY
from irviewer.model.statistics.wording import counted
from irviewer.model.workspace import Regime

SENTENCE = STAY.capitalize() + "."


@dataclass(frozen=True)
class Interval:
    """low, high   the least and the greatest value over all ways to judge the ``unjudged`` documents; NaN where they
                are not known, and then ``why``
    none, all   the value were none of them relevant, and were every one of ``grade``
    """

    measure: Measure
    unjudged: int
    grade: float
    low: float
    high: float
    none: float
    all: float
    why: str

    def told(self) -> str:
        """The interval as a sentence."""
        documents = counted(self.unjudged, "unjudged document", "unjudged documents")
        if self.why:
            return f"How far its {documents} could move the value is not known: {self.why}."
        low, high, none, every = (value_text(self.measure, one) for one in (self.low, self.high, self.none, self.all))
        if low == high:
            return f"The value stays {low}, however its {documents} were judged. {SENTENCE}"
        ends = f"none relevant makes {none}, grade {self.grade:g} for {'it' if self.unjudged == 1 else 'all'} {every}"
        return f"The value could lie between {low} and {high}, were its {documents} judged: {ends}. {SENTENCE}"


def interval_of(one: OneQuery, treatment: Treatment, regime: Regime = Regime.POOLED) -> Interval | None:
    """The interval of one value; None where nothing that it reads is unjudged."""
    if regime is Regime.COMPLETE:
        return None
    scale = Scale.of(one.qrels)
    joined = plainly_joined(one.part, one.asked, one.options)
    try:
        found = of_one(joined, treatment, one.options, regime, scale, one.qrels.max_grade)
    except IrviewerError:
        return None  # what the grade would be is refused by the measure
    _, none, every, low, high, opened = (float(layer[0]) if len(layer) else math.nan for layer in found.columns)
    if not opened > 0:
        return None
    why, grade = found.why.removeprefix("not boundable: "), scale.within(treatment.measure).grade
    return Interval(treatment.measure, int(opened), grade, low, high, none, every, why)


def with_interval(ledger: Ledger, one: OneQuery, treatment: Treatment, regime: Regime = Regime.POOLED) -> Ledger:
    """The ledger with the interval among its rules, where something is open."""
    found = interval_of(one, treatment, regime)
    if found is None:
        return ledger
    return replace(ledger, rules=(*ledger.rules, Rule("interval", found.told())), interval=found)
