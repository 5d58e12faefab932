"""The Compare screen: comparisons of systems, one tab each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Qt

from irviewer.figures.figure import Band, Curve, Figure, Role
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
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.screens.tabbed import Tab, TabbedScreen
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.rendering.run_label import RunLabel
from irviewer.session.changes import Change
from irviewer.session.navigation.places import COMPARE_TABS
from irviewer.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLineEdit, QWidget

    from irviewer.gui.plots.curves.canvas import Canvas
    from irviewer.gui.plots.curves.legend import Legend
    from irviewer.session.session import Session


class SetsView(Screen):
    """The view with the table of query sets."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = SetsTable(session, theme)
        self.table.rename_asked.connect(self._on_rename_asked)
        self.set_table(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
        self.fit_table()

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


VIEW_LEAST, FIGURE_LEAST = (580, 560), (580, 800)
"""The least width and height in pixels of a view that has parameters, sentences and a table, and with a figure too."""
SPARE = 80
"""Pixels for words that need more lines than at the width before."""


class MoreViewsView(Screen):
    """The views of the registry, one at a time: the tables, and below them the figure of a view that has one."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.panel = ViewPanel(session, theme)
        self.panel.answered.connect(self._show_figure)
        self.figure = self.figure_panel()
        self.figure.hide()
        self.plots = (self.figure,)
        self.scrolled = Scrolled(split(Qt.Orientation.Vertical, (self.panel, self.figure), (3, 2)))
        self.set_content(self.scrolled)
        self.setFocusProxy(self.panel)
        self._legend: Legend | None = None

    def refresh(self, changes: frozenset[Change]) -> None:
        self.panel.refresh(changes)

    def filter_field(self) -> QLineEdit | None:
        return self.panel.filter

    def _show_figure(self) -> None:
        shown = self.panel.shown
        figure = next((figure for figure in (shown.figures if shown else ()) if figure.curves), None)
        self.figure.setVisible(figure is not None)
        width, height = VIEW_LEAST if figure is None else FIGURE_LEAST
        if figure is None:  # a few rows do not scroll
            height = min(height, self.panel.full_height() + SPARE)
        self.scrolled.set_least((width, height) if self.panel.result_table is not None else (0, 0))
        if figure is not None:
            own = of_labels(figure, self.panel.labels())
            self.figure.set_title(own.title)
            self.figure.set_note(own.note)
            self.figure.show_value(own)
            self._name_curves(own)

    def _name_curves(self, figure: Figure) -> None:
        """Name the curves in the legend, where they are not those of runs, which are named at their ends."""
        if self._legend is not None:
            self._legend.show_every(all(curve.role.kind != "run" for curve in figure.curves))

    def load_plots(self) -> None:
        super().load_plots()
        if self._legend is None:
            from irviewer.gui.plots.curves.legend import Legend

            self._legend = Legend(cast("Canvas", self.figure.canvas), self.theme)
            self.figure.header_layout.addWidget(self._legend)
            self._show_figure()


def of_labels(figure: Figure, labels: Mapping[str, RunLabel]) -> Figure:
    """Return a figure of a view, which numbers runs as they take part, with the keys of the runs in the window; the
    name of a curve begins with that of its run."""

    def role(mark: Curve | Band) -> Role:
        name = mark.label if mark.label in labels else mark.label.rpartition(" · ")[0]
        return mark.role if mark.role.kind != "run" else Role("run", labels[name].key if name in labels else -1)

    return replace(
        figure, curves=tuple(replace(curve, role=role(curve)) for curve in figure.curves),
        bands=tuple(replace(band, role=role(band)) for band in figure.bands),
    )  # fmt: skip


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
