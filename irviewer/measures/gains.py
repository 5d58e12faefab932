"""Gain and discount: the gain of a grade and the divisor of a rank, shared by measures, curves and ideal rankings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, Ints
from irviewer.translation import tr

MOST_EXPONENT = 1024
"""2 to this power is infinite as a float."""


@dataclass(frozen=True)
class GainRule:
    """The parameters of DCG and nDCG.

    dcg, base   the gain and the discount
    gains       custom gains of single grades
    rel         the lowest grade with a gain; None: every grade above 0 has one
    ideal       the documents of the ideal ranking"""

    dcg: str = "log2"
    base: float = 2
    gains: Mapping[float, float] | None = None
    rel: float | None = None
    ideal: Literal["judged", "retrieved"] = "judged"

    def gain(self, grades: Floats) -> Floats:
        """Return the gain of each grade, 0 below ``rel``."""
        gain = gains_of(grades, self.dcg, self.gains)
        return gain if self.rel is None else np.where(grades >= self.rel, gain, 0.0)

    def share(self, ranks: Ints) -> Floats:
        """Return the discounted value of a gain of 1 at each rank."""
        return np.asarray(1.0 / discount_of(ranks, self.dcg, self.base), dtype=np.float64)

    def discounted(self, grades: Floats, ranks: Ints) -> Floats:
        """Return the discounted gain of each grade at its rank."""
        return np.asarray(self.gain(grades) / discount_of(ranks, self.dcg, self.base), dtype=np.float64)


LOG2 = GainRule()
"""trec_eval's rule: grade / log2(rank + 1)."""


def gains_of(grades: Floats, dcg: str, gains: Mapping[float, float] | None) -> Floats:
    """Return the gain of each grade, float64; negative grades without a custom gain have 0. Raises MeasureError if
    2^grade is infinite."""
    if gains:
        result = grades.copy()
        for grade, gain in gains.items():
            result[grades == grade] = gain
    elif dcg.startswith("exp"):
        if grades.max(initial=0) >= MOST_EXPONENT:
            raise MeasureError(
                tr(
                    "dcg={dcg!r}: the gain 2^{grade:g} of grade {grade:g} is too large; set dcg={other!r}",
                    dcg=dcg,
                    grade=grades.max(),
                    other=dcg.removeprefix("exp-"),
                )
            )
        result = 2.0**grades - 1.0
    else:
        result = grades
    return np.where((grades < 0) if not gains else (grades < 0) & ~np.isin(grades, list(gains)), 0.0, result)


def satisfying(grades: Floats, max_rel: float) -> Floats:
    """Return the probability that ERR's user stops at a document, (2^grade − 1) / 2^max_rel, float64."""
    # Powers of the difference, as 2^1024 is infinite.
    top = float(max_rel)
    return np.asarray(np.exp2(grades - top) - np.exp2(-top), dtype=np.float64)


def discount_of(ranks: Ints, dcg: str, base: float) -> Floats:
    """Return the divisor of the gain at each rank, float64."""
    if dcg.endswith("jk"):
        return np.asarray(np.log(np.maximum(ranks, base)) / np.log(base))
    return np.asarray(np.log2(ranks + 1.0))
