"""The columns of shares and of grades."""

from __future__ import annotations

import math

from irviewer.gui.tables.model import DECIMALS, NOTHING, Column, NumberColumn
from irviewer.gui.widgets.painting import grade_text
from irviewer.model.arrays import Floats
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


class GradeColumn(Column):
    """Grades float64[n], NaN for unjudged documents; a row without a document has no chip."""

    right = True

    def __init__(
        self, name: str, title: str, cells: Floats, documents: tuple[str, ...], max_grade: float, tip: str
    ) -> None:
        super().__init__(name, title, tip)
        self.cells = cells
        self.documents = documents
        self.max_grade = max_grade

    def grade(self, row: int) -> float | None:
        """Return the grade of a row, NaN for an unjudged document, None without a document."""
        grade = float(self.cells.item(row))
        return None if math.isnan(grade) and not self.documents[row] else grade

    def text(self, row: int) -> str:
        grade = self.grade(row)
        return "" if grade is None else grade_text(grade)

    def value(self, row: int) -> float | None:
        grade = self.grade(row)
        return None if grade is None or math.isnan(grade) else grade
