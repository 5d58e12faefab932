"""The column of shares."""

from __future__ import annotations

import math

from irviewer.gui.tables.model import DECIMALS, NOTHING, NumberColumn
from irviewer.translation import decimal


def short_number(text: str) -> str:
    """Return a written value without the zero before the point, and 1 for 1.0000."""
    if text == decimal(f"{1:.{DECIMALS}f}"):
        return "1"
    return text.removeprefix("0") if text.startswith(decimal("0.")) else text


class PercentColumn(NumberColumn):
    """Shares 0..1 as per cent, small ones to a tenth."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return decimal(f"{100 * number:.1f} %" if 0 < number < 0.1 else f"{100 * number:.0f} %")
