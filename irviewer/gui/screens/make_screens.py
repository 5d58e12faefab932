"""Making the screens of the window. A new screen needs a module, a function here and a line in ``SCREENS``.

Each module is imported when its screen is made; ``irviewer.gui.prefetch`` imports them before, the first one
first, so that it appears sooner."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from irviewer.gui.screens.screen import Screen
    from irviewer.gui.teaching.lesson_strip import LessonStrip
    from irviewer.gui.theme import Theme
    from irviewer.session.session import Session


def _verdict(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.verdict.screen import VerdictScreen

    return VerdictScreen(session, theme, parent)


def _systems(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.systems.screen import SystemsScreen

    return SystemsScreen(session, theme, parent)


def _queries(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.failures.screen import TABS
    from irviewer.gui.queries.screen import QueriesScreen

    return QueriesScreen(session, theme, TABS, parent)


def _query(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.query.screen import QueryScreen

    return QueryScreen(session, theme, parent)


def _compare(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.compare.screen import CompareScreen

    return CompareScreen(session, theme, parent)


def _collections(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.collections.screen import CollectionsScreen

    return CollectionsScreen(session, theme, parent)


def _covered(session: Session, theme: Theme, parent: QWidget | None) -> Screen:
    from irviewer.gui.teaching.covered import CoveredScreen

    return CoveredScreen(session, theme, parent)


SCREENS: dict[str, Callable[[Session, Theme, QWidget | None], Screen]] = {
    "verdict": _verdict,
    "systems": _systems,
    "queries": _queries,
    "query": _query,
    "compare": _compare,
    "collections": _collections,
}
"""How each screen is made, by its name, in the order of the top bar."""
COVER = "covered"
"""The name of the screen in place of those that a question of a lesson covers."""
COVERED = frozenset(SCREENS) - {"query"}
"""The places whose tables and curves may have the answer; Query covers its own."""


def make_screen(name: str, session: Session, theme: Theme, parent: QWidget) -> Screen:
    """Return a new screen of this name in ``parent``."""
    return _covered(session, theme, parent) if name == COVER else SCREENS[name](session, theme, parent)


def screen_of(place: str, asking: bool) -> str:
    """Return the name of the screen for a place; ``asking`` while a question of a lesson asks."""
    return COVER if asking and place in COVERED else place


def make_lesson_strip(session: Session, theme: Theme) -> LessonStrip:
    """Return the strip of lessons that is above the screens; Query has its own."""
    from irviewer.gui.teaching.lesson_strip import LessonStrip

    return LessonStrip(session, theme)
