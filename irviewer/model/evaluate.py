"""Evaluation: qrels, runs and measures in, a table of values out."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.errors import OptionError
from irviewer.model.judged import judge
from irviewer.model.measure import Measure, parse_measures
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.results import ResultTable, combine
from irviewer.model.run import Run


def evaluate(
    qrels: Qrels,
    runs: Run | Sequence[Run],
    measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None,
) -> ResultTable:
    """Every measure of every run on every query of the qrels.

    Queries that a run lacks count as 0 and are named in the result's ``missing``; ``options`` may leave them out.
    Raises MeasureError for an unknown measure, OptionError where two runs have one name."""
    options = options or EvaluationOptions()
    every = [runs] if isinstance(runs, Run) else list(runs)
    names = [run.name for run in every]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise OptionError(f"two runs are called {double}; rename one (Run.renamed)")
    wanted = bind(measures, qrels, options)
    tables, ids, missing = [], [], {}
    for run in every:
        judged = judge(run, qrels, options)
        tables.append([one.compute(judged) for one in wanted])
        ids.append(judged.query_ids)
        missing[run.name] = missing_queries(run, qrels)
    return combine(wanted, names, tables, ids, missing, options)


def bind(measures: Sequence[str | Measure], qrels: Qrels, options: EvaluationOptions) -> tuple[Measure, ...]:
    """Measures from texts and measures, in order and once each, with the relevance level and what follows the qrels'
    highest grade made explicit."""
    found: dict[str, Measure] = {}
    for one in measures:
        for each in (one,) if isinstance(one, Measure) else parse_measures([one]):
            bound = each.bind(level=options.level, max_grade=qrels.max_grade)
            found.setdefault(bound.text, bound)
    return tuple(found.values())


def missing_queries(run: Run, qrels: Qrels) -> tuple[str, ...]:
    """The qrels' queries that the run lacks, in bytewise order."""
    return tuple(qrels.query_ids[p] for p in qrels.query_order if qrels.query_ids[p] not in run.query_index)
