"""The conclusion about two runs in words, and all tests behind it in a table, beside it what the current one means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from irviewer.gui.compare.run_choosers import RunChoosers
from irviewer.gui.systems.statistics_columns import WordsColumn
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import HEADER_HEIGHT
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.savable import Savable, savable_table
from irviewer.gui.widgets.table import ROW_HEIGHT, Table
from irviewer.gui.widgets.table_panel import BELOW, BORDERS, ViewModelPanel
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


MEANING_LEAST = 180
"""The least width of the sentence beside the table in pixels."""
ROWS = 9
"""The number of rows of a comparison without weights."""


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


class PairTests(ViewModelPanel[PairViewModel]):
    """The conclusion above the table of tests.

    widened    the width changed, and with it the preferred height"""

    widened = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = PairModel()
        table = Table(self.model, theme, stretch="test", frozen=(1, 0), sortable=False, tightens=True)
        super().__init__(
            session, theme, table, "tests", self.model, session.comparison.pair_view_model, self.model.set_view_model
        )
        self.table.setAccessibleName(tr("Tests"))
        self.meaning_title = PlainLabel(tr("What it means"))
        self.meaning_title.setContentsMargins(12, 5, 12, 0)
        self.meaning_title.setFont(theme.font(9, weight=600))
        self.meaning = PlainLabel()
        self.meaning.setContentsMargins(12, 4, 12, 6)
        self.meaning.setFont(theme.font(9.5))
        self.meaning.setWordWrap(True)
        self.meaning.setMinimumWidth(MEANING_LEAST)
        self.meaning.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.meaning.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.meaning_title)
        words.addWidget(self.meaning, 1)
        beside = QHBoxLayout()
        beside.setSpacing(0)
        self.body_layout.removeWidget(table)
        beside.addWidget(table, 3)
        beside.addLayout(words, 2)
        self.body_layout.addLayout(beside, 1)
        self.choosers = RunChoosers(session, theme)
        self.choosers.hide()
        self.header_layout.insertWidget(0, self.choosers)
        self.table.row_entered.connect(self._on_row_entered)

    def tell(self, view_model: PairViewModel, before: PairViewModel | None) -> None:
        self.choosers.show_pair(view_model.run, view_model.baseline)
        self._title.setVisible(self.choosers.isHidden())  # the choosers are the title
        self._show_meaning(max(0, self.table.current_row()))
        lines = [view_model.explanation or view_model.conclusion or tr("Comparing …"), *view_model.warnings[:2]]
        self.show_notice("\n".join(line for line in lines if line), "ink" if view_model.conclusion else "muted")

    def wanted_height(self) -> int:
        """Return the height in pixels of the conclusion and all rows at this width."""
        rows = max(ROWS, self.model.rowCount())
        table = self.table.horizontalHeader().height() + rows * ROW_HEIGHT
        notice = max(0, self.notice.heightForWidth(self.width() - BORDERS)) if self.notice.text() else 0
        return HEADER_HEIGHT + notice + table + BELOW + BORDERS

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.widened.emit()

    def savable(self) -> Savable:
        """Return the whole table, with the sentence of each test."""
        tests = () if self._view_model is None else self._view_model.tests
        header, *rows = self.table.csv_rows()
        sentences = ([*row, test.sentence] for row, test in zip(rows, tests, strict=True))
        return savable_table(self.title, [[*header, tr("what it means")], *sentences], self.session.view.judgment_mark)

    def _show_meaning(self, row: int) -> None:
        """Show the meaning of the current test in full."""
        tests = () if self._view_model is None else self._view_model.tests
        self.meaning.setText(f"{tests[row].name}: {tests[row].sentence}" if row < len(tests) else "")

    def _on_row_entered(self, row: int) -> None:
        self._show_meaning(row)
