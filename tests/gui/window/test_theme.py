"""A theme that is chosen while a view is open: everything in view has its colours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.session.helpers import session_with
from tests.session.staged import staged


@pytest.mark.parametrize(
    ("place", "tab"),
    [("verdict", ""), ("queries", "failures"), ("query", "stages"), ("compare", "pair"), ("compare", "slices")],
)
def test_the_choosers_of_runs_have_the_colours_of_the_theme(
    make_window: Callable[[Session], MainWindow], theme: Theme, place: str, tab: str
) -> None:
    """Two kept the colours of the theme before, in which the plot beside them has other runs."""
    session = session_with(staged())
    session.appearance.set_theme("light")
    session.navigation.set_place(place)
    if tab:
        session.navigation.set_tab(place, tab)
    session.compute_now()
    window = make_window(session)
    session.appearance.set_theme("dark")
    theme.set_palette(session.view.palette)
    window.flush()
    QApplication.processEvents()
    colours = {theme.run(label).name() for label in session.view.labels()}
    choosers = [each for each in window.current_screen.findChildren(ChoiceButton) if each.isVisible()]
    swatches = [each._swatch.name() for each in choosers if each._swatch is not None]
    assert swatches and set(swatches) <= colours
