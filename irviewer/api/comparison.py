"""The public function that compares runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irviewer.analysis.statistics.bayes import ROPE, BayesMethod
from irviewer.analysis.statistics.intervals import LEVEL, IntervalMethod
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, ComparisonTable, compare_results
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.significance.test_results import TESTS, Step
from irviewer.api.evaluation import evaluate
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import MissingPolicy


def compare(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = ("AP", "nDCG@10"),
    *,
    baseline: str | int | None = None,
    pairs: bool = False,
    tests: str | Sequence[str] = ("t",),
    correction: str = "holm",
    interval: IntervalMethod = "percentile",
    confidence: float = LEVEL,
    alpha: float = ALPHA,
    samples: int = SAMPLES,
    seed: int = SEED,
    rope: float = ROPE,
    bayes: BayesMethod = "t",
    tie: float = 0.0,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    chosen_after_looking: bool = False,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    progress: Step | None = None,
    columns: Mapping[str, str] | None = None,
) -> ComparisonTable:
    """Compare runs query by query, each with a baseline or all pairs.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> result = compare(qrels, {"good": good, "bad": bad}, "RR", baseline="bad")
    >>> result["RR"].find("good").wins
    20
    >>> print(result["RR"].find("good").conclusion)
    good is better on 20 queries, equal on 20, worse on 0; the mean difference .2500 [.1750, .3250]: the test shows a \
difference (paired t-test: p < .001)

    runs          several runs as evaluate() takes them: files, a pattern, data frames, ``{name: run}`` …
    baseline      name or index of a run; None: the first
    pairs         compare all pairs instead
    tests         of "t", "wilcoxon", "wilcoxon-pratt", "sign", "randomisation", "tukey", "tukey-randomised", or "all";
                  the first decides: conclusions, marks and letters use it. "t" is always included
    correction    for multiple comparisons: "holm", "bonferroni", "bh", "none"
    interval, confidence    of means and differences: "bca", "percentile", "t"
    alpha         significance level of the corrected p-values
    samples, seed random samples; the same seed gives the same values
    rope, bayes   half the region of practical equivalence, and the posterior: "t", "bootstrap"
    tie           differences up to that size count as ties among wins and losses
    queries       only these; set ``chosen_after_looking`` if the results led to the choice
    weights       query -> weight: also compute weighted means and intervals
    progress      called with the share done, 0..1

    ``measures``, ``level``, ``judged_only``, ``depth``, ``missing``, ``dialect`` and ``columns`` as for evaluate().
    Returns a ComparisonTable: ``table[measure]`` is a Comparison, its ``find(run, other)`` a RunComparison with
    ``conclusion``, ``tests`` (each with a ``sentence``), ``interval``, ``effects``, ``posterior``, ``power()``;
    ``warnings`` and ``looked_at`` list warnings and the tests that were run. Raises ParseError, MeasureError,
    OptionError."""
    names = (tests,) if isinstance(tests, str) else tuple(tests)
    options = ComparisonOptions(
        tuple(TESTS) if names == ("all",) else names, correction, interval, confidence, alpha,
        samples=samples, seed=seed, rope=rope, bayes=bayes, tie=tie,
    )  # fmt: skip
    result = evaluate(
        qrels, runs, measures, level=level, judged_only=judged_only, depth=depth, missing=missing, dialect=dialect,
        columns=columns,
    )  # fmt: skip
    return compare_results(
        result, None, options, baseline=baseline, pairs=pairs, queries=queries, weights=weights,
        chosen_after_looking=chosen_after_looking, progress=progress,
    )  # fmt: skip
