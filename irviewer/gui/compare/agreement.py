"""The view Agreement: how far the judges of the collection agree on grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from irviewer.gui.compare.judges import EmptyView, JudgeChooser
from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.panel import Note
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.savable import Savable, savable_view
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.model.number_text import limit
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.agreement import STATISTICS, AgreementViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

_CELLS = tr("The statistic in the cells")
STRIP = tuple((name, title.format(level="1"), _CELLS) for name, title in STATISTICS.items())


class AgreementView(Screen):
    """The matrix of judges with their statistics; a click on a pair chooses it, Enter opens its confusion table."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.panel = PlotPanel(theme, self._make_plot, _put_view_model)
        self.plots = (self.panel,)
        self.strip = Segmented(theme, STRIP)
        self.strip.chosen.connect(session.judge_comparison.set_statistic)
        self.reference = JudgeChooser(session, theme, tr("reference"), session.judge_comparison.set_reference)
        self.panel.header_layout.insertWidget(1, self.strip)
        self.panel.header_layout.insertWidget(2, self.reference)
        self.below = Note()
        self.below.setFont(theme.font(9))
        self.below.setContentsMargins(12, 0, 12, 4)
        self.empty = EmptyView(session, theme, "agreement")
        self.stack = QStackedWidget()
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.panel, 1)
        layout.addWidget(self.below)
        self.stack.addWidget(Scrolled(content, (580, 420)))
        self.stack.addWidget(self.empty)
        self.set_content(self.stack)
        self.setFocusProxy(self.panel)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.judge_comparison.agreement_view_model()
        if view_model is None:
            return
        self.empty.show_reason(view_model.explanation)
        self.stack.setCurrentIndex(1 if view_model.explanation else 0)
        self.setFocusProxy(self.empty if view_model.explanation else self.panel)
        self.panel.set_title(view_model.title)
        self.panel.set_note(view_model.note)
        level = limit(self.session.view.level)
        for name, button in self.strip.buttons.items():
            button.setText(STATISTICS[name].format(level=level))
            withheld = name in view_model.withheld
            button.setEnabled(not withheld)
            set_tooltip(button, tr("Withheld: some judges have different scales") if withheld else _CELLS)
        self.strip.show_chosen(view_model.statistic or self.session.state.agreement)
        self.reference.show_judge(self.session.judge_comparison.reference)
        self.below.setText(" · ".join(view_model.below))
        set_tooltip(self.below, "\n".join(view_model.below))
        self.below.setVisible(bool(view_model.below))
        self.panel.show_value(view_model)

    def savable(self) -> Savable | None:
        """Return every statistic of every pair as a table; None before they are computed."""
        view_model = self.session.judge_comparison.agreement_view_model()
        if view_model is None:
            return None
        return savable_view(view_model.title, view_model.tables(), self.session.view.judgment_mark)

    def _make_plot(self) -> QWidget:
        from irviewer.gui.plots.judges.agreement import JudgeAgreementPlot

        plot = JudgeAgreementPlot(self.session, self.theme)
        plot.chosen.connect(self._on_pair_chosen)
        plot.opened.connect(self._on_opened)
        return plot

    def _on_pair_chosen(self, row: int, column: int) -> None:
        view_model = self.session.judge_comparison.agreement_view_model()
        if view_model is not None and max(row, column) < len(view_model.places):
            self.session.judge_comparison.set_pair(view_model.places[row], view_model.places[column])

    def _on_opened(self) -> None:
        self.session.judge_comparison.go_to("confusion")


def _put_view_model(canvas: Any, view_model: AgreementViewModel) -> None:
    canvas.show_view_model(view_model)
