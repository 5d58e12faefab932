"""The plot of runs by a cost: effectiveness against latency, cost or a parameter, with the Pareto line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class TradeOffPanel(PlotPanel):
    """Runs by a numeric attribute; hidden where the runs have none."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, self._make_points, _put_points)
        self._session = session
        self._menu: QMenu | None = None
        self.attribute = ChoiceButton(theme, most=120)
        self.header_layout.insertWidget(1, self.attribute)
        self.attribute.clicked.connect(self._on_attribute_clicked)
        self.hide()

    def refresh(self) -> None:
        """Show the plot of the chosen attribute."""
        figure = self._session.attributes.run_figure()
        self.setVisible(figure is not None)
        if figure is not None:
            self.attribute.show_choice(self._session.attributes.run_plot, tr("Cost, or a parameter"))
            self.set_title(figure.title)
            self.set_note(figure.note)
            self.show_value(figure, again=True)

    def _make_points(self) -> QWidget:
        from irviewer.gui.plots.attribute_points import RunPoints

        return RunPoints(self._session, self._theme)

    def _on_attribute_clicked(self) -> None:
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = QMenu(self)
        for name in self._session.attributes.costs:
            action = self._menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == self._session.attributes.run_plot)
            action.setData(name)
        self._menu.triggered.connect(self._on_chosen)
        self._menu.popup(self.attribute.mapToGlobal(QPoint(0, self.attribute.height() + 3)))

    def _on_chosen(self, action: QAction) -> None:
        self._session.attributes.plot_runs(str(action.data()))


def _put_points(canvas: Any, figure: Figure) -> None:
    canvas.show_figure(figure)
