"""The public function that makes a table for a paper."""

from __future__ import annotations

from irviewer.analysis.statistics.result_comparison import ComparisonOptions, compare_measure, untestable
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.api.evaluation import evaluate
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Sources
from irviewer.errors import OptionError, UndecidedError, name_some
from irviewer.evaluation.results import ResultTable
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import MissingPolicy
from irviewer.model.qrels import Qrels
from irviewer.reports.paper_table import DECIMALS, PaperSubject, PaperTable, column_of
from irviewer.translation import tr

MEASURES = ("nDCG@10", "AP", "RR", "P@10")
"""The columns where no measures are given."""


def paper_table(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = MEASURES,
    *,
    baseline: str | int | None = 0,
    test: str = "t",
    correction: str = "holm",
    alpha: float = ALPHA,
    samples: int = SAMPLES,
    seed: int = SEED,
    collection: str = "",
    judged_by: str = "",
    decimals: int = DECIMALS,
    bold: bool = True,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
) -> PaperTable:
    """Return one table of runs and measures with daggers, the best values in bold, and a caption.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> print(paper_table(qrels, {"bad": bad, "good": good}, ["RR", "P@1"]))
    | Run | RR | P@1 |
    | :-- | --: | --: |
    | bad | 0.7500 | 0.5000 |
    | good | **1.0000**† | **1.0000**† |
    <BLANKLINE>
    Means over 40 queries, 40 judgments. Best values in bold. †: significantly better than bad (paired t-test, one \
comparison, p \\< .05).
    <BLANKLINE>

    baseline      name or index of a run; None: no tests
    test          the test that daggers are of, a name as for compare()
    collection, judged_by    names for the caption
    decimals      of each value

    The other arguments are as for compare(). The result has ``latex``, ``markdown``, ``csv``, ``html`` and ``caption``.
    Raises ParseError, MeasureError, OptionError."""
    sources = Sources()
    judgments, all_runs = sources.qrels(qrels), sources.runs(runs)
    result = evaluate(
        judgments,
        all_runs,
        measures,
        level=level,
        judged_only=judged_only,
        depth=depth,
        missing=missing,
        dialect=dialect,
    )
    options = ComparisonOptions((test,), correction, "t", alpha=alpha, samples=samples, seed=seed)
    return table_of(
        result, judgments, options, baseline=baseline, collection=collection, judged_by=judged_by, decimals=decimals,
        bold=bold,
    )  # fmt: skip


def table_of(
    result: ResultTable,
    qrels: Qrels,
    options: ComparisonOptions,
    *,
    baseline: str | int | None,
    collection: str = "",
    judged_by: str = "",
    decimals: int = DECIMALS,
    bold: bool = True,
) -> PaperTable:
    """Return the table of a result; the first test of the options decides."""
    names = result.runs
    baseline_name = "" if baseline is None or len(names) < 2 else _name(result, baseline)
    columns = []
    for measure, means in zip(result.measures, result.means, strict=True):
        if measure.is_text:
            continue
        comparison = None
        if baseline_name and not untestable(measure):
            try:
                comparison = compare_measure(result, measure, options, baseline=baseline_name)
            except UndecidedError:  # the baseline has no judged document
                baseline_name = ""
        columns.append(column_of(measure, names, means, comparison, graded=qrels.is_graded, level=result.options.level))
    remarks = []
    if any(result.missing.get(name) for name in names):
        remarks.append(_missing_remark(result))
    if result.options.judged_only:
        remarks.append(tr("Unjudged documents are left out."))
    subject = PaperSubject(
        collection, len(result.query_ids), judgments=len(qrels), judged_by=judged_by, remarks=tuple(remarks)
    )
    return PaperTable(names, tuple(columns), subject, baseline_name, options.alpha, decimals, bold)


def _missing_remark(result: ResultTable) -> str:
    if result.options.missing_policy == "zero":
        return tr("Queries that a run lacks count as 0.")
    return tr("Each mean is over the queries that the run has.")


def _name(result: ResultTable, baseline: str | int) -> str:
    """Return the name of a run, given by name or index. Raises OptionError."""
    if isinstance(baseline, int):
        if not -len(result.runs) <= baseline < len(result.runs):
            raise OptionError(
                tr("there is no run number {number}; number of runs: {runs}", number=baseline, runs=len(result.runs))
            )
        return result.runs[baseline]
    if baseline not in result.runs:
        raise OptionError(
            tr("there is no run {run} for the baseline; choose one of {runs}", run=baseline,
               runs=name_some(result.runs))
        )  # fmt: skip
    return baseline
