"""Numbers and marks as printed tables show them."""

from __future__ import annotations

import math

from irviewer.model.number_text import MINUS

BETTER, WORSE = "†", "‡"


def number(value: float) -> str:
    """Return a mean: four decimals, fewer above a thousand; a minus sign; a dash for NaN."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return f"{MINUS if value < 0 else ''}∞"
    text = f"{abs(value):,.{4 if abs(value) < 1000 else 1}f}"
    return (MINUS if value < 0 and text.strip("0.") else "") + text


def signed(value: float) -> str:
    """Return a difference: as a mean, with its sign."""
    text = number(value)
    return text if text[0] in "–−" or not text.strip("0.") else f"+{text}"
