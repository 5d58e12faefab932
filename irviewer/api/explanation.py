"""The public function that explains a value. Its results are records of ``irviewer.analysis.explain``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from irviewer.analysis.explain.difference import difference
from irviewer.analysis.explain.expression_ledger import as_zscore
from irviewer.analysis.explain.ledger import bound_measure_of, ledger_of
from irviewer.analysis.explain.mean_differences import mean_difference
from irviewer.analysis.explain.means import explain_mean
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.tie_bounds import tie_changes, tie_range
from irviewer.analysis.explain.unjudged_interval import with_interval
from irviewer.api.sources import AnyQrels, AnyRun, Sources, measure_of
from irviewer.errors import OptionError
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
from irviewer.model.workspace import Regime
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.explain.difference import Difference
    from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
    from irviewer.analysis.explain.mean_differences import MeanDifference
    from irviewer.analysis.explain.tie_bounds import TieChanges, TieRange
    from irviewer.model.zscores import ZScores

    Explanation = Ledger | MeanLedger | Difference | MeanDifference | TieRange | TieChanges


@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: None = None, *, against: None = None,
    ties: Literal[False] = False, level: float = 1, judged_only: bool = False, depth: int | None = None,
    missing: MissingPolicy | None = None, dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: None = None,
    columns: Mapping[str, str] | None = None,
) -> MeanLedger: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int, *, against: None = None, ties: Literal[False] = False,
    level: float = 1, judged_only: bool = False, depth: int | None = None, missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: ZScores | None = None, columns: Mapping[str, str] | None = None,
) -> Ledger: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: None = None, *, against: AnyRun, ties: Literal[False] = False,
    level: float = 1, judged_only: bool = False, depth: int | None = None, missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: None = None, columns: Mapping[str, str] | None = None,
) -> MeanDifference: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int, *, against: AnyRun, ties: Literal[False] = False,
    level: float = 1, judged_only: bool = False, depth: int | None = None, missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: None = None, columns: Mapping[str, str] | None = None,
) -> Difference: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: None = None, *, against: None = None, ties: Literal[True],
    level: float = 1, judged_only: bool = False, depth: int | None = None, missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: None = None, columns: Mapping[str, str] | None = None,
) -> TieChanges: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int, *, against: None = None, ties: Literal[True],
    level: float = 1, judged_only: bool = False, depth: int | None = None, missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: None = None, columns: Mapping[str, str] | None = None,
) -> TieRange: ...  # fmt: skip
@overload
def explain(
    qrels: AnyQrels, run: AnyRun, measure: Any, query: str | int | None = None, *, against: AnyRun | None = None,
    ties: bool = False, level: float = 1, judged_only: bool = False, depth: int | None = None,
    missing: MissingPolicy | None = None, dialect: str | Dialect = DEFAULT, regime: Regime | str = "unknown",
    zscores: ZScores | None = None,
    columns: Mapping[str, str] | None = None,
) -> Explanation: ...  # fmt: skip
def explain(
    qrels: AnyQrels,
    run: AnyRun,
    measure: Any,
    query: str | int | None = None,
    *,
    against: AnyRun | None = None,
    ties: bool = False,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    regime: Regime | str = "unknown",
    zscores: ZScores | None = None,
    columns: Mapping[str, str] | None = None,
) -> Explanation:
    """Explain a value, the difference of two values, or the effect of ties.

    >>> ledger = explain({"1": {"a": 3, "b": 0, "c": 1}}, {"1": {"b": 9.0, "a": 8.0, "c": 7.0}}, "AP", "1")
    >>> ledger.worked
    'AP = (1/2 + 2/3) ÷ 2 = 0.5833'
    >>> ledger.column("document")
    ('b', 'a', 'c')

    measure   one measure, as :func:`irviewer.evaluate` takes it
    query     the value of this query (an id, or its integer) is explained by a Ledger, row by row; None: the mean, by
              a MeanLedger
    against   a baseline: the difference to it is explained, by a Difference (of a query) or a MeanDifference
    ties      explain the effect of the order of tied documents: a TieRange (of a query) or TieChanges
    regime    how the judgments were made: "complete", "pooled" or "sparse"; it is never inferred
    zscores   with a query: explain the value as a Z-score of reference runs

    The other parameters are those of :func:`irviewer.evaluate`. Raises ParseError, MeasureError, OptionError (a query
    without a value)."""
    options = EvaluationOptions(level, judged_only, depth, missing, dialect)
    measure = measure_of(measure)
    query_id = None if query is None else str(query)
    if zscores is not None and (query_id is None or ties or against is not None):
        raise OptionError(tr("zscores explains the value of one query: give the query, and neither against nor ties"))
    sources = Sources(columns)
    judgments, ranking = sources.pair(qrels, run)
    baseline = None if against is None else sources.run(against)
    sources.check()
    if ties:
        if query_id is None:
            return tie_changes(ranking, judgments, measure, options)
        return tie_range(ranking, judgments, measure, query_id, options)
    if baseline is not None:
        if query_id is not None:
            return difference(ranking, baseline, judgments, measure, query_id, options)
        return mean_difference(
            explain_mean(ranking, judgments, measure, options), explain_mean(baseline, judgments, measure, options)
        )
    if query_id is None:
        return explain_mean(ranking, judgments, measure, options)
    ranked_query, bound_measure = (
        OneQuery.of(ranking, judgments, query_id, options),
        bound_measure_of(measure, judgments, options),
    )
    ledger = with_interval(ledger_of(ranked_query, bound_measure), ranked_query, bound_measure, Regime(regime))
    return ledger if zscores is None else as_zscore(ledger, zscores, level)
