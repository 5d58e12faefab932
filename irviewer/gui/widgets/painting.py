"""Painting of grade chips, run swatches, arrows and elided titles.

All lists, tables and strips use these functions, so that a sign has one meaning. They know the theme, no view model and
no view. Chips are cached as images, since a screen shows hundreds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.gui.theme import Theme, aligned, colour, make_font
from irviewer.gui.widgets.rounding import as_shown
from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import times
from irviewer.rendering.palette import Palette, chip_colours
from irviewer.rendering.run_label import NEW
from irviewer.rendering.styles import group_style
from irviewer.translation import decimal, tr

EVEN = times(1.0)
"""The text of a ratio that rounds to 1."""
CHIP_WIDTH = 20
CHIP_HEIGHT = 18
SWATCH = 10
NEW_TEXT = tr("new")

_CENTRE = Qt.AlignmentFlag.AlignCenter
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)

LOST_FILL = 0.16
"""How much of the colour of losses is in their pale fill."""


def grade_text(grade: float) -> str:
    """Return the text of a grade on a chip: "2", "0.5", and "?" for an unjudged document."""
    return "?" if math.isnan(grade) else f"{grade:g}".replace("-", "−")


def draw_grade_chip(
    painter: QPainter, rect: QRect, grade: float, max_grade: float, theme: Theme, *, yours: bool = False
) -> None:
    """Draw a grade: relevant in a colour of the ramp, 0 in grey, unjudged (NaN) hatched with "?". Long numbers are
    smaller. ``yours``, a judgment other than that of the file, has a frame and a filled corner."""
    painter.drawImage(rect.topLeft(), grade_chip(painter, rect.size(), grade, max_grade, theme, yours=yours))


def grade_chip(
    painter: QPainter, size: QSize, grade: float, max_grade: float, theme: Theme, *, yours: bool = False
) -> QImage:
    """Return what :func:`draw_grade_chip` draws, for the device that is painted on."""
    ratio = painter.device().devicePixelRatio()
    known = None if math.isnan(grade) else grade  # NaN is no key: it is unlike itself
    return _chip_image(theme.palette, size.width(), size.height(), known, max_grade, ratio, yours)


def draw_swatch(painter: QPainter, rect: QRect, run_colour: QColor, filled: bool, border: QColor | None = None) -> None:
    """Draw the colour of a run as a small rounded square, empty with a border for a hidden run."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
    if filled:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(run_colour)
        box = QRectF(rect)
    else:
        painter.setPen(QPen(border or run_colour, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 2.5, 2.5)
    painter.restore()


def draw_group_mark(
    painter: QPainter, centre: QPointF, size: float, group: int, theme: Theme, alpha: float = 1
) -> None:
    """Draw the sign of a group of queries or runs, ``size`` pixels from its centre to its ends, in colour and shape."""
    name, shape = group_style(theme.palette, group)
    ink = QColor(colour(name))  # a copy: the theme's colour is shared
    ink.setAlphaF(alpha)
    painter.setBrush(ink)
    painter.setPen(Qt.PenStyle.NoPen)
    if shape == "o":
        painter.drawEllipse(centre, size, size)
        return
    if shape == "*":
        corners = [
            (math.sin(step * math.pi / 5) * long, -math.cos(step * math.pi / 5) * long)
            for step, long in zip(range(10), (1.3, 0.55) * 5, strict=True)
        ]
    else:
        corners = list(_CORNERS["P" if shape == "X" else shape])
    if shape == "X":
        corners = [((x - y) * 0.71, (x + y) * 0.71) for x, y in corners]
    painter.drawPolygon(QPolygonF([centre + QPointF(x * size, y * size) for x, y in corners]))


_THIN = 0.34
_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "s": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    "D": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "^": ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    "v": ((0, 1.1), (1.1, -0.9), (-1.1, -0.9)),
    "P": ((-_THIN, -1.1), (_THIN, -1.1), (_THIN, -_THIN), (1.1, -_THIN), (1.1, _THIN), (_THIN, _THIN), (_THIN, 1.1),
          (-_THIN, 1.1), (-_THIN, _THIN), (-1.1, _THIN), (-1.1, -_THIN), (-_THIN, -_THIN)),
}  # fmt: skip
"""The corners of the signs of groups, of size 1 about (0, 0)."""


_HOLLOW = str.maketrans("▲▼", "△▽")


def hollow(text: str) -> str:
    """Return the text of a difference with hollow arrows: a difference that the test does not show."""
    return text.translate(_HOLLOW)


def delta_text(delta: float, decimals: int, ratio: bool = False) -> str:
    """Return the text of a difference: "▲ 0.2701", "▼ 0.0153", "=" if it rounds to 0, "" for NaN. With ``ratio``,
    ``delta`` is the logarithm of a ratio, which is written: "▲ ×1.084", "▼ ×0.923"."""
    if math.isnan(delta):
        return ""
    if ratio:
        written = times(ratio_of(delta))
        return "=" if written == EVEN else f"{'▲' if delta > 0 else '▼'} {written}"
    size = f"{as_shown(abs(delta)):.{decimals}f}"
    if not float(size):
        return "="
    return ("▲ " if delta > 0 else "▼ ") + decimal(size)


def delta_colour(delta: float, decimals: int, theme: Theme, ratio: bool = False) -> QColor:
    """Return the colour of a difference: better, worse, or muted if it rounds to 0."""
    return theme.colours[delta_ink(delta_text(delta, decimals, ratio))]


def delta_ink(text: str) -> str:
    """Return the name of the colour of a difference's text."""
    return "better" if "▲" in text else "worse" if "▼" in text else "muted"


def draw_delta(
    painter: QPainter, rect: QRect, delta: float, theme: Theme, decimals: int = 4, ratio: bool = False
) -> None:
    """Draw a difference, right-aligned, in the painter's font: ▲ better, ▼ worse, grey "=", nothing for NaN."""
    text = delta_text(delta, decimals, ratio)
    painter.setPen(theme.colours[delta_ink(text)])
    painter.drawText(rect, int(_RIGHT), text)


def change_text(change: int) -> str:
    """Return the text of a rank change: "▲4", "▼1", "=", and "new" if the baseline does not return the document."""
    if change == NEW:
        return NEW_TEXT
    return "=" if change == 0 else f"{'▲' if change > 0 else '▼'}{abs(change)}"


def change_colour(change: int, relevant: bool, theme: Theme) -> QColor:
    """Return the colour of a rank change: good or bad only for relevant documents."""
    if change == 0 or not relevant:
        return theme.colours["muted"]
    return theme.colours["better" if change > 0 else "worse"]


def middle_elide(text: str, metrics: QFontMetricsF, width: float, lines: int = 1) -> list[str]:
    """Return ``text`` in at most ``lines`` lines of ``width`` pixels. The last one is elided in the middle, since the
    end of a title often distinguishes it. Full lines break between words."""
    head, rest = full_lines(text, metrics, width, lines - 1)
    return [*head, metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, width)] if rest else head


def full_lines(text: str, metrics: QFontMetricsF, width: float, lines: int) -> tuple[list[str], str]:
    """Return the first ``lines`` lines of ``text``, broken between words, and the rest of it; hidden characters are
    shown as escapes."""
    rest = escape_hidden(text.strip(), keep=_SPACES)
    lines_made: list[str] = []
    while rest and len(lines_made) < lines:
        head, rest = _first_line(rest, metrics, width)
        lines_made.append(head)
    return lines_made, rest


_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"
"""Control characters between which lines are broken."""
_PIECE = re.compile(r"\S+?(?:-(?=\S)|(?=\s|$))\s*")  # a word, or the part of one up to a hyphen


def _first_line(text: str, metrics: QFontMetricsF, width: float) -> tuple[str, str]:
    """Return the words that fit into a line, and the rest. A word wider than the line is broken."""
    if metrics.horizontalAdvance(text) <= width:
        return text, ""
    used = 0.0
    end = 0
    for piece in _PIECE.finditer(text):
        word = piece.group()
        # The blank behind a word is part of no line's end; it is measured apart only where a line ends.
        after = used + metrics.horizontalAdvance(word)
        if after > width and used + metrics.horizontalAdvance(word.rstrip()) > width:
            break
        used = after
        end = piece.end()
    if not end:
        end = max(1, len(metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)) - 1)
    return text[:end].rstrip(), text[end:].lstrip()


@lru_cache(maxsize=1024)
def _chip_image(
    palette: Palette, width: int, height: int, known: float | None, max_grade: float, ratio: float, yours: bool
) -> QImage:
    """Return the image of a chip, dashed for an unjudged document; ``yours`` has the sign of a judgment that differs
    from the file's."""
    grade = math.nan if known is None else known
    text = grade_text(grade)
    ground, ink = chip_colours(palette, grade, max_grade)
    image = QImage(
        max(1, round(width * ratio)), max(1, round(height * ratio)), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = min(3.0, width / 4)
    box = QRectF(0, 0, width, height)
    if not grade >= 0:
        edges = box.adjusted(0.5, 0.5, -0.5, -0.5)
        _draw_hatched(painter, edges, radius, ground, palette.unjudged_ink, palette.frame)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(ground))
        painter.drawRoundedRect(box, radius, radius)
    font = _fitting_font(text, width - 2, height)
    if font is not None:
        painter.setFont(font)
        painter.setPen(colour(ink))
        painter.drawText(box, int(_CENTRE), text)
    if yours:
        frame = palette.ink
        corner = min(6.0, width / 2.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(frame))
        painter.drawPolygon([QPointF(width - corner, 0), QPointF(width, 0), QPointF(width, corner)])
        painter.setPen(QPen(colour(frame), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
    painter.end()
    return image


def _draw_hatched(painter: QPainter, box: QRectF, radius: float, ground: str, edge: str, hatch: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ground))
    painter.drawRoundedRect(box, radius, radius)
    painter.setPen(QPen(colour(hatch), 1))
    painter.save()
    painter.setClipRect(box)
    step = 5.0
    x = box.left() - box.height()
    while x < box.right():
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()))
        x += step
    painter.restore()
    pen = QPen(colour(edge), 1)
    pen.setDashPattern([2.5, 2.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, radius, radius)


def _fitting_font(text: str, width: float, height: float) -> QFont | None:
    """Return the largest font that fits into a chip, None if even the smallest does not fit."""
    for size in (8.5, 7.5, 6.5):
        font = make_font(size, 600)
        metrics = QFontMetricsF(font)
        if metrics.horizontalAdvance(text) <= width and metrics.capHeight() <= height - 3:
            return font
    return None


def draw_lost(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """Draw what is lost: pale amber with an amber edge; nothing below half a pixel."""
    if bar.width() < 0.5:
        return
    fill = QColor(theme["worse"])
    fill.setAlphaF(LOST_FILL)
    painter.fillRect(bar, fill)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme["worse"], 1))
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


def draw_room(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """Draw what nobody could have: dashed and empty."""
    if bar.width() < 0.5:
        return
    pen = QPen(theme["faint"], 1)
    pen.setDashPattern([3.0, 2.5])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


def draw_hatch(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """Fill a box with the hatch of what is not known."""
    painter.save()
    painter.setClipRect(bar)
    painter.setPen(QPen(theme["control_border"], 1))
    x = bar.left() - bar.height()
    while x < bar.right():
        painter.drawLine(QPointF(x, bar.bottom()), QPointF(x + bar.height(), bar.top()))
        x += 5.0
    painter.restore()


def fitting_form(forms: Sequence[str], metrics: QFontMetricsF, room: float) -> str:
    """Return the first form of a text that ``room`` pixels hold; the last one, elided in the middle, if none does."""
    shown = next((form for form in forms if metrics.horizontalAdvance(form) <= room), forms[-1])
    return metrics.elidedText(shown, Qt.TextElideMode.ElideMiddle, max(0.0, room))
