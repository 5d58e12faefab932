"""Runs as a context shows them: without what nobody judged where the options say so (trec_eval -J), and ranked as the
dialect ranks. Lists, ranks and numbers agree because all are made of the same run.

Knows the join of a run with qrels; nothing of view models or choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection

OF_JUDGES = frozenset({"map_avgjg", "P_avgjg", "Rprec_mult_avgjg"})
RANK_COST, CONDENSE_COST = 400e-9, 60e-9
"""Seconds to reorder a retrieved document, and to examine it when judged documents are selected: measured on two cores
on runs in which every document shares its score with another."""


def collection_as_shown(
    collection: Collection,
    qrels: Qrels,
    options: EvaluationOptions,
    evaluation: Evaluation,
    progress: Callable[[float], object] | None = None,
) -> Collection:
    """The collection with its runs condensed and ranked as the options say; the same one where that changes none. Runs
    keep key, name, file and colour. ``progress`` hears a share from 0 to 1 before each run.

    Condensed first: the documents left are few, and ties among them know how they stood in the file."""
    entries = []
    for number, entry in enumerate(collection.runs):
        if progress is not None:
            progress(number / len(collection.runs))
        if entry.run.stored is not None:
            entries.append(entry)
            continue
        run = _judged_only(entry.run, qrels, options, evaluation) if options.judged_only else entry.run
        if _may_move(run, options):
            run = _ranked(run, qrels, options, evaluation)
        if (
            run.origin != entry.run.origin
        ):  # its lists are known of a run with the same ones: that which it is a copy of
            run = replace(run, origin=entry.run.origin, read_name=entry.run.read_name)
        run = run if run.name == entry.name else run.renamed(entry.name)
        entries.append(entry if run is entry.run else replace(entry, run=run))
    if all(new is old for new, old in zip(entries, collection.runs, strict=True)):
        return collection
    return replace(collection, runs=tuple(entries))


def list_as_shown(run: Run, qrels: Qrels, options: EvaluationOptions) -> Run:
    """The run of one query condensed and ranked as the options say."""
    alone = Collection(run.name).with_runs([run])
    return collection_as_shown(alone, qrels.of_queries(run.query_ids), options, Evaluation()).runs[0].run


def cost_of_showing(collection: Collection, qrels: Qrels, options: EvaluationOptions, evaluation: Evaluation) -> float:
    """Seconds that :func:`collection_as_shown` would take now, estimated: decides what a task must do."""
    total = 0.0
    for entry in collection.runs:
        if entry.run.stored is not None:
            continue
        if options.judged_only:
            evaluation_input = _judging(entry.run, qrels, options)
            if not evaluation.knows(evaluation_input, "condensed"):
                total += evaluation.cost([evaluation_input], ()) + len(entry.run) * CONDENSE_COST
        elif _may_move(entry.run, options) and not evaluation.knows(_plain(entry.run, qrels, options), "ranked"):
            total += len(entry.run) * RANK_COST
    return total


def judged_only_run(run: Run, judged: Judged, kept: Judged | None = None) -> Run:
    """The run without documents that the qrels do not judge; a query of which nothing is left stays, with no list.
    ``judged`` is the run as it was read; ``kept`` has the documents above a depth where ties are broken otherwise."""
    position = run.places_of_queries(judged.query_ids)
    rows = run.offsets[position[judged.hit_query]] + judged.hit_rank - 1
    stays = judged.hit_grade >= 0 if kept is None else np.isin(judged.hit_row, kept.hit_row[kept.hit_grade >= 0])
    return run.only(np.sort(rows[stays]))


def asks_each_judge(measure: Measure) -> bool:
    """Whether a measure, or a part of an expression, is a mean over those who judged: of a list without unjudged
    documents each of them sees what that one judged."""
    parts = measure.parts if isinstance(measure, Expression) else (measure,)
    return any(part.name in OF_JUDGES for part in parts)


def judged_of(order: Sequence[str], grades: Mapping[str, float], options: EvaluationOptions) -> tuple[str, ...]:
    """What is shown of a list without ties where unjudged documents are left out; ``grades`` are its query's."""
    least = -np.inf if options.rules.negatives_judged else 0
    return tuple(doc for doc in order[: options.depth] if grades.get(doc, np.nan) >= least)


def _may_move(run: Run, options: EvaluationOptions) -> bool:
    rule = options.rules.ties, options.rules.bits
    return rule != run.rule and (rule[1] == 32 or bool(run.tied.any()))


def _ranked(run: Run, qrels: Qrels, options: EvaluationOptions, evaluation: Evaluation) -> Run:
    rules = options.rules
    return evaluation.kept(
        _plain(run, qrels, options), "ranked", lambda: run.reordered(rules.ties, rules.bits)
    )  # fmt: skip


def _plain(run: Run, qrels: Qrels, options: EvaluationOptions) -> EvaluationInput:
    return EvaluationInput(run, qrels, replace(options, judged_only=False))


def _judged_only(run: Run, qrels: Qrels, options: EvaluationOptions, evaluation: Evaluation) -> Run:
    judging = _judging(run, qrels, options)
    if options.depth is None or not _may_move(run, options):
        return evaluation.derived(judging, "condensed", lambda judged: judged_only_run(run, judged))
    whole = evaluation.judged(_judging(run, qrels, replace(options, depth=None)))
    return evaluation.derived(judging, "condensed", lambda kept: judged_only_run(run, whole, kept))


def _judging(run: Run, qrels: Qrels, options: EvaluationOptions) -> EvaluationInput:
    """The run with all that decides which of its documents are judged: no level, and no rule of ties where no depth
    cuts the lists."""
    rules, plain = options.rules, DIALECTS[DEFAULT]
    rule = (rules.ties, rules.bits) if options.depth is not None else (plain.ties, plain.bits)
    negatives = rules.negatives_judged and bool(np.any(qrels.grades < 0))
    deciding = replace(plain, negatives_judged=negatives, ties=rule[0], bits=rule[1])
    dialect = DEFAULT if deciding == plain else deciding  # the name where it is one: equal keys of what is kept
    return EvaluationInput(run, qrels, EvaluationOptions(depth=options.depth, dialect=dialect, lengths=options.lengths))
