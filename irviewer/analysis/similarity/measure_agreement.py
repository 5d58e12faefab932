"""How alike measures are, told from the systems they rank: correlations of their means over runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.similarity.rank_correlation import tau_ap_symmetric, tau_b
from irviewer.errors import OptionError
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.exported import Exported

Correlation = Literal["kendall", "pearson", "tau-ap"]

CORRELATIONS: dict[str, str] = {
    "kendall": "Kendall's tau-b: whether two measures rank the runs alike, equal means tied",
    "pearson": "Pearson's r: whether the means lie on a line",
    "tau-ap": "tau-AP, mean of both directions: as Kendall's, disagreement among the best runs counting more",
}


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Exported):
    """What was found for M measures over N runs.

    measures   their texts, M of them
    runs       how many runs there are
    values     float64[M, M], symmetric; NaN where a measure tells no two runs apart, or there are fewer than two
    """

    by: Correlation
    measures: tuple[str, ...]
    runs: int
    values: Floats


def agreement(result: ResultTable, by: Correlation = "kendall") -> Agreement:
    """The correlation of every two measures of a table over its runs' means. A measure where less is better is turned
    round, so that 1 always means the same order of systems. Measures that are text are left out. Raises OptionError
    for a correlation that is none, UndecidedError where the qrels know nothing of a run."""
    result.check_matched()
    kept = [place for place, one in enumerate(result.measures) if not one.is_text]
    return agreement_of_means([result.measures[place] for place in kept], result.means[kept], by)


def agreement_of_means(measures: Sequence[Measure], means: Floats, by: Correlation = "kendall") -> Agreement:
    """As :func:`agreement`, of ``means`` float64[M, N] of M measures that are numbers over N runs."""
    if by not in CORRELATIONS:
        raise OptionError(f"{by!r} is no correlation of measures; there are {', '.join(CORRELATIONS)}")
    signed = means * np.array([1.0 if one.higher_is_better else -1.0 for one in measures]).reshape(-1, 1)
    values = np.full((len(measures), len(measures)), np.nan)
    for one in range(len(measures)):
        for other in range(one, len(measures)):
            values[one, other] = values[other, one] = _correlation(signed[one], signed[other], by)
    return Agreement(by, tuple(one.text for one in measures), means.shape[1], frozen(values))


def _correlation(one: Floats, other: Floats, by: Correlation) -> float:
    if by == "kendall":
        return tau_b(one, other)
    if by == "tau-ap":
        return tau_ap_symmetric(one, other)
    both = ~(np.isnan(one) | np.isnan(other))
    if not both.any():
        return float("nan")
    first, second = one[both] - np.mean(one[both]), other[both] - np.mean(other[both])
    scale = float(np.sqrt((first @ first) * (second @ second)))
    return float(np.clip((first @ second) / scale, -1.0, 1.0)) if scale > 0 else float("nan")
