"""The painted signs: what is written, and that no sign rests on colour alone."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.painting import (
    change_text,
    delta_colour,
    delta_text,
    draw_delta,
    draw_grade_chip,
    draw_swatch,
    full_lines,
    grade_text,
    middle_elide,
)
from irviewer.rendering.palette import DARK
from irviewer.rendering.run_label import NEW


def chip(theme: Theme, grade: float, width: int = 20, ratio: float = 1.0, yours: bool = False) -> QImage:
    """A chip on the panel's ground, in greys."""
    image = QImage(QSize(round(width * ratio), round(18 * ratio)), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(theme["panel"])
    painter = QPainter(image)
    draw_grade_chip(painter, QRect(0, 0, width, 18), grade, 5.0, theme, yours=yours)
    painter.end()
    return image.convertToFormat(QImage.Format.Format_Grayscale8)


@pytest.mark.parametrize("dark", [False, True])
def test_chips_differ_without_colour(theme: Theme, dark: bool) -> None:
    if dark:
        theme.set_palette(DARK)
    chips = [chip(theme, grade) for grade in (math.nan, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, -1.0)]
    assert all(drawn_chip != other for k, drawn_chip in enumerate(chips) for other in chips[:k])


@pytest.mark.parametrize("dark", [False, True])
def test_a_grade_of_yours_is_marked_without_colour(theme: Theme, dark: bool) -> None:
    if dark:
        theme.set_palette(DARK)
    for width in (11, 20):
        for grade in (math.nan, 0.0, 1.0, 5.0):
            own, file = chip(theme, grade, width, yours=True), chip(theme, grade, width)
            differing = sum(own.pixel(x, y) != file.pixel(x, y) for x in range(width) for y in range(18))
            assert differing > width + 18  # a frame and a corner


def test_a_chip_fills_its_place_at_any_size_and_ratio(theme: Theme) -> None:
    for width in (3, 8, 12, 20, 40):
        for ratio in (1.0, 2.0):
            for grade in (math.nan, 10.0, 0.25):
                assert not chip(theme, grade, width, ratio).isNull()


def test_grades_are_written(theme: Theme) -> None:
    assert [grade_text(grade) for grade in (math.nan, 2.0, 0.5, -1.0)] == ["?", "2", "0.5", "−1"]


def test_no_difference_is_never_a_signed_zero(theme: Theme) -> None:
    assert [delta_text(d, 4) for d in (0.27, -0.01534, 0.0, 0.00004, math.nan)] == [
        "▲ 0.2700",
        "▼ 0.0153",
        "=",
        "=",
        "",
    ]
    assert delta_colour(0.00004, 4, theme) == theme["muted"]
    assert delta_colour(0.1, 4, theme) == theme["better"]
    assert delta_colour(-0.1, 4, theme) == theme["worse"]
    assert [change_text(change) for change in (4, -1, 0, NEW)] == ["▲4", "▼1", "=", "new"]


def test_swatches_and_deltas_paint(theme: Theme) -> None:
    image = QImage(QSize(80, 20), QImage.Format.Format_RGB32)
    seen = []
    for filled in (True, False):
        image.fill(theme["panel"])
        painter = QPainter(image)
        draw_swatch(painter, QRect(2, 2, 10, 10), theme["ink"], filled, theme["control_border"])
        draw_delta(painter, QRect(20, 0, 60, 20), 0.2, theme, 2)
        painter.end()
        seen.append((image.pixelColor(7, 7), image.pixelColor(7, 2)))
    assert seen[0][0] == theme["ink"]
    assert seen[1][0] == theme["panel"]
    assert seen[1][1] != theme["panel"]


def test_titles_are_cut_in_the_middle_and_break_between_words(theme: Theme) -> None:
    metrics = QFontMetricsF(theme.font(9))
    title = "periodic temperature distributions in a two-layer composite slab"
    room = metrics.horizontalAdvance("periodic temperature d")
    lines = middle_elide(title, metrics, room, 2)
    assert lines[0] == "periodic temperature"
    assert "…" in lines[1]
    assert lines[1].endswith("slab")
    assert all(metrics.horizontalAdvance(line) <= room + 1 for line in lines)
    assert middle_elide("short", metrics, 400, 2) == ["short"]
    assert middle_elide("", metrics, 400, 2) == []
    narrow = metrics.horizontalAdvance("one-dimen")
    assert full_lines("one-dimensional flow", metrics, narrow, 1) == (["one-"], "dimensional flow")
    head, rest = full_lines("supersonicboundarylayer", metrics, narrow, 1)
    assert head[0] + rest == "supersonicboundarylayer"


@given(
    st.lists(st.text(st.characters(codec="ascii", categories=("L", "P")), min_size=1, max_size=9), max_size=12),
    st.integers(20, 200),
)
def test_a_line_takes_the_words_that_fit_without_the_blank_behind_them(
    qapp: object, words: list[str], width: int
) -> None:
    metrics = QFontMetricsF(make_font(9))
    text = " ".join(words).strip()
    (line, *_), rest = full_lines(text, metrics, width, 1) if text else ([""], "")
    pieces = re.findall(r"\S+?(?:-(?=\S)|(?=\s|$))\s*", text)
    count = 0
    while (
        count < len(pieces)
        and sum(map(metrics.horizontalAdvance, pieces[:count])) + metrics.horizontalAdvance(pieces[count].rstrip())
        <= width
    ):
        count += 1
    if metrics.horizontalAdvance(text) <= width:
        assert (line, rest) == (text, "")
    elif count:
        assert line == "".join(pieces[:count]).rstrip()
        assert rest == "".join(pieces[count:]).lstrip()
