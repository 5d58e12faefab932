"""The table of the pool: what each run contributed, what is unjudged, what judging it could change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from irviewer.gui.screens.screen import Screen
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.run_menu import run_menu
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.session.changes import Change
from irviewer.session.view_models.pool import PoolViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class PoolTable(ResultPanel):
    """The table of runs; Enter selects a run for comparison, Space shows or hides it."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "pool", stretch="range", frozen=(1, 0), tightens=True)
        self._view_model: PoolViewModel | None = None
        self.table.setAccessibleName(tr("Effects of the pool"))
        self.table.row_toggled.connect(self._on_row_toggled)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the pool of the session."""
        view_model = self.session.pooling.pool_view_model()
        if view_model is self._view_model:
            return
        stood_on, self._view_model = self._key(self.table.current_row()), view_model
        if view_model is None:
            self.show_table(None)
            return
        names = {label.key: label.whole_name for label in view_model.runs}
        focus = next((label.key for label in view_model.runs if label.focus), -1)
        current = names.get(stood_on if stood_on in names else focus, next(iter(names.values()), None))
        self.show_table(
            view_model.table, rows=view_model.rows, current=current, sort=view_model.sort,
            layouts={"run": ColumnLayout(ticks=True), "range": ColumnLayout(guides=view_model.guides, yields=True)},
        )  # fmt: skip
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        self.show_notice("\n".join(filter(None, (view_model.explanation, self.missing_words()))))

    def savable(self) -> Savable | None:
        """Return the tables of ``irviewer pool``, which are computed when they are written; of a query set this one."""
        find = self.session.pooling.effects_of_all()
        if find is None:
            return super().savable()
        return savable_later(self.title, find, self.session.view.judgment_mark)

    def row_menu(self, row: int) -> QMenu:
        key = self._key(row)
        return super().row_menu(row) if key is None else run_menu(self.session, key, self)

    def _key(self, row: int) -> int | None:
        """Return the key of the run of a row."""
        runs = () if self._view_model is None else self._view_model.runs
        return runs[row].key if 0 <= row < len(runs) else None

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
        self.set_table(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
        self.fit_table()
