"""The columns of the tests of two runs: test, statistic, p before and after the correction."""

from __future__ import annotations

from irviewer.gui.systems.statistics_columns import WordsColumn
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr


class PairModel(TableModel):
    """The tests of a :class:`PairViewModel`. The keys of the rows are the names of the tests."""

    def set_view_model(self, view_model: PairViewModel) -> None:
        """Show a view model."""
        rows = view_model.tests
        tips = [row.sentence for row in rows]
        columns: tuple[Column, ...] = (
            TextColumn(
                "test",
                tr("test"),
                [row.name for row in rows],
                tr("All statistics that were computed"),
                tips=tips,
                widest=260,
            ),
            WordsColumn("value", tr("value"), [row.value for row in rows], tr("Value of the statistic"), tips=tips),
            WordsColumn("p", "p", [row.p for row in rows], tr("p-value before the correction"), tips=tips),
            WordsColumn(
                "corrected",
                tr("corrected"),
                [row.corrected for row in rows],
                tr("p-value after the correction"),
                tips=tips,
            ),
        )
        self.show(columns, [row.name for row in rows])
