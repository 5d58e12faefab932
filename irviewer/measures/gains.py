"""Gain and discount: what a grade is worth, and what a rank takes from it. Shared by measures, curves and ideals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, Ints

MOST_EXPONENT = 1024
"""2 to this is no number any more."""


@dataclass(frozen=True)
class GainRule:
    """What DCG and nDCG are made of, as their parameters say: gain and discount (``dcg``, ``base``), the ``gains`` of
    single grades, the least grade that gains (``rel``; None: every one above 0), and what the ideal list is made of."""

    dcg: str = "log2"
    base: float = 2
    gains: Mapping[float, float] | None = None
    rel: float | None = None
    ideal: Literal["judged", "retrieved"] = "judged"

    def gain(self, grades: Floats) -> Floats:
        """The gain of each grade, 0 below ``rel``."""
        gain = gains_of(grades, self.dcg, self.gains)
        return gain if self.rel is None else np.where(grades >= self.rel, gain, 0.0)

    def share(self, ranks: Ints) -> Floats:
        """What a gain of 1 counts at each rank."""
        return np.asarray(1.0 / discount_of(ranks, self.dcg, self.base), dtype=np.float64)

    def discounted(self, grades: Floats, ranks: Ints) -> Floats:
        """The gain of each grade at its rank."""
        return np.asarray(self.gain(grades) / discount_of(ranks, self.dcg, self.base), dtype=np.float64)


LOG2 = GainRule()
"""trec_eval's: the grade over log2(rank + 1)."""


def gains_of(grades: Floats, dcg: str, gains: Mapping[float, float] | None) -> Floats:
    """The gain of each grade, float64; negative grades gain nothing. Raises MeasureError where 2^grade is beyond any
    number."""
    if gains:
        result = grades.copy()
        for grade, gain in gains.items():
            result[grades == grade] = gain
    elif dcg.startswith("exp"):
        if grades.max(initial=0) >= MOST_EXPONENT:
            raise MeasureError(f"dcg={dcg!r}: a grade of {grades.max():g} gains 2^{grades.max():g}, beyond any number")
        result = 2.0**grades - 1.0
    else:
        result = grades
    return np.where((grades < 0) if not gains else (grades < 0) & ~np.isin(grades, list(gains)), 0.0, result)


def satisfying(grades: Floats, max_rel: float) -> Floats:
    """(2^grade − 1) / 2^max_rel, float64: the chance of ERR's user to stop at a document. Powers of the difference:
    2^1024 is beyond any number."""
    top = float(max_rel)
    return np.asarray(np.exp2(grades - top) - np.exp2(-top), dtype=np.float64)


def discount_of(ranks: Ints, dcg: str, base: float) -> Floats:
    """What the gain at each rank is divided by, float64."""
    if dcg.endswith("jk"):
        return np.asarray(np.log(np.maximum(ranks, base)) / np.log(base))
    return np.asarray(np.log2(ranks + 1.0))
