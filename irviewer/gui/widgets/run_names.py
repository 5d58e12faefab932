"""Names of runs where room is short: the name, then its ever shorter forms, in one line or two, so that the names of
different runs stay different. Knows no view."""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from irviewer.rendering.run_label import RunLabel

KERNING = 4
"""Pixels that two parts of a name may take less than the whole, and two for the edges."""
MOST_PLACES = 3
"""The places to break a name that are measured, from its middle on."""
MOST_UNBROKEN = 40
"""The letters of a part of a name that have room in a line of a sentence."""
_UNBROKEN = re.compile(r"[\s\-]+")
"""Where Qt breaks a line."""
_BREAKS = re.compile(r"(?<=[^_\-. /:+…])[_\-. /:+…]+(?=.)|(?<=[a-z])(?=[A-Z])")
_WORDS = re.compile(r"(?<=[^_\- /…])[_\- /…]+(?=.)")
"""Where titles are broken: a measure in them, as nDCG@10 or RBP(p=0.8), stays whole."""


def wrapped_name(label: RunLabel) -> str:
    """Return the name of a run in a sentence that is wrapped: a shorter form where a part that is not broken is longer
    than a line."""
    forms = (label.name, *label.shorter_names)
    return next((form for form in forms if max(map(len, _UNBROKEN.split(form))) <= MOST_UNBROKEN), forms[-1])


def fitting_name(label: RunLabel, metrics: QFontMetricsF, room: float) -> str:
    """Return the longest form of the name that fits into ``room`` pixels; elided where even the shortest is too
    long."""
    name = label.name
    if metrics.horizontalAdvance(name) <= room + 1:
        return name
    for name in label.shorter_names:
        if metrics.horizontalAdvance(name) <= room + 1:
            return name
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)


def name_lines(label: RunLabel, metrics: QFontMetricsF, first: float, second: float) -> tuple[str, ...]:
    """Return the longest form of the name in one line of ``first`` pixels, or in two, broken between its parts. Runs
    keep different titles where the shortest forms fit."""
    if metrics.horizontalAdvance(label.name) <= first + 1:
        return (label.name,)
    for name in (label.name, *label.shorter_names):
        if metrics.horizontalAdvance(name) <= first + 1:
            return (name,)
        lines = broken(name, metrics, first, second)
        if lines:
            return lines
    return (metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, first),)


def broken(
    text: str, metrics: QFontMetricsF, first: float, second: float, words: bool = False
) -> tuple[str, str] | None:
    """Return ``text`` in two lines, broken between its parts or between its ``words``, best in the middle; None if
    that does not fit."""
    if metrics.horizontalAdvance(text) > first + second + KERNING:
        return None  # a name may have thousands of letters
    for place in _places(text, words):
        head, tail = text[:place], text[place:]
        if metrics.horizontalAdvance(head) <= first + 1 and metrics.horizontalAdvance(tail) <= second + 1:
            return head, tail
    return None


def broken_width(text: str, metrics: QFontMetricsF, before: float, words: bool = False) -> float:
    """Return the least width of two lines of ``text``, broken between its parts or between its ``words``; that of one
    line where it has one. ``before`` pixels of the first line are taken."""
    widths = (
        max(before + metrics.horizontalAdvance(text[:place]), metrics.horizontalAdvance(text[place:]))
        for place in _places(text, words)[:MOST_PLACES]
    )
    return min(widths, default=before + metrics.horizontalAdvance(text))


@lru_cache(maxsize=4096)
def _places(text: str, words: bool = False) -> tuple[int, ...]:
    """Return where a name can be broken, behind separators and before capitals and ellipses, or between the ``words``
    of a title, nearest to the middle first."""
    places = {match.end() for match in (_WORDS if words else _BREAKS).finditer(text)}
    places |= {place for place, letter in enumerate(text) if place and letter == "…"}
    return tuple(sorted(places, key=lambda place: abs(2 * place - len(text))))
