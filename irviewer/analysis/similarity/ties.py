"""How rank-biased overlap counts tied scores, in words; the formulas are in ``tied_overlap``."""

from __future__ import annotations

from typing import Literal, get_args

from irviewer.translation import tr

TieVariant = Literal["a", "w", "b", "broken"]
VARIANTS: tuple[TieVariant, ...] = get_args(TieVariant)
MEANINGS: dict[TieVariant, str] = {
    "a": tr("tied scores are an unknown order"),
    "w": tr("tied scores are equal"),
    "b": tr("tied scores are an unknown order, corrected so that a list agrees with itself by 1"),
    "broken": tr("ties are broken as in the runs"),
}
