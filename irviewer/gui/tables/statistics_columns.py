"""Columns of statistics: intervals that are drawn, p-values, words such as how many queries were won.

Formats and nothing else; knows no widget."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.gui.tables.model import NOTHING, Column, NumberColumn, TextColumn
from irviewer.model.arrays import Bools, Floats
from irviewer.model.number_text import p_value, quantity, times
from irviewer.translation import decimal, interval, tr

FEW_JUDGED = 0.8
"""Below this share of judged documents values may be too low."""


class IntervalColumn(Column):
    """Intervals float64[n] around a difference, drawn on an axis from ``-scale`` to ``scale``; NaN leaves the axis
    alone. ``better_up``: to the right is the better side. With ``ratios`` all are natural logarithms of ratios, which
    are written."""

    right = False
    drawn = True
    descending_first = True

    def __init__(
        self,
        name: str,
        title: str,
        low: Floats,
        middle: Floats,
        high: Floats,
        scale: float,
        tooltip: str = "",
        *,
        tips: Sequence[str] = (),
        ratios: bool = False,
    ) -> None:
        super().__init__(name, title, tooltip)
        self.ratios = ratios
        self.low = low
        self.middle = middle
        self.high = high
        self.scale = scale
        self.tips = tips
        self.titles = (title, title.split(" (")[0])

    def text(self, row: int) -> str:
        low, high = float(self.low.item(row)), float(self.high.item(row))
        return NOTHING if math.isnan(low) or math.isnan(high) else interval(self._written(low), self._written(high))

    def value(self, row: int) -> str | None:
        low, high = float(self.low.item(row)), float(self.high.item(row))
        if math.isnan(low) or math.isnan(high):
            return None
        low, high = (ratio_of(low), ratio_of(high)) if self.ratios else (low, high)
        return decimal(f"{low:.10g} … {high:.10g}")

    def saved_ends(self) -> tuple[Floats, Floats]:
        """Return the low and the high ends as files hold them, of logarithms the ratios."""
        if not self.ratios:
            return self.low, self.high
        return tuple(  # one by one, as the analysis does
            np.array([ratio_of(end) for end in ends.tolist()]) for ends in (self.low, self.high)
        )  # type: ignore[return-value]

    def middle_text(self, row: int) -> str:
        """The middle as it is written."""
        return self._written(float(self.middle.item(row)))

    def _written(self, number: float) -> str:
        return times(ratio_of(number)) if self.ratios else quantity(number)

    def ends(self, row: int) -> tuple[float, float, float]:
        """Low end, middle, high end as shares of the axis, -1..1 where they are on it."""
        if not self.scale > 0:
            return math.nan, math.nan, math.nan
        low, middle, high = (float(limits.item(row)) / self.scale for limits in (self.low, self.middle, self.high))
        return low, middle, high

    def tip(self, row: int) -> str:
        said = self.tips[row] if row < len(self.tips) else ""
        text = self.text(row)
        return said or ("" if text == NOTHING else text)


class PColumn(NumberColumn):
    """p-values as they are written: .275, < .001; ``best`` marks those below the level of significance."""

    def __init__(
        self, name: str, title: str, cells: Floats, tooltip: str, *, below: Bools, tips: Sequence[str] = ()
    ) -> None:
        super().__init__(name, title, cells, tooltip, best=below, missing="", descending_first=False)
        self.titles = (title, title.split(",")[0].split(" (")[0])
        self.tips = tips

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        return "" if math.isnan(number) else p_value(number)

    def tip(self, row: int) -> str:
        return self.tips[row] if row < len(self.tips) else super().tip(row)


class ShareColumn(NumberColumn):
    """Shares 0..1 as per cent."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        return "" if math.isnan(number) else f"{100 * number:.0f} %"


class JudgedColumn(ShareColumn):
    """Shares of judged documents 0..1; a sign stands at those that are so small that values may be too low."""

    def __init__(self, name: str, title: str, cells: Floats) -> None:
        least = f"{100 * FEW_JUDGED:.0f}"
        tip = tr(
            "Mean share of judged documents down to the cutoff. ⚠ below {least} %: unjudged documents count as "
            "non-relevant, so that the values may be too low.",
            least=least,
        )
        super().__init__(name, title, cells, tip)

    def is_low(self, row: int) -> bool:
        """Return whether so few documents are judged that the values may be too low."""
        return float(self.cells.item(row)) < FEW_JUDGED

    def text(self, row: int) -> str:
        text = super().text(row)
        return f"⚠ {text}" if self.is_low(row) else text

    def copied(self, row: int) -> str:
        return super().text(row)

    def tip(self, row: int) -> str:
        return f"{super().tip(row)}\n{self.tooltip}" if self.is_low(row) else super().tip(row)


class WordsColumn(TextColumn):
    """Short words that end at the right, as numbers do, and are no more cut than those."""

    right = True
    whole = True
