"""The public functions for failures, the worklist, and the effects of dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irviewer.analysis.explain.unjudged import Worklist
from irviewer.analysis.explain.unjudged import worklist as worklist_of
from irviewer.analysis.failures.detect import FailuresOfRuns, failures_of_runs
from irviewer.analysis.failures.kinds import Limits
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Sources, measure_of, measures_of
from irviewer.evaluation.dialect_changes import DialectChanges, changes
from irviewer.model.dialects import DEFAULT, DIALECTS, Dialect
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
from irviewer.model.workspace import Regime


def failures(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: Any = "nDCG@10",
    *,
    cutoff: int = 10,
    baseline: str | None = None,
    worse: float = 0.1,
    unjudged: float = 0.5,
    hard: float = 0.1,
    regime: Regime | str = "unknown",
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    columns: Mapping[str, str] | None = None,
) -> FailuresOfRuns:
    """Return the queries on which runs fail, and how.

    >>> found = failures({"1": {"a": 1}}, {"1": {"b": 2.0}}, "RR")
    >>> found.to_arrow().column("failures").to_pylist()
    [['nothing', 'unjudged', 'hard']]

    cutoff    the ranks that count as the top
    baseline  name of a run; None: the first
    worse     the least difference to the baseline or the median that is a failure
    unjudged  the least unjudged share of the top that is a failure
    hard      a query is hard if no run reaches this value
    regime    how the judgments were made: "complete", "pooled" or "sparse"; it is never inferred

    The others as for :func:`irviewer.evaluate`. Returns a FailuresOfRuns; its tables are "failures" and "hubs",
    non-relevant documents that are retrieved for several queries. Raises ParseError, MeasureError, OptionError."""
    sources = Sources(columns)
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    sources.check()
    return failures_of_runs(
        judgments, all_runs, measure_of(measure), Limits(cutoff, unjudged, worse, hard),
        EvaluationOptions(level, judged_only, depth, missing, dialect), baseline=baseline,
        regime=Regime(regime),
    )  # fmt: skip


def worklist(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: Any = "nDCG@10",
    *,
    pool_depth: int | None = None,
    most: int | None = None,
    level: float = 1,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    columns: Mapping[str, str] | None = None,
) -> Worklist:
    """Return unjudged documents, first those that would change a measure most if they were relevant.

    >>> found = worklist({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "RR")
    >>> [(item.query, item.document, item.most) for item in found]
    [('1', 'b', 0.5)]

    pool_depth  ranks examined; None: as deep as the measure reads
    most        the greatest number of documents

    The others as for :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError."""
    sources = Sources(columns)
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    sources.check()
    options = EvaluationOptions(level, False, depth, missing, dialect)
    return worklist_of(all_runs, judgments, measure_of(measure), options, depth=pool_depth, most=most)


def dialects(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = "official",
    dialect: str | Sequence[str] = (),
    *,
    by_query: bool = False,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    columns: Mapping[str, str] | None = None,
) -> DialectChanges:
    """Return the values that other dialects change: the value of trec_eval 10, the other value, and the rule.

    dialect   one or several of "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook"; default: all
    by_query  also compare the values of each query

    The others as for :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError."""
    sources = Sources(columns)
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    sources.check()
    names = [dialect] if isinstance(dialect, str) else list(dialect)
    options = EvaluationOptions(level, judged_only, depth, missing)
    return DialectChanges(
        {
            name: tuple(changes(judgments, all_runs, measures_of(measures), name, options, by_query=by_query))
            for name in names or [name for name in DIALECTS if name != DEFAULT]
        }
    )
