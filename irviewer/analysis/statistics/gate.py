"""A gate: whether a run may replace a baseline, by conditions that are stated beforehand.

``Δ nDCG@10 > -0.01`` asks for non-inferiority: the one-sided limit of the mean difference must lie above the margin, so
that few queries, whose limit is wide, cannot pass for being few. Nor can they where all differences are equal, which
leaves no spread to make a limit of: the limit is then that of the share of queries that could still differ, and below
``FEWEST`` queries nothing passes. Rankings that are identical pass, and it is said that nothing was tested.
``P@1 worse, p < .05`` fails where a test shows the run worse. Each condition passes, fails or stays undecided; so does
the gate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from irviewer.analysis.planning.gate_history import GateHistory
from irviewer.analysis.pooling.bounds import Bounds, bounds
from irviewer.analysis.statistics.dependence.cluster_mean import cr2_interval
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.dependence.resampling import cluster_bootstrap_interval
from irviewer.analysis.statistics.dependence.tests_by_unit import cluster_t_column
from irviewer.analysis.statistics.gate_conditions import Condition, parse_condition, parse_margin, parse_worse
from irviewer.analysis.statistics.identical_rankings import identical_rankings
from irviewer.analysis.statistics.intervals import FEWEST_DRAWN, IntervalMethod, average, mean_interval, t_ends
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.analysis.statistics.significance.paired import t_column
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.significance.test_results import LEAST
from irviewer.analysis.statistics.warnings import MissingQueriesWarning, lacking_queries
from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import bound_measures, evaluate
from irviewer.measures.field_values import can_be_empty
from irviewer.model.arrays import Floats, Ints
from irviewer.model.attributes.queries import QueryAttribute, slices_of
from irviewer.model.exported import Exported
from irviewer.model.number_text import level_text, limit, p_text, quantity, signed_quantity
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.query_units import QueryUnits
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr, trn

CONFIDENCE = 0.95
EQUAL = 1e-12
"""Differences that are no further apart than this have no spread."""
MOST_QUERIES = 10
"""Queries that are named beside a condition."""
FEWEST = 10
"""With fewer queries no condition of non-inferiority passes."""


class Outcome(Enum):
    """The outcome of a condition or of the gate; ``status`` is the exit status of a command."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"

    @property
    def status(self) -> int:
        """0 passed, 1 failed, 2 undecided."""
        return {Outcome.PASSED: 0, Outcome.FAILED: 1, Outcome.UNDECIDED: 2}[self]


@dataclass(frozen=True)
class QueryChange:
    """A query's values under the baseline and the run, and their difference."""

    query: str
    base: float
    value: float
    delta: float


@dataclass(frozen=True)
class ConditionResult:
    """The result of one condition of a gate.

    slice           the name of the slice of the queries, "" for all queries
    n               queries compared
    base, mean, delta   means over them, and their difference
    low, high       the one-sided limits of the difference, each at ``confidence``; NaN without
    p, p_corrected  of the paired t-test, for "fail if worse"; NaN without
    open_low, open_high   between what the difference could be, were all unjudged documents judged; NaN where unknown
    reason          why, a sentence
    queries         the largest losses, the worst first
    fell, rose      how many queries are worse, and better
    decisive        without how many of the largest losses the condition would pass; 0 where it does, or none suffice
    identical       both rankings are the same on every query, as far as the measure reads: nothing was tested
    margin          of non-inferiority and superiority, in the unit of the measure; NaN without
    mean_low, mean_high   the one-sided limits of the mean that must be shown; NaN without
    collection, run   of which collection and candidate, in a gate of several; "" in one of one
    """

    condition: Condition
    outcome: Outcome
    reason: str
    slice: str = ""
    n: int = 0
    base: float = math.nan
    mean: float = math.nan
    delta: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    open_low: float = math.nan
    open_high: float = math.nan
    queries: tuple[QueryChange, ...] = ()
    fell: int = 0
    rose: int = 0
    decisive: int = 0
    identical: bool = False
    margin: float = math.nan
    mean_low: float = math.nan
    mean_high: float = math.nan
    collection: str = ""
    run: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Exported):
    """The result of a gate: a result for each condition (and slice), and the outcome of all. A gate of several
    candidates or collections has them for each, and ``run`` names all candidates.

    corrections   how the conditions are corrected for being several, sentences
    notes         what else has to be known: queries that a run lacks, what was not considered
    regime        how the judgments were made, where that is declared
    unjudged      whether what unjudged documents leave open could make a condition undecided
    protocol      the protocol that the gate follows; None if it was not computed by one
    history       the gates of a file, this one among them where it was appended; None without a file
    """

    run: str
    baseline: str
    results: tuple[ConditionResult, ...]
    confidence: float = CONFIDENCE
    corrections: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""
    regime: Regime = Regime.UNKNOWN
    protocol: BoundProtocol | None = None
    unjudged: bool = True
    history: GateHistory | None = None

    @property
    def non_inferior(self) -> tuple[str, ...]:
        """The conditions on the lower limit of a difference."""
        return self._texts(lambda condition: condition.is_margin)

    @property
    def fail_if(self) -> tuple[str, ...]:
        """The conditions on what a test shows to be worse."""
        return self._texts(lambda condition: condition.is_worse)

    @property
    def require(self) -> tuple[str, ...]:
        """The other conditions."""
        return self._texts(lambda condition: not condition.is_margin and not condition.is_worse)

    def _texts(self, is_one: Callable[[Condition], bool]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.condition.text for each in self.results if is_one(each.condition)))

    @property
    def by(self) -> tuple[str, ...]:
        """The attributes of the slices in which the conditions hold as well."""
        return tuple(dict.fromkeys(each.slice.partition(" = ")[0] for each in self.results if each.slice))

    @property
    def alarm(self) -> float:
        """At most how often such a gate fails where nothing changed: half of alpha for all tests together, which are
        two-sided and corrected, and the error of each one-sided limit. Bounds of the mean ask for no difference: they
        are not counted."""
        alphas = {result.condition.alpha for result in self.results if result.condition.is_worse}
        margins = sum(result.condition.is_margin for result in self.results)
        return min(1.0, round(max(alphas, default=0.0) / 2 + margins * (1 - self.confidence), 12))

    @property
    def outcome(self) -> Outcome:
        """Failed where any condition failed, else undecided where any is, else passed."""
        outcomes = {result.outcome for result in self.results}
        if Outcome.FAILED in outcomes:
            return Outcome.FAILED
        return Outcome.UNDECIDED if self.error or Outcome.UNDECIDED in outcomes or not outcomes else Outcome.PASSED

    @property
    def status(self) -> int:
        """0 passed, 1 failed, 2 undecided."""
        return self.outcome.status

    def __bool__(self) -> bool:
        """Return True if the gate passed."""
        return self.outcome is Outcome.PASSED


def run_gate(
    qrels: Qrels,
    run: Run,
    baseline: Run,
    conditions: Sequence[Condition],
    options: EvaluationOptions | None = None,
    *,
    queries: Sequence[str] | None = None,
    attributes: Sequence[QueryAttribute] = (),
    confidence: float = CONFIDENCE,
    interval: IntervalMethod = "t",
    samples: int = SAMPLES,
    seed: int = SEED,
    regime: Regime = Regime.UNKNOWN,
    unjudged: bool = True,
    units: QueryUnits | None = None,
) -> Gate:
    """Hold a run against a baseline.

    queries     those that count; None: all
    attributes  each condition holds in each slice of the queries by these as well
    confidence  of the one-sided limit of non-inferiority
    interval    how that limit is made: "t", "percentile", "bca"
    regime      how the judgments were made, where that is declared
    units       the queries that count together in limits and p
    unjudged    whether what unjudged documents leave open can make a condition undecided

    Raises OptionError for a condition that cannot be decided of its measure."""
    options = options or EvaluationOptions()
    if not 0.5 < confidence < 1:
        raise OptionError(tr("The confidence of a limit lies between .5 and 1, such as .95."))
    if not conditions:
        raise OptionError(tr('A gate needs a condition, such as "nDCG@10 > -0.01".'))
    run, baseline = run.renamed(run.name), baseline.renamed(_other_name(baseline.name, run.name))
    result = evaluate(qrels, [baseline, run], [condition.measure for condition in conditions], options)
    if why := result.lack([measure.text for measure in result.measures], result.runs):
        raise MeasureError(why)
    if result.unmatched:
        # The numbers mean nothing if no id of the run is in the qrels.
        reason = tr("Undecided: {reason}", reason="; ".join(result.warnings))
        unknown = tuple(ConditionResult(condition, Outcome.UNDECIDED, reason) for condition in conditions)
        return Gate(run.name, baseline.name, unknown, confidence, (), result.warnings, regime=regime, unjudged=unjudged)
    if queries is not None:
        result = result.over(queries)
    opened = None
    notes = [*result.warnings]
    if not unjudged:
        notes.append(tr("Unjudged documents count as non-relevant, as requested, and leave nothing undecided."))
    else:
        notes.append(f"{regime.statement[0].upper()}{regime.statement[1:]}.")
    if unjudged and regime is not Regime.COMPLETE:
        for either in (baseline, run):
            if either.stored is not None:
                raise OptionError(
                    tr(
                        "Only values of run {run} are known, and what unjudged documents leave open needs its "
                        "documents. Declare that judging is complete, or let unjudged documents count as non-relevant.",
                        run=either.name,
                    )
                )  # fmt: skip
        part, lists = (qrels, [baseline, run]) if queries is None else (
            qrels.of_queries(queries), [baseline.of_queries(queries), run.of_queries(queries)]
        )  # fmt: skip
        opened = bounds(part, lists, [condition.measure for condition in conditions], options, regime, against=0)
    groups: list[tuple[str, Ints | None]] = [("", None)]
    for slicing in [slices_of(attribute, result.query_ids) for attribute in attributes]:
        groups += [(f"{slicing.attribute.name} = {part.name}", part.places) for part in slicing.slices]
    results: list[ConditionResult] = []
    higher: list[bool] = []
    for condition in conditions:
        measure = result.of(condition.measure)[0]
        values = RunValues.of(result, measure)
        if values.unreached.any() and can_be_empty(measure):
            raise OptionError(
                tr("{measure} has no value for {n:,} of the queries, so no mean difference; declare one with empty, as "
                   "in empty=0, or use FieldCount", measure=measure, n=int(values.unreached.any(axis=0).sum()))
            )  # fmt: skip
        if values.geometric or values.unreached.any():
            raise OptionError(
                tr("{measure} has no mean difference, which a gate needs. Use another measure.", measure=measure)
            )
        bound = bound_measures([condition.measure], qrels, options)[0]
        same = identical_rankings(run, baseline, result.query_ids, bound, options)
        for name, places in groups:
            own = values if places is None else values.at(places)
            limits = (math.nan, math.nan)
            if opened is not None:
                row = [opened_measure.text for opened_measure in opened.measures].index(measure.text)
                mask = np.ones(len(opened.query_ids), dtype=np.bool_)
                if places is not None:
                    inside = frozenset(own.query_ids)
                    mask = np.array([query in inside for query in opened.query_ids], dtype=np.bool_)
                low, high = (opened if places is None else opened.within(mask)).mean_differences
                limits = float(low[row, 1, 0]), float(high[row, 1, 0])
                if condition.relative:
                    limits = _of_contrast(limits, condition, opened if places is None else opened.within(mask), row)
                if measure.text in opened.why and not name:
                    why = opened.why[measure.text]
                    notes.append(
                        tr("Unjudged documents are not considered for {measure}: {why}", measure=measure, why=why)
                    )
            higher.append(measure.higher_is_better)
            identical = bool((same if places is None else same[places]).all())
            # A slice of rankings that are all identical is not small: nothing is tested in it either.
            enough = len(same) if same.all() else own.values.shape[1]
            verdict = _verdict(condition, own, name, limits, confidence, interval, samples, seed, measure.span, units)
            if condition.is_margin and identical and verdict.n:
                verdict = _of_identical(verdict, enough)
            if condition.is_mean:
                own_run, ids = own.values[1], set(own.query_ids)
                reach = (math.nan, math.nan)
                if opened is not None and measure.text not in opened.why:
                    row = [opened_measure.text for opened_measure in opened.measures].index(measure.text)
                    part_of = opened if places is None else opened.within(
                        np.array([query in ids for query in opened.query_ids], dtype=np.bool_)
                    )  # fmt: skip
                    reach = float(part_of.mean_low[row, 1]), float(part_of.mean_high[row, 1])
                verdict = _of_mean(verdict, own_run, own.query_ids, reach, confidence, interval, samples, seed,
                                   measure.span, units)  # fmt: skip
            results.append(verdict)
    results = _tested(results, higher)
    notes += lacking_queries(result, queries)
    return Gate(
        run.name, baseline.name, tuple(results), confidence, _corrections(results), tuple(notes), regime=regime,
        unjudged=unjudged,
    )  # fmt: skip


def _placed(collection: str, place: str, note: str) -> str:
    """Return a note that begins with where it holds; one about a run names it itself."""
    if isinstance(note, MissingQueriesWarning):
        return MissingQueriesWarning(f"{collection}: {note}" if collection else note, note.run, note.as_zero)
    return f"{place}{note}"


def joined(gates: Sequence[tuple[str, Gate]]) -> Gate:
    """Return one gate of several, each with the name of its collection ("" where there is one): it passes where every
    condition of each passes, and p is corrected by Holm over the tests of all. Raises ValueError without a gate."""
    if len(gates) == 1:
        return gates[0][1]
    runs = list(dict.fromkeys(gate.run for _, gate in gates))
    bases = list(dict.fromkeys(gate.baseline for _, gate in gates))
    first = gates[0][1]
    results = [
        replace(result, collection=name, run=gate.run if len(runs) > 1 else "")
        for name, gate in gates
        for result in gate.results
    ]
    results = _tested(results, [result.condition.measure.higher_is_better for result in results])
    notes = list(
        dict.fromkeys(_placed(name, _place(name, gate, runs), text) for name, gate in gates for text in gate.notes)
    )
    shared = [text for text in first.notes if all(text in gate.notes for _, gate in gates)]
    notes = [*shared, *(text for text in notes if not any(text.endswith(each) for each in shared))]
    errors = [f"{_place(name, gate, runs)}{gate.error}" for name, gate in gates if gate.error]
    collections = len({name for name, _ in gates})
    family = tr(
        "Candidates: {runs:,}, collections: {collections:,}; the gate passes where every condition holds for each "
        "candidate in each collection, and the family of tests is that of all of them.",
        runs=len(runs), collections=collections,
    )  # fmt: skip
    return replace(
        first, run=", ".join(runs), baseline=", ".join(bases), results=tuple(results),
        corrections=(family, *_corrections(results)), notes=tuple(notes), error="; ".join(errors),
    )  # fmt: skip


def _place(name: str, gate: Gate, runs: Sequence[str]) -> str:
    """Return the beginning of a sentence about one of several gates."""
    parts = [name] if name else []
    parts += [gate.run] if len(runs) > 1 else []
    return ", ".join(parts) + ": " if parts else ""


def _other_name(name: str, taken: str) -> str:
    return tr("{run} (baseline)", run=name) if name == taken else name


def _verdict(
    condition: Condition,
    values: RunValues,
    name: str,
    opened: tuple[float, float],
    confidence: float,
    interval: IntervalMethod,
    samples: int,
    seed: int,
    span: tuple[float, float],
    units: QueryUnits | None,
) -> ConditionResult:
    """Return the numbers of a condition, and of non-inferiority the outcome."""
    delta = values.difference(1, 0)
    common = ~np.isnan(delta)
    change, base, value = delta[common], values.values[0][common], values.values[1][common]
    sign = 1.0 if values.higher_is_better else -1.0
    order = np.argsort(sign * change, kind="stable")
    ids = [query for query, has in zip(values.query_ids, common.tolist(), strict=True) if has]
    worst = tuple(
        QueryChange(ids[position], float(base[position]), float(value[position]), float(change[position]))
        for position in order[:MOST_QUERIES].tolist()
        if sign * change[position] < 0
    )
    n = len(change)
    clusters = None if units is None else Clusters.of(units.of(ids))
    base_mean, mean, mean_change = average(np.stack([base, value, change])).tolist()
    # A relative margin is as uncertain as the baseline's mean: the limit is that of run - (1 + margin) baseline.
    share = condition.margin if condition.relative and condition.margin is not None else 0.0
    margin = share * base_mean if condition.relative else math.nan if condition.margin is None else condition.margin
    shift = share * base_mean
    contrast = change - share * base if share else change
    low, high = limits_of(contrast, confidence, interval, samples, seed, clusters)
    result = ConditionResult(
        condition, Outcome.UNDECIDED, "", name, n, base_mean, mean, mean_change, low + shift, high + shift,
        open_low=_moved(opened[0], shift), open_high=_moved(opened[1], shift), queries=worst,
        fell=int((sign * change < 0).sum()), rose=int((sign * change > 0).sum()),
        margin=margin if condition.is_margin else math.nan,
    )  # fmt: skip
    if condition.is_mean:
        return result
    if (few := _few_units(n, units, clusters)) is not None:
        return replace(result, outcome=Outcome.UNDECIDED, reason=few)
    if not condition.is_margin:
        rows = change[np.newaxis]
        column = t_column(rows) if clusters is None else cluster_t_column(rows, clusters)
        return replace(result, p=float(column.p[0]))
    spreadless = n > 1 and bool(np.ptp(contrast) <= EQUAL)
    if spreadless:
        ends = span if sign > 0 else span[::-1]
        farthest = ends[0] - (1 + share) * ends[1]
        limit = shift + _without_spread(
            float(contrast.mean()), farthest, confidence, n if clusters is None else len(clusters)
        )  # fmt: skip
        result = replace(result, low=limit if sign > 0 else result.delta, high=result.delta if sign > 0 else limit)
    outcome, reason = _of_margin(result, sign, spreadless=spreadless)
    decisive = 0
    if outcome is not Outcome.PASSED and n > 1 and not spreadless and clusters is None:
        decisive = _decisive(sign * contrast, sign * (0.0 if condition.relative else margin), confidence)
    return replace(result, outcome=outcome, reason=reason, decisive=decisive)


def _moved(value: float, shift: float) -> float:
    """Return the sum; for NaN the one of ``math``, so that equal results are equal."""
    return math.nan if math.isnan(value) else value + shift


def _few_units(n: int, units: QueryUnits | None, clusters: Clusters | None) -> str | None:
    """Return why the units are too few to pass; None where they are not."""
    if units is None or clusters is None or not n or len(clusters) >= FEWEST:
        return None
    return trn(
        "{n:,} unit ({unit}): to pass, a condition needs {fewest}.",
        "{n:,} units ({unit}): to pass, a condition needs {fewest}.",
        len(clusters), unit=units.attribute, fewest=FEWEST,
    )  # fmt: skip


def _of_contrast(limits: tuple[float, float], condition: Condition, opened: Bounds, row: int) -> tuple[float, float]:
    """Return between what the difference less a relative margin could be, were all unjudged documents judged."""
    share = condition.margin or 0.0
    ends = sorted((share * float(opened.mean_low[row, 0]), share * float(opened.mean_high[row, 0])))
    return limits[0] - ends[1], limits[1] - ends[0]


def _of_mean(
    result: ConditionResult, values: Floats, query_ids: Sequence[str], opened: tuple[float, float], confidence: float,
    interval: IntervalMethod, samples: int, seed: int, span: tuple[float, float], units: QueryUnits | None,
) -> ConditionResult:  # fmt: skip
    """A bound of the mean: the mean itself, or its one-sided limit where that must be shown."""
    condition = result.condition
    sign = 1.0 if condition.measure.higher_is_better else -1.0
    known = ~np.isnan(values)
    own, n = values[known], int(known.sum())
    bound = condition.margin or 0.0
    if not n:
        return replace(result, n=0, reason=tr("No query has a value."))
    mean = float(average(own[np.newaxis])[0])
    # The baseline is shown beside it where it has the same queries.
    same = n == result.n
    result = replace(
        result, n=n, mean=mean, base=result.base if same else math.nan, delta=result.delta if same else math.nan,
        low=math.nan, high=math.nan, open_low=opened[0], open_high=opened[1], decisive=0,
    )  # fmt: skip
    mean_shown, bound_shown = quantity(mean), quantity(bound)
    reach = sorted((sign * opened[0], sign * opened[1])) if not math.isnan(opened[0]) else [sign * mean] * 2

    def holds(value: float) -> bool:
        return value > sign * bound if condition.strict else value >= sign * bound

    if not condition.tested:
        if holds(sign * mean):
            outcome = Outcome.PASSED
            reason = tr(
                "Mean {mean}, bound {bound}: on the right side, not tested.", mean=mean_shown, bound=bound_shown
            )
        else:
            outcome = Outcome.FAILED
            reason = tr(
                "Mean {mean}, bound {bound}: on the wrong side, not tested.", mean=mean_shown, bound=bound_shown
            )
        return _left_open(result, outcome, reason, holds(reach[0]), holds(reach[1]))
    clusters = None
    if units is not None:
        clusters = Clusters.of(units.of([query for query, has in zip(query_ids, known.tolist(), strict=True) if has]))
    if (few := _few_units(n, units, clusters)) is not None:
        return replace(result, reason=few)
    if n < FEWEST:
        few = trn(
            "Mean {mean} of {n} query: too few to show a mean; {fewest} are needed.",
            "Mean {mean} of {n} queries: too few to show a mean; {fewest} are needed.",
            n, mean=mean_shown, fewest=FEWEST,
        )  # fmt: skip
        return replace(result, reason=few)
    low, high = limits_of(own, confidence, interval, samples, seed, clusters)
    if bool(np.ptp(own) <= EQUAL):
        limit = _without_spread(
            mean, span[0] if sign > 0 else span[1], confidence, n if clusters is None else len(clusters)
        )
        low, high = (limit, mean) if sign > 0 else (mean, limit)
    result = replace(result, mean_low=low, mean_high=high)
    bad, good = (low, high) if sign > 0 else (-high, -low)
    if math.isnan(bad):
        reason = tr("Mean {mean}: without spread and without a range there is no limit.", mean=mean_shown)
        return replace(result, reason=reason)
    low_shown, high_shown = quantity(low), quantity(high)
    if holds(bad):
        reason = tr("Mean {mean}, limits {low} to {high}: all on the right side of {bound}.",
                    mean=mean_shown, low=low_shown, high=high_shown, bound=bound_shown)  # fmt: skip
        return _left_open(result, Outcome.PASSED, reason, holds(reach[0]), holds(reach[1]))
    if not holds(good):
        reason = tr("Mean {mean}, limits {low} to {high}: all on the wrong side of {bound}.",
                    mean=mean_shown, low=low_shown, high=high_shown, bound=bound_shown)  # fmt: skip
        return _left_open(result, Outcome.FAILED, reason, holds(reach[0]), holds(reach[1]))
    reason = tr("Mean {mean}, limits {low} to {high}: {bound} lies between them. More queries could decide it.",
                mean=mean_shown, low=low_shown, high=high_shown, bound=bound_shown)  # fmt: skip
    return replace(result, reason=reason)


def _left_open(result: ConditionResult, outcome: Outcome, reason: str, low: bool, high: bool) -> ConditionResult:
    """Return the result, undecided where what unjudged documents leave open could change the outcome; ``low`` and
    ``high`` say whether the bound holds at both ends of that."""
    passed = outcome is Outcome.PASSED
    if (passed and low) or (not passed and not high):
        return replace(result, outcome=outcome, reason=reason)
    opened = tr(
        "Mean {mean}, bound {bound}, but unjudged documents leave the mean open from {low} to {high}.",
        mean=quantity(result.mean), bound=quantity(result.condition.margin or 0.0), low=quantity(result.open_low),
        high=quantity(result.open_high),
    )  # fmt: skip
    return replace(result, outcome=Outcome.UNDECIDED, reason=opened)


def _of_identical(result: ConditionResult, enough: int) -> ConditionResult:
    """Return the result where both rankings are the same on every query; ``enough`` queries were compared in all."""
    if enough < FEWEST:
        few = trn(
            "Identical on {n:,} query, nothing tested; to pass, a condition needs {fewest}.",
            "Identical on {n:,} queries, nothing tested; to pass, a condition needs {fewest}.",
            result.n, fewest=FEWEST,
        )  # fmt: skip
        return replace(result, outcome=Outcome.UNDECIDED, reason=few, identical=True, decisive=0)
    sign = 1.0 if result.condition.measure.higher_is_better else -1.0
    if sign * result.margin > 0 or (result.margin == 0 and result.condition.strict):
        reason = trn(
            "Identical on {n:,} query: no difference on the right side of {margin}.",
            "Identical on {n:,} queries: no difference on the right side of {margin}.",
            result.n, margin=signed_quantity(result.margin),
        )  # fmt: skip
        return replace(result, outcome=Outcome.FAILED, reason=reason, identical=True, decisive=0)
    reason = trn("Identical on {n:,} query, nothing tested.", "Identical on {n:,} queries, nothing tested.", result.n)
    return replace(result, outcome=Outcome.PASSED, reason=reason, identical=True, decisive=0)


def _without_spread(value: float, worst: float, confidence: float, n: int) -> float:
    """Return the limit on the bad side of the mean of n independent units that all have the same value.

    At most a share q = 1 − α^(1/n) of all queries has another value (with the confidence 1 − α), and that is at worst
    ``worst``: the limit is (1 − q) value + q worst. NaN where the range has no end."""
    share = 1.0 - (1.0 - confidence) ** (1.0 / n)
    return (1 - share) * value + share * worst if math.isfinite(worst) else math.nan


def limits_of(
    change: Floats, confidence: float, interval: IntervalMethod = "t", samples: int = SAMPLES, seed: int = SEED,
    clusters: Clusters | None = None,
) -> tuple[float, float]:  # fmt: skip
    """Return the lower and the upper one-sided limit of a mean of float64[n], each at ``confidence``; NaN of fewer than
    two values, or ``clusters`` of them, which count together."""
    if len(change) < 2:
        return math.nan, math.nan
    level = 2 * confidence - 1
    if clusters is not None:
        rows = change[np.newaxis]
        low, high = cr2_interval(rows, clusters, level) if interval == "t" else cluster_bootstrap_interval(
            rows, clusters, interval, level, samples=samples, seed=seed
        )  # fmt: skip
        return float(low[0]), float(high[0])
    if interval == "t":
        return t_ends(float(change.mean()), float(change.std(ddof=1)), len(change), level)
    mean_change = mean_interval(change, interval, level, samples=samples, seed=seed)
    return mean_change.low, mean_change.high


def _of_margin(result: ConditionResult, sign: float, *, spreadless: bool) -> tuple[Outcome, str]:
    """Non-inferiority, from the side where more is better."""
    margin = sign * result.margin
    bad, good = (sign * result.low, sign * result.high) if sign > 0 else (sign * result.high, sign * result.low)
    opened = sorted((sign * result.open_low, sign * result.open_high)) if not math.isnan(result.open_low) else None
    shown = signed_quantity(result.margin)
    if result.n < 2:
        return Outcome.UNDECIDED, trn(
            "With {n} query there is no limit of a mean difference.",
            "With {n} queries there is no limit of a mean difference.",
            result.n,
        )
    if spreadless and math.isnan(bad):
        return Outcome.UNDECIDED, tr(
            "Δ {delta} on every query. Without spread, and without a range of the measure, there is no limit.",
            delta=signed_quantity(result.delta),
        )
    if math.isnan(bad):
        return Outcome.UNDECIDED, trn(
            "Δ {delta}: a limit drawn from {n} query would be far too narrow; {fewest} are needed, or Student's t.",
            "Δ {delta}: a limit drawn from {n} queries would be far too narrow; {fewest} are needed, or Student's t.",
            result.n, delta=signed_quantity(result.delta), fewest=FEWEST_DRAWN,
        )  # fmt: skip
    if bad > margin:
        if result.n < FEWEST:
            return Outcome.UNDECIDED, trn(
                "Δ {delta}, limit {limit}: on the right side of {margin}, but {n} query is too few to pass; {fewest} "
                "are needed.",
                "Δ {delta}, limit {limit}: on the right side of {margin}, but {n} queries are too few to pass; "
                "{fewest} are needed.",
                result.n, delta=signed_quantity(result.delta), limit=signed_quantity(sign * bad), margin=shown,
                fewest=FEWEST,
            )  # fmt: skip
        if opened is not None and opened[0] <= margin:
            return Outcome.UNDECIDED, tr(
                "The limit lies on the right side of {margin}, but unjudged documents leave Δ open from {low} to "
                "{high}.",
                margin=shown, low=signed_quantity(result.open_low), high=signed_quantity(result.open_high),
            )  # fmt: skip
        return Outcome.PASSED, tr(
            "Δ {delta}, limit {limit}: on the right side of {margin}.",
            delta=signed_quantity(result.delta), limit=signed_quantity(sign * bad), margin=shown,
        )  # fmt: skip
    if good <= margin:
        if opened is not None and opened[1] > margin:
            return Outcome.UNDECIDED, tr(
                "Δ and both its limits lie on the wrong side of {margin}, but unjudged documents leave Δ open from "
                "{low} to {high}.",
                margin=shown, low=signed_quantity(result.open_low), high=signed_quantity(result.open_high),
            )  # fmt: skip
        return Outcome.FAILED, tr(
            "Δ {delta}, limits {low} to {high}: all on the wrong side of {margin}.",
            delta=signed_quantity(result.delta), low=signed_quantity(result.low), high=signed_quantity(result.high),
            margin=shown,
        )  # fmt: skip
    if spreadless:
        return Outcome.UNDECIDED, trn(
            "Δ {delta} on all {n:,} query: without spread the limit is {limit}, on the wrong side of {margin}. More "
            "queries could decide it.",
            "Δ {delta} on all {n:,} queries: without spread the limit is {limit}, on the wrong side of {margin}. More "
            "queries could decide it.",
            result.n, delta=signed_quantity(result.delta), limit=signed_quantity(sign * bad), margin=shown,
        )  # fmt: skip
    return Outcome.UNDECIDED, tr(
        "Δ {delta}, limits {low} to {high}: {margin} lies between them. More queries could decide it.",
        delta=signed_quantity(result.delta),
        low=signed_quantity(result.low),
        high=signed_quantity(result.high),
        margin=shown,
    )


def _decisive(change: Floats, margin: float, confidence: float) -> int:
    """Without how many of the largest losses the lower limit would lie above the margin; 0 where it does with all of
    them, or none suffice."""
    ordered = np.sort(change)
    if limits_of(ordered, confidence)[0] > margin:  # unjudged documents decide, not losses
        return 0
    for gone in range(1, min(len(ordered) - 1, int((ordered < 0).sum()) + 1)):
        if limits_of(ordered[gone:], confidence)[0] > margin:
            return gone
    return 0


def _tested(results: Sequence[ConditionResult], higher: Sequence[bool]) -> list[ConditionResult]:
    """Return the results with p corrected by Holm over all tested conditions, and their outcomes; those without a test
    keep the reason that they have."""
    tested = [position for position, result in enumerate(results) if result.condition.is_worse]
    p = corrected(np.array([[results[place].p for place in tested]]).ravel(), "holm") if tested else np.empty(0)
    results_after = list(results)
    for place, after in zip(tested, p.tolist(), strict=True):
        result = results[place]
        if result.reason and math.isnan(result.p):  # no query, or too few units
            continue
        result = replace(result, p_corrected=after)
        outcome, reason = _of_test(result, 1.0 if higher[place] else -1.0, len(tested))
        results_after[place] = replace(result, outcome=outcome, reason=reason)
    return results_after


def _of_test(result: ConditionResult, sign: float, family: int) -> tuple[Outcome, str]:
    """Return whether a test shows the run to be worse, with the reason."""
    shown = signed_quantity(result.delta) if result.n else "–"
    if not result.n:
        return Outcome.UNDECIDED, tr("The runs have no query in common.")
    if sign * result.delta >= 0:
        return Outcome.PASSED, tr("Δ {delta}: not worse.", delta=shown)
    if result.n > 1 and math.isnan(result.p):
        return Outcome.UNDECIDED, tr(
            "Δ {delta}: worse by the same amount on every query, and without spread there is no test.", delta=shown
        )
    if result.n < 2 or result.fell + result.rose < LEAST:
        return Outcome.UNDECIDED, trn(
            "Δ {delta}: worse, but only {n} query differs, too few for a test.",
            "Δ {delta}: worse, but only {n} queries differ, too few for a test.",
            result.fell + result.rose,
            delta=shown,
        )
    p = p_text(result.p) + (tr(", {p} after Holm", p=p_text(result.p_corrected)) if family > 1 else "")
    if result.p_corrected >= result.condition.alpha:
        return Outcome.PASSED, tr("Δ {delta} ({p}): the test does not show it worse.", delta=shown, p=p)
    opened = max(sign * result.open_low, sign * result.open_high) if not math.isnan(result.open_low) else -math.inf
    if opened >= 0:
        return Outcome.UNDECIDED, tr(
            "Δ {delta} ({p}): worse, but unjudged documents leave Δ open from {low} to {high}.",
            delta=shown,
            p=p,
            low=signed_quantity(result.open_low),
            high=signed_quantity(result.open_high),
        )
    return Outcome.FAILED, tr("Δ {delta} ({p}): worse.", delta=shown, p=p)


def _corrections(results: Sequence[ConditionResult]) -> tuple[str, ...]:
    """Return sentences about the correction for several conditions."""
    margins = sum(result.condition.is_margin for result in results)
    tested = sum(result.condition.is_worse for result in results)
    means = len(results) - margins - tested
    notes = []
    if means:
        notes.append(
            trn("Bounds of the mean: {n} condition.", "Bounds of the mean: all {n} conditions must hold.", means)
        )
    if margins:
        notes.append(
            trn(
                "Non-inferiority: {n} condition.",
                "Non-inferiority: all {n} conditions must hold, which needs no correction.",
                margins,
            )
        )
    if tested:
        notes.append(
            trn(
                "Fail if worse: {n} test, not corrected.",
                "Fail if worse: any of {n} tests fails the gate; p is corrected by Holm over them.",
                tested,
            )
        )
    return tuple(notes)


def limit_name(confidence: float) -> str:
    """Return what the limits are, for a header."""
    return tr("one-sided {level} limit", level=level_text(confidence))


__all__ = [
    "CONFIDENCE", "Condition", "ConditionResult", "Gate", "Outcome", "QueryChange", "joined", "limit", "limit_name",
    "limits_of", "parse_condition", "parse_margin", "parse_worse", "run_gate",
]  # fmt: skip
