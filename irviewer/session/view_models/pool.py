"""The view model of the pool: what each run found alone, what is unjudged, and what judging that could change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.pooling.wording import STAY, difference_words, no_bounds_words, unjudged_words
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen, safe_divide
from irviewer.model.number_text import quantity, range_text
from irviewer.model.workspace import Regime, RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import is_zscored
from irviewer.session.view_models.systems import SystemsViewModel
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds
    from irviewer.analysis.pooling.contributions import LeaveOneOut
    from irviewer.analysis.pooling.effects import PoolEffects


OVERTURNED = "†"
"""Marks a difference to the baseline that judging the unjudged documents could reverse."""


@dataclass(frozen=True, eq=False)
class PoolViewModel:
    """R runs, in the order of the table; NaN and "" for no value.

    unique, unique_share   int64[R], float64[R]: relevant documents that only this run returned, and their share of
                           those that it returned
    opened, opened_all     float64[R]: the share of unjudged documents among the first ``cutoff``, and in the whole list
    residuals              float64[R]: the residual of rank-biased precision
    changes, rank_changes  float64[R]: the change of the run's mean and rank without the judgments that only it
                           contributed; NaN until it is known. A rank change above 0 is a lower position
    low, values, high      float64[R]: the mean of the chosen measure and the interval that judging could move it in
    axis                   the ends of the axis of the intervals
    marks, tips            OVERTURNED or "" by run; its interval in words
    words                  the text in place of an interval: tr("not boundable"), "nothing is open"
    explanation            what is missing, or what the regime of the judgments means for this table
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


REVERSIBLE = tr("judging more documents could reverse the difference to ★")
MEANT = f"{OVERTURNED} {REVERSIBLE}"


def build_pool_view_model(
    context: EvaluationContext, effects: PoolEffects | None, left: LeaveOneOut | None
) -> PoolViewModel:
    """Return the view model, sorted by the choices; without ``effects`` it says what is missing or computed."""
    runs = context.system_runs
    nothing, count = np.full(len(runs), np.nan), len(runs)
    measure, graded = context.measure, context.judgments is not None and context.judgments.qrels.is_graded
    shown: tuple[RunEntry, ...] = runs if effects is not None else ()
    unique, unique_share = np.zeros(count, dtype=np.int64), nothing
    opened = opened_all = residuals = low = values = high = nothing
    marks, tips = ("",) * count, ("",) * count
    words, note = "", ""
    if effects is not None:
        unique, relevant = _unique(context, effects)
        unique_share = np.where(relevant > 0, safe_divide(unique, relevant), np.nan)
        opened, opened_all = _mean(context, effects.openness.shares[:, 0]), _mean(context, effects.openness.lists)
        residuals = _mean(context, effects.openness.residuals)
        bounds = _within(context, effects.bounds)
        low, values, high = bounds.mean_low[0], bounds.mean_values[0], bounds.mean_high[0]
        words = _instead(effects)
        marks = tuple(OVERTURNED if reversible else "" for reversible in _overturned(context, bounds))
        tips = tuple(_tip(context, bounds, position, bool(mark), words) for position, mark in enumerate(marks))
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
        title=trn("Pool · {n:,} run", "Pool · {n:,} runs", count),
        note=note,
        measure=str(measure),
        measure_label=measure.label(graded, context.options.level, short=True),
        cutoff=context.cutoff,
        persistence=0.9 if effects is None else effects.openness.p,
        runs=tuple(context.labels[shown[position].key] for position in order.tolist()),
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
        marks=tuple(marks[position] for position in order.tolist()),
        tips=tuple(tips[position] for position in order.tolist()),
        words=words,
        sort=context.choices.pool_sort,
        higher_is_better=measure.higher_is_better,
        explanation=context.explanation or _explanation(context, measure, effects),
    )


def systems_marks(context: EvaluationContext, view_model: SystemsViewModel, effects: PoolEffects) -> frozenset[int]:
    """Return the keys of the runs whose difference to the baseline judging could reverse."""
    keys = [entry.key for entry in context.system_runs]
    turned = _overturned(context, _within(context, effects.bounds))
    known = (label.key for label in view_model.runs if label.key not in context.unmatched)
    return frozenset(key for key in known if key in keys and turned[keys.index(key)])


def marked(view_model: SystemsViewModel, keys: frozenset[int]) -> SystemsViewModel:
    """Return a Systems view model with the differences of some runs marked, and the meaning of the mark in its note."""
    return replace(view_model, open_to_judging=keys, note=f"{MEANT} · {view_model.note}" if keys else view_model.note)


def value_intervals(context: EvaluationContext, effects: PoolEffects, query_id: str) -> dict[int, str]:
    """Return run key -> the range of possible values of a query, for runs with unjudged documents."""
    bounds = effects.bounds
    if query_id not in bounds.query_ids:
        return {}
    position = bounds.query_ids.index(query_id)
    texts = {}
    for number, entry in enumerate(context.system_runs):
        low, high = float(bounds.low[0, number, position]), float(bounds.high[0, number, position])
        opened = int(bounds.unjudged[0, number, position])
        if opened and not np.isnan(low):
            text = trn(
                "{range} if its {n:,} unjudged document were judged",
                "{range} if its {n:,} unjudged documents were judged",
                opened,
                range=range_text(low, high),
            )
            if is_zscored(context, context.measure):
                text = tr("{measure} (not its Z-score): {text}", measure=context.measure, text=text)
            texts[entry.key] = text
    return texts


def _within(context: EvaluationContext, bounds: Bounds) -> Bounds:
    """Return the bounds with means over the selected query set."""
    if context.within is None:
        return bounds
    inside = {query for query, keep in zip(context.query_ids, context.within.tolist(), strict=True) if keep}
    return bounds.within(np.array([query in inside for query in bounds.query_ids], dtype=np.bool_))


def _mean(context: EvaluationContext, values: Floats) -> Floats:
    """Return the mean of float64[R, E] over the selected queries, which are in the context's order, float64[R]."""
    chosen = values if context.within is None else values[:, context.within]
    return np.asarray(chosen.mean(axis=1)) if chosen.shape[1] else np.full(len(values), np.nan)


def _unique(context: EvaluationContext, effects: PoolEffects) -> tuple[Ints, Ints]:
    """Return the relevant documents that only this run returned, and all that it returned, int64[R] each."""
    given = effects.contributions
    rows = given.relevant
    if context.within is not None:
        qrels = given.qrels
        inside = np.zeros(len(qrels.query_ids), dtype=np.bool_)
        inside[qrels.query_order] = context.within
        rows = rows & np.repeat(inside, np.diff(qrels.offsets))
    return (given.alone & rows).sum(axis=1), (given.found & rows).sum(axis=1)


def _overturned(context: EvaluationContext, bounds: Bounds) -> Bools:
    """Return whether the difference to the baseline could be reversed, bool[R]."""
    place, turned = _place_of_baseline(context), bounds.overturned[0]
    if place is None:
        return np.zeros(len(turned), dtype=np.bool_)
    return np.asarray(turned[:, place] | turned[place])


def _place_of_baseline(context: EvaluationContext) -> int | None:
    keys = [entry.key for entry in context.system_runs]
    return keys.index(context.baseline) if context.baseline in keys else None


def _instead(effects: PoolEffects) -> str:
    if effects.regime is Regime.SPARSE:
        return tr("not boundable")
    if effects.regime is Regime.COMPLETE:
        return tr("all judged")
    return tr("no bounds") if effects.bounds.why else ""


def _tip(context: EvaluationContext, bounds: Bounds, place: int, turned: bool, words: str) -> str:
    if words:
        return words
    low, high, mean = (float(means[0, place]) for means in (bounds.mean_low, bounds.mean_high, bounds.mean_values))
    none, every = float(bounds.mean_none[0, place]), float(bounds.mean_all[0, place])
    lines = [
        tr(
            "{measure} is {mean}; possible range {range}",
            measure=bounds.measures[0],
            mean=quantity(mean),
            range=range_text(low, high),
        ),
        tr(
            "{least} if all unjudged documents were non-relevant, {most} if all were relevant",
            least=quantity(none),
            most=quantity(every),
        ),
    ]
    if turned:
        lines.append(MEANT)
    baseline = _place_of_baseline(context)
    if baseline is not None and baseline != place and not np.isnan(bounds.mean_differences[0][0, place, baseline]):
        name = context.labels[context.system_runs[baseline].key].name
        lines.append(
            tr(
                "Difference to {baseline}: {range}; a document that both return has one grade",
                baseline=name,
                range=difference_words(bounds, 0, place, baseline),
            )
        )
    if not bounds.exact[0, place]:
        lines.append(tr("These are outer bounds, which may not be reached"))
    lines.append(unjudged_words(*bounds.number_open(0, place)))
    lines.append(tr("Over all grades from 0 to {grade:g}, {retrieved}", grade=bounds.grade, retrieved=STAY))
    return "\n".join(lines)


def _note(context: EvaluationContext, effects: PoolEffects, marked: bool) -> str:
    parts = []
    if is_zscored(context, context.measure):
        parts.append(tr("values of {measure}, not its Z-scores", measure=context.measure))
    parts += [MEANT] if marked else []
    queries = "" if context.query_set is None else f" · {context.queries_text}"
    missed = effects.contributions.found_by_none
    if missed and context.within is None:
        parts.append(tr("relevant documents found by no run: {count:,}", count=missed))
    parts += [effects.regime.statement] if effects.regime is Regime.UNKNOWN else []
    parts += [] if _instead(effects) else [STAY]
    return " · ".join(parts) + queries


def _explanation(context: EvaluationContext, measure: Measure, effects: PoolEffects | None) -> str:
    if context.treated(measure).aggregate not in ("mean", "geometric"):
        return tr("{measure} has no mean over queries, so it has no bounds. Select another measure.", measure=measure)
    if effects is None:
        return tr("Computing the effects of the pool …")
    if effects.regime is Regime.SPARSE:
        return tr("The judgments are sparse: nearly all documents are unjudged, so values cannot be bounded.")
    if effects.regime is Regime.COMPLETE:
        return tr("The judgments are complete: unlisted documents are non-relevant, so nothing is unjudged.")
    for text, reason in effects.bounds.why.items():
        words = no_bounds_words(text, reason)
        return f"{words[0].upper()}{words[1:]}."
    return ""


def _axis(low: Floats, high: Floats) -> tuple[float, float]:
    """Return the ends of the axis, round numbers outside of all intervals."""
    known = np.isfinite(low) & np.isfinite(high)
    if not known.any() or not high[known].max() > low[known].min():
        return 0.0, 0.0
    least, most = float(low[known].min()), float(high[known].max())
    step = 10.0 ** np.floor(np.log10(most - least))
    return float(np.floor(least / step) * step), float(np.ceil(most / step) * step)


def _order(names: Sequence[str], columns: dict[str, Floats | Ints], sort: tuple[str, bool]) -> Ints:
    """Return int64[R]: the rows in the order of the table, NaN always last."""
    column, descending = sort
    if column == "run":
        return np.array(
            sorted(range(len(names)), key=lambda index: names[index].casefold(), reverse=descending), np.int64
        )
    if column not in columns or not names:
        return np.arange(len(names))
    values = columns[column].astype(np.float64)
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    return np.argsort(keys, kind="stable")
