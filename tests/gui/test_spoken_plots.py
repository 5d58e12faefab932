"""Plots for a screen reader: every one has the role of a chart, a name and a description."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from irviewer.figures.described import described
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.mark.opens("systems")
@pytest.mark.parametrize("place", ["systems", "queries:table", "query", "compare:pair"])
def test_every_plot_in_view_has_a_role_a_name_and_a_description(
    qtbot: QtBot, session: Session, window: MainWindow, place: str
) -> None:
    name, _, tab = place.partition(":")
    session.navigation.set_place(name)
    if tab:
        session.navigation.set_tab(name, tab)
    window.flush()
    window.current_screen.load_plots()

    def plots() -> list[FigureWidget]:
        return [plot for plot in window.findChildren(FigureWidget) if plot.isVisible() and plot.figure is not None]

    qtbot.waitUntil(lambda: bool(plots()))
    for plot in plots():
        interface = QAccessible.queryAccessibleInterface(plot)
        assert interface is not None
        assert interface.role() is QAccessible.Role.Chart
        assert interface.text(QAccessible.Text.Name)
        assert interface.text(QAccessible.Text.Description)
        assert plot.accessibleDescription() in (described(plot.figure), plot.spoken_mark)
