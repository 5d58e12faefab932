"""The view model of Query: the ranked lists of one query side by side, its strips, missed documents, metrics and
curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import IrviewerError
from irviewer.evaluation import curves
from irviewer.evaluation.evaluate import Joined
from irviewer.figures.figure import Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.measure_by_cutoff import by_cutoff_figure
from irviewer.figures.precision_recall import RunCurve, precision_recall_figure
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, ListedIds, Strings, frozen, offsets_of, places_of, rows_among
from irviewer.model.geometric import logarithms
from irviewer.model.half_up import HalfUp
from irviewer.model.judgments.explanations import Explanation
from irviewer.model.judgments.multiple import Assessments
from irviewer.model.judgments.overlay import PatchRow
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.tied_ranks import no_ties, tied_ranks
from irviewer.model.run import Run
from irviewer.model.texts import GONE, TextTable
from irviewer.model.workspace import Regime, RunEntry
from irviewer.rendering.elision import shared_start
from irviewer.rendering.run_label import NEW, RunLabel
from irviewer.session.curves.rules import curve_rules, drawn, gaining
from irviewer.session.evaluation.context import EvaluationContext, values_only
from irviewer.session.evaluation.zscores import called, is_zscored
from irviewer.session.notes.changes import note_line, notes_of
from irviewer.session.shortcuts import keys
from irviewer.session.text.card_template import CardTemplate
from irviewer.session.text.query_terms import marks, query_terms
from irviewer.session.view_models.judges.judging import own_rows
from irviewer.translation import decimal, tr

# Several grades of a document in the qrels: by subtopic or by judge. A file does not say which of the two its second
# column is, so the text names both. If the column has one value per document it is neither, but an iteration or a
# round, and nothing is shown.

WORDS = tr("subtopics or judges")


def aspects_of(qrels: Qrels, query_id: str, doc_id: str) -> tuple[tuple[str, float], ...]:
    """Return (subtopic or judge, grade) of a document in file order; "group/subgroup" for preferences. Empty if the
    second column of the qrels holds no subtopics, or the qrels lack the document."""
    said, place = _subtopics(qrels), qrels.query_index.get(query_id)
    if said is None or place is None:
        return ()
    start, stop = int(qrels.offsets[place]), int(qrels.offsets[place + 1])
    position = qrels.doc_ids[start:stop].index(doc_id).as_py()
    if position < 0:
        return ()
    rows = np.flatnonzero(said.rows == start + position)
    names = [said.names[code] for code in said.codes[rows].tolist()]
    if said.sub_codes is not None:
        names = [
            f"{name}/{said.sub_names[code]}" for name, code in zip(names, said.sub_codes[rows].tolist(), strict=True)
        ]
    return tuple(zip(names, said.grades[rows].tolist(), strict=True))


def covered_by_document(qrels: Qrels, query_id: str) -> dict[str, str]:
    """Return document -> the subtopics (or judges) of a query for which it is relevant, as "1, 3"."""
    said, place = _subtopics(qrels), qrels.query_index.get(query_id)
    if said is None or place is None:
        return {}
    start, stop = int(qrels.offsets[place]), int(qrels.offsets[place + 1])
    rows = np.flatnonzero((said.rows >= start) & (said.rows < stop) & (said.grades > 0))
    documents = qrels.doc_ids[start:stop].to_pylist()
    names_by_document: dict[str, list[str]] = {}
    for row, code in zip(said.rows[rows].tolist(), said.codes[rows].tolist(), strict=True):
        names_by_document.setdefault(documents[row - start], []).append(said.names[code])
    return {document: ", ".join(dict.fromkeys(names)) for document, names in names_by_document.items()}


def _subtopics(qrels: Qrels) -> Assessments | None:
    said = qrels.assessments
    return said if said is not None and (said.in_several or said.sub_codes is not None) else None


def aspect_words(aspects: tuple[tuple[str, float], ...]) -> str:
    """``subtopics or judges: 1 (2), 3, not 4``: grades other than 1 in brackets; "" without any."""
    if not aspects:
        return ""
    good = [name if grade == 1 else f"{name} ({grade:g})" for name, grade in aspects if grade > 0]
    bad = [name for name, grade in aspects if grade <= 0]
    parts = [", ".join(good)] if good else []
    if bad:
        parts.append(tr("not {names}", names=", ".join(bad)))
    return f"{WORDS}: " + ", ".join(parts)


@dataclass(frozen=True)
class CurveChoice:
    """``raw``: precision at every rank instead of interpolated precision; ``discounted``: gain by rank is discounted
    (DCG) or not (CG)."""

    raw: bool = False
    discounted: bool = True


USUAL = CurveChoice()


@dataclass(frozen=True, eq=False)
class RankedColumn:
    """The list of one shown run; row r is rank r + 1.

    doc_ids   the documents, best first, to the run's depth (empty: the run lacks the query)
    grades    float64[n]; NaN if the qrels do not list the document
    change    int64[n] rank change against the baseline: + up, - down, 0 equal, ``NEW`` if the baseline does not return
              the document; None for the baseline itself, and if the baseline lacks the query
    value     the value of the chosen measure
    tied      int64[g, 2] the first and the last rank of each group of documents with equal scores, by rank
    stored    only values of the run are known, so that there are no documents
    """

    run: RunLabel
    value: float
    doc_ids: Sequence[str]
    grades: Floats
    change: Ints | None
    tied: Ints = field(default_factory=no_ties)
    stored: bool = False


@dataclass(frozen=True, eq=False)
class StripRow:
    """One run (shown or not) as a row of cells. Only judged documents have an id.

    ranks, grades   int64[h], float64[h] of the returned documents that the qrels list, by rank
    doc_ids         list[str][h] their ids
    returned        the number of documents that the run returned
    selected_rank   the rank of the selected document, 0 if the run did not return it
    tied            int64[g, 2] the first and the last rank of each group of documents with equal scores, by rank
    """

    run: RunLabel
    value: float
    ranks: Ints
    grades: Floats
    doc_ids: list[str]
    returned: int
    selected_rank: int
    tied: Ints = field(default_factory=no_ties)


@dataclass(frozen=True)
class MissedRow:
    """A relevant document that some shown run does not have within the cutoff; ``ranks`` by shown run, 0 if not
    retrieved."""

    doc_id: str
    title: str
    grade: float
    ranks: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MetricRow:
    """One measure of this query by shown run. ``delta`` is focus minus baseline, with ``ratio`` the logarithm of their
    ratio (geometric means), NaN without both. ``best`` are the indices of the best values of runs that take part or are
    edited copies, empty if all are equal; ``tooltip`` returns the tooltip, "" for none."""

    measure: str
    label: str
    values: tuple[float, ...]
    best: tuple[int, ...]
    delta: float
    chosen: bool
    counts: bool = False
    higher_is_better: bool = True
    tooltip: Callable[[], str] = str
    ratio: bool = False
    base: float = math.nan
    """The value of the baseline, shown or not; NaN without one."""


@dataclass(frozen=True, eq=False)
class QueryViewModel:
    """Everything that Query shows. ``cutoff`` is the rank of the cutoff line; ``depth`` that of the deepest shown list;
    ``position`` is (position from 1, number of queries) in the order of the table, 0 if the filter hides the query.
    ``explanation`` says what is missing (no runs, no judgments), "" if nothing is; ``aspects`` the subtopics that a
    document is relevant to, by document ("1, 3"); ``own`` the judgments made here, by document."""

    query_id: str
    text: str
    position: tuple[int, int]
    n_relevant: int
    measure: str
    cutoff: int
    regime: Regime
    max_grade: float
    grade_levels: tuple[float, ...]
    columns: tuple[RankedColumn, ...]
    make_strips: Callable[[], tuple[StripRow, ...]]
    missed: tuple[MissedRow, ...]
    metrics: tuple[MetricRow, ...]
    make_precision_recall: Callable[[], Figure]
    make_gain: Callable[[], Figure]
    document: str | None
    terms: tuple[str, ...]
    depth: int
    explanation: str = ""
    aspects: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, PatchRow] = field(default_factory=dict)
    make_by_cutoff: Callable[[], Figure] | None = None
    level: float = 1.0

    def is_relevant(self, grade: float) -> bool:
        """Return whether a document of a grade is relevant: from the relevance level on."""
        return grade >= self.level and grade > 0

    @property
    def strips(self) -> tuple[StripRow, ...]:
        """All runs with the documents that the qrels list, the best value first. Made when it is first asked for, as
        all figures are."""
        return self.make_strips()

    @property
    def precision_recall(self) -> Figure:
        """Precision by recall of the shown runs."""
        return self.make_precision_recall()

    @property
    def gain(self) -> Figure:
        """Gain by rank of the shown runs."""
        return self.make_gain()

    @property
    def by_cutoff(self) -> Figure:
        """nDCG of the query at every cutoff."""
        return self.gain if self.make_by_cutoff is None else self.make_by_cutoff()

    @property
    def missed_known(self) -> bool:
        """Whether it is known which relevant documents the shown runs miss: not from values alone."""
        return self.n_relevant >= 0 and not (self.columns and all(column.stored for column in self.columns))

    @cached_property
    def missed_of_chosen(self) -> tuple[RunLabel, int] | None:
        """The chosen run, or the first one that is shown where none is, and how many relevant documents are outside the
        cutoff of its list; None if that is not known."""
        known = [place for place, column in enumerate(self.columns) if not column.stored]
        if not known or not self.missed_known:
            return None
        place = next((place for place in known if self.columns[place].run.focus), known[0])
        ranks = [row.ranks[place] for row in self.missed]
        return self.columns[place].run, sum(rank == 0 or rank > self.cutoff for rank in ranks)

    @cached_property
    def id_start(self) -> str:
        """What all ids in the lists begin with; "" if they share too little. The order of the lists does not matter."""
        lists = [column.doc_ids for column in self.columns if len(column.doc_ids)]
        listed = [ids.ids for ids in lists if isinstance(ids, ListedIds)]
        ends = [(min(ids), max(ids)) for ids in lists if not isinstance(ids, ListedIds)]
        if listed:  # in one search for all lists, which for hundreds of them takes a fraction of the time
            both = pc.min_max(pa.chunked_array(listed)).as_py()
            ends.append((both["min"], both["max"]))
        if not ends:
            return ""
        return shared_start(min(first for first, _ in ends), max(last for _, last in ends))

    @cached_property
    def differing(self) -> frozenset[str]:
        """The documents that have another grade here than in the file."""
        return frozenset([doc_id for doc_id, row in self.own.items() if row.differs])


def with_values_half_up(view_model: QueryViewModel) -> QueryViewModel:
    """Return the view model with values that are written rounded half up, as lectures do."""
    columns = tuple(replace(column, value=HalfUp(column.value)) for column in view_model.columns)
    make = cache(lambda: tuple(replace(strip, value=HalfUp(strip.value)) for strip in view_model.strips))
    return replace(view_model, columns=columns, make_strips=make)


def with_values_covered(view_model: QueryViewModel) -> QueryViewModel:
    """Return the view model without the value of any measure, while a question asks for one."""
    columns = tuple(replace(column, value=math.nan) for column in view_model.columns)
    make = cache(lambda: tuple(replace(strip, value=math.nan) for strip in view_model.strips))
    return replace(view_model, columns=columns, make_strips=make, metrics=())


@dataclass(frozen=True)
class ScoreRow:
    """The score of a document in one run, and the parts of the score by name if the run's file has them; NaN for a part
    that is missing."""

    run: RunLabel
    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class DocumentCard:
    """The selected document.

    fields   its columns in order, without title and text
    grade    NaN if the qrels of the query do not list it; ``listed`` if they do
    ranks    (label, rank or 0) by run, the shown ones first
    marks    (start, length) of query terms in ``text``; ``title_marks`` in ``title``
    picture  the path of a picture on this computer, "" for none
    scores   of the shown runs that returned it, if some run's file has the parts of scores
    aspects  its subtopics or judges in words
    own      the judgment made here, None for none
    remark   the user's note and tags, "" for none
    explained  what the judge's file says of the grade: explanation, model, confidence, with their names
    lost     why its text can no longer be read, "" if it can
    """

    doc_id: str
    title: str
    text: str
    fields: tuple[tuple[str, str], ...]
    grade: float
    ranks: tuple[tuple[RunLabel, int], ...]
    marks: tuple[tuple[int, int], ...]
    title_marks: tuple[tuple[int, int], ...]
    known: bool
    picture: str = ""
    lost: str = ""
    scores: tuple[ScoreRow, ...] = ()
    aspects: str = ""
    own: PatchRow | None = None
    listed: bool = True
    remark: str = ""
    explained: tuple[tuple[str, str], ...] = ()


# The score of a document in each run, and its parts by name if the run's file has them: for the document card and
# the tooltip of a row.


def score_rows(context: EvaluationContext, ranks: dict[int, int], query_id: str) -> tuple[ScoreRow, ...]:
    """Return a row for each shown run that returned the document, in display order; ``ranks`` are its ranks by the
    run's key, 0 for not returned. No rows if no run's file has the parts of scores."""
    entries = [entry for entry in context.shown_runs if ranks.get(entry.key)]
    if not any(entry.run.components for entry in entries):
        return ()
    return tuple(
        ScoreRow(context.labels[entry.key], *_score(entry.run, query_id, ranks[entry.key])) for entry in entries
    )


def score_words(run: Run, query_id: str, rank: int) -> str:
    """Return ``score 7.31 · bm25 5.2 · recency 0.4`` of the document at a rank, "" without parts."""
    if not 1 <= rank <= run.returned(query_id):
        return ""
    score, parts = _score(run, query_id, rank)
    return " · ".join(f"{name} {number(value)}" for name, value in (("score", score), *parts))


def number(value: float) -> str:
    """Return a score with six digits, "–" for none."""
    return "–" if math.isnan(value) else decimal(f"{value:.6g}")


def _score(run: Run, query_id: str, rank: int) -> tuple[float, tuple[tuple[str, float], ...]]:
    row = int(run.offsets[run.query_index[query_id]]) + rank - 1
    return float(run.scores[row]), tuple((name, float(values[row])) for name, values in run.components.items())


# The view model of Query and the document card. They read slices of one query, without a loop over documents.

LEAST_GAIN_DEPTH = 20
"""The plot of DCG by rank goes at least to this rank if the runs do."""

EQUAL = 1e-12

DEFAULT_TEMPLATE = CardTemplate()

ReadLists = Mapping[int, Run | IrviewerError]
"""The lists of a query that were read of runs too large to be open, by the runs' keys; an error where one cannot be."""
NO_LISTS: ReadLists = {}


def _listed(entry: RunEntry, lists: ReadLists) -> Run:
    """Return the run, of one that is too large to be open the list of the query that was read."""
    read = lists.get(entry.key)
    return read if isinstance(read, Run) else entry.run


def build_query_view_model(
    context: EvaluationContext,
    query_id: str,
    position: tuple[int, int],
    measures: Sequence[Measure],
    choice: CurveChoice = USUAL,
    lists: ReadLists = NO_LISTS,
) -> QueryViewModel:
    """Return the view model of one query with no document selected (see :func:`with_document`); ``measures`` are those
    of the metric table, ``lists`` those of large runs that were read."""
    place = context.query_index.get(query_id, -1)
    text = context.collection.query_text(query_id)
    subject = tr("query {query}", query=query_id)
    return QueryViewModel(
        query_id=query_id,
        text=text,
        position=position,
        n_relevant=_n_relevant(context, place),
        measure=called(context, context.measure),
        cutoff=context.cutoff,
        regime=context.judgments.regime if context.judgments is not None else Regime.POOLED,
        max_grade=context.max_grade,
        grade_levels=grade_levels(context),
        level=context.options.level,
        columns=_columns(context, query_id, place, lists),
        missed=_missed(context, query_id, lists),
        metrics=_metrics(context, place, measures),
        # Only what is in view is made, once for all documents.
        make_strips=cache(lambda: _strips(context, query_id, place, lists)),
        make_precision_recall=cache(
            lambda: replace(precision_recall_of_query(context, place, choice.raw), subject=subject)
        ),
        make_gain=cache(lambda: replace(_gain(context, place, choice.discounted), subject=subject)),
        make_by_cutoff=cache(lambda: replace(_by_cutoff(context, place), subject=subject)),
        document=None,
        terms=query_terms(text),
        depth=max((_listed(entry, lists).returned(query_id) for entry in context.shown_runs), default=0),
        explanation=_explanation(context, place, lists),
        aspects={} if context.judgments is None else covered_by_document(context.judgments.qrels, query_id),
        own=own_rows(context, query_id),
    )


def _n_relevant(context: EvaluationContext, place: int) -> int:
    """Return the number of relevant documents of a query; −1 where only the digest of the judgments is known."""
    if context.judgments is not None and context.judgments.qrels.unread is not None:
        return -1
    return int(context.relevant[place]) if place >= 0 else 0


def _explanation(context: EvaluationContext, place: int, lists: ReadLists) -> str:
    troubles = [str(read) for read in lists.values() if isinstance(read, IrviewerError)]
    if troubles:
        return troubles[0]
    without = [entry for entry in context.shown_runs if _listed(entry, lists).stored is not None]
    values = [context.name_of(entry) for entry in without if entry.run.stored and entry.run.stored.lists is None]
    if values:
        return values_only(values)
    if without:
        return tr("The list of {run} is being read.", run=context.name_of(without[0]))
    if context.explanation:
        return context.explanation
    if not context.shown_runs:
        return tr("No run is shown. Press {key} to choose runs.", key=keys("choose_runs"))
    return "" if place >= 0 else tr("The query has no judgments.")


def with_document(
    view_model: QueryViewModel, context: EvaluationContext, doc_id: str | None, lists: ReadLists = NO_LISTS
) -> QueryViewModel:
    """Return the view model with a document selected, with its rank in every strip."""
    if doc_id is None:
        return view_model
    make = cache(lambda: tuple(
        replace(strip, selected_rank=rank_of(_listed(entry, lists), view_model.query_id, doc_id))
        for strip in view_model.strips
        for entry in [context.collection.run(strip.run.key)]
        if entry is not None
    ))  # fmt: skip
    return replace(view_model, document=doc_id, make_strips=make)


def build_document(
    context: EvaluationContext, query_id: str, doc_id: str, template: CardTemplate = DEFAULT_TEMPLATE
) -> DocumentCard:  # fmt: skip
    """Return the card of a document for a query; ``template`` says which columns it shows."""
    documents = context.collection.documents
    known = documents is not None and doc_id in documents.index
    row = documents.row(doc_id) if documents is not None else {}
    title, text = _said(template, "title", row), _said(template, "text", row)
    if documents is not None:
        title = documents.title(doc_id) if title is None else title
        text = documents.body(doc_id) if text is None else text
    title, text = title or "", text or ""
    column, picture = template.picture(row, documents.origin if documents is not None else "")
    terms = query_terms(context.collection.query_text(query_id))
    standard = "" if template.column("title") else "title"
    shown = tuple(
        (name, str(row[name]))
        for name in template.order(tuple(row))
        if name not in (standard, column) and str(row[name]) not in ("", text)
    )
    grade, listed = float("nan"), False
    if context.judgments is not None:
        unlisted = 0.0 if context.complete and query_id in context.judgments.qrels.query_index else float("nan")
        judged = context.judgments.qrels.judgments(query_id)
        grade, listed = judged.get(doc_id, unlisted), doc_id in judged
    entries = [*context.shown_runs, *(run for run in context.collection.runs if run.key not in context.shown)]
    entries = [entry for entry in entries if entry.run.stored is None]
    ranks = {entry.key: rank_of(entry.run, query_id, doc_id) for entry in entries}
    return DocumentCard(
        doc_id=doc_id,
        title=title,
        text=text,
        fields=shown,
        grade=grade,
        ranks=tuple((context.labels[key], rank) for key, rank in ranks.items()),
        marks=marks(text, terms),
        title_marks=marks(title, terms),
        known=known,
        lost=_lost(documents) if known and not row else "",
        picture=picture,
        scores=score_rows(context, ranks, query_id),
        aspects=""
        if context.judgments is None
        else aspect_words(aspects_of(context.judgments.qrels, query_id, doc_id)),
        own=own_rows(context, query_id).get(doc_id),
        listed=listed,
        remark=note_line(notes_of(context.collection).of("document", doc_id)),
        explained=()
        if context.judgments is None
        else explained(context.judgments.explanations.explanation(query_id, doc_id)),
    )


def explained(explanation: Explanation) -> tuple[tuple[str, str], ...]:
    """Return the names and texts of what is known of a judgment beside its grade."""
    rows = (
        (tr("explanation"), explanation.text),
        (tr("model"), explanation.model),
        (tr("confidence"), explanation.confidence),
    )
    return tuple((name, text) for name, text in rows if text)


def _lost(documents: TextTable | None) -> str:
    """Return why the texts of a file cannot be read, and what to do about it; "" if they can."""
    reason = "" if documents is None else documents.lost
    if documents is None or not reason:
        return ""
    file = Path(documents.origin).name
    if reason == GONE:
        return f"{file} {reason}"
    return tr("{file} {reason}. Press {key} to read it again.", file=file, reason=reason, key=keys("reload"))


def _said(template: CardTemplate, part: str, row: Mapping[str, Any]) -> str | None:
    """Return the value of the column that the user chose for this part; None if none was chosen, or the row lacks
    it."""
    value = row.get(template.column(part))
    return None if value is None else " ".join(str(value).split()) if part == "title" else str(value)


def grade_levels(context: EvaluationContext) -> tuple[float, ...]:
    """Return the grades of the legend: those that occur, and 0 if unlisted documents are non-relevant."""
    if context.judgments is None:
        return ()
    levels = {float(level) for level in context.judgments.qrels.levels if level >= 0}
    return tuple(sorted(levels | ({0.0} if context.complete else set())))


def slice_of(run: Run, query_id: str) -> Strings:
    """Return the documents of the run for the query, best first, as an Arrow slice; empty if it lacks the query."""
    position = run.query_index.get(query_id) if len(run) else None
    if position is None:
        return run.doc_ids[:0]
    return run.doc_ids[int(run.offsets[position]) : int(run.offsets[position + 1])]


def places_in(lists: Sequence[Strings], documents: Strings) -> list[Ints]:
    """Return for each list the place of each of its documents among ``documents``, -1 if it is not there: in one
    search for all lists, which for hundreds of them takes a fraction of the time."""
    stops = np.cumsum([len(each) for each in lists])
    return np.split(rows_among(pa.concat_arrays(lists), documents), stops[:-1]) if len(lists) else []


def taken(lists: Sequence[Strings], places: Sequence[Ints]) -> list[list[str]]:
    """Return for each list the documents at its places, taken from all lists at once."""
    if not lists:
        return []
    starts = offsets_of(np.array([len(each) for each in lists]))
    whole = np.concatenate([place + start for place, start in zip(places, starts[:-1].tolist(), strict=True)])
    ids = pa.concat_arrays(lists).take(places_of(whole)).to_pylist()
    stops = offsets_of(np.array([len(place) for place in places])).tolist()
    return [ids[start:stop] for start, stop in pairwise(stops)]


def rank_of(run: Run, query_id: str, doc_id: str) -> int:
    """Return the rank of a document, 0 if the run did not return it."""
    return int(pc.index(slice_of(run, query_id), pa.scalar(doc_id, pa.string())).as_py()) + 1


def _hits(context: EvaluationContext, entry: RunEntry, place: int, lists: ReadLists) -> tuple[Ints, Floats]:
    read = lists.get(entry.key)
    if isinstance(read, Run) and context.judgments is not None and place >= 0:
        query, options = context.query_ids[place], context.options
        joined = Joined(read, context.judgments.qrels.of_queries([query]), options, [query])
        alone = joined.under(options.rules.join_options)
        return alone.hits_of(0)
    evaluation_input = context.list_input(entry)
    if evaluation_input is None or place < 0:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return context.evaluation.hits(evaluation_input, place)


def _value(context: EvaluationContext, entry: RunEntry, place: int, measure: Measure) -> float:
    return float(context.values(entry, measure)[place]) if place >= 0 else float("nan")


def _columns(
    context: EvaluationContext, query_id: str, place: int, lists: ReadLists
) -> tuple[RankedColumn, ...]:  # fmt: skip
    baseline = None if context.baseline is None else context.collection.run(context.baseline)
    ranked = [slice_of(_listed(entry, lists), query_id) for entry in context.shown_runs]
    changes = _changes(None if baseline is None else _listed(baseline, lists), query_id, ranked)
    columns = []
    for entry, documents, change in zip(context.shown_runs, ranked, changes, strict=True):
        run = _listed(entry, lists)
        grades = np.full(len(documents), 0.0 if context.complete and place >= 0 else np.nan)
        ranks, grades_found = _hits(context, entry, place, lists)
        grades[ranks - 1] = grades_found
        columns.append(
            RankedColumn(
                run=context.labels[entry.key],
                value=_value(context, entry, place, context.measure),
                doc_ids=ListedIds(documents),
                grades=frozen(grades),
                change=None if baseline is None or entry.key == baseline.key else change,
                tied=tied_ranks(run, query_id),
                stored=run.stored is not None,
            )
        )
    return tuple(columns)


def _changes(baseline: Run | None, query_id: str, ranked: Sequence[Strings]) -> Sequence[Ints | None]:
    """Return for each list by how many ranks each document is better than in the baseline's; None where there is no
    baseline, or it lacks the query."""
    if baseline is None or not baseline.returned(query_id):
        return [None] * len(ranked)
    places = places_in(ranked, slice_of(baseline, query_id))
    return [frozen(np.where(place < 0, NEW, place - np.arange(len(place)))) for place in places]


def _strips(context: EvaluationContext, query_id: str, place: int, lists: ReadLists) -> tuple[StripRow, ...]:
    entries = [entry for entry in context.collection.runs if _listed(entry, lists).stored is None]
    hits = [_hits(context, entry, place, lists) for entry in entries]
    ranked = [slice_of(_listed(entry, lists), query_id) for entry in entries]
    named = taken(ranked, [ranks - 1 for ranks, _ in hits])
    rows = []
    for entry, (ranks, grades), documents, ids in zip(entries, hits, ranked, named, strict=True):
        value = _value(context, entry, place, context.measure)
        tied = tied_ranks(_listed(entry, lists), query_id)
        rows.append(StripRow(context.labels[entry.key], value, ranks, grades, ids, len(documents), 0, tied))
    sign = -1.0 if context.measure.higher_is_better else 1.0
    return tuple(sorted(rows, key=lambda row: (bool(np.isnan(row.value)), sign * row.value)))


def _missed(context: EvaluationContext, query_id: str, lists: ReadLists) -> tuple[MissedRow, ...]:
    runs = [_listed(entry, lists) for entry in context.shown_runs]
    listed = [run.stored is None for run in runs]
    if context.judgments is None or not any(listed):
        return ()
    qrels = context.judgments.qrels
    position = qrels.query_index.get(query_id)
    if position is None:
        return ()
    start, stop = int(qrels.offsets[position]), int(qrels.offsets[position + 1])
    grades = qrels.grades[start:stop]
    relevant = np.flatnonzero((grades >= context.options.level) & (grades >= 0))
    documents = qrels.doc_ids[start:stop].take(places_of(relevant))
    ranks = np.zeros((len(documents), len(runs)), dtype=np.int64)
    for number, places in enumerate(places_in([slice_of(run, query_id) for run in runs], documents)):
        among = np.flatnonzero(places >= 0)
        ranks[places[among], number] = among + 1
    outside = np.flatnonzero(np.any(((ranks == 0) | (ranks > context.cutoff))[:, listed], axis=1))
    chosen = next((n for n, entry in enumerate(context.shown_runs) if listed[n] and entry.key == context.focus), -1)
    column = ranks[outside, chosen if chosen >= 0 else listed.index(True)]
    in_top = (column > 0) & (column <= context.cutoff)  # the others are what the chosen run misses
    order = outside[np.lexsort((-grades[relevant[outside]], in_top))]
    ids = documents.take(places_of(order)).to_pylist()
    title = context.collection.document_title
    return tuple(
        [
            MissedRow(doc_id, title(doc_id), float(grades[relevant[row]]), tuple(ranks[row].tolist()))
            for doc_id, row in zip(ids, order.tolist(), strict=True)
        ]
    )


def _metrics(context: EvaluationContext, place: int, measures: Sequence[Measure]) -> tuple[MetricRow, ...]:
    if context.judgments is None or place < 0:
        return ()
    graded = context.judgments.qrels.is_graded
    keys = list(context.shown)
    left_out = [context.labels[key].left_out for key in keys]
    baseline = context.collection.run(context.baseline) if context.baseline is not None else None
    rows = []
    for measure in measures:
        values = tuple([_value(context, entry, place, measure) for entry in context.shown_runs])
        treated = context.treated(measure)
        delta, ratio = float("nan"), treated.aggregate == "geometric"
        of_baseline = math.nan
        if baseline is not None:
            shown = baseline.key in keys
            of_baseline = values[keys.index(baseline.key)] if shown else _value(context, baseline, place, measure)
        if context.focus in keys and baseline is not None:
            pair = np.array([values[keys.index(context.focus)], of_baseline])
            first, second = logarithms(pair) if ratio else pair
            delta = float(first - second)
        rows.append(
            MetricRow(
                measure=measure.text,
                label=called(context, measure, measure.label(graded, context.options.level, short=True)),
                values=values,
                best=best_places(
                    [math.nan if out else value for value, out in zip(values, left_out, strict=True)], treated
                ),
                delta=delta,
                chosen=measure == context.measure,
                counts=treated.counts and not is_zscored(context, measure),
                higher_is_better=measure.higher_is_better,
                tooltip=partial(measure_tooltip, measure, treated, graded, context.options.level),
                ratio=ratio,
                base=of_baseline,
            )
        )
    return tuple(rows)


def measure_tooltip(measure: Measure, of: Measure, graded: bool, level: float) -> str:
    """Return the tooltip of a measure: its full name with the level, and what it rewards and ignores in the dialect
    (``of``)."""
    description = tr(
        "{title}: rewards {rewards}; ignores {ignores}",
        title=measure.family.title,
        rewards=of.rewards,
        ignores=of.ignores,
    )
    return f"{measure.label(graded, level)}\n{description}"


def best_places(values: Sequence[float], measure: Measure) -> tuple[int, ...]:
    """Return the indices of the best values; none if all are equal, or if the measure only counts."""
    numbers = np.asarray(values, dtype=np.float64)
    finite = numbers[np.isfinite(numbers)]
    if measure.counts or len(finite) < 2 or float(finite.max() - finite.min()) <= EQUAL:
        return ()
    best = finite.max() if measure.higher_is_better else finite.min()
    return tuple(np.flatnonzero(np.abs(numbers - best) <= EQUAL).tolist())


def precision_recall_of_query(context: EvaluationContext, place: int, raw: bool) -> Figure:
    """Return the curves of the shown runs for a query, by its index: precision at every rank, or interpolated."""
    rows, ranks = [], []
    for entry in context.shown_runs:
        judged = context.judged(entry)
        if judged is None or place < 0:
            continue
        points = curves.precision_recall if raw else curves.interpolated
        recall, precision = points(judged, place, context.options.level)
        rows.append((Role("run", entry.key), context.name_of(entry), recall, precision))
        hit_ranks, hit_grades = judged.hits_of(place)
        ranks.append(hit_ranks[(hit_grades >= context.options.level) & (hit_grades >= 0)])
    return drawn(context, precision_recall_figure(rows, _n_relevant(context, place), ranks, raw=raw))


def _gain(context: EvaluationContext, place: int, discounted: bool) -> Figure:
    depth = _gain_depth(context)
    rules = curve_rules(context)
    rows: list[RunCurve] = []
    ideals: list[RunCurve] = []
    for entry in context.shown_runs:
        judged = gaining(context, entry, rules) if place >= 0 else None
        if judged is None:
            continue
        run = Role("run", entry.key), context.name_of(entry)
        rank, gain = curves.gain_accumulation(judged, place, depth, rules.gain, discounted=discounted)
        rows.append((*run, rank.astype(np.float64), gain))
        # The grades are the same for all runs; the documents retrieved are not.
        if not ideals or rules.gain.ideal == "retrieved":
            rank, best = curves.ideal_accumulation(judged, place, depth, rules.gain, discounted=discounted)
            ideals.append((*run, rank.astype(np.float64), best))
    own = ideals if len(ideals) > 1 else []
    ideal = ideals[0][2:] if ideals else (np.empty(0), np.empty(0))
    name = "DCG" if discounted else "CG"
    return drawn(context, gain_figure(rows, ideal, context.cutoff, depth, name, own_ideals=own, note=rules.note))


def _by_cutoff(context: EvaluationContext, place: int) -> Figure:
    """Return nDCG of a query, by its index, at every cutoff as far as the runs reach."""
    depth = _gain_depth(context)
    rules, rows = curve_rules(context), []
    for entry in context.shown_runs:
        judged = gaining(context, entry, rules) if place >= 0 else None
        if judged is not None:
            cutoffs, values = curves.ndcg_by_cutoff(judged, place, depth, rules.gain)
            rows.append((Role("run", entry.key), context.name_of(entry), cutoffs.astype(np.float64), values))
    figure = by_cutoff_figure(rows, context.cutoff, 1, note=rules.note)
    return drawn(context, replace(figure, y=replace(figure.y, label=tr("nDCG at cutoff"))))


def _gain_depth(context: EvaluationContext) -> int:
    """Return the last rank of the curves by rank: twice the cutoff, if the runs reach it."""
    deepest = max((entry.run.depth for entry in context.shown_runs), default=1)
    return max(1, min(deepest, max(LEAST_GAIN_DEPTH, 2 * context.cutoff)))
