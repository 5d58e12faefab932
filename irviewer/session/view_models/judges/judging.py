"""The view model of judging: judgments made here, and the documents to judge.

In blind judging the documents are in an order that reveals nothing about the runs."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.model.judgments.overlay import PatchRow
from irviewer.session.judging.authors import whose
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.measures.base import Measure
    from irviewer.rendering.run_label import RunLabel
    from irviewer.session.evaluation.context import EvaluationContext


@dataclass(frozen=True)
class JudgedRow:
    """A judgment made here. ``title`` is that of the document, ``former`` the grade in the file, None for none."""

    query_id: str
    doc_id: str
    title: str
    grade: float | None
    former: float | None
    who: str
    when: str
    note: str

    @property
    def differs(self) -> bool:
        """Whether the grade differs from that in the file."""
        return self.grade != self.former


@dataclass(frozen=True)
class JudgingProgress:
    """How much of a query's pool is judged: the documents of the shown runs down to the cutoff.

    left   unjudged documents by their best rank in any run; in a neutral order in blind judging
    order  all documents in the same order
    """

    query_id: str
    depth: int
    pool: int
    judged: int
    left: tuple[str, ...]
    order: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """``7 of 12 judged in the top 10 of the shown runs``."""
        return tr(
            "{judged:,} of {pool:,} judged in the top {depth:,} of the shown runs",
            judged=self.judged,
            pool=self.pool,
            depth=self.depth,
        )


@dataclass(frozen=True)
class JudgingViewModel:
    """The judgments made here and the progress of the selected query.

    rows      judgments made here, the newest first
    by_query  query -> number of these
    differing number of grades that differ from the file
    progress  of the selected query; None if no query is selected
    """

    name: str
    rows: tuple[JudgedRow, ...]
    by_query: dict[str, int]
    differing: int
    blind: bool
    progress: JudgingProgress | None
    description: tuple[tuple[str, str], ...] = ()
    """The fields of the selected query: title, description, narrative."""

    @property
    def text(self) -> str:
        """``12 judgments added to qrels.txt, 9 of them changed, in 3 queries``."""
        if not self.rows:
            if not self.name:
                return tr("No judgments were made here.")
            return tr("No judgments were made here: {qrels} is as in its file.", qrels=self.name)
        return trn(
            "{n:,} judgment made here on {qrels}, {differing:,} different from the file",
            "{n:,} judgments made here on {qrels}, {differing:,} different from the file",
            len(self.rows),
            qrels=self.name,
            differing=self.differing,
        )


@dataclass(frozen=True)
class WithWithout:
    """The mean of a run with and without the judgments changed here; NaN for none."""

    run: RunLabel
    measure: Measure
    present: float
    without: float


def numbers_without(
    context: EvaluationContext,
    plain: EvaluationContext,
    measures: Sequence[Measure],
    progress: Callable[[float], object],
) -> tuple[WithWithout, ...]:
    """Return the means of all runs, the selected measure first, in ``context`` and in ``plain``, which is the same
    without judgments made here."""
    numbers = []
    ordered = sorted(measures, key=lambda measure: measure != context.measure)
    for position, measure in enumerate(ordered):
        progress(position / len(ordered))
        for entry in context.system_runs:
            other = plain.collection.run(entry.key)
            without = float("nan") if other is None else plain.mean(other, measure)
            numbers.append(WithWithout(context.labels[entry.key], measure, context.mean(entry, measure), without))
    return tuple(numbers)


def own_rows(context: EvaluationContext, query_id: str) -> dict[str, PatchRow]:
    """Return document -> judgment made here for a query, with the grade in the file."""
    judgments = context.judgments
    changed = {} if judgments is None else judgments.overlay.by_query.get(query_id, {})
    if judgments is None or not changed:
        return {}
    known = judgments.read.judgments(query_id)
    return {doc: PatchRow(judgment, known.get(doc)) for doc, judgment in changed.items()}


def own_words(row: PatchRow, assessor: str) -> str:
    """Return a judgment made here in words: ``yours: 4, in the file 2 · Ada, 2026-11-21 · names the theorem``; with the
    name of the judge if it is not by ``assessor``."""
    judgment = row.judgment
    grade = tr("unjudged") if judgment.grade is None else f"{judgment.grade:g}"
    former = tr("not in the file") if row.former is None else tr("in the file {grade:g}", grade=row.former)
    signature = ", ".join(filter(None, (judgment.who, judgment.when[:10])))
    parts = [f"{whose(judgment, assessor)}: {grade}, {former}", signature, judgment.note]
    return " · ".join(filter(None, parts))


def build_judging_view_model(
    context: EvaluationContext, query_id: str, progress: JudgingProgress | None, *, blind: bool
) -> JudgingViewModel:
    """Return the view model of the judgment set in force."""
    judgments = context.judgments
    changed: tuple[PatchRow, ...] = () if judgments is None else judgments.overlay.rows(judgments.read)
    titles = context.collection.document_title
    rows = [
        JudgedRow(
            judgment.query_id, judgment.doc_id, titles(judgment.doc_id), judgment.grade, row.former, judgment.who,
            judgment.when, judgment.note,
        )
        for row in changed
        for judgment in (row.judgment,)
    ]  # fmt: skip
    rows.reverse()
    rows.sort(key=lambda row: row.when, reverse=True)
    queries = context.collection.queries
    fields = {} if queries is None or not query_id else queries.row(query_id)
    return JudgingViewModel(
        "" if judgments is None else judgments.name,
        tuple(rows),
        dict(Counter(row.query_id for row in rows)),
        sum(row.differs for row in rows),
        blind,
        progress,
        tuple((name, str(value)) for name, value in fields.items()),
    )


def progress_of(context: EvaluationContext, query_id: str, *, blind: bool) -> JudgingProgress:
    """Return how much of the pool of a query is judged."""
    best: dict[str, int] = {}
    for entry in context.shown_runs:
        for rank, doc in enumerate(entry.run.ranking(query_id, context.cutoff), start=1):
            best[doc] = min(best.get(doc, rank), rank)
    known = {} if context.judgments is None else context.judgments.qrels.judgments(query_id)
    order = sorted(best, key=lambda doc: _drawn(query_id, doc) if blind else (best[doc], doc))
    left = tuple(doc for doc in order if doc not in known)
    return JudgingProgress(query_id, context.cutoff, len(best), len(best) - len(left), left, tuple(order))


def _drawn(query_id: str, doc_id: str) -> tuple[int, str]:
    """Return a sort key that is reproducible and independent of the runs."""
    text = f"{query_id}\0{doc_id}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big"), doc_id
