"""The view model of the failures of one run, query by query: the queries by their loss, the list of the selected one
with the parts of its loss and its causes, and the causes of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.failures.kinds import KINDS
from irviewer.analysis.failures.losses import PARTS, RunLosses
from irviewer.errors import name_some
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.failure_tags import FailureTag, FailureTags, Look, failure_tags_of, random_order
from irviewer.model.notes import Note
from irviewer.model.number_text import percent, quantity, signed_quantity
from irviewer.session.notes.changes import notes_of
from irviewer.tables.filter import Columns, FilterError, matches, parse_filter
from irviewer.tables.lazy_texts import in_order
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.failures.causes import RunCauses
    from irviewer.analysis.failures.detect import FailuresOfRuns
    from irviewer.rendering.run_label import RunLabel
    from irviewer.session.evaluation.context import EvaluationContext
    from irviewer.session.failures.options import FindingOptions
    from irviewer.tables.table import Table

PART_WORDS = {"not_retrieved": tr("not retrieved"), "too_low": tr("too low"), "order": tr("order")}
"""The parts of the loss in a narrow place."""


@dataclass(frozen=True)
class SignRow:
    """A computed cause of the selected query: its name, title, and what was found, in words."""

    name: str
    title: str
    words: str


@dataclass(frozen=True)
class TagRow:
    """A tag: its key, its name, on how many queries of the run it is, and whether it is on the selected one."""

    key: str
    name: str
    count: int
    on: bool


@dataclass(frozen=True)
class TopDocument:
    """A document of the top: rank, id, grade (NaN for unjudged), text in one line, and the rank that it repeats, 0 for
    none."""

    rank: int
    document: str
    grade: float
    text: str
    repeats: int


@dataclass(frozen=True, eq=False)
class ExaminedQuery:
    """The selected query with the list of the run.

    parts  in the order of ``PARTS``; () for a measure without a best order
    below  what else is to be said of its list, in words
    """

    query_id: str
    text: str
    loss: float
    parts: tuple[float, ...]
    signs: tuple[SignRow, ...]
    documents: tuple[TopDocument, ...]
    tags: tuple[TagRow, ...]
    examined: bool
    below: str


@dataclass(frozen=True, eq=False)
class FailureLoopViewModel:
    """The failures of one run.

    rows       int64[N]: the queries in their order, after the filter, as indices of ``losses``
    losses     of the run on the E queries
    looks      what was examined, by query id
    keys       query id -> the keys of its tags
    causes     the table of causes, whose rows are parts, kinds of failure, own tags and the rest
    total      the queries that have a loss, ``examined`` those of them that were examined
    selected   the row of the selected query, -1 where the filter hides it
    """

    run: RunLabel | None
    baseline: RunLabel | None
    title: str
    loss_words: str
    rows: Ints
    losses: RunLosses | None
    texts: Sequence[str]
    signs: Bools
    words: Sequence[str]
    looks: Mapping[str, Look]
    keys: Mapping[str, tuple[str, ...]]
    all_tags: tuple[FailureTag, ...]
    total: int
    examined: int
    examined_share: float
    selected: int
    order: str
    seed: int
    filter: str
    filter_error: str
    summary: RunCauses | None
    causes: Table | None
    query: ExaminedQuery | None
    cutoff: int
    max_grade: float
    explanation: str = ""

    @cached_property
    def query_ids(self) -> Sequence[str]:
        """The queries in their order."""
        return () if self.losses is None else in_order(self.losses.query_ids, self.rows)

    def query_id(self, row: int) -> str:
        assert self.losses is not None
        return self.losses.query_ids[int(self.rows[row])]


class _Words(Sequence[str]):
    """The causes of queries in a few words, made when they are painted."""

    def __init__(self, loop: _Loop) -> None:
        self._loop = loop

    def __len__(self) -> int:
        return len(self._loop.losses.query_ids)

    def __getitem__(self, place: int) -> str:  # type: ignore[override]
        return self._loop.words(place)


@dataclass(frozen=True, eq=False)
class _Loop:
    """What is known of the run: its column among the failures, its losses, and the baseline's column, -1 for none."""

    context: EvaluationContext
    of_runs: FailuresOfRuns
    losses: RunLosses
    column: int

    @property
    def signs(self) -> Bools:
        signs: Bools = self.of_runs.failures.kinds[:, :, self.column]
        return signs

    def called(self, name: str) -> str:
        """Return the name that a run has in the window."""
        labels = {entry.name: self.context.name_of(entry) for entry in self.context.collection.runs}
        return labels.get(name, name)

    def words(self, place: int) -> str:
        """Return the causes of a query, shortest first; without signs the largest part of its loss."""
        rows = [row for row in self.sign_rows(place, short=True) if row.name not in ("median", "hard")]
        if not rows:
            rows = list(self.sign_rows(place, short=True))
        if rows:
            return " · ".join(dict.fromkeys(row.words for row in rows))
        largest = int(self.losses.largest[place])
        if largest < 0 or self.losses.parts is None:
            return ""
        part = quantity(float(self.losses.parts[largest, place]))
        return tr("mostly {part}: {loss}", part=PART_WORDS[PARTS[largest]], loss=part)

    def sign_rows(self, place: int, *, short: bool = False) -> tuple[SignRow, ...]:
        """Return the signs of a query with what was found."""
        rows = []
        for number, kind in enumerate(KINDS):
            if self.signs[number, place]:
                rows.append(SignRow(kind.name, kind.title, self._found(kind.name, kind.title, place, short)))
        return tuple(rows)

    def _found(self, name: str, title: str, place: int, short: bool) -> str:
        failures, column, higher = self.of_runs.failures, self.column, self.of_runs.measure.higher_is_better
        sign = 1.0 if higher else -1.0
        if name == "nothing":
            return title if short else tr("the run returns no relevant document")
        if name in ("below", "above"):
            rank = int(failures.first[place, column])
            if short:
                return tr("first relevant at {rank:,}", rank=rank)
            if name == "below":
                return tr("first relevant at rank {rank:,}", rank=rank)
            return tr("{n:,} non-relevant above rank {rank:,}", rank=rank, n=int(failures.above[place, column]))
        if name == "unjudged":
            share = float(failures.unjudged[place, column])
            cutoff = failures.limits.cutoff
            return title if short else tr("{share} of the top {cutoff}", share=percent(share), cutoff=cutoff)
        if name == "baseline":
            change = sign * float(failures.to_baseline[place, column])
            return title if short else tr("{change} against {run}", change=signed_quantity(change),
                                          run=self.called(self.of_runs.baseline or ""))  # fmt: skip
        if name == "median":
            change = sign * float(failures.to_median[place, column])
            return title if short else tr("{change} against the median", change=signed_quantity(change))
        if name == "duplicates":
            count = int(failures.duplicates[place, column])
            return (
                title if short else trn("{n:,} document repeats one above", "{n:,} documents repeat one above", count)
            )
        return title if short else failures.limits.meaning(KINDS[[kind.name for kind in KINDS].index(name)], higher)


def ordered(losses: RunLosses, within: Bools | None, order: str, seed: int) -> Ints:
    """Return the queries that have a loss, int64[N]: the largest loss first, equal ones by id; or in random order."""
    counted = ~np.isnan(losses.total)
    if within is not None:
        counted &= within
    places = np.flatnonzero(counted)
    ids = [losses.query_ids[place] for place in places.tolist()]
    if order == "random":
        return places[np.array(random_order(ids, seed), dtype=np.int64)] if len(ids) else places
    return places[np.lexsort((np.array(ids, dtype=object), -losses.total[places]))] if len(ids) else places


def _filtered(loop: _Loop, rows: Ints, looks: Mapping[str, Look], noted: FailureTags, text: str) -> tuple[Ints, str]:
    """Return the rows that a filter leaves, and what is wrong with it."""
    if not text.strip():
        return rows, ""
    context, losses = loop.context, loop.losses
    ids = losses.query_ids
    keys = {tag.name: tag.key for tag in noted.tags if tag.key}
    own = {query: Note(tags=(*look.tags, *(keys[name] for name in look.tags if name in keys)))
           for query, look in looks.items()}  # fmt: skip
    others = notes_of(context.collection).queries
    notes = {query: Note(note.text, (*note.tags, *own.get(query, Note()).tags)) for query, note in others.items()}
    examined = np.fromiter((query in looks for query in ids), np.bool_, len(ids))
    untagged = np.fromiter((not looks.get(query, Look()).tags for query in ids), np.bool_, len(ids))
    values: dict[str, Floats] = {"loss": losses.total}
    if loop_key(loop) in context.labels:
        values[context.labels[loop_key(loop)].name] = loop.of_runs.failures.values[:, loop.column]
    columns = Columns(
        ids, context.texts, context.relevant, context.delta, None, values, {**own, **notes},
        words={"untagged": untagged, "examined": examined, "looked": examined},
        labels={"cause": lambda value: _having(loop, value), "run": lambda value: _of_run(loop, value)},
        attributes=context.query_attributes,
    )  # fmt: skip
    try:
        kept = matches(parse_filter(text), columns)
    except FilterError as error:
        return rows, str(error)
    return rows[kept[rows]], ""


def loop_key(loop: _Loop) -> int:
    """Return the key of the run that is examined; -1 where it is not open."""
    name = loop.losses.run
    return next((entry.key for entry in loop.context.collection.runs if entry.name == name), -1)


def _of_run(loop: _Loop, value: str) -> Bools:
    return np.full(len(loop.losses.query_ids), value.casefold() in loop.losses.run.casefold())


def _having(loop: _Loop, value: str) -> Bools:
    """Return the queries with a cause: a sign by its name, word or title, or a part of the loss that is the largest."""
    wanted = value.casefold().strip()
    for number, kind in enumerate(KINDS):
        if wanted in (kind.name, kind.word.casefold(), kind.title.casefold()):
            signs: Bools = loop.signs[number]
            return signs
    for number, part in enumerate(PARTS):
        if wanted in (part, part.replace("_", "-"), part.replace("_", " "), PART_WORDS[part].casefold()):
            return np.asarray(loop.losses.largest == number)
    names = name_some([*PARTS, *(kind.name for kind in KINDS)])
    raise FilterError(tr("there is no cause {cause}; choose one of {names}", cause=value, names=names))


def build_failure_loop(
    context: EvaluationContext, options: FindingOptions, of_runs: FailuresOfRuns | None, query_id: str
) -> FailureLoopViewModel:
    """Return the failures of the run in focus; ``of_runs`` with causes and tags, None while they are found."""
    noted = failure_tags_of(context.collection)
    if of_runs is None or not of_runs.losses:
        return _empty(context, options, noted)
    from irviewer.views.failures import causes_table

    losses = of_runs.losses[0]
    loop = _Loop(context, of_runs, losses, of_runs.runs.index(losses.run))
    key = loop_key(loop)
    looks = noted.of_run(key)
    whole = ordered(losses, context.within, options.loop_order, noted.seed)
    rows, error = _filtered(loop, whole, looks, noted, options.loop_filter)
    keys = {tag.name: tag.key or "•" for tag in noted.tags}
    place = context.query_index.get(query_id, -1)
    at = np.flatnonzero(rows == place)
    table = causes_table(of_runs)
    summary = of_runs.causes[0]
    return FailureLoopViewModel(
        run=context.labels.get(key),
        baseline=context.labels.get(context.baseline) if context.baseline is not None else None,
        title=tr("Queries by loss") if options.loop_order == "loss" else tr("Queries in random order"),
        loss_words=losses.words(of_runs.measure.text),
        rows=rows,
        losses=losses,
        texts=context.texts,
        signs=loop.signs,
        words=_Words(loop),
        looks=looks,
        keys={query: tuple(keys[name] for name in look.tags if name in keys) for query, look in looks.items()},
        all_tags=noted.tags,
        total=len(whole),
        examined=summary.looked,
        examined_share=summary.looked_share,
        selected=int(at[0]) if len(at) else -1,
        order=options.loop_order,
        seed=noted.seed,
        filter=options.loop_filter,
        filter_error=error,
        summary=summary,
        causes=table,
        query=_examined(loop, place, looks, noted) if place >= 0 else None,
        cutoff=context.cutoff,
        max_grade=context.max_grade,
        explanation=context.explanation,
    )


def _empty(context: EvaluationContext, options: FindingOptions, noted: FailureTags) -> FailureLoopViewModel:
    explanation = context.explanation or context.nothing_judged(tr("Failures"))
    if not explanation and not context.shown_runs:
        explanation = tr("No run is shown.")
    nothing = np.empty((len(KINDS), 0), dtype=np.bool_)
    return FailureLoopViewModel(
        context.labels.get(context.focus) if context.focus is not None else None, None, tr("Queries by loss"), "",
        np.empty(0, dtype=np.int64), None, (), nothing, (), {}, {}, noted.tags, 0, 0, 0.0, -1, options.loop_order,
        noted.seed, options.loop_filter, "", None, None, None, context.cutoff, context.max_grade,
        explanation or tr("Finding what is lost on every query …"),
    )  # fmt: skip


def _examined(loop: _Loop, place: int, looks: Mapping[str, Look], noted: FailureTags) -> ExaminedQuery:
    context, losses = loop.context, loop.losses
    query = losses.query_ids[place] if place < len(losses.query_ids) else ""
    look = looks.get(query)
    counts = {tag.name: sum(tag.name in each.tags for each in looks.values()) for tag in noted.tags}
    return ExaminedQuery(
        query_id=query,
        text=context.texts[place],
        loss=float(losses.total[place]),
        parts=() if losses.parts is None else tuple(losses.parts[:, place].tolist()),
        signs=loop.sign_rows(place),
        documents=_top(loop, query),
        tags=tuple(
            TagRow(tag.key, tag.name, counts[tag.name], look is not None and tag.name in look.tags)
            for tag in noted.tags
        ),
        examined=look is not None,
        below=_below(loop, place),
    )  # fmt: skip


def _top(loop: _Loop, query: str) -> tuple[TopDocument, ...]:
    """Return the documents of the top of the run's list."""
    context = loop.context
    entry = context.collection.run(loop_key(loop))
    if entry is None or entry.run.query_index.get(query) is None or context.judgments is None:
        return ()
    from irviewer.analysis.failures.near_duplicates import near_duplicates

    run = entry.run
    start, end = run.offsets[run.query_index[query] : run.query_index[query] + 2].tolist()
    documents = run.doc_ids.slice(start, min(end - start, context.cutoff)).to_pylist()
    qrels = context.judgments.qrels
    grades = qrels.judgments(query) if query in qrels.query_index else {}
    unlisted = 0.0 if context.complete else float("nan")
    table = context.collection.documents
    texts = ["" if table is None else table.body(document) for document in documents]
    repeats = near_duplicates(texts).tolist()
    titles = [context.collection.document_title(document) for document in documents]
    return tuple(
        TopDocument(rank, document, grades.get(document, unlisted),
                    " ".join((title if text.startswith(title[:40]) or not text else f"{title} {text}")[:400].split())
                    if title else " ".join(text[:400].split()),
                    repeats[rank - 1] + 1)
        for rank, (document, text, title) in enumerate(zip(documents, texts, titles, strict=True), start=1)
    )  # fmt: skip


def _below(loop: _Loop, place: int) -> str:
    """Return how many relevant documents exist and are in the top, and where the nearest run has its first one."""
    context, failures, column = loop.context, loop.of_runs.failures, loop.column
    relevant, cutoff = int(context.relevant[place]), failures.limits.cutoff
    in_top, deeper = int(failures.found[place, column]), int(failures.deeper[place, column])
    parts = [trn("{n:,} relevant document exists", "{n:,} relevant documents exist", relevant)]
    parts.append(tr("{n:,} in its top {cutoff}, {m:,} below", n=in_top, cutoff=cutoff, m=deeper))
    first = int(failures.first[place, column])
    if relevant and (not first or first > cutoff):
        best: tuple[int, str] | None = None
        for number, name in enumerate(loop.of_runs.runs):
            rank = int(failures.first[place, number])
            if number != column and rank and (best is None or rank < best[0]) and (not first or rank < first):
                best = rank, name
        if best is not None:
            parts.append(tr("{run} has one at rank {rank:,}", run=loop.called(best[1]), rank=best[0]))
    return " · ".join(parts)
