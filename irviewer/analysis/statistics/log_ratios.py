"""The difference between two runs as it is shown: a difference of means, or a ratio of geometric means.

A geometric mean is the mean of logarithms: differences of logarithms are tested and drawn again, and e to their power,
the ratio, is shown."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.number_text import quantity, signed_quantity, times
from irviewer.translation import interval, tr


@dataclass(frozen=True)
class Change:
    """The difference of two runs, ``value``, with its interval ``low`` to ``high`` as they are tested: a difference of
    means, or with ``ratio`` the natural logarithm of the ratio of geometric means."""

    value: float
    low: float
    high: float
    ratio: bool = False

    @property
    def name(self) -> str:
        """Its name in a sentence."""
        return tr("the ratio of the geometric means") if self.ratio else tr("the mean difference")

    @property
    def quantity(self) -> str:
        """Its name in short."""
        return tr("the ratio") if self.ratio else "Δ"

    @property
    def shown(self) -> tuple[float, float, float]:
        """The value and the ends of the interval as they are shown."""
        if not self.ratio:
            return self.value, self.low, self.high
        return ratio_of(self.value), ratio_of(self.low), ratio_of(self.high)

    @property
    def text(self) -> str:
        """``.0157``, or ``×1.084`` for a ratio."""
        return times(self.shown[0]) if self.ratio else quantity(self.value)

    @property
    def with_ends(self) -> str:
        """``.0157 [−.0003, .0317]`` in a sentence; the value alone where there is no interval."""
        return self.text if math.isnan(self.low) else f"{self.text} {self.ends}"

    @property
    def ends(self) -> str:
        """``[−.0003, .0317]``, or ``[×0.981, ×1.197]`` for a ratio; a dash where there is no interval."""
        if math.isnan(self.low):
            return "–"
        write = times if self.ratio else quantity
        return interval(write(self.shown[1]), write(self.shown[2]))

    @property
    def span(self) -> str:
        """``a Δ from −.0003 to +.0317``, ``a ratio from ×0.981 to ×1.197``."""
        _, low, high = self.shown
        if self.ratio:
            return tr("a ratio from {low} to {high}", low=times(low), high=times(high))
        return tr("a Δ from {low} to {high}", low=signed_quantity(low), high=signed_quantity(high))


def ratio_of(logarithm: float) -> float:
    """Return e to the power of a logarithm; infinity beyond any float, NaN for NaN."""
    return math.inf if logarithm >= 709 else math.exp(logarithm)


def ratios(logarithms: Floats) -> Floats:
    """Return e to the power of each logarithm."""
    return np.asarray(np.exp(logarithms))
