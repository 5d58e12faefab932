"""The Queries view: the table of queries with its plots, queries by an attribute, and further tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from irviewer.gui.queries.attributes import AttributesView
from irviewer.gui.queries.table import QueriesTable
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.screens.tabbed import Tab, TabbedScreen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.session.changes import Change
from irviewer.session.view_models.queries import QueriesViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import EvaluationContext
    from irviewer.session.session import Session


class QueriesView(Screen):
    """The table of queries beside the relevance map and above the bars, all in the same order."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = QueriesTable(session, theme)
        self.map = PlotPanel(theme, self._make_map, _put_map)
        self.bars = PlotPanel(theme, self._make_bars, _put_bars)
        self.plots = (self.map, self.bars)
        self._context: EvaluationContext | None = None
        """What the rows that are shown are made of."""
        above = split(Qt.Orientation.Horizontal, (self.table, self.map), (2, 1))
        self.set_content(split(Qt.Orientation.Vertical, (above, self.bars), (5, 3)), least=(760, 560))
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        parts: list[Callable[[], object]] = [self._show_bars, self._compute_cells, self._make_ordered, self._show_map]
        if self._context is self.session.view.context and Change.ORDER not in changes:
            self.table.refresh(changes)  # now, so that the former rows do not flash
        else:
            parts = [*self.session.view_models.queries_parts(), partial(self._show_table, changes), *parts]
        self.refresh_in_parts(parts, 0)

    def _show_table(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
        self._context = self.session.view.context

    def _show_bars(self) -> None:
        view_model = self.session.view_models.queries_view_model()
        if view_model is None:
            return
        self.bars.set_title(view_model.bars.title)
        counts = tr(
            "{better:,} better · {equal:,} equal · {worse:,} worse",
            better=view_model.better,
            equal=view_model.equal,
            worse=view_model.worse,
        )
        note = f"{counts} · {view_model.bars.note}" if view_model.bars.note else counts
        if self.session.view.focus is None:
            lone = len(self.session.view.labels()) < 2
            asked = tr("A comparison needs two runs. Drop another run file here.")
            note = asked if lone else tr("Show a run to compare with the baseline ★.")
        self.bars.set_note(view_model.explanation or note)
        self.bars.show_value(view_model)

    def _compute_cells(self) -> None:
        """Make what the map puts in order: of many queries that, the order and the picture take a while each."""
        view_model = self.session.view_models.queries_view_model()
        if view_model is not None:
            view_model.compute_cells()

    def _make_ordered(self) -> None:
        view_model = self.session.view_models.queries_view_model()
        if view_model is not None:
            view_model.make_map()

    def _show_map(self) -> None:
        view_model = self.session.view_models.queries_view_model()
        if view_model is None:
            return
        if view_model.map is None:
            self.map.set_title(tr("Relevance map"))
            self.map.set_note(tr("no run is shown"))
        else:
            self.map.set_title(tr("Relevance map · {run}", run=view_model.map.run.name))
            self.map.set_note(tr("one column per query in the order of the table · ranks downward"))
        self.map.show_value(view_model)

    def filter_field(self) -> QLineEdit | None:
        return self.table.filter

    def _make_map(self) -> QWidget:
        from irviewer.gui.plots.relevance_map import RelevanceMapView

        return RelevanceMapView(self.session, self.theme)

    def _make_bars(self) -> QWidget:
        from irviewer.gui.plots.bars import DifferenceBars

        return DifferenceBars(self.session, self.theme)


def _put_bars(canvas: Any, view_model: QueriesViewModel) -> None:
    canvas.show_figure(view_model.bars, view_model.texts)


def _put_map(canvas: Any, view_model: QueriesViewModel) -> None:
    canvas.show_map(view_model.map, view_model.query_ids, view_model.texts, view_model.selected)


QUERIES = tr("queries")
TABS = (
    Tab("table", tr("Table"), tr("Queries × runs, differences and the relevance map"), QueriesView, QUERIES),
    Tab("attributes", tr("Attributes"), tr("Queries by an attribute and their values"), AttributesView, QUERIES),
)


class QueriesScreen(TabbedScreen):
    """The views by query, in tabs; ``further`` tabs follow."""

    def __init__(
        self, session: Session, theme: Theme, further: Sequence[Tab] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(session, theme, "queries", (*TABS, *further), parent)
