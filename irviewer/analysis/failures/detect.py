"""Failure analysis of runs and qrels in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.failures.hubs import Hubs, find_hubs
from irviewer.analysis.failures.kinds import Failures, Limits, find_failures
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.evaluate import Joined, evaluate
from irviewer.measures.base import Measure
from irviewer.model.dialects import JoinOptions
from irviewer.model.exported import Exported
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr


@dataclass(frozen=True, eq=False, repr=False)
class FailuresOfRuns(Exported):
    """The failures and hubs of runs by a measure; ``baseline`` is the name of the baseline, "" with one run. ``hubs``
    is None where they were not sought."""

    measure: Measure
    runs: tuple[str, ...]
    baseline: str
    regime: Regime
    failures: Failures
    hubs: Hubs | None


def failures_of_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure,
    limits: Limits,
    options: EvaluationOptions | None = None,
    *,
    baseline: str | None = None,
    regime: Regime = Regime.UNKNOWN,
) -> FailuresOfRuns:
    """Return the failures of ``runs`` on every query of the qrels; a query that a run lacks has no documents found.
    Where the options leave such a query, or one without relevant documents, out of means, it has no value here either.

    baseline   a run's name; None: the first. One run alone has no baseline.
    regime     how the judgments were made, where that is declared

    Raises OptionError for an unknown baseline or several measures, MeasureError for an unknown measure."""
    names = [run.name for run in runs]
    if baseline is not None and baseline not in names:
        raise OptionError(tr("there is no run {run!r}; choose one of {runs}", run=baseline, runs=name_some(names)))
    given_options = options or EvaluationOptions()
    table = evaluate(qrels, runs, [measure], given_options)
    if len(table.measures) != 1:
        raise OptionError(tr("{measure} stands for several measures; choose one for failure analysis", measure=measure))
    measure_used = table.measures[0]
    if measure_used.is_text:
        raise OptionError(tr("{measure} is a text, which cannot be compared; choose a number", measure=measure_used))
    options = replace(given_options, missing="zero", dialect=replace(given_options.rules, unanswerable="zero"))
    judged = [Joined(run, qrels, options).under(options.rules.join_options) for run in runs]
    values = np.full((len(runs), judged[0].n_queries if judged else 0), np.nan)
    values[:, [judged[0].query_index[query] for query in table.query_ids]] = table.values[0]
    baseline_name = (baseline or names[0]) if len(runs) > 1 else ""
    failures = find_failures(
        judged, values, limits, baseline=values[names.index(baseline_name)] if baseline_name else None,
        complete=regime is Regime.COMPLETE, level=options.level,
        higher_is_better=measure_used.higher_is_better, bounded=measure_used.bounded,
    )  # fmt: skip
    hubs = find_hubs(
        [_as_joined(run, options.rules.join_options, each, options) for run, each in zip(runs, judged, strict=True)],
        judged, depth=limits.cutoff, level=options.level, complete=regime is Regime.COMPLETE,
    )  # fmt: skip
    return FailuresOfRuns(measure_used, tuple(names), baseline_name, regime, failures, hubs)


def _as_joined(run: Run, join_options: JoinOptions, judged: Judged, options: EvaluationOptions) -> Run:
    """The run in the order, and with the documents, of its join."""
    ranked = run.reordered(join_options.ties, join_options.bits)
    if not options.judged_only:
        return ranked
    # A condensed list has the judged documents only, at their original ranks.
    index = np.array([ranked.query_index.get(query, -1) for query in judged.query_ids], dtype=np.int64)
    listed = judged.hit_rank if judged.listed_rank is None else judged.listed_rank
    rows = ranked.offsets[index[judged.hit_query]] + listed - 1
    whole = ranked if ranked.original is None else replace(ranked, original=None)
    return whole.only(np.sort(rows))
