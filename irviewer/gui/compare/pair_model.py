"""The columns of what was tested: the test, its number, p before and after the correction, and what it means."""

from __future__ import annotations

from irviewer.gui.systems.statistics_columns import WordsColumn
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.session.view_models.pair import PairPage


class PairModel(TableModel):
    """The account of a :class:`PairPage`; the keys of its rows are the tests' names."""

    def set_page(self, page: PairPage) -> None:
        """Show another page."""
        rows = page.tests
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
