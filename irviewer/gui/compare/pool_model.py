"""The Pool table's columns: a run, what it found alone, what of it is open, and what judging that could change."""

from __future__ import annotations

import math

from irviewer.gui.systems.statistics_columns import IntervalColumn, WordsColumn
from irviewer.gui.tables.model import NOTHING, Column, NumberColumn, RunColumn, TableModel
from irviewer.model.arrays import Floats
from irviewer.model.number_text import MINUS, limit
from irviewer.session.view_models.pool import PoolViewModel


class SpanColumn(IntervalColumn):
    """Intervals around a mean, all drawn on one axis from its left end to its right one; ``words`` stand in the place
    of those that there are not."""

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
        at = next((place for place, label in enumerate(view_model.runs) if label.baseline), -1)
        self.behind = (math.nan, math.nan, math.nan) if at < 0 else self.ends(at)
        """The baseline's low end, mean and high end."""

    def text(self, row: int) -> str:
        return self.words or super().text(row)

    def ends(self, row: int) -> tuple[float, float, float]:
        """Low end, mean, high end as shares of the axis, 0..1."""
        if self.words or not self.scale > 0:
            return math.nan, math.nan, math.nan
        low, middle, high = ((float(one.item(row)) - self._least) / self.scale for one in self._three())
        return low, middle, high

    def _three(self) -> tuple[Floats, Floats, Floats]:
        return self.low, self.middle, self.high


class StepColumn(NumberColumn):
    """By how many places a rank changes: 2 ↓, 1 ↑, and nothing where it stays."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return "=" if not number else f"{abs(number):.0f} {'↓' if number > 0 else '↑'}"


class SignedColumn(NumberColumn):
    """Small differences with their sign."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return "=" if abs(number) < 0.00005 else f"{number:+.4f}".replace("-", MINUS)


class PercentColumn(NumberColumn):
    """Shares 0..1 as per cent, to a tenth where they are small."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return f"{100 * number:.1f} %" if 0 < number < 0.1 else f"{100 * number:.0f} %"


class PoolModel(TableModel):
    """Runs over a :class:`PoolViewModel`; the keys of its rows are the runs' keys."""

    def set_view_model(self, view_model: PoolViewModel) -> None:
        """Show another view model."""
        least, most = (f"{end:.4g}" for end in view_model.axis)
        bounded = not view_model.words
        end = f" ({least} … {most})" if bounded and view_model.axis[1] > view_model.axis[0] else ""
        said = (
            f"between what {view_model.measure} could be, whatever grades its unjudged documents had; documents that "
            "were "
            "not retrieved stay as they are. The dot is the mean as it stands, dotted lines are the interval of ★: "
            "where two overlap, † says whether judging could turn the runs round, as a document that both return has "
            "one grade"
        )
        columns: list[Column] = [
            RunColumn("run", "run", view_model.runs, "the runs of this collection"),
            NumberColumn("unique", "unique", view_model.unique, "relevant documents that no other run returned",
                         counts=True),
            PercentColumn("unique_share", "of found", view_model.unique_share,
                          "unique documents as a share of the relevant ones that the run returned"),
            PercentColumn("opened", f"unj@{view_model.cutoff}", view_model.opened,
                          f"unjudged documents among the first {view_model.cutoff}, mean over queries"),
            PercentColumn("opened_all", "unj", view_model.opened_all, "unjudged documents in the whole list"),
            SignedColumn("change", "left out", view_model.changes,
                         f"by how much the run's mean {view_model.measure} changes without the judgments that it alone "
                         "brought into the pool", missing="being computed"),
            StepColumn("rank", "rank", view_model.rank_changes,
                       "by how many places the run falls or rises without the judgments that it alone brought",
                       missing="being computed"),
            NumberColumn("residual", "RBP residual", view_model.residuals,
                         f"the weight of rank-biased precision (p = {limit(view_model.persistence)}) that is unjudged, "
                         "mean "
                         "over queries", descending_first=False),
        ]  # fmt: skip
        if bounded:
            columns.append(
                NumberColumn("low", "least", view_model.low, f"the least that {view_model.measure} could be")
            )
        columns.append(SpanColumn(view_model, f"{view_model.measure_label}{end}", said))
        if bounded:
            columns.append(
                NumberColumn("high", "greatest", view_model.high, f"the greatest that {view_model.measure} could be")
            )
            columns.append(WordsColumn("mark", "†", view_model.marks, "could turn the difference from ★ round",
                                       tips=view_model.tips))  # fmt: skip
        shown = frozenset(place for place, label in enumerate(view_model.runs) if label.shown)
        self.show(tuple(columns), [label.key for label in view_model.runs], view_model.sort, shown)
