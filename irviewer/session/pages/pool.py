"""What the pool behind the judgments does to the runs: who found what alone, what is open, what that could change."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.model.arrays import Floats, Ints
from irviewer.session.pages.common import RunLabel

OVERTURNED = "†"
"""Marks a difference from the baseline that judging the unjudged documents could turn round."""


@dataclass(frozen=True, eq=False)
class PoolPage:
    """R runs, in the order of the table; NaN and "" where there is nothing to say.

    unique, unique_share   int64[R], float64[R]: relevant documents that only this run returned; as a share of those
                           that it returned
    opened, opened_all     float64[R]: share of unjudged documents among the first ``cutoff``, and in the whole list
    residuals              float64[R]: the residual of rank-biased precision
    changes, rank_changes  float64[R]: what the run's own mean and rank change by without the judgments it alone
                           brought; NaN until that is known. Rank: above 0 it falls
    low, values, high      float64[R]: the mean of the chosen measure and the interval that judging could move it in
    axis                   the ends of the axis that intervals are drawn on
    marks, tips            OVERTURNED or "" by run; its interval in words
    words                  what stands in the place of an interval: "not boundable", "nothing is open"
    explanation            what is missing, or what the judgments' regime means for this table
    """

    title: str
    note: str
    measure: str
    measure_label: str
    cutoff: int
    persistence: float
    runs: tuple[RunLabel, ...]
    unique: Ints
    unique_share: Floats
    opened: Floats
    opened_all: Floats
    residuals: Floats
    changes: Floats
    rank_changes: Floats
    low: Floats
    values: Floats
    high: Floats
    axis: tuple[float, float]
    marks: tuple[str, ...]
    tips: tuple[str, ...]
    words: str
    sort: tuple[str, bool]
    higher_is_better: bool = True
    explanation: str = ""
