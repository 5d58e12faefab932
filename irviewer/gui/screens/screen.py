"""The base class of screens: views that are refreshed together, plots that load late, and splitters. Knows no view."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QVBoxLayout, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.prefetch import PLOTS, is_coming
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.abstract import AbstractWidgetType
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import SHARES, Scrolled
from irviewer.session.changes import Change

if TYPE_CHECKING:
    from irviewer.gui.plots.curves.canvas import Canvas
    from irviewer.gui.widgets.table_panel import TablePanel
    from irviewer.session.session import Session

GAP = 8
MOST_AT_ONCE = 60
"""The most runs with which a screen is refreshed in one event."""
MOST_QUERIES = 20_000
"""The most queries with which it is refreshed so."""
BETWEEN = 2
"""Milliseconds between two parts of a refresh: timers that are due and keys come between them, which a timer without an
interval would precede."""
MOMENT = 10
"""Milliseconds until it is asked again whether the plotting library is there."""


@guarded
class Screen(QWidget, metaclass=AbstractWidgetType):
    """A screen. Its views are refreshed together; its plots load after it is painted for the first time, which
    ``painted`` tells.

    One that is made in its ``parent`` is made sooner: to be put into it later would be passed on to everything within,
    since the application has a style sheet."""

    painted = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.plots: tuple[PlotPanel, ...] = ()
        self._only_table: TablePanel | None = None
        self._loaded = False
        self._start = QTimer(self, singleShot=True, interval=0)
        self._start.timeout.connect(self._on_painted)
        self._told = False
        self._parts: list[Callable[[], object]] = []
        self._next_part = QTimer(self)
        self._next_part.setInterval(BETWEEN)
        self._next_part.timeout.connect(self._refresh_next)

    @property
    def takes_long(self) -> bool:
        """Whether what is open has so many runs or queries that to make views and to fill them are two events."""
        context = self.session.view.context
        return context is not None and (
            len(context.query_ids) > MOST_QUERIES or len(context.collection.runs) > MOST_AT_ONCE
        )

    @abstractmethod
    def refresh(self, changes: frozenset[Change]) -> None:
        """Update all views from the session."""

    def refresh_in_parts(self, parts: Sequence[Callable[[], object]], runs: int) -> None:
        """Refresh the parts of the screen now; with many runs or queries one at a time while it is in view, so that
        keys and clicks are answered in between. Parts that still wait from the last call are dropped."""
        self._parts = list(parts)
        context = self.session.view.context
        if runs <= MOST_AT_ONCE and (context is None or len(context.query_ids) <= MOST_QUERIES):
            self.complete()
        elif self.isVisible():
            self._next_part.start()

    @property
    def is_waiting(self) -> bool:
        """Whether some parts wait to be refreshed, and show what was there before."""
        return bool(self._parts)

    def complete(self) -> None:
        """Refresh now the parts that wait."""
        self._next_part.stop()
        parts, self._parts = self._parts, []
        for part in parts:
            part()

    def _refresh_next(self) -> None:
        part = self._parts.pop(0)
        if not self._parts:
            self._next_part.stop()
        part()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._parts:
            self._next_part.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._next_part.stop()

    def release(self) -> None:
        """Refresh nothing more, since the window closes."""
        self._next_part.stop()
        self._parts = []

    def filter_field(self) -> QLineEdit | None:
        """Return the field that "Filter queries…" focuses; None without one."""
        return None

    def _on_painted(self) -> None:
        if not self._told:
            self._told = True
            self.painted.emit()
        if is_coming(PLOTS):
            self._start.start(MOMENT)  # to import it here too would wait for the other thread
        else:
            self.load_plots()

    def load_plots(self) -> None:
        """Import the plotting library and fill the plots; may be called again."""
        if not self._loaded:
            self._loaded = True
            for plot in self.plots:
                plot.load()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        # Lists and tables are painted before the plotting library is imported, which takes half a second.
        if event.type() == QEvent.Type.Paint and not self._loaded and not self._start.isActive():
            self._start.start()
        return handled

    def set_content(self, content: QWidget, least: tuple[int, int] | None = None) -> None:
        """Set the widget that fills the screen. With ``least``, a width and height in pixels, it scrolls where it has
        less room."""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(content if least is None else Scrolled(content, least))

    def set_table(self, panel: TablePanel) -> None:
        """Set the table that the screen consists of. Its panel ends where its rows do, once ``fit_table`` was
        called."""
        self._only_table = panel
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(panel, 1)
        layout.addStretch(0)

    def fit_table(self) -> None:
        """Fit the table that the screen consists of to its rows, and these to the height of the screen."""
        if self._only_table is not None:
            self._only_table.fit_rows(self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().height() != event.oldSize().height():
            self.fit_table()

    def figure_panel(self) -> PlotPanel:
        """Return a panel for the curves of a figure."""
        return PlotPanel(self.theme, self._make_canvas, _put_figure)

    def _make_canvas(self) -> Canvas:
        from irviewer.gui.plots.curves.canvas import Canvas

        return Canvas(self.session, self.theme)


class ColumnSplitter(QSplitter):
    """A splitter with a gap between its panels, which never collapse."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setHandleWidth(GAP)
        self.setChildrenCollapsible(False)


def split(orientation: Qt.Orientation, widgets: Sequence[QWidget], shares: Sequence[int]) -> QSplitter:
    """Return a splitter of widgets whose sizes are proportional to ``shares`` (0 keeps its size)."""
    splitter = ColumnSplitter(orientation)
    fill(splitter, widgets, shares)
    return splitter


def fill(splitter: QSplitter, widgets: Sequence[QWidget], shares: Sequence[int]) -> None:
    """Add widgets to an empty splitter, with sizes proportional to ``shares`` (0 keeps its size)."""
    for index, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(index, share)
    if all(shares):
        splitter.setSizes([share * 100 for share in shares])
        splitter.setProperty(SHARES, [share * 100 for share in shares])


def show_figures(panels: Sequence[PlotPanel], figures: Sequence[Figure], changes: frozenset[Change]) -> None:
    """Show each figure in its panel, with title and note; again if the colours of runs may have changed."""
    for panel, figure in zip(panels, figures, strict=True):
        panel.set_title(figure.title)
        panel.set_note(figure.note)
        panel.show_value(figure, again=Change.RUNS in changes)


def _put_figure(canvas: Any, figure: Figure) -> None:
    canvas.show_figure(figure)


def put_waterfall(canvas: Any, figure: Figure) -> None:
    """Show a waterfall of the parts of a difference."""
    canvas.show_figure(figure)
