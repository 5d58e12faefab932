"""Where the rest is lost: how far a run is from the best possible value, in parts that add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.stages.stages import best_values, ideal_values
from irviewer.errors import PluginError
from irviewer.evaluation.joined_lists import without_unjudged
from irviewer.measures.answered import reads_answers
from irviewer.measures.base import Measure
from irviewer.measures.foreign import is_foreign
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats
from irviewer.model.number_text import percent
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Loss:
    """The loss of a run by query, float64[Q] each, in the measure's unit and above 0; NaN where it has no value. The
    three add up to the best possible value less the run's.

    not_retrieved  what the run's own documents cannot reach in any order
    too_low        what its documents below the cutoff would add; 0 for a measure without a cutoff
    order          what the order of the documents within the cutoff costs
    """

    run: str
    not_retrieved: Floats
    too_low: Floats
    order: Floats

    @property
    def total(self) -> Floats:
        """float64[Q]: the whole loss."""
        return np.asarray(self.not_retrieved + self.too_low + self.order)

    @property
    def means(self) -> tuple[float, float, float]:
        """The means of the three parts over the queries that have a value."""
        known = ~np.isnan(self.total)
        if not known.any():
            return (np.nan, np.nan, np.nan)
        return tuple(float(part[known].mean()) for part in (self.not_retrieved, self.too_low, self.order))  # type: ignore[return-value]


def no_parts(measure: Measure) -> str:
    """Return what is said where :func:`loss_of` returns None. Of another package it is not known which it was: a
    measure without a best order, or a function that fails on one."""
    if is_foreign(measure.family.compute):
        return tr("{measure} has no best order that its package can compute: its loss has no parts.",
                  measure=usual_name(measure))  # fmt: skip
    return tr("{measure} has no best order: its loss has no parts.", measure=usual_name(measure))


def most_lost(loss: Loss) -> str:
    """Return where the most of a loss comes from, in a sentence; "" for a run that loses nothing."""
    means = loss.means
    if not sum(means) > 0:
        return ""
    most = max(range(3), key=lambda part: means[part])
    share = percent(means[most] / sum(means))
    return (
        tr("{share} of the loss of {run} comes from relevant documents not retrieved.", share=share, run=loss.run),
        tr("{share} of the loss of {run} comes from relevant documents retrieved too low.", share=share, run=loss.run),
        tr("{share} of the loss of {run} comes from a wrong order in the top.", share=share, run=loss.run),
    )[most]


def loss_of(
    qrels: Qrels, run: Run, measure: Measure, values: Floats, query_ids: Sequence[str], options: EvaluationOptions
) -> Loss | None:
    """Return the loss of a run whose values by query are given, float64[Q].

    None for a measure that has no best order: one where less is better, whose mean is not arithmetic, that reads
    answers, for which descending grades are not the best order on some query, or of another package whose function
    fails on these orders."""
    if not measure.higher_is_better or measure.aggregate != "mean" or reads_answers(measure):
        return None
    if options.judged_only:  # the cutoff is a rank of the list without unjudged documents
        run, options = without_unjudged(run, qrels, options), replace(options, judged_only=False)
    cutoff = int(measure.cutoff) if measure.cutoff is not None and float(measure.cutoff).is_integer() else None
    within = options if cutoff is None else replace(options, depth=min(cutoff, options.depth or cutoff))
    try:
        own, best = best_values(qrels, run, measure, query_ids, options)
        top = own if cutoff is None else ideal_values(qrels, run, [measure], query_ids, within)[0]
    except PluginError:
        return None
    steps = np.stack([best - own, own - top, top - values])
    known = ~np.isnan(values)
    if np.isnan(steps[:, known]).any() or (steps[:, known] < -EQUAL).any():
        return None
    # Rounding may leave a part slightly below 0.
    not_retrieved, too_low, order = np.where(known, np.maximum(steps, 0.0), np.nan)
    return Loss(run.name, not_retrieved, too_low, order)
