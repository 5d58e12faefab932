"""The public function that evaluates runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Source, Sources, measures_of
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate as evaluate_values
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.zscores import as_zscores
from irviewer.formats.load import load
from irviewer.formats.trec.zscores import read_zscores
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions, MissingPolicy
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores
from irviewer.translation import tr


def evaluate(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = "official",
    *,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    lengths: Lengths | Source | Mapping[str, float] | None = None,
    zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]] | None = None,
    columns: Mapping[str, str] | None = None,
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
    1 query
    run         AP    nDCG@10        P@5
    run     0.5833     0.6590     0.4000

    qrels        a file, a data frame (pandas, polars, PyArrow …), ``{query: {document: grade}}``, a Qrels, ranx' Qrels,
                 records with query_id, doc_id and relevance, or a dataset of ir_datasets
    runs         the same with scores; several of these, ``{name: run}``, a pattern such as ``runs/*.run``, or a table
                 with a column of run names
    measures     texts in ir_measures', trec_eval's or ranx's notation, groups such as "official", Measures, or measures
                 of ir_measures
    level        relevance level: the lowest relevant grade of binary measures (trec_eval -l)
    judged_only  remove unjudged documents from the rankings first (trec_eval -J)
    depth        ranks read per query (trec_eval -M)
    missing      queries of the qrels that a run lacks: "zero" counts them as 0 and names them in ``result.missing``;
                 "intersection" leaves them out; None does what the dialect does (trec_eval 10: "zero")
    dialect      the tool whose results are computed, where tools differ (ties, gains, missing queries …): "trec_eval"
                 (10), "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook", or a Dialect
    lengths      document lengths, for measures that count what is read (BudgetRecall): {document: length}, a file
                 of documents (a column such as ``tokens``, else their words), or Lengths
    zscores      means and deviations of reference runs, which turn values into Z-scores (trec_eval -Z): {(query,
                 measure): (mean, deviation)}, a file ``query measure mean deviation``, or ZScores

    columns      role -> column, for tables whose columns have other names than those in use: ``{"doc": "chunk_id"}``;
                 roles are query, doc, score, rank, relevance, tag and iteration

    Returns a ResultTable: ``values`` float64[measures, runs, queries], ``means`` float64[measures, runs], ``table`` an
    Arrow table with run, query, measure, value. Raises ParseError, MeasureError, OptionError."""
    options = EvaluationOptions(level, judged_only, depth, missing, dialect, _lengths(lengths))
    sources = Sources(columns)
    judgments, all_runs = sources.qrels(qrels), sources.runs(runs)
    sources.check()
    result = evaluate_values(judgments, all_runs, measures_of(measures), options)
    return result if zscores is None else as_zscores(_zscores(zscores), result)


def _lengths(lengths: Lengths | Source | Mapping[str, float] | None) -> Lengths | None:
    if lengths is None or isinstance(lengths, Lengths):
        return lengths
    if isinstance(lengths, Mapping):
        return Lengths(lengths)
    documents = load(Path(lengths), kind="documents").value
    if not isinstance(documents, TextTable):
        raise OptionError(tr("{file}: the file holds no documents", file=lengths))
    return Lengths(documents)


def _zscores(zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]]) -> ZScores:
    if isinstance(zscores, ZScores):
        return zscores
    return ZScores(zscores) if isinstance(zscores, Mapping) else read_zscores(Path(zscores))
