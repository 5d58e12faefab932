"""Saving what a widget paints as a picture, in the light colours and at its size on the screen."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPoint, QRect, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPainterPath,
    QPalette,
    QPdfWriter,
    QPicture,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import FAMILY, Theme
from irviewer.gui.widgets.savable import FIGURE_KINDS, Savable, ask_and_save
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.palette import LIGHT
from irviewer.session.session import Session
from irviewer.translation import tr

SHARPER = 3
"""Pixels of a saved image for each pixel on the screen."""
HEAD_SPACE = 7
"""Pixels between a line above the picture and the next."""
MARK_HEIGHT = 22
"""Height of the line of the mark in pixels."""
DOTS = 96
"""Pixels of the screen in an inch."""
WRAPPED = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
OWN_PALETTE = Qt.WidgetAttribute.WA_SetPalette
LETTERS = 1000
"""The height in pixels at which letters become shapes."""
TEXT = re.compile(r"<text\s([^>]*)>([^<]*)</text>")
ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')


def savable_picture(
    widget: QWidget,
    theme: Theme,
    title: str,
    mark: str = "",
    *,
    head: Sequence[str] = (),
) -> Savable:
    """Return what a widget paints now, with all that lies on it, as PNG, SVG or PDF. The ``mark`` of the judgments is a
    line below, and part of the file's title; the lines of ``head``, the first bold, are above."""
    lines = [(line, theme.font(9, weight=400 if number else 600)) for number, line in enumerate(head)]
    boxes, above = [], 0
    for line, font in lines:
        wrapped = QFontMetrics(font).boundingRect(0, 0, widget.width() - 24, 1 << 20, WRAPPED, line)
        boxes.append(QRect(12, above, widget.width() - 24, wrapped.height() + HEAD_SPACE))
        above += boxes[-1].height()
    size = widget.size() + QSize(0, above + (MARK_HEIGHT if mark else 0))
    picture = QPicture()
    with _in_light_colours(widget, theme):
        painter = QPainter(picture)
        painter.fillRect(QRect(QPoint(0, 0), size), theme["panel"])
        for number, ((line, font), box) in enumerate(zip(lines, boxes, strict=True)):
            painter.setFont(font)
            painter.setPen(theme["muted" if number else "ink"])
            painter.drawText(box, WRAPPED, line)
        _record(painter, widget, QPoint(0, above), QRect(QPoint(0, above), widget.size()))
        if mark:
            painter.setFont(theme.font(9))
            painter.setPen(theme["muted"])
            below = QRect(12, above + widget.height(), size.width() - 24, MARK_HEIGHT)
            painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, mark)
        painter.end()
    return Savable(title, FIGURE_KINDS, partial(_write, picture, size, f"{title}, {mark}" if mark else title, head))


@contextmanager
def _in_light_colours(widget: QWidget, theme: Theme) -> Iterator[None]:
    """Let a widget and all in it have the light colours for one painting: the screen is painted later, in its own.
    Under a style sheet each takes its palette from the application, not from the widget that it lies in."""
    shown = theme.palette
    if shown is LIGHT:
        yield
        return
    sheet = widget.styleSheet()
    dressed = [each for each in (widget, *widget.findChildren(QWidget)) if not each.testAttribute(OWN_PALETTE)]
    try:
        widget.setStyleSheet(stylesheet(LIGHT))
        theme.set_palette(LIGHT)
        for each in dressed:
            if not each.testAttribute(OWN_PALETTE):
                each.setPalette(theme.qt_palette())
        yield
    finally:
        widget.setStyleSheet(sheet)
        for each in dressed:
            each.setPalette(QPalette())
        theme.set_palette(shown)


def _record(painter: QPainter, widget: QWidget, at: QPoint, inside: QRect) -> None:
    """Record what a widget paints with its corner ``at`` a point, then what its children do, each cut off at its edges
    and at those of the widgets that it lies in: a record has no other edges."""
    painter.save()
    painter.setClipRect(inside)
    flags = QWidget.RenderFlag(0) if widget.autoFillBackground() is False else QWidget.RenderFlag.DrawWindowBackground
    QWidget.render(widget, painter, at, renderFlags=flags)  # the render() of a view of a chart is another one
    painter.restore()
    for child in widget.children():  # from the lowest to the topmost
        if isinstance(child, QWidget) and child.isVisibleTo(widget) and not child.isWindow():
            place = at + child.pos()
            box = inside.intersected(QRect(place, child.size()))
            if not box.isEmpty():
                _record(painter, child, place, box)


class SavePictureMenu(QMenu):
    """A context menu with one entry, which saves a picture. It deletes itself when it closes."""

    def __init__(self, parent: QWidget, session: Session, savable: Callable[[], Savable | None]) -> None:
        super().__init__(parent)
        self._owner = parent
        self._session = session
        self._savable = savable
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction(tr("Save plot as PNG, SVG or PDF…")).triggered.connect(self._on_save_asked)

    def _on_save_asked(self) -> None:
        savable = self._savable()
        if savable is not None:
            ask_and_save(self._session, self._owner.window(), savable)


def _write(picture: QPicture, size: QSize, title: str, head: Sequence[str], path: str) -> None:
    data = _encoded(picture, size, title, head, Path(path).suffix.lower())
    write_atomically(Path(path), lambda file: file.write(data))


def _encoded(picture: QPicture, size: QSize, title: str, head: Sequence[str], suffix: str) -> bytes:
    """Return the bytes of a file: SVG, PDF, or for every other suffix PNG."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if suffix == ".svg":
        drawing = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the other version draws what the screen clips
        drawing.setOutputDevice(buffer)
        drawing.setSize(size)
        drawing.setResolution(DOTS)  # else its letters are as many pixels high as they have points
        drawing.setViewBox(QRect(QPoint(0, 0), size))
        drawing.setTitle(title)
        drawing.setDescription("\n".join(head) or title)  # for screen readers: letters are shapes
        _replay(picture, drawing)
    elif suffix == ".pdf":
        page = QPdfWriter(buffer)
        page.setResolution(DOTS)
        points = QSizeF(size.width() * 72 / DOTS, size.height() * 72 / DOTS)
        page.setPageSize(QPageSize(points, QPageSize.Unit.Point))
        page.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Point)
        page.setTitle(title)
        _replay(picture, page)
    else:
        image = QImage(size * SHARPER, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        image.setText("Title", title)
        _replay(picture, image, SHARPER)
        image.save(buffer, "PNG")  # type: ignore[call-overload] # the stubs want bytes, the binding a str
    buffer.close()
    data = bytes(content.data())
    return TEXT.sub(_shaped, data.decode()).encode() if suffix == ".svg" else data


def _shaped(text: re.Match[str]) -> str:
    """Return a text of a drawing as the shapes of its letters, so that it looks the same where the font is missing; as
    it is if it has none (a sign in colours)."""
    given = dict(ATTRIBUTE.findall(text[1]))
    font = QFont(given.get("font-family", FAMILY))
    font.setPixelSize(LETTERS)
    font.setWeight(QFont.Weight(int(given.get("font-weight", 400))))
    font.setItalic(given.get("font-style", "normal") != "normal")
    font.setFeature(QFont.Tag("calt"), 0)
    path = QPainterPath()
    path.addText(0, 0, font, html.unescape(text[2]))
    if path.isEmpty():
        return text[0]
    scale = float(given["font-size"]) / LETTERS
    words = text[2].strip().replace('"', "&quot;")
    return (
        f'<path aria-label="{words}" fill="{given["fill"]}" fill-opacity="{given.get("fill-opacity", 1)}" '
        'stroke="none" fill-rule="nonzero" '
        f'transform="translate({given["x"]},{given["y"]}) scale({scale:.6g})" d="{_outline(path)}"/>'
    )


def _outline(path: QPainterPath) -> str:
    """Return a path as SVG has it, in whole numbers."""
    parts = []
    for place in range(path.elementCount()):
        element = path.elementAt(place)
        letter = {QPainterPath.ElementType.MoveToElement: "M", QPainterPath.ElementType.LineToElement: "L",
                  QPainterPath.ElementType.CurveToElement: "C"}.get(element.type, "")  # fmt: skip
        parts.append(f"{letter}{round(element.x)} {round(element.y)}")
    return " ".join(parts)


def _replay(picture: QPicture, device: QPaintDevice, scale: float = 1.0) -> None:
    painter = QPainter(device)
    painter.scale(scale, scale)
    painter.drawPicture(0, 0, picture)
    painter.end()
