"""The view models of failures: queries on which runs fail, misleading documents, and the worklist."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.failures.kinds import KINDS, Failures, Limits
from irviewer.analysis.failures.relevant_ranks import RelevantRanks
from irviewer.measures.answered import reads_grades
from irviewer.model.arrays import Bools, Floats, Ints, frozen, strings
from irviewer.model.notes import Note
from irviewer.model.number_text import runs_text
from irviewer.model.workspace import Regime
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.failures.options import FindingOptions
from irviewer.session.notes.changes import notes_of
from irviewer.session.shortcuts import keys
from irviewer.session.view_models.queries import Order
from irviewer.tables.lazy_texts import LazyTexts
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.explain.unjudged import Worklist
    from irviewer.analysis.failures.hubs import Hubs
    from irviewer.tables.table import Table


@dataclass(frozen=True)
class KindRow:
    """A kind of failure: the number of queries on which a shown run fails in this way, and whether its rows are
    shown."""

    name: str
    sign: str
    title: str
    meaning: str
    count: int
    on: bool


@dataclass(frozen=True, eq=False)
class FailuresViewModel:
    """N rows, each a query and a run that fails on it; S shown runs.

    kinds       each kind with its number of queries, and whether it is shown
    by_run      int64[S, K]: the number of queries on which each run fails in each way
    query_ids, texts, failures, tips   of each row
    query, run  int64[N]: indices of the context's queries and of the shown runs
    table       the rows as the view ``failures`` describes them
    selected    the row of the selected query (and the focus run, if it has one), -1 for none
    longest     the longest of ``failures``
    limits      the thresholds
    of_run      the only run whose failures are listed, -1 for several
    """

    title: str
    note: str
    runs: tuple[RunLabel, ...]
    kinds: tuple[KindRow, ...]
    by_run: Ints
    query_ids: Sequence[str]
    texts: Sequence[str]
    failures: Sequence[str]
    tips: Sequence[str]
    query: Ints
    run: Ints
    table: Table
    selected: int
    sort: tuple[str, bool]
    filter: str
    filter_error: str
    limits: Limits
    longest: str = ""
    complete: bool = False
    has_texts: bool = False
    higher_is_better: bool = True
    explanation: str = ""
    of_run: int = -1


@dataclass(frozen=True, eq=False)
class HubsViewModel:
    """Non-relevant documents that are retrieved for many queries, one per row, as the view ``failures`` describes them
    (``table``, which names the first queries only). ``first`` is the query to open; ``judged`` are the grades given
    since the list was made if its order is held, "" for none."""

    title: str
    note: str
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    table: Table
    first: tuple[str, ...]
    selected: int
    sort: tuple[str, bool]
    complete: bool = False
    explanation: str = ""
    judged: tuple[str, ...] = ()
    remarks: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class WorklistViewModel:
    """Unjudged documents, first the one that would change a value most if it were relevant.

    table       the rows as the view ``pool`` describes them
    run         the run whose value would change most, of each row
    grade       the grade that it is assumed to get
    judged      the grades given since the list was made if its order is held, "" for none
    """

    title: str
    note: str
    table: Table
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    run: tuple[RunLabel, ...]
    grade: float
    selected: int
    explanation: str = ""
    judged: tuple[str, ...] = ()
    remarks: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class RelevantViewModel:
    """The relevant documents of one query in all runs of the collection: D rows, R runs.

    ranks    int64[D, R]: 0 if the run does not return it
    by_merit the keys of the runs by their mean, best first
    remarks  the user's notes, empty if there are none at all; the same in all view models of documents
    """

    title: str
    note: str
    query_id: str
    runs: tuple[RunLabel, ...]
    by_merit: tuple[int, ...]
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    grades: Floats
    ranks: Ints
    max_grade: float
    selected: int
    sort: tuple[str, bool]
    explanation: str = ""
    remarks: tuple[Note, ...] = ()


COMPUTING = tr("Reading the rankings of all queries and runs …")
NAMED = 3
MOST_LISTED = 5000


def build_failures_view_model(
    context: EvaluationContext, order: Order, options: FindingOptions, failures: Failures | None
) -> FailuresViewModel:
    """Return the failures that match the filter of Queries and the selected kinds, none selected."""
    from irviewer.views.failures import failures_table, listing_notes

    n, s = len(context.query_ids), len(context.shown_runs)
    limits = limits_of(context, options)
    higher = context.measure.higher_is_better
    masks = np.zeros((n, s), dtype=np.int64) if failures is None else failures.masks
    kept = np.zeros(n, dtype=np.bool_)
    kept[order.rows] = True
    of_run = _runs_asked(context, options)
    if not order.error and not kept.any() and (named := _named_runs(context, context.choices.queries_filter)).any():
        # The words are a run's name, not those of a query.
        kept = np.ones(n, dtype=np.bool_) if context.within is None else context.within.copy()
        of_run &= named
    base = context.natural_order[kept[context.natural_order]]
    inside = masks[base]
    bits = 1 << np.arange(len(KINDS))
    has = (inside[:, :, None] & bits) > 0
    counts = has[:, of_run].any(axis=1).sum(axis=0) if s else np.zeros(len(KINDS), dtype=np.int64)
    wanted = sum(int(bit) for bit, kind in zip(bits, KINDS, strict=True) if kind.name in options.kinds)
    places, run = np.nonzero((inside & (wanted or -1)) * of_run)
    query = base[places]
    rows = _sorted(context, failures, query, run, options.failures_sort)
    query, run = query[rows], run[rows]
    mask = masks[query, run]
    distinct, of = np.unique(mask, return_inverse=True)
    words = [_words(int(kinds)) for kinds in distinct]
    tips = [_tip(int(kinds), limits, higher) for kinds in distinct]

    names = [label.whole_name or label.name for label in context.shown_labels]
    known = Failures.none(limits, s) if failures is None else failures
    return FailuresViewModel(
        title=_title(context, len(rows), failures, [label for label, asked in
                     zip(context.shown_labels, of_run.tolist(), strict=True) if asked]),
        note=" · ".join([
            tr("a row is a query on which a run fails; a click on its id, or Enter, opens it"),
            *(note.text for note in listing_notes([entry.name for entry in context.shown_outside])),
        ]),
        runs=context.shown_labels,
        kinds=tuple(
            KindRow(
                kind.name, kind.sign, kind.title, limits.meaning(kind, higher), int(number), kind.name in options.kinds
            )
            for kind, number in zip(KINDS, counts, strict=True)
        ),
        by_run=frozen(has.sum(axis=0).astype(np.int64)),
        query_ids=LazyTexts(context.query_ids, query),
        texts=LazyTexts(context.texts, query),
        failures=LazyTexts(words, of),
        tips=LazyTexts(tips, of),
        query=frozen(query),
        run=frozen(run),
        table=failures_table(known, frozen(query), frozen(run), names, context.measure),
        selected=-1,
        sort=options.failures_sort,
        filter=context.choices.queries_filter,
        filter_error=order.error,
        limits=limits,
        of_run=next((row for row, asked in enumerate(of_run.tolist()) if asked), -1) if of_run.sum() < s else -1,
        longest=max(words, key=len, default=""),
        complete=context.complete,
        has_texts=any(context.texts[:200]),
        higher_is_better=higher,
        explanation=context.explanation
        or context.nothing_judged(tr("Failures"))
        or ("" if failures is not None else _nothing(context)),
    )  # fmt: skip


def why_no_worklist(context: EvaluationContext) -> str:
    """Return why nuggets alone give no worklist, as the command says it; "" where documents are judged, and for a
    measure of grades, whose value judging changes."""
    return "" if reads_grades(context.measure) else context.nothing_judged(tr("Worklist"))


def limits_of(context: EvaluationContext, options: FindingOptions) -> Limits:
    """Return the limits with the cutoff of the session."""
    return replace(options.limits, cutoff=context.cutoff)


def _nothing(context: EvaluationContext) -> str:
    return COMPUTING if context.shown_runs else tr("No run is shown.")


_RUN = re.compile(r"""(?:^|\s)run:(?:"([^"]*)"|(\S+))""", re.IGNORECASE)


def _named_runs(context: EvaluationContext, text: str) -> Bools:
    """Return which shown runs have a text in one of their names, bool[S]."""
    wanted = text.strip().strip('"').casefold()
    names = [f"{label.name}\n{label.whole_name}".casefold() for label in context.shown_labels]
    return np.array([bool(wanted) and wanted in name for name in names], dtype=np.bool_)


def _runs_asked(context: EvaluationContext, options: FindingOptions) -> Bools:
    """Return the shown runs whose failures are listed, bool[S]: those that ``run:`` in the filter names, and the one
    that was chosen, if it is shown."""
    asked = np.ones(len(context.shown), dtype=np.bool_)
    for quoted, plain in _RUN.findall(context.choices.queries_filter):
        asked &= _named_runs(context, quoted or plain)
    if options.of_run in context.shown:
        asked &= np.array([key == options.of_run for key in context.shown], dtype=np.bool_)
    return asked


def _title(context: EvaluationContext, rows: int, failures: Failures | None, runs: Sequence[RunLabel]) -> str:
    if failures is None:
        return tr("Failures · {measure}", measure=context.measure)
    return trn(
        "{n:,} failure in {runs} · {queries} · {measure}",
        "{n:,} failures in {runs} · {queries} · {measure}",
        rows,
        runs=runs[0].name if len(runs) == 1 and len(context.shown) > 1 else runs_text(len(runs)),
        queries=context.queries_text,
        measure=context.measure,
    )


def _sorted(
    context: EvaluationContext, failures: Failures | None, query: Ints, run: Ints, sort: tuple[str, bool]
) -> Ints:
    """Return the order of the rows, which come ordered by queries, then runs."""
    column, descending = sort
    rows = np.arange(len(query))
    if failures is None or column == "query":
        return rows[::-1] if descending else rows
    if column == "text":
        texts = [context.texts[place].casefold() for place in query.tolist()]
        order = sorted(range(len(rows)), key=texts.__getitem__, reverse=descending)
        return np.array(order, dtype=np.int64)
    if column == "run":
        values = run.astype(np.float64)
    elif column == "failures":
        values = failures.kinds.sum(axis=0)[query, run].astype(np.float64)
    elif column == "relevant":
        values = context.relevant[query].astype(np.float64)
    else:
        name = _COLUMNS.get(column)
        if name is None:  # a column of a later version, in a project
            return rows
        values = np.asarray(getattr(failures, name), dtype=np.float64)[query, run]
        if column == "first":
            values = np.where(values > 0, values, np.nan)
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    return np.argsort(keys, kind="stable")


_COLUMNS = {"value": "values", "baseline": "to_baseline", "median": "to_median"} | {
    name: name for name in ("first", "found", "deeper", "above", "unjudged")
}
"""Column -> field of ``Failures``, for columns that show a field unchanged."""


def failures_at(view_model: FailuresViewModel, context: EvaluationContext, query_id: str) -> FailuresViewModel:
    """Return the view model with the row of the selected query, that of the focus run if it fails there."""
    rows = np.flatnonzero(view_model.query == context.query_index.get(query_id, -1))
    if not len(rows):
        return view_model
    focus = next((position for position, label in enumerate(view_model.runs) if label.focus), -1)
    mine = rows[view_model.run[rows] == focus]
    return replace(view_model, selected=int(mine[0]) if len(mine) else int(rows[0]))


@lru_cache(maxsize=256)
def _words(mask: int) -> str:
    return "   ".join(f"{kind.sign} {kind.word}" for position, kind in enumerate(KINDS) if mask >> position & 1)


def _tip(mask: int, limits: Limits, higher: bool) -> str:
    return "\n".join(
        f"{kind.sign} {limits.meaning(kind, higher)}" for position, kind in enumerate(KINDS) if mask >> position & 1
    )


def hubs_at(view_model: HubsViewModel, document: str | None) -> HubsViewModel:
    """Return the view model with the row of the selected document."""
    return (
        replace(view_model, selected=view_model.doc_ids.index(document))
        if document in view_model.doc_ids
        else view_model
    )


def build_hubs_view_model(context: EvaluationContext, options: FindingOptions, hubs: Hubs | None) -> HubsViewModel:
    """Return the non-relevant documents that two or more queries retrieve within the cutoff, none selected."""
    from irviewer.analysis.failures.hubs import find_hubs
    from irviewer.views.failures import hubs_table

    known = find_hubs((), (), depth=context.cutoff) if hubs is None else hubs
    ids: list[str] = known.doc_ids.to_pylist()
    numbers = {name: getattr(known, name) for name in ("queries", "nonrelevant", "unjudged", "runs", "best", "right")}
    column, descending = options.hubs_sort
    rows = np.arange(len(ids))
    if column == "document":
        rows = np.array(sorted(range(len(ids)), key=ids.__getitem__, reverse=descending), dtype=np.int64)
    elif column == "remarks":
        rows = np.argsort(_noted(context, ids) * (-1 if descending else 1), kind="stable")
    elif column in numbers and (column, descending) != ("queries", True):
        rows = np.argsort(-numbers[column] if descending else numbers[column], kind="stable")
    taken = tuple(ids[row] for row in rows.tolist())
    place_of = np.empty(len(context.query_ids), dtype=np.int64)
    place_of[context.natural_order] = np.arange(len(place_of))
    named = [_named(context, known, row, place_of) for row in rows.tolist()]
    regime = Regime.POOLED if context.judgments is None else context.judgments.regime
    table = hubs_table(known, context.query_ids, regime).rows(rows.tolist())
    shown = [each.told(texts=[text for text, _ in named]) if each.kind == "tags" else each for each in table.columns]
    title = trn(
        "{n:,} misleading document · top {cutoff} of {runs}",
        "{n:,} misleading documents · top {cutoff} of {runs}",
        len(ids),
        cutoff=context.cutoff,
        runs=runs_text(len(context.taking_part)),
    )
    return HubsViewModel(
        title=title,
        note=tr("Enter opens the first of the queries with the document; 0 to 9 judge the document for it"),
        doc_ids=taken,
        titles=tuple(context.collection.document_title(doc) for doc in taken),
        table=replace(table, columns=tuple(shown)),
        first=tuple(first for _, first in named),
        selected=-1,
        sort=options.hubs_sort,
        complete=context.complete,
        explanation=context.explanation
        or context.nothing_judged(tr("Misleading documents"))
        or (_nothing(context) if hubs is None else _no_hubs(ids)),
        judged=(),
        remarks=_notes(context, taken),
    )


def _no_hubs(ids: list[str]) -> str:
    return "" if ids else tr("No non-relevant document is at the top for more than one query.")


def _named(context: EvaluationContext, hubs: Hubs, row: int, place_of: Ints) -> tuple[str, str]:
    """Return the first queries as text, and the first query in natural order; ``place_of`` int64[E] is the place of
    each query in it."""
    places = hubs.queries_of(row)
    if len(places) > NAMED:
        places = places[np.argpartition(place_of[places], NAMED)[:NAMED]]
    places = places[np.argsort(place_of[places])]
    ids = [context.query_ids[position] for position in places.tolist()]
    more = int(hubs.queries[row]) - len(ids)
    names = ", ".join(ids)
    return tr("{names} and {count:,} more", names=names, count=more) if more > 0 else names, ids[0]


def worklist_at(view_model: WorklistViewModel, query_id: str, document: str | None) -> WorklistViewModel:
    """Return the view model with the row of the selected query and document."""
    pairs = zip(view_model.query_ids, view_model.doc_ids, strict=True)
    row = next((row for row, pair in enumerate(pairs) if pair == (query_id, document)), -1)
    return view_model if row < 0 else replace(view_model, selected=row)


def build_worklist_view_model(context: EvaluationContext, worklist: Worklist | None) -> WorklistViewModel:
    """Return the worklist of the runs that take part in comparisons, to the depth that the measure reads; none
    selected."""
    from irviewer.analysis.explain.unjudged import Worklist
    from irviewer.views.pool import worklist_table

    measure = context.measure
    known = Worklist((), str(measure), 0, 0, 0, 0, measure.higher_is_better) if worklist is None else worklist
    listed = known.candidates[:MOST_LISTED]
    labels = {label.whole_name: label for label in context.taking_part_labels}
    count = 0 if worklist is None else worklist.total
    grade = listed[0].grade if listed else 0.0
    if worklist is None:
        title = tr("Worklist · {measure}", measure=context.measure)
    elif count > len(listed):
        title = tr(
            "{shown:,} of {count:,} unjudged documents that would change {measure}",
            shown=len(listed),
            count=count,
            measure=context.measure,
        )
    else:
        title = trn(
            "{n:,} unjudged document that would change {measure}",
            "{n:,} unjudged documents that would change {measure}",
            count,
            measure=context.measure,
        )
    return WorklistViewModel(
        title=title,
        note=_worklist_note(context, worklist, grade) if worklist else "",
        table=worklist_table(replace(known, candidates=listed)),
        query_ids=tuple(row.query for row in listed),
        texts=tuple(context.collection.query_text(row.query) for row in listed),
        doc_ids=tuple(row.document for row in listed),
        titles=tuple(context.collection.document_title(row.document) for row in listed),
        run=tuple(labels[row.changes[0].run] for row in listed),
        grade=grade,
        selected=-1,
        explanation=context.explanation or why_no_worklist(context) or _no_work(context, worklist),
        remarks=_notes(context, [row.document for row in listed]),
    )


def _notes(context: EvaluationContext, doc_ids: Sequence[str]) -> tuple[Note, ...]:
    """Return the notes about documents; empty if there are none at all."""
    notes = notes_of(context.collection).documents
    return tuple(notes.get(doc, Note()) for doc in doc_ids) if notes else ()


def _noted(context: EvaluationContext, doc_ids: Sequence[str]) -> Floats:
    """Return 1 for each document with a note, else 0."""
    notes = notes_of(context.collection).documents
    return np.array([float(doc in notes) for doc in doc_ids], dtype=np.float64)


def _worklist_note(context: EvaluationContext, worklist: Worklist, grade: float) -> str:
    part, count = len(context.taking_part), len(context.system_runs)
    runs = tr("{shown:,} of {count:,} runs", shown=part, count=count) if part < count else ""
    if part == count and count > 1:
        runs = tr("all runs")
    cut = worklist.cut if worklist.unseen or worklist.falling else ""
    return " · ".join(filter(None, (tr("if judged {grade:g}", grade=grade), runs, cut)))


def _no_work(context: EvaluationContext, worklist: Worklist | None) -> str:
    if context.complete:
        return tr(
            "The judgments are read as complete: every document counts as judged.\n"
            "If only a pool was judged, choose “Judgments are pooled” ({key}).",
            key=keys("find_action"),
        )
    if worklist is None:
        return tr("Trying the unjudged documents at the top of the runs …")
    return (
        ""
        if worklist
        else tr("No unjudged document at the top of the runs would change {measure}.", measure=context.measure)
    )


def build_relevant_view_model(
    context: EvaluationContext,
    query_id: str,
    document: str | None,
    options: FindingOptions,
    relevant_ranks: RelevantRanks | None,
) -> RelevantViewModel:
    """Return the relevant documents of a query with their ranks in all runs that take part."""
    runs = context.taking_part_labels
    nothing = np.empty((0, len(runs)), dtype=np.int64)
    ids: list[str] = [] if relevant_ranks is None else relevant_ranks.doc_ids.to_pylist()
    ranks = nothing if relevant_ranks is None else relevant_ranks.ranks
    grades = np.empty(0) if relevant_ranks is None else relevant_ranks.grades
    column, descending = options.relevant_sort
    rows = np.arange(len(ids))
    if relevant_ranks is not None and len(ids):
        rows = _relevant_rows(context, relevant_ranks, ids, column, descending)
    taken = tuple(ids[row] for row in rows.tolist())
    unique = np.zeros(nothing.shape, dtype=np.bool_) if relevant_ranks is None else relevant_ranks.unique
    missed = 0 if relevant_ranks is None else int(np.count_nonzero(relevant_ranks.found == 0))
    alone = int(unique.any(axis=1).sum())
    notes = [
        tr("found by no run: {count:,}", count=missed) if missed else "",
        tr("◆ found by one run only: {count:,}", count=alone) if alone else "",
    ]
    return RelevantViewModel(
        title=trn(
            "Query {query} · {n:,} relevant document · {runs}",
            "Query {query} · {n:,} relevant documents · {runs}",
            len(ids),
            query=query_id,
            runs=runs_text(len(runs)),
        ),
        note=" · ".join(filter(None, notes)),
        query_id=query_id,
        runs=runs,
        by_merit=tuple(entry.key for entry in context.by_merit(context.taking_part)),
        doc_ids=taken,
        titles=tuple(context.collection.document_title(doc) for doc in taken),
        grades=frozen(grades[rows]),
        ranks=frozen(ranks[rows]),
        max_grade=context.max_grade,
        selected=taken.index(document) if document in taken else -1,
        sort=options.relevant_sort,
        explanation=context.explanation
        or context.nothing_judged(tr("Relevant documents"))
        or _no_relevant(context, relevant_ranks),
        remarks=_notes(context, taken),
    )


def relevant_table_of(view_model: RelevantViewModel) -> Table:
    """Return the table of a view model as the views describe it, in the order of its rows."""
    from irviewer.views.failures import relevant_table

    relevant = RelevantRanks(strings(view_model.doc_ids), view_model.grades, view_model.ranks)
    names = [label.whole_name or label.name for label in view_model.runs]
    return relevant_table(relevant, names, view_model.query_id, view_model.titles)


def _relevant_rows(
    context: EvaluationContext, relevant_ranks: RelevantRanks, ids: list[str], column: str, descending: bool
) -> Ints:
    if column == "document":
        return np.array(sorted(range(len(ids)), key=ids.__getitem__, reverse=descending), dtype=np.int64)
    if column == "grade":
        values = relevant_ranks.grades
    elif column == "remarks":
        values = _noted(context, ids)
    elif column == "best":
        values = np.where(relevant_ranks.best > 0, relevant_ranks.best, np.inf)
    elif column in (runs := [str(entry.key) for entry in context.taking_part]):
        of_run = relevant_ranks.ranks[:, runs.index(column)]
        values = np.where(of_run > 0, of_run, np.inf)
    else:
        values = relevant_ranks.found.astype(np.float64)
    # Documents that were not found have no rank: always last.
    keys = np.where(np.isinf(values), np.inf, -values if descending else values)
    return np.argsort(keys, kind="stable")


def _no_relevant(context: EvaluationContext, relevant_ranks: RelevantRanks | None) -> str:
    if relevant_ranks is None:
        return COMPUTING
    return "" if len(relevant_ranks.grades) else tr("The query has no relevant documents.")
