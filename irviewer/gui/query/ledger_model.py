"""The columns of a ledger: ranks and counts whole, numbers with the decimals that the ledger asks for, grades as chips.

Formats and nothing else; knows no widget."""

from __future__ import annotations

import math

from irviewer.gui.tables.model import Column, NumberColumn, TableModel, TextColumn
from irviewer.gui.widgets.painting import grade_text
from irviewer.model.arrays import Floats
from irviewer.session.view_models.ledger import LedgerColumn, LedgerViewModel


class GradeColumn(Column):
    """Grades float64[n], NaN where a document is not judged; a row without a document has no chip."""

    right = True

    def __init__(
        self, name: str, title: str, cells: Floats, documents: tuple[str, ...], max_grade: float, tip: str
    ) -> None:
        super().__init__(name, title, tip)
        self.cells = cells
        self.documents = documents
        self.max_grade = max_grade

    def grade(self, row: int) -> float | None:
        """The grade of a row, NaN for an unjudged document, None where there is nothing."""
        grade = float(self.cells.item(row))
        return None if math.isnan(grade) and not self.documents[row] else grade

    def text(self, row: int) -> str:
        grade = self.grade(row)
        return "" if grade is None else grade_text(grade)

    def value(self, row: int) -> float | None:
        grade = self.grade(row)
        return None if grade is None or math.isnan(grade) else grade


class LedgerNumbers(NumberColumn):
    """Numbers as a ledger writes them; nothing where there is none."""

    def __init__(self, said: LedgerColumn, cells: Floats) -> None:
        super().__init__(said.key, said.title, cells, said.meaning, missing="")
        self.said = said

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return ""
        if self.said.kind == "float":
            return f"{number:.{self.said.decimals}f}"
        return f"{number:.0f}" if number.is_integer() else f"{number:g}"


class LedgerModel(TableModel):
    """The rows of a :class:`LedgerViewModel`; their keys are places, since a document may stand twice."""

    def set_view_model(self, view_model: LedgerViewModel) -> None:
        """Show another view model."""
        columns: list[Column] = []
        for said, cells in zip(view_model.columns, view_model.cells, strict=True):
            if isinstance(cells, tuple):
                bold = said.key in ("document", "query")
                columns.append(TextColumn(said.key, said.title, cells, said.meaning, bold=bold))
            elif said.kind == "grade":
                judged = view_model.documents if not said.key.startswith("ideal") else ("",) * len(cells)
                columns.append(GradeColumn(said.key, said.title, cells, judged, view_model.max_grade, said.meaning))
            else:
                columns.append(LedgerNumbers(said, cells))
        marked = frozenset({view_model.selected}) if view_model.selected >= 0 else frozenset()
        self.show(tuple(columns), range(len(view_model.documents)), marked=marked)
