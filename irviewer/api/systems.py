"""The public functions for all runs: the stability of their order, the agreement of measures, means by query set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from irviewer.analysis.similarity.measure_agreement import Agreement, Correlation, agreement
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.series_average import SetMeans
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.significance.test_results import Step
from irviewer.analysis.statistics.stability import Stability
from irviewer.analysis.statistics.systems import means_of_sets, stability_of
from irviewer.api.evaluation import evaluate
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.protocol import MissingPolicy


def ranking_stability(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure = "nDCG@10",
    *,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = LEVEL,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    progress: Step | None = None,
) -> Stability:
    """Return the stability of the order of runs: ranks and first places in bootstrap samples of the queries.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> found = ranking_stability(qrels, {"bad": bad, "good": good}, "RR")
    >>> found.runs, found.first.tolist(), found.rank.tolist()
    (('bad', 'good'), [0.0, 1.0], [2.0, 1.0])

    queries, weights   only these; query -> weight, for the order of weighted means
    samples, seed      random samples; ``confidence`` is the share of samples with ranks from ``low`` to ``high``

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError."""
    result = _evaluated(qrels, runs, measure, level, judged_only, depth, missing, dialect)
    return stability_of(
        result, measure, queries=queries, weights=weights, samples=samples, seed=seed, level=confidence,
        progress=progress,
    )  # fmt: skip


def measure_agreement(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = ("AP", "nDCG@10", "P@10", "RR"),
    by: Correlation = "kendall",
    *,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
) -> Agreement:
    """Return the agreement of measures: the correlation of their means over the runs, for each pair of measures.

    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {name: {"1": {d: -float(n) for n, d in enumerate(order)}} for name, order in
    ...         {"one": "abxy", "two": "axxb", "three": "xyab"}.items()}
    >>> measure_agreement(qrels, runs, ["AP", "RR"]).values.round(3).tolist()
    [[1.0, 0.816], [0.816, 1.0]]

    by   "kendall" (tau-b), "pearson" (r), "tau-ap" (the mean of both directions)

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError."""
    return agreement(_evaluated(qrels, runs, measures, level, judged_only, depth, missing, dialect), by)


def set_means(
    qrels: AnyQrels,
    runs: AnyRuns,
    sets: Mapping[str, Iterable[str]],
    measure: str | Measure = "nDCG@10",
    *,
    weights: Mapping[str, float] | None = None,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
) -> SetMeans:
    """Return the means of query sets (name -> queries), with their macro average (every set has the same weight) and
    their micro average (every query in a set has the same weight, once).

    >>> qrels = {q: {"a": 1} for q in "123"}
    >>> run = {"1": {"a": 1.0}, "2": {"b": 2.0, "a": 1.0}, "3": {"b": 2.0, "a": 1.0}}
    >>> found = set_means(qrels, {"run": run}, {"easy": ["1"], "hard": ["2", "3"]}, "RR")
    >>> found.means.tolist(), found.macro.tolist(), found.micro.round(3).tolist()
    ([[1.0], [0.5]], [0.75], [0.667])

    weights   query -> weight, for means over queries; a query without a weight counts 0

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError, and
    UndecidedError where the qrels know nothing of a run."""
    result = _evaluated(qrels, runs, measure, level, judged_only, depth, missing, dialect)
    return means_of_sets(result, measure, sets, weights=weights)


def _evaluated(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures,
    level: float,
    judged_only: bool,
    depth: int | None,
    missing: MissingPolicy | None,
    dialect: str | Dialect,
) -> ResultTable:
    return evaluate(
        qrels, runs, measures, level=level, judged_only=judged_only, depth=depth, missing=missing, dialect=dialect
    )
