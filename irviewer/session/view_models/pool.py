"""The view model of the pool: what each run found alone, what is unjudged, and what judging that could change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.pooling.wording import STAY, difference_words, no_bounds_words, unjudged_words
from irviewer.errors import name_some
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats, Ints, safe_divide
from irviewer.model.number_text import quantity, range_text
from irviewer.model.workspace import Regime
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import is_zscored
from irviewer.session.view_models.systems import SystemsViewModel
from irviewer.tables.order import sorted_rows
from irviewer.tables.table import Table
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds
    from irviewer.analysis.pooling.contributions import LeaveOneOut
    from irviewer.analysis.pooling.effects import PoolEffects
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.views.pool import EffectsByRun


OVERTURNED = "†"
"""Marks a difference to the baseline that judging the unjudged documents could reverse."""


@dataclass(frozen=True, eq=False)
class PoolViewModel:
    """The runs of the pool.

    table        a row for each run, see :func:`irviewer.views.pool.table_by_run`; None where nothing is known
    rows         int64[R]: the order in which its rows are shown, and ``runs`` in this order
    guides       the ends of the baseline's range, () for none
    words        the text in place of a range: tr("not boundable"), "nothing is open"
    explanation  what is missing, or what the regime of the judgments means for this table
    """

    title: str
    note: str
    cutoff: int
    runs: tuple[RunLabel, ...]
    table: Table | None
    rows: Ints
    guides: tuple[float, ...]
    words: str
    sort: tuple[str, bool]
    explanation: str = ""


REVERSIBLE = tr("judging more documents could reverse the difference to ★")
MOST_TOGETHER = 2
"""The groups of runs of one contribution that the note names; all are in the tables of the command."""
MEANT = f"{OVERTURNED} {REVERSIBLE}"


def build_pool_view_model(
    context: EvaluationContext, effects: PoolEffects | None, left: LeaveOneOut | None, bound: BoundProtocol
) -> PoolViewModel:
    """Return the view model, sorted by the choices or else best first; without ``effects`` it says what is missing or
    computed."""
    from irviewer.views.cautions import cautioned
    from irviewer.views.pool import VIEW, table_by_run
    from irviewer.views.provenance import provenance
    from irviewer.views.result import ViewResult

    runs, sort = context.taking_part, context.choices.pool_sort
    alone = context.nothing_judged(VIEW.title)
    explanation = alone or context.explanation or _explanation(context, context.measure, effects)
    title = trn("Pool · {n:,} run", "Pool · {n:,} runs", len(runs))
    if effects is None or alone:
        return PoolViewModel(
            title, "", context.cutoff, (), None, np.zeros(0, dtype=np.int64), (), "", sort, explanation
        )
    by_run = _effects_by_run(context, effects, left)
    source = provenance("pool", bound, measures=[str(context.measure)])
    shown = ViewResult(by_run, (table_by_run(by_run),))
    if context.judgments is not None:
        judged = [(context.judgments.qrels, [context.measure], [entry.run for entry in runs])]
        shown = cautioned(shown, bound, judged, counts_relevant=True)
    table = shown.with_provenance(source).tables[0]
    if sort[0] not in [each.key for each in table.columns]:
        sort = ("value", context.measure.higher_is_better)
    rows, place = sorted_rows(table, sort[0], descending=sort[1]), _place_of_baseline(context)
    bounded = place is not None and not by_run.instead
    return PoolViewModel(
        title=title,
        note=_note(context, effects, bool(by_run.reversible.any())),
        cutoff=context.cutoff,
        runs=tuple(context.labels[runs[row].key] for row in rows.tolist()),
        table=table,
        rows=rows,
        guides=(float(by_run.least[place]), float(by_run.most[place])) if bounded else (),
        words=by_run.instead,
        sort=sort,
        explanation=explanation,
    )


def _effects_by_run(context: EvaluationContext, effects: PoolEffects, left: LeaveOneOut | None) -> EffectsByRun:
    from irviewer.views.pool import EffectsByRun

    measure, graded = context.measure, context.judgments is not None and context.judgments.qrels.is_graded
    unique, relevant = _unique(context, effects)
    bounds, words = _within(context, effects.bounds), _instead(effects)
    turned = _overturned(context, bounds)
    own = (None, None) if left is None else left.own
    return EffectsByRun(
        measure=str(measure),
        depth=context.cutoff,
        p=effects.openness.p,
        runs=[entry.name for entry in context.taking_part],
        relevant_alone=unique,
        alone_share=np.where(relevant > 0, safe_divide(unique, relevant), np.nan),
        unjudged=_mean(context, effects.openness.shares[:, 0]),
        unjudged_of_all=_mean(context, effects.openness.lists),
        residual=_mean(context, effects.openness.residuals),
        change=None if own[0] is None else own[0][0],
        rank_change=None if own[1] is None else own[1][0],
        least=bounds.mean_low[0],
        value=bounds.mean_values[0],
        most=bounds.mean_high[0],
        instead=words,
        reversible=turned,
        tips=[_tip(context, bounds, place, is_turned, words) for place, is_turned in enumerate(turned.tolist())],
        title=usual_name(measure.label(graded, context.options.level, short=True)),
        higher_is_better=measure.higher_is_better,
    )


def systems_marks(context: EvaluationContext, view_model: SystemsViewModel, effects: PoolEffects) -> frozenset[int]:
    """Return the keys of the runs whose difference to the baseline judging could reverse."""
    keys = [entry.key for entry in context.taking_part]
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
    for number, entry in enumerate(context.taking_part):
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
    keys = [entry.key for entry in context.taking_part]
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
        name = context.labels[context.taking_part[baseline].key].name
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
    parts += [
        tr("one contribution, left out together: {runs}", runs=name_some(names))
        for names in effects.contributions.together[:MOST_TOGETHER]
    ]
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
