"""The table of the Systems screen: the columns of the view ``systems``, with what only the window shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.systems import UNTESTED, SystemsViewModel
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Mark, Status, Table
from irviewer.translation import tr
from irviewer.views.keys import data_keys

FEW_JUDGED = 0.8
"""Below this share of judged documents values may be too low."""
REVERSIBLE = tr("Judging the unjudged documents could reverse this difference; see Compare › Pool.")


def reached_tip(measure: str) -> str:
    """The tooltip of the column "reached"."""
    return tr("Share of the run's queries on which {measure} is reached", measure=measure)


def no_mean(measure: str) -> str:
    """Why a run has no mean."""
    return tr(
        "No mean: {measure} is not reached on every query, and leaving those queries out would favour the run.",
        measure=measure,
    )


def systems_table_of(view_model: SystemsViewModel, pending: frozenset[str] = frozenset()) -> Table:
    """Return the table of a view model as the view ``systems`` describes it, in the order of its rows, with rank, share
    of judged documents, and the queries won in words. ``pending`` are the keys of columns that are still computed."""
    from irviewer.views.attributes import run_attribute_column
    from irviewer.views.systems import mean_interval_column, run_column

    names = [label.whole_name or label.name for label in view_model.runs]
    own = [run_column(names, tip=tr("Runs of this collection")), *_beside(view_model), *_of_difference(view_model)]
    measures, statistics = view_model.columns, view_model.statistics
    keys = data_keys([*(each.measure for each in measures), *(each.name for each in view_model.attributes)], own)
    for place, (key, entry) in enumerate(zip(keys, measures, strict=False)):
        own.append(_mean(view_model, place, key))
        if entry.chosen and statistics is not None:
            low, high = statistics.mean_low, statistics.mean_high
            own.append(mean_interval_column(low, high, statistics.confidence, key))
    missing = tr("The run has no value of this attribute.")
    for key, each in zip(keys[len(measures) :], view_model.attributes, strict=True):
        texts = [text or None for text in each.texts]
        own.append(run_attribute_column(key, each.name, texts, each.numbers, written=True, missing=missing))
    status = Status.of(*(Status.WEAK if label.left_out else Status.PLAIN for label in view_model.runs))
    return Table(
        "systems", view_model.title, tuple(own), marks=_marks(view_model), opens="run", pending=pending,
        status=status if status.any() else None,
    )  # fmt: skip


def _mean(view_model: SystemsViewModel, place: int, key: str) -> Column:
    from irviewer.views.systems import mean_column

    entry = view_model.columns[place]
    lacks = not entry.higher_is_better or (entry.chosen and view_model.reached is not None)
    undefined = tr("No value: {measure} is defined for none of the run's queries.", measure=entry.measure)
    return mean_column(
        key, entry.label, view_model.means[:, place], counts=entry.counts, better_up=entry.higher_is_better,
        best=view_model.best[:, place].tolist(), tip=entry.tooltip,
        missing=no_mean(entry.measure) if lacks else undefined,
    )  # fmt: skip


def _beside(view_model: SystemsViewModel) -> list[Column]:
    """Return the columns beside the means: rank, share of queries reached, weighted mean, share of judged documents."""
    from irviewer.views.systems import reached_column, weighted_column

    columns: list[Column] = []
    chosen = next((entry for entry in view_model.columns if entry.chosen), None)
    measure = "" if chosen is None else chosen.measure
    if view_model.ranks:
        tip = tr("Rank by the measure in view; equal means share a rank")
        columns.append(column.text("rank", tr("rank"), view_model.ranks, tip=tip))
    if view_model.reached is not None:
        columns.append(reached_column(view_model.reached, tip=reached_tip(measure)))
    if view_model.weighted is not None:
        tip = tr("Mean of {measure}, weighted by {weights}", measure=measure, weights=view_model.weighted_by)
        columns.append(weighted_column(
            view_model.weighted, tip=tip, missing=tr("No value: no query of this run has a weight."),
            better_up=chosen is None or chosen.higher_is_better,
        ))  # fmt: skip
    if view_model.judged is not None:
        title = tr("judged@{cutoff}", cutoff=view_model.cutoff)
        columns.append(column.share("judged", title, view_model.judged, tip=judged_tip()))
    return columns


def judged_tip() -> str:
    """The tooltip of the share of judged documents."""
    return tr(
        "Mean share of judged documents down to the cutoff. ⚠ below {least} %: unjudged documents count as "
        "non-relevant, so that the values may be too low.",
        least=f"{100 * FEW_JUDGED:.0f}",
    )  # fmt: skip


def _of_difference(view_model: SystemsViewModel) -> list[Column]:
    """Return the columns of the differences to the baseline, and of what the tests show of them."""
    from irviewer.views.pairs import change_column, corrected_column
    from irviewer.views.systems import first_column, group_column

    size = len(view_model.runs)
    statistics = view_model.statistics
    unknown = np.full(size, np.nan)
    chosen = next((entry for entry in view_model.columns if entry.chosen), None)
    stars = [label.baseline for label in view_model.runs]
    meaning = (
        tr("Geometric mean of the run divided by that of the baseline ★, over the queries that both have")
        if view_model.ratio
        else tr("Mean of the run minus mean of the baseline ★, over the queries that both have")
    )
    arrows = tr("Filled arrow: the test shows a difference. Hollow and grey: it does not.")
    counts = chosen is not None and chosen.counts
    change, interval = change_column(
        view_model.delta, unknown if statistics is None else statistics.low,
        unknown if statistics is None else statistics.high, geometric=view_model.ratio,
        level=LEVEL if statistics is None else statistics.confidence,
        proves=True if statistics is None else statistics.shown.tolist(),
        better_up=chosen is None or chosen.higher_is_better, explained=True, tip=f"{meaning}\n{arrows}",
        texts=[_instead(label) for label in view_model.runs], whole=counts,
        missing=tr("No difference: the run has no value.") if any(stars)
        else tr("No difference: no run is the baseline."),
        titles=(view_model.delta_label.split(" ")[0],),
    )  # fmt: skip
    in_common = view_model.in_common
    change = replace(change, title=view_model.delta_label, tips=in_common.__getitem__ if in_common else None)
    if statistics is None:
        return [change, interval, corrected_column(unknown, UNTESTED)]
    said = statistics.conclusions.__getitem__
    p = corrected_column(statistics.p, statistics.family, proves=statistics.shown.tolist())
    words = tr("better · equal · worse")
    columns = [
        change,
        replace(interval, title=statistics.interval_title, tip=statistics.interval_tip, tips=said),
        replace(p, title=statistics.p_title, tip=statistics.p_tip, tips=said).told(
            titles=(statistics.p_title.split(",")[0].split(" (")[0],)),
        column.text(
            "outcomes", words, statistics.outcomes, tips=said, titles=("+ · = · −",),
            tip=tr("Number of queries on which the run is better than, equal to and worse than the baseline"),
        ),
    ]  # fmt: skip
    if statistics.letters is not None:
        columns.append(group_column(statistics.letters, statistics.letters_tip))
    if statistics.first is not None:
        columns.append(first_column(statistics.first))
    return columns


def _instead(label: RunLabel) -> str | None:
    """Return what a run has in place of a difference; None for one that is compared."""
    if label.baseline:
        return tr("baseline")
    return tr("left out") if label.left_out else None


def _marks(view_model: SystemsViewModel) -> dict[tuple[int, str], Mark]:
    """Return the marks of differences that judging could reverse, and of shares of judged documents that are low."""
    change = "ratio" if view_model.ratio else "difference"
    reversible = Mark("reversible", "†", REVERSIBLE)
    marks = {
        (row, change): reversible
        for row, label in enumerate(view_model.runs) if label.key in view_model.open_to_judging
    }  # fmt: skip
    if view_model.judged is not None:
        few = Mark("few_judged", "⚠", judged_tip())
        marks |= {(int(row), "judged"): few for row in np.flatnonzero(view_model.judged < FEW_JUDGED)}
    return marks
