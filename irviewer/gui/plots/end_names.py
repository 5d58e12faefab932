"""The names of runs at the ends of their lines: where they stand, and their colours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtGui import QColor

MOST = 12
"""The most lines that have names at their ends."""
FROM_WIDTH = 440
"""The width in pixels from which a plot has names at the ends of its lines."""
SHARE = 0.22
"""The greatest share of the width for names."""
GAP = 8.0
CONTRAST = 4.5
"""The least contrast of text, of WCAG 2.2 (success criterion 1.4.3)."""


def spread(ends: Sequence[tuple[float, int]], line: float, top: float, bottom: float) -> list[tuple[int, float, float]]:
    """Return (index of the curve, y of its end, y of its name) for ``ends`` (y, index), moved apart by the height of a
    ``line``; all names stand between ``top`` and ``bottom``, as far as there is room."""
    groups: list[list[float]] = []  # groups of names without a gap: their top, and the ends of their lines
    for end, _ in sorted(ends):
        groups.append([end - line / 2, end])
        while len(groups) > 1 and groups[-2][0] + (len(groups[-2]) - 1) * line > groups[-1][0]:
            _, *last = groups.pop()
            _, *former = groups.pop()
            joined = former + last
            groups.append([sum(joined) / len(joined) - len(joined) * line / 2, *joined])
    tops = [first + number * line for first, *group in groups for number in range(len(group))]
    limit = top - line / 2
    for number in range(len(tops)):
        tops[number] = max(tops[number], limit)
        limit = tops[number] + line
    limit = bottom + line / 2
    for number in reversed(range(len(tops))):
        limit = tops[number] = min(tops[number], limit - line)
    return [(place, end, at + line / 2) for (end, place), at in zip(sorted(ends), tops, strict=True)]


@lru_cache(maxsize=256)
def legible(line: int, ground: int, ink: int) -> QColor:
    """Return the colour of a line for text on ``ground``: as near to it as text can be read, towards ``ink``. Colours
    are 0xAARRGGBB."""
    colour, towards = _rgb(QColor(line)), _rgb(QColor(ink))
    for step in range(11):
        share = step / 10
        mixed = QColor.fromRgbF(*((1 - share) * a + share * b for a, b in zip(colour, towards, strict=True)))
        if _contrast(mixed, QColor(ground)) >= CONTRAST:
            return mixed
    return QColor(ink)


def _rgb(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


def _contrast(first: QColor, second: QColor) -> float:
    lights = sorted(map(_luminance, (first, second)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(ink: QColor) -> float:
    """Return the relative luminance of WCAG 2.2."""
    shares = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in _rgb(ink)]
    return 0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2]
