"""The column of shares."""

from __future__ import annotations

import math

from irviewer.gui.tables.model import NOTHING, NumberColumn
from irviewer.translation import decimal


class PercentColumn(NumberColumn):
    """Shares 0..1 as per cent, small ones to a tenth."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return decimal(f"{100 * number:.1f} %" if 0 < number < 0.1 else f"{100 * number:.0f} %")
