"""The columns of shares and of grades."""

from __future__ import annotations

from irviewer.gui.tables.model import DECIMALS
from irviewer.translation import decimal, with_zero


def short_number(text: str) -> str:
    """Return a written value without the zero before a point, which a decimal comma and all languages but English keep,
    and 1 for 1.0000."""
    if text == decimal(f"{1:.{DECIMALS}f}"):
        return "1"
    return with_zero(text.removeprefix("0")) if text.startswith("0.") else text
