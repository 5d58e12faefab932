"""The texts of lessons as HTML of labels, with formulas as pictures, drawn in the background: until one is there, it
stands as text."""

from __future__ import annotations

import base64
import itertools
import math
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPixmap

from irviewer.gui.theme import Theme
from irviewer.rendering.lesson_pictures import shown_with
from irviewer.rendering.lesson_text import Shown, drawn_latex, formula_words, html_of, inline_html_of
from irviewer.session.explaining.formulas import FormulaRequest

if TYPE_CHECKING:
    from irviewer.model.lessons.lesson import Lesson
    from irviewer.rendering.formula import FormulaPicture
    from irviewer.session.session import Session

MOST_WIDTH = 560
"""The most width of a picture, in pixels."""
LARGER = 1.2
"""The font size of a formula, by that of the text around it: its letters are smaller."""
MARGIN, FLAT = 2.0, 0.6
"""The margin of a picture, and what a formula may have below the line without standing lower, in points."""
COLUMNS_APART = "<style>td, th { padding-right: 14px }</style>"
"""Leaves room between the columns of tables."""
_numbers = itertools.count()


class LessonHtml:
    """Makes the HTML of a widget's labels; ``redraw`` is called when a formula was drawn that they show."""

    def __init__(self, session: Session, theme: Theme, size: float, redraw: Callable[[], object]) -> None:
        self._session = session
        self._theme = theme
        self._size = size
        self._redraw = redraw
        self._name = next(_numbers)
        self._lesson: Lesson | None = None
        self._drawn: dict[FormulaRequest, str] = {}
        self._at_once = False
        self._asked: set[FormulaRequest] = set()

    def text(self, text: str) -> str:
        """Return the HTML of a text."""
        shown = html_of(text, self._shown())
        return COLUMNS_APART + shown if "<table>" in shown else shown

    def line(self, text: str) -> str:
        """Return the HTML of a line."""
        return inline_html_of(text, self._shown())

    def _shown(self) -> Shown:
        lesson = self._session.lessons.lesson
        if lesson is not self._lesson:  # all of a lesson are kept: one that was dropped would be drawn and shown anew
            self._lesson = lesson
            self._drawn.clear()
        pictures = shown_with(() if lesson is None else lesson.pictures, MOST_WIDTH)
        return Shown(self._formula, lambda name, alt: _on_paper(pictures.picture(name, alt)))

    def _formula(self, formula: str) -> str:
        """Return the picture of a formula; its text until it is drawn, and where it cannot be."""
        ratio = QGuiApplication.primaryScreen().devicePixelRatio()
        size = LARGER * self._theme.font(self._size).pointSizeF()
        asked = FormulaRequest(drawn_latex(formula), self._theme.palette.ink, size, size, ratio * 96 / 72, math.inf)
        if asked not in self._drawn and asked not in self._asked:
            self._asked.add(asked)
            place = f"lesson {self._name} {len(self._asked)} {formula}"
            self._at_once = True
            self._session.explaining.formulas.draw(place, asked, lambda picture: self._deliver(asked, picture, ratio))
            self._at_once = False
        return self._drawn.get(asked, "") or escape(formula_words(formula))

    def _x_height(self) -> float:
        return QFontMetricsF(self._theme.font(self._size)).xHeight()

    def _deliver(self, asked: FormulaRequest, picture: FormulaPicture, ratio: float) -> None:
        self._asked.discard(asked)
        self._drawn[asked] = "" if picture.png is None else _image(picture, ratio, self._x_height())
        if not self._asked and not self._at_once:
            self._redraw()


def _on_paper(html: str) -> str:
    """Return a picture on white, as pages and sheets have it: black lines on a dark ground would be lost."""
    return f"<span style='background-color: #ffffff'>{html}</span>" if html.startswith("<img ") else html


def _image(picture: FormulaPicture, ratio: float, x_height: float) -> str:
    """Return a picture that stands on the line of the letters around it. Qt centres pictures at half the height of an
    x above the line, so its depth is filled up to that, or cut off where nothing is below the line."""
    pixmap = QPixmap()
    pixmap.loadFromData(picture.png or b"", "PNG")
    below = round(picture.depth * ratio * 96 / 72)
    above, middle = pixmap.height() - below, round(x_height * ratio / 2)
    flat = below <= math.ceil((MARGIN + FLAT) * ratio * 96 / 72)
    up, down = (0, -below) if flat else (max(0, below + middle - above), max(0, above - middle - below))
    canvas = QPixmap(pixmap.width(), pixmap.height() + up + down)
    canvas.fill(Qt.GlobalColor.transparent)
    painter = QPainter(canvas)
    painter.drawPixmap(0, up, pixmap)
    painter.end()
    bytes_ = QBuffer()
    canvas.save(bytes_, "PNG")
    data = base64.b64encode(bytes(bytes_.data().data())).decode()
    return (
        f"<img style='vertical-align: {'baseline' if flat else 'middle'}' width='{round(canvas.width() / ratio)}' "
        f"height='{round(canvas.height() / ratio)}' src='data:image/png;base64,{data}'>"
    )
