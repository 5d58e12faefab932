"""The contrasts of the palettes, by the formula of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""

from __future__ import annotations

from itertools import product

import pytest

from irviewer.rendering.palette import CONTRAST, CONTRAST_DARK, PALETTES, Palette, chip_colours, grade_colour, ink_on
from irviewer.session.state import THEMES

GROUNDS = ("control", "panel", "window", "selection", "recess", "hover", "heading")
STRONG = (CONTRAST, CONTRAST_DARK)


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    lights = sorted(map(luminance, (colour, other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    light = 0.0
    for place, weight in ((1, 0.2126), (3, 0.7152), (5, 0.0722)):
        part = int(colour[place : place + 2], 16) / 255
        light += weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return light


def test_the_formula() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


def test_every_theme_has_a_palette_of_its_name() -> None:
    assert {"system", *PALETTES} == set(THEMES)
    assert {name: palette.name for name, palette in PALETTES.items()} == {name: name for name in PALETTES}
    for palette in PALETTES.values():
        assert palette.dark == (luminance(palette.panel) < luminance(palette.text))
        assert len(palette.runs) == len(PALETTES["light"].runs)
        assert len(palette.grades) == len(PALETTES["light"].grades)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_the_borders_of_controls_can_be_seen(palette: Palette) -> None:
    for ground in GROUNDS:
        assert contrast(palette.control_border, getattr(palette, ground)) >= 3, ground


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_texts_can_be_read(palette: Palette) -> None:
    for ground in GROUNDS:
        for text in ("ink", "text"):
            assert contrast(getattr(palette, text), getattr(palette, ground)) >= 7, (text, ground)
        for text in ("muted", "better", "worse", "warning"):
            assert contrast(getattr(palette, text), getattr(palette, ground)) >= 4.5, (text, ground)
    assert contrast(palette.ink, palette.field_selection) >= 4.5
    assert contrast(palette.nonrelevant_ink, palette.nonrelevant) >= 4.5
    assert contrast(palette.unjudged_ink, palette.unjudged) >= 4.5


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("highest", [1, 2, 3, 4, 5, 9])
def test_grades_can_be_read_on_their_chips(palette: Palette, highest: int) -> None:
    for grade in range(-1, highest + 1):
        ground, ink = chip_colours(palette, grade, highest)
        assert contrast(ink, ground) >= 4.5, grade


def test_ink_can_be_read_on_every_colour() -> None:
    steps = range(0, 256, 15)
    for red, green, blue in product(steps, steps, steps):
        ground = f"#{red:02x}{green:02x}{blue:02x}"
        assert contrast(ink_on(ground), ground) >= 4.5, ground
        assert contrast(ink_on(ground), ground) >= max(contrast(ground, ink) for ink in ("#000000", "#ffffff")) - 1e-9


@pytest.mark.parametrize("palette", STRONG, ids=lambda palette: palette.name)
def test_a_heading_looks_like_no_selection(palette: Palette) -> None:
    """A selection has a hue where contrast is high, and a heading has none."""
    for ground, has_hue in ((palette.selection, True), (palette.heading, False)):
        red, green, blue = (int(ground[place : place + 2], 16) for place in (1, 3, 5))
        assert (max(red, green, blue) - min(red, green, blue) > 20) == has_hue, ground
    assert palette.heading != palette.panel


@pytest.mark.parametrize("palette", STRONG, ids=lambda palette: palette.name)
def test_high_contrast_is_high(palette: Palette) -> None:
    for text in ("ink", "text", "muted", "faint", "better", "worse", "warning", "nonrelevant_ink"):
        grounds = GROUNDS if text != "nonrelevant_ink" else ("nonrelevant",)
        for ground in grounds:
            assert contrast(getattr(palette, text), getattr(palette, ground)) >= (7 if ground == "panel" else 4.5)
    for border in ("control_border", "frame", "panel_border", "line"):
        assert contrast(getattr(palette, border), palette.panel) >= 3, border
    for run in palette.runs:
        assert contrast(run, palette.panel) >= 4.5, run
    for grade in range(1, 6):
        ground = grade_colour(palette, grade, 5)
        assert contrast(ink_on(ground), ground) >= 4.5, grade


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_other_runs_are_quieter_than_those_with_a_colour(palette: Palette) -> None:
    """With high contrast 72 grey lines hid the four that were looked at."""
    quiet = contrast(palette.others, palette.panel)
    assert quiet >= (3 if palette in STRONG else 1.3)
    assert all(contrast(run, palette.panel) > 1.25 * quiet for run in palette.runs)
