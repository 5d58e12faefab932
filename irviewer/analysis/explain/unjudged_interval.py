"""The bounds of a value if its unjudged documents were judged, as a rule of its ledger."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from irviewer.analysis.explain.ledger_types import Interval, Ledger, Rule
from irviewer.analysis.explain.query_slice import OneQuery, run_of_query
from irviewer.analysis.explain.wording import value_text
from irviewer.analysis.pooling.bound_kinds import NOT_BOUNDABLE, SPARSE, Scale
from irviewer.analysis.pooling.bounds import layers_of
from irviewer.analysis.pooling.judged_without import plainly_joined
from irviewer.analysis.pooling.other_unjudged import ReturnedUnjudged
from irviewer.analysis.pooling.wording import STAY, STAY_ALONE, unjudged_words
from irviewer.errors import IrviewerError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.measures.answered import reads_grades
from irviewer.model.arrays import frozen
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr, trn


def interval_sentence(interval: Interval) -> str:
    """Return what the unjudged documents could change, or why that is not known."""
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
    documents = unjudged_words(n, interval.others)
    assumption = STAY_ALONE if interval.alone else STAY
    if low == high:
        return tr(
            "The value stays {low} ({documents}), {assumption}.", low=low, documents=documents, assumption=assumption
        )
    if not interval.exact:
        return tr(
            "The value is between {low} and {high} at the widest ({documents}: {none} if none is relevant, {all} if "
            "all have grade {grade:g}), {assumption}.",
            low=low, high=high, documents=documents, none=none_relevant, all=all_relevant, grade=interval.grade,
            assumption=assumption,
        )  # fmt: skip
    return tr(
        "The value could be between {low} and {high} ({documents}: {none} if none is relevant, {all} if all have grade "
        "{grade:g}), {assumption}.",
        low=low, high=high, documents=documents, none=none_relevant, all=all_relevant, grade=interval.grade,
        assumption=assumption,
    )  # fmt: skip


def interval_of(
    query_part: OneQuery, bound_measure: BoundMeasure, regime: Regime = Regime.UNKNOWN, others: Sequence[Run] = ()
) -> Interval | None:
    """Return the interval of a value; None if nothing that it depends on is unjudged.

    others   further runs that take part: what they returned for the query is judged too"""
    if regime is Regime.COMPLETE or not reads_grades(bound_measure.measure):
        return None
    scale = Scale.of(query_part.qrels)
    joined = plainly_joined(query_part.part, query_part.asked, query_part.options)
    parts = [part for part in (run_of_query(other, query_part.query) for other in others) if len(part)]
    joins = [joined]
    if parts:
        joins.append(
            plainly_joined(_all_of(parts, query_part.options.depth), query_part.asked,
                           replace(query_part.options, depth=None))
        )  # fmt: skip
    try:
        layers = layers_of(
            joined,
            bound_measure,
            query_part.options,
            regime,
            scale,
            ReturnedUnjudged(joins),
            query_part.qrels.max_grade,
        )
    except IrviewerError:
        return None  # the measure refuses the grade
    _, none_relevant, all_relevant, low, high, opened, further = (
        float(layer[0]) if len(layer) else math.nan for layer in layers.columns
    )
    if not (opened > 0 or (further > 0 and not layers.why)):
        return None
    why, grade = SPARSE if layers.why == NOT_BOUNDABLE else layers.why, scale.within(bound_measure.measure).grade
    return Interval(
        bound_measure.measure, int(opened), grade, low, high, none_relevant, all_relevant, why, int(further),
        not parts, layers.exact,
    )  # fmt: skip


def _all_of(parts: Sequence[Run], depth: int | None) -> Run:
    """Return the documents of some runs for one query, each once, as one run."""
    ids = pa.chunked_array([part.doc_ids[:depth] for part in parts], pa.string()).unique()
    first, n = parts[0], len(ids)
    return replace(
        first, doc_ids=ids, offsets=frozen(np.array([0, n])), scores=frozen(np.arange(float(n), 0.0, -1.0)),
        tied=frozen(np.zeros(1, dtype=np.bool_)), arrival=None,
    )  # fmt: skip


def with_interval(
    ledger: Ledger,
    query_part: OneQuery,
    bound_measure: BoundMeasure,
    regime: Regime = Regime.UNKNOWN,
    others: Sequence[Run] = (),
) -> Ledger:
    """Return the ledger with how the judgments were made among its rules, where something is not in the qrels, and the
    interval, where something is unjudged."""
    interval = interval_of(query_part, bound_measure, regime, others)
    rules = ledger.rules
    if interval is not None or (regime is Regime.COMPLETE and _lacks(query_part)):
        statement = regime.statement
        rules = (*rules, Rule("regime", f"{statement[0].upper()}{statement[1:]}."))
    if interval is not None:
        rules = (*rules, Rule("interval", interval_sentence(interval)))
    return replace(ledger, rules=rules, interval=interval)


def _lacks(query_part: OneQuery) -> bool:
    """Whether the list has a document that is not in the qrels."""
    listed = set(query_part.asked.doc_ids.to_pylist())
    return any(document not in listed for document in query_part.part.doc_ids.to_pylist())
