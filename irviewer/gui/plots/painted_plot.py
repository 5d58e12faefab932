"""The base class of painted figures: figure, theme, pointer, focus ring. Subclasses paint the figure."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import paint_ring
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.plots.seen_part import VALUE_KEYS, ZOOM_KEYS, SeenPart
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.widgets.savable import Savable
from irviewer.session.session import Session

ZOOM_BY = Qt.KeyboardModifier.ControlModifier
"""The modifier with which a drag zooms, where one without brushes queries."""

ARROWS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
"""The arrow keys, with the rows and columns by which they move to another cell."""


@guarded
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


@guarded
class ZoomedFigure(PaintedFigure):
    """A painted figure of which a part can be seen, once ``seen`` has its axes: the wheel and the keys + and - zoom, a
    drag with Ctrl zooms to its rectangle, one with Shift or the middle button moves what is seen, a double click or Esc
    shows all."""

    ACROSS = False
    """Whether the x axis alone is zoomed, and the y axis around its zero by Ctrl with the wheel or with ↑ and ↓."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.seen = SeenPart(ZOOM_BY, across=self.ACROSS)

    @property
    def seen_figure(self) -> Figure:
        """The figure with the axes that are seen; there must be one."""
        assert self._figure is not None
        return replace(self._figure, x=self.seen.x, y=self.seen.y) if self.seen.is_zoomed else self._figure

    def area(self) -> QRectF:
        """Return the area of the plot without its axes."""
        return QRectF(self.rect())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.seen.wheel(event, self.area()):
            self._point_nowhere()
            self.update()

    def zoom_by_key(self, event: QKeyEvent) -> bool:
        """Handle + and -, and Esc where a part is seen; return False for other keys."""
        if self.seen.is_empty:
            return False
        turned = VALUE_KEYS.get(Qt.Key(event.key()))
        if self.ACROSS and turned and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.seen.zoom_values(turned)
        elif event.text() in ZOOM_KEYS:
            self.seen.zoom(ZOOM_KEYS[event.text()], self.area())
        elif event.key() != Qt.Key.Key_Escape or not self.seen.show_all():
            return False
        self.update()
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.seen.press(event, self.area()):
            self.press_mark(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.seen.is_dragged:
            self._point_nowhere()
            self.seen.drag(event.position(), self.area())
            self.update()
        else:
            self.move_mark(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.seen.is_dragged:
            self.seen.release(self.area())
            self.update()
        else:
            self.release_mark(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self.seen.show_all():
            self.mousePressEvent(event)
        self.update()

    def press_mark(self, event: QMouseEvent) -> None:
        """Handle a press that does not change what is seen."""
        super().mousePressEvent(event)

    def move_mark(self, event: QMouseEvent) -> None:
        """Handle a movement that does not change what is seen."""
        super().mouseMoveEvent(event)

    def release_mark(self, event: QMouseEvent) -> None:
        """Handle a release that does not change what is seen."""
        super().mouseReleaseEvent(event)
