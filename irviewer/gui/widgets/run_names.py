"""Names of runs where room is short: the name, then its short form, then both in two lines. Knows no view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from irviewer.rendering.run_label import RunLabel

KERNING = 4
"""Pixels that two parts of a name may take less than the whole, and two for the edges."""
MOST_PLACES = 200
"""A longer name is measured in its halves only."""
SEPARATORS = frozenset("_-. /:…")


def fitting_name(label: RunLabel, metrics: QFontMetricsF, room: float) -> str:
    """Return the name if it fits into ``room`` pixels, else the short one, elided where even that is too long."""
    for name in (label.name, label.short):
        if metrics.horizontalAdvance(name) <= room + 1:
            return name
    return metrics.elidedText(label.short, Qt.TextElideMode.ElideMiddle, room)


def name_lines(label: RunLabel, metrics: QFontMetricsF, first: float, second: float) -> tuple[str, ...]:
    """Return the name in one line of ``first`` pixels, or in two; the short name where the name does not fit."""
    for name in (label.name, label.short):
        if metrics.horizontalAdvance(name) <= first + 1:
            return (name,)
        lines = broken(name, metrics, first, second)
        if lines:
            return lines
    return (metrics.elidedText(label.short, Qt.TextElideMode.ElideMiddle, first),)


def broken(text: str, metrics: QFontMetricsF, first: float, second: float) -> tuple[str, str] | None:
    """Return ``text`` in two lines, best broken behind a separator, else at the middle; None if it does not fit."""
    if metrics.horizontalAdvance(text) > first + second + KERNING:
        return None  # a name may have thousands of letters, each a place to break
    places = sorted(
        range(1, len(text)), key=lambda place: (text[place - 1] not in SEPARATORS, abs(2 * place - len(text)))
    )
    for place in places:
        head, tail = text[:place], text[place:]
        if metrics.horizontalAdvance(head) <= first + 1 and metrics.horizontalAdvance(tail) <= second + 1:
            return head, tail
    return None


def broken_width(text: str, metrics: QFontMetricsF, before: float) -> float:
    """Return the least width of two lines of ``text``; ``before`` pixels of the first are taken."""
    places = range(1, len(text)) if len(text) <= MOST_PLACES else (len(text) // 2,)
    widths = (
        max(before + metrics.horizontalAdvance(text[:place]), metrics.horizontalAdvance(text[place:]))
        for place in places
    )
    return min(widths, default=before + metrics.horizontalAdvance(text))
