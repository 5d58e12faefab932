"""The columns of a ledger: ranks and counts as integers, numbers with the ledger's decimals, grades as chips."""

from __future__ import annotations

import math

from irviewer.gui.tables.model import Column, NumberColumn, TableModel, TextColumn
from irviewer.gui.widgets.painting import grade_text
from irviewer.model.arrays import Floats
from irviewer.model.number_text import MINUS
from irviewer.session.view_models.ledgers.ledger import LedgerColumn, LedgerViewModel
from irviewer.translation import decimal


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


class LedgerNumbers(NumberColumn):
    """Numbers in the format of the ledger's column; NaN is an empty cell."""

    def __init__(self, ledger_column: LedgerColumn, cells: Floats) -> None:
        super().__init__(ledger_column.key, ledger_column.title, cells, ledger_column.meaning, missing="")
        self.ledger_column = ledger_column

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return ""
        if self.ledger_column.kind == "float":
            return decimal(f"{number:.{self.ledger_column.decimals}f}".replace("-", MINUS))
        return decimal((f"{number:.0f}" if number.is_integer() else f"{number:g}").replace("-", MINUS))


class LedgerModel(TableModel):
    """The rows of a :class:`LedgerViewModel`. Their keys are row numbers, since a document may occur twice."""

    def set_view_model(self, view_model: LedgerViewModel) -> None:
        """Show a view model."""
        columns: list[Column] = []
        order = list(view_model.reading_order)
        documents = tuple([view_model.documents[row] for row in order])
        for column, every in zip(view_model.columns, view_model.cells, strict=True):
            cells = tuple([every[row] for row in order]) if isinstance(every, tuple) else every[order]
            if isinstance(cells, tuple):
                bold = column.key in ("document", "query")
                text = TextColumn(column.key, column.title, cells, column.meaning, bold=bold)
                columns.append(text.say_start_once() if column.key == "document" else text)
            elif column.kind == "grade":
                judged = documents if not column.key.startswith("ideal") else ("",) * len(cells)
                columns.append(
                    GradeColumn(column.key, column.title, cells, judged, view_model.max_grade, column.meaning)
                )
            else:
                columns.append(LedgerNumbers(column, cells))
        marked = frozenset({view_model.selected}) if view_model.selected >= 0 else frozenset()
        self.show(tuple(columns), order, marked=marked)
