"""The Compare screen: comparisons of systems, one tab each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.gui.compare.agreement import AgreementView
from irviewer.gui.compare.answers.lists import LostView, SentencesView, VersionsView
from irviewer.gui.compare.answers.nuggets import NuggetsView
from irviewer.gui.compare.confusion import ConfusionView
from irviewer.gui.compare.corrected_scores import CorrectedView
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
TABS = (
    Tab("pair", tr("Pair"), tr("Two runs, query by query"), PairView, RUNS),
    Tab("slices", tr("Slices"), tr("Where one run is better, by attributes of the queries"), SlicesView, RUNS),
    Tab("matrices", tr("Matrices"), tr("All pairs of runs: differences, p-values, similarity"), MatricesView, RUNS),
    Tab("pool", tr("Pool"), tr("What is unjudged, and what judging it could change"), PoolView, RUNS),
    Tab("sets", tr("Query sets"), tr("The measure on every query set"), SetsView, RUNS),
    Tab("agreement", tr("Agreement"), tr("How far the judges agree on grades"), AgreementView, JUDGES),
    Tab(
        "confusion",
        tr("Confusion"),
        tr("Two judges grade by grade, with the documents of each cell"),
        ConfusionView,
        JUDGES,
    ),
    Tab("judges", tr("Systems by judge"), tr("The order of the runs under each judge"), SystemsByJudgeView, JUDGES),
    Tab("corrected", tr("Corrected"), tr("Scores under a model, corrected by a human's sample"), CorrectedView, JUDGES),
    Tab("nuggets", tr("Nuggets"), tr("Nuggets by topic and system: what each answer says"), NuggetsView, ANSWERS),
    Tab("lost", tr("Where lost"), tr("Where vital nuggets were lost that answers do not say"), LostView, ANSWERS),
    Tab("sentences", tr("Sentences"), tr("Sentences without a citation or without support"), SentencesView, ANSWERS),
    Tab("versions", tr("Versions"), tr("Two answers sentence by sentence"), VersionsView, ANSWERS),
    Tab("views", tr("More"), tr("Further views, also of other packages"), MoreViewsView),
)


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
