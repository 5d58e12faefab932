"""The public functions for retrieval in stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from irviewer.analysis.stages.find_stages import find_stages as find_values
from irviewer.analysis.stages.stages import Stages, stages_of
from irviewer.analysis.statistics.result_comparison import comparison_options
from irviewer.api.attributes import Attributes, given_attributes
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    UNIT,
    AnyProtocol,
    bound_to,
    protocol_of,
    taking_part,
    with_files_of,
    with_measure,
)
from irviewer.api.sources import AnyQrels, AnyRuns, Sources
from irviewer.evaluation.answer_cautions import refuse_answers, refuse_nuggets_alone
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.usual_measures import usual_measure
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ComparisonFields, EvaluationProtocol
from irviewer.model.protocol_line import BY_UNIT
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr
from irviewer.views.stages import family_under


@checked
def stages(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    *,
    top: int | None = None,
    protocol: AnyProtocol | None = None,
    baseline: str | None = None,
    query_attributes: Attributes | None = None,
    **fields: Unpack[ComparisonFields],
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
    protocol    an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    baseline    a run; None: that of the protocol, else the run called baseline or BM25, else the first

    The last difference has the p of the declared comparisons, corrected over them, if the baseline is the first stage;
    else it is a comparison of its own. The others as for evaluate() and compare().

    Returns Stages: ``steps`` is the funnel; ``means`` and ``values`` have
    the measure of each stage, of the last one's documents in ideal order, and of all judged documents in ideal order;
    ``lost`` and ``causes`` are by query, ``documents(query)`` has ranks and fates. Raises ParseError, MeasureError,
    OptionError, UndecidedError."""
    asked = protocol_of(protocol, "stages", fields, EVALUATION | INFERENCE | UNIT, ("queries", "runs", "baseline"))
    if baseline is not None:
        asked = asked.but(baseline=baseline)
    sources = Sources()
    judgments, all_runs = sources.both(qrels, runs)
    asked, taken = taking_part(all_runs, asked)
    asked, chosen = with_measure(asked, measure)
    followed, bound = follow_stages(
        judgments, taken, usual_measure(chosen, judgments), asked, top=top, query_attributes=query_attributes
    )
    return with_files_of(followed.under(bound), all_runs)


def follow_stages(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure,
    asked: EvaluationProtocol,
    *,
    top: int | None = None,
    query_attributes: Attributes | None = None,
) -> tuple[Stages, BoundProtocol]:
    """Return the stages, and the protocol that they follow bound to these runs, which are the declared family. Raises
    OptionError, MeasureError, UndecidedError."""
    refuse_nuggets_alone(tr("Stages"), qrels)
    refuse_answers(tr("Stages"), measure)
    options = evaluation_options(asked.rules)
    result = evaluate(qrels, runs, [measure], options)
    result.check_matched()
    bound = bound_to(
        asked, qrels, runs, ("attributes", query_attributes), result=result, primary=str(measure), uses=BY_UNIT,
        attributes=given_attributes(query_attributes),
    )  # fmt: skip
    statistics = comparison_options(bound.protocol.inference, units=bound.units, looked=bound.looked)
    family = family_under(result, bound)
    queries = None if bound.selected is None else frozenset(bound.selected)
    followed = stages_of(qrels, runs, measure, options, top=top, statistics=statistics, queries=queries, family=family)
    return followed, bound


@checked
def find_stages(runs: AnyRuns) -> list[tuple[str, str]]:
    """Return the pairs of runs of which the second re-ranks the first, by name.

    A run re-ranks another if it returns only documents of the other, in another order. Of two runs with the same
    documents, the one given first is the first stage.

    >>> first = {"1": {"x": 9.0, "a": 8.0, "b": 7.0}}
    >>> second = {"1": {"a": 9.0, "x": 8.0}}
    >>> find_stages({"second": second, "first": first})
    [('first', 'second')]"""
    all_runs = Sources().runs(runs)
    return [(all_runs[pair.first].name, all_runs[pair.second].name) for pair in find_values(all_runs)]
