"""The Systems table's columns: a run, its measures, its difference from the baseline."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.gui.systems.statistics_columns import IntervalColumn, PColumn, ShareColumn, WordsColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, RunColumn, TableModel
from irviewer.model.arrays import Floats
from irviewer.session.view_models.systems import MeasureColumn, SystemsStatistics, SystemsViewModel

RUN = "run"
DELTA_ID = "delta"
WEIGHTED = "weighted"
REACHED = "reached"
REACHED_TOLD = "the share of the queries that count for the run on which {} is reached"
NO_MEAN = "no mean: {} is not reached on every query, and leaving those out would flatter the run"
TURNED = "judging the unjudged documents could turn it round: Compare, Pool shows by how much"


def whiskers(means: Floats, found: SystemsStatistics) -> Floats:
    """float64[3, R]: the intervals of the means, on one axis from the lowest end to the highest."""
    low, high = np.nanmin(found.mean_low, initial=np.inf), np.nanmax(found.mean_high, initial=-np.inf)
    if not high > low:
        return np.full((3, len(means)), np.nan)
    return np.stack([(ends - low) / (high - low) for ends in (found.mean_low, means, found.mean_high)])


def statistics_columns(view_model: SystemsViewModel) -> list[Column]:
    """The statistics of the chosen measure as columns, by the names of STATISTICS."""
    found = view_model.statistics
    assert found is not None
    end = f"{math.exp(found.scale):g}" if view_model.ratio else f"{found.scale:g}".removeprefix("0")
    ends = f" (÷{end} … ×{end})" if view_model.ratio else f" (−{end} … +{end})"
    ends = ends if found.scale > 0 else ""  # one query, or no difference, has no axis
    columns: list[Column] = [
        IntervalColumn(
            "interval", f"{found.interval_title}{ends}", found.low, view_model.delta, found.high, found.scale,
            found.interval_tip, tips=found.verdicts, ratios=view_model.ratio,
        ),
        PColumn("p", found.p_title, found.p, found.p_tip, below=found.shown, tips=found.verdicts),
        WordsColumn(
            "outcomes", "better · equal · worse", found.outcomes, "queries on which the run is better, equal, worse",
            tips=found.verdicts,
        ),
    ]  # fmt: skip
    columns[-1].titles = (columns[-1].title, "+ · = · −")  # where the columns have little room
    if found.letters is not None:
        told = found.letters_tip
        tips = [f"{own}\n{told}" if own else told for own in found.letters]
        columns.append(WordsColumn("group", "group", [in_ranges(own) for own in found.letters], told, tips=tips))
    if found.first is not None:
        told = "how often the run's mean is the best of all when the queries are drawn again with replacement"
        columns.append(ShareColumn("first", "1st", found.first, told))
    return columns


def awaited(found: SystemsStatistics | None, former: SystemsStatistics, size: int) -> SystemsStatistics:
    """What there is of the statistics of ``size`` runs, and nothing where the former ones had what is to come."""
    nothing, silent = np.full(size, np.nan), ("",) * size
    if found is None:
        found = replace(
            former, low=nothing, high=nothing, p=nothing, shown=np.zeros(size, np.bool_), outcomes=silent,
            verdicts=silent, mean_low=nothing, mean_high=nothing, letters=None, first=None, looked_at=(), warnings=(),
        )  # fmt: skip
    letters = silent if found.letters is None and former.letters is not None else found.letters
    first = nothing if found.first is None and former.first is not None else found.first
    return replace(found, letters=letters, first=first)


def weighted_column(view_model: SystemsViewModel, one: MeasureColumn) -> Column:
    """The chosen measure's weighted mean, to stand beside the plain one."""
    assert view_model.weighted is not None
    return NumberColumn(
        WEIGHTED,
        "weighted",
        view_model.weighted,
        f"the mean of {one.measure} in which a query counts by its weight ({view_model.weighted_by})",
        missing="no value: no query of this run has a weight",
        descending_first=one.higher_is_better,
    )


class SystemsModel(TableModel):
    """Runs x measures over a :class:`SystemsViewModel`; the keys of its rows are the runs' keys."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._statistics: SystemsStatistics | None = None
        self._longest: dict[str, str] = {}

    def set_view_model(self, view_model: SystemsViewModel) -> None:
        """Show another view model. Columns whose numbers are still to come stay, empty: a table whose columns come and
        go with every edit cannot be read."""
        if view_model.pending and self._statistics is not None:
            view_model = replace(
                view_model, statistics=awaited(view_model.statistics, self._statistics, len(view_model.runs))
            )
        self._statistics = view_model.statistics
        chosen = next((one for one in view_model.columns if one.chosen), None)
        columns: list[Column] = [RunColumn(RUN, "run", view_model.runs, "the runs of this collection")]
        for place, one in enumerate(view_model.columns):
            column = NumberColumn(
                one.measure,
                one.label,
                view_model.means[:, place],
                one.tooltip,
                heat=view_model.heat[:, place],
                best=view_model.best[:, place],
                counts=one.counts,
                missing=f"no value: {one.measure} is defined for none of this run's queries"
                if one.higher_is_better
                else NO_MEAN.format(one.measure),
                descending_first=one.higher_is_better,
            )
            column.chosen = one.chosen
            if one.chosen and view_model.statistics is not None:
                column.whiskers = whiskers(view_model.means[:, place], view_model.statistics)
            columns.append(column)
            if one.chosen and view_model.reached is not None:
                column.missing = NO_MEAN.format(one.measure)
                if REACHED not in view_model.hidden:
                    columns.append(
                        ShareColumn(REACHED, "reached", view_model.reached, REACHED_TOLD.format(one.measure))
                    )
            if one.chosen and view_model.weighted is not None and WEIGHTED not in view_model.hidden:
                columns.append(weighted_column(view_model, one))
        baseline = next((place for place, label in enumerate(view_model.runs) if label.baseline), -1)
        turned = [place for place, label in enumerate(view_model.runs) if label.key in view_model.open_to_judging]
        difference = DeltaColumn(
            DELTA_ID,
            view_model.delta_label,
            view_model.delta,
            "ratio of the geometric means, the run over the baseline ★"
            if view_model.ratio
            else "difference of the means, the run minus the baseline ★",
            words={} if baseline < 0 else {baseline: "baseline"},
            missing="no difference: " + ("the run has no value" if baseline >= 0 else "no run is the baseline"),
            better_up=chosen is None or chosen.higher_is_better,
            counts=chosen is not None and chosen.counts,
            marks=dict.fromkeys(turned, TURNED),
            ratios=view_model.ratio,
        )
        difference.titles = (
            view_model.delta_label,
            view_model.delta_label.split(" ")[0],
        )  # the chosen measure's own column says of what
        columns.append(difference)
        if view_model.statistics is not None:
            told = [column for column in statistics_columns(view_model) if column.id not in view_model.hidden]
            self._keep_room(told, len(view_model.runs), view_model.pending)
            columns += told
        self.awaiting = view_model.pending
        shown = frozenset(place for place, label in enumerate(view_model.runs) if label.shown)
        self.show(tuple(columns), [label.key for label in view_model.runs], view_model.sort, shown)

    def _keep_room(self, columns: list[Column], rows: int, pending: bool) -> None:
        """Have columns whose numbers are still to come be as wide as those that stood there."""
        for column in columns:
            longest = max((column.text(row) for row in range(rows)), key=len, default="")
            if pending:
                longest = max(longest, self._longest.get(column.id, ""), key=len)
            self._longest[column.id] = column.longest = longest
