"""Colours and dashes of the roles of marks in figures, for the window and for export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from irviewer.figures.figure import Figure, Matrix, Role
from irviewer.model.arrays import Floats
from irviewer.rendering.palette import Palette, grade_colour, run_colour, run_dash
from irviewer.rendering.run_label import RunLabel

Dashes = tuple[float, ...]
Style = tuple[str, Dashes]

IDEAL_DASH: Dashes = (3.0, 2.5)
FIELDS = {"ideal": "muted", "better": "better", "worse": "worse", "equal": "faint", "ink": "ink", "run": "muted"}


def run_styles(labels: Iterable[RunLabel], palette: Palette) -> dict[int, Style]:
    """Return run key -> ("#rrggbb", dash in line widths) of every run, in this palette."""
    return {label.key: (label_colour(label, palette), run_dash(label.dash_slot)) for label in labels}


def label_colour(label: RunLabel, palette: Palette) -> str:
    """Return the colour of a run as "#rrggbb": the one that the user chose, that of its slot, or grey."""
    return label.colour or (palette.faint if label.grey else run_colour(palette, label.slot))


def figure_with_groups(figure: Figure, labels: Iterable[RunLabel]) -> Figure:
    """Return a figure whose curves name the groups of their runs too; the same one where runs have no groups."""
    groups = {label.key: label.group for label in labels if label.group}
    if not groups:
        return figure
    curves = [
        replace(curve, label=f"{curve.label} ({groups[curve.role.run]})")
        if curve.role.kind == "run" and curve.role.run in groups
        else curve
        for curve in figure.curves
    ]
    return replace(figure, curves=tuple(curves))


MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
"""The shapes of groups of points, the second sign beside their colour, as matplotlib names them."""


def group_style(palette: Palette, group: int) -> tuple[str, str]:
    """Return the colour and the shape (one of MARKERS) of a group of points; no two of the first 96 are the same."""
    return run_colour(palette, group), MARKERS[(group + group // len(palette.runs)) % len(MARKERS)]


def role_style(role: Role, palette: Palette, colours: Mapping[int, Style]) -> Style:
    """Return the style of a role; the ideal is always dashed, a run without a colour (removed meanwhile) is muted."""
    if role.kind == "run" and role.run in colours:
        return colours[role.run]
    return getattr(palette, FIELDS[role.kind]), (IDEAL_DASH if role.kind == "ideal" else ())


ABSENT, UNLISTED, NONRELEVANT, RELEVANT = 0, 1, 2, 3
SHADES = 61
"""Cells of a map are codes: three grounds, then the shades of the relevant grades from the lowest to the highest."""


def cell_codes(grades: Floats, max_grade: float) -> npt.NDArray[np.uint8]:
    """Return the code of each cell, any shape; the larger code is drawn if cells share a pixel."""
    top = max(1.0, max_grade)
    codes = np.full_like(grades, NONRELEVANT, dtype=np.uint8)
    np.copyto(codes, UNLISTED, where=np.isnan(grades))
    np.copyto(codes, ABSENT, where=grades == -np.inf)
    relevant = grades > 0  # few of a map's cells
    some = grades[relevant]
    share = np.ones(some.shape) if top == 1 else (np.where(np.isfinite(some), some, 0.0) - 1) / (top - 1)
    codes[relevant] = RELEVANT + np.clip(np.round(share * (SHADES - 1)), 0, SHADES - 1)
    return codes


def cell_colours(palette: Palette, max_grade: float, codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return uint8[n, 3]: the colour of each code. If a map has no unlisted documents, non-relevant ones have the
    colour of the ground. The lowest of five grades is a step darker than on a chip, which also has its number; with
    fewer grades the colours are those of the chips."""
    top = max(1.0, max_grade)
    judged_0 = palette.nonrelevant if np.any(codes == UNLISTED) else palette.hover
    grounds = [_rgb(palette.panel), _rgb(palette.hover), _rgb(judged_0)]
    ramp = np.array([_rgb(colour) for colour in palette.grades], dtype=np.float64)
    share = np.linspace(0.0, 1.0, SHADES)
    if top >= len(ramp):
        places = 1 + share * (len(ramp) - 2)
    else:
        low = palette.grades.index(grade_colour(palette, 1, top))
        places = low + share * (len(ramp) - 1 - low) if top > 1 else np.full(SHADES, float(low))
    shades = np.column_stack([np.interp(places, np.arange(len(ramp)), ramp[:, i]) for i in range(3)])
    return np.concatenate((np.array(grounds), np.round(shades))).astype(np.uint8)


NOT_SHOWN = 0.4
"""How strong the grey of a difference is that the test does not show, beside the colours of the others."""


def matrix_colours(palette: Palette, matrix: Matrix) -> npt.NDArray[np.uint8]:
    """Return uint8[n, n, 3]: the colours of the cells of a matrix, from the panel's ground to dark, or to those of
    better and worse; a difference that the test does not show is grey, a pair without a value has the colour of the
    ground."""
    ground = _rgb(palette.panel)
    size = np.abs(matrix.shade)
    if matrix.signed:
        tops = [_rgb(colour) for colour in (palette.better, palette.worse, palette.muted)]
        top = np.where(matrix.shade >= 0, 0, 1)
        size = 0.85 * np.sqrt(size)
        if matrix.shown is not None:
            top, size = np.where(matrix.shown, top, 2), np.where(matrix.shown, size, NOT_SHOWN * size)
    else:
        tops, top = [_rgb(palette.muted)], np.zeros(size.shape, dtype=np.int64)
        size = 0.9 * size
    colours = np.empty((*size.shape, 3), dtype=np.uint8)
    for part, base in enumerate(ground):  # one at a time: all three of 250,000 cells are more than a processor keeps
        steps = np.array([each[part] - base for each in tops], dtype=np.float64)
        colours[:, :, part] = np.rint(base + steps[top] * size)
    return colours


def matrix_key(palette: Palette, matrix: Matrix) -> list[tuple[tuple[int, int, int], str]]:
    """Return (red, green and blue in 0..255, meaning) of the shades of a matrix, as its key shows them."""
    if not matrix.key:
        return []
    entries = [(shade, True, words) for shade, words in matrix.key]
    if matrix.not_shown:
        entries.append((1.0, False, matrix.not_shown))
    shades, shown = np.array([[entry[0] for entry in entries]]), np.array([[entry[1] for entry in entries]])
    colours = matrix_colours(palette, replace(matrix, shade=shades, shown=shown))[0].tolist()
    return [(tuple(colour), words) for colour, (_, _, words) in zip(colours, entries, strict=True)]


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
