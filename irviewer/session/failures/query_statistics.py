"""Statistics of each query over the runs that take part: median, mean, and how well the query separates runs.
``analysis.statistics.query_statistics`` computes them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.statistics.query_statistics import LEAST_RUNS, QueryStatistics, query_statistics, value_range
from irviewer.model.arrays import Floats, frozen
from irviewer.model.same import Same
from irviewer.translation import trn

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import EvaluationContext


def field_of(context: EvaluationContext, *, pairs: bool = False) -> QueryStatistics | None:
    """Return the statistics of the E queries, cached; None without judgments or runs. What compares every two runs is
    computed only with ``pairs``: it takes longer than all else."""
    if context.judgments is None or not context.taking_part:
        return None
    return context.evaluation.shared(("field", pairs, *_key(context)), lambda: _computed(context, pairs))


def knows_field(context: EvaluationContext, *, pairs: bool = False) -> bool:
    """Return whether :func:`field_of` computes nothing."""
    if context.judgments is None or not context.taking_part:
        return True
    return context.evaluation.knows_shared(("field", pairs, *_key(context)))


def spread_of(context: EvaluationContext) -> Floats:
    """Return float64[E]: best minus worst of the runs that take part, the logarithm of their ratio if the mean is
    geometric, cached; NaN for fewer than two values. Hidden runs take part."""
    if context.judgments is None or len(context.taking_part) < 2:
        return np.full(len(context.query_ids), np.nan)
    return context.evaluation.shared(("spread", *_key(context)), lambda: _spread(context))


def _spread(context: EvaluationContext) -> Floats:
    unreached = context.unreached
    return frozen(value_range(
        (context.levels(context.values(entry, context.measure)), unreached[entry.key]) for entry in context.taking_part
    ))  # fmt: skip


def _key(context: EvaluationContext) -> tuple[Hashable, ...]:
    """Return all that the statistics depend on."""
    assert context.judgments is not None
    runs = context.taking_part
    held = (context.judgments.qrels.grades, context.collection.documents, *(entry.run.scores for entry in runs))
    return (str(context.measure), context.options, context.query_set, *map(Same, held))


def _computed(context: EvaluationContext, pairs: bool) -> QueryStatistics:
    """Return the statistics of the E queries over those runs, for the chosen measure; NaN outside the query set in
    use."""
    values = np.array([context.values(entry, context.measure) for entry in context.taking_part])
    never = np.array([context.unreached[entry.key] for entry in context.taking_part])
    within = context.within
    statistics = query_statistics(
        values if within is None else values[:, within], higher_is_better=context.measure.higher_is_better,
        geometric=context.geometric, unreached=never if within is None else never[:, within], pairs=pairs,
    )  # fmt: skip
    if within is None:
        return statistics
    whole: dict[str, Any] = {}
    for field in fields(statistics):
        part = getattr(statistics, field.name)
        if isinstance(part, np.ndarray):
            whole[field.name] = np.full(len(within), 0 if part.dtype.kind == "i" else np.nan, part.dtype)
            whole[field.name][within] = part
    return replace(statistics, **whole)


def has_median(context: EvaluationContext) -> bool:
    """Return True if there are enough runs for a median, and a run to compare with it."""
    return context.judgments is not None and len(context.taking_part) >= LEAST_RUNS and bool(context.shown)


def focus_from_median(context: EvaluationContext) -> Floats:
    """Return float64[E]: the focus run (without one, the first shown run) minus the median of the runs that take part,
    the logarithm of their ratio if the mean is geometric; NaN without a median."""
    entry = (
        context.collection.run(context.shown[0] if context.focus is None else context.focus) if context.shown else None
    )
    # Without a median the statistics are not asked for: they take half a second for a million queries.
    field = field_of(context) if has_median(context) else None
    if entry is None or field is None:
        return np.full(len(context.query_ids), np.nan)
    return np.asarray(context.levels(context.values(entry, context.measure)) - context.levels(field.median))


def median_label(context: EvaluationContext) -> str:
    """Return the label of differences from the median: ``english − median of 15 runs``."""
    key = context.shown[0] if context.focus is None else context.focus
    name, count = context.labels[key].name, len(context.taking_part)
    if context.geometric:
        return trn(
            "{run} ÷ median of {n} run",
            "{run} ÷ median of {n} runs",
            count,
            run=name,
        )
    return trn(
        "{run} − median of {n} run",
        "{run} − median of {n} runs",
        count,
        run=name,
    )
