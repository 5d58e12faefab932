"""Two runs in detail: conclusion and tests, scatter plot, sorted differences, their histogram and cumulative share."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from irviewer.gui.compare.pair_tests import PairTests
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import FIRST
from irviewer.session.changes import Change
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

LEAST_PLOTS, LOWEST_PLOTS = 190, 130
"""The least height of the plots below the tests in pixels, and where a sentence about a test needs the room."""
LOW, PLOTS_IN_LOW = 470, 155
"""The height in pixels of a low window, as that of a lesson, and the least of its plots, so that p is whole above."""


@guarded
class PairView(Screen):
    """Compares the focus run with the baseline ★; queries brushed in one plot are brushed in all."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.tests = PairTests(session, theme)
        self.scatter = PlotPanel(theme, self._make_scatter, _put_scatter)
        self.bars = PlotPanel(theme, self._make_bars, _put_bars)
        self.histogram = PlotPanel(theme, self._make_histogram, _put_histogram)
        self.share = PlotPanel(theme, self._make_share, _put_share)
        self.plots = (self.scatter, self.histogram, self.bars, self.share)
        left = split(Qt.Orientation.Vertical, (self.scatter, self.histogram), (5, 3))
        below = split(Qt.Orientation.Horizontal, (self.bars, self.share), (3, 2))
        self.right = right = split(Qt.Orientation.Vertical, (self.tests, below), (6, 5))
        self.right.splitterMoved.connect(self._on_splitter_moved)
        self._moved = False
        self.tests.widened.connect(self._share_room)
        both = split(Qt.Orientation.Horizontal, (left, right), (4, 7))
        both.setProperty(FIRST, 1)  # the conclusion is in sight in a narrow window
        self.set_content(both, least=(940, 420))
        self.setFocusProxy(self.tests)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.refresh_in_parts([*self.session.comparison.pair_parts(), partial(self._show, changes)], 0)

    def _show(self, changes: frozenset[Change]) -> None:
        self.tests.refresh(changes)
        view_model = self.session.comparison.pair_view_model()
        if view_model is None:
            return
        brushed = view_model.brushed or tr("draw around points to brush them")
        keep = command_keys("keep_brushed")
        self.scatter.set_title(view_model.scatter.title)
        self.scatter.set_note(
            tr("{brushed} · {key} makes them a query set", brushed=brushed, key=keep)
            if view_model.brushed and keep
            else brushed
        )
        self.bars.set_title(tr("Ratios, sorted") if view_model.bars.ratios else tr("Differences, sorted"))
        self.bars.set_note(tr("drag over bars to brush them"))
        self.histogram.set_title(view_model.histogram.title)
        self.histogram.set_note(" · ".join(filter(None, (tr("click a bar to brush it"), view_model.histogram.note))))
        self.share.set_title(view_model.share.title)
        self.share.set_note(" · ".join(filter(None, (view_model.share.note, tr("drag to brush the first queries")))))
        for panel in self.plots:
            panel.show_value(view_model)
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Show all tests if the plots below keep a readable height; not after the user moved the border."""
        total = sum(self.right.sizes())
        if not self._moved and total > LEAST_PLOTS:
            least = LEAST_PLOTS if total >= LOW else PLOTS_IN_LOW
            needed = min(self.tests.least_height(), total - LOWEST_PLOTS)
            wanted = max(needed, min(self.tests.wanted_height(), total - least))
            self.right.setSizes([wanted, total - wanted])

    def _on_splitter_moved(self, place: int, at: int) -> None:
        self._moved = True

    def _make_scatter(self) -> QWidget:
        from irviewer.gui.plots.scatter import Scatter

        return Scatter(self.session, self.theme)

    def _make_bars(self) -> QWidget:
        from irviewer.gui.plots.bars import DifferenceBars

        return DifferenceBars(self.session, self.theme)

    def _make_histogram(self) -> QWidget:
        from irviewer.gui.plots.histogram import HistogramView

        return HistogramView(self.session, self.theme)

    def _make_share(self) -> QWidget:
        from irviewer.gui.plots.cumulative_share import ShareView

        return ShareView(self.session, self.theme)


def _put_scatter(canvas: Any, view_model: PairViewModel) -> None:
    canvas.show_figure(view_model.scatter, view_model.texts)


def _put_bars(canvas: Any, view_model: PairViewModel) -> None:
    canvas.show_figure(view_model.bars, view_model.texts)


def _put_histogram(canvas: Any, view_model: PairViewModel) -> None:
    canvas.show_figure(view_model.histogram, view_model.query_ids)


def _put_share(canvas: Any, view_model: PairViewModel) -> None:
    columns = zip(view_model.query_ids, view_model.texts, strict=True)
    canvas.show_figure(view_model.share, dict(columns) if view_model.share.points is not None else {})
