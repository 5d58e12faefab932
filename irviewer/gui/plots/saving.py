"""How a figure leaves the window: the two actions of every plot's context menu, and their dialog."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QCursor, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure
from irviewer.gui.plots.labelled import PlotSession
from irviewer.session import messages
from irviewer.session.export import FORMATS, figure_rows, save_figure, table_text
from irviewer.session.palette import LIGHT
from irviewer.session.styles import run_styles

FILTERS = {f"{name} (*{suffix})": suffix for suffix, name in FORMATS.items()}


class FigureWidget(QWidget):
    """A widget that shows a figure: its context menu saves the picture and copies the numbers."""

    def __init__(self, session: PlotSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.save_action = QAction("Save figure as PNG, SVG or PDF …", self)
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

    @property
    def actions_of_figure(self) -> FigureWidget:
        """What saves and copies the figure, for whoever finds the plots in view by this name."""
        return self

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.figure is not None:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addActions([self.save_action, self.copy_action])
            menu.popup(event.globalPos())

    def save_to(self, path: str | Path) -> None:
        """Write the figure in the light palette, with the runs' colours and as wide as on screen. Raises
        IrviewerError."""
        if self.figure is not None:
            size = (max(480, self.width()), max(320, self.height()))
            save_figure(self.figure, path, LIGHT, run_styles(self._session.labels(), LIGHT), size)

    def copy_data(self) -> None:
        """The figure's numbers as TSV, on the clipboard."""
        if self.figure is not None:
            QGuiApplication.clipboard().setText(table_text(*figure_rows(self.figure)))

    def _on_save_asked(self) -> None:
        figure = self.figure
        if figure is None:
            return
        suggested = "".join(c if c.isalnum() or c in "@-. " else "_" for c in figure.title).strip()[:80] + ".png"
        path, chosen = QFileDialog.getSaveFileName(self, "Save figure", suggested, ";;".join(FILTERS))
        if not path:
            return
        if not Path(path).suffix:
            path += FILTERS.get(chosen, ".png")
        QGuiApplication.setOverrideCursor(QCursor(Qt.CursorShape.WaitCursor))
        try:
            self.save_to(path)
        except IrviewerError as error:
            self._session.say(messages.error(str(error)))
        else:
            self._session.say(messages.info(f"Saved {path}"))
        finally:
            QGuiApplication.restoreOverrideCursor()
