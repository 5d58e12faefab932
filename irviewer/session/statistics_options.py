"""How runs are compared: what a person may choose beside the preset verdict. Frozen values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

IntervalName = Literal["bca", "percentile", "t"]


@dataclass(frozen=True)
class StatisticsOptions:
    """The preset is the paired t-test and a bootstrap interval by percentiles, which seldom contradicts it,
    corrected by Holm.

    correction       "holm", "bonferroni", "bh" or "none"
    interval         "bca", "percentile" or "t"
    samples, seed    of all that is drawn at random; the same seed gives the same numbers
    alpha            the corrected p-value below which a difference counts as shown
    """

    correction: str = "holm"
    interval: IntervalName = "percentile"
    samples: int = 10_000
    seed: int = 42
    alpha: float = 0.05
