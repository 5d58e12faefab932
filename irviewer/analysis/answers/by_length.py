"""A score against the length of answers: thirds of the topics by words, and the slope.

A longer answer can say more. Thirds show whether a system is better at the same length; the slope is that of the line
of least squares of the score over words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats

THIRDS = 3


@dataclass(frozen=True)
class Third:
    """The topics of one third by the length of their answers: their number, fewest and most words, and mean score."""

    topics: int
    fewest: int
    most: int
    mean: float


def thirds_of(words: Sequence[int], values: Floats) -> tuple[Third, ...]:
    """Return the thirds of topics, shortest answers first; of equal lengths the earlier topic comes first. The first
    ones have a topic more where three do not divide the number. Nothing of fewer than three topics."""
    if len(words) < THIRDS:
        return ()
    order = np.argsort(np.asarray(words), kind="stable")
    parts = np.array_split(order, THIRDS)
    return tuple(
        Third(len(part), min(words[place] for place in part), max(words[place] for place in part),
              float(values[part].mean()))
        for part in parts
    )  # fmt: skip


def slope_of(words: Sequence[int], values: Floats) -> float:
    """Return the change of the score a hundred words by least squares; NaN where all answers have one length."""
    if not len(words):
        return float("nan")
    lengths = np.asarray(words, dtype=np.float64)
    centred = lengths - lengths.mean()
    spread = float((centred**2).sum())
    return 100 * float((centred * (values - values.mean())).sum()) / spread if spread else float("nan")
