"""The public Python calls about choosing among settings and runs: files or values in, one result out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.analysis.tuning.fusion_sweep import STEP, SWEPT, FusionSweep
from irviewer.analysis.tuning.fusion_sweep import sweep_fusion as sweep_values
from irviewer.analysis.tuning.nested_folds import FOLDS, REPEATS
from irviewer.analysis.tuning.trade_offs import CostEffectiveness
from irviewer.analysis.tuning.trade_offs import cost_effectiveness as trade_off
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.attribute_tables import read_run_attributes
from irviewer.measures.base import Measure
from irviewer.model.attributes.queries import attribute_of
from irviewer.model.attributes.runs import RunAttribute, attributes_of_runs, find_attribute
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
from irviewer.model.rankings.fusion import Normalisation
from irviewer.model.run import Run

RunAttributes = Source | Mapping[str, Mapping[str, Any]] | Sequence[RunAttribute]
"""A table's file, ``{run: {attribute: value}}``, or attributes."""


def sweep_fusion(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure = "nDCG@10",
    *,
    normalisations: Sequence[Normalisation] = SWEPT,
    step: float = STEP,
    run_depth: int | None = None,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = SEED,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    progress: Callable[[float], None] | None = None,
) -> FusionSweep:
    """Fuse runs with every weight and normalisation, and say what choosing among them is worth.

    >>> qrels = {str(q): {"a": 1} for q in range(10)}
    >>> one = {str(q): {"a": 2.0, "b": 1.0} for q in range(10)}
    >>> two = {str(q): {"b": 2.0, "a": 1.0} for q in range(10)}
    >>> found = sweep_fusion(qrels, {"one": one, "two": two}, "RR", normalisations=["min-max"], step=0.5)
    >>> [setting.weights for setting in found.settings], found.nested.means.tolist()
    ([(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)], [1.0, 0.5, 0.5])
    >>> found.nested.mean
    1.0

    normalisations  of scores: "min-max", "z-score", "sum", "none"
    step            of the weights, which add up to 1
    run_depth       documents of each run's list that are fused; None: all
    folds, repeats  of the queries: in each fold the setting is chosen on the other queries; seeded

    The others as for evaluate(). Returns a FusionSweep: ``nested.mean`` is the out-of-fold value, ``nested.means`` are
    in-sample, ``nested.chosen`` and ``nested.counts`` say which settings the folds chose. Raises ParseError,
    MeasureError, OptionError."""
    sources = Sources()
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    options = EvaluationOptions(level, judged_only, depth, missing, dialect)
    return sweep_values(
        judgments, all_runs, measure, options, normalisations=normalisations, step=step, depth=run_depth, folds=folds,
        repeats=repeats, seed=seed, progress=progress,
    )  # fmt: skip


def cost_effectiveness(
    qrels: AnyQrels,
    runs: AnyRuns,
    cost: str,
    measure: str | Measure = "nDCG@10",
    *,
    run_attributes: RunAttributes | None = None,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
) -> CostEffectiveness:
    """Runs by a cost (latency, parameters, price; less is better) and by a measure, with the Pareto line.

    >>> qrels = {"1": {"a": 1}}
    >>> runs = {"slow": {"1": {"a": 1.0}}, "fast": {"1": {"b": 2.0, "a": 1.0}}, "bad": {"1": {"b": 1.0}}}
    >>> times = {"slow": {"ms": 80}, "fast": {"ms": 3}, "bad": {"ms": 9}}
    >>> found = cost_effectiveness(qrels, runs, "ms", "RR", run_attributes=times)
    >>> [found.runs[place] for place in found.line]
    ['fast', 'slow']

    cost            the name of a numeric attribute
    run_attributes  a file with a row a run, ``{run: {attribute: value}}``, or attributes; None: the runs' own headers
                    (ir_metadata)

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError."""
    sources = Sources()
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    options = EvaluationOptions(level, judged_only, depth, missing, dialect)
    result = evaluate(judgments, all_runs, [measure], options)
    attribute = find_attribute(attributes_from(run_attributes, all_runs), cost)
    return trade_off(
        result.runs, result.means[0], attribute, higher_is_better=result.measures[0].higher_is_better
    )  # fmt: skip


def attributes_from(source: RunAttributes | None, runs: Sequence[Run]) -> tuple[RunAttribute, ...]:
    """Return the attributes of a source, or of the runs' headers where there is none. Raises ParseError."""
    if source is None:
        return attributes_of_runs(runs)
    if isinstance(source, str | PathLike):
        return read_run_attributes(str(source))
    if not isinstance(source, Mapping):
        return tuple(source)
    attributes = []
    for name in dict.fromkeys(name for values in source.values() for name in values):
        attribute = attribute_of(name, {run: values.get(name) for run, values in source.items()})
        if attribute is not None:
            attributes.append(RunAttribute(name, attribute.kind, attribute.values))
    return tuple(attributes)
