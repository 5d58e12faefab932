"""How the pool of a query is built: a row per document, with its rank in each run; a line below the last one in the
pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.tables.model import Column, NumberColumn, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton, command_keys
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.table import Table
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session
    from irviewer.session.teaching.pool_building import PoolBuilding


class PoolBuildingModel(TableModel):
    """Documents by their best rank: the rank in each run, how many contributed the document, and whether it is
    judged."""

    def set_view_model(self, building: PoolBuilding) -> None:
        """Show the pool of a query; the line is below its last document."""
        pool = building.pool
        columns: list[Column] = [
            TextColumn(
                "document",
                tr("document"),
                pool.documents,
                tr("Documents of the shown runs, by their best rank"),
                bold=True,
            )
        ]
        for number, label in enumerate(building.runs):
            ranks = np.where(pool.ranks[number] > 0, pool.ranks[number], np.nan)
            columns.append(
                NumberColumn(
                    str(label.key), label.name, ranks, tr("Rank in {run}; bold: down to the depth", run=label.name),
                    run=label, best=pool.contributed[number], counts=True, missing=tr("Not returned"),
                )
            )  # fmt: skip
        rows = range(len(pool.documents))
        columns.append(
            NumberColumn("runs", tr("runs"), pool.contributed.sum(axis=0),
                         tr("Number of runs that put the document into the pool"), counts=True)
        )  # fmt: skip
        columns.append(
            TextColumn("fate", tr("judgment"), [building.fate(row) for row in rows],
                       tr("Only documents in the pool are judged"),
                       tips=[", ".join(building.contributors(row)) for row in rows])
        )  # fmt: skip
        self.line_below = pool.size - 1
        self.show(tuple(columns), pool.documents)


class PoolBuildingView(QWidget):
    """The table, the size of the pool, and two ways to another depth, which is the cutoff of the lists."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.model = PoolBuildingModel()
        self.table = Table(self.model, theme, sortable=False)
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
        with self.table.keeping():
            self.model.set_view_model(building)
        self.summary.setText(building.summary)
        self.below.setText("\n".join(filter(None, (building.relevant, building.sizes))))
        self.shallower.setEnabled(building.pool.depth > 1)
        self.deeper.setEnabled(building.pool.depth < building.longest)

    def _on_shallower_clicked(self) -> None:
        run_command(self._session, "cutoff_down")

    def _on_deeper_clicked(self) -> None:
        run_command(self._session, "cutoff_up")

    def _on_row_activated(self, row: int) -> None:
        if 0 <= row < len(self.model.keys):
            self._session.navigation.set_document(str(self.model.keys[row]))
