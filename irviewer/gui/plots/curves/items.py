"""The curves of a canvas as items of its view box, which are given new data for each figure."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from irviewer.figures.figure import Band, Curve
from irviewer.figures.overlapping_curves import Stretch
from irviewer.gui.guard import guarded

WIDTH, THIN = 2.0, 1.4
BAND_ALPHA = 44
TURN = 4.0
"""The length of each curve's dash on a shared stretch, in line widths."""
Line = tuple[QPen, QPainterPath]
"""A line and the pen that draws it."""


class CurveItems:
    """The items of one view box: bands, above them the curves, above these the stretches that curves share."""

    def __init__(self, box: pg.ViewBox) -> None:
        self.bands = Bands()
        self.bands.setZValue(-5)
        box.addItem(self.bands, ignoreBounds=True)
        self.others = Lines()
        self.others.setZValue(-3)
        box.addItem(self.others, ignoreBounds=True)
        self.curves = Lines()
        box.addItem(self.curves, ignoreBounds=True)
        self.shared = Lines()
        self.shared.setZValue(5)
        box.addItem(self.shared, ignoreBounds=True)
        self._paths, self._other_paths = Paths(), Paths()

    def show(self, curves: Sequence[Curve], styles: Sequence[tuple[QColor, tuple[float, ...]]], bounds: QRectF) -> None:
        """Draw these curves, each in its colour and dashes."""
        self.curves.show_lines(curve_lines(curves, styles, self._paths.of(curves)), bounds)

    def show_others(self, curves: Sequence[Curve], ink: QColor, bounds: QRectF) -> None:
        """Draw further curves thin, in one colour."""
        pen = line_pen(ink, (), 1.0)
        self.others.show_lines([(pen, path) for path in self._other_paths.of(curves)], bounds)

    def show_shared(self, stretches: Sequence[Stretch], colours: Sequence[QColor], bounds: QRectF) -> None:
        """Draw the stretches that several curves share, with alternating dashes."""
        self.shared.show_lines(shared_lines(stretches, colours), bounds)


@guarded
class Lines(pg.GraphicsObject):
    """Lines, the first one below the others. One item for all of them: an item for each costs more than the lines."""

    def __init__(self) -> None:
        super().__init__()
        self._bounds = QRectF()
        self._lines: list[Line] = []

    def show_lines(self, lines: list[Line], bounds: QRectF) -> None:
        self.prepareGeometryChange()
        self._bounds = bounds
        self._lines = lines
        self.update()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines drawn."""
        return tuple(self._lines)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for pen, path in self._lines:
            painter.setPen(pen)
            painter.drawPath(path)


@guarded
class Bands(pg.GraphicsObject):
    """The bands of intervals, translucent, so that they show through each other."""

    def __init__(self) -> None:
        super().__init__()
        self._bounds = QRectF()
        self._shapes: list[tuple[QColor, QPolygonF]] = []

    def show_bands(self, bands: Sequence[Band], colours: Sequence[QColor], bounds: QRectF) -> None:
        """Set the bands, each with its colour."""
        self.prepareGeometryChange()
        self._bounds = bounds
        self._shapes = []
        for band, band_colour in zip(bands, colours, strict=True):
            upper = zip(band.x.tolist(), band.high.tolist(), strict=True)
            lower = zip(band.x[::-1].tolist(), band.low[::-1].tolist(), strict=True)
            fill = QColor(band_colour)
            fill.setAlpha(BAND_ALPHA)
            self._shapes.append((fill, QPolygonF([QPointF(x, y) for x, y in (*upper, *lower)])))
        self.update()

    @property
    def shapes(self) -> tuple[tuple[QColor, QPolygonF], ...]:
        """The shapes drawn."""
        return tuple(self._shapes)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for fill, shape in self._shapes:
            painter.setBrush(fill)
            painter.drawPolygon(shape)


class Paths:
    """The paths of the curves shown last, by the arrays that they were made of, which are never written to: an edit of
    one run leaves those of the others."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Curve, QPainterPath]] = {}

    def of(self, curves: Sequence[Curve]) -> list[QPainterPath]:
        """Return the path of each curve, interrupted where it is not finite."""
        former, self._known = self._known, {}
        for curve in curves:
            place = id(curve.x), id(curve.y)  # of arrays that are held here, so that no other has their place
            known = former.get(place) or (curve, pg.arrayToQPath(curve.x, curve.y, connect="finite"))
            self._known[place] = known
        return [self._known[id(curve.x), id(curve.y)][1] for curve in curves]


def curve_lines(
    curves: Sequence[Curve], styles: Sequence[tuple[QColor, tuple[float, ...]]], paths: Sequence[QPainterPath]
) -> list[Line]:
    """Return the lines of curves along their paths, each in its colour and dashes."""
    return [
        (line_pen(colour, dash, THIN if curve.role.kind == "ideal" else WIDTH), path)
        for curve, (colour, dash), path in zip(curves, styles, paths, strict=True)
    ]


def shared_lines(stretches: Sequence[Stretch], colours: Sequence[QColor]) -> list[Line]:
    """Return the stretches where curves coincide, in alternating dashes, so that each curve is visible; ``colours`` by
    the index of the curve in the figure."""
    lines = []
    for stretch in stretches:
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in zip(stretch.x.tolist(), stretch.y.tolist(), strict=True)]))
        turns = len(stretch.places)
        for turn, place in enumerate(stretch.places):
            pen = line_pen(colours[place], (TURN, TURN * (turns - 1)), WIDTH)
            pen.setDashOffset(-TURN * turn)
            lines.append((pen, path))
    return lines


def line_pen(colour: QColor, dash: tuple[float, ...], width: float) -> QPen:
    """Return a pen of ``width`` pixels at any scale; ``dash`` in line widths, () is solid."""
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern(list(dash))
    return pen
