"""The Compare screen: comparisons of systems, one tab each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from irviewer.gui.compare.agreement import AgreementView
from irviewer.gui.compare.answers.lists import LostView, SentencesView, VersionsView
from irviewer.gui.compare.answers.nuggets import NuggetsView
from irviewer.gui.compare.confusion import ConfusionView
from irviewer.gui.compare.corrected_scores import CorrectedView
from irviewer.gui.compare.judge import JudgeView
from irviewer.gui.compare.judge_systems import SystemsByJudgeView
from irviewer.gui.compare.matrices import MatricesView
from irviewer.gui.compare.pair import PairView
from irviewer.gui.compare.pool import PoolView
from irviewer.gui.compare.query_sets import SetsTable
from irviewer.gui.compare.slices import SlicesView
from irviewer.gui.dialogs.set_dialogs import trouble_of
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.screens.screen import Screen
from irviewer.gui.screens.tabbed import Tab, TabbedScreen
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.session.changes import Change
from irviewer.session.navigation.places import COMPARE_TABS
from irviewer.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLineEdit, QWidget

    from irviewer.session.session import Session


class SetsView(Screen):
    """The view with the table of query sets."""

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
        LineDialog(
            self.theme,
            self.window(),
            tr("Rename query set"),
            tr("New name of {name}:", name=name),
            name,
            trouble_of,
            rename,
        ).open()


class MoreViewsView(Screen):
    """The views of the registry, one at a time."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.panel = ViewPanel(session, theme)
        self.set_content(self.panel)
        self.setFocusProxy(self.panel)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.panel.refresh(changes)

    def filter_field(self) -> QLineEdit | None:
        return self.panel.filter


RUNS, JUDGES, ANSWERS = tr("runs"), tr("judges"), tr("answers")
"""What tabs are about."""
VIEWS: Mapping[str, tuple[Callable[[Any, Theme], Screen], str]] = {
    "pair": (PairView, RUNS), "slices": (SlicesView, RUNS), "matrices": (MatricesView, RUNS), "pool": (PoolView, RUNS),
    "sets": (SetsView, RUNS), "judge": (JudgeView, JUDGES), "agreement": (AgreementView, JUDGES),
    "confusion": (ConfusionView, JUDGES), "judges": (SystemsByJudgeView, JUDGES),
    "corrected": (CorrectedView, JUDGES), "nuggets": (NuggetsView, ANSWERS),
    "lost": (LostView, ANSWERS), "sentences": (SentencesView, ANSWERS), "versions": (VersionsView, ANSWERS),
    "views": (MoreViewsView, ""),
}  # fmt: skip
"""How the view of each tab is made, and what it is about."""
TABS = tuple(Tab(texts.name, texts.title, texts.shows, *VIEWS[texts.name]) for texts in COMPARE_TABS)


class CompareScreen(TabbedScreen):
    """Comparisons of systems in tabs."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "compare", TABS, parent)

    def refresh(self, changes: frozenset[Change]) -> None:
        here, shown = self.session.answers.is_here, self.session.view.tab("compare")
        for tab in TABS:
            if tab.group == ANSWERS:
                self.strip.buttons[tab.name].setVisible(here or tab.name == shown)
        super().refresh(changes)
