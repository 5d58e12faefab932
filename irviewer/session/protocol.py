"""The protocol of what is in view: the choices of a state as the one value that every answer declares.

What views, reports and files of the window compute is under this protocol, and they show its line."""

from __future__ import annotations

from typing import Any

from irviewer.evaluation.bind import BoundProtocol, bind
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import DEFAULTS, PRESET, EvaluationProtocol, QuerySelection
from irviewer.model.workspace import Collection, JudgmentSet
from irviewer.session.comparison.options import PRESET as PRESET_STATISTICS
from irviewer.session.comparison.options import StatisticsOptions
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.state import Choices, State
from irviewer.translation import tr

STATISTICS = {
    "test": "test", "zeros": "zeros", "tukey": "tukey", "correction": "correction", "alpha": "alpha",
    "interval": "interval", "level": "confidence", "samples": "samples", "seed": "seed", "rope": "smallest",
}  # fmt: skip
"""The options of statistics -> their fields in the protocol."""


def inference_fields(statistics: StatisticsOptions) -> dict[str, Any]:
    """Return the fields of a protocol that options of statistics change; what has its default is not declared."""
    return {
        place: getattr(statistics, name)
        for name, place in STATISTICS.items()
        if getattr(statistics, name) != getattr(PRESET_STATISTICS, name)
    }


def rules_fields(options: EvaluationOptions, *, judged_only: bool) -> dict[str, Any]:
    """Return the fields of a protocol that options of an evaluation change. ``judged_only`` is what the user chose: the
    options of a context whose runs were condensed before do not say it."""
    values = {
        "level": options.level, "dialect": options.dialect, "missing": options.missing, "depth": options.depth,
        "judged_only": judged_only,
    }  # fmt: skip
    return {name: value for name, value in values.items() if value != DEFAULTS[name]}


def protocol_of(
    context: EvaluationContext, statistics: StatisticsOptions, options: EvaluationOptions
) -> EvaluationProtocol:
    """Return the protocol of a collection in view. Its baseline is declared only if the user chose it."""
    choices, judgments = context.choices, context.judgments
    fields = rules_fields(options, judged_only=context.judged_only) | inference_fields(statistics)
    fields["measures"] = (str(context.measure),)
    if judgments is not None and judgments.regime.value != DEFAULTS["unjudged"]:
        fields["unjudged"] = judgments.regime.value
    chosen = None if choices.baseline is None else context.collection.run(choices.baseline)
    if chosen is not None and not chosen.is_copy:
        fields["baseline"] = chosen.name
    if context.query_set is not None:
        fields["queries"] = QuerySelection(context.query_set.name, looked=context.query_set.looked)
    if context.collection.weights is not None:
        fields["weights"] = context.collection.weights.how or tr("given weights")
    if choices.zscores and context.collection.zscores is not None:
        fields["zscores"] = context.collection.zscores.name
    return PRESET.but(**fields)


def of_collection(
    collection: Collection, choices: Choices, judgments: JudgmentSet, state: State
) -> EvaluationProtocol:  # fmt: skip
    """Return the protocol of one of several collections that are compared; their systems have no baseline yet."""
    options = state.options
    fields = rules_fields(options, judged_only=options.judged_only) | inference_fields(state.statistics)
    fields["measures"] = (str(state.measure),)
    if judgments.regime.value != DEFAULTS["unjudged"]:
        fields["unjudged"] = judgments.regime.value
    chosen = collection.query_set(choices.query_set) if choices.query_set else None
    if chosen is not None:
        fields["queries"] = QuerySelection(chosen.name, looked=chosen.looked)
    return PRESET.but(**fields)


def bound_protocol(
    context: EvaluationContext, statistics: StatisticsOptions, options: EvaluationOptions
) -> BoundProtocol:
    """Return the protocol of a collection in view, bound to its runs and queries."""
    collection, judgments = context.collection, context.judgments
    unmatched = context.unmatched
    return bind(
        protocol_of(context, statistics, options),
        [entry.name for entry in collection.runs],
        context.query_ids if judgments is not None else (),
        copies=[place for place, entry in enumerate(collection.runs) if entry.is_copy],
        undecided=[place for place, entry in enumerate(collection.runs) if entry.key in unmatched],
        sets=collection.query_sets,
        graded=None if judgments is None else judgments.qrels.max_grade > 1,
    )
