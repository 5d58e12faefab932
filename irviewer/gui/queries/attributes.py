"""The tab Attributes of Queries: queries as points by an attribute and the difference, or a run's value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.run_choices import run_entry
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class AttributesView(Screen):
    """The plot, with choosers of the attribute and the value."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.panel = PlotPanel(theme, self._make_points, _put_points)
        self.plots = (self.panel,)
        self.attribute = ChoiceButton(theme)
        self.value = ChoiceButton(theme)
        self.colour = ChoiceButton(theme)
        self.colour.clicked.connect(self._on_colour_clicked)
        for position, button in enumerate((self.attribute, self.value, self.colour), 1):
            self.panel.header_layout.insertWidget(position, button)
        self.attribute.clicked.connect(self._on_attribute_clicked)
        self.value.clicked.connect(self._on_value_clicked)
        self._menu: QMenu | None = None
        self.set_content(self.panel)
        self.setFocusProxy(self.panel)

    def refresh(self, changes: frozenset[Change]) -> None:
        attributes = self.session.attributes
        titles = {attribute.name: attribute.shown for attribute in attributes.of_queries}
        name, value = attributes.query_plot
        figure = attributes.query_figure()
        for button in (self.attribute, self.value, self.colour):
            button.setVisible(figure is not None)
        self.panel.set_title(tr("Queries by attribute"))
        if figure is None:
            self.panel.set_note(tr("Open judgments and runs, and queries or a table of attributes, to plot them."))
            return
        self.attribute.show_choice(titles.get(name, name), tr("Attribute"))
        labels = {str(label.key): label.name for label in self.session.view.labels()}
        self.value.show_choice(labels.get(value, "Δ"), tr("Value"))
        colour = attributes.query_colour
        text = tr("coloured by {attribute}", attribute=titles[colour]) if colour else tr("better · worse")
        self.colour.show_choice(text, tr("Colour and shape of the points"))
        self.panel.set_note(" · ".join(filter(None, (figure.note, tr("draw around points to brush them")))))
        self.panel.show_value(figure)

    def _make_points(self) -> QWidget:
        from irviewer.gui.plots.attribute_points import AttributePoints

        return AttributePoints(self.session, self.theme)

    def _open(self, choices: list[tuple[str, str]], chosen: str, what: str, below: QWidget) -> None:
        menu = QMenu(self)
        for value, title in choices:
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(value == chosen)
            action.setData((what, value))
        menu.triggered.connect(self._on_chosen)
        self._menu = open_below(menu, below, self._menu)

    def _on_attribute_clicked(self) -> None:
        choices = [
            (attribute.name, attribute.shown.replace("&", "&&")) for attribute in self.session.attributes.of_queries
        ]
        self._open(choices, self.session.attributes.query_plot[0], "attribute", self.attribute)

    def _on_value_clicked(self) -> None:
        view = self.session.view
        runs = [(str(label.key), run_entry(label, mean)) for label, mean in view.best_first(view.labels())]
        self._open([("delta", "Δ"), *runs], self.session.attributes.query_plot[1], "value", self.value)

    def _on_colour_clicked(self) -> None:
        attributes = self.session.attributes
        choices = [(attribute.name, attribute.shown.replace("&", "&&")) for attribute in attributes.of_queries]
        self._open([("", tr("better · worse")), *choices], attributes.query_colour, "colour", self.colour)

    def _on_chosen(self, action: QAction) -> None:
        what, value = action.data()
        if what == "attribute":
            self.session.attributes.plot(x=value)
        elif what == "colour":
            self.session.attributes.plot(colour=value)
        else:
            self.session.attributes.plot(y=value)


def _put_points(canvas: Any, figure: Figure) -> None:
    canvas.show_figure(figure)
