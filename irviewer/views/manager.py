"""A report for readers who decide and do not compute: what to do, what was measured, and how the runs differ. Tables
and numbers are those of the comparison, the slices and the verdict, with fewer columns."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from irviewer.analysis.statistics.result_comparison import ComparisonTable
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.verdict.headline import Headline
from irviewer.analysis.verdict.recommendation import recommendation
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.base import Measure
from irviewer.measures.plain_words import in_plain_words
from irviewer.measures.tool_names import usual_name
from irviewer.model.number_text import alpha_text, level_text, percent_change, signed_quantity
from irviewer.rendering.html_report import ReportSection
from irviewer.tables.table import Table
from irviewer.translation import interval, tr, trn
from irviewer.views import comparison, slices
from irviewer.views.report import of_runs
from irviewer.views.verdict import needed_sentence

TITLES: Mapping[str, str] = {
    "run": tr("system"), "other": tr("compared with"), "slice": tr("queries with"), "n": tr("queries"),
    "mean": tr("mean"), "difference": tr("change"), "relative": tr("in %"), "outcome": tr("the test"),
}  # fmt: skip
"""The titles of columns for readers outside the field."""
BASE = ("other_mean", "baseline_mean")
"""Columns whose title is the baseline's name."""
SYSTEMS = ("run", "other", "other_mean", "mean", "difference", "ratio", "relative", "better", "worse", "outcome")
SLICES = ("attribute", "slice", "n", "baseline_mean", "mean", "difference", "ratio", "outcome")


def _base(bound: BoundProtocol) -> str | None:
    return None if bound.baseline is None else bound.names[bound.baseline]


def conclusion(answer: Headline) -> str:
    """Return the recommendation, with what it needs to be understood: that a run kept was chosen by its result, why
    nothing is concluded, and how many queries would be enough."""
    advice = recommendation(answer)
    chosen = answer.chosen_among and advice.keep == answer.pair.run_name
    said = tr("It has the best mean of {n} systems, which does not show that it is better than the others of them.",
              n=answer.chosen_among) if chosen else ""  # fmt: skip
    return " ".join(filter(None, (advice.sentence, said, answer.why, answer.untested, needed_sentence(answer))))


def change_sentence(answer: Headline, measure: Measure) -> str:
    """Return how much the run of an answer changes the mean: with one interval, which of a run that was chosen by its
    result is the one that holds for all that it was chosen from, and without one on queries that were chosen by the
    results; "" where there are no differences."""
    pair = answer.pair
    if pair.by_signs or not pair.n or not pair.differing:
        return ""
    change = answer.change
    by = change.text if pair.geometric else signed_quantity(pair.difference)
    share = "" if math.isnan(pair.relative) else percent_change(pair.relative)
    size = tr("{change} ({share})", change=by, share=share) if share else by
    said = tr("{run} changes the mean of {measure} by {size}, compared with {other}.", run=pair.run_name,
              other=pair.other_name, measure=usual_name(measure), size=size)  # fmt: skip
    if pair.chosen or math.isnan(change.low) or math.isinf(change.low):
        return said
    _, low, high = change.shown
    ends = change.ends if pair.geometric else interval(signed_quantity(low), signed_quantity(high))
    if answer.simultaneous is None:
        return tr("{sentence} The {level} interval of this change is {ends}.", sentence=said, ends=ends,
                  level=level_text(pair.interval.level))  # fmt: skip
    if answer.both_chosen:
        return tr(
            "{sentence} Both were chosen as the best of {n}: for runs so chosen the {level} interval of the change is "
            "{ends}.",
            sentence=said, ends=ends, level=level_text(pair.interval.level), n=answer.chosen_among,
        )  # fmt: skip
    return tr(
        "{sentence} It was chosen as the best of {n}: for a run so chosen the {level} interval of the change is "
        "{ends}.",
        sentence=said, ends=ends, level=level_text(pair.interval.level), n=answer.chosen_among,
    )  # fmt: skip


def test_sentence(pair: RunComparison) -> str:
    """Return what counts as shown; "" where the queries were chosen by the results, so that nothing does."""
    if pair.chosen:
        return ""
    test = pair.decision
    if test.comparisons > 1 and test.correction:
        return trn(
            "A difference counts as shown where the {test} gives p below {alpha}, after the {correction} correction "
            "for {n:,} comparison.",
            "A difference counts as shown where the {test} gives p below {alpha}, after the {correction} correction "
            "for {n:,} comparisons.",
            test.comparisons, test=test.title, alpha=alpha_text(pair.alpha), correction=test.correction,
        )  # fmt: skip
    return tr("A difference counts as shown where the {test} gives p below {alpha}.", test=test.title,
              alpha=alpha_text(pair.alpha))  # fmt: skip


def systems(
    answer: Headline, measure: Measure, compared: ComparisonTable, bound: BoundProtocol, runs: Collection[str]
) -> ReportSection:
    """Return the comparisons of the runs by the primary measure, below what it means and what the answer found."""
    view = comparison.tables(comparison.compared(replace(compared, protocol=bound)), bound)
    first = replace(of_runs(view.table("comparison"), runs), notes=()).groups()[0]
    sentences = (
        in_plain_words(measure), change_sentence(answer, measure), test_sentence(answer.pair), answer.pair.remark,
    )  # fmt: skip
    title = tr("What was compared")
    return ReportSection(
        title, (_fewer(first, SYSTEMS, title, _base(bound)),), tuple(filter(None, sentences)), name="systems"
    )  # fmt: skip


def by_slices(compared: slices.Slices, answer: Headline, bound: BoundProtocol) -> ReportSection:
    """Return the comparison of the runs of an answer by slices of the queries, as they are among those of all runs."""
    table = slices.tables(compared, bound).table("slices")
    pair = {answer.pair.run_name, answer.pair.other_name}
    ends = zip(table.column("run").values, table.column("against").values, strict=True)
    table = table.rows([row for row, names in enumerate(ends) if {*names} == pair])
    table = replace(table, notes=tuple(note for note in table.notes if note.warns))
    title = tr("{run} by kinds of queries", run=answer.pair.run_name)
    sentence = tr("These comparisons are exploratory: they show where to look, and decide nothing.")
    return ReportSection(title, (_fewer(table, SLICES, title, _base(bound)),), (sentence,), name="slices")


def _fewer(table: Table, keys: Sequence[str], title: str, base: str | None) -> Table:
    """Return a table with some of its columns, in this order, under titles for readers outside the field. ``base`` is
    the baseline, None where all pairs are compared. What decides on arrows stays, unseen."""
    known = {column.key: column for column in table.columns}
    columns = []
    for column in (known[key] for key in keys if key in known):
        shown = TITLES.get(column.key, column.title)
        if column.key in BASE:
            shown = base or tr("other's mean")
        # Of measures by signs there are no differences, and of one baseline nobody needs to read its name in each row.
        hidden = column.show.detail and column.key not in (*BASE, "mean", "outcome")
        columns.append(replace(column, title=shown).told(detail=hidden, titles=()))
    columns.append(known["p_corrected"].told(detail=True))
    group = table.group if table.group in keys else ""
    return replace(table, title=title, columns=tuple(columns), provenance=None, group=group, opens="")
