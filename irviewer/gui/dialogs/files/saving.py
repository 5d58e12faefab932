"""Saving what is on screen by a command: which plot, which table, under which name, in which form.

Finds tables and plots by what they offer, so that it needs to know no view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource
from irviewer.gui.widgets.savable import FIGURE_KINDS, Savable, ask_and_save
from irviewer.session.messages import info

if TYPE_CHECKING:
    from collections.abc import Callable

    from irviewer.session.session import Session


class SavingDialogs:
    """Save a plot or a table of the place in view. Where there are several and none has the keys, a list asks which."""

    def __init__(self, session: Session, host: DialogHost) -> None:
        self._session = session
        self._host = host

    def widgets(self, plots: bool) -> list[QWidget]:
        """What is on screen and can be saved: the plots, or the tables."""
        found = []
        for widget in self._host.window().findChildren(QWidget):
            savable = _savable(widget) if widget.isVisible() else None
            if savable is not None and (savable.kinds is FIGURE_KINDS) == plots:
                found.append(widget)
        return sorted(found, key=self._place)

    def _place(self, widget: QWidget) -> tuple[int, int]:
        """Where a widget stands, as it is read: by column, then downward."""
        at = widget.mapTo(self._host.window(), QPoint(0, 0))
        return at.x(), at.y()

    def save_figure(self) -> None:
        """Ask which plot, if there are several, and where to."""
        self._save(self.widgets(plots=True), "plot")

    def save_table(self) -> None:
        """Ask which table, if there are several, and where to."""
        self._save(self.widgets(plots=False), "table")

    def _save(self, widgets: list[QWidget], what: str) -> None:
        focus = QApplication.focusWidget()
        near = [one for one in widgets if focus is not None and (one is focus or one.isAncestorOf(focus))]
        chosen = (near or widgets)[:1] if near or len(widgets) == 1 else widgets
        found = [savable for one in chosen if (savable := _savable(one)) is not None]
        if not found:
            self._session.say(info(f"There is no {what} in view to save."))
        elif len(found) == 1:
            self._ask(found[0])
        else:
            items = [Item(one.title, partial(self._ask, one)) for one in found]
            self._host.picker.pick_from(ChoiceSource(f"Save which {what}?", items))

    def _ask(self, what: Savable) -> None:
        self._host.make_room()
        session = self._session
        parts = [] if session.view.collection is None else [session.view.collection.name]
        if session.view.place == "query":
            parts.append(f"query {session.view.query_id}")
        ask_and_save(session, self._host.window(), what, " ".join([*parts, what.title]))


def _savable(widget: QWidget) -> Savable | None:
    """What a widget has to save: its ``savable`` tells, None where it has nothing now."""
    tell: Callable[[], Savable | None] | None = getattr(widget, "savable", None)
    return None if tell is None else tell()
