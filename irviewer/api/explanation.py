"""The public function that explains a value. Its results are records of ``irviewer.analysis.explain``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from irviewer.analysis.explain.difference import difference
from irviewer.analysis.explain.expression_ledger import as_zscore
from irviewer.analysis.explain.ledger import bound_measure_of, ledger_of
from irviewer.analysis.explain.mean_differences import mean_difference
from irviewer.analysis.explain.means import explain_mean
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.tie_bounds import tie_changes, tie_range
from irviewer.analysis.explain.unjudged_interval import with_interval
from irviewer.api.protocols import (
    EVALUATION,
    AnyProtocol,
    bound_to,
    of_single_runs,
    protocol_of,
    with_measure,
    with_zscores,
)
from irviewer.api.sources import AnyQrels, AnyRun, Sources
from irviewer.api.texts import AnyTexts, lengths_of
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import refuse_lacking
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.selected import select_queries
from irviewer.formats.trec.zscores import read_zscores
from irviewer.model.arguments import checked
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationFields, EvaluationProtocol
from irviewer.model.workspace import Regime
from irviewer.model.zscores import ZScores
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.explain.difference import Difference
    from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
    from irviewer.analysis.explain.mean_differences import MeanDifference
    from irviewer.analysis.explain.tie_bounds import TieChanges, TieRange
    from irviewer.measures.base import Measure
    from irviewer.model.document_lengths import Lengths
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

    Explanation = Ledger | MeanLedger | Difference | MeanDifference | TieRange | TieChanges


@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any = None, query: None = None, *, protocol: AnyProtocol | None = None,
    against: None = None, ties: Literal[False] = False, zscores: None = None, columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> MeanLedger: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int, *, protocol: AnyProtocol | None = None,
    against: None = None, ties: Literal[False] = False, zscores: ZScores | None = None,
    columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> Ledger: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any = None, query: None = None, *, protocol: AnyProtocol | None = None,
    against: AnyRun, ties: Literal[False] = False, zscores: None = None, columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> MeanDifference: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int, *, protocol: AnyProtocol | None = None,
    against: AnyRun, ties: Literal[False] = False, zscores: None = None, columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> Difference: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any = None, query: None = None, *, protocol: AnyProtocol | None = None,
    against: None = None, ties: Literal[True], zscores: None = None, columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> TieChanges: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int, *, protocol: AnyProtocol | None = None,
    against: None = None, ties: Literal[True], zscores: None = None, columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> TieRange: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any = None, query: str | int | None = None, *,
    protocol: AnyProtocol | None = None, against: AnyRun | None = None, ties: bool = False,
    zscores: ZScores | None = None, columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None, **fields: Unpack[EvaluationFields],
) -> Explanation: ...  # fmt: skip
@checked
def explain(
    qrels: AnyQrels,
    run: AnyRun,
    measure: Any = None,
    query: str | int | None = None,
    *,
    protocol: AnyProtocol | None = None,
    against: AnyRun | None = None,
    ties: bool = False,
    zscores: ZScores | None = None,
    columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None,
    **fields: Unpack[EvaluationFields],
) -> Explanation:
    """Explain a value, the difference of two values, or the effect of ties.

    >>> ledger = explain({"1": {"a": 3, "b": 0, "c": 1}}, {"1": {"b": 9.0, "a": 8.0, "c": 7.0}}, "AP", "1")
    >>> ledger.worked
    'AP = (1/2 + 2/3) ÷ 2 = 0.5833'
    >>> ledger.column("document")
    ('b', 'a', 'c')

    measure   one measure, as :func:`irviewer.evaluate` takes it; None: the primary one of the protocol
    query     the value of this query (an id, or its integer) is explained by a Ledger, row by row; None: the mean, by
              a MeanLedger
    protocol  an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    against   a baseline: the difference to it is explained, by a Difference (of a query) or a MeanDifference
    ties      explain the effect of the order of tied documents: a TieRange (of a query) or TieChanges
    unjudged  how judging was done: "complete", "pooled" or "sparse"; it is never inferred
    documents the documents with their fields, for measures that read these
    zscores   with a query: explain the value as a Z-score of reference runs

    The other parameters are those of :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError (a query
    without a value)."""
    asked = protocol_of(protocol, "explain", fields, EVALUATION, ("zscores", "queries", "runs"))
    asked, chosen = with_measure(asked, measure)
    if chosen is None:
        raise OptionError(tr("name the measure to explain, or a protocol with measures"))
    if zscores is None and asked.rules.zscores:
        zscores = read_zscores(Path(asked.rules.zscores))
    asked = with_zscores(asked, zscores)
    query_id = None if query is None else str(query)
    if zscores is not None and (query_id is None or ties or against is not None):
        raise OptionError(tr("zscores explains the value of one query: give the query, and neither against nor ties"))
    sources = Sources(columns)
    judgments, ranking = sources.pair(qrels, run)
    baseline = None if against is None else sources.run(against)
    sources.check()
    read = [each for each in (ranking, baseline) if each is not None]
    asked = of_single_runs(asked, read)
    bound = bound_to(
        asked, judgments, read, ("documents", documents), uses=("rules", "scope"),
        answers=AnswerSources((judgments,), read),
    )  # fmt: skip
    if query_id is None:
        judgments, (ranking, *others) = select_queries(bound, judgments, read)
        baseline = others[0] if others else None
    explanation = _explained(judgments, ranking, baseline, chosen, query_id, asked, zscores,
                             lengths_of(documents), ties=ties)  # fmt: skip
    return explanation.under(bound)


def _explained(
    qrels: Qrels,
    run: Run,
    baseline: Run | None,
    measure: str | Measure,
    query: str | None,
    asked: EvaluationProtocol,
    zscores: ZScores | None,
    lengths: Lengths | None,
    *,
    ties: bool,
) -> Explanation:
    options = evaluation_options(asked.rules, lengths)
    for each in (run, baseline):
        if each is not None and each.stored is None:  # of stored values what they read is not known
            refuse_lacking([bound_measure_of(measure, qrels, options).measure], each, qrels)
    if ties:
        if query is None:
            return tie_changes(run, qrels, measure, options)
        return tie_range(run, qrels, measure, query, options)
    if baseline is not None:
        if query is not None:
            return difference(run, baseline, qrels, measure, query, options)
        return mean_difference(
            explain_mean(run, qrels, measure, options), explain_mean(baseline, qrels, measure, options)
        )
    if query is None:
        return explain_mean(run, qrels, measure, options)
    ranked_query, bound_measure = OneQuery.of(run, qrels, query, options), bound_measure_of(measure, qrels, options)
    ledger = with_interval(ledger_of(ranked_query, bound_measure), ranked_query, bound_measure,
                           Regime(asked.rules.unjudged))  # fmt: skip
    return ledger if zscores is None else as_zscore(ledger, zscores, options.level)
