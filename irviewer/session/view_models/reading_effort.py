"""The view models of reading effort and of ranking vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.failures.reading_effort import Effort, Stop, stopped, stopped_everywhere
from irviewer.analysis.failures.relevant_ranks import relevant_ranks
from irviewer.evaluation import curves
from irviewer.figures.figure import INK, Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.recall_effort import recall_effort_figure
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.number_text import share_of_all
from irviewer.model.rankings.ranking_vector import ranking_vector
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.curves.rules import curve_rules, drawn, gaining
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.failures.options import FindingOptions
from irviewer.session.view_models.query import slice_of
from irviewer.tables.lazy_texts import in_order
from irviewer.translation import tr, trn

# Views of one list rank by rank: reading effort, and the ranking vector.


@dataclass(frozen=True, eq=False)
class RecallViewModel:
    """Reading the focus run (or the only one) from the top, with the curves of all shown runs for the selected query.

    figure      of the selected query; its cursor is the reading depth
    stopped     the effect of stopping there, for the query and for all queries together
    missed      the relevant documents that are not read: (document, its rank or 0)
    run         the run that is read; None without one
    effort      the run over all queries; ``order`` are the indices of queries with relevant documents, worst first
    query_ids   of the queries in ``order``; ``texts`` their texts
    size        the number of documents of the collection; None where it is not known
    known       the number of documents in the qrels and in the run for the selected query
    size_known  where the size is from, or what is missing
    deepest     the last rank of the small plots
    """

    title: str
    note: str
    figure: Figure
    stopped: str
    stopped_all: str
    missed: tuple[tuple[str, int], ...]
    run: RunLabel | None
    effort: Effort | None
    order: Ints
    query_ids: Sequence[str]
    texts: Sequence[str]
    selected: int
    stop: int
    deepest: int
    size: int | None
    known: int
    size_known: str
    explanation: str = ""


@dataclass(frozen=True, eq=False)
class VectorRow:
    """The list of one run: n ranks.

    grades        float64[n]: NaN if the qrels do not list the document
    displacement  int64[n]: above 0 ranks too low, below 0 ranks too high
    """

    run: RunLabel
    value: float
    grades: Floats
    displacement: Ints
    doc_ids: tuple[str, ...]
    in_place: int
    missed: int


@dataclass(frozen=True, eq=False)
class VectorViewModel:
    """The ranking vectors of one query, a row per shown run, and the gain of the focus run (or the only one): as it is,
    with its documents in the best order, and ideal. The legend has their values at the cutoff."""

    title: str
    note: str
    query_id: str
    rows: tuple[VectorRow, ...]
    figure: Figure
    depth: int
    cutoff: int
    n_relevant: int
    max_grade: float
    document: str | None
    explanation: str = ""


VECTOR_DEPTH = 50
LEAST_DEPTH = 10
NAMED = 400


def run_read(context: EvaluationContext) -> RunEntry | None:
    """Return the run that is read: the focus run, otherwise the first shown run."""
    focus = None if context.focus is None else context.collection.run(context.focus)
    if focus is not None:
        return focus
    return context.shown_runs[0] if context.shown_runs else None


def collection_size(context: EvaluationContext, options: FindingOptions) -> tuple[int | None, str]:
    """Return (number of documents of the collection, where it is from); None where it is not known: the documents in
    run and qrels are not all."""
    said = options.sizes.get(context.collection.name)
    if said is not None:
        return said, tr("as entered")
    documents = context.collection.documents
    if documents is not None and len(documents.ids) >= context.depth:
        return len(documents.ids), tr("the documents of the collection")
    return None, tr("in run and qrels; enter the size of the collection to see what is not read")


def build_recall_view_model(
    context: EvaluationContext, query_id: str, options: FindingOptions, efforts: Mapping[int, Effort] | None
) -> RecallViewModel:
    """Return the view model; ``efforts`` by run key, None until they are computed."""
    entry, place = run_read(context), context.query_index.get(query_id, -1)
    stop = options.stop or context.cutoff
    size, size_known = collection_size(context, options)
    own = None if entry is None or efforts is None else efforts.get(entry.key)
    order = np.empty(0, dtype=np.int64) if own is None else own.worst_first
    if context.within is not None:
        order = order[context.within[order]]
    empty = recall_effort_figure([], 0, 0, 1, 0)
    label = None if entry is None else context.labels[entry.key]
    n = len(order)
    deepest = int(own.returned.max(initial=1)) if own is not None else 1
    view_model = RecallViewModel(
        title=tr("Query {query}", query=query_id)
        if label is None
        else tr("Query {query} · {run}", query=query_id, run=label.name),
        note=tr("drag the line or press ← →: the relevant documents that are not read are listed below"),
        figure=empty, stopped="", stopped_all="", missed=(), run=label, effort=own, order=frozen(order),
        query_ids=in_order(context.query_ids, order), texts=in_order(context.texts, order),
        selected=int(np.flatnonzero(order == place)[0]) if place >= 0 and np.any(order == place) else -1,
        stop=stop, deepest=deepest, size=size, known=0, size_known=size_known,
        explanation=context.explanation
        or context.nothing_judged(tr("Reading effort"))
        or _documents_above(context, efforts, n),
    )  # fmt: skip
    if own is None or efforts is None or entry is None or place < 0:
        return view_model
    last = max(LEAST_DEPTH, *(int(effort.returned[place]) for effort in efforts.values()))
    lines = []
    for entry_shown in context.shown_runs:
        x, y = efforts[entry_shown.key].curve(place)
        lines.append((Role("run", entry_shown.key), entry_shown.name, x, y))
    figure = recall_effort_figure(
        lines, int(own.relevant[place]), size, last, stop, subject=tr("query {query}", query=query_id)
    )  # fmt: skip
    judged = context.judged(entry)
    missed: tuple[tuple[str, int], ...] = ()
    if judged is not None:
        table = relevant_ranks([judged], query_id, context.options.level)
        left = [
            (document, rank)
            for document, rank in zip(table.doc_ids.to_pylist(), table.ranks[:, 0].tolist(), strict=True)
            if not 0 < rank <= stop
        ]
        missed = tuple(
            sorted(left, key=lambda document_and_rank: document_and_rank[1] or np.iinfo(np.int64).max)[:NAMED]
        )
    inside = own if context.within is None else _within(own, context)
    every = stopped_everywhere(inside, stop)
    return replace(
        view_model, figure=figure, stopped=stopping_text(stopped(own, place, stop), size is not None),
        stopped_all=trn(
            "{n:,} query with relevant documents: {result}",
            "{n:,} queries with relevant documents: {result}",
            n,
            result=stopping_text(every, size is not None),
        ), missed=missed, known=int(own.size[place]),
    )  # fmt: skip


def stopping_text(stop: Stop, sized: bool) -> str:
    """Return the effect of stopping: ``1,240 read · 95 % found · 3 missed · 62 % not read``. What is not read is told
    only where the size of the collection is known (``sized``)."""
    if not stop.relevant:
        return trn("{n:,} read; no relevant documents", "{n:,} read; no relevant documents", stop.read)
    if not sized:
        return trn(
            "{n:,} read · {recall} found ({found:,} of {relevant:,}) · {missed:,} missed",
            "{n:,} read · {recall} found ({found:,} of {relevant:,}) · {missed:,} missed",
            stop.read, recall=share_of_all(stop.recall), found=stop.found, relevant=stop.relevant, missed=stop.missed,
        )  # fmt: skip
    return trn(
        "{n:,} read · {recall} found ({found:,} of {relevant:,}) · {missed:,} missed · {saved} of {size:,} not read",
        "{n:,} read · {recall} found ({found:,} of {relevant:,}) · {missed:,} missed · {saved} of {size:,} not read",
        stop.read,
        recall=share_of_all(stop.recall),
        found=stop.found,
        relevant=stop.relevant,
        missed=stop.missed,
        saved=share_of_all(stop.saved),
        size=stop.size,
    )


def _within(own: Effort, context: EvaluationContext) -> Effort:
    assert context.within is not None
    return replace(own, relevant=frozen(np.where(context.within, own.relevant, 0)))


def _documents_above(context: EvaluationContext, efforts: Mapping[int, Effort] | None, n: int) -> str:
    if not context.shown_runs:
        return tr("No run is shown.")
    if efforts is None:
        return tr("Reading the rankings …")
    return "" if n else tr("No query has relevant documents.")


def build_vector_view_model(context: EvaluationContext, query_id: str, document: str | None) -> VectorViewModel:
    """Return the ranking vectors of the shown runs for one query to rank 50, and the gain of the focus run."""
    position = context.query_index.get(query_id, -1)
    depth = min(VECTOR_DEPTH, max((entry.run.depth for entry in context.shown_runs), default=1))
    rows = []
    why = context.explanation or context.nothing_judged(tr("Ranking vector"))
    for entry in context.shown_runs:
        judged = context.judged(entry)
        if judged is None or position < 0 or why:
            continue
        vector = ranking_vector(judged, position, depth, context.options.level)
        grades = vector.grades if not context.complete else frozen(np.nan_to_num(vector.grades, nan=0.0))
        named = tuple(slice_of(entry.run, query_id)[: len(grades)].to_pylist())
        value = float(context.values(entry, context.measure)[position])
        rows.append(
            VectorRow(
                context.labels[entry.key], value, grades, vector.displacement, named, vector.in_place, vector.missed,
            )
        )  # fmt: skip
    sign = -1.0 if context.measure.higher_is_better else 1.0
    rows.sort(key=lambda row: (bool(np.isnan(row.value)), sign * row.value))
    return VectorViewModel(
        title=trn(
            "Query {query} · ranking vector of {n:,} run",
            "Query {query} · ranking vectors of {n:,} runs",
            len(rows),
            query=query_id,
        ),
        note=tr(
            "= in place · ▲▼ ranks higher or lower in the ideal ranking · dashed: end of the relevant documents in the "
            "ideal ranking · unjudged documents as non-relevant"
        ),
        query_id=query_id,
        rows=tuple(rows),
        figure=_gain(context, -1 if why else position, depth, query_id),
        depth=depth,
        cutoff=context.cutoff,
        n_relevant=int(context.relevant[position]) if position >= 0 else 0,
        max_grade=context.max_grade,
        document=document,
        explanation=why or ("" if rows else tr("No run is shown.")),
    )


def _gain(context: EvaluationContext, place: int, depth: int, query_id: str) -> Figure:
    entry, rules = run_read(context), curve_rules(context)
    judged = None if entry is None or place < 0 else gaining(context, entry, rules)
    if judged is None or entry is None:
        return gain_figure([], (np.empty(0), np.empty(0)), context.cutoff, depth)
    rank, gain = curves.gain_accumulation(judged, place, depth, rules.gain)
    own, best = curves.ideal_accumulation(judged, place, depth, replace(rules.gain, ideal="retrieved"))
    end = min(depth, int(judged.returned[place]))
    ideal = curves.ideal_accumulation(judged, place, depth, replace(rules.gain, ideal="judged"))
    rows = [
        (Role("run", entry.key), context.name_of(entry), rank.astype(np.float64), gain),
        (INK, tr("best re-ordering"), own[:end].astype(np.float64), best[:end]),
    ]
    figure = gain_figure(rows, (ideal[0].astype(np.float64), ideal[1]), context.cutoff, depth, note=rules.note)
    # The legend names the three lines, with their values at the cutoff.
    note = tr("values at rank {rank:,}", rank=min(context.cutoff, depth))
    if rules.note:
        note += f" · {rules.note}"
    title = tr("DCG of {run}, of its best re-ordering and of the ideal ranking", run=context.name_of(entry))
    return drawn(context, replace(figure, title=title, subject=tr("query {query}", query=query_id), note=note))
