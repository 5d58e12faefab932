"""Columns of numbers that are written in a way of their own: changes of rank, signed differences, shares."""

from __future__ import annotations

import math

from irviewer.gui.tables.model import NOTHING, NumberColumn
from irviewer.model.number_text import MINUS
from irviewer.translation import decimal


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
