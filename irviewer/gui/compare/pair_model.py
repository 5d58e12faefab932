"""The columns of what was tested: the test, its number, p before and after the correction, and what it means."""

from __future__ import annotations

from irviewer.gui.systems.statistics_columns import WordsColumn
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.session.view_models.pair import PairViewModel


class PairModel(TableModel):
    """The account of a :class:`PairViewModel`; the keys of its rows are the tests' names."""

    def set_view_model(self, view_model: PairViewModel) -> None:
        """Show another view model."""
        rows = view_model.tests
        tips = [row.sentence for row in rows]
        columns: tuple[Column, ...] = (
            TextColumn(
                "test", "looked at", [row.name for row in rows], "everything that was computed", tips=tips, widest=260
            ),
            WordsColumn("value", "value", [row.value for row in rows], "its own number", tips=tips),
            WordsColumn("p", "p", [row.p for row in rows], "before the correction", tips=tips),
            WordsColumn("corrected", "corrected", [row.corrected for row in rows], "after the correction", tips=tips),
            TextColumn("meaning", "what it means", tips, "in words", tips=tips),
        )
        self.show(columns, [row.name for row in rows])
