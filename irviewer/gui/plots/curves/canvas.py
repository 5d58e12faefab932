"""The curves of a figure on screen, with a hair line and a read-out. The ranges are the figure's."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irviewer.figures.figure import Figure
from irviewer.figures.overlapping_curves import shared_stretches
from irviewer.figures.readout import ReadOut
from irviewer.gui.guard import guarded
from irviewer.gui.plots.curves.items import CurveItems
from irviewer.gui.plots.curves.plot_view import EMPTY, PlotView
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.plots.seen_part import ZOOM_KEYS
from irviewer.gui.theme import Theme, colour
from irviewer.rendering.styles import Dashes, figure_with_groups, role_style, run_styles
from irviewer.session.session import Session

NEAR = 1.0
"""The distance in pixels below which curves are drawn as one line with alternating dashes."""
BIG_STEP = 10


@dataclass(frozen=True)
class LegendEntry:
    """The name and the line style of a curve."""

    label: str
    colour: QColor
    dash: Dashes
    short: str = ""


@guarded
class Canvas(FigureWidget):
    """Curves with a read-out at the pointer, or at the hair line that arrow keys move."""

    run_pointed = Signal(object)
    """The key of the run whose line the pointer is at, None for none."""
    run_chosen = Signal(int)
    """The key of the run whose line was clicked."""
    shown = Signal()
    """Emitted when figure or colours changed: legends repaint."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._theme = theme
        self._palette = theme.palette
        """The palette that the curves were drawn in."""
        self._by_key = False
        self.view = PlotView(theme)
        self.curves = CurveItems(self.view.box)
        self.legend_entries: tuple[LegendEntry, ...] = ()
        self.group_entries: tuple[LegendEntry, ...] = ()
        """The groups that runs are coloured by; empty where each has a colour of its own."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.addWidget(self.view)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 72)
        self.view.pointed.connect(self._on_pointed)
        self.view.pressed.connect(self._on_pressed)
        self.view.line_pointed.connect(self.run_pointed)
        self.view.line_pressed.connect(self.run_chosen)
        self.view.left.connect(self._on_pointer_left)
        self.view.reset.connect(self.reset)
        self.view.resized.connect(self._on_resized)
        theme.changed.connect(self._on_theme_changed)

    @property
    def figure(self) -> Figure | None:
        """The whole figure, None before the first."""
        return None if self.view.whole is EMPTY else self.view.whole

    @property
    def reading(self) -> ReadOut | None:
        """The values at the hair line, None without one."""
        return self.view.reading()

    def show_figure(self, figure: Figure) -> None:
        """Show a figure; the hair line stays, so that queries can be compared."""
        self._style(figure)
        if self.view.hair is not None:
            self._point(self.view.hair)
        self.setAccessibleName(figure.title)

    def point_at_run(self, key: int | None, words: str = "") -> None:
        """Draw the line of a run in ink, with ``words`` about it in the read-out; None for none."""
        self.view.set_pointed(key, words)

    def reset(self) -> None:
        """Remove the hair line."""
        self._by_key = False
        self.view.set_hair(None)
        self.setAccessibleDescription("")

    def _style(self, figure: Figure) -> None:
        palette = self._palette = self._theme.palette
        labels = self._session.view.labels()
        runs, shorts = run_styles(labels, palette), {label.key: label.short for label in labels}
        roles = [role_style(curve.role, palette, runs) for curve in figure.curves]
        styles = [(colour(name), dash) for name, dash in roles]
        bounds = _bounds(figure)
        self.curves.show(figure.curves, styles, bounds)
        self.curves.show_others(figure.others, self._theme.colours["others"], bounds)
        banded = [colour(role_style(band.role, palette, runs)[0]) for band in figure.bands]
        self.curves.bands.show_bands(figure.bands, banded, bounds)
        wholes = {label.key: label.name for label in labels}
        names = {
            index: (wholes[curve.role.run], shorts[curve.role.run])
            for index, curve in enumerate(figure.curves)
            if curve.role.kind == "run" and curve.role.run in shorts
        }
        self.view.show_figure(figure, {index: line_colour for index, (line_colour, _) in enumerate(styles)}, names)
        self._show_shared()
        with_groups = figure_with_groups(figure, labels)
        self.legend_entries = tuple(
            [
                LegendEntry(curve.label, *style, shorts.get(curve.role.run, curve.label))
                for curve, style in zip(with_groups.curves, styles, strict=True)
            ]
        )
        groups = {label.group: label for label in labels if label.group and label.shown}
        self.group_entries = tuple(
            LegendEntry(name, colour(runs[label.key][0]), (), name) for name, label in groups.items()
        )
        self.shown.emit()

    def _show_shared(self) -> None:
        figure, area = self.view.figure, self.view.area
        stretches = shared_stretches(figure.curves, NEAR * (figure.y.high - figure.y.low) / max(1.0, area.height()))
        colours = [self.view.colours[i] for i in range(len(figure.curves))]
        self.curves.show_shared(stretches, colours, _bounds(figure))

    def _point(self, x: float) -> None:
        self.view.set_hair(self.view.figure.x.snapped(x))
        out = self.reading
        self.setAccessibleDescription(out.text if out is not None else "")

    def _on_pointed(self, x: float) -> None:
        if self.figure is not None and self.figure.curves:
            self._by_key = False
            self._point(x)

    def _on_pressed(self, x: float) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._on_pointed(x)

    def _on_pointer_left(self) -> None:
        if not self._by_key:
            self.reset()

    def _on_resized(self) -> None:
        # Which curves are close depends on the size.
        self._show_shared()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._take_colours()

    def _on_theme_changed(self) -> None:
        if self.isVisible():  # else when it is shown: a theme is painted at once, with what is in view
            self._take_colours()

    def _take_colours(self) -> None:
        if self.figure is not None and self._palette is not self._theme.palette:
            self._style(self.figure)
        self.view.repaint_ground()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        figure = self.figure
        if figure is None or not figure.curves:
            super().keyPressEvent(event)
            return
        axis = self.view.figure.x
        big = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        pace = axis.pace * (BIG_STEP if big else 1)
        # The first key shows the hair line at the figure's cursor, or in the middle.
        now = self.view.hair
        start = figure.cursor if figure.cursor is not None else (axis.low + axis.high) / 2
        places = {
            Qt.Key.Key_Left: start if now is None else now - pace,
            Qt.Key.Key_Right: start if now is None else now + pace,
            Qt.Key.Key_Home: axis.low,
            Qt.Key.Key_End: axis.high,
        }
        place = places.get(Qt.Key(event.key()))
        if place is not None:
            self._by_key = True
            self._point(place)
        elif event.key() == Qt.Key.Key_Escape and now is not None:
            self.reset()
        elif event.key() == Qt.Key.Key_Escape and self.view.is_zoomed:
            self.view.show_all()
        elif event.text() in ZOOM_KEYS:
            self.view.zoom(ZOOM_KEYS[event.text()])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.view.set_focused(event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.view.set_focused(False)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.reset()


def _bounds(figure: Figure) -> QRectF:
    """Return the range of the axes with a margin above and below."""
    bounds = QRectF(figure.x.low, figure.y.low, figure.x.high - figure.x.low, figure.y.high - figure.y.low)
    more = bounds.height() * 0.05
    return bounds.adjusted(0, -more, 0, more)
