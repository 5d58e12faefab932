"""Failure analysis of runs and qrels in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from irviewer.analysis.failures.causes import RunCauses, causes_of_run
from irviewer.analysis.failures.find_losses import run_losses
from irviewer.analysis.failures.hubs import Hubs, find_hubs
from irviewer.analysis.failures.kinds import Failures, Limits, find_failures
from irviewer.analysis.failures.losses import RunLosses
from irviewer.analysis.failures.near_duplicates import count_near_duplicates
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.evaluate import Joined, evaluate
from irviewer.evaluation.joined_lists import as_joined_run
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats
from irviewer.model.exported import Exported
from irviewer.model.failure_tags import RunTags
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr


@dataclass(frozen=True, eq=False, repr=False)
class FailuresOfRuns(Exported):
    """The failures and hubs of runs by a measure; ``baseline`` is the name of the baseline, "" with one run. ``hubs``
    is None where they were not sought.

    losses  of the run whose causes are summed up, then of the baseline where there is another one, on the queries of
            ``failures``
    causes  of the same
    tags    what the user noted of the runs
    run     the run whose causes were asked for, "" for the one with the best mean but the baseline
    """

    measure: Measure
    runs: tuple[str, ...]
    baseline: str
    regime: Regime
    failures: Failures
    hubs: Hubs | None
    losses: tuple[RunLosses, ...] = ()
    causes: tuple[RunCauses, ...] = ()
    tags: RunTags = field(default_factory=RunTags)
    run: str = ""

    @property
    def cutoff(self) -> int:
        """The ranks that count as the top."""
        return self.failures.limits.cutoff

    def signs_of(self, run: str) -> Bools:
        """Return bool[K, E]: the kinds of failure of a run."""
        signs: Bools = self.failures.kinds[:, :, self.runs.index(run)]
        return signs


def summed_up(
    losses: Sequence[RunLosses], failures: Failures, runs: Sequence[str], baseline: str, measure: Measure,
    tags: RunTags, *, within: Bools | None = None,
) -> tuple[RunCauses, ...]:  # fmt: skip
    """Return the causes of each run whose losses are given, over the queries of ``within`` bool[E] (None: all)."""
    texts = not np.isnan(failures.duplicates).all()
    return tuple(
        causes_of_run(
            each, failures.kinds[:, :, runs.index(each.run)], tags=tags.tags, looks=tags.of(each.run), seed=tags.seed,
            within=within, cutoff=measure.cutoff is not None, baseline=bool(baseline) and each.run != baseline,
            texts=texts,
        )
        for each in losses
    )  # fmt: skip


def failures_of_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure,
    limits: Limits,
    options: EvaluationOptions | None = None,
    *,
    baseline: str | None = None,
    cutoff: int | None = None,
    regime: Regime = Regime.UNKNOWN,
    run: str = "",
    text_of: Callable[[str], str] | None = None,
    tags: RunTags | None = None,
) -> FailuresOfRuns:
    """Return the failures of ``runs`` on every query of the qrels; a query that a run lacks has no documents found.
    Where the options leave such a query, or one without relevant documents, out of means, it has no value here either.

    baseline   a run's name; None: the first. One run alone has no baseline.
    cutoff     the ranks that count as the top; None: those that the measure reads, else those of ``limits``
    regime     how the judgments were made, where that is declared
    run        the name of the run whose causes are summed up; "": the one with the best mean but the baseline
    text_of    the text of a document by its id, "" for an unknown one, for near-duplicates
    tags       what the user noted of the runs

    Raises OptionError for an unknown run or baseline or several measures, MeasureError for an unknown measure."""
    names = [run.name for run in runs]
    if baseline is not None and baseline not in names:
        raise OptionError(tr("there is no run {run!r}; choose one of {runs}", run=baseline, runs=name_some(names)))
    if run and run not in names:
        raise OptionError(tr("there is no run {run!r}; choose one of {runs}", run=run, runs=name_some(names)))
    given_options = options or EvaluationOptions()
    table = evaluate(qrels, runs, [measure], given_options)
    if len(table.measures) != 1:
        raise OptionError(tr("{measure} stands for several measures; choose one for failure analysis", measure=measure))
    measure_used = table.measures[0]
    if measure_used.is_text:
        raise OptionError(tr("{measure} is a text, which cannot be compared; choose a number", measure=measure_used))
    limits = replace(limits, cutoff=(measure_used.last_rank or limits.cutoff) if cutoff is None else cutoff)
    options = replace(given_options, missing="zero", dialect=replace(given_options.rules, unanswerable="zero"))
    judged = [Joined(run, qrels, options).under(options.rules.join_options) for run in runs]
    values = np.full((len(runs), judged[0].n_queries if judged else 0), np.nan)
    values[:, [judged[0].query_index[query] for query in table.query_ids]] = table.values[0]
    baseline_name = (baseline or names[0]) if len(runs) > 1 else ""
    as_joined = [
        as_joined_run(each, options.rules.join_options, join, options) for each, join in zip(runs, judged, strict=True)
    ]
    failures = find_failures(
        judged, values, limits, baseline=values[names.index(baseline_name)] if baseline_name else None,
        complete=regime is Regime.COMPLETE, level=options.level,
        higher_is_better=measure_used.higher_is_better, bounded=measure_used.bounded,
        duplicates=count_near_duplicates(as_joined, judged, text_of, limits.cutoff),
    )  # fmt: skip
    hubs = find_hubs(as_joined, judged, depth=limits.cutoff, level=options.level, complete=regime is Regime.COMPLETE)
    chosen = run or chosen_run(names, values, baseline_name, measure_used.higher_is_better)
    asked = [chosen, baseline_name] if baseline_name and baseline_name != chosen else [chosen]
    ids = judged[0].query_ids if judged else ()
    losses = tuple(
        run_losses(qrels, runs[names.index(name)], measure_used, values[names.index(name)], ids, options)
        for name in asked
    )
    noted = tags or RunTags()
    causes = summed_up(losses, failures, names, baseline_name, measure_used, noted)
    return FailuresOfRuns(measure_used, tuple(names), baseline_name, regime, failures, hubs, losses, causes, noted, run)


def chosen_run(names: Sequence[str], values: Floats, baseline: str, higher_is_better: bool) -> str:
    """Return the run with the best mean but the baseline, of equal ones the first by name; ``values`` float64[S, E]."""
    known = ~np.isnan(values)
    counts = np.maximum(known.sum(axis=1), 1)
    means = np.where(known, values, 0.0).sum(axis=1) / counts * (1.0 if higher_is_better else -1.0)
    means[~known.any(axis=1)] = -np.inf  # it lacks what the measure reads
    others = [place for place, name in enumerate(names) if name != baseline] or [0]
    return names[min(others, key=lambda place: (-means[place], names[place]))]
