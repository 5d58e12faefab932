"""The public Python calls about where runs fail, what to judge next, and what other tools' rules change."""

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
from irviewer.model.options import EvaluationOptions, MissingPolicy
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
    regime: Regime | str | None = None,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    columns: Mapping[str, str] | None = None,
) -> FailuresOfRuns:
    """The queries on which runs fail, and how.

    >>> found = failures({"1": {"a": 1}}, {"1": {"b": 2.0}}, "RR")
    >>> found.to_arrow().column("failures").to_pylist()
    [['nothing', 'unjudged', 'hard']]

    cutoff    the ranks that are the top of a list
    baseline  a run's name; None: the first
    worse     a difference to the baseline or the median that is a failure
    unjudged  a share of the top that is unjudged and a failure
    hard      a query is hard where no run reaches this value

    The others as for :func:`irviewer.evaluate`. Returns a FailuresOfRuns; its tables are "failures" and "hubs",
    documents that several queries retrieve wrongly. Raises ParseError, MeasureError, OptionError."""
    sources = Sources(columns)
    judgments, every = sources.qrels(qrels), sources.runs(runs, rename=True)
    sources.check()
    return failures_of_runs(
        judgments, every, measure_of(measure), Limits(cutoff, unjudged, worse, hard),
        EvaluationOptions(level, judged_only, depth, missing, dialect), baseline=baseline,
        regime=Regime(regime) if isinstance(regime, str) else regime,
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
    """The unjudged documents to judge first: those that would change a measure the most if they were relevant.

    >>> found = worklist({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "RR")
    >>> [(one.query, one.document, one.most) for one in found]
    [('1', 'b', 0.5)]

    pool_depth  ranks that are considered; None: as deep as the measure reads
    most        no more than so many documents

    The others as for :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError."""
    sources = Sources(columns)
    judgments, every = sources.qrels(qrels), sources.runs(runs, rename=True)
    sources.check()
    options = EvaluationOptions(level, False, depth, missing, dialect)
    return worklist_of(every, judgments, measure_of(measure), options, depth=pool_depth, most=most)


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
    """The values that are others under other tools' rules, from what (trec_eval 10) to what, and which rule did it.

    dialect   one or several of "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook"; none named: all
    by_query  values of every query as well

    The others as for :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError."""
    sources = Sources(columns)
    judgments, every = sources.qrels(qrels), sources.runs(runs, rename=True)
    sources.check()
    named = [dialect] if isinstance(dialect, str) else list(dialect)
    options = EvaluationOptions(level, judged_only, depth, missing)
    return DialectChanges(
        {
            name: tuple(changes(judgments, every, measures_of(measures), name, options, by_query=by_query))
            for name in named or [name for name in DIALECTS if name != DEFAULT]
        }
    )
