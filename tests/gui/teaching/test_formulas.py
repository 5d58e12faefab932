"""Formulas and pictures of lessons are drawn in the window; a screen reader has them as text."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.gui.teaching.lesson_html import MOST_WIDTH
from irviewer.gui.teaching.lesson_strip import LessonStrip
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import HtmlLabel
from irviewer.rendering.formula import FormulaPicture
from irviewer.rendering.palette import DARK
from irviewer.session.session import Session

LESSON = r"""---
title: T
rankings: 1 0 1
---
Precision is $P = \frac{1}{3}$, of rank $k$.

## Question: What is $P@2$?
ask: P@2
hint: Count $\sum_i r_i$.
because: $\frac{1}{2}$
"""


@pytest.fixture
def strip(theme: Theme) -> LessonStrip:
    session = Session()
    assert session.teaching.open(parse_lesson(LESSON, "l.md"))
    strip = LessonStrip(session, theme)
    strip.refresh()
    return strip


def pictures(html: str) -> list[QImage]:
    return [
        QImage.fromData(base64.b64decode(data), "PNG")
        for data in re.findall("src='data:image/png;base64,([^']+)'", html)
    ]


def inked(image: QImage) -> np.ndarray:
    """Whether each pixel is drawn, bool[height, width]."""
    image = image.convertToFormat(QImage.Format.Format_Alpha8)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()] > 100


def test_formulas_are_pictures_and_words(strip: LessonStrip) -> None:
    fraction, letter = (inked(image) for image in pictures(strip.text.shows.text()))
    assert fraction.any()
    bar = fraction.sum(axis=1).argmax()  # the line of the fraction has ink above and below it
    assert fraction[:bar].any()
    assert fraction[bar + 3 :].any()
    assert letter[-2:].any()  # it stands on the line of the text: nothing is free below it
    assert strip.text.shows.accessibleName() == "Precision is P = 1/3, of rank k."


def ink(html: str) -> set[int]:
    """The lightness of what is drawn, for each picture."""
    return {
        max((image.pixelColor(x, y).alpha(), image.pixelColor(x, y).lightness())
            for x in range(image.width()) for y in range(image.height()))[1]
        for image in pictures(html)
    }  # fmt: skip


def test_formulas_take_the_colour_of_another_theme(strip: LessonStrip) -> None:
    strip._session.teaching.go()
    strip.refresh()
    former = ink(strip.question.title.text())
    strip._theme.set_palette(DARK)
    assert former
    assert max(former) < 80
    assert min(ink(strip.question.title.text())) > 180


def test_a_picture_beside_the_lesson_is_shown_no_wider_than_the_text(theme: Theme, tmp_path: Path) -> None:
    image = QImage(900, 300, QImage.Format.Format_RGB32)
    image.fill(0xFFC03020)
    image.save(str(tmp_path / "a.png"))
    (tmp_path / "l.md").write_text("---\ntitle: T\nrankings: 1 0\n---\n![two sets](a.png)\n")
    session = Session()
    assert session.teaching.open(read_lesson(tmp_path / "l.md"))
    strip = LessonStrip(session, theme)
    strip.refresh()
    label = HtmlLabel(strip.text.shows.text())
    label.resize(800, 300)
    drawn = label.grab().toImage()
    red = [x for x in range(800) if drawn.pixelColor(x, 150).red() > 150 and drawn.pixelColor(x, 150).green() < 90]
    assert len(red) == MOST_WIDTH * drawn.devicePixelRatio()
    assert strip.text.shows.accessibleName() == "two sets"


def test_black_lines_of_a_picture_are_seen_on_a_dark_ground(theme: Theme, tmp_path: Path) -> None:
    line = '<path d="M0 10H80" stroke="black" stroke-width="4"/>'
    (tmp_path / "a.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20">{line}</svg>')
    (tmp_path / "l.md").write_text("---\ntitle: T\nrankings: 1 0\n---\n![a line](a.svg)\n")
    session = Session()
    assert session.teaching.open(read_lesson(tmp_path / "l.md"))
    strip = LessonStrip(session, theme)
    strip.refresh()
    label = HtmlLabel(strip.text.shows.text())
    label.setStyleSheet("background: #101418")
    label.resize(200, 60)
    drawn = label.grab().toImage()
    column = [drawn.pixelColor(40, y).lightness() for y in range(drawn.height())]
    ink = column.index(0)
    assert column[ink - 5] == 255
    assert column[ink + 8] == 255


def test_a_text_of_many_formulas_is_drawn_once(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    picture = FormulaPicture(None, 0.0, 0.0)
    monkeypatch.setattr("irviewer.session.explaining.formulas.drawn", lambda each: asked.append(each) or picture)
    session, many = Session(), " ".join(f"$x_{{{n}}}$" for n in range(300))
    assert session.teaching.open(parse_lesson(f"---\ntitle: T\nrankings: 1 0\n---\n{many}\n", "l.md"))
    strip = LessonStrip(session, theme)
    strip.refresh()
    strip.refresh()
    assert len(asked) == 300


def test_questions_hints_and_reasons_have_their_formulas(strip: LessonStrip) -> None:
    session, box = strip._session, strip.question
    session.teaching.go()
    strip.refresh()
    assert len(pictures(box.title.text())) == 1
    assert box.title.accessibleName() == "What is P@2?"
    session.teaching.show_hint()
    strip.refresh()
    assert len(pictures(box.hint.text())) == 1
    session.teaching.answer(".5")
    strip.refresh()
    assert len(pictures(box.feedback.text())) == 1
