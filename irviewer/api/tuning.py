"""The public Python calls about choosing among settings and runs: files or values in, one result out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Unpack

from irviewer.analysis.tuning.fusion_sweep import STEP, SWEPT, FusionSweep
from irviewer.analysis.tuning.fusion_sweep import sweep_fusion as sweep_values
from irviewer.analysis.tuning.nested_folds import FOLDS, REPEATS
from irviewer.analysis.tuning.trade_offs import CostEffectiveness
from irviewer.analysis.tuning.trade_offs import cost_effectiveness as trade_off
from irviewer.api.evaluation import evaluate
from irviewer.api.protocols import (
    EVALUATION,
    AnyProtocol,
    bound_to,
    protocol_of,
    taking_part,
    with_files_of,
    with_measure,
)
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.evaluation.answer_cautions import refuse_nuggets_alone
from irviewer.evaluation.usual_measures import usual_measure
from irviewer.formats.attribute_tables import read_run_attributes
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import attribute_of
from irviewer.model.attributes.runs import RunAttribute, attributes_of_runs, find_attribute
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationFields, EvaluationProtocol, SeededFields
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.fusion import Normalisation
from irviewer.model.run import Run
from irviewer.translation import tr

RunAttributes = Source | Mapping[str, Mapping[str, Any]] | Sequence[RunAttribute]
"""A table's file, ``{run: {attribute: value}}``, or attributes."""


@checked
def sweep_fusion(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    normalisations: Sequence[Normalisation] = SWEPT,
    step: float = STEP,
    run_depth: int | None = None,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[SeededFields],
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

    measure         None: the primary one of the protocol, else nDCG@10
    protocol        an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    normalisations  of scores: "min-max", "z-score", "sum", "none"
    step            of the weights, which add up to 1
    run_depth       documents of each run's list that are fused; None: all
    folds, repeats  of the queries: in each fold the setting is chosen on the other queries; seeded

    The others as for evaluate(). Returns a FusionSweep: ``nested.mean`` is the out-of-fold value, ``nested.means`` are
    in-sample, ``nested.chosen`` and ``nested.counts`` say which settings the folds chose. Raises ParseError,
    MeasureError, OptionError."""
    asked = protocol_of(protocol, "sweep_fusion", fields, frozenset(SeededFields.__annotations__), ("runs", "queries"))
    asked, chosen = with_measure(asked, measure)
    judgments, given_runs = Sources().both(qrels, runs)
    asked, all_runs = taking_part(given_runs, asked)
    sweep = sweep_by(
        asked, judgments, all_runs, usual_measure(chosen, judgments), normalisations=normalisations, step=step,
        run_depth=run_depth, folds=folds, repeats=repeats, progress=progress,
    )  # fmt: skip
    return with_files_of(sweep, given_runs)


def sweep_by(
    asked: EvaluationProtocol, qrels: Qrels, runs: Sequence[Run], measure: str | Measure, *,
    normalisations: Sequence[Normalisation] = SWEPT, step: float = STEP, run_depth: int | None = None,
    folds: int = FOLDS, repeats: int = REPEATS, progress: Callable[[float], None] | None = None,
) -> FusionSweep:  # fmt: skip
    """Return the sweep of a fusion under a protocol. Raises OptionError, MeasureError."""
    refuse_nuggets_alone(tr("Fusion sweep"), qrels)
    bound = bound_to(asked, qrels, runs, uses=("rules", "scope", "seed"))
    sweep = sweep_values(
        qrels, runs, measure, evaluation_options(asked.rules), normalisations=normalisations, step=step,
        depth=run_depth, folds=folds, repeats=repeats, seed=asked.inference.seed, queries=bound.selected,
        progress=progress,
    )  # fmt: skip
    return sweep.under(bound)


@checked
def cost_effectiveness(
    qrels: AnyQrels,
    runs: AnyRuns,
    cost: str,
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    run_attributes: RunAttributes | None = None,
    **fields: Unpack[EvaluationFields],
) -> CostEffectiveness:
    """Runs by a cost (latency, parameters, price; less is better) and by a measure, with the Pareto line.

    >>> qrels = {"1": {"a": 1}}
    >>> runs = {"slow": {"1": {"a": 1.0}}, "fast": {"1": {"b": 2.0, "a": 1.0}}, "bad": {"1": {"b": 1.0}}}
    >>> times = {"slow": {"ms": 80}, "fast": {"ms": 3}, "bad": {"ms": 9}}
    >>> found = cost_effectiveness(qrels, runs, "ms", "RR", run_attributes=times)
    >>> [found.runs[place] for place in found.line]
    ['fast', 'slow']

    cost            the name of a numeric attribute
    measure         None: the primary one of the protocol, else nDCG@10
    protocol        an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    run_attributes  a file with a row a run, ``{run: {attribute: value}}``, or attributes; None: the runs' own headers
                    (ir_metadata)

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "cost_effectiveness", fields, EVALUATION, ("runs", "queries"))
    asked, chosen = with_measure(asked, measure)
    judgments, all_runs = Sources().both(qrels, runs)
    result = evaluate(judgments, all_runs, [usual_measure(chosen, judgments)], protocol=asked)
    attribute = find_attribute(attributes_from(run_attributes, all_runs), cost)
    measured = result.measures[0]
    by_cost = trade_off(result.runs, result.means[0], attribute, higher_is_better=measured.higher_is_better)
    return replace(by_cost, measure=measured.text).under(result.protocol)


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
