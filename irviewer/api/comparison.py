"""The public Python call that compares runs: files or values in, comparisons out. Nothing here computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irviewer.analysis.statistics.bayes import ROPE, BayesMethod
from irviewer.analysis.statistics.intervals import LEVEL, IntervalMethod
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, ComparisonTable, compare_results
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.test_results import TESTS, Step
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
    >>> found = compare(qrels, {"good": good, "bad": bad}, "RR", baseline="bad")
    >>> found["RR"].find("good").wins
    20
    >>> print(found["RR"].find("good").verdict)
    good is better on 20 queries, equal on 20, worse on 0; the mean difference .2500 [.1750, .3250]: the test shows a \
difference (paired t-test: p < .001)

    runs          several runs as evaluate() takes them: files, a pattern, data frames, ``{name: run}`` …
    baseline      a run's name or place; the first, where none is said
    pairs         all pairs instead
    tests         of "t", "wilcoxon", "wilcoxon-pratt", "sign", "randomisation", "tukey", "tukey-randomised", or "all";
                  the first decides: verdicts, marks and letters are of it. "t" is always there
    correction    for many comparisons: "holm", "bonferroni", "bh", "none"
    interval, confidence    of means and differences: "bca", "percentile", "t"
    alpha         the corrected p-value below which a difference counts as shown
    samples, seed of what is drawn; the same seed gives the same numbers
    rope, bayes   half the region of practical equivalence, and the posterior: "t", "bootstrap"
    tie           differences up to that size count as ties among wins and losses
    queries       only these; say ``chosen_after_looking`` where results led to the choice
    weights       query -> weight: weighted means and intervals beside the plain ones
    progress      called with the share that is done, 0..1

    ``measures``, ``level``, ``judged_only``, ``depth``, ``missing``, ``dialect`` and ``columns`` as for evaluate().
    Returns a ComparisonTable: ``table[measure]`` is a Comparison, its ``find(run, other)`` a RunComparison with
    ``verdict``, ``tests`` (each with a ``sentence``), ``interval``, ``effects``, ``posterior``, ``power()``;
    ``warnings`` and ``looked_at`` say what has to be told. Raises ParseError, MeasureError, OptionError."""
    asked = (tests,) if isinstance(tests, str) else tuple(tests)
    options = ComparisonOptions(
        tuple(TESTS) if asked == ("all",) else asked, correction, interval, confidence, alpha,
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
