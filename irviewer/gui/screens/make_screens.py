"""Making the screens of the window. A new screen needs a module and a line in ``SCREENS``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from irviewer.gui.collections.screen import CollectionsScreen
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.queries.screen import QueriesScreen
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.screen import Screen
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.teaching.covered import COVERED, CoveredScreen
from irviewer.gui.teaching.lesson_strip import LessonStrip
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from irviewer.session.session import Session


SCREENS: dict[str, Callable[[Session, Theme, QWidget | None], Screen]] = {
    "systems": SystemsScreen,
    "queries": QueriesScreen,
    "query": QueryScreen,
    "compare": CompareScreen,
    "collections": CollectionsScreen,
}
"""How each screen is made, by its name, in the order of the top bar."""
COVER = "covered"
"""The name of the screen in place of those that a question of a lesson covers."""


def make_screen(name: str, session: Session, theme: Theme, parent: QWidget) -> Screen:
    """Return a new screen of this name in ``parent``."""
    return CoveredScreen(session, theme, parent) if name == COVER else SCREENS[name](session, theme, parent)


def screen_of(place: str, asking: bool) -> str:
    """Return the name of the screen for a place; ``asking`` while a question of a lesson asks."""
    return COVER if asking and place in COVERED else place


def make_lesson_strip(session: Session, theme: Theme) -> LessonStrip:
    """Return the strip of lessons that is above the screens; Query has its own."""
    return LessonStrip(session, theme)
