"""The conclusion about two runs in words, and all tests behind it in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent

from irviewer.gui.compare.pair_model import PairModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import HEADER_HEIGHT
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import ROW_HEIGHT, Table
from irviewer.gui.widgets.table_panel import BELOW, BORDERS, ViewModelPanel
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


TOLD = 58
"""The height of the sentence below the table in pixels: three lines at the least width."""
ROWS = 9
"""The number of rows of a comparison without weights."""


class PairTests(ViewModelPanel[PairViewModel]):
    """The conclusion above the table of tests.

    widened    the width changed, and with it the preferred height"""

    widened = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = PairModel()
        table = Table(self.model, theme, stretch="meaning", frozen=(1, 0), sortable=False, tightens=True)
        super().__init__(
            session, theme, table, "tests", self.model, session.comparison.pair_view_model, self.model.set_view_model
        )
        self.table.setAccessibleName(tr("Tests"))
        self.told = PlainLabel()
        self.told.setContentsMargins(12, 6, 12, 6)
        self.told.setFont(theme.font(9))
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(TOLD)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.body_layout.addWidget(self.told)
        self.table.row_entered.connect(self._on_row_entered)

    def tell(self, view_model: PairViewModel, before: PairViewModel | None) -> None:
        self._tell(max(0, self.table.current_row()))
        lines = [view_model.explanation or view_model.conclusion or tr("Comparing …"), *view_model.warnings[:2]]
        self.show_notice("\n".join(line for line in lines if line), "ink" if view_model.conclusion else "muted")

    def wanted_height(self) -> int:
        """Return the height in pixels of the conclusion, all rows and the sentence below at this width."""
        rows = max(ROWS, self.model.rowCount())
        table = self.table.horizontalHeader().height() + rows * ROW_HEIGHT
        notice = max(0, self.notice.heightForWidth(self.width() - BORDERS)) if self.notice.text() else 0
        return HEADER_HEIGHT + notice + table + TOLD + BELOW + BORDERS

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.widened.emit()

    def _tell(self, row: int) -> None:
        """Show the meaning of the current test in full."""
        tests = () if self._view_model is None else self._view_model.tests
        self.told.setText(f"{tests[row].name}: {tests[row].sentence}" if row < len(tests) else "")

    def _on_row_entered(self, row: int) -> None:
        self._tell(row)
