"""Colours of the light, dark and high-contrast themes, as "#rrggbb"; each colour has one meaning.

The window and exported figures use them. Grades are a ramp of one hue in even steps of lightness, always with the
number in the cell; no run and no state has that hue. Runs differ in hue, lightness and dash; the first eight can be
distinguished with protanopia, deuteranopia and tritanopia."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True)
class Palette:
    """One theme's colours. ``grades`` go from the lowest relevant grade to the highest.

    frame            axes and the edges of what cannot be operated
    others           lines of runs without a colour of their own: seen, and quieter than those with one in every theme
    control_border   the edges of controls, with a contrast of at least 3:1 to what they lie on (WCAG 2.2, 1.4.11)
    field_selection  behind selected text
    recess           behind switches and shortcuts
    heading          behind rows that head those below them; unlike a selection
    """

    name: str
    window: str
    panel: str
    panel_border: str
    line: str
    ink: str
    text: str
    muted: str
    faint: str
    selection: str
    recess: str
    hover: str
    heading: str
    control: str
    control_border: str
    frame: str
    others: str
    field_selection: str
    nonrelevant: str
    nonrelevant_ink: str
    unjudged: str
    unjudged_ink: str
    better: str
    worse: str
    heat: str
    grades: tuple[str, ...]
    runs: tuple[str, ...]
    link: str
    warning: str
    dark: bool = False


LIGHT = Palette(
    name="light",
    window="#f3f5f7",
    panel="#ffffff",
    panel_border="#dfe4e9",
    line="#e8ecf0",
    ink="#16191d",
    text="#1f2429",
    muted="#5c6772",
    faint="#87919b",
    selection="#e9edf1",
    recess="#e9edf1",
    hover="#f3f6f8",
    heading="#f3f6f8",
    control="#ffffff",
    control_border="#7d8893",
    frame="#d3dae1",
    others="#d3dae1",
    field_selection="#d3dae1",
    nonrelevant="#e7e3df",
    nonrelevant_ink="#5d5751",
    unjudged="#ffffff",
    unjudged_ink="#4b545d",
    better="#0f766e",
    worse="#a84c08",
    heat="#aab0b8",
    grades=("#d9ecd0", "#aed79b", "#74b865", "#3d8f3f", "#1c6330"),
    runs=(
        "#2371da",
        "#db5876",
        "#884d8e",
        "#ad8c31",
        "#27a1ac",
        "#a35700",
        "#890903",
        "#3b335f",
        "#ba2d6f",
        "#5955c3",
        "#9788ca",
        "#9e4c35",
    ),
    link="#74b865",
    warning="#a84c08",
)

DARK = Palette(
    name="dark",
    window="#14171b",
    panel="#1b1f24",
    panel_border="#2b3138",
    line="#272d34",
    ink="#f2f5f8",
    text="#dfe4e9",
    muted="#939ea9",
    faint="#69747f",
    selection="#29313a",
    recess="#29313a",
    hover="#21272e",
    heading="#21272e",
    control="#21262c",
    control_border="#717c87",
    frame="#38414a",
    others="#38414a",
    field_selection="#38414a",
    nonrelevant="#3a3531",
    nonrelevant_ink="#c9c1b9",
    unjudged="#1b1f24",
    unjudged_ink="#aab4be",
    better="#5ec8bb",
    worse="#eda35b",
    heat="#59636e",
    grades=("#24402a", "#2f6239", "#43904b", "#74c276", "#b6eab0"),
    runs=(
        "#44a6ea",
        "#f595a6",
        "#856595",
        "#f3d27d",
        "#60dfe9",
        "#a1705c",
        "#dd7302",
        "#5374df",
        "#d273b7",
        "#95acb3",
        "#c6b7f8",
        "#dd7c61",
    ),
    link="#43904b",
    warning="#eda35b",
    dark=True,
)

CONTRAST = Palette(
    name="contrast",
    window="#ffffff",
    panel="#ffffff",
    panel_border="#595959",
    line="#8c8c8c",
    ink="#000000",
    text="#000000",
    muted="#2e2e2e",
    faint="#525252",
    selection="#ffe680",
    recess="#ececec",
    hover="#fff7d1",
    heading="#ececec",
    control="#ffffff",
    control_border="#000000",
    frame="#595959",
    others="#8c8c8c",
    field_selection="#ffd633",
    nonrelevant="#d9d9d9",
    nonrelevant_ink="#000000",
    unjudged="#ffffff",
    unjudged_ink="#000000",
    better="#00473f",
    worse="#7a2600",
    heat="#6b6b6b",
    grades=("#cdeac2", "#93d07f", "#4fa046", "#1f7330", "#0a4a1b"),
    runs=(
        "#216ef1",
        "#c54b00",
        "#6f088d",
        "#016e78",
        "#8f0000",
        "#923f4c",
        "#3b2622",
        "#1b1542",
        "#970f4a",
        "#2f3f46",
        "#4a2aa0",
        "#7a3300",
    ),
    link="#1f7330",
    warning="#7a2600",
)

CONTRAST_DARK = Palette(
    name="contrast-dark",
    window="#000000",
    panel="#000000",
    panel_border="#bfbfbf",
    line="#7a7a7a",
    ink="#ffffff",
    text="#ffffff",
    muted="#dedede",
    faint="#bdbdbd",
    selection="#00408a",
    recess="#2b2b2b",
    hover="#262626",
    heading="#262626",
    control="#000000",
    control_border="#ffffff",
    frame="#bfbfbf",
    others="#666666",
    field_selection="#0059bf",
    nonrelevant="#404040",
    nonrelevant_ink="#ffffff",
    unjudged="#000000",
    unjudged_ink="#ffffff",
    better="#7df5e3",
    worse="#ffc080",
    heat="#8c8c8c",
    grades=("#1f4d2a", "#2f7a3f", "#45a457", "#85dc8c", "#d2fbd0"),
    runs=(
        "#7f92ef",
        "#fbacae",
        "#ffe29f",
        "#ff2b9f",
        "#02c2c7",
        "#ad794f",
        "#f78919",
        "#a6f3fe",
        "#ff9ccd",
        "#b4d0de",
        "#d9cfff",
        "#ff9d82",
    ),
    link="#45a457",
    warning="#ffc080",
    dark=True,
)

PALETTES = {palette.name: palette for palette in (LIGHT, DARK, CONTRAST, CONTRAST_DARK)}
"""All palettes by name."""


@lru_cache(maxsize=16)
def with_runs(palette: Palette, colours: tuple[str, ...]) -> Palette:
    """Return the palette with other colours of the first runs; the same object for the same colours."""
    return replace(palette, runs=(*colours, *palette.runs[len(colours) :])) if colours else palette


DASHES: tuple[tuple[float, ...], ...] = ((), (6, 2), (2, 1.6), (8, 2.5, 2, 2.5), (11, 3), (4, 2, 1, 2))
"""Dash patterns in line widths, the second sign of a run: solid for the first run, then others."""


def run_colour(palette: Palette, slot: int) -> str:
    """Return the colour of a run's slot; past the palette's end colours repeat with another dash."""
    return palette.runs[slot % len(palette.runs)]


def run_dash(slot: int) -> tuple[float, ...]:
    """Return the dash of a run's slot: () is solid. Neighbours differ, and so do runs of the same hue."""
    return DASHES[(slot + slot // len(LIGHT.runs)) % len(DASHES)]


def grade_colour(palette: Palette, grade: float, max_grade: float) -> str:
    """Return the colour of a relevant grade, 1 … max_grade spread over the ramp: five grades take its five steps, fewer
    take them from the second on, so that the only grade of binary qrels is not the palest."""
    steps = len(palette.grades)
    top = max(1.0, max_grade)
    if top >= steps:
        place = round((grade - 1) / (top - 1) * (steps - 1))
    else:
        place = round(grade / top * (steps - 1)) if top > 1 else 3
    return palette.grades[max(0, min(steps - 1, int(place)))]


def ink_on(colour: str) -> str:
    """Return black or white, whichever is easier to read on ``colour``: with a contrast of at least 4.5 on any (WCAG
    2.2, relative luminance)."""
    luminance = 0.0
    for start, weight in ((1, 0.2126), (3, 0.7152), (5, 0.0722)):
        share = int(colour[start : start + 2], 16) / 255
        luminance += weight * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    # Black has (L + .05) / .05, white 1.05 / (L + .05): equal where (L + .05)² = 1.05 · .05.
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def chip_colours(palette: Palette, grade: float, max_grade: float) -> tuple[str, str]:
    """Return background and text colour of the chip of a grade: a ramp for relevant grades, grey for 0, others as
    unjudged."""
    if grade > 0:
        ground = grade_colour(palette, grade, max_grade)
        return ground, ink_on(ground)
    if grade == 0:
        return palette.nonrelevant, palette.nonrelevant_ink
    return palette.unjudged, palette.unjudged_ink
