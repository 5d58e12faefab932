"""The base class of painted figures: figure, theme, pointer, focus ring. Subclasses paint the figure."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QPainter
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.plots.axes_frame import paint_ring
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.widgets.savable import Savable
from irviewer.session.session import Session


class PaintedFigure(FigureWidget):
    """A figure with pointer and keyboard input; it has a ring if it was focused with the Tab key."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._theme = theme
        self._figure: Figure | None = None
        self._ring = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self._on_theme_changed)

    @property
    def figure(self) -> Figure | None:
        """The figure shown, None before the first."""
        return self._figure

    def savable(self) -> Savable | None:
        """Return the figure; where there is none, what is painted, as a picture."""
        if self.figure is None and self.picture_title:
            return savable_picture(self, self._theme, self.picture_title, self._session.view.judgment_mark)
        return super().savable()

    def paint_focus(self, painter: QPainter) -> None:
        """Paint the focus ring, after everything else."""
        if self._ring:
            paint_ring(painter, self, self._theme)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_nowhere()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring = False
        self.update()

    def _point_nowhere(self) -> None:
        """Forget the hovered mark."""

    def _on_theme_changed(self) -> None:
        self.update()
