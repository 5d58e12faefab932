"""The public function that evaluates runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.api.protocols import (
    EVALUATION,
    AnyProtocol,
    bound_to,
    protocol_of,
    taking_part,
    with_files_of,
    with_measures,
    with_zscores,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Source, Sources, listed_measures, measures_of
from irviewer.api.texts import AnyTexts, lengths_of
from irviewer.api.warn import warn
from irviewer.evaluation.caveats import caveats_of
from irviewer.evaluation.evaluate import evaluate as evaluate_values
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import OFFICIAL, usual_measures
from irviewer.evaluation.zscores import as_zscores
from irviewer.formats.trec.zscores import read_zscores
from irviewer.model.arguments import checked
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationFields
from irviewer.model.zscores import ZScores


@checked
def evaluate(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    lengths: Lengths | Source | Mapping[str, float] | None = None,
    documents: AnyTexts | None = None,
    zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]] | None = None,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[EvaluationFields],
) -> ResultTable:
    """Evaluate runs, given as values or files.

    >>> qrels = {"1": {"a": 3, "b": 0, "c": 1}}
    >>> run = {"1": {"b": 9.0, "a": 8.0, "c": 7.0}}
    >>> result = evaluate(qrels, run, ["AP", "nDCG@10", "P@5"])
    >>> round(result.mean("AP"), 4)
    0.5833
    >>> result.by_query("P@5")
    {'1': 0.4}
    >>> result
    1 query · graded, level ≥ 1 · unjudged: unknown
    <BLANKLINE>
    Means
    run      AP  nDCG@10     P@5
    run  0.5833   0.6590  0.4000

    qrels        a file, a data frame (pandas, polars, PyArrow …), ``{query: {document: grade}}``, a Qrels, ranx' Qrels,
                 records with query_id, doc_id and relevance, or a dataset of ir_datasets
    runs         the same with scores; several of these, ``{name: run}``, a pattern such as ``runs/*.run``, or a table
                 with a column of run names
    measures     texts in ir_measures', trec_eval's or ranx's notation, groups such as "official", Measures, or measures
                 of ir_measures; None: those of the protocol, else "official"; where only nuggets are known
                 V_strict, V, W and A
    protocol     an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    level        relevance level: the lowest relevant grade of binary measures (trec_eval -l)
    judged_only  remove unjudged documents from the rankings first (trec_eval -J)
    depth        ranks read per query (trec_eval -M)
    missing      queries of the qrels that a run lacks: "zero" counts them as 0 and names them in ``result.missing``;
                 "intersection" leaves them out; None does what the dialect does (trec_eval 10: "zero")
    dialect      the tool whose results are computed, where tools differ (ties, gains, missing queries …): "trec_eval"
                 (10), "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook", or a Dialect
    unjudged     how judging was done: "complete", "pooled" or "sparse"; it is named in ``result.protocol``
    lengths      document lengths, for measures that count what is read (BudgetRecall): {document: length}, a file
                 of documents (a column such as ``tokens``, else their words), or Lengths
    documents    the documents with their fields, for measures that read these (FieldMean, FieldShare …) or lengths: a
                 file, ``{document: {field: value}}``, a data frame or a TextTable
    zscores      means and deviations of reference runs, which turn values into Z-scores (trec_eval -Z): {(query,
                 measure): (mean, deviation)}, a file ``query measure mean deviation``, or ZScores

    columns      role -> column, for tables whose columns have other names than those in use: ``{"doc": "chunk_id"}``;
                 roles are query, doc, score, rank, relevance, tag and iteration

    Returns a ResultTable: ``values`` float64[measures, runs, queries], ``means`` float64[measures, runs], ``table`` an
    Arrow table with run, query, measure, value. Raises ParseError, MeasureError, OptionError."""
    return evaluated(
        OFFICIAL, qrels, runs, measures, protocol=protocol, lengths=lengths, documents=documents, zscores=zscores,
        columns=columns, **fields,
    )  # fmt: skip


def evaluated(
    usual: Sequence[str],
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    lengths: Lengths | Source | Mapping[str, float] | None = None,
    documents: AnyTexts | None = None,
    zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]] | None = None,
    columns: Mapping[str, str] | None = None,
    compared: bool = False,
    **fields: Unpack[EvaluationFields],
) -> ResultTable:
    """Evaluate runs as :func:`evaluate` does; ``usual``: the measures where neither the call nor the protocol names
    any; ``compared``: those that cannot be tested are left out later, and no warning names them."""
    asked = protocol_of(protocol, "evaluate", fields, EVALUATION, ("zscores", "runs", "queries"))
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    asked = with_zscores(asked, zscores)
    options = evaluation_options(asked.rules, lengths_of(documents, lengths))
    sources = Sources(columns, stored=True)
    judgments, given_runs = sources.both(qrels, runs, evaluated=True)
    asked, all_runs = taking_part(given_runs, asked)
    sources.check()
    texts = measures_of((asked.measures or usual_measures(usual, judgments)) if measures is None else measures)
    result = evaluate_values(judgments, all_runs, texts, options)
    warn(caveats_of(result, options, [each for each in result.measures if not untestable(each)] if compared else None))
    bound = bound_to(
        asked, judgments, all_runs, ("documents", lengths), ("documents", documents),
        ("zscores", zscores), result=result,
        uses=("rules", "scope"), answers=result.answers,
    )  # fmt: skip
    result = replace(result if bound.selected is None else result.over(bound.selected), protocol=bound)
    result = with_files_of(result, given_runs)
    means = zscores if zscores is not None or not asked.rules.zscores else Path(asked.rules.zscores)
    return result if means is None else as_zscores(_zscores(means), result)


def _zscores(zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]]) -> ZScores:
    if isinstance(zscores, ZScores):
        return zscores
    return ZScores(zscores) if isinstance(zscores, Mapping) else read_zscores(Path(zscores))
