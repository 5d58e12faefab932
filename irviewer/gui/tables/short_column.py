"""Columns of values without a zero before the point, as lessons write them."""

from __future__ import annotations

from irviewer.gui.tables.model import OwnPainters
from irviewer.gui.tables.number_columns import short_number
from irviewer.gui.tables.result_cells import ResultCell
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.tables.show import EQUAL, NOTHING
from irviewer.tables.table import Status


class ShortColumn(ResultColumn):
    """Values and differences without a zero before the point, for narrow tables and lessons: .5812, 1, ▲ .1327, and =
    for a difference that rounds to nothing. Those of a run that the protocol leaves out are grey."""

    @property
    def is_compared(self) -> bool:
        return type(self) is ShortColumn

    def status(self, row: int) -> Status:
        return Status.WEAK if self.run is not None and self.run.left_out else super().status(row)

    def text(self, row: int) -> str:
        text = super().text(row)
        if self.values.kind != "difference":
            return short_number(text)
        if text != NOTHING and (not self.number(row) or not any(digit in "123456789" for digit in text)):
            return EQUAL
        sign, _, size = text.rpartition(" ")
        return f"{sign} {short_number(size.lstrip('+−'))}" if sign else text


SHORT_PAINTERS: OwnPainters = {ShortColumn: ResultCell}
"""How they are painted."""
