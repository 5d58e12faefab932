"""The failures of runs as they are read from files: joined, evaluated and looked at in one go."""

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
from irviewer.model.workspace import Regime, suggest_regime


@dataclass(frozen=True, eq=False, repr=False)
class FailuresOfRuns(Exported):
    """What was found, of which runs, by which measure; ``baseline`` is the name of the run that others are held
    against, "" with one run alone."""

    measure: Measure
    runs: tuple[str, ...]
    baseline: str
    regime: Regime
    failures: Failures
    hubs: Hubs


def failures_of_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure,
    limits: Limits,
    options: EvaluationOptions | None = None,
    *,
    baseline: str | None = None,
    regime: Regime | None = None,
) -> FailuresOfRuns:
    """The failures of ``runs`` on every query of the qrels; a query that a run lacks is one for which it found nothing.
    Where the options leave such a query out of means, or one without relevant documents, it has no value here either.

    baseline   a run's name; None: the first. Of one run alone nothing is the baseline.
    regime     what it means that a document is not listed; None: what the qrels look like

    Raises OptionError for an unknown baseline or several measures, MeasureError for an unknown one."""
    names = [run.name for run in runs]
    if baseline is not None and baseline not in names:
        raise OptionError(f"there is no run {baseline!r}; there are {name_some(names)}")
    chosen = options or EvaluationOptions()
    table = evaluate(qrels, runs, [measure], chosen)
    if len(table.measures) != 1:
        raise OptionError(f"{measure} is several measures; failures are looked for in one")
    one = table.measures[0]
    if one.is_text:
        raise OptionError(f"{one} is a text: no run can be worse in it than another")
    options = replace(chosen, missing="zero", dialect=replace(chosen.rules, unanswerable="zero"))
    judged = [Joined(run, qrels, options).under(options.rules.join_options) for run in runs]
    values = np.full((len(runs), judged[0].n_queries if judged else 0), np.nan)
    values[:, [judged[0].query_index[query] for query in table.query_ids]] = table.values[0]
    regime = regime or suggest_regime(qrels)
    held = (baseline or names[0]) if len(runs) > 1 else ""
    found = find_failures(
        judged, values, limits, baseline=values[names.index(held)] if held else None,
        complete=regime is Regime.COMPLETE, level=options.level,
        higher_is_better=one.higher_is_better, bounded=one.bounded,
    )  # fmt: skip
    hubs = find_hubs(
        [_as_joined(run, options.rules.join_options, each, options) for run, each in zip(runs, judged, strict=True)],
        judged, depth=limits.cutoff, level=options.level, complete=regime is Regime.COMPLETE,
    )  # fmt: skip
    return FailuresOfRuns(one, tuple(names), held, regime, found, hubs)


def _as_joined(run: Run, join_options: JoinOptions, judged: Judged, options: EvaluationOptions) -> Run:
    """The run in the order, and with the documents, that its join has ranks of."""
    ranked = run.reordered(join_options.ties, join_options.bits)
    if not options.judged_only:
        return ranked
    # Of a condensed list only the judged documents are left, at the ranks where they stood.
    place = np.array([ranked.query_index.get(query, -1) for query in judged.query_ids], dtype=np.int64)
    listed = judged.hit_rank if judged.listed_rank is None else judged.listed_rank
    rows = ranked.offsets[place[judged.hit_query]] + listed - 1
    whole = ranked if ranked.original is None else replace(ranked, original=None)
    return whole.only(np.sort(rows))
