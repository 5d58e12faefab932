"""The public functions for failures, the worklist, and the effects of dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from irviewer.analysis.explain.unjudged import Worklist, refuse_complete
from irviewer.analysis.explain.unjudged import worklist as worklist_of
from irviewer.analysis.failures.detect import FailuresOfRuns, failures_of_runs
from irviewer.analysis.failures.kinds import Limits
from irviewer.api.protocols import (
    EVALUATION,
    AnyProtocol,
    bound_to,
    protocol_of,
    refuse_below_one,
    taking_part,
    with_files_of,
    with_measure,
    with_measures,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Source, Sources, listed_measures, measures_of
from irviewer.api.texts import texts_of
from irviewer.evaluation.answer_cautions import refuse_nuggets_alone
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.dialect_changes import DialectChanges, changes
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.selected import select_queries
from irviewer.evaluation.usual_measures import OFFICIAL, usual_measure, usual_measures
from irviewer.formats.failure_tags import read_run_tags
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.failure_tags import RunTags
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationFields, EvaluationProtocol, PlainRulesFields
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import further_names, whole_name
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Regime
from irviewer.translation import tr


@checked
def failures(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: Any = None,
    *,
    protocol: AnyProtocol | None = None,
    cutoff: int | None = None,
    baseline: str | None = None,
    worse: float = 0.1,
    unjudged_share: float = 0.5,
    hard: float = 0.1,
    above: int = 3,
    near_duplicates: int = 2,
    run: str = "",
    documents: Source | TextTable | None = None,
    tags: str | Path | RunTags | None = None,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[EvaluationFields],
) -> FailuresOfRuns:
    """Return the queries on which runs fail, and how, and the causes of one run's loss.

    >>> found = failures({"1": {"a": 1}}, {"1": {"b": 2.0}}, "RR")
    >>> found.to_arrow().column("failures").to_pylist()
    [['nothing', 'unjudged', 'hard']]

    measure   None: the primary one of the protocol, else nDCG@10
    protocol  an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    cutoff    the ranks that count as the top; None: the cutoff of the measure, or 10
    baseline  name of a run; None: that of the protocol, else the run called baseline or BM25, else the first
    worse     the least difference to the baseline or the median that is a failure
    unjudged_share   the least unjudged share of the top that is a failure
    hard      a query is hard if no run reaches this value
    above     the fewest non-relevant documents above the first relevant one that are a failure
    near_duplicates  the fewest documents of the top that repeat one above which are a failure; they need ``documents``
    run       the name of the run whose causes are summed up; "": the one with the best mean but the baseline
    documents a file of documents with their texts, or a TextTable
    tags      a project, whose tags of failures are read; or a RunTags
    unjudged  how judging was done: "complete", "pooled" or "sparse"; it is never inferred

    The others as for :func:`irviewer.evaluate`. Returns a FailuresOfRuns; its tables are "failures", "counts",
    "causes" with their shares of the loss, "loss" by query, and "hubs", non-relevant documents that are retrieved for
    several queries. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "failures", fields, EVALUATION, ("runs", "queries"))
    asked, chosen = with_measure(asked, measure)
    if baseline is not None:
        asked = asked.but(baseline=baseline)
    sources = Sources(columns)
    judgments, given_runs = sources.both(qrels, runs)
    sources.check()
    limits = Limits(unjudged=unjudged_share, worse=worse, hard=hard, above=above, duplicates=near_duplicates)
    asked, part = taking_part(given_runs, asked)
    noted = tags if isinstance(tags, RunTags) or tags is None else read_run_tags(tags, [each.name for each in part])
    failures_found = failures_by(
        asked,
        judgments,
        part,
        usual_measure(chosen, judgments),
        limits,
        cutoff=cutoff,
        run=run,
        documents=texts_of(documents, "documents"),
        tags=noted,
    )
    return with_files_of(failures_found, given_runs)


def failures_by(
    asked: EvaluationProtocol, qrels: Qrels, runs: Sequence[Run], measure: str | Measure, limits: Limits, *,
    cutoff: int | None = None, run: str = "", documents: TextTable | None = None, tags: RunTags | None = None,
) -> FailuresOfRuns:  # fmt: skip
    """Return the failures of runs under a protocol; ``cutoff`` None: that of the measure, or 10.

    Raises OptionError, MeasureError."""
    refuse_nuggets_alone(tr("Failures"), qrels)
    uses = ("rules", "scope", *(("baseline",) if len(runs) > 1 else ()))
    bound = _bound(asked, qrels, runs, uses, documents, tags)
    qrels, runs = select_queries(bound, qrels, runs)
    return failures_of_runs(
        qrels, runs, measure, limits, evaluation_options(asked.rules), cutoff=cutoff,
        baseline=None if bound.baseline is None else bound.names[bound.baseline], regime=Regime(asked.rules.unjudged),
        run=whole_name(run, [each.name for each in runs], further_names(runs)),
        text_of=None if documents is None else documents.text, tags=tags,
    ).under(bound)  # fmt: skip


@checked
def worklist(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: Any = None,
    *,
    protocol: AnyProtocol | None = None,
    pool_depth: int | None = None,
    most: int | None = None,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[EvaluationFields],
) -> Worklist:
    """Return unjudged documents, first those that would change a measure most if they were relevant.

    >>> found = worklist({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "RR")
    >>> [(item.query, item.document, item.most) for item in found]
    [('1', 'b', 0.5)]

    measure     None: the primary one of the protocol, else nDCG@10
    protocol    an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    pool_depth  ranks examined; None: as deep as the measure reads
    most        the greatest number of documents

    The others as for :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "worklist", fields, EVALUATION, ("runs", "queries"))
    refuse_below_one(pool_depth=pool_depth, most=most)
    asked, chosen = with_measure(asked, measure)
    sources = Sources(columns)
    judgments, given_runs = sources.both(qrels, runs)
    sources.check()
    if chosen is None:
        refuse_nuggets_alone(tr("Worklist"), judgments)
    refuse_complete(asked.rules.unjudged)
    asked, all_runs = taking_part(given_runs, asked)
    bound = _bound(asked, judgments, all_runs)
    judgments, all_runs = select_queries(bound, judgments, all_runs)
    unjudged = worklist_of(
        all_runs, judgments, usual_measure(chosen, judgments), evaluation_options(asked.rules), depth=pool_depth,
        most=most,
    )  # fmt: skip
    return with_files_of(unjudged.under(bound), given_runs)


@checked
def dialects(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    dialect: str | Sequence[str] = (),
    *,
    protocol: AnyProtocol | None = None,
    by_query: bool = False,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[PlainRulesFields],
) -> DialectChanges:
    """Return the values that other dialects change: the value of trec_eval 10, the other value, and the rule.

    measures  None: those of the protocol, else "official"
    dialect   one or several of "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook"; default: all
    protocol  an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    by_query  also compare the values of each query

    The others as for :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "dialects", fields, frozenset(PlainRulesFields.__annotations__), ("runs", "queries"))
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    sources = Sources(columns)
    judgments, given_runs = sources.both(qrels, runs)
    sources.check()
    asked, all_runs = taking_part(given_runs, asked)
    texts = measures_of((asked.measures or usual_measures(OFFICIAL, judgments)) if measures is None else measures)
    options = evaluation_options(asked.rules)
    bound = bound_to(
        asked, judgments, all_runs, uses=("rules", "scope"), measured=bind_measures(texts, judgments, options)
    )  # fmt: skip
    judgments, all_runs = select_queries(bound, judgments, all_runs)
    names = [dialect] if isinstance(dialect, str) else list(dialect)
    changed = DialectChanges(
        {
            name: tuple(changes(judgments, all_runs, texts, name, options, by_query=by_query))
            for name in names or [name for name in DIALECTS if name != DEFAULT]
        },
        by_query,
    )
    return with_files_of(changed.under(bound), given_runs)


def _bound(
    asked: EvaluationProtocol, qrels: Qrels, runs: Sequence[Run], uses: tuple[str, ...] = ("rules", "scope"),
    documents: TextTable | None = None, tags: RunTags | None = None,
) -> BoundProtocol:  # fmt: skip
    own = ("documents", documents), ("tags", tags)
    return bound_to(asked, qrels, runs, *((role, "" if each is None else each.origin) for role, each in own), uses=uses)
