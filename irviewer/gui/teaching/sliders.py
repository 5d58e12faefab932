"""The strip of sliders for thresholds: a plot of each shown run's values along a threshold, above its slider.

It is above the views, which follow the sliders."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QSlider, QVBoxLayout, QWidget

from irviewer.evaluation.parameter_sweeps import Axis
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import CloseButton, LinkButton, command_keys
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel, set_tooltip
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.session.teaching.sliders import Swept
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

PLOT_HEIGHT = 84
LOW = 700
FRAME = 16
"""The least time between two changes while dragging, in milliseconds."""

GROOVE = 7.0
"""The distance from a slider's end to the middle of its handle there, in pixels; it aligns plot and handle."""


def value_text(value: Any) -> str:
    """Return a threshold as text."""
    return f"{value:g}" if isinstance(value, int | float) else str(value)


@guarded
class SweepPlot(QWidget):
    """The means of the shown runs along an axis; ``asked`` carries the share of the axis that was clicked or dragged
    to."""

    asked = Signal(float)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        set_role(self, QAccessible.Role.Chart)
        self._session = session
        self._theme = theme
        self._swept: Swept | None = None
        self._stops: tuple[Any, ...] = ()
        self._at = 0
        self._painted: tuple[tuple[object, ...], QPixmap] | None = None
        self.setFixedHeight(PLOT_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(240, PLOT_HEIGHT)

    def show_way(self, swept: Swept | None, stops: tuple[Any, ...], at: int) -> None:
        """Show the means along an axis, and the current one of its ``stops``."""
        self._swept, self._stops, self._at = swept, stops, at
        self.setAccessibleName(
            "" if swept is None else tr("{measure} by {threshold}", measure=swept.measure, threshold=swept.axis.title)
        )
        self.update()

    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest value drawn."""
        means = np.zeros(1) if self._swept is None else self._swept.means
        seen = means[np.isfinite(means)]
        if not len(seen):
            return 0.0, 1.0
        low, high = float(seen.min()), float(seen.max())
        return (low, high) if high > low else (low - 0.05, high + 0.05)

    def _x(self, place: float) -> float:
        return GROOVE + place / max(1, len(self._stops) - 1) * (self.width() - 2 * GROOVE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high = self.bounds()
        top, bottom = 5.0, self.height() - 5.0
        painter.setPen(theme["line"])
        for y in (top, bottom):
            painter.drawLine(QPointF(GROOVE, y), QPointF(self.width() - GROOVE, y))
        x = self._x(self._at)
        painter.setPen(QPen(theme["ink"], 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        if self._swept is None:
            return
        painter.drawPixmap(0, 0, self._lines(low, high, top, bottom))

    def _lines(self, low: float, high: float, top: float, bottom: float) -> QPixmap:
        """Return the picture of the lines, which is kept: dragging moves the mark only."""
        theme, ratio = self._theme, self.devicePixelRatio()
        assert self._swept is not None
        colours = tuple((label.key, theme.run(label).rgba()) for label in self._session.view.labels())
        asked = (self._swept, self._stops, self.size(), ratio, colours)
        if self._painted is not None and self._painted[0] == asked:
            return self._painted[1]
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = {value: position for position, value in enumerate(self._stops)}
        labels = {label.key: label for label in self._session.view.labels()}
        across = [places.get(value, -1) for value in self._swept.axis.values]
        for key, means in zip(self._swept.keys, self._swept.means, strict=True):
            if key not in labels:
                continue
            points = [
                QPointF(self._x(place), bottom - (value - low) / (high - low) * (bottom - top))
                for place, value in zip(across, means.tolist(), strict=True)
                if place >= 0 and value == value
            ]
            painter.setPen(QPen(theme.run(labels[key]), 1.6))
            painter.drawPolyline(QPolygonF(points))
            if len(points) <= 12:  # few stops: dots show that there is nothing between them
                painter.setBrush(theme.run(labels[key]))
                for point in points:
                    painter.drawEllipse(point, 1.8, 1.8)
                painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.end()
        self._painted = (asked, picture)
        return picture

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ask(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event)

    def _ask(self, event: QMouseEvent) -> None:
        self.asked.emit((event.position().x() - GROOVE) / max(1.0, self.width() - 2 * GROOVE))


class ThresholdSlider(QWidget):
    """One threshold: its name and value, the plot, the slider."""

    moved = Signal(str, object)

    def __init__(self, session: Session, theme: Theme, axis: Axis) -> None:
        super().__init__()
        self.axis = axis
        self._theme = theme
        self._session = session
        self._stops: tuple[Any, ...] = ()
        self.title = HtmlLabel()
        self.title.setFont(theme.font(9.5))
        self.range = HtmlLabel()
        self.range.setFont(theme.font(9, numbers=True))
        set_tooltip(self.range, tr("Least and greatest value of the lines"))
        self.plot = SweepPlot(session, theme)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(axis.title)
        set_tooltip(self.slider, tr("← →: one step. Page Up, Page Down: a tenth. Home, End: the ends."))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self._head, self._below = QHBoxLayout(), QHBoxLayout()
        self._head.addWidget(self.title)
        self._head.addStretch(1)
        self._head.addWidget(self.range)
        self._below.addWidget(self.slider)
        layout.addLayout(self._head)
        layout.addWidget(self.plot)
        layout.addLayout(self._below)
        self.slider.valueChanged.connect(self._on_value_changed)
        self.plot.asked.connect(self._on_asked)
        self.refresh()

    def set_flat(self, flat: bool) -> None:
        """Put the slider beside its title, without the plot, for a class that sees the ranks large."""
        if flat == self.plot.isHidden():
            return
        self.plot.setVisible(not flat)
        self.range.setVisible(not flat)
        former, row = (self._below, self._head) if flat else (self._head, self._below)
        former.removeWidget(self.slider)
        row.insertWidget(1 if flat else 0, self.slider, 10)

    def refresh(self, axis: Axis | None = None) -> None:
        """Show the current threshold."""
        self.axis = axis if axis is not None else self.axis
        threshold = self._session.sliders.threshold_at(self.axis.name)
        stops = list(self.axis.values)
        if threshold is not None and threshold not in stops:
            stops = sorted([*stops, threshold]) if isinstance(threshold, int | float) else [*stops, threshold]
        self._stops = tuple(stops)
        at = stops.index(threshold) if threshold in stops else 0
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, len(stops) - 1))
        self.slider.setPageStep(max(1, len(stops) // 10))
        self.slider.setValue(at)
        self.slider.blockSignals(False)
        self._say(at)

    def _say(self, at: int) -> None:
        value = self._stops[at] if at < len(self._stops) else ""
        palette = self._theme.palette
        self.title.setText(
            f"<span style='color:{palette.muted}'>{self.axis.title}</span>"
            f"&nbsp; <span style='color:{palette.ink};font-weight:600'>{value_text(value)}</span>"
        )
        self.plot.show_way(self._session.sliders.swept(self.axis.name), self._stops, at)
        low, high = self.plot.bounds()
        self.range.setText(f"<span style='color:{palette.muted}'>{low:.3f} – {high:.3f}</span>")

    def _on_value_changed(self, at: int) -> None:
        self._say(at)
        self.moved.emit(self.axis.name, self._stops[at])

    def _on_asked(self, share: float) -> None:
        self.slider.setValue(round(share * (len(self._stops) - 1)))


@guarded
class ThresholdsStrip(QWidget):
    """The sliders of the selected measure side by side; hidden until they are opened."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.sliders: dict[str, ThresholdSlider] = {}
        self._wanted: tuple[str, Any] | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.settle)
        self._settled = 0.0
        self.nothing = PlainLabel()
        self.nothing.setFont(theme.font(9.5))
        self.nothing.setWordWrap(True)
        self.reset = LinkButton(theme, tr("Reset"))
        set_tooltip(self.reset, tr("Reset all thresholds to the values when the sliders were opened"))
        self.close_button = CloseButton(theme)
        set_tooltip(self.close_button, tr("Close the sliders ({keys})", keys=command_keys("thresholds")))
        self.close_button.setAccessibleName(tr("Close the sliders"))
        self._row = QHBoxLayout()
        self._row.setSpacing(24)
        self._ends = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._ends.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignRight)
        self._ends.addStretch(1)
        self._ends.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignRight)
        self._inside = QHBoxLayout(self)
        self._inside.setContentsMargins(16, 8, 12, 6)
        self._inside.addWidget(self.nothing, 1)
        self._inside.addLayout(self._row, 1)
        self._inside.addLayout(self._ends)
        self.reset.clicked.connect(self._on_reset_clicked)
        self.close_button.clicked.connect(self._on_close_clicked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.hide()

    def refresh(self) -> None:
        """Show the thresholds of the selected measure."""
        session = self._session
        opening = session.sliders.thresholds_open and self.isHidden()
        self.setVisible(session.sliders.thresholds_open)
        if not session.sliders.thresholds_open:
            return
        axes = session.sliders.moving_axes()
        if [axis.name for axis in axes] != list(self.sliders):
            self._build(axes)
        for axis in axes:
            if self._wanted is None or self._wanted[0] != axis.name:  # not the one that is dragged
                self.sliders[axis.name].refresh(axis)
        for slider in self.sliders.values():  # in a low window the views need the room
            slider.plot.setFixedHeight(PLOT_HEIGHT if self.window().height() >= LOW else PLOT_HEIGHT // 2)
            slider.set_flat(session.teaching.in_class)
        self._set_flat(session.teaching.in_class)
        self.nothing.setVisible(not axes)
        self.nothing.setText(
            tr(
                "{measure} has no thresholds. Choose a measure with a cutoff or a parameter.",
                measure=session.view.measure,
            )
        )
        if opening and self.sliders:
            next(iter(self.sliders.values())).slider.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_flat(self, flat: bool) -> None:
        """Put the buttons at the end into one row, with little space around."""
        right, down = QBoxLayout.Direction.RightToLeft, QBoxLayout.Direction.TopToBottom
        self._ends.setDirection(right if flat else down)
        self._inside.setContentsMargins(*((16, 2, 12, 3) if flat else (16, 8, 12, 6)))

    @property
    def waits(self) -> bool:
        """Whether a change by dragging is not applied yet."""
        return self._wanted is not None

    def settle(self) -> None:
        """Apply the last change by dragging."""
        self._timer.stop()
        self._settled = time.monotonic()
        if self._wanted is not None:
            (axis, value), self._wanted = self._wanted, None
            if axis in {moving.name for moving in self._session.sliders.moving_axes()}:  # else the measure changed
                self._session.sliders.set_threshold(axis, value)

    def _build(self, axes: tuple[Axis, ...]) -> None:
        """Make a slider for each axis; those that exist are kept, with drag and focus."""
        before = self.sliders
        self.sliders = {axis.name: before.get(axis.name) or self._made(axis) for axis in axes}
        for index, slider in enumerate(self.sliders.values()):
            self._row.removeWidget(slider)
            self._row.insertWidget(index, slider, 1)
            slider.show()
        removed = [slider for name, slider in before.items() if name not in self.sliders]
        if any(slider.slider.hasFocus() for slider in removed):  # Qt would give the focus to the next widget
            target = next((slider.slider for slider in self.sliders.values()), self.close_button)
            target.setFocus(Qt.FocusReason.OtherFocusReason)
        for slider in removed:
            self._row.removeWidget(slider)
            slider.hide()
            slider.deleteLater()

    def _made(self, axis: Axis) -> ThresholdSlider:
        slider = ThresholdSlider(self._session, self._theme, axis)
        slider.moved.connect(self._on_moved)
        return slider

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["panel"])
        painter.setPen(self._theme["line"])
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)

    def _on_moved(self, axis: str, value: Any) -> None:
        self._wanted = (axis, value)
        if not self._timer.isActive():  # the first change immediately, the next ones a frame apart
            since = 1000 * (time.monotonic() - self._settled)
            self._timer.start(max(0, round(FRAME - since)))

    def _on_reset_clicked(self) -> None:
        self._wanted = None
        self._session.sliders.reset_thresholds()

    def _on_close_clicked(self) -> None:
        self.settle()
        self._session.sliders.set_thresholds(False)

    def _on_theme_changed(self) -> None:
        self.nothing.set_ink(self._theme["muted"])
        self.refresh()  # hidden sliders of another measure follow when they are opened
        self.update()
