"""The public functions for retrieval in stages."""

from __future__ import annotations

from irviewer.analysis.stages.find_stages import find_stages as find_values
from irviewer.analysis.stages.stages import Stages, stages_of
from irviewer.analysis.statistics.intervals import LEVEL, IntervalMethod
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.api.sources import AnyQrels, AnyRuns, Sources
from irviewer.measures.base import Measure
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import EvaluationOptions, MissingPolicy


def stages(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure = "nDCG@10",
    *,
    top: int | None = None,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    interval: IntervalMethod = "percentile",
    confidence: float = LEVEL,
    alpha: float = ALPHA,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Stages:
    """Follow the relevant documents through a first stage and the runs that re-rank it.

    >>> qrels = {"1": {"a": 1, "b": 1, "c": 1}}
    >>> first = {"1": {"x": 9.0, "a": 8.0, "b": 7.0, "y": 6.0}}
    >>> second = {"1": {"a": 9.0, "x": 8.0, "y": 7.0, "b": 6.0}}
    >>> found = stages(qrels, {"first": first, "second": second}, "P@2")
    >>> [(step.kind, step.relevant, step.lost) for step in found.steps]
    [('qrels', 3, 0), ('stored', 2, 1), ('seen', 2, 0), ('top', 1, 1)]
    >>> found.means.tolist()
    [0.5, 0.5, 1.0, 1.0]
    >>> [(document.doc_id, document.ranks, document.fate) for document in found.documents("1")]
    [('a', (2, 1), 'kept'), ('b', (3, 4), 'below'), ('c', (None, None), 'missed')]

    runs    the first stage, then the runs that re-rank it, in order
    top     the last rank of the top; None: the cutoff of the measure, or 10

    The others as for evaluate() and compare(). Returns Stages: ``steps`` is the funnel; ``means`` and ``values`` have
    the measure of each stage, of the last one's documents in ideal order, and of all judged documents in ideal order;
    ``lost`` and ``causes`` are by query, ``documents(query)`` has ranks and fates. Raises ParseError, MeasureError,
    OptionError, UndecidedError."""
    options = EvaluationOptions(level, judged_only, depth, missing, dialect)
    statistics = ComparisonOptions(("t",), "none", interval, confidence, alpha, samples=samples, seed=seed)
    sources = Sources()
    judgments, all_runs = sources.qrels(qrels), sources.runs(runs, rename=True)
    return stages_of(judgments, all_runs, measure, options, top=top, statistics=statistics)


def find_stages(runs: AnyRuns) -> list[tuple[str, str]]:
    """Return the pairs of runs of which the second re-ranks the first, by name.

    A run re-ranks another if it returns only documents of the other, in another order. Of two runs with the same
    documents, the one given first is the first stage.

    >>> first = {"1": {"x": 9.0, "a": 8.0, "b": 7.0}}
    >>> second = {"1": {"a": 9.0, "x": 8.0}}
    >>> find_stages({"second": second, "first": first})
    [('first', 'second')]"""
    all_runs = Sources().runs(runs, rename=True)
    return [(all_runs[pair.first].name, all_runs[pair.second].name) for pair in find_values(all_runs)]
