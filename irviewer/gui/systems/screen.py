"""The Systems screen: the table of runs above the averaged curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from irviewer.evaluation.answer_cautions import why_no_curves
from irviewer.gui.screens.screen import Screen, put_waterfall, show_figures, split
from irviewer.gui.systems.table import SystemsTable
from irviewer.gui.systems.trade_offs import TradeOffPanel
from irviewer.gui.tables.ledger_panel import LedgerView
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import delta_text
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.session.changes import Change
from irviewer.session.evaluation.caveats import hidden_words
from irviewer.session.view_models.systems import SystemsViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.gui.plots.curves.canvas import Canvas
    from irviewer.session.session import Session

LEAST, LEAST_WITHOUT_CURVES = (600, 560), 320
"""The least width and height in pixels below which the view scrolls, and its height where no curves are drawn."""
LEGEND_BESIDE = 420
"""The least width in pixels of a plot whose legend stands beside its title."""
MOST_BELOW = 8
"""The most curves that a legend below a plot names."""


class SystemsScreen(Screen):
    """The table of runs above the averaged curves."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.table = SystemsTable(session, theme)
        self.plots = (self.figure_panel(), self.figure_panel())
        self._legends: tuple[QWidget, ...] = ()
        self._legends_below: tuple[QWidget, ...] = ()
        self.ledger = LedgerView(session, theme, session.explaining.mean_view_model)
        self.waterfall = PlotPanel(theme, self._make_waterfall, put_waterfall)
        self.below = QStackedWidget()
        self.below.addWidget(split(Qt.Orientation.Horizontal, self.plots, (1, 1)))
        self.trade_offs = TradeOffPanel(session, theme)
        curves = self.below.widget(0)
        assert isinstance(curves, QSplitter)
        curves.addWidget(self.trade_offs)
        self.below.addWidget(split(Qt.Orientation.Horizontal, (self.ledger, self.waterfall), (3, 2)))
        self.why = PlainLabel()
        """Why there is no curve, in place of the plots."""
        self.why.setFont(theme.font(10))
        self.why.setWordWrap(True)
        self.why.setContentsMargins(12, 8, 12, 8)
        no_curves = Panel(theme, tr("Curves"))
        no_curves.set_body(self.why)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(no_curves)
        column.addStretch(1)  # a panel ends where its content does
        self.below.addWidget(page)
        self.scrolled = Scrolled(split(Qt.Orientation.Vertical, (self.table, self.below), (11, 9)), LEAST)
        self.set_content(self.scrolled)
        self.setFocusProxy(self.table)
        self.table.table.row_pointed.connect(self._on_row_pointed)
        self._of_curves: frozenset[Change] = frozenset()  # changes since the curves were shown

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
        view_model = self.session.view_models.systems_view_model()
        self._of_curves |= changes
        self.refresh_in_parts([self._show_below], 0 if view_model is None else len(view_model.runs))

    def _show_below(self) -> None:
        """Show curves, trade-offs and what explains a mean below the table."""
        changes, self._of_curves = self._of_curves, frozenset()
        view_model = self.session.view_models.systems_view_model()
        if view_model is not None:
            figures = (view_model.precision_recall, view_model.by_cutoff)
            show_figures(self.plots, figures, changes)
            context = self.session.view.context
            missing = view_model.explanation or ("" if context is None else hidden_words(context))
            for plot, figure in zip(self.plots, figures, strict=True):
                if missing and not figure.curves:
                    plot.set_note(missing)
        self.trade_offs.refresh()
        judgments = None if view_model is None else self.session.view.judgments
        why = "" if judgments is None else why_no_curves(judgments.qrels)
        self.why.setText(f"{why[:1].upper()}{why[1:]}." if why else "")
        self._explain(changes)

    def _explain(self, changes: frozenset[Change]) -> None:
        """Show the queries behind a mean and the parts of the difference instead of the curves."""
        view_model = self.session.explaining.mean_view_model()
        folded = view_model is None and bool(self.why.text()) and self.trade_offs.isHidden()
        self.scrolled.set_least(LEAST if not folded else (LEAST[0], LEAST_WITHOUT_CURVES))
        if view_model is None:
            self.below.setCurrentIndex(2 if folded else 0)
            return
        self.below.setCurrentIndex(1)
        self.ledger.refresh(changes)
        apart = view_model.difference
        self.waterfall.setVisible(apart is not None)
        if apart is not None:
            self.waterfall.load()
            self.waterfall.set_title(apart.title)
            self.waterfall.set_note(apart.note)
            self.waterfall.show_value(apart)

    def _make_waterfall(self) -> QWidget:
        from irviewer.gui.plots.waterfall import WaterfallView

        plot = WaterfallView(self.session, self.theme)
        plot.chosen.connect(self._on_part_chosen)
        return plot

    def _on_part_chosen(self, query: str) -> None:
        self.session.navigation.set_query(query)

    def _on_run_pointed(self, key: int | None) -> None:
        """Mark a run that is pointed at in the table and in both plots."""
        view_model = self.session.view_models.systems_view_model()
        words = "" if key is None or view_model is None else run_words(view_model, key)
        for plot in self.plots:
            if plot.canvas is not None:
                cast("Canvas", plot.canvas).point_at_run(key if words else None, words)
        self.table.point_at_run(key)

    def _on_row_pointed(self, row: int) -> None:
        self._on_run_pointed(self.table.run_at(row))

    def filter_field(self) -> QLineEdit | None:
        return self.table.filter

    def load_plots(self) -> None:
        super().load_plots()
        self.trade_offs.load()
        if not self._legends:
            from irviewer.gui.plots.curves.legend import Legend, LegendRows

            canvases = [cast("Canvas", plot.canvas) for plot in self.plots]
            self._legends = tuple(Legend(canvas, self.theme) for canvas in canvases)
            self._legends_below = tuple(LegendRows(canvas, self.theme) for canvas in canvases)
            for plot, canvas, legend, below in zip(
                self.plots, canvases, self._legends, self._legends_below, strict=True
            ):
                plot.header_layout.addWidget(legend)
                plot.add_below(below)
                canvas.view.resized.connect(self._place_legends)
                canvas.shown.connect(self._place_legends)
                canvas.run_pointed.connect(self._on_run_pointed)
                canvas.run_chosen.connect(self.session.runs.set_focus)

    def _place_legends(self) -> None:
        """Put the legend of a narrow plot below it, where its names have room beside each other."""
        for plot, beside, below in zip(self.plots, self._legends, self._legends_below, strict=True):
            figure = cast("Canvas", plot.canvas).figure
            narrow = plot.width() < LEGEND_BESIDE and figure is not None and len(figure.curves) <= MOST_BELOW
            beside.setVisible(not narrow)
            below.setVisible(narrow)


def run_words(view_model: SystemsViewModel, key: int) -> str:
    """Return what is said of a run that is pointed at: its name, its rank if there are many, its difference; "" for a
    run without a row."""
    row = next((place for place, label in enumerate(view_model.runs) if label.key == key), -1)
    if row < 0:
        return ""
    parts = [view_model.runs[row].name]
    if view_model.ranks and view_model.ranks[row]:
        parts.append(tr("rank {rank}", rank=view_model.ranks[row]))
    chosen = next((column for column in view_model.columns if column.chosen), None)
    toward = float(view_model.delta[row])
    if chosen is not None and not chosen.higher_is_better:
        toward = -toward
    parts.append(delta_text(toward, 4, view_model.ratio))
    return " · ".join(filter(None, parts))
