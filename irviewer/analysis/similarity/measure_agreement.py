"""Agreement of measures: correlation of their means over the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.similarity.rank_correlation import tau_ap_symmetric, tau_b
from irviewer.analysis.statistics.warnings import lacking_queries
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import left_out_texts
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.exported import Exported
from irviewer.translation import tr

Correlation = Literal["kendall", "pearson", "tau-ap"]

CORRELATIONS: dict[str, str] = {
    "kendall": tr("Kendall's tau-b: agreement of two measures on the order of the runs, equal means tied"),
    "pearson": tr("Pearson's r: linear correlation of the means"),
    "tau-ap": tr(
        "tau-AP, mean of both directions and of all orders of equal means: like Kendall's, with more weight on the "
        "best runs"
    ),
}


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Exported):
    """The agreement of M measures over N runs.

    measures   the texts of the measures
    runs       the number of runs
    values     float64[M, M], symmetric; NaN where a measure is equal for all runs, or there are fewer than two
    notes      what to know of runs that are left out, and of queries that runs lack
    """

    by: Correlation
    measures: tuple[str, ...]
    runs: int
    values: Floats
    notes: tuple[str, ...] = ()


LEAST_RUNS = 3
"""Of fewer runs there is no order that measures could agree on."""
LEAST_MEASURES = 2
"""One measure agrees with itself, which says nothing."""


def agreement(result: ResultTable, by: Correlation = "kendall") -> Agreement:
    """Return the correlation of every two measures of a table over the means of its runs. A measure where less is
    better is negated, so that 1 always means the same order of runs. Measures that are text are left out, and runs that
    lack what a measure reads. Raises MeasureError where fewer than three are left then,
    OptionError for an unknown correlation and for one measure, UndecidedError where a run shares nothing with the
    qrels."""
    result.check_matched()
    numeric = [index for index, measure in enumerate(result.measures) if not measure.is_text]
    measures = [result.measures[index] for index in numeric]
    lacking = {measure.text: gaps for measure in measures if (gaps := result.lacking.get(measure.text))}
    left_out = left_out_texts(lacking, len(result.runs))
    result = result.having(measures, LEAST_RUNS)
    correlations = agreement_of_means(measures, result.means[numeric], by)
    return replace(correlations, notes=(*left_out, *lacking_queries(result)))


def agreement_of_means(measures: Sequence[Measure], means: Floats, by: Correlation = "kendall") -> Agreement:
    """Like :func:`agreement`, from ``means`` float64[M, N] of M numeric measures over N runs."""
    if len(measures) < LEAST_MEASURES:
        raise OptionError(tr("The agreement of measures needs two measures."))
    if by not in CORRELATIONS:
        raise OptionError(
            tr("unknown correlation {name!r}; choose one of {names}", name=by, names=", ".join(CORRELATIONS))
        )
    signed = means * np.array([1.0 if compared.higher_is_better else -1.0 for compared in measures]).reshape(-1, 1)
    values = np.full((len(measures), len(measures)), np.nan)
    for i in range(len(measures)):
        for j in range(i, len(measures)):
            values[i, j] = values[j, i] = _correlation(signed[i], signed[j], by)
    return Agreement(by, tuple(measure.text for measure in measures), means.shape[1], frozen(values))


def _correlation(first_means: Floats, second_means: Floats, by: Correlation) -> float:
    if by == "kendall":
        return tau_b(_without_rounding_errors(first_means), _without_rounding_errors(second_means))
    if by == "tau-ap":
        return tau_ap_symmetric(_without_rounding_errors(first_means), _without_rounding_errors(second_means))
    valid = ~(np.isnan(first_means) | np.isnan(second_means))
    if not all(
        means[valid].size and np.ptp(_without_rounding_errors(means[valid])) for means in (first_means, second_means)
    ):
        return float("nan")  # equal means have no correlation; rounding would give them one
    first, second = first_means[valid] - np.mean(first_means[valid]), second_means[valid] - np.mean(second_means[valid])
    scale = float(np.sqrt((first @ first) * (second @ second)))
    return float(np.clip((first @ second) / scale, -1.0, 1.0)) if scale > 0 else float("nan")


def _without_rounding_errors(means: Floats) -> Floats:
    """Return means as shares of the largest, in which those are equal that differ by the order of their sums alone."""
    scale = float(np.nanmax(np.abs(means), initial=0.0))
    return np.asarray(np.round(means / scale, 12)) if scale > 0 else means
