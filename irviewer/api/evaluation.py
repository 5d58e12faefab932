"""The public Python calls that take files or values: read qrels and runs, evaluate them.

What they return are the model's own frozen values; nothing here computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate as evaluate_values
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.zscores import as_zscores
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.load import Cached, load
from irviewer.formats.trec.zscores import read_zscores
from irviewer.measures.base import Measure
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions, MissingPolicy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores

Source = str | PathLike[str]


def read_qrels(
    path: Source,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
) -> Qrels:
    """Qrels from a file. ``duplicates`` says what happens to a document judged twice for a query: "refuse", "first",
    "last" or "best" (the higher grade). ``format`` overrules what the content says (``irviewer formats`` lists the
    names). Raises ParseError with file, line, the text and the reason."""
    found = load(Path(path), kind="qrels", name=name, duplicates=duplicates, format=format)
    return found.value  # type: ignore[return-value]


def read_run(
    path: Source,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    cached: bool = True,
) -> Run:
    """A run from a file, its documents in rank order (score descending, ties by document id descending as bytes, as
    trec_eval ranks). ``duplicates`` and ``format`` as in :func:`read_qrels`, "best" keeping the higher score.
    ``cached`` takes the columns that were kept of a large file, where it has not changed since, and keeps those of one
    that is read for the second time. Raises ParseError."""
    use: Cached = "use" if cached else "no"
    found = load(Path(path), kind="run", name=name, duplicates=duplicates, format=format, cached=use, account=False)
    return found.value  # type: ignore[return-value]


def evaluate(
    qrels: Qrels | Source | Mapping[str, Mapping[str, float]],
    runs: Run | Source | Mapping[str, Any] | Sequence[Run | Source],
    measures: str | Measure | Sequence[str | Measure] = "official",
    *,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    lengths: Lengths | Source | Mapping[str, float] | None = None,
    zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]] | None = None,
) -> ResultTable:
    """Evaluate one or several runs, given as values or as files.

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

    runs         a file, ``{query: {document: score}}``, a Run, several of these, or ``{name: run}``
    measures     texts in ir_measures', trec_eval's or ranx's notation, groups such as "official", or Measures
    level        least grade that counts as relevant for binary measures (trec_eval -l)
    judged_only  remove unjudged documents first (trec_eval -J)
    depth        documents kept a query (trec_eval -M)
    missing      queries of the qrels that a run lacks: "zero" counts them as 0 and names them in ``result.missing``;
                 "intersection" leaves them out; None does what the dialect does (trec_eval 10: "zero")
    dialect      whose rules hold where tools disagree (ties, gains, missing queries …): "trec_eval" (10),
                 "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook", or a Dialect
    lengths      how long documents are, for measures that count what is read (BudgetRecall): {document: length}, a file
                 of documents (a column such as ``tokens``, else their words), or Lengths
    zscores      means and deviations of reference runs, which make every value a Z-score (trec_eval -Z): {(query,
                 measure): (mean, deviation)}, a file ``query measure mean deviation``, or ZScores

    Returns a ResultTable: ``values`` float64[measures, runs, queries], ``means`` float64[measures, runs], ``table`` an
    Arrow table with run, query, measure, value. Raises ParseError, MeasureError, OptionError."""
    options = EvaluationOptions(level, judged_only, depth, missing, dialect, _lengths(lengths))
    every = as_runs(runs)
    wanted = [measures] if isinstance(measures, str | Measure) else list(measures)
    found = evaluate_values(as_qrels(qrels), every, wanted, options)
    return found if zscores is None else as_zscores(_zscores(zscores), found)


def as_runs(runs: Run | Source | Mapping[str, Any] | Sequence[Run | Source]) -> list[Run]:
    """Runs from what :func:`evaluate` takes: files, ``{query: {document: score}}``, Runs, or ``{name: run}``. Raises
    ParseError."""
    if isinstance(runs, Mapping) and _are_named(runs):
        return [_run(one).renamed(str(name)) for name, one in runs.items()]
    if isinstance(runs, Run | str | PathLike | Mapping):
        return [_run(runs)]
    return [_run(each) for each in runs]


def as_qrels(qrels: Qrels | Source | Mapping[str, Mapping[str, float]]) -> Qrels:
    """Qrels from a file, ``{query: {document: grade}}`` or Qrels. Raises ParseError."""
    if isinstance(qrels, Qrels):
        return qrels
    return Qrels.from_dict(qrels) if isinstance(qrels, Mapping) else read_qrels(qrels)


def _are_named(runs: Mapping[str, Any]) -> bool:
    """Whether these are runs by their names, ``{name: {query: {document: score}}}`` or files or Runs, and not one."""
    first = next(iter(runs.values()), None)
    if isinstance(first, Mapping):
        return any(isinstance(one, Mapping) for one in first.values())
    return isinstance(first, Run | str | PathLike)


def _lengths(lengths: Lengths | Source | Mapping[str, float] | None) -> Lengths | None:
    if lengths is None or isinstance(lengths, Lengths):
        return lengths
    if isinstance(lengths, Mapping):
        return Lengths(lengths)
    documents = load(Path(lengths), kind="documents").value
    if not isinstance(documents, TextTable):
        raise OptionError(f"{lengths}: these are no documents")
    return Lengths(documents)


def _zscores(zscores: ZScores | Source | Mapping[tuple[str, str], tuple[float, float]]) -> ZScores:
    if isinstance(zscores, ZScores):
        return zscores
    return ZScores(zscores) if isinstance(zscores, Mapping) else read_zscores(Path(zscores))


def _run(run: Run | Source | Mapping[str, Mapping[str, float]]) -> Run:
    if isinstance(run, Run):
        return run
    return Run.from_dict(run) if isinstance(run, Mapping) else read_run(run)
