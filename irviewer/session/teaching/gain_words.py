"""A dialect's gain and discount in words."""

from __future__ import annotations

from irviewer.model.dialects import Dialect
from irviewer.translation import tr


def gain_words(dialect: Dialect) -> str:
    """Return the gain of a grade and the discount at rank i in a dialect: gain = grade, discount log2 max(i, 2)."""
    if dialect.dcg.startswith("exp"):
        gain = tr("gain = 2^grade − 1")
    else:
        gain = tr("gain = grade")
    if dialect.dcg.endswith("jk"):
        discount = tr("discount log2 max(i, 2)")
    else:
        discount = tr("discount log2(i + 1)")
    return f"{gain}, {discount}"
