"""The failures of runs as tables: queries on which they fail, how many of each kind, and documents that many queries
retrieve."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

import numpy as np

from irviewer.analysis.failures.detect import FailuresOfRuns, failures_of_runs
from irviewer.analysis.failures.hubs import Hubs
from irviewer.analysis.failures.kinds import KINDS, Limits
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.workspace import Regime
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, option


def tables(result: FailuresOfRuns, bound: BoundProtocol | None, *, kinds: Collection[str] = ()) -> ViewResult:
    """Return the tables ``failures`` (of these kinds; () for all), ``counts`` and, where they were sought, ``hubs``."""
    source = provenance("failures", bound, {"measure": result.measure.text, "baseline": result.baseline or None})
    all_tables = [_failures(result, kinds), _counts(result)]
    if result.hubs is not None:
        all_tables.append(_hubs(result.hubs, result.failures.query_ids, result.regime))
    return ViewResult(result, tuple(all_tables)).with_provenance(source)


def hubs_tables(
    hubs: Hubs, query_ids: Sequence[str], regime: Regime, bound: BoundProtocol | None, measure: str, baseline: str
) -> ViewResult:
    """Return the table ``hubs`` alone, with the measure and the baseline ("" for none) that failures would have."""
    source = provenance("failures", bound, {"measure": measure, "baseline": baseline or None})
    return ViewResult(hubs, (_hubs(hubs, query_ids, regime),)).with_provenance(source)


def _notes(regime: Regime) -> tuple[Remark, ...]:
    return (Remark("regime", regime.statement, {"regime": regime.value}),)


def _failures(result: FailuresOfRuns, kinds: Collection[str]) -> Table:
    failures = result.failures
    kept = sum(1 << number for number, kind in enumerate(KINDS) if not kinds or kind.name in kinds)
    places, runs = (failures.masks & kept).nonzero()
    masks = failures.masks[places, runs].tolist()
    sign = 1.0 if result.measure.higher_is_better else -1.0  # differences are the value less the other one
    first = failures.first[places, runs].astype(np.float64)
    cutoff, count = failures.limits.cutoff, int(failures.answerable.sum())
    title = trn(
        "{measure} of {n:,} query with relevant documents", "{measure} of {n:,} queries with relevant documents",
        count, measure=result.measure.text,
    )  # fmt: skip
    if result.baseline:
        title = trn(
            "{measure} of {n:,} query with relevant documents, compared with {baseline}",
            "{measure} of {n:,} queries with relevant documents, compared with {baseline}",
            count, measure=result.measure.text, baseline=result.baseline,
        )  # fmt: skip
    queries = [failures.query_ids[place] for place in places.tolist()]
    names = [result.runs[run] for run in runs.tolist()]
    up = result.measure.higher_is_better
    return Table("failures", title, (
        column.identifier("query", tr("query"), queries),
        column.run("run", tr("run"), names),
        column.tags("kinds", tr("failures"),
                    [tuple(kind.name for number, kind in enumerate(KINDS) if mask >> number & 1) for mask in masks]),
        column.number("value", result.measure.text, failures.values[places, runs], better_up=up),
        column.difference("to_baseline", tr("to baseline"), sign * failures.to_baseline[places, runs], better_up=up),
        column.difference("to_median", tr("to median"), sign * failures.to_median[places, runs], better_up=up),
        column.rank("first_relevant", tr("first relevant"), np.where(first > 0, first, np.nan)),
        column.count("non_relevant_above", tr("non-relevant above"), failures.above[places, runs]),
        column.share("unjudged_on_top", tr("unjudged on top"), failures.unjudged[places, runs]),
        column.count("relevant", tr("relevant"), failures.relevant[places]),
        column.count("found", tr("found by {cutoff}", cutoff=cutoff), failures.found[places, runs], of="relevant"),
        column.count("found_below", tr("found below"), failures.deeper[places, runs], of="relevant"),
    ), keys=list(zip(queries, names, strict=True)), opens="query", notes=_notes(result.regime))  # fmt: skip


def _counts(result: FailuresOfRuns) -> Table:
    failures = result.failures
    meanings = [failures.limits.meaning(kind, result.measure.higher_is_better) for kind in KINDS]
    kinds = [kind.name for kind in KINDS]
    shown = [f"{kind}: {meaning}" for kind, meaning in zip(kinds, meanings, strict=True)]
    kind = column.text("kind", tr("kind"), kinds, texts=shown)
    counts = [
        column.count(key, run, failures.counts[:, place], names="run")
        for place, (key, run) in enumerate(zip(data_keys(result.runs, [kind]), result.runs, strict=True))
    ]
    return Table("counts", tr("Queries by kind of failure"), (kind, *counts))


def _hubs(hubs: Hubs, query_ids: Sequence[str], regime: Regime) -> Table:
    documents = hubs.doc_ids.to_pylist()
    queries = [tuple(query_ids[place] for place in hubs.queries_of(row).tolist()) for row in range(len(documents))]
    return Table("hubs", tr("Non-relevant documents that several queries retrieve"), (
        column.identifier("document", tr("document"), documents),
        column.count("queries", tr("queries"), hubs.queries),
        column.count("non_relevant", tr("non-relevant"), hubs.nonrelevant),
        column.count("unjudged", tr("unjudged"), hubs.unjudged),
        column.count("runs", tr("runs"), hubs.runs),
        column.rank("best_rank", tr("best rank"), hubs.best),
        column.count("relevant_for", tr("relevant for"), hubs.right),
        column.tags("for_queries", tr("for queries"), queries),
    ), keys=documents, opens="document", notes=_notes(regime))  # fmt: skip


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    cutoff: Annotated[int, option(tr("the ranks that count as the top"), low=1)] = 10,
    unjudged_share: Annotated[
        float, option(tr("the least unjudged share of the top that is a failure"), low=0, high=1)
    ] = 0.5,
    worse: Annotated[float, option(tr("the least difference to the baseline or the median that is a failure"))] = 0.1,
    hard: Annotated[float, option(tr("a query is hard if no run reaches this value"))] = 0.1,
) -> FailuresOfRuns:
    """The queries on which runs fail, and how, and the documents that many queries retrieve."""
    part = inputs.one
    part.refuse(tr("Failures"), "queries", "weights")
    runs = [part.runs[place].renamed(part.names[place]) for place in protocol.runs]
    baseline = None if protocol.baseline is None or len(runs) < 2 else protocol.names[protocol.baseline]
    return failures_of_runs(
        part.qrels, runs, part.measure, Limits(cutoff, unjudged_share, worse, hard), part.options, baseline=baseline,
        regime=Regime(protocol.protocol.rules.unjudged),
    )  # fmt: skip


VIEW = ResultView(
    "failures", compute, tables, title=tr("Failures"), uses=("rules", "scope", "baseline"), needs=("judgments", "lists")
)
