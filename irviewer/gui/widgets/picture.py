"""Saving what a widget paints as a picture, in the light colours and at its size on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPoint, QRect, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter, QPicture
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import FIGURE_KINDS, Savable, ask_and_save
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.palette import LIGHT
from irviewer.session.session import Session
from irviewer.translation import tr

SHARPER = 3
"""Pixels of a saved image for each pixel on the screen."""
HEAD_HEIGHT = 22
MARK_HEIGHT = 22
"""Height of the line of the mark in pixels."""
DOTS = 96
"""Pixels of the screen in an inch."""


def savable_picture(
    widget: QWidget, theme: Theme, title: str, mark: str = "", *, head: Sequence[str] = ()
) -> Savable:  # fmt: skip
    """Return what a widget paints now, with all that lies on it, as PNG, SVG or PDF. The ``mark`` of the judgments is a
    line below, and part of the file's title; the lines of ``head``, the first bold, are above."""
    shown_size, above = widget.size(), HEAD_HEIGHT * len(head)
    size = shown_size + QSize(0, above + (MARK_HEIGHT if mark else 0))
    picture = QPicture()
    shown = theme.palette
    theme.set_palette(LIGHT)  # for this painting only: the screen is painted later, in its own colours
    try:
        painter = QPainter(picture)
        painter.fillRect(QRect(QPoint(0, 0), size), theme["panel"])
        for number, line in enumerate(head):
            painter.setFont(theme.font(9, weight=400 if number else 600))
            painter.setPen(theme["muted" if number else "ink"])
            box = QRect(12, number * HEAD_HEIGHT, size.width() - 24, HEAD_HEIGHT)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, line)
        _record(painter, widget, QPoint(0, above), QRect(QPoint(0, above), shown_size))
        if mark:
            painter.setFont(theme.font(9))
            painter.setPen(theme["muted"])
            below = QRect(12, above + shown_size.height(), size.width() - 24, MARK_HEIGHT)
            painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, mark)
        painter.end()
    finally:
        theme.set_palette(shown)
    return Savable(title, FIGURE_KINDS, partial(_write, picture, size, f"{title}, {mark}" if mark else title))


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


def _write(picture: QPicture, size: QSize, title: str, path: str) -> None:
    data = _encoded(picture, size, title, Path(path).suffix.lower())
    write_atomically(Path(path), lambda file: file.write(data))


def _encoded(picture: QPicture, size: QSize, title: str, suffix: str) -> bytes:
    """Return the bytes of a file: SVG, PDF, or for every other suffix PNG."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if suffix == ".svg":
        drawing = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the other version draws what the screen clips
        drawing.setOutputDevice(buffer)
        drawing.setSize(size)
        drawing.setViewBox(QRect(QPoint(0, 0), size))
        drawing.setTitle(title)
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
    return bytes(content.data())


def _replay(picture: QPicture, device: QPaintDevice, scale: float = 1.0) -> None:
    painter = QPainter(device)
    painter.scale(scale, scale)
    painter.drawPicture(0, 0, picture)
    painter.end()
