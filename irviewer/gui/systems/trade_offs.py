"""The plot of runs by a cost: effectiveness against latency, cost or a parameter, with the Pareto line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.session.view_models.attribute_plots import ParameterGridViewModel
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
        self.second = ChoiceButton(theme, most=120)
        self.header_layout.insertWidget(2, self.second)
        self.attribute.clicked.connect(self._on_attribute_clicked)
        self.second.clicked.connect(self._on_second_clicked)
        self.hide()

    def refresh(self) -> None:
        """Show the plot of the chosen attribute."""
        figure = self._session.attributes.run_figure()
        self.setVisible(figure is not None)
        if figure is not None:
            self.attribute.show_choice(self._session.attributes.run_plot, tr("Cost, or a parameter"))
            self.set_title(figure.title)
            self.set_note(figure.note)
            second = self._session.attributes.second_parameter
            self.second.setVisible(len(self._session.attributes.costs) > 1)
            text = tr("× {parameter}", parameter=second) if second else tr("mean")
            self.second.show_choice(text, tr("The mean, or a second parameter: a heat map"))
            grid = self._session.attributes.run_grid()
            if grid is not None:
                self.set_title(grid.title)
                self.set_note(grid.note)
            self.show_value(figure if grid is None else grid, again=True)

    def savable(self) -> Savable | None:
        """Return the heat map as a table with a row for each cell; None where points are shown."""
        grid = self._session.attributes.run_grid()
        return None if grid is None else savable_result(grid.title, [grid.table()], self._session.view.judgment_mark)

    def _make_points(self) -> QWidget:
        from irviewer.gui.plots.attribute_points import RunPoints

        return RunPoints(self._session, self._theme)

    def menu_of(self, second: bool) -> QMenu:
        """Return the numeric attributes; for the ``second`` one the mean, and those that are not the first."""
        attributes, menu = self._session.attributes, QMenu(self)
        first, other = attributes.run_plot, attributes.second_parameter
        names = ["", *(name for name in attributes.costs if name != first)] if second else [*attributes.costs]
        for name in names:
            action = menu.addAction(name.replace("&", "&&") or tr("mean"))
            action.setCheckable(True)
            action.setChecked(name == (other if second else first))
            action.setData((first, name) if second else (name, other))
        menu.triggered.connect(self._on_chosen)
        return menu

    def _open(self, second: bool, below: QWidget) -> None:
        self._menu = open_below(self.menu_of(second), below, self._menu)

    def _on_attribute_clicked(self) -> None:
        self._open(False, self.attribute)

    def _on_second_clicked(self) -> None:
        self._open(True, self.second)

    def _on_chosen(self, action: QAction) -> None:
        first, second = action.data()
        self._session.attributes.plot_runs(first, second)


def _put_points(canvas: Any, value: Figure | ParameterGridViewModel) -> None:
    if isinstance(value, ParameterGridViewModel):
        canvas.show_grid(value)
    else:
        canvas.show_grid(None)
        canvas.show_figure(value)
