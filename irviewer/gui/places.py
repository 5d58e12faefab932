"""The three places, composed of views that do not know each other: Systems, Queries, Query.

Owns what stands where and how room is shared; the only module that knows all the views. What is shown is the views'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.panel import HEADER_HEIGHT
from irviewer.gui.plot_panel import PlotPanel
from irviewer.gui.query_header import QueryPanel
from irviewer.gui.table import ROW_HEIGHT
from irviewer.gui.theme import Theme
from irviewer.gui.views.document import Document
from irviewer.gui.views.metrics import MetricsTable
from irviewer.gui.views.missed import Missed
from irviewer.gui.views.queries import QueriesTable
from irviewer.gui.views.query_list import QueryList
from irviewer.gui.views.ranked_lists import RankedLists
from irviewer.gui.views.strips import Strips
from irviewer.gui.views.systems import SystemsTable
from irviewer.session.pages.queries import QueriesPage

if TYPE_CHECKING:
    from irviewer.gui.plots.canvas import Canvas
    from irviewer.session.session import Session

GAP = 8


class Place(QWidget):
    """A place: its views refreshed together, its plots loaded after it was painted once."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.plots: tuple[PlotPanel, ...] = ()
        self._loaded = False
        self._start = QTimer(self)
        self._start.setSingleShot(True)
        self._start.setInterval(0)
        self._start.timeout.connect(self.load_plots)

    def refresh(self, aspects: frozenset[str]) -> None:
        """Have every view pull what it shows."""
        raise NotImplementedError

    def load_plots(self) -> None:
        """Import the plotting library and fill the plots; may be called again."""
        if not self._loaded:
            self._loaded = True
            for plot in self.plots:
                plot.load()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        # Lists and tables are on the screen first; half a second of import comes behind them.
        if event.type() == QEvent.Type.Paint and not self._loaded and not self._start.isActive():
            self._start.start()
        return handled

    def set_content(self, content: QWidget) -> None:
        """What fills the place."""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(content)

    def figure_panel(self) -> PlotPanel:
        """A box for a figure's curves."""
        return PlotPanel(self.theme, self._make_canvas, _put_figure)

    def _make_canvas(self) -> Canvas:
        from irviewer.gui.plots.canvas import Canvas

        return Canvas(self.session, self.theme)


class SystemsPlace(Place):
    """The table of runs over the averaged curves."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = SystemsTable(session, theme)
        self.plots = (self.figure_panel(), self.figure_panel())
        self._legends: tuple[QWidget, ...] = ()
        below = split(Qt.Orientation.Horizontal, self.plots, (1, 1))
        self.set_content(split(Qt.Orientation.Vertical, (self.table, below), (11, 9)))
        self.setFocusProxy(self.table)

    def refresh(self, aspects: frozenset[str]) -> None:
        self.table.refresh(aspects)
        page = self.session.systems_page()
        if page is not None:
            show_figures(self.plots, (page.precision_recall, page.by_cutoff), aspects)

    def load_plots(self) -> None:
        super().load_plots()
        if not self._legends:
            from irviewer.gui.plots.legend import Legend

            self._legends = tuple(Legend(cast("Canvas", plot.canvas), self.theme) for plot in self.plots)
            for plot, legend in zip(self.plots, self._legends, strict=True):
                plot.header_layout.addWidget(legend)


class QueriesPlace(Place):
    """The table of queries beside the relevance map, over the bars, all in one order."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = QueriesTable(session, theme)
        self.map = PlotPanel(theme, self._make_map, _put_map)
        self.bars = PlotPanel(theme, self._make_bars, _put_bars)
        self.plots = (self.map, self.bars)
        above = split(Qt.Orientation.Horizontal, (self.table, self.map), (3, 2))
        self.set_content(split(Qt.Orientation.Vertical, (above, self.bars), (5, 3)))
        self.setFocusProxy(self.table)

    def refresh(self, aspects: frozenset[str]) -> None:
        self.table.refresh(aspects)
        page = self.session.queries_page()
        if page is None:
            return
        self.bars.set_title(page.bars.title)
        counts = f"{page.better:,} better · {page.equal:,} equal · {page.worse:,} worse"
        self.bars.set_note(f"{counts} · {page.bars.note}" if page.bars.note else counts)
        self.bars.show_value(page)
        if page.map is None:
            self.map.set_title("Relevance map")
            self.map.set_note("no run to show")
        else:
            self.map.set_title(f"Relevance map · {page.map.run.name}")
            self.map.set_note("a column a query in the table's order · rank downward")
        self.map.show_value(page)

    def _make_map(self) -> QWidget:
        from irviewer.gui.plots.map import RelevanceMapView

        return RelevanceMapView(self.session, self.theme)

    def _make_bars(self) -> QWidget:
        from irviewer.gui.plots.bars import DifferenceBars

        return DifferenceBars(self.session, self.theme)


class QueryPlace(Place):
    """One query: the queries, its ranked lists or strips over what they miss, its metrics and curves.

    The document stands beside the missed ones and takes no room until one is selected; strips take the queries' room,
    since a rank is a column there."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.queries = QueryList(session, theme)
        self.lists = RankedLists(session, theme)
        self.strips = Strips(session, theme)
        self.missed = Missed(session, theme)
        self.document = Document(session, theme)
        self.metrics = MetricsTable(session, theme)
        self.plots = (self.figure_panel(), self.figure_panel())
        self.rankings = QStackedWidget()
        self.rankings.addWidget(self.lists)
        self.rankings.addWidget(self.strips)
        self.centre = QueryPanel(session, theme)
        self.centre.set_body(self.rankings)
        self.below = split(Qt.Orientation.Horizontal, (self.missed, self.document), (1, 1))
        self.middle = split(Qt.Orientation.Vertical, (self.centre, self.below), (7, 3))
        self.right = split(Qt.Orientation.Vertical, (self.metrics, *self.plots), (10, 9, 9))
        self.content = split(Qt.Orientation.Horizontal, (self.queries, self.middle, self.right), (0, 1, 0))
        self.set_content(self.content)
        self.document.hide()
        self._chosen = False
        self._rows = 0
        for splitter in (self.content, self.middle, self.right):
            splitter.splitterMoved.connect(self._on_splitter_moved)
        self._views = (self.queries, self.centre, self.missed, self.document, self.metrics)
        for view in (self.lists, self.strips, self.missed.table):
            view.document_asked.connect(self._on_document_asked)

    @property
    def ranking(self) -> RankedLists | Strips:
        """The lists or the strips, whichever the session shows."""
        return self.strips if self.session.lists_mode == "strips" else self.lists

    def refresh(self, aspects: frozenset[str]) -> None:
        self.queries.setVisible(self.session.lists_mode != "strips")
        # Without judgments or runs there are no numbers: the rankings take the room, and say what is missing.
        numbers = self.session.judgments is not None and bool(self.session.labels())
        self.right.setVisible(numbers)
        self.missed.setVisible(numbers)
        if self.rankings.currentWidget() is not self.ranking:
            focused = self.rankings.isAncestorOf(self.focusWidget() or self)
            self.rankings.setCurrentWidget(self.ranking)
            aspects |= {"query"}
            if focused:
                self.ranking.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setFocusProxy(self.ranking)
        self._show_document()
        self.ranking.refresh(aspects)
        for view in self._views:
            if not view.isHidden():
                view.refresh(aspects)
        page = self.session.query_page()
        if page is not None:
            show_figures(self.plots, (page.precision_recall, page.gain), aspects)
            if len(page.metrics) != self._rows:
                self._share_room()

    def _show_document(self) -> None:
        """Make room for the document where one is selected, and give it back where none is; keep the keys' place."""
        wanted = self.session.document_id is not None
        self.below.setVisible(wanted or self.missed.isVisibleTo(self.below))
        if wanted == self.document.isVisibleTo(self.below):
            return
        if not wanted and self.document.isAncestorOf(self.focusWidget() or self):
            self.ranking.setFocus(Qt.FocusReason.OtherFocusReason)
        self.document.setVisible(wanted)
        if wanted:
            self.document.refresh(frozenset({"document"}))

    def _on_document_asked(self) -> None:
        # The window refreshes when it next gets to it; whoever asks for the text wants it to have the keys by then.
        self._show_document()
        if not self.document.isHidden():
            self.document.focus_text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _on_splitter_moved(self, place: int, at: int) -> None:
        self._chosen = True

    def _share_room(self) -> None:
        """Narrow queries and metrics, all else to the lists; once a person moved a border, Qt keeps their shares."""
        page = self.session.query_page()
        if self._chosen or page is None:
            return
        self._rows = len(page.metrics)
        width = self.width()
        left = max(168, min(280, round(width * 0.14)))
        # From 1280 pixels on the metrics of four runs and their difference stand side by side without scrolling.
        right = max(300, min(362, round(width * 0.287)), min(500, round(width * 0.258)))
        self.content.setSizes([left, width - left - right - 2 * GAP, right])
        height = self.height()
        below = max(150, min(280, round(height * 0.3)))
        self.middle.setSizes([height - below - GAP, below])
        table = min(round(height * 0.44), HEADER_HEIGHT + ROW_HEIGHT * (self._rows + 1) + 20)
        plot = (height - table - 2 * GAP) // 2
        self.right.setSizes([table, plot, plot])


class ColumnSplitter(QSplitter):
    """A splitter whose panels stand a gap apart and never collapse to nothing."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setHandleWidth(GAP)
        self.setChildrenCollapsible(False)


def split(orientation: Qt.Orientation, widgets: Sequence[QWidget], shares: Sequence[int]) -> QSplitter:
    """Widgets side by side or one over the other, the room shared as ``shares`` say (0: keeps its size)."""
    splitter = ColumnSplitter(orientation)
    for place, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, share)
    if all(shares):
        splitter.setSizes([share * 100 for share in shares])
    return splitter


def show_figures(panels: Sequence[PlotPanel], figures: Sequence[Figure], aspects: frozenset[str]) -> None:
    """Each figure in its panel, with its title and note; the same one again where runs may have other colours."""
    for panel, figure in zip(panels, figures, strict=True):
        panel.set_title(figure.title)
        panel.set_note(figure.note)
        panel.show_value(figure, again="runs" in aspects)


def _put_figure(canvas: Any, figure: Figure) -> None:
    canvas.show_figure(figure)


def _put_bars(canvas: Any, page: QueriesPage) -> None:
    canvas.show_figure(page.bars, page.texts)


def _put_map(canvas: Any, page: QueriesPage) -> None:
    canvas.show_map(page.map, page.query_ids, page.texts, page.selected)


def make_places(session: Session, theme: Theme) -> dict[str, Place]:
    """The places by name, in the order of the top bar."""
    return {
        "systems": SystemsPlace(session, theme),
        "queries": QueriesPlace(session, theme),
        "query": QueryPlace(session, theme),
    }
