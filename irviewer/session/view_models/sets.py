"""The view model of query sets: the selected measure of each shown run on every set, and averages of the sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.query_sets import QuerySet
from irviewer.rendering.run_label import RunLabel
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.context import EvaluationContext, PairMeans
from irviewer.session.evaluation.zscores import called
from irviewer.session.shortcuts import keys
from irviewer.session.view_models.query import best_places
from irviewer.session.view_models.systems import in_common_text
from irviewer.translation import tr, trn

RowKind = Literal["all", "set", "macro", "micro", "weighted"]


@dataclass(frozen=True)
class SetRow:
    """One row: all queries, a set, the mean over the sets (macro), the mean over the queries that are in any set
    (micro, if these are not all queries), or the weighted mean. ``key`` is the name of a set, ``tip`` says what is
    averaged."""

    kind: RowKind
    key: str
    title: str
    tip: str
    chosen: bool = False
    looked: bool = False


@dataclass(frozen=True, eq=False)
class SetsViewModel:
    """S rows x R shown runs.

    counts       int64[S]: number of evaluated queries
    values       float64[S, R]; NaN for no value
    best         bool[S, R]: the best values of a row; none if all are equal
    delta        float64[S]: focus minus baseline over the queries that both have; with ``ratio`` the logarithm of their
                 ratio; NaN without both
    in_common    for each row the two means behind ``delta`` in words, where they are over other queries than
                 ``values``; "" otherwise
    delta_note   what is compared
    shown        bool[S]: rows whose difference the declared test shows: only the queries in view are tested
    tested       the declared test, as text; "" if it was not run
    explanation  what is missing, and what to do about it; "" if nothing is
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    rows: tuple[SetRow, ...]
    counts: Ints
    values: Floats
    best: Bools
    delta: Floats
    delta_note: str
    shown: Bools
    tested: str
    higher_is_better: bool = True
    explanation: str = ""
    ratio: bool = False
    in_common: tuple[str, ...] = ()


ALL = SetRow("all", "", tr("all queries"), tr("Each query counts the same."))
ALL_IN_SETS = SetRow(
    "all", "", tr("all queries"), tr("Each query counts the same; all queries are in a set (micro average).")
)


def build_sets_view_model(context: EvaluationContext, compared: Compared | None = None) -> SetsViewModel:
    """Return the view model, with the sets in the order in which they were made. ``compared``: the runs and the
    baseline on the queries in view, once they are compared."""
    sets = context.collection.query_sets
    everything = np.ones(len(context.query_ids), dtype=np.bool_)
    masks = [query_set.mask(context.query_ids) for query_set in sets]
    shown, measure = context.shown_runs, context.measure
    values = np.array([[context.mean_over(entry, measure, mask) for entry in shown] for mask in (everything, *masks)])
    values = values.reshape(1 + len(sets), len(shown))
    counts = [len(context.query_ids), *(int(np.count_nonzero(mask)) for mask in masks)]
    inside = np.any(masks, axis=0) if masks else everything
    whole = len(sets) > 1 and bool(inside.all())
    first = _chosen(ALL_IN_SETS if whole else ALL, context.query_set is None)
    rows = [first, *(_row(context, query_set) for query_set in sets)]
    if len(sets) > 1:
        rows.append(SetRow("macro", "", tr("mean of the sets"), tr("Each set counts the same (macro average).")))
        counts.append(int(np.count_nonzero(inside)))
        values = np.vstack([values, _macro(context, values[1:], masks)])
        if not whole:
            tip = tr("Each query that is in a set counts once, all the same (micro average).")
            rows.append(SetRow("micro", "", tr("queries in sets"), tip))
            counts.append(int(np.count_nonzero(inside)))
            values = np.vstack([values, [context.mean_over(entry, measure, inside) for entry in shown]])
    if context.collection.weights is not None and context.treated(context.measure).aggregate in ("mean", "geometric"):
        tip = tr("Each query counts with its weight: {weights}.", weights=context.collection.weights.how)
        rows.append(SetRow("weighted", "", tr("weighted mean"), tip))
        weights = np.zeros(len(context.query_ids)) if context.weights is None else context.weights
        counts.append(int(np.count_nonzero(weights > 0)))
        values = np.vstack([values, [context.weighted_mean(entry, context.measure) for entry in context.shown_runs]])
    differences = _row_differences(context, rows, masks, inside)
    return SetsViewModel(
        title=trn(
            "{n:,} query set · {measure}",
            "{n:,} query sets · {measure}",
            len(sets),
            measure=called(context, context.measure),
        ),
        note=(
            tr("Enter evaluates a set only · {delta} to the baseline ★, not tested", delta=context.delta_word)
            if compared is None
            else tr(
                "Enter evaluates a set only · {delta} to the baseline ★, tested for the queries in view only",
                delta=context.delta_word,
            )
        ),
        measure=str(context.measure),
        runs=context.shown_labels,
        rows=tuple(rows),
        counts=frozen(np.array(counts, dtype=np.int64)),
        values=frozen(values),
        best=frozen(_best(context, values)),
        delta=frozen(np.array([np.nan if pair is None else pair.difference for pair in differences])),
        in_common=tuple(_in_common_text(context, row, pair) for row, pair in zip(rows, differences, strict=True)),
        delta_note=context.delta_label,
        shown=frozen(_shown(context, rows, compared)),
        tested="" if compared is None else compared.comparison.decided_by(),
        higher_is_better=context.measure.higher_is_better,
        explanation=_explanation(context),
        ratio=context.geometric,
    )


def _explanation(context: EvaluationContext) -> str:
    if context.explanation:
        return context.explanation
    if not context.shown_runs and context.collection.runs:
        return tr("No run is shown. Press {key} to choose runs.", key=keys("choose_runs"))
    if context.collection.query_sets:
        return ""
    return tr(
        "There are no query sets yet. Divide the queries by an attribute, keep the queries that match a filter in "
        "Queries, or open a file of query ids. {key} and “set” lists these actions.",
        key=keys("find_action"),
    )


def _row(context: EvaluationContext, query_set: QuerySet) -> SetRow:
    tip = query_set.how or query_set.origin
    if query_set.looked:
        tip += f"\n{query_set.warning}"
    selected = context.query_set is query_set
    return SetRow("set", query_set.name, query_set.name, tip, selected, query_set.looked)


def _chosen(row: SetRow, chosen: bool) -> SetRow:
    return SetRow(row.kind, row.key, row.title, row.tip, chosen)


def _macro(context: EvaluationContext, values: Floats, masks: list[Bools]) -> Floats:
    """Return the mean over the sets (geometric for geometric means), float64[R], from values float64[S, R]. Only sets
    count in which a query is evaluated for the run; NaN if one of these has no value."""
    evaluated = [context.counted(entry, context.measure) for entry in context.shown_runs]
    known = np.array(
        [[queries is not None and bool((queries & mask).any()) for queries in evaluated] for mask in masks]
    )
    count = known.sum(axis=0)
    total = np.where(known, context.levels(values), 0.0).sum(axis=0)
    means: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratios(means) if context.geometric else means


def _best(context: EvaluationContext, values: Floats) -> Bools:
    best = np.zeros(values.shape, dtype=np.bool_)
    for position, row in enumerate(values):
        best[position, list(best_places(row.tolist(), context.treated(context.measure)))] = True
    return best


def _shown(context: EvaluationContext, rows: list[SetRow], compared: Compared | None) -> Bools:
    """Return bool[S]: the row of the queries in view, or that of their weighted mean where the queries have weights, if
    the declared test shows its difference."""
    shown = np.zeros(len(rows), dtype=np.bool_)
    if compared is None or context.focus not in compared.keys:
        return shown
    pairs = np.flatnonzero(compared.comparison.first == compared.keys.index(context.focus))
    if len(pairs) == 1 and compared.comparison.shown()[pairs[0]]:
        weighted = context.weights is not None and bool(context.weights.any())
        kinds = [row.kind for row in rows]
        if weighted and context.query_set is None and "weighted" in kinds:
            shown[kinds.index("weighted")] = True
        elif not weighted:
            shown[[row.chosen for row in rows].index(True)] = True
    return shown


def _row_differences(
    context: EvaluationContext, rows: list[SetRow], masks: list[Bools], inside: Bools
) -> list[PairMeans | None]:
    """Return for each row the focus against the baseline over the queries that both have; None without both."""
    shown = {entry.key: entry for entry in context.shown_runs}
    if context.baseline not in shown or context.focus not in shown:
        return [None] * len(rows)
    if not context.unmatched.keys().isdisjoint((context.baseline, context.focus)):
        return [None] * len(rows)
    focus, baseline = shown[context.focus], shown[context.baseline]
    of_sets = [context.difference(focus, baseline, mask) for mask in masks]
    differences: list[PairMeans | None] = []
    for row in rows:
        if row.kind == "all":
            differences.append(context.difference(focus, baseline, None))
        elif row.kind == "set":
            differences.append(of_sets[len(differences) - 1])
        elif row.kind == "micro":
            differences.append(context.difference(focus, baseline, inside))
        elif row.kind == "macro":
            known = [pair for pair in of_sets if pair.n]
            mean = float(np.mean([pair.difference for pair in known])) if known else np.nan
            differences.append(_averaged(known, mean, any(pair.apart for pair in of_sets)))
        else:
            whole = context.difference(focus, baseline, context.within)
            differences.append(_averaged([], context.weighted_difference(focus, baseline), whole.apart))
    return differences


def _averaged(sets: list[PairMeans], difference: float, apart: bool) -> PairMeans:
    """Return a difference that is no difference of two means over queries; its means are averaged over sets."""
    means = [float(np.mean([getattr(pair, name) for pair in sets])) if sets else np.nan
             for name in ("mean", "other_mean")]  # fmt: skip
    return PairMeans(sum(pair.n for pair in sets), means[0], means[1], difference, apart)


def _in_common_text(context: EvaluationContext, row: SetRow, pair: PairMeans | None) -> str:
    if pair is None or context.focus is None or context.baseline is None:
        return ""
    if row.kind in ("macro", "weighted"):
        return tr("Over the queries that both runs have.") if pair.apart else ""
    names = context.labels[context.focus].name, context.labels[context.baseline].name
    return in_common_text(context, pair, *names)
