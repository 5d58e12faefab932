"""How much better one run is than another, as it is shown: a difference of means, or of geometric means their ratio.

A geometric mean is the mean of logarithms: what is tested and drawn again are differences of those, and what is shown
of them is e to that power. Knows numbers only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.number_text import quantity, signed_quantity, times


@dataclass(frozen=True)
class Change:
    """Of one pair, first run to second; ``value`` with its interval ``low`` to ``high`` as they are tested: a
    difference of means, or with ``ratio`` the natural logarithm of the ratio of geometric means."""

    value: float
    low: float
    high: float
    ratio: bool = False

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return "the ratio of the geometric means" if self.ratio else "the mean difference"

    @property
    def short(self) -> str:
        """What it is called beside a number, with its article."""
        return "a ratio" if self.ratio else "a Δ"

    @property
    def shown(self) -> tuple[float, float, float]:
        """Value, low and high end as they are shown."""
        if not self.ratio:
            return self.value, self.low, self.high
        return ratio_of(self.value), ratio_of(self.low), ratio_of(self.high)

    @property
    def text(self) -> str:
        """``.0157``; of a ratio ``×1.084``."""
        return times(self.shown[0]) if self.ratio else quantity(self.value)

    @property
    def ends(self) -> str:
        """``[−.0003, .0317]``; of a ratio ``[×0.981, ×1.197]``; a dash where there is no interval."""
        if math.isnan(self.low):
            return "–"
        write = times if self.ratio else quantity
        return f"[{write(self.shown[1])}, {write(self.shown[2])}]"

    @property
    def span(self) -> str:
        """``a Δ from −.0003 to +.0317``, ``a ratio from ×0.981 to ×1.197``."""
        write = times if self.ratio else signed_quantity
        return f"{self.short} from {write(self.shown[1])} to {write(self.shown[2])}"


def ratio_of(logarithm: float) -> float:
    """e to that power; infinite beyond any float."""
    return math.exp(logarithm) if logarithm < 709 else math.inf


def ratios(logarithms: Floats) -> Floats:
    """The same for an array."""
    return np.asarray(np.exp(logarithms))
