"""The public function that decides whether a run may replace a baseline."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Unpack

from irviewer.analysis.planning.gate_history import PastGate, PastResult
from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.statistics.gate import (
    Condition,
    Gate,
    joined,
    parse_condition,
    parse_margin,
    parse_worse,
    run_gate,
)
from irviewer.api.attributes import Attributes, facets_of, gather_attributes, given_attributes
from irviewer.api.protocols import AnyProtocol, protocol_of, query_sets
from irviewer.api.sources import AnyQrels, AnyRun, AnyRuns, Sources
from irviewer.api.texts import AnyTexts, lengths_of
from irviewer.errors import OptionError
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bind import BoundProtocol, bind, check_takes_part, present_runs
from irviewer.evaluation.bind_collections import bind_collections
from irviewer.evaluation.evaluate import missing_by_run
from irviewer.formats.data_files import data_files, files_read, in_order
from irviewer.formats.gate_file import read_gate_file
from irviewer.formats.gate_history import append_to_history, read_gate_history
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import PRESET, EvaluationFields, EvaluationProtocol, IntervalName, Looks
from irviewer.model.protocol_line import BY_LOOK
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import free_run_name, further_names
from irviewer.model.workspace import Regime
from irviewer.translation import tr
from irviewer.views.gate import VIEW, at_gate, check_at_look, following


class GateFields(EvaluationFields, total=False):
    """The fields of a gate, as keyword arguments."""

    interval: IntervalName
    confidence: float
    samples: int
    seed: int
    alpha: float
    smallest: float | None
    unit: str
    looks: Looks | str | None


@checked
def gate(
    qrels: AnyQrels | None = None,
    run: AnyRuns | None = None,
    baseline: AnyRun | None = None,
    non_inferior: str | Sequence[str] = (),
    fail_if: str | Sequence[str] = (),
    *,
    require: str | Sequence[str] = (),
    conditions: str | Path | None = None,
    collections: Mapping[str, tuple[AnyQrels, AnyRuns, AnyRun]] | None = None,
    protocol: AnyProtocol | None = None,
    by: str | Sequence[str] = (),
    query_attributes: Attributes | None = None,
    documents: AnyTexts | None = None,
    ignore_unjudged: bool = False,
    history: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[GateFields],
) -> Gate:
    """Decide whether a run may replace a baseline, by conditions that are set in advance. Several runs, or collections,
    are one gate, which passes where every condition holds for each candidate in each collection; p is corrected over
    the tests of all.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> gate(qrels, good, good, "RR > -0.01", "P@1 worse, p < .05").outcome.value
    'passed'
    >>> gate(qrels, bad, good, "RR > -0.01", unjudged="complete").outcome.value
    'failed'
    >>> gate(qrels, bad, good, "RR > -0.01").outcome.value  # b is not judged
    'undecided'

    non_inferior  conditions such as "nDCG@10 > -0.01": the one-sided limit of the mean difference lies above the
                  margin; "nDCG@10" alone has the margin ``smallest``
    fail_if       conditions such as "P@1 worse, p < .05": the paired t-test, corrected by Holm over all of these;
                  without p: ``alpha``
    require       conditions that read as what they test: "nDCG@10 >= 0.5" compares the mean, untested,
                  "shown nDCG@10 >= 0.5" the one-sided limit of the mean; "Δ nDCG@10 > -0.01" and "P@1 worse" as above,
                  "Δ nDCG@10 > -2 %" with a margin in per cent of the baseline's mean
    conditions    a file of conditions (gate.toml); what it names holds where no argument says otherwise, with
                  qrels, candidates and collections
    collections   ``{name: (qrels, run or runs, baseline)}`` instead of qrels, run and baseline
    protocol      an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    by            attributes of the queries, or "relevant:FIELD" of documents: each condition holds in each of their
                  slices too
    documents     the documents with their fields, for conditions on these such as
                  "FieldCount(where='in_stock = false',better='lower')@3 <= 0", as for evaluate()
    confidence    of the one-sided limit; ``interval`` how it is made: "t" unless another one is declared
    unjudged      how judging was done: "complete", "pooled" or "sparse"; it is never inferred
    ignore_unjudged   what unjudged documents leave open makes no condition undecided
    history       a file to which a line about this gate is appended; ``history`` of the result has all of them

    The others as for :func:`irviewer.evaluate`. Returns a Gate: ``outcome`` is passed, failed or undecided,
    ``results`` has one for each condition, with the queries that decided it. Raises ParseError, MeasureError,
    OptionError."""
    required = [require] if isinstance(require, str) else list(require)
    if collections is not None:
        _check(collections, alone=qrels is None and run is None and baseline is None)
    if conditions is not None:
        file = read_gate_file(conditions)
        required += file.require
        protocol = protocol if protocol is not None else file.protocol
        by, history = by or file.by, history or file.history or None
        query_attributes = query_attributes if query_attributes is not None else file.query_attributes or None
        documents = documents if documents is not None else file.documents or None
        ignore_unjudged = ignore_unjudged or file.ignore_unjudged
        if collections is None and qrels is None and run is None and file.collections:
            collections = {
                each.name: (each.qrels, list(each.candidates), baseline if baseline is not None else each.baseline)
                for each in file.collections
            }
        else:
            qrels = qrels if qrels is not None else file.qrels or None
            run = run if run is not None else list(file.candidates) or None
            baseline = baseline if baseline is not None else file.baseline or None
    if collections is None:
        if qrels is None or run is None:
            raise OptionError(tr("a gate needs qrels and a run: name them in the call or in the conditions' file"))
        if baseline is None:
            raise OptionError(tr("a gate needs a baseline: name one in the call or in the file of the conditions"))
        collections = {"": (qrels, run, baseline)}
    margins = [non_inferior] if isinstance(non_inferior, str) else non_inferior
    worse = [fail_if] if isinstance(fail_if, str) else fail_if
    also = ("baseline", "queries", "runs")
    asked = protocol_of(protocol, "gate", fields, frozenset(GateFields.__annotations__), also)
    inference = at_gate(asked.inference, _interval(asked))
    tests = [parse_margin(text, inference.smallest) for text in margins]
    tests += [parse_worse(text, inference.alpha) for text in worse]
    tests += [parse_condition(text, inference.smallest, inference.alpha) for text in required]
    sources = Sources(columns, stored=True)
    parts = [(name, *sources.both(*pair[:2]), sources.run(pair[2])) for name, pair in collections.items()]
    sources.check()
    held = [_taking_part(asked, name, *_told_apart(theirs, runs)) for name, _, runs, theirs in parts]
    alone = asked.but(runs=()) if asked.scope.runs else asked  # a collection need not have all runs
    n_gates = sum(len(candidates) for _, candidates in held)
    check_at_look(asked.inference, tests, inference.alpha, by, n_gates)
    known = lengths_of(documents)
    gates: list[tuple[str, Gate]] = []
    bounds: dict[str, BoundProtocol] = {}
    query_ids: list[str] = []
    for (name, judgments, given, base), (theirs, candidates) in zip(parts, held, strict=True):
        try:
            of_part, selected = _decided(
                asked,
                tests,
                judgments,
                candidates,
                theirs,
                by,
                query_attributes,
                known,
                ignore_unjudged=ignore_unjudged,
            )
            gates += [(name, each) for each in of_part]
            files = files_read(judgments, (*given, base), ("attributes", query_attributes),
                               ("documents", documents))  # fmt: skip
            names = (of_part[0].baseline, *(each.run for each in of_part))
            bounds[name] = bind(
                alone.but(baseline=of_part[0].baseline), names, judgments.query_ids,
                sets=query_sets(asked), graded=judgments.max_grade > 1, pins=VIEW.pins,
                answers=AnswerSources((judgments,), (theirs, *candidates)),
                measured=[each.measure for each in tests], files=files, uses=VIEW.uses,
                missing=missing_by_run((theirs, *candidates), names, judgments),
                attributes=given_attributes(query_attributes),
            )  # fmt: skip
        except OptionError as error:
            if not name:
                raise
            raise OptionError(tr("{collection}: {error}", collection=name, error=error)) from None
        query_ids += [f"{name}/{query}" if name else query for query in selected]
    result = joined(gates)
    bound = _of_all(asked, gates, bounds)
    if asked.scope.runs:  # of which those that are here were bound
        bound = replace(bound, protocol=bound.protocol.but(runs=bound.names))
    result = replace(result, protocol=following(bound, result.results))
    if history is None:
        return result
    append_to_history(history, _past(result, query_ids))
    files = in_order([*bound.files, *data_files([("history", history)])])
    bound = following(replace(bound, files=files), result.results)
    return replace(result, history=read_gate_history(history), protocol=bound)


def _check(collections: object, *, alone: bool) -> None:
    """Raise OptionError for collections that are none, or that stand beside other qrels, runs or a baseline."""
    if (
        not isinstance(collections, Mapping)
        or not collections
        or not all(isinstance(each, tuple | list) and len(each) == 3 for each in collections.values())
    ):
        raise OptionError(tr("a gate needs a collection: a name with qrels, runs and a baseline"))
    if not alone:
        raise OptionError(tr("collections have their own qrels, runs and baselines; leave the others out"))


def _told_apart(baseline: Run, candidates: Sequence[Run]) -> tuple[Run, list[Run]]:
    """Return a baseline and candidates of different names, as all runs get them, the baseline first."""
    taken = {baseline.name: baseline.origin}
    runs = []
    for run in candidates:
        runs.append(run.renamed(free_run_name(run.name, run.origin, taken)))
        taken[runs[-1].name] = run.origin
    return baseline, runs


def _taking_part(
    asked: EvaluationProtocol, collection: str, baseline: Run, candidates: Sequence[Run]
) -> tuple[Run, list[Run]]:
    """Return the baseline and the candidates that the protocol does not leave out. Raises OptionError where it leaves
    out the baseline or every candidate."""
    try:
        if not candidates:
            raise OptionError(tr("One run is expected here, not {n}.", n=0))
        runs = [baseline, *candidates]
        names = [run.name for run in runs]
        places = present_runs(asked, names, further_names(runs))[1]
        check_takes_part(baseline.name, places, 0)
        if len(places) == 1:
            check_takes_part(names[1], places, 1)
        return baseline, [runs[place] for place in places[1:]]
    except OptionError as error:
        if not collection:
            raise
        raise OptionError(tr("{collection}: {error}", collection=collection, error=error)) from None


def _decided(
    asked: EvaluationProtocol, tests: Sequence[Condition], judgments: Qrels, candidates: Sequence[Run], theirs: Run,
    by: str | Sequence[str], query_attributes: Attributes | None, lengths: Lengths | None, *,
    ignore_unjudged: bool,
) -> tuple[list[Gate], Sequence[str]]:  # fmt: skip
    """Return the gates of the candidates in one collection, and the queries that count."""
    interval = _interval(asked)
    inference = at_gate(asked.inference, interval)
    names = [by] if isinstance(by, str) else list(by)
    selected = bind(
        PRESET.but(queries=asked.scope.queries), query_ids=judgments.query_ids, sets=query_sets(asked)
    ).selected  # fmt: skip
    attributes: tuple[QueryAttribute, ...] = ()
    if names:
        ids = judgments.query_ids if selected is None else selected
        attributes = choose_attributes(
            gather_attributes(query_attributes, judgments, ids, asked.rules.level), names, ids,
            facets_of(lengths, judgments, asked.rules.level),
        )  # fmt: skip
    unit = bind(
        PRESET.but(queries=asked.scope.queries, unit=asked.scope.unit), (), judgments.query_ids,
        sets=query_sets(asked), uses=BY_LOOK, attributes=given_attributes(query_attributes),
    )  # fmt: skip
    gates = [
        run_gate(
            judgments, ours, theirs, tests, evaluation_options(asked.rules, lengths), queries=selected,
            attributes=attributes,
            confidence=inference.confidence, interval=interval, samples=inference.samples, seed=inference.seed,
            regime=Regime(asked.rules.unjudged), unjudged=not ignore_unjudged, units=unit.units,
        )
        for ours in candidates
    ]  # fmt: skip
    return gates, judgments.query_ids if selected is None else selected


def _interval(asked: EvaluationProtocol) -> IntervalName:
    """Return how the one-sided limits are made: by t, unless another way is declared."""
    return asked.inference.interval if "inference.interval" in asked.declared else "t"


def _of_all(
    asked: EvaluationProtocol, gates: Sequence[tuple[str, Gate]], bounds: Mapping[str, BoundProtocol]
) -> BoundProtocol:
    """Return the protocol of a gate of these parts."""
    if len(bounds) == 1:
        return next(iter(bounds.values()))
    runs = list(dict.fromkeys(gate.run for _, gate in gates))
    bases = list(dict.fromkeys(gate.baseline for _, gate in gates))
    baseline = bases[0] if len(bases) == 1 else None
    present = {name: [*bases, *(gate.run for other, gate in gates if other == name)] for name in bounds}
    if baseline is None:  # each collection has a name of its own for it
        bounds = {name: replace(each, protocol=each.protocol.but(baseline="")) for name, each in bounds.items()}
    return bind_collections(bounds, present, [*bases, *runs], baseline)


def _past(gate: Gate, query_ids: Sequence[str]) -> PastGate:
    """Return the line about a gate in a history."""
    ids = sorted(query_ids, key=lambda query: query.encode("utf-8", "surrogateescape"))
    digest = hashlib.sha256("".join(f"{query}\n" for query in ids).encode("utf-8", "surrogateescape")).hexdigest()
    conditions = tuple(dict.fromkeys(result.condition.text for result in gate.results))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    results = tuple(
        PastResult(
            each.condition.text, each.collection, each.run, each.mean, each.delta, each.low, each.high, gate.confidence
        )
        for each in gate.results
        if not each.slice
    )
    return PastGate(now, gate.run, gate.baseline, gate.outcome.value, gate.alarm, len(ids), digest, conditions, results)
