"""What the pool behind the judgments does to the runs: who found what alone, what is open, what that could change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.pooling.wording import STAY, difference_words, no_bounds_words
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen, safe_divide
from irviewer.model.number_text import quantity, range_text
from irviewer.model.workspace import Regime, RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import is_zscored
from irviewer.session.view_models.systems import SystemsViewModel

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds
    from irviewer.analysis.pooling.contributions import LeaveOneOut
    from irviewer.analysis.pooling.effects import PoolEffects


OVERTURNED = "†"
"""Marks a difference from the baseline that judging the unjudged documents could turn round."""


@dataclass(frozen=True, eq=False)
class PoolViewModel:
    """R runs, in the order of the table; NaN and "" where there is nothing to say.

    unique, unique_share   int64[R], float64[R]: relevant documents that only this run returned; as a share of those
                           that it returned
    opened, opened_all     float64[R]: share of unjudged documents among the first ``cutoff``, and in the whole list
    residuals              float64[R]: the residual of rank-biased precision
    changes, rank_changes  float64[R]: what the run's own mean and rank change by without the judgments it alone
                           brought; NaN until that is known. Rank: above 0 it falls
    low, values, high      float64[R]: the mean of the chosen measure and the interval that judging could move it in
    axis                   the ends of the axis that intervals are drawn on
    marks, tips            OVERTURNED or "" by run; its interval in words
    words                  what stands in the place of an interval: "not boundable", "nothing is open"
    explanation            what is missing, or what the judgments' regime means for this table
    """

    title: str
    note: str
    measure: str
    measure_label: str
    cutoff: int
    persistence: float
    runs: tuple[RunLabel, ...]
    unique: Ints
    unique_share: Floats
    opened: Floats
    opened_all: Floats
    residuals: Floats
    changes: Floats
    rank_changes: Floats
    low: Floats
    values: Floats
    high: Floats
    axis: tuple[float, float]
    marks: tuple[str, ...]
    tips: tuple[str, ...]
    words: str
    sort: tuple[str, bool]
    higher_is_better: bool = True
    explanation: str = ""


# Builds the view model of the pool from a context and what ``analysis.pooling`` found, and the marks and words that
# other view models have of it. By arrays; draws nothing.

MEANT = f"{OVERTURNED} judging more could turn the difference from ★ round"

PLAIN = "values and intervals of {} itself, not of its Z-scores"


def build_pool_view_model(
    context: EvaluationContext, effects: PoolEffects | None, left: LeaveOneOut | None
) -> PoolViewModel:
    """The view model, sorted as the choices say; without ``effects`` it says what is missing or that it is being
    made."""
    runs = context.collection.runs
    nothing, count = np.full(len(runs), np.nan), len(runs)
    measure, graded = context.measure, context.judgments is not None and context.judgments.qrels.is_graded
    shown: tuple[RunEntry, ...] = runs if effects is not None else ()
    unique, unique_share = np.zeros(count, dtype=np.int64), nothing
    opened = opened_all = residuals = low = values = high = nothing
    marks, tips = ("",) * count, ("",) * count
    words, note = "", ""
    if effects is not None:
        unique, found = _unique(context, effects)
        unique_share = np.where(found > 0, safe_divide(unique, found), np.nan)
        opened, opened_all = _mean(context, effects.openness.shares[:, 0]), _mean(context, effects.openness.lists)
        residuals = _mean(context, effects.openness.residuals)
        bounds = _within(context, effects.bounds)
        low, values, high = bounds.mean_low[0], bounds.mean_values[0], bounds.mean_high[0]
        words = _instead(effects)
        marks = tuple(OVERTURNED if one else "" for one in _overturned(context, bounds))
        tips = tuple(_tip(context, bounds, place, bool(mark), words) for place, mark in enumerate(marks))
        note = _note(context, effects, any(marks))
    changes, places = nothing, nothing
    if left is not None:
        own, ranks = left.own
        changes, places = own[0], ranks[0].astype(np.float64)
    columns = {
        "unique": unique, "unique_share": unique_share, "opened": opened, "opened_all": opened_all,
        "residual": residuals, "change": changes, "rank": places, "low": low, "interval": values, "high": high,
    }  # fmt: skip
    order = _order([entry.name for entry in shown], columns, context.choices.pool_sort)
    return PoolViewModel(
        title=f"The pool's effects on {count:,} run{'' if count == 1 else 's'}",
        note=note,
        measure=str(measure),
        measure_label=measure.label(graded, context.options.level, short=True),
        cutoff=context.cutoff,
        persistence=0.9 if effects is None else effects.openness.p,
        runs=tuple(context.labels[shown[place].key] for place in order.tolist()),
        unique=frozen(unique[order]),
        unique_share=frozen(unique_share[order]),
        opened=frozen(opened[order]),
        opened_all=frozen(opened_all[order]),
        residuals=frozen(residuals[order]),
        changes=frozen(changes[order]),
        rank_changes=frozen(places[order]),
        low=frozen(low[order]),
        values=frozen(values[order]),
        high=frozen(high[order]),
        axis=_axis(low, high),
        marks=tuple(marks[place] for place in order.tolist()),
        tips=tuple(tips[place] for place in order.tolist()),
        words=words,
        sort=context.choices.pool_sort,
        higher_is_better=measure.higher_is_better,
        explanation=context.explanation or _explanation(context, measure, effects),
    )


def systems_marks(context: EvaluationContext, view_model: SystemsViewModel, effects: PoolEffects) -> frozenset[int]:
    """Keys of the runs of a Systems view model whose difference from the baseline judging could turn round."""
    keys = [entry.key for entry in context.collection.runs]
    turned = _overturned(context, _within(context, effects.bounds))
    known = (label.key for label in view_model.runs if label.key not in context.strangers)
    return frozenset(key for key in known if turned[keys.index(key)])


def marked(view_model: SystemsViewModel, keys: frozenset[int]) -> SystemsViewModel:
    """A Systems view model with those runs' differences marked, and what the mark means in its note."""
    return replace(view_model, open_to_judging=keys, note=f"{MEANT} · {view_model.note}" if keys else view_model.note)


def value_intervals(context: EvaluationContext, effects: PoolEffects, query_id: str) -> dict[int, str]:
    """By run's key: between what the measure of one query could be. Only where something is open."""
    bounds = effects.bounds
    if query_id not in bounds.query_ids:
        return {}
    place = bounds.query_ids.index(query_id)
    found = {}
    for number, entry in enumerate(context.collection.runs):
        low, high = float(bounds.low[0, number, place]), float(bounds.high[0, number, place])
        opened = int(bounds.unjudged[0, number, place])
        if opened and not np.isnan(low):
            counted = "1 unjudged document" if opened == 1 else f"{opened:,} unjudged documents"
            itself = f"{context.measure} itself " if is_zscored(context, context.measure) else ""
            found[entry.key] = f"{itself}{range_text(low, high)}, were its {counted} judged"
    return found


def _within(context: EvaluationContext, bounds: Bounds) -> Bounds:
    """With means over the query set in force."""
    if context.within is None:
        return bounds
    inside = {one for one, keep in zip(context.query_ids, context.within.tolist(), strict=True) if keep}
    return bounds.within(np.array([query in inside for query in bounds.query_ids], dtype=np.bool_))


def _mean(context: EvaluationContext, values: Floats) -> Floats:
    """float64[R]: the mean of float64[R, E] over the queries in force, which stand in the context's order."""
    chosen = values if context.within is None else values[:, context.within]
    return np.asarray(chosen.mean(axis=1)) if chosen.shape[1] else np.full(len(values), np.nan)


def _unique(context: EvaluationContext, effects: PoolEffects) -> tuple[Ints, Ints]:
    """int64[R] each: relevant documents that only this run returned, and all that it returned."""
    given = effects.contributions
    rows = given.relevant
    if context.within is not None:
        qrels = given.qrels
        inside = np.zeros(len(qrels.query_ids), dtype=np.bool_)
        inside[qrels.query_order] = context.within
        rows = rows & np.repeat(inside, np.diff(qrels.offsets))
    return (given.alone & rows).sum(axis=1), (given.found & rows).sum(axis=1)


def _overturned(context: EvaluationContext, bounds: Bounds) -> Bools:
    """bool[R]: whether the difference from the baseline could turn round."""
    place, turned = _place_of_baseline(context), bounds.overturned[0]
    if place is None:
        return np.zeros(len(turned), dtype=np.bool_)
    return np.asarray(turned[:, place] | turned[place])


def _place_of_baseline(context: EvaluationContext) -> int | None:
    keys = [entry.key for entry in context.collection.runs]
    return keys.index(context.baseline) if context.baseline in keys else None


def _instead(effects: PoolEffects) -> str:
    if effects.regime is Regime.SPARSE:
        return "not boundable"
    if effects.regime is Regime.COMPLETE:
        return "nothing is open"
    return "no bounds known" if effects.bounds.why else ""


def _tip(context: EvaluationContext, bounds: Bounds, place: int, turned: bool, words: str) -> str:
    if words:
        return words
    low, high, mean = (float(one[0, place]) for one in (bounds.mean_low, bounds.mean_high, bounds.mean_values))
    none, every = float(bounds.mean_none[0, place]), float(bounds.mean_all[0, place])
    lines = [
        f"{bounds.measures[0]} is {quantity(mean)} and could be {range_text(low, high)}",
        f"{quantity(none)} were every unjudged document non-relevant, {quantity(every)} were every one relevant",
    ]
    if turned:
        lines.append(f"{OVERTURNED} {MEANT.removeprefix(OVERTURNED + ' ')}")
    baseline = _place_of_baseline(context)
    if baseline is not None and baseline != place and not np.isnan(bounds.mean_differences[0][0, place, baseline]):
        name = context.labels[context.collection.runs[baseline].key].name
        lines.append(f"less {name}: {difference_words(bounds, 0, place, baseline)}, one grade for what both return")
    lines.append(f"over all grades from 0 to {bounds.grade:g} of what is unjudged; {STAY}")
    return "\n".join(lines)


def _note(context: EvaluationContext, effects: PoolEffects, marked: bool) -> str:
    parts = [PLAIN.format(context.measure)] if is_zscored(context, context.measure) else []
    parts += [MEANT] if marked else []
    queries = "" if context.query_set is None else f" · {context.queries_text}"
    missed = effects.contributions.found_by_none
    if missed and context.within is None:
        parts.append(f"no run returned {missed:,} relevant document{'' if missed == 1 else 's'}")
    parts += [] if _instead(effects) else [STAY]
    return " · ".join(parts) + queries


def _explanation(context: EvaluationContext, measure: Measure, effects: PoolEffects | None) -> str:
    if context.treated(measure).aggregate not in ("mean", "geometric"):
        return (
            f"{measure} is counted over queries: it has no mean whose interval could be told. Choose another measure."
        )
    if effects is None:
        return "Looking what the pool leaves open …"
    if effects.regime is Regime.SPARSE:
        return (
            "The judgments are sparse: nearly everything is unjudged, and an interval would be as wide as the axis. "
            "It is not boundable."
        )
    if effects.regime is Regime.COMPLETE:
        return "The judgments are complete: what they do not list is non-relevant, and nothing is open."
    for text, why in effects.bounds.why.items():
        words = no_bounds_words(text, why)
        return f"{words[0].upper()}{words[1:]}."
    return ""


def _axis(low: Floats, high: Floats) -> tuple[float, float]:
    """From the lowest to the highest end, to a round number outside."""
    known = np.isfinite(low) & np.isfinite(high)
    if not known.any() or not high[known].max() > low[known].min():
        return 0.0, 0.0
    least, most = float(low[known].min()), float(high[known].max())
    step = 10.0 ** np.floor(np.log10(most - least))
    return float(np.floor(least / step) * step), float(np.ceil(most / step) * step)


def _order(names: Sequence[str], columns: dict[str, Floats | Ints], sort: tuple[str, bool]) -> Ints:
    """int64[R]: rows in the table's order; NaN last either way."""
    column, descending = sort
    if column == "run":
        return np.array(sorted(range(len(names)), key=lambda one: names[one].casefold(), reverse=descending), np.int64)
    if column not in columns or not names:
        return np.arange(len(names))
    values = columns[column].astype(np.float64)
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    return np.argsort(keys, kind="stable")
