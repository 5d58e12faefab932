"""Finds the losses of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.analysis.failures.losses import RunLosses
from irviewer.analysis.verdict.loss import loss_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def run_losses(
    qrels: Qrels, run: Run, measure: Measure, values: Floats, query_ids: Sequence[str], options: EvaluationOptions
) -> RunLosses:
    """Return the losses of a run whose values by query are given, float64[Q].

    A measure without a best order has no parts: its loss is the distance to the end of its span, and NaN where the
    span has no such end."""
    loss = loss_of(qrels, run, measure, values, query_ids, options)
    if loss is not None:
        parts = np.stack([loss.not_retrieved, loss.too_low, loss.order])
        total = loss.total
        return RunLosses(run.name, tuple(query_ids), frozen(total), frozen(parts), frozen(total + values))
    low, high = measure.span
    best = high if measure.higher_is_better else low
    of = np.where(np.isnan(values), np.nan, best if np.isfinite(best) else np.nan)
    return RunLosses(run.name, tuple(query_ids), frozen(np.abs(of - values)), None, frozen(of))
