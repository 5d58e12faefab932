"""Runs without what nobody judged (trec_eval -J): the same runs, shorter, so that lists, ranks and numbers agree.

Knows the join of a run with qrels; nothing of pages or choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import frozen, offsets_of
from irviewer.model.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection
from irviewer.session.evaluation import Evaluation, Pair


def condensed_collection(
    collection: Collection, qrels: Qrels, options: EvaluationOptions, evaluation: Evaluation
) -> Collection:
    """The collection with every run condensed under ``qrels``; the runs keep key, name and colour."""
    plain = replace(options, judged_only=False)

    def shortened(run: Run) -> Run:
        made = evaluation.derived(Pair(run, qrels, plain), "condensed", lambda judged: condensed_run(run, judged))
        return made if made.name == run.name else made.renamed(run.name)

    runs = tuple(replace(entry, run=shortened(entry.run)) for entry in collection.runs)
    return replace(collection, runs=runs)


def ranked_collection(
    collection: Collection, qrels: Qrels, options: EvaluationOptions, evaluation: Evaluation
) -> Collection:
    """The collection with every run ranked by the dialect's tie rule; the same collection where that moves nothing."""
    rules = options.rules
    if (rules.ties, rules.bits) == ("descending", 64):
        return collection

    def ranked(run: Run) -> Run:
        made = evaluation.derived(Pair(run, qrels, options), "ranked", lambda _: run.reordered(rules.ties, rules.bits))
        return made if made.name == run.name else made.renamed(run.name)

    runs = tuple(replace(entry, run=ranked(entry.run)) for entry in collection.runs)
    if all(new.run is old.run for new, old in zip(runs, collection.runs, strict=True)):
        return collection
    return replace(collection, runs=runs)


def condensed_run(run: Run, judged: Judged) -> Run:
    """The run without documents that the qrels do not judge; a query of which nothing is left stays, with no list."""
    hits = judged.judged_hits
    place = np.array([run.query_index.get(query, -1) for query in judged.query_ids], dtype=np.int64)
    rows = np.sort(run.offsets[place[hits.query]] + hits.rank - 1)
    of_query = np.searchsorted(run.offsets, rows, side="right") - 1
    return replace(
        run,
        offsets=frozen(offsets_of(np.bincount(of_query, minlength=len(run.query_ids)))),
        doc_ids=run.doc_ids.take(pa.array(rows)),
        scores=frozen(run.scores[rows]),
        components={name: frozen(values[rows]) for name, values in run.components.items()},
        arrival=None,
        original=None,
    )
