"""How the pool of a query is built: a row per document, with its rank in each run; a line below the last one in the
pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import RowKeys, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton, command_keys
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.table import Table
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


ROWS_IN_VIEW = 3
"""Documents that the names of runs leave in view, whatever they need."""
LOW = 260
"""The height in pixels below which the sizes by depth are in the tooltip alone, and leave their room to documents."""


@guarded
class PoolBuildingView(QWidget):
    """The table, the size of the pool, and two ways to another depth, which is the cutoff of the lists."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.model = TableModel(self)
        self.table = Table(self.model, theme, sortable=False, tightens=True, frozen=(1, 0), rows_in_view=ROWS_IN_VIEW)
        self.table.setAccessibleName(tr("Documents of the pool"))
        self.summary, self.below = PlainLabel(), PlainLabel()
        for label in (self.summary, self.below):
            label.setFont(theme.font(9.5, numbers=True))
            label.setWordWrap(True)
        self.shallower = LinkButton(theme, tr("Shallower"))
        self.deeper = LinkButton(theme, tr("Deeper"))
        for button, command in ((self.shallower, "cutoff_down"), (self.deeper, "cutoff_up")):
            set_tooltip(button, command_keys(command))
        above = QHBoxLayout()
        above.setSpacing(12)
        above.addWidget(self.summary, 1)
        above.addWidget(self.shallower)
        above.addWidget(self.deeper)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 6)
        layout.setSpacing(4)
        layout.addLayout(above)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.below)
        self.setFocusProxy(self.table)
        self.shallower.clicked.connect(self._on_shallower_clicked)
        self.deeper.clicked.connect(self._on_deeper_clicked)
        self.table.row_activated.connect(self._on_row_activated)

    def refresh(self) -> None:
        """Show the pool of the query in view."""
        building = self._session.teaching.pool_building()
        if building is None:
            self.model.clear()
            self.summary.setText(tr("No shown run returned documents for this query."))
            self.below.setText("")
            return
        table, labels = building.table, {label.whole_name: label for label in building.runs}
        rows = np.arange(table.n_rows, dtype=np.int64)
        with self.table.keeping():
            self.model.show(result_columns(table, rows, labels), RowKeys(table, rows))
            self.model.line_below = table.line_below
        self.summary.setText(building.summary)
        self._show_below()
        self.shallower.setEnabled(building.pool.depth > 1)
        self.deeper.setEnabled(building.pool.depth < building.longest)

    def _show_below(self) -> None:
        """Show what is below the documents: in a low view how many relevant ones are in the pool alone."""
        building = self._session.teaching.pool_building()
        lines = () if building is None else (building.relevant, building.sizes)
        self.below.setText("\n".join(filter(None, lines[:1] if self.height() < LOW else lines)))
        self.below.setVisible(bool(self.below.text()))
        set_tooltip(self.below, "\n".join(filter(None, lines)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_below()

    def _on_shallower_clicked(self) -> None:
        run_command(self._session, "cutoff_down")

    def _on_deeper_clicked(self) -> None:
        run_command(self._session, "cutoff_up")

    def _on_row_activated(self, row: int) -> None:
        if 0 <= row < len(self.model.keys):
            self._session.navigation.set_document(str(self.model.keys[row]))
