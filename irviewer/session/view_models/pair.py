"""Two runs in depth: the focus run against the baseline, query by query, with the verdict and every test behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.statistics.log_ratios import Change, ratio_of
from irviewer.analysis.statistics.test_results import TESTS
from irviewer.figures.differences import differences_figure
from irviewer.figures.figure import Figure
from irviewer.figures.run_pair import histogram_figure, scatter_figure, share_figure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.model.number_text import counted, percent, percent_change, quantity, times
from irviewer.rendering.run_label import RunLabel
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called

if TYPE_CHECKING:
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.analysis.statistics.test_results import TestResult


@dataclass(frozen=True)
class TestRow:
    """One line of the account: what was looked at, its number, p before and after the correction ("" where there is
    none), and the sentence that says what it means."""

    __test__ = False  # pytest takes classes called Test… for its own

    name: str
    value: str
    p: str
    corrected: str
    sentence: str


@dataclass(frozen=True, eq=False)
class PairViewModel:
    """The focus run beside the baseline.

    verdict       in words; "" until the comparison is there
    tests         everything that was computed, the preset first
    warnings      what a person has to be told
    query_ids, texts   N queries, the largest gain first, as ``bars`` shows them
    brushed       how many queries are brushed, in words with their mean difference; "" for none
    explanation   what is missing, and how to get it
    """

    title: str
    note: str
    run: RunLabel | None
    baseline: RunLabel | None
    verdict: str
    tests: tuple[TestRow, ...]
    warnings: tuple[str, ...]
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    scatter: Figure
    bars: Figure
    histogram: Figure
    share: Figure
    brushed: str
    explanation: str = ""


# Builds the view model of two runs in depth from a context and a comparison. Draws nothing.

EQUAL = 1e-9


def build_pair_view_model(
    context: EvaluationContext,
    query_id: str,
    brushed: frozenset[str],
    compared: Compared | None,
    pairs: Compared | None = None,
    told: Sequence[str] = (),
) -> PairViewModel:
    """The view model of the focus run and the baseline, over the queries of the set in force; with Tukey's test where
    all ``pairs`` are compared. ``told``: what is otherwise than preset, in words."""
    run = None if context.focus is None else context.collection.run(context.focus)
    base = None if context.baseline is None else context.collection.run(context.baseline)
    rows = _rows(context)
    ids = tuple(context.query_ids[place] for place in rows.tolist())
    nothing = np.full(len(rows), np.nan)
    first = nothing if run is None else context.values(run, context.measure)[rows]
    second = nothing if base is None else context.values(base, context.measure)[rows]
    delta = context.delta[rows]
    marked = np.fromiter((one in brushed for one in ids), np.bool_, len(ids))
    selected = ids.index(query_id) if query_id in ids else -1
    pair = None if compared is None or context.focus is None else compared.pair(context.focus)
    among = None if pairs is None or context.focus is None else pairs.pair(context.focus, context.baseline)
    names = ("" if run is None else run.name, "" if base is None else base.name)
    up, measure = context.measure.higher_is_better, called(context, context.measure)
    # One query has no interval.
    interval = (
        None
        if pair is None or pair.n < 2 or pair.by_signs
        else (pair.interval.low, pair.difference, pair.interval.high)
    )
    return PairViewModel(
        title=f"{names[0]} against {names[1]} ★ · {measure}" if run is not None and base is not None else measure,
        note=" · ".join((context.queries_text, f"{context.delta_word} is {context.delta_label}", *told))
        if context.delta_label
        else "",
        run=None if run is None else context.labels[run.key],
        baseline=None if base is None else context.labels[base.key],
        verdict="" if pair is None else f"{pair.verdict}.",
        tests=() if pair is None else _tests(pair, among),
        warnings=() if compared is None else _warnings(compared, names),
        query_ids=ids,
        texts=tuple(context.texts[place] for place in rows.tolist()),
        scatter=scatter_figure(first, second, ids, selected, marked, measure, names, up),
        bars=differences_figure(
            delta,
            ids,
            selected,
            measure,
            context.delta_label,
            up,
            order="best first",
            marked=marked,
            ratios=context.geometric,
        ),
        histogram=histogram_figure(delta, marked, measure, interval, up, context.geometric),
        share=share_figure(delta, f"log {measure}" if context.geometric else measure, ids, selected, marked, up),
        brushed=_brushed(delta, context.sides[rows], marked, context.geometric),
        explanation=_explanation(context),
    )


def _warnings(compared: Compared, names: tuple[str, str]) -> tuple[str, ...]:
    """What has to be told of these two: not what other runs lack, nor the query set, which the view model names
    above."""
    from irviewer.analysis.statistics.warnings import MissingQueriesWarning, SetWarning

    return tuple(
        warning
        for warning in compared.comparison.warnings
        if not isinstance(warning, SetWarning)
        and not (isinstance(warning, MissingQueriesWarning) and warning.run not in names)
    )


def untestable(context: EvaluationContext) -> str:
    """Why no difference in the measure can be tested; "" where it can."""
    from irviewer.analysis.statistics import result_comparison

    why = result_comparison.untestable(context.treated(context.measure))
    return why and f"{why} Choose another measure."


def _statistic(test: TestResult, geometric: bool) -> str:
    """With its degrees of freedom, a mean difference of logarithms as a ratio; a dash where there is nothing that it
    could be of."""
    if test.n < 2:
        return "–"
    if geometric and test.name in ("randomisation", "tukey-randomised"):
        return times(ratio_of(test.statistic))
    return test.statistic_text if test.df is None else f"{test.statistic_text}, df {test.df:g}"


def _rows(context: EvaluationContext) -> Ints:
    """int64[N]: the queries of the set in force, the largest gain first; queries without a difference last."""
    order = context.natural_order
    if context.within is not None:
        order = order[context.within[order]]
    delta = context.delta[order] if context.measure.higher_is_better else -context.delta[order]
    return order[np.argsort(np.where(np.isnan(delta), np.inf, -delta), kind="stable")]


def _explanation(context: EvaluationContext) -> str:
    if context.explanation:
        return context.explanation
    if len(context.collection.runs) < 2:
        return "A comparison takes two runs: drop another run file here."
    if context.focus is None:
        return "Show a run beside the baseline ★, which is compared with it."
    unknown = [why for key, why in context.strangers.items() if key in (context.focus, context.baseline)]
    if unknown:
        return f"Could not be decided: {'; '.join(unmatched_warnings(unknown))}."
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
    # What one of the two does not reach leaves no mean.
    mean = float(chosen.mean()) if len(chosen) and not np.isinf(sides[marked]).any() else np.nan
    told = f"mean {'ratio' if geometric else 'Δ'} {Change(mean, mean, mean, geometric).text}"
    return f"{counted(count, 'query', 'queries')} brushed · {better:,} better, {worse:,} worse · {told}"


def _signs(pair: RunComparison) -> tuple[TestRow, ...]:
    """The account of two runs of which one never reaches a value somewhere: signs, and how much each reaches."""
    one = pair.decision
    corrected = one.p_corrected_shown if one.correction else ""
    shares = f"{percent(pair.reached)} against {percent(pair.other_reached)}"
    told = "Not reached is the worst, and leaves no mean: by how much runs differ is not known."
    won = f"{percent(pair.effects.superiority)}"
    return (
        TestRow(one.title, _statistic(one, False), one.p_shown, corrected, one.sentence),
        TestRow("queries reached", shares, "", "", told),
        TestRow("queries won, ties half", won, "", "", "A query drawn at random is won with that chance."),
    )


def _tests(pair: RunComparison, among: RunComparison | None) -> tuple[TestRow, ...]:
    """Every line of the account; ``among`` is the same pair among all of them, for Tukey's test."""
    if pair.by_signs:
        return _signs(pair)
    rows = [
        TestRow(
            one.title,
            _statistic(one, pair.geometric),
            "" if TESTS[one.name].family else one.p_shown,
            one.p_shown if TESTS[one.name].family else one.p_corrected_shown if one.correction else "",
            one.sentence,
        )
        for one in pair.tests
    ]
    # Tukey's test holds for all pairs at once: its p is a corrected one. By randomisation where that was asked for.
    # Where it decides it stands above already.
    known = {one.name for one in pair.tests}
    kinds = [] if among is None else [one for one in among.tests if TESTS[one.name].family]
    kinds = [one for one in kinds if TESTS[one.name].seeded] or kinds
    kinds = [one for one in kinds if one.name not in known]
    rows += [TestRow(one.title, _statistic(one, pair.geometric), "", one.p_shown, one.sentence) for one in kinds]
    change, weighted = pair.change, pair.weighted_change
    what = "ratio of means" if pair.geometric else "mean difference"
    rows.insert(1, TestRow(f"interval of the {what}", change.ends, "", "", pair.shown_interval.sentence))
    if pair.geometric:
        means = f"The geometric mean goes from {quantity(pair.other_mean)} to {quantity(pair.mean)}."
        rows.insert(2, TestRow(what, change.text, "", "", means))
    elif not np.isnan(pair.relative):
        relative = percent_change(pair.relative)
        told = f"The mean goes from {quantity(pair.other_mean)} to {quantity(pair.mean)}."
        rows.insert(2, TestRow("relative difference", relative, "", "", told))
    if weighted is not None:
        text = f"{weighted.text} {weighted.ends}"
        name = "weighted ratio" if pair.geometric else "weighted difference"
        rows.insert(2, TestRow(name, text, "", "", "Every query counts by its weight."))
    rows.append(TestRow("effect size", f"d {quantity(pair.effects.d)}, g {quantity(pair.effects.g)}", "", "",
                        pair.effects.sentence))  # fmt: skip
    after, after_what = pair.posterior, "ratio" if pair.geometric else "difference"
    better = "–" if np.isnan(after.better) else f"better {after.better:.3f}".replace("0.", ".")
    rows.append(TestRow(f"posterior of the {after_what}", better, "", "", after.sentence))
    power = pair.power()
    needed = "–" if power.needed is None else f"{power.needed:,} queries"
    rows.append(TestRow("power", needed, "", "", pair.power_sentence()))
    return tuple(rows)
