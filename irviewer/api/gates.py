"""The public function that decides whether a run may replace a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irviewer.analysis.statistics.gate import CONFIDENCE, Gate, parse_margin, parse_worse, run_gate
from irviewer.analysis.statistics.intervals import IntervalMethod
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.api.slices import Attributes, choose_attributes, gather_attributes
from irviewer.api.sources import AnyQrels, AnyRun, Sources
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import EvaluationOptions, MissingPolicy
from irviewer.model.workspace import Regime


def gate(
    qrels: AnyQrels,
    run: AnyRun,
    baseline: AnyRun,
    non_inferior: str | Sequence[str] = (),
    fail_if: str | Sequence[str] = (),
    *,
    by: str | Sequence[str] = (),
    query_attributes: Attributes | None = None,
    confidence: float = CONFIDENCE,
    interval: IntervalMethod = "t",
    samples: int = SAMPLES,
    seed: int = SEED,
    regime: Regime | str | None = None,
    unjudged: bool = True,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    columns: Mapping[str, str] | None = None,
) -> Gate:
    """Decide whether a run may replace a baseline, by conditions that are set in advance.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> gate(qrels, good, good, "RR > -0.01", "P@1 worse, p < .05").outcome.value
    'passed'
    >>> gate(qrels, bad, good, "RR > -0.01").outcome.value
    'failed'

    non_inferior  conditions such as "nDCG@10 > -0.01": the one-sided limit of the mean difference lies above the margin
    fail_if       conditions such as "P@1 worse, p < .05": the paired t-test, corrected by Holm over all of these
    by            attributes of the queries: each condition holds in each of their slices too
    confidence    of the one-sided limit; ``interval`` how it is made: "t", "percentile", "bca"
    regime        what it means that a document is not listed: "complete", "pooled", "sparse"; None: what it looks like
    unjudged      whether what unjudged documents leave open can make a condition undecided

    The others as for :func:`irviewer.evaluate`. Returns a Gate: ``outcome`` is passed, failed or undecided,
    ``results`` has one for each condition, with the queries that decided it. Raises ParseError, MeasureError,
    OptionError."""
    margins = [non_inferior] if isinstance(non_inferior, str) else non_inferior
    worse = [fail_if] if isinstance(fail_if, str) else fail_if
    conditions = [*map(parse_margin, margins), *map(parse_worse, worse)]
    sources = Sources(columns)
    judgments, ours, theirs = sources.qrels(qrels), sources.run(run), sources.run(baseline)
    sources.check()
    names = [by] if isinstance(by, str) else list(by)
    attributes: tuple[QueryAttribute, ...] = ()
    if names:
        ids = judgments.query_ids
        attributes = choose_attributes(gather_attributes(query_attributes, judgments, ids, level), names, ids)
    return run_gate(
        judgments, ours, theirs, conditions, EvaluationOptions(level, judged_only, depth, missing, dialect),
        attributes=attributes, confidence=confidence, interval=interval, samples=samples, seed=seed,
        regime=Regime(regime) if isinstance(regime, str) else regime, unjudged=unjudged,
    )  # fmt: skip
