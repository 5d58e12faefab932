"""The protocol of a public function: a value or a file, with the fields that keywords change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from irviewer.api.sources import measure_of
from irviewer.errors import OptionError
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bind import (
    BoundProtocol,
    bind,
    check_takes_part,
    deciding,
    present_runs,
    refuse_fields,
    with_whole_names,
)
from irviewer.evaluation.evaluate import missing_by_run
from irviewer.evaluation.results import ResultTable
from irviewer.formats.data_files import files_read, in_order
from irviewer.formats.protocol_file import read_protocol
from irviewer.formats.query_sets import read_query_sets, read_query_weights
from irviewer.measures.base import Measure
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.exported import Exported
from irviewer.model.protocol import (
    PLACES,
    PRESET,
    EvaluationFields,
    EvaluationProtocol,
    InferenceFields,
    QuerySelection,
    ValueFields,
    test_fields,
)
from irviewer.model.protocol_line import SECTIONS
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, QueryWeights
from irviewer.model.run import Run
from irviewer.model.run_names import further_names
from irviewer.translation import tr

AnyProtocol = EvaluationProtocol | str | PathLike[str]
"""A protocol, or the file of one."""
_Result = TypeVar("_Result", bound=Exported)
VALUES = frozenset(ValueFields.__annotations__)
EVALUATION = VALUES | frozenset(EvaluationFields.__annotations__)
INFERENCE = frozenset(InferenceFields.__annotations__)
UNIT = frozenset({"unit"})
DRAWN = ("confidence", "samples", "seed")
"""The fields of intervals that are drawn at random, by one method only."""
_ALWAYS = {"measures", "unjudged", "unit", "looks", "epsilon"}
"""Fields that no function refuses here: unit and looks are refused when a protocol is bound, ε is of a judge’s page."""


def protocol_of(
    protocol: AnyProtocol | None, function: str, fields: Mapping[str, Any], keywords: Collection[str],
    also: Collection[str] = (),
) -> EvaluationProtocol:  # fmt: skip
    """Return the protocol of a call: what is given replaces every default, and ``fields`` change single ones.

    fields    ``test`` may name a form of the test too: "wilcoxon-pratt" is ``zeros="pratt"``
    keywords  the fields that the function has keywords for, ``also`` others that it follows

    Raises TypeError for another keyword, ParseError for a file, OptionError for a value that is not valid and for a
    field that the numbers depend on, but that the function cannot follow."""
    unknown = [name for name in fields if name not in keywords]
    if unknown:
        raise TypeError(f"{function}() got an unexpected keyword argument {unknown[0]!r}")
    test = fields.get("test")
    if isinstance(test, str):
        fields = {**test_fields(test), **{name: value for name, value in fields.items() if name != "test"}}
    base = PRESET if protocol is None else protocol
    asked = (base if isinstance(base, EvaluationProtocol) else read_protocol(Path(base))).but(**fields)
    tests = "test" in keywords
    refused = {
        name for name, place in PLACES.items() if tests or not (place.startswith("inference.") or name == "baseline")
    }  # fmt: skip
    refuse_fields(asked, refused - {*keywords, *also, *_ALWAYS}, f"irviewer.{function}()")
    return asked


def with_measure(protocol: EvaluationProtocol, measure: Any) -> tuple[EvaluationProtocol, str | Measure | None]:
    """Return the protocol with the one measure of a call, and that measure; without it the protocol, and its primary
    measure, None where nobody names any: :func:`usual_measure` takes one by the judgments then."""
    if measure is None:
        return protocol, deciding(protocol.measures) or None
    return with_measures(protocol, [measure_of(measure)]), measure_of(measure)


def with_measures(protocol: EvaluationProtocol, measures: Sequence[str | Measure] | None) -> EvaluationProtocol:
    """Return the protocol with the measures of a call, or its own without them."""
    if measures is None:
        return protocol
    return protocol.but(measures=tuple(dict.fromkeys(str(measure) for measure in measures)))


def with_queries(
    protocol: EvaluationProtocol, queries: Sequence[str] | None, looked: bool = False
) -> EvaluationProtocol:
    """Return the protocol with the queries of a call, ``looked`` if the results led to the choice; its own without
    them. Raises OptionError for an empty list, and for one text."""
    if queries is None:
        return protocol
    if isinstance(queries, str):
        raise OptionError(tr("queries is the text {text!r}; give a list of query ids", text=queries))
    ids = tuple(queries)
    if not ids:
        raise OptionError(tr("the list of queries is empty; give query ids, or None for all queries"))
    return protocol.but(queries=QuerySelection(ids=ids, looked=looked))


def refuse_below_one(**numbers: int | None) -> None:
    """Raise OptionError for a number of a call that is given, by its name, and not 1 or more."""
    for name, number in numbers.items():
        if number is not None and not number >= 1:
            raise OptionError(tr("{option} is {number}; it must be 1 or more", option=name, number=number))


def with_zscores(protocol: EvaluationProtocol, given: object) -> EvaluationProtocol:
    """Return the protocol with the means and deviations of a call, by the name of their file, or as given values; its
    own without them."""
    if given is None:
        return protocol
    file = given if isinstance(given, str | PathLike) else getattr(given, "origin", "")
    return protocol.but(zscores=str(file) or tr("given values"))


def taking_part(runs: Sequence[Run], protocol: EvaluationProtocol) -> tuple[EvaluationProtocol, list[Run]]:
    """Return the protocol with whole names of runs, and the runs that it names, all if it names none; a name that no
    run has is refused when the protocol is bound. Raises OptionError for a name of several."""
    protocol = with_whole_names(protocol, [run.name for run in runs], further_names(runs))
    named = set(protocol.scope.runs).intersection(run.name for run in runs)
    return protocol, [run for run in runs if not named or run.name in named]


def of_single_runs(asked: EvaluationProtocol, runs: Sequence[Run]) -> EvaluationProtocol:
    """Return the protocol of an answer about single runs, which names no others. Raises OptionError for one that the
    protocol leaves out."""
    names = [run.name for run in runs]
    asked, places = present_runs(asked, names, further_names(runs))
    for place, name in enumerate(names):
        check_takes_part(name, places, place)
    return asked


def with_files_of(result: _Result, read: Sequence[Run]) -> _Result:
    """Return a result whose protocol names the files of all runs that were read, also of those that it leaves out."""
    bound: BoundProtocol = result.protocol
    return result.under(replace(bound, files=in_order([*files_read(None, read), *bound.files])))


def named_as_in(protocol: EvaluationProtocol, result: ResultTable) -> EvaluationProtocol:
    """Return the protocol with its runs and its baseline as the protocol of a result names them, which is made of the
    same."""
    assert result.protocol is not None
    scope = result.protocol.protocol.scope
    return replace(protocol, scope=replace(protocol.scope, runs=scope.runs, baseline=scope.baseline))


def query_sets(protocol: EvaluationProtocol) -> Sequence[QuerySet]:
    """Return the query sets of the file that a protocol names; () without one. Raises ParseError."""
    return read_query_sets(protocol.scope.queries.file) if protocol.scope.queries.file else ()


def query_weights(protocol: EvaluationProtocol) -> QueryWeights | None:
    """Return the weights in the file that a protocol names; None without weights. Raises ParseError, and OptionError
    for a column of the queries, which only the window has."""
    weights = protocol.scope.weights
    if weights.name:
        raise OptionError(
            tr("weights: the column {name} of the queries is known in the window only; name a file of weights instead",
               name=weights.name)
        )  # fmt: skip
    return read_query_weights(weights.file) if weights else None


def weights_read(protocol: EvaluationProtocol) -> QueryWeights | None:
    """Return the weights in the file that a protocol names, for views, which refuse a column of the queries where they
    would follow it; None without a file. Raises ParseError."""
    return read_query_weights(protocol.scope.weights.file) if protocol.scope.weights.file else None


def bound_to(
    asked: EvaluationProtocol, qrels: Qrels | None, runs: Sequence[Run], *more: tuple[str, Any],
    result: ResultTable | None = None, query_ids: Sequence[str] | None = None,
    sets: Sequence[QuerySet] | Mapping[str, QuerySet] | None = None, uses: tuple[str, ...] = SECTIONS,
    pins: Mapping[str, tuple[Any, str]] | None = None, undecided: Collection[int] = (), primary: str = "",
    answers: AnswerSources | None = None, measured: Sequence[Measure] = (),
    attributes: Sequence[QueryAttribute] | Callable[[], Sequence[QueryAttribute]] = (),
) -> BoundProtocol:  # fmt: skip
    """Return the protocol of a call, bound to qrels and runs that were read, with their files.

    more       further files, pairs of a role and a source
    result     what was evaluated, whose runs and queries count; None: the runs, and the queries of the qrels
    query_ids  those that count, where it is neither
    measured   the measures that are evaluated, where there is no result
    answers    the answers and labels of the runs; None: those of the result, else of the runs and the qrels
    sets       the query sets that the protocol can name; None: those of its file

    The others as for :func:`~irviewer.evaluation.bind.bind`, which raises OptionError and MeasureError."""
    if query_ids is None:
        query_ids = result.query_ids if result is not None else () if qrels is None else qrels.query_ids
    asked = with_whole_names(asked, [run.name for run in runs], further_names(runs))
    if answers is None:
        answers = AnswerSources(() if qrels is None else (qrels,), runs) if result is None else result.answers
    return bind(
        asked, [run.name for run in runs] if result is None else result.runs, query_ids,
        sets=query_sets(asked) if sets is None else sets, graded=None if qrels is None else qrels.max_grade > 1,
        uses=uses, pins=pins, undecided=undecided, primary=primary,
        answers=answers, measured=measured if result is None else result.measures,
        files=files_read(qrels, runs, *more), attributes=attributes,
        missing=missing_by_run(runs, [run.name for run in runs], qrels) if result is None else result.missing,
    )  # fmt: skip


def unmatched_places(result: ResultTable) -> list[int]:
    """Return the places of the runs of which nothing is judged, which are in no comparison."""
    unmatched = {each.run for each in result.unmatched}
    return [place for place, name in enumerate(result.runs) if name in unmatched]
