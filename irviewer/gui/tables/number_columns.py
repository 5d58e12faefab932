"""The columns of shares and of grades."""

from __future__ import annotations

from irviewer.gui.tables.model import DECIMALS
from irviewer.translation import decimal


def short_number(text: str) -> str:
    """Return a written value without the zero before a point, which a decimal comma keeps, and 1 for 1.0000."""
    if text == decimal(f"{1:.{DECIMALS}f}"):
        return "1"
    return text.removeprefix("0") if text.startswith("0.") else text
