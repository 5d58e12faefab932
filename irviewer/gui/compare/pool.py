"""The table of the pool: what each run contributed, what is unjudged, what judging it could change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from irviewer.gui.compare.pool_model import PoolModel
from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.run_menu import run_menu
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.changes import Change
from irviewer.session.view_models.pool import PoolViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class PoolTable(ViewModelPanel[PoolViewModel]):
    """The table of runs; Enter selects a run for comparison, Space shows or hides it."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = PoolModel()
        table = Table(self.model, theme, stretch="interval", frozen=(1, 0))
        super().__init__(
            session, theme, table, "pool", self.model, session.pooling.pool_view_model, self.model.set_view_model
        )
        self.table.setAccessibleName(tr("Effects of the pool"))
        self.table.row_toggled.connect(self._on_row_toggled)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)

    def savable(self) -> Savable | None:
        """Return the tables of ``irviewer pool``, which are computed when they are written; of a query set this one."""
        find = self.session.pooling.effects_of_all()
        if find is None:
            return super().savable()
        return savable_later(self.title, find, self.session.view.judgment_mark)

    def row_of(self, view_model: PoolViewModel) -> int:
        stood_on = self._key(self.table.current_row())
        focus = next((position for position, label in enumerate(view_model.runs) if label.focus), 0)
        row = next((position for position, label in enumerate(view_model.runs) if label.key == stood_on), focus)
        return row if view_model.runs else -1

    def row_menu(self, row: int) -> QMenu:
        key = self._key(row)
        return super().row_menu(row) if key is None else run_menu(self.session, key, self)

    def _key(self, row: int) -> int | None:
        key = self.model.keys[row] if 0 <= row < len(self.model.keys) else None
        return key if isinstance(key, int) else None

    def _on_row_toggled(self, row: int) -> None:
        if self._view_model is not None and 0 <= row < len(self._view_model.runs):
            label = self._view_model.runs[row]
            self.session.runs.show_run(label.key, not label.shown)

    def _on_row_activated(self, row: int) -> None:
        key = self._key(row)
        if key is not None:
            self.session.runs.set_focus(key)

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self.session.pooling.sort_pool(column_id, descending)


class PoolView(Screen):
    """The view with the pool table."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = PoolTable(session, theme)
        self.set_content(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
