"""The columns of the Pool table: what each run contributed, what is unjudged, and what judging it could change."""

from __future__ import annotations

import math

from irviewer.gui.systems.statistics_columns import IntervalColumn, WordsColumn
from irviewer.gui.tables.model import NOTHING, Column, NumberColumn, RunColumn, TableModel
from irviewer.model.arrays import Floats
from irviewer.model.number_text import MINUS, limit
from irviewer.session.view_models.pool import PoolViewModel
from irviewer.translation import decimal, tr


class SpanColumn(IntervalColumn):
    """Intervals around a mean on a common axis; ``words`` are shown if there are no intervals."""

    def __init__(self, view_model: PoolViewModel, title: str, tooltip: str) -> None:
        least, most = view_model.axis
        self.words = view_model.words
        super().__init__(
            "interval",
            title,
            view_model.low,
            view_model.values,
            view_model.high,
            most - least,
            tooltip,
            tips=view_model.tips,
        )
        self._least = least
        at = next((position for position, label in enumerate(view_model.runs) if label.baseline), -1)
        self.behind = (math.nan, math.nan, math.nan) if at < 0 else self.ends(at)
        """The baseline's low end, mean and high end."""

    def text(self, row: int) -> str:
        return self.words or super().text(row)

    def ends(self, row: int) -> tuple[float, float, float]:
        """Low end, mean, high end as shares of the axis, 0..1."""
        if self.words or not self.scale > 0:
            return math.nan, math.nan, math.nan
        low, middle, high = ((float(ends.item(row)) - self._least) / self.scale for ends in self._three())
        return low, middle, high

    def _three(self) -> tuple[Floats, Floats, Floats]:
        return self.low, self.middle, self.high


class StepColumn(NumberColumn):
    """Changes of rank: 2 ↓, 1 ↑, and = for none."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return "=" if not number else f"{abs(number):.0f} {'↓' if number > 0 else '↑'}"


class SignedColumn(NumberColumn):
    """Small differences with a sign."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return "=" if abs(number) < 0.00005 else decimal(f"{number:+.4f}".replace("-", MINUS))


class PercentColumn(NumberColumn):
    """Shares 0..1 as per cent, small ones to a tenth."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return decimal(f"{100 * number:.1f} %" if 0 < number < 0.1 else f"{100 * number:.0f} %")


class PoolModel(TableModel):
    """The runs of a :class:`PoolViewModel`. The keys of the rows are those of the runs."""

    def set_view_model(self, view_model: PoolViewModel) -> None:
        """Show a view model."""
        least, most = (decimal(f"{end:.4g}") for end in view_model.axis)
        bounded = not view_model.words
        title = view_model.measure_label
        if bounded and view_model.axis[1] > view_model.axis[0]:
            title = tr("{title} ({least} … {most})", title=title, least=least, most=most)
        measure = view_model.measure
        tip = tr(
            "The range of possible means of {measure}, over all grades that its unjudged documents could have; "
            "documents that were not retrieved stay as they are. The dot is the current mean, dotted lines are the "
            "range of ★. Where two ranges overlap, † says whether judging could reverse the order of the runs, since "
            "a document that both return has one grade.",
            measure=measure,
        )
        computing = tr("Computing …")
        columns: list[Column] = [
            RunColumn("run", tr("run"), view_model.runs, tr("Runs of this collection")),
            NumberColumn("unique", tr("unique"), view_model.unique,
                         tr("Number of relevant documents that no other run returned"), counts=True),
            PercentColumn("unique_share", tr("% unique"), view_model.unique_share,
                          tr("Unique documents as a share of the relevant documents that the run returned")),
            PercentColumn("opened", f"unj@{view_model.cutoff}", view_model.opened,
                          tr("Share of unjudged documents among the first {cutoff}, mean over queries",
                             cutoff=view_model.cutoff)),
            PercentColumn("opened_all", "unj", view_model.opened_all,
                          tr("Share of unjudged documents in the whole ranking, mean over queries")),
            SignedColumn("change", tr("left out"), view_model.changes,
                         tr("Change of the run's mean {measure} without the judgments that only this run contributed "
                            "to the pool", measure=measure), missing=computing),
            StepColumn("rank", tr("rank"), view_model.rank_changes,
                       tr("Change of the run's rank among the runs without the judgments that only it contributed"),
                       missing=computing),
            NumberColumn("residual", tr("RBP residual"), view_model.residuals,
                         tr("Weight of unjudged documents in rank-biased precision (p = {p}), mean over queries",
                            p=limit(view_model.persistence)), descending_first=False),
        ]  # fmt: skip
        if bounded:
            columns.append(
                NumberColumn(
                    "low", tr("lowest"), view_model.low, tr("The lowest possible mean of {measure}", measure=measure)
                )
            )
        columns.append(SpanColumn(view_model, title, tip))
        if bounded:
            columns.append(
                NumberColumn(
                    "high",
                    tr("highest"),
                    view_model.high,
                    tr("The highest possible mean of {measure}", measure=measure),
                )
            )
            columns.append(WordsColumn("mark", "†", view_model.marks,
                                       tr("Judging could reverse the difference to ★"),
                                       tips=view_model.tips))  # fmt: skip
        shown = frozenset(position for position, label in enumerate(view_model.runs) if label.shown)
        self.show(tuple(columns), [label.key for label in view_model.runs], view_model.sort, shown)
