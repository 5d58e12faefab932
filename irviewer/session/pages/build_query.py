"""Builds the Query place's page and the document card from a scene. Slices and array look-ups of one query: no file,
no selection, no drawing, and no loop over documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.figures.figure import Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.precision_recall import precision_recall_figure
from irviewer.model import curves
from irviewer.model.arrays import Floats, Ints, Strings, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.measure import Measure
from irviewer.model.run import Run
from irviewer.model.texts import GONE, TextTable
from irviewer.model.tied import tied_ranks
from irviewer.model.workspace import Regime, RunEntry
from irviewer.session.card_template import CardTemplate
from irviewer.session.commands import keys
from irviewer.session.curve_choice import USUAL, CurveChoice
from irviewer.session.curve_rules import curve_rules, gaining
from irviewer.session.pages.build_aspects import aspect_words, aspects_of, covered_by_document
from irviewer.session.pages.build_scores import score_rows
from irviewer.session.pages.common import NEW
from irviewer.session.pages.judging import own_rows
from irviewer.session.pages.query import DocumentCard, MetricRow, MissedRow, QueryPage, RankedColumn, StripRow
from irviewer.session.remarks import remark_words, remarks_of
from irviewer.session.scene import Scene
from irviewer.session.terms import marks, query_terms
from irviewer.session.zscored import called, is_zscored

LEAST_GAIN_DEPTH = 20
"""The DCG accumulation goes at least so deep where the runs do."""

EQUAL = 1e-12

DEFAULT_TEMPLATE = CardTemplate()


def build_query(
    scene: Scene, query_id: str, position: tuple[int, int], measures: Sequence[Measure], choice: CurveChoice = USUAL
) -> QueryPage:
    """The page of one query, no document selected (see :func:`with_document`); ``measures`` are the metric table's."""
    place = scene.query_index.get(query_id, -1)
    text = scene.collection.query_text(query_id)
    return QueryPage(
        query_id=query_id,
        text=text,
        position=position,
        n_relevant=int(scene.relevant[place]) if place >= 0 else 0,
        measure=str(scene.measure),
        cutoff=scene.cutoff,
        regime=scene.judgments.regime if scene.judgments is not None else Regime.POOLED,
        max_grade=scene.max_grade,
        grade_levels=grade_levels(scene),
        columns=_columns(scene, query_id, place),
        strips=_strips(scene, query_id, place),
        missed=_missed(scene, query_id),
        metrics=_metrics(scene, place, measures),
        precision_recall=replace(_precision_recall(scene, place, choice.raw), subject=f"query {query_id}"),
        gain=replace(_gain(scene, place, choice.discounted), subject=f"query {query_id}"),
        document=None,
        terms=query_terms(text),
        depth=max((entry.run.returned(query_id) for entry in scene.shown_runs), default=0),
        explanation=scene.explanation or _explanation(scene, place),
        aspects={} if scene.judgments is None else covered_by_document(scene.judgments.qrels, query_id),
        own=own_rows(scene, query_id),
    )


def _explanation(scene: Scene, place: int) -> str:
    if not scene.shown_runs:
        return f"No run is shown: {keys('choose_runs')} chooses which are."
    return "" if place >= 0 else "This query has no judgments."


def with_document(page: QueryPage, scene: Scene, doc_id: str | None) -> QueryPage:
    """The page with a document selected: its rank in every strip; everything else is shared."""
    if doc_id is None:
        return page
    strips = tuple(
        replace(strip, selected_rank=rank_of(entry.run, page.query_id, doc_id))
        for strip in page.strips
        for entry in [scene.collection.run(strip.run.key)]
        if entry is not None
    )
    return replace(page, document=doc_id, strips=strips)


def build_document(
    scene: Scene, query_id: str, doc_id: str, template: CardTemplate = DEFAULT_TEMPLATE
) -> DocumentCard:  # fmt: skip
    """The card of a document in the light of a query; ``template`` says which columns it shows."""
    documents = scene.collection.documents
    known = documents is not None and doc_id in documents.index
    row = documents.row(doc_id) if documents is not None else {}
    title, text = _said(template, "title", row), _said(template, "text", row)
    if documents is not None:
        title = documents.title(doc_id) if title is None else title
        text = documents.text(doc_id) if text is None else text
    title, text = title or "", text or ""
    column, picture = template.picture(row, documents.origin if documents is not None else "")
    terms = query_terms(scene.collection.query_text(query_id))
    standard = "" if template.column("title") else "title"
    shown = tuple(
        (name, str(row[name]))
        for name in template.order(tuple(row))
        if name not in (standard, column) and str(row[name]) not in ("", text)
    )
    grade, listed = float("nan"), False
    if scene.judgments is not None:
        unlisted = 0.0 if scene.complete and query_id in scene.judgments.qrels.query_index else float("nan")
        judged = scene.judgments.qrels.judgments(query_id)
        grade, listed = judged.get(doc_id, unlisted), doc_id in judged
    entries = (*scene.shown_runs, *(one for one in scene.collection.runs if one.key not in scene.shown))
    ranks = {entry.key: rank_of(entry.run, query_id, doc_id) for entry in entries}
    return DocumentCard(
        doc_id=doc_id,
        title=title,
        text=text,
        fields=shown,
        grade=grade,
        ranks=tuple((scene.labels[key], rank) for key, rank in ranks.items()),
        marks=marks(text, terms),
        title_marks=marks(title, terms),
        known=known,
        lost=_lost(documents) if known and not row else "",
        picture=picture,
        scores=score_rows(scene, ranks, query_id),
        aspects="" if scene.judgments is None else aspect_words(aspects_of(scene.judgments.qrels, query_id, doc_id)),
        own=own_rows(scene, query_id).get(doc_id),
        listed=listed,
        remark=remark_words(remarks_of(scene.collection).of("document", doc_id)),
    )


def _lost(documents: TextTable | None) -> str:
    """What became of a file whose texts stay in it, and what to do about it; "" where they can be read."""
    why = "" if documents is None else documents.lost
    if documents is None or not why:
        return ""
    there = "" if why == GONE else f" since it was read: {keys('reload')} reads it again"
    return f"{Path(documents.origin).name} {why}{there}"


def _said(template: CardTemplate, part: str, row: Mapping[str, Any]) -> str | None:
    """What stands in the column that a person said is that part, None where nobody did or the row lacks it."""
    value = row.get(template.column(part))
    return None if value is None else " ".join(str(value).split()) if part == "title" else str(value)


def grade_levels(scene: Scene) -> tuple[float, ...]:
    """The grades that the legend names: those that occur and are judged, and 0 where the regime says so."""
    if scene.judgments is None:
        return ()
    levels = {float(level) for level in scene.judgments.qrels.levels if level >= 0}
    return tuple(sorted(levels | ({0.0} if scene.complete else set())))


def slice_of(run: Run, query_id: str) -> Strings:
    """The run's documents for the query, best first, as an Arrow slice; empty where it lacks the query."""
    place = run.query_index.get(query_id)
    if place is None:
        return run.doc_ids[:0]
    return run.doc_ids[int(run.offsets[place]) : int(run.offsets[place + 1])]


def rank_of(run: Run, query_id: str, doc_id: str) -> int:
    """The rank of a document, 0 where the run did not return it."""
    return int(pc.index(slice_of(run, query_id), pa.scalar(doc_id, pa.string())).as_py()) + 1


def ranks_of(run: Run, query_id: str, documents: Strings) -> Ints:
    """int64[n]: the rank of each document, 0 where the run did not return it."""
    ranking = slice_of(run, query_id)
    if not len(ranking):
        return np.zeros(len(documents), dtype=np.int64)
    found = pc.index_in(documents, value_set=ranking)
    return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), dtype=np.int64) + 1


def _hits(scene: Scene, entry: RunEntry, place: int) -> tuple[Ints, Floats]:
    judged = scene.judged(entry)
    if judged is None or place < 0:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return judged.hits_of(place)


def _value(scene: Scene, entry: RunEntry, place: int, measure: Measure) -> float:
    return float(scene.values(entry, measure)[place]) if place >= 0 else float("nan")


def _columns(scene: Scene, query_id: str, place: int) -> tuple[RankedColumn, ...]:
    baseline = None if scene.baseline is None else scene.collection.run(scene.baseline)
    columns = []
    for entry in scene.shown_runs:
        documents = slice_of(entry.run, query_id)
        grades = np.full(len(documents), 0.0 if scene.complete and place >= 0 else np.nan)
        ranks, found = _hits(scene, entry, place)
        grades[ranks - 1] = found
        columns.append(
            RankedColumn(
                run=scene.labels[entry.key],
                value=_value(scene, entry, place, scene.measure),
                doc_ids=documents.to_pylist(),
                grades=frozen(grades),
                change=None if baseline is None else _change(baseline, entry, query_id, documents),
                tied=tied_ranks(entry.run, query_id),
            )
        )
    return tuple(columns)


def _change(baseline: RunEntry, entry: RunEntry, query_id: str, documents: Strings) -> Ints | None:
    if entry.key == baseline.key or not baseline.run.returned(query_id):
        return None
    before = ranks_of(baseline.run, query_id, documents)
    change = before - np.arange(1, len(documents) + 1)
    return frozen(np.where(before == 0, NEW, change))


def _strips(scene: Scene, query_id: str, place: int) -> tuple[StripRow, ...]:
    rows = []
    for entry in scene.collection.runs:
        ranks, grades = _hits(scene, entry, place)
        documents = slice_of(entry.run, query_id)
        named = documents.take(pa.array(ranks - 1)).to_pylist() if len(ranks) else []
        value = _value(scene, entry, place, scene.measure)
        tied = tied_ranks(entry.run, query_id)
        rows.append(StripRow(scene.labels[entry.key], value, ranks, grades, named, len(documents), 0, tied))
    sign = -1.0 if scene.measure.higher_is_better else 1.0
    return tuple(sorted(rows, key=lambda row: (bool(np.isnan(row.value)), sign * row.value)))


def _missed(scene: Scene, query_id: str) -> tuple[MissedRow, ...]:
    if scene.judgments is None or not scene.shown_runs:
        return ()
    qrels = scene.judgments.qrels
    place = qrels.query_index.get(query_id)
    if place is None:
        return ()
    start, stop = int(qrels.offsets[place]), int(qrels.offsets[place + 1])
    grades = qrels.grades[start:stop]
    relevant = np.flatnonzero((grades >= scene.options.level) & (grades >= 0))
    documents = qrels.doc_ids[start:stop].take(pa.array(relevant))
    ranks = np.stack([ranks_of(entry.run, query_id, documents) for entry in scene.shown_runs], axis=1)
    outside = np.flatnonzero(np.any((ranks == 0) | (ranks > scene.cutoff), axis=1))
    order = outside[np.argsort(-grades[relevant[outside]], kind="stable")]
    ids = documents.take(pa.array(order)).to_pylist()
    return tuple(
        MissedRow(
            doc_id, scene.collection.document_title(doc_id), float(grades[relevant[row]]), tuple(ranks[row].tolist())
        )
        for doc_id, row in zip(ids, order.tolist(), strict=True)
    )


def _metrics(scene: Scene, place: int, measures: Sequence[Measure]) -> tuple[MetricRow, ...]:
    if scene.judgments is None or place < 0:
        return ()
    graded = scene.judgments.qrels.is_graded
    keys = list(scene.shown)
    rows = []
    for measure in measures:
        values = tuple(_value(scene, entry, place, measure) for entry in scene.shown_runs)
        delta, ratio = float("nan"), scene.treated(measure).aggregate == "geometric"
        if scene.focus in keys:
            baseline = scene.collection.run(scene.baseline) if scene.baseline is not None else None
            if baseline is not None:
                pair = np.array([values[keys.index(scene.focus)], _value(scene, baseline, place, measure)])
                first, second = logarithms(pair) if ratio else pair
                delta = float(first - second)
        rows.append(
            MetricRow(
                measure=str(measure),
                label=called(scene, measure, measure.label(graded, scene.options.level, short=True)),
                values=values,
                best=best_places(values, scene.treated(measure)),
                delta=delta,
                chosen=measure == scene.measure,
                counts=scene.treated(measure).counts and not is_zscored(scene, measure),
                higher_is_better=measure.higher_is_better,
                tooltip=measure_tooltip(measure, scene.treated(measure), graded, scene.options.level),
                ratio=ratio,
            )
        )
    return tuple(rows)


def measure_tooltip(measure: Measure, of: Measure, graded: bool, level: float) -> str:
    """What a measure's name in a table stands for: the whole name with its level, what it rewards and ignores as
    ``of``, which the dialect makes of it."""
    return f"{measure.label(graded, level)}\n{measure.family.title}: rewards {of.rewards}; ignores {of.ignores}"


def best_places(values: Sequence[float], measure: Measure) -> tuple[int, ...]:
    """The places of the best values; none where all are equal, or where the measure only counts."""
    numbers = np.asarray(values, dtype=np.float64)
    finite = numbers[np.isfinite(numbers)]
    if measure.counts or len(finite) < 2 or float(finite.max() - finite.min()) <= EQUAL:
        return ()
    best = finite.max() if measure.higher_is_better else finite.min()
    return tuple(np.flatnonzero(np.abs(numbers - best) <= EQUAL).tolist())


def _precision_recall(scene: Scene, place: int, raw: bool) -> Figure:
    made, ranks = [], []
    for entry in scene.shown_runs:
        judged = scene.judged(entry)
        if judged is None or place < 0:
            continue
        points = curves.precision_recall if raw else curves.interpolated
        recall, precision = points(judged, place, scene.options.level)
        made.append((Role("run", entry.key), entry.name, recall, precision))
        hit_ranks, hit_grades = judged.hits_of(place)
        ranks.append(hit_ranks[(hit_grades >= scene.options.level) & (hit_grades >= 0)])
    n_relevant = int(scene.relevant[place]) if place >= 0 else 0
    return precision_recall_figure(made, n_relevant, ranks, raw=raw)


def _gain(scene: Scene, place: int, discounted: bool) -> Figure:
    deepest = max((entry.run.depth for entry in scene.shown_runs), default=1)
    depth = max(1, min(deepest, max(LEAST_GAIN_DEPTH, 2 * scene.cutoff)))
    rules = curve_rules(scene)
    made, ideals = [], []
    for entry in scene.shown_runs:
        judged = gaining(scene, entry, rules) if place >= 0 else None
        if judged is None:
            continue
        run = Role("run", entry.key), entry.name
        rank, gain = curves.gain_accumulation(judged, place, depth, rules.gain, discounted=discounted)
        made.append((*run, rank.astype(np.float64), gain))
        rank, best = curves.ideal_accumulation(judged, place, depth, rules.gain, discounted=discounted)
        ideals.append((*run, rank.astype(np.float64), best))
    # What the qrels hold is the same for every run; what each retrieved is its own.
    own = ideals if rules.gain.ideal == "retrieved" and len(ideals) > 1 else []
    ideal = ideals[0][2:] if ideals else (np.empty(0), np.empty(0))
    name = "DCG" if discounted else "CG"
    return gain_figure(made, ideal, scene.cutoff, depth, name, own_ideals=own, note=rules.note)
