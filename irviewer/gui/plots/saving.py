"""Saving and copying figures: the context menu of all plots."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.figures.described import described
from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.widgets.abstract import AbstractWidgetType
from irviewer.gui.widgets.plain_text import visible
from irviewer.gui.widgets.savable import FIGURE_KINDS, Savable, ask_and_save
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.rendering.export import figure_rows, save_figure, table_text
from irviewer.rendering.palette import LIGHT, with_runs
from irviewer.rendering.styles import figure_with_groups, run_styles
from irviewer.session.session import Session
from irviewer.translation import tr


@guarded
class FigureWidget(QWidget, metaclass=AbstractWidgetType):
    """A widget with a figure; its context menu saves the plot and copies the data."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.spoken_mark = ""
        set_role(self, QAccessible.Role.Chart)
        self.save_action = QAction(tr("Save plot as PNG, SVG or PDF…"), self)
        self.save_action.triggered.connect(self._on_save_asked)
        self.copy_action = QAction(tr("Copy data"), self)
        self.copy_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.copy_action.triggered.connect(self.copy_data)
        self.addActions([self.save_action, self.copy_action])

    @property
    @abstractmethod
    def figure(self) -> Figure | None:
        """The figure shown, None before the first."""

    @property
    def picture_title(self) -> str:
        """The title of what is painted where there is no figure; "" if it cannot be saved."""
        return ""

    def setAccessibleName(self, name: str) -> None:
        """Name a new figure to screen readers; where no mark is told, it is described."""
        super().setAccessibleName(name)
        self.setAccessibleDescription(self.spoken_mark)

    def setAccessibleDescription(self, mark: str) -> None:
        """Tell screen readers a mark of the figure; "" describes the figure."""
        self.spoken_mark = mark
        figure = None if mark else self.figure
        super().setAccessibleDescription(mark if figure is None else visible(described(figure)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.figure is not None or self.picture_title:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addActions([self.save_action] if self.figure is None else [self.save_action, self.copy_action])
            menu.popup(event.globalPos())

    def savable(self) -> Savable | None:
        """Return the figure in the light palette, with the size on screen; None before the first."""
        if self.figure is None:
            return None
        size = (float(max(480, self.width())), float(max(320, self.height())))
        palette = with_runs(LIGHT, tuple(self._session.settings["run_colours"]))
        labels = self._session.view.labels()
        figure, colours = figure_with_groups(self.figure, labels), run_styles(labels, palette)
        mark = self._session.view.judgment_mark
        write = partial(save_figure, figure, palette=palette, colours=colours, size=size, mark=mark)
        return Savable(self.figure.title, FIGURE_KINDS, write)

    def copy_data(self) -> None:
        """Copy the data of the figure to the clipboard as TSV."""
        if self.figure is not None:
            rows = figure_rows(self.figure, self._session.view.judgment_mark)
            QGuiApplication.clipboard().setText(table_text(*rows))

    def copy(self) -> None:
        """Copy the data, as the Copy command does."""
        self.copy_data()

    def _on_save_asked(self) -> None:
        savable = self.savable()
        if savable is not None:
            ask_and_save(self._session, self.window(), savable)
