"""The view model of two runs: the focus run against the baseline, query by query, with the conclusion and all tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.statistics.log_ratios import Change
from irviewer.figures.differences import differences_figure
from irviewer.figures.figure import Figure
from irviewer.figures.run_pair import histogram_figure, scatter_figure, share_figure
from irviewer.model.arrays import Bools, Floats, Ints, stable_order
from irviewer.model.matching.unmatched import ShareWarning, unmatched_warnings
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.caveats import share_caveats
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called
from irviewer.session.protocol.units import units_in_view
from irviewer.tables.lazy_texts import LAZY, in_order
from irviewer.tables.table import Table
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.views.pair_tests import TestRow


@dataclass(frozen=True, eq=False)
class PairViewModel:
    """The focus run compared with the baseline.

    conclusion    the conclusion in words; "" until it is computed
    tests         all statistics that were computed, the declared test first; ``table`` holds them
    warnings      warnings for the user
    query_ids, texts   N queries, the largest gain first, as in ``bars``
    brushed       the brushed queries and their mean difference in words; "" for none
    explanation   what is missing, and what to do about it
    """

    title: str
    note: str
    run: RunLabel | None
    baseline: RunLabel | None
    conclusion: str
    tests: tuple[TestRow, ...]
    table: Table
    warnings: tuple[str, ...]
    query_ids: Sequence[str]
    texts: Sequence[str]
    scatter: Figure
    bars: Figure
    histogram: Figure
    share: Figure
    brushed: str
    explanation: str = ""


EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class PairFigures:
    """The figures of two runs that no test changes, with the places of their queries ``rows`` int64[N], in this order
    their differences ``delta`` float64[N] and which are brushed ``marked`` bool[N], and their ids."""

    rows: Ints
    query_ids: Sequence[str]
    delta: Floats
    marked: Bools
    scatter: Figure
    bars: Figure
    share: Figure


def build_pair_figures(
    context: EvaluationContext,
    query_id: str,
    brushed: frozenset[str],
    rows: Ints | None = None,
    share: Figure | None = None,
) -> PairFigures:
    """Return the figures of the focus run and the baseline, over the selected query set. ``rows`` and ``share`` are the
    results of :func:`pair_rows` and :func:`build_pair_share` if they are known already."""
    run = None if context.focus is None else context.collection.run(context.focus)
    base = None if context.baseline is None else context.collection.run(context.baseline)
    rows = pair_rows(context) if rows is None else rows
    ids = in_order(context.query_ids, rows)
    nothing = np.full(len(rows), np.nan)
    first = nothing if run is None else context.values(run, context.measure).take(rows)
    second = nothing if base is None else context.values(base, context.measure).take(rows)
    delta = context.delta.take(rows)
    selected, marked = _chosen(context, query_id, brushed, rows)
    names = ("" if run is None else context.name_of(run), "" if base is None else context.name_of(base))
    up, measure = context.measure.higher_is_better, called(context, context.measure)
    return PairFigures(
        rows, ids, delta, marked,
        scatter=scatter_figure(first, second, ids, selected, marked, measure, names, up),
        bars=differences_figure(
            delta, ids, selected, measure, context.delta_label, up, order=tr("best first"), marked=marked,
            ratios=context.geometric,
        ),
        share=build_pair_share(context, query_id, brushed, rows) if share is None else share,
    )  # fmt: skip


def build_pair_share(context: EvaluationContext, query_id: str, brushed: frozenset[str], rows: Ints) -> Figure:
    """Return the figure of the share of the largest differences of the queries in ``rows``."""
    ids, measure = in_order(context.query_ids, rows), called(context, context.measure)
    parts = ids if len(ids) <= LAZY else ()  # more columns than pixels
    share_of = tr("log {measure}", measure=measure) if context.geometric else measure
    selected, marked = _chosen(context, query_id, brushed, rows)
    return share_figure(context.delta.take(rows), share_of, parts, selected, marked, context.measure.higher_is_better)


def _chosen(context: EvaluationContext, query_id: str, brushed: frozenset[str], rows: Ints) -> tuple[int, Bools]:
    """Return the row of the selected query, -1 for none, and which rows are brushed, bool[N]."""
    marked = np.zeros(len(rows), np.bool_)
    if brushed:
        marked = np.fromiter((query in brushed for query in in_order(context.query_ids, rows)), np.bool_, len(rows))
    places = np.flatnonzero(rows == context.query_index.get(query_id, -1))
    return int(places[0]) if len(places) else -1, marked


def build_pair_view_model(
    context: EvaluationContext,
    query_id: str,
    brushed: frozenset[str],
    compared: Compared | None,
    pairs: Compared | None = None,
    *,
    smallest: float | None = None,
    figures: PairFigures | None = None,
) -> PairViewModel:
    """Return the view model of the focus run and the baseline, over the selected query set; with Tukey's test if all
    ``pairs`` are compared. ``smallest`` is the smallest difference that matters. ``figures`` are the result of
    :func:`build_pair_figures` if it is known already."""
    from irviewer.views.pair_tests import table_of_tests, tests_of

    run = None if context.focus is None else context.collection.run(context.focus)
    base = None if context.baseline is None else context.collection.run(context.baseline)
    drawn = figures or build_pair_figures(context, query_id, brushed)
    rows, delta, marked = drawn.rows, drawn.delta, drawn.marked
    pair = None if compared is None or context.focus is None else compared.pair(context.focus)
    among = None if pairs is None or context.focus is None else pairs.pair(context.focus, context.baseline)
    names = ("" if run is None else context.name_of(run), "" if base is None else context.name_of(base))
    up, measure = context.measure.higher_is_better, called(context, context.measure)
    # A single query has no interval.
    interval = (
        None
        if pair is None or pair.n < 2 or pair.by_signs
        else (pair.interval.low, pair.difference, pair.interval.high)
    )
    title = measure
    if run is not None and base is not None:
        title = tr("{run} against {baseline} ★ · {measure}", run=names[0], baseline=names[1], measure=measure)
    tests = () if pair is None else tests_of(pair, among, smallest=smallest)
    return PairViewModel(
        title=title,
        note=" · ".join((_queries(context, run, base), f"{context.delta_word} = {context.delta_label}"))
        if context.delta_label
        else "",
        run=None if run is None else context.labels[run.key],
        baseline=None if base is None else context.labels[base.key],
        conclusion=_conclusion(context, pair, run, base),
        tests=tests,
        table=table_of_tests(tests, title, pair),
        warnings=() if compared is None else _warnings(context, compared, (run, base)),
        query_ids=drawn.query_ids,
        texts=in_order(context.texts, rows) if context.collection.has_query_texts else ("",) * len(rows),
        scatter=drawn.scatter,
        bars=drawn.bars,
        histogram=histogram_figure(delta, marked, measure, interval, up, context.geometric),
        share=drawn.share,
        brushed=_brushed(delta, context.sides.take(rows), marked, context.geometric) if brushed else "",
        explanation=_explanation(context),
    )


def print_figures(context: EvaluationContext, run: RunEntry, base: RunEntry) -> tuple[Figure, Figure]:
    """Return the differences of two runs by query, the best first, and their values against each other, with nothing
    selected."""
    first, second = (context.values(entry, context.measure) for entry in (run, base))
    delta = context.levels(first) - context.levels(second)
    rows = _rows(context, delta)
    ids, unmarked = in_order(context.query_ids, rows), np.zeros(len(rows), np.bool_)
    names, up = (context.name_of(run), context.name_of(base)), context.measure.higher_is_better
    measure = called(context, context.measure)
    return (
        differences_figure(
            delta[rows], ids, -1, measure, (" ÷ " if context.geometric else " − ").join(names), up,
            order=tr("best first"), ratios=context.geometric,
        ),
        scatter_figure(first[rows], second[rows], ids, -1, unmarked, measure, names, up),
    )  # fmt: skip


def _conclusion(
    context: EvaluationContext, pair: RunComparison | None, run: RunEntry | None, base: RunEntry | None
) -> str:
    if run is not None and run.is_copy:
        return copy_untested(context, run)
    if pair is None:
        return ""
    return " ".join(filter(None, (f"{_with_names(pair.conclusion, context, (run, base))}.", pair.remains)))


def copy_untested(context: EvaluationContext, run: RunEntry) -> str:
    """Return why an edited copy is not tested, and what to do."""
    return tr(
        "{run} is an edited copy, which is not tested: its lists were made after looking at the judgments. Keep it as "
        "a run to compare it like the others.",
        run=context.name_of(run),
    )  # fmt: skip


def _queries(context: EvaluationContext, run: RunEntry | None, base: RunEntry | None) -> str:
    """Return the queries that both runs have as a text: all, or ``14 of 30 queries``."""
    units, _ = units_in_view(context)
    if run is None or base is None:
        return context.queries_text
    common = context.in_common(run, base)
    n = context.n_queries if common is None else int(np.count_nonzero(common & _within(context)))
    text = (
        context.queries_text if n == context.n_queries else tr("{n:,} of {queries}", n=n, queries=context.queries_text)
    )
    if units is None:
        return text
    counted = _within(context) if common is None else common & _within(context)
    of_these = units.count([context.query_ids[place] for place in np.flatnonzero(counted)])
    return trn("{queries} in {n:,} unit ({unit})", "{queries} in {n:,} units ({unit})", of_these, queries=text,
               unit=units.attribute)  # fmt: skip


def _within(context: EvaluationContext) -> Bools:
    return np.ones(len(context.query_ids), dtype=np.bool_) if context.within is None else context.within


def _with_names(text: str, context: EvaluationContext, runs: tuple[RunEntry | None, ...]) -> str:
    """Return a sentence with the names that runs have in the window instead of their whole ones."""
    entries = sorted((entry for entry in runs if entry is not None), key=_name_length, reverse=True)
    for entry in entries:  # the longest first, as a name may be the beginning of another
        text = text.replace(entry.name, context.name_of(entry))
    return text


def _name_length(entry: RunEntry) -> int:
    return len(entry.name)


def _warnings(
    context: EvaluationContext, compared: Compared, runs: tuple[RunEntry | None, RunEntry | None]
) -> tuple[str, ...]:
    """Return the warnings about these two runs, without those about other runs and the query set, which is in the
    note."""
    from irviewer.analysis.statistics.warnings import MissingQueriesWarning, SetWarning

    entries = [entry for entry in runs if entry is not None]
    names = {context.name_of(entry) for entry in entries} | {entry.name for entry in entries}
    of_all = tuple(
        _with_names(warning, context, runs)
        for warning in compared.comparison.warnings
        if not isinstance(warning, SetWarning | ShareWarning)
        and not (isinstance(warning, MissingQueriesWarning) and warning.run not in names)
    )
    # Among all runs, those that differ most are named; here only these two matter.
    return (*of_all, *share_caveats(context, entries))


def untestable(context: EvaluationContext) -> str:
    """Return why differences in the measure cannot be tested; "" if they can."""
    from irviewer.analysis.statistics import result_comparison

    reason = result_comparison.untestable(context.treated(context.measure))
    return reason and tr("{reason} Select another measure.", reason=reason)


def pair_rows(context: EvaluationContext) -> Ints:
    """Return the queries of the selected query set, the largest gain of the focus run first and those without a
    difference last, int64[N]."""
    return _rows(context, context.delta)


def _rows(context: EvaluationContext, differences: Floats) -> Ints:
    """Return the same by the ``differences`` float64[E] of other runs."""
    order = context.natural_order
    if context.within is not None:
        order = order[context.within[order]]
    keys = differences.take(order)
    if context.measure.higher_is_better:
        np.negative(keys, out=keys)
    keys[np.isnan(keys)] = np.inf
    return order.take(stable_order(keys))


def _explanation(context: EvaluationContext) -> str:
    if context.explanation:
        return context.explanation
    if len(context.collection.runs) < 2:
        return tr("A comparison needs two runs. Drop another run file here.")
    if context.focus is None:
        return tr("Show a run to compare with the baseline ★.")
    unknown = [reason for key, reason in context.unmatched.items() if key in (context.focus, context.baseline)]
    if unknown:
        return tr("The comparison is undecided: {reasons}.", reasons="; ".join(unmatched_warnings(unknown)))
    if context.judgments is not None:
        return untestable(context)
    return ""


def _brushed(delta: Floats, sides: Floats, marked: Bools, geometric: bool) -> str:
    count = int(np.count_nonzero(marked))
    if not count:
        return ""
    chosen = delta[marked]
    chosen = chosen[np.isfinite(chosen)]
    better = int(np.count_nonzero(sides[marked] > EQUAL))
    worse = int(np.count_nonzero(sides[marked] < -EQUAL))
    # If one of the two runs does not reach a value, there is no mean.
    mean = float(chosen.mean()) if len(chosen) and not np.isinf(sides[marked]).any() else np.nan
    change = Change(mean, mean, mean, geometric).text
    if geometric:
        return trn(
            "{n:,} query brushed · {better:,} better, {worse:,} worse · mean ratio {change}",
            "{n:,} queries brushed · {better:,} better, {worse:,} worse · mean ratio {change}",
            count,
            better=better,
            worse=worse,
            change=change,
        )
    return trn(
        "{n:,} query brushed · {better:,} better, {worse:,} worse · mean Δ {change}",
        "{n:,} queries brushed · {better:,} better, {worse:,} worse · mean Δ {change}",
        count,
        better=better,
        worse=worse,
        change=change,
    )
