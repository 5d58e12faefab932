"""The rules of averaged curves, which make them pass through the values of the tables: gain, discount, ideal ranking,
ties, queries left out.

Precision by recall always follows its definition, max P(k) with R(k) ≥ r: no tool rounds recall except at its eleven
levels. Independent of figures."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from irviewer.evaluation import curves
from irviewer.evaluation import curves as curve_rows
from irviewer.evaluation.bound_measure import BoundMeasure, treat
from irviewer.evaluation.evaluate import Joined
from irviewer.figures.figure import Figure
from irviewer.figures.precision_recall import drawn_corners
from irviewer.measures.base import Measure
from irviewer.measures.gains import LOG2, GainRule
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Bools, Floats
from irviewer.model.dialect_rules import discount_words
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged, restricted
from irviewer.model.workspace import RunEntry
from irviewer.session.evaluation.default_measures import COUNTED
from irviewer.session.teaching.lesson import TAUGHT
from irviewer.translation import listed_clauses, tr

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import EvaluationContext

GAINING = ("nDCG", "DCG")
_RULES: WeakKeyDictionary[EvaluationContext, CurveRules] = WeakKeyDictionary()
"""All curves of a context use the same rules."""


@dataclass(frozen=True, eq=False)
class CurveRules:
    """How curves of gain are computed: ties and arithmetic (``join_options``), the gain, and without unjudged documents
    (``judged_only``). ``note`` says what differs from trec_eval, "" if nothing does; of a lesson or a typed ranking it
    always says the gain and the discount."""

    join_options: JoinOptions
    gain: GainRule
    judged_only: bool
    note: str


def curve_rules(context: EvaluationContext) -> CurveRules:
    """Return the rules of the chosen measure if it has gains, otherwise those of the dialect."""
    rules = _RULES.get(context)
    if rules is None:
        rules = _RULES[context] = _find_rules(context)
    return rules


def _find_rules(context: EvaluationContext) -> CurveRules:
    chosen, taught = context.measure, not TAUGHT.isdisjoint(context.collection.notes)
    gaining = chosen.family.name in GAINING
    treated = _treated(context, chosen if gaining else parse_measure(f"nDCG@{context.cutoff}"))
    measure = treated.measure
    rule = GainRule(**{name: measure.parameter(name) for name in ("dcg", "base", "gains", "rel")})
    if measure.family.name == "nDCG":
        rule = replace(rule, ideal=measure.parameter("ideal"))
    return CurveRules(treated.join_options, rule, bool(measure.parameter("judged_only")), _note(rule, taught))


def _treated(context: EvaluationContext, measure: Measure) -> BoundMeasure:
    max_grade = context.judgments.qrels.max_grade if context.judgments is not None else 0.0
    return treat(context.options.rules, measure, level=context.options.level, max_grade=max_grade)


def _note(rule: GainRule, taught: bool) -> str:
    said = []
    if taught or (rule.dcg, rule.base) != (LOG2.dcg, LOG2.base):
        said.append(discount_words(rule.dcg, rule.base))
    if rule.gains:
        gains = ", ".join(f"{grade:g}: {gain:g}" for grade, gain in sorted(rule.gains.items()))
        said.append(tr("gains {gains}", gains=gains))
    if rule.rel is not None:
        said.append(tr("grades below {grade:g} have gain 0", grade=rule.rel))
    if rule.ideal == "retrieved":
        said.append(tr("ideal ranking of the retrieved documents"))
    return listed_clauses(said)


def gaining(context: EvaluationContext, entry: RunEntry, rules: CurveRules) -> Judged | None:
    """Return the run joined with the qrels for curves of gain; None without judgments."""
    evaluation_input = context.list_input(entry)
    if evaluation_input is None:
        return None
    judged = context.evaluation.judged(evaluation_input)
    if (
        rules.join_options != evaluation_input.options.rules.join_options
    ):  # another program computes the measure, with other ties and arithmetic
        dialect = replace(evaluation_input.options.rules, unanswerable="zero")
        whole = replace(evaluation_input.options, missing="zero", dialect=dialect)
        judged = context.evaluation.derived(
            evaluation_input,
            ("read", rules.join_options),
            lambda _: Joined(evaluation_input.run, evaluation_input.qrels, whole).under(rules.join_options),
        )
    return judged.judged_only if rules.judged_only else judged


def counted(context: EvaluationContext, entry: RunEntry) -> Bools:
    """Return bool[E]: the queries in means of the run, those of the query set in use that the dialect counts."""
    counts = context.counted(entry, COUNTED) if entry.run.stored is not None else None
    counts = np.isfinite(context.values(entry, COUNTED)) if counts is None else counts
    return counts if context.within is None else counts & context.within


def queries_counted(context: EvaluationContext, runs: Sequence[RunEntry] | None = None) -> tuple[int, int]:
    """Return the lowest and highest number of queries that the means of runs are over; None: of the shown runs."""
    entries = context.shown_runs if runs is None else runs
    numbers = [int(counted(context, entry).sum()) for entry in entries if context.judgments is not None]
    return (min(numbers), max(numbers)) if numbers else (context.n_queries, context.n_queries)


def averaged(context: EvaluationContext, entry: RunEntry) -> tuple[Floats, Floats] | None:
    """Return (recall, interpolated precision): the mean over the queries that count at 101 levels of recall, the
    corners of its line only; the same arrays while nothing changes them."""
    evaluation_input, level = context.list_input(entry), context.options.level
    if evaluation_input is None:
        return None

    def of_rows() -> tuple[Floats, Floats]:
        rows = context.evaluation.rows(
            evaluation_input, ("precision", level), lambda judged: curves.precision_recall_rows(judged, level)
        )
        return drawn_corners(
            np.arange(rows.shape[1]) / (rows.shape[1] - 1), curves.mean_row(rows, counted(context, entry))
        )

    def make(judged: Judged) -> tuple[Floats, Floats]:
        return drawn_corners(*curves.averaged_precision_recall(_within(judged, counted(context, entry)), level))

    if _has_rows(context):
        return context.evaluation.kept(evaluation_input, _recall_key(context), of_rows)
    return context.evaluation.derived(evaluation_input, _recall_key(context), make)


def by_cutoff(context: EvaluationContext, entry: RunEntry, depth: int) -> tuple[Floats, Floats] | None:
    """Return (cutoff, nDCG): the mean over the queries that count at cutoffs 1 … ``depth``, as :func:`averaged`."""
    evaluation_input, rules = context.list_input(entry), curve_rules(context)
    if evaluation_input is None:
        return None

    def rows_of(judged: Judged) -> Floats:
        return curves.ndcg_rows(judged.judged_only if rules.judged_only else judged, depth, rules.gain)

    def of_rows() -> tuple[Floats, Floats]:
        key = ("ndcg", depth, repr(rules.gain), rules.judged_only)
        rows = context.evaluation.rows(evaluation_input, key, rows_of)
        return drawn_corners(np.arange(1, depth + 1, dtype=np.float64), curves.mean_row(rows, counted(context, entry)))

    def make(_: Judged) -> tuple[Floats, Floats]:
        judged = gaining(context, entry, rules)
        assert judged is not None
        return drawn_corners(*curves.mean_ndcg_by_cutoff(_within(judged, counted(context, entry)), depth, rules.gain))

    if _has_rows(context) and rules.join_options == evaluation_input.options.rules.join_options:
        return context.evaluation.kept(evaluation_input, _cutoff_key(context, depth, rules), of_rows)
    return context.evaluation.derived(evaluation_input, _cutoff_key(context, depth, rules), make)


def to_average(context: EvaluationContext, entries: Iterable[RunEntry], depth: int) -> list[RunEntry]:
    """Return the runs of which an averaged curve is not computed yet; none without judgments."""
    keys = (_recall_key(context), _cutoff_key(context, depth, curve_rules(context)))
    inputs = ((entry, context.list_input(entry)) for entry in entries)
    return [entry for entry, known in inputs if known is not None and not context.evaluation.knows(known, *keys)]


def _recall_key(context: EvaluationContext) -> Hashable:
    return "precision-recall", context.options.level, context.query_set


def _cutoff_key(context: EvaluationContext, depth: int, rules: CurveRules) -> Hashable:
    return "ndcg by cutoff", depth, repr(rules.gain), rules.judged_only, rules.join_options, context.query_set


def rows_by_query(context: EvaluationContext, entry: RunEntry, kind: str, depth: int) -> tuple[Floats, Floats] | None:
    """Return (x float64[P], float64[E, P]), the rows that a run's averaged curve is the mean of; NaN for queries that
    do not count; None without judgments. ``kind``: "pr" (precision by recall), "ndcg" or "dcg" (by cutoff to
    ``depth``)."""
    rules, counts = curve_rules(context), counted(context, entry)
    judged = context.judged(entry) if kind == "pr" else gaining(context, entry, rules)
    if judged is None:
        return None
    judged = _within(judged, counts)
    if kind == "pr":
        curve_values = curve_rows.precision_recall_rows(judged, context.options.level)
        x = np.arange(curve_values.shape[1]) / (curve_values.shape[1] - 1)
    else:
        make = curve_rows.ndcg_rows if kind == "ndcg" else curve_rows.gain_rows
        curve_values, x = make(judged, depth, rules.gain), np.arange(1, depth + 1, dtype=np.float64)
    rows = np.full((len(counts), curve_values.shape[1]), np.nan)
    rows[counts] = curve_values
    return x, rows


def drawn(context: EvaluationContext, figure: Figure) -> Figure:
    """Return the figure, where only nuggets are known without its curves and with the reason: all would lie on zero."""
    return replace(figure, curves=(), others=(), note=context.no_curves) if context.no_curves else figure


def gain_by_cutoff(context: EvaluationContext, entry: RunEntry, depth: int) -> tuple[Floats, Floats] | None:
    """Return (cutoff, DCG): the mean over the queries that count, at cutoffs 1 … ``depth``."""
    rules = curve_rules(context)
    judged = gaining(context, entry, rules)
    if judged is None:
        return None
    cutoffs, mean = curves.mean_gain_by_cutoff(_within(judged, counted(context, entry)), depth, rules.gain)
    return cutoffs.astype(np.float64), mean


def _has_rows(context: EvaluationContext) -> bool:
    """Return whether the rows of all queries are kept, so that an edit computes those of its queries only: the same
    means to the last digit, for little memory."""
    return len(context.query_ids) <= curves.QUERIES_AT_ONCE


def _within(judged: Judged, counts: Bools) -> Judged:
    return judged if counts.all() else restricted(judged, counts)
