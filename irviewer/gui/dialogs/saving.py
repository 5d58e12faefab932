"""Saving what is on screen by a command: which plot, which table, under which name, in which form.

Finds table panels and plots by what they offer, so that it needs to know no view."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure
from irviewer.gui.table_panel import TablePanel
from irviewer.session.messages import error, info

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irviewer.gui.dialogs.desk import Desk
    from irviewer.session.session import Session

TABLE_KINDS = (("CSV table", ".csv"), ("TSV table", ".tsv"))


class _Plot(Protocol):
    def save_to(self, path: str | Path) -> None: ...


class Saving(QObject):
    """Save a plot or a table of the place in view. Where there are several, a menu asks which."""

    def __init__(self, session: Session, window: QWidget, desk: Desk) -> None:
        super().__init__(desk)
        self._session = session
        self._window = window
        self._desk = desk
        self._menu: QMenu | None = None

    def plots(self) -> list[tuple[Figure, _Plot]]:
        """The figures on screen, and what saves each."""
        found = []
        for widget in self._window.findChildren(QWidget):
            figure, plot = getattr(widget, "figure", None), getattr(widget, "actions_of_figure", None)
            if isinstance(figure, Figure) and plot is not None and widget.isVisible():
                found.append((figure, plot))
        return found

    def tables(self) -> list[TablePanel]:
        """The tables on screen."""
        return [one for one in self._window.findChildren(TablePanel) if one.isVisible()]

    def save_figure(self) -> None:
        """Ask which plot, if there are several, and where to."""
        plots = self.plots()
        if not plots:
            self._session.say(info("There is no plot in view to save."))
        elif len(plots) == 1:
            self._ask_figure(*plots[0])
        else:
            self._ask_which([figure.title for figure, _ in plots], [partial(self._ask_figure, *one) for one in plots])

    def save_table(self) -> None:
        """Save the table with the focus; else ask which, if there are several."""
        panels = self.tables()
        focused = [one for one in panels if one.table.hasFocus()]
        if not panels:
            self._session.say(info("There is no table in view to save."))
        elif focused or len(panels) == 1:
            self._ask_table((focused or panels)[0])
        else:
            self._ask_which([one.title for one in panels], [partial(self._ask_table, one) for one in panels])

    def _ask_figure(self, figure: Figure, plot: _Plot) -> None:
        from irviewer.session.export import FORMATS

        kinds = [(text, suffix) for suffix, text in FORMATS.items()]
        self._desk.ask_place("Save plot", self._name(figure.title), kinds, partial(self._write, plot.save_to))

    def _ask_table(self, panel: TablePanel) -> None:
        self._desk.ask_place("Save table", self._name(panel.title), TABLE_KINDS, partial(self._write, panel.save_csv))

    def _name(self, title: str) -> str:
        collection = self._session.collection
        return f"{collection.name} {title}" if collection is not None else title

    def _ask_which(self, titles: Sequence[str], choices: Sequence[Callable[[], None]]) -> None:
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = QMenu(self._window)
        for title, choice in zip(titles, choices, strict=True):
            self._menu.addAction(title.replace("&", "&&")).setData(choice)
        self._menu.triggered.connect(self._on_chosen)
        at = QCursor.pos()
        if not self._window.rect().contains(self._window.mapFromGlobal(at)):
            at = self._window.mapToGlobal(QPoint(self._window.width() // 2 - 120, 120))
        self._menu.popup(at)

    def _on_chosen(self, action: QAction) -> None:
        action.data()()

    def _write(self, save: Callable[[str], None], path: str) -> None:
        self._session.settings["last_folder"] = str(Path(path).parent)
        try:
            save(path)
        except IrviewerError as trouble:
            self._session.say(error(str(trouble)))
        else:
            self._session.say(info(f"Saved {path}"))
