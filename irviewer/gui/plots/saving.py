"""How a figure leaves the window: the two actions of every plot's context menu."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.widgets.savable import FIGURE_KINDS, Savable, ask_and_save
from irviewer.rendering.export import figure_rows, save_figure, table_text
from irviewer.rendering.palette import LIGHT
from irviewer.rendering.styles import run_styles
from irviewer.session.session import Session


class FigureWidget(QWidget):
    """A widget that shows a figure: its context menu saves the picture and copies the numbers."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.save_action = QAction("Save plot as PNG, SVG or PDF…", self)
        self.save_action.triggered.connect(self._on_save_asked)
        self.copy_action = QAction("Copy data", self)
        self.copy_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.copy_action.triggered.connect(self.copy_data)
        self.addActions([self.save_action, self.copy_action])

    @property
    def figure(self) -> Figure | None:
        """What is shown, None before the first."""
        raise NotImplementedError

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.figure is not None:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addActions([self.save_action, self.copy_action])
            menu.popup(event.globalPos())

    def savable(self) -> Savable | None:
        """The figure in the light palette, with the runs' colours and as wide as on screen; None before the first."""
        if self.figure is None:
            return None
        size = (float(max(480, self.width())), float(max(320, self.height())))
        colours = run_styles(self._session.view.labels(), LIGHT)
        mark = self._session.view.judgment_mark
        write = partial(save_figure, self.figure, palette=LIGHT, colours=colours, size=size, mark=mark)
        return Savable(self.figure.title, FIGURE_KINDS, write)

    def copy_data(self) -> None:
        """The figure's numbers as TSV, on the clipboard."""
        if self.figure is not None:
            rows = figure_rows(self.figure, self._session.view.judgment_mark)
            QGuiApplication.clipboard().setText(table_text(*rows))

    def copy(self) -> None:
        """The same, by the name that every widget with something to copy has."""
        self.copy_data()

    def _on_save_asked(self) -> None:
        what = self.savable()
        if what is not None:
            ask_and_save(self._session, self.window(), what)
