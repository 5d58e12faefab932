"""Formulas as pictures: the LaTeX of a measure, set by matplotlib's mathtext, as SVG or PNG.

Glyphs are shapes, so that no font has to be installed and no setting of matplotlib is changed; called on any thread. It
imports matplotlib, so it is imported when a formula is first shown."""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

import irviewer.rendering.font_list  # noqa: F401 - before matplotlib

# isort: split

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.image import imsave
from matplotlib.path import Path
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Affine2D

_RENDERER: Any = RendererAgg  # matplotlib gives it no types
MARGIN = 2.0
"""Points left free on every side."""

BREAK = r", \quad "
"""Where a formula may be broken into lines."""
STEP = 0.25
"""Sizes of fitted formulas are multiples of this many points, so that few are drawn while the user resizes."""

_reading = Lock()
"""mathtext has one parser for all threads."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """The outline of a formula; y grows upward. ``width`` and ``height`` in points, with margins; ``depth`` from its
    lower end up to the line on which its last line of letters stands."""

    path: Path
    width: float
    height: float
    depth: float = MARGIN


def outline(formula: str, size: float = 12.0, room: float = math.inf) -> Drawn | None:
    r"""Return the formula (LaTeX without dollar signs) as an outline with a font size of ``size`` points; None if
    mathtext cannot read it. A formula wider than ``room`` points is broken at the next ``, \quad``, which separates the
    expression from its definitions."""
    whole = _line(formula, size)
    if whole is None or whole.width <= room or BREAK not in formula:
        return whole
    lines: list[str] = []
    for part in formula.split(BREAK):
        longer = _line(lines[-1] + BREAK + part, size) if lines else None
        if longer is not None and longer.width <= room:
            lines[-1] += BREAK + part
        else:
            lines.append(part)
    ends = [","] * (len(lines) - 1) + [""]
    drawn = [_line(text + end, size) for text, end in zip(lines, ends, strict=True)]
    return _stacked([part for part in drawn if part is not None])


def _stacked(lines: list[Drawn]) -> Drawn:
    """Return lines below each other, the first on top."""
    height = sum(line.height for line in lines)
    corners, codes, top = [], [], height
    for line in lines:
        top -= line.height
        corners.append(np.add(line.path.vertices, (0.0, top)))
        codes.append(np.asarray(line.path.codes))
    return Drawn(
        Path(np.concatenate(corners), np.concatenate(codes)), max(line.width for line in lines), height, lines[-1].depth
    )


@lru_cache(maxsize=256)
def _line(formula: str, size: float) -> Drawn | None:
    letters = FontProperties(size=size, math_fontfamily="stix")
    try:
        with _reading:
            corners, codes = TextToPath().get_text_path(letters, f"${_displayed(formula)}$", ismath=True)
    except ValueError:
        return None
    if not len(corners):
        return None
    # Outlines are made with a size of 100 units and then scaled.
    path = Path(np.asarray(corners) * (size / TextToPath.FONT_SCALE), codes)
    box = path.get_extents()
    moved = path.transformed(Affine2D().translate(MARGIN - box.x0, MARGIN - box.y0))
    return Drawn(moved, box.width + 2 * MARGIN, box.height + 2 * MARGIN, MARGIN - box.y0)


_SUM = re.compile(r"(?<=[\w)}])\s*(?=\\(?:sum|prod|max|min)(?![a-zA-Z]))")
"""Where a sum begins beside a factor."""


def _displayed(formula: str) -> str:
    """Return the formula with its outermost fractions in full size, as in a displayed formula, and a space before sums;
    mathtext sets all fractions small, and what is below a sum close to the factor before it."""
    formula = _SUM.sub(r"\\, ", formula)
    depth, parts = 0, []
    for piece in re.split(r"(\\frac(?![a-zA-Z])|(?<!\\)[{}])", formula):
        depth += {"{": 1, "}": -1}.get(piece, 0)
        parts.append(r"\dfrac" if piece == r"\frac" and not depth else piece)
    return "".join(parts)


def formula_png(
    formula: str, colour: str = "#000000", size: float = 12.0, scale: float = 2.0, room: float = math.inf
) -> bytes | None:
    """Return the formula as a PNG without background, ``scale`` pixels per point, in lines of ``room`` points if it can
    be broken; None if mathtext cannot read it."""
    drawn = outline(formula, size, room)
    if drawn is None:
        return None
    width, height = (int(np.ceil(side * scale)) for side in (drawn.width, drawn.height))
    renderer = _RENDERER(width, height, 72)
    pen = renderer.new_gc()
    pen.set_linewidth(0)
    renderer.draw_path(pen, drawn.path, Affine2D().scale(scale), to_rgba(colour))
    file = io.BytesIO()
    imsave(file, np.asarray(renderer.buffer_rgba()), format="png")
    return file.getvalue()


@dataclass(frozen=True)
class FormulaPicture:
    """A formula drawn to fit: PNG (None if mathtext cannot read it), the font size in points, the width in points that
    it has at its full size in one line, and the depth in points below the line on which its letters stand."""

    png: bytes | None
    size: float
    width: float
    depth: float = 0.0


def fitting_size(width: float, size: float, least: float, room: float) -> float:
    """Return the font size, from ``least`` to ``size``, at which a formula fits that is ``width`` wide at its full
    size. All in points."""
    wanted = size * min(1.0, room / width) if width > 0 else size
    return max(least, wanted // STEP * STEP) if wanted < size else size


def formula_picture(
    formula: str, colour: str, size: float, least: float, scale: float, room: float = math.inf
) -> FormulaPicture:
    """Return the formula as :func:`formula_png` does, smaller if it is wider than ``room`` points, and in lines if it
    is too wide at the ``least`` size."""
    whole = outline(formula, size)
    if whole is None:
        return FormulaPicture(None, size, 0.0)
    fitted = fitting_size(whole.width, size, least, room)
    depth = whole.depth * fitted / size
    return FormulaPicture(formula_png(formula, colour, fitted, scale, room), fitted, whole.width, depth)
