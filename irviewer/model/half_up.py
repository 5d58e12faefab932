"""Numbers of lessons, which round half up as lectures do: 5/8 is .63."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal

_FIXED = re.compile(r"(\+?,?)\.(\d+)f")
_EXACT = 12
"""Decimals to which a computed value is the exact one: .1 + .2 is .3."""


class HalfUp(float):
    """A number that is written with half rounded up, away from zero: ``f"{HalfUp(.625):.2f}"`` is ``0.63``. Formats
    other than ``.2f``, ``,.2f`` and ``+.2f`` are those of a float."""

    __slots__ = ()

    def __format__(self, spec: str, /) -> str:
        match = _FIXED.fullmatch(spec)
        if match is None or not math.isfinite(self):
            return super().__format__(spec)
        exact = Decimal(super().__format__(f".{max(_EXACT, int(match[2]))}f"))
        rounded = exact.quantize(Decimal(1).scaleb(-int(match[2])), ROUND_HALF_UP)
        return f"{rounded:{match[1]}f}"

    def __abs__(self) -> HalfUp:
        return HalfUp(super().__abs__())


def half_up(value: float, decimals: int) -> float:
    """Return a value rounded to some decimals, half up."""
    return float(f"{HalfUp(value):.{decimals}f}")
