"""The Compare place: systems against each other, in views of their own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.gui.compare.matrices import MatricesView
from irviewer.gui.compare.pair import PairView
from irviewer.gui.compare.pool import PoolView
from irviewer.gui.compare.query_sets import SetsTable
from irviewer.gui.dialogs.set_dialogs import trouble_of
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.screens.screen import Screen
from irviewer.gui.screens.tabbed import Tab, TabbedScreen
from irviewer.gui.theme import Theme
from irviewer.session.changes import Change

if TYPE_CHECKING:
    from irviewer.session.session import Session


class SetsView(Screen):
    """The query sets in a table."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = SetsTable(session, theme)
        self.table.rename_asked.connect(self._on_rename_asked)
        self.set_content(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)

    def _on_rename_asked(self, name: str) -> None:
        rename = partial(self.session.query_sets.rename_query_set, name)
        LineDialog(self.theme, self.window(), "Rename query set", f"Name of {name}:", name, trouble_of, rename).open()


TABS = (
    Tab("pair", "Pair", "The focus run against the baseline, query by query", PairView),
    Tab("matrices", "Matrices", "All pairs: differences, p-values, how alike the rankings are", MatricesView),
    Tab("pool", "Pool", "What is unjudged, and what judging it could change", PoolView),
    Tab("sets", "Query sets", "The measure on every set of queries", SetsView),
)


class CompareScreen(TabbedScreen):
    """What systems are compared by."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "compare", TABS)
