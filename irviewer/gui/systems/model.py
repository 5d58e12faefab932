"""The columns of the Systems table: run, measures, difference to the baseline, statistics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.gui.tables.model import (
    AttributeNumbers,
    Column,
    DeltaColumn,
    NumberColumn,
    RunColumn,
    TableModel,
    TextColumn,
)
from irviewer.gui.tables.statistics_columns import IntervalColumn, JudgedColumn, PColumn, ShareColumn, WordsColumn
from irviewer.model.arrays import Floats
from irviewer.session.view_models.systems import (
    ATTRIBUTE,
    MeasureColumn,
    RunAttributeColumn,
    SystemsStatistics,
    SystemsViewModel,
)
from irviewer.translation import decimal, tr

RUN = "run"
DELTA_ID = "delta"
WEIGHTED = "weighted"
REACHED = "reached"
RANK, JUDGED = "rank", "judged"
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


def whiskers(means: Floats, statistics: SystemsStatistics) -> Floats:
    """Return the intervals of the means on a common axis from the lowest to the highest end, float64[3, R]."""
    low, high = np.nanmin(statistics.mean_low, initial=np.inf), np.nanmax(statistics.mean_high, initial=-np.inf)
    if not high > low:
        return np.full((3, len(means)), np.nan)
    return np.stack([(ends - low) / (high - low) for ends in (statistics.mean_low, means, statistics.mean_high)])


def statistics_columns(view_model: SystemsViewModel) -> list[Column]:
    """Return the statistics of the selected measure as columns, in the order of STATISTICS."""
    statistics = view_model.statistics
    assert statistics is not None
    end = decimal(f"{math.exp(statistics.scale):g}" if view_model.ratio else f"{statistics.scale:g}".removeprefix("0"))
    ends = f" (÷{end} … ×{end})" if view_model.ratio else f" (−{end} … +{end})"
    ends = ends if statistics.scale > 0 else ""  # with one query or no difference there is no axis
    columns: list[Column] = [
        IntervalColumn(
            "interval", f"{statistics.interval_title}{ends}", statistics.low, view_model.delta, statistics.high,
            statistics.scale, statistics.interval_tip, tips=statistics.conclusions, ratios=view_model.ratio,
        ),
        PColumn("p", statistics.p_title, statistics.p, statistics.p_tip, below=statistics.shown,
                tips=statistics.conclusions),
        WordsColumn(
            "outcomes", tr("better · equal · worse"), statistics.outcomes,
            tr("Number of queries on which the run is better than, equal to and worse than the baseline"),
            tips=statistics.conclusions,
        ),
    ]  # fmt: skip
    columns[-1].titles = (columns[-1].title, "+ · = · −")  # if the columns are narrow
    if statistics.letters is not None:
        tip = statistics.letters_tip
        tips = [f"{letters}\n{tip}" if letters else tip for letters in statistics.letters]
        ranges = [in_ranges(letters) for letters in statistics.letters]
        columns.append(WordsColumn("group", tr("group"), ranges, tip, tips=tips))
    if statistics.first is not None:
        tip = tr("How often the run has the best mean when the queries are resampled with replacement")
        columns.append(ShareColumn("first", tr("1st"), statistics.first, tip))
    return columns


def awaited(statistics: SystemsStatistics | None, former: SystemsStatistics, size: int) -> SystemsStatistics:
    """Return the statistics of ``size`` runs, with empty cells for what the former ones had and is still computed."""
    nothing, silent = np.full(size, np.nan), ("",) * size
    if statistics is None:
        statistics = replace(
            former, low=nothing, high=nothing, p=nothing, shown=np.zeros(size, np.bool_), outcomes=silent,
            conclusions=silent, mean_low=nothing, mean_high=nothing, letters=None, first=None,
            looked_at=(), warnings=(),
        )  # fmt: skip
    letters = silent if statistics.letters is None and former.letters is not None else statistics.letters
    first = nothing if statistics.first is None and former.first is not None else statistics.first
    return replace(statistics, letters=letters, first=first)


def weighted_column(view_model: SystemsViewModel, measure_column: MeasureColumn) -> Column:
    """Return the column of the selected measure's weighted mean."""
    assert view_model.weighted is not None
    return NumberColumn(
        WEIGHTED,
        tr("weighted"),
        view_model.weighted,
        tr("Mean of {measure}, weighted by {weights}", measure=measure_column.measure, weights=view_model.weighted_by),
        missing=tr("No value: no query of this run has a weight."),
        descending_first=measure_column.higher_is_better,
    )


def _attribute(column: RunAttributeColumn) -> Column:
    if column.numbers is not None:
        missing = tr("The run has no value of this attribute.")
        return AttributeNumbers(
            f"{ATTRIBUTE}{column.name}", column.name, column.numbers, column.texts, column.name, missing
        )
    return TextColumn(f"{ATTRIBUTE}{column.name}", column.name, column.texts, column.name, widest=120)


class SystemsModel(TableModel):
    """Runs x measures of a :class:`SystemsViewModel`. The keys of the rows are those of the runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._statistics: SystemsStatistics | None = None
        self._longest: dict[str, str] = {}

    def set_view_model(self, view_model: SystemsViewModel) -> None:
        """Show a view model. Columns whose values are still computed stay, empty, so that columns do not come and go
        with every edit."""
        if view_model.pending and self._statistics is not None:
            view_model = replace(
                view_model, statistics=awaited(view_model.statistics, self._statistics, len(view_model.runs))
            )
        self._statistics = view_model.statistics
        selected = next((entry for entry in view_model.columns if entry.chosen), None)
        columns: list[Column] = []
        if view_model.ranks and RANK not in view_model.hidden:
            tip = tr("Rank by the measure in view; equal means share a rank")
            columns.append(WordsColumn(RANK, tr("rank"), view_model.ranks, tip))
        columns.append(RunColumn(RUN, tr("run"), view_model.runs, tr("Runs of this collection")))
        columns += map(_attribute, view_model.attributes)
        for position, entry in enumerate(view_model.columns):
            column = NumberColumn(
                entry.measure,
                entry.label,
                view_model.means[:, position],
                entry.tooltip,
                heat=view_model.heat[:, position],
                best=view_model.best[:, position],
                counts=entry.counts,
                missing=tr("No value: {measure} is defined for none of the run's queries.", measure=entry.measure)
                if entry.higher_is_better
                else no_mean(entry.measure),
                descending_first=entry.higher_is_better,
            )
            column.chosen = entry.chosen
            if entry.chosen and view_model.statistics is not None:
                column.whiskers = whiskers(view_model.means[:, position], view_model.statistics)
            columns.append(column)
            if entry.chosen and view_model.reached is not None:
                column.missing = no_mean(entry.measure)
                if REACHED not in view_model.hidden:
                    columns.append(ShareColumn(REACHED, tr("reached"), view_model.reached, reached_tip(entry.measure)))
            if entry.chosen and view_model.weighted is not None and WEIGHTED not in view_model.hidden:
                columns.append(weighted_column(view_model, entry))
        if view_model.judged is not None and JUDGED not in view_model.hidden:
            columns.append(JudgedColumn(JUDGED, tr("judged@{cutoff}", cutoff=view_model.cutoff), view_model.judged))
        baseline = next((position for position, label in enumerate(view_model.runs) if label.baseline), -1)
        reversible = [
            position for position, label in enumerate(view_model.runs) if label.key in view_model.open_to_judging
        ]
        difference = DeltaColumn(
            DELTA_ID,
            view_model.delta_label,
            view_model.delta,
            "\n".join(
                (
                    tr("Geometric mean of the run divided by that of the baseline ★, over the queries that both have")
                    if view_model.ratio
                    else tr("Mean of the run minus mean of the baseline ★, over the queries that both have"),
                    tr("Filled arrow: the test shows a difference. Hollow and grey: it does not."),
                )
            ),
            words={} if baseline < 0 else {baseline: tr("baseline")},
            notes=view_model.in_common,
            missing=tr("No difference: the run has no value.")
            if baseline >= 0
            else tr("No difference: no run is the baseline."),
            better_up=selected is None or selected.higher_is_better,
            counts=selected is not None and selected.counts,
            marks=dict.fromkeys(reversible, REVERSIBLE),
            ratios=view_model.ratio,
            shown=np.zeros(len(view_model.runs), np.bool_)
            if view_model.statistics is None
            else view_model.statistics.shown,
        )
        difference.titles = (
            view_model.delta_label,
            view_model.delta_label.split(" ")[0],
        )  # the column of the selected measure names it
        columns.append(difference)
        if view_model.statistics is not None:
            visible = [column for column in statistics_columns(view_model) if column.id not in view_model.hidden]
            self._keep_room(visible, len(view_model.runs), view_model.pending)
            columns += visible
        self.awaiting = view_model.pending
        self.show(tuple(columns), [label.key for label in view_model.runs], view_model.sort)

    def _keep_room(self, columns: list[Column], rows: int, pending: bool) -> None:
        """Keep columns whose values are still computed as wide as before."""
        for column in columns:
            longest = max((column.text(row) for row in range(rows)), key=len, default="")
            if pending:
                longest = max(longest, self._longest.get(column.id, ""), key=len)
            self._longest[column.id] = column.longest = longest
