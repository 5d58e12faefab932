"""What was judged over the file's qrels, and what there is to judge: the value that a view of it shows.

Blind, documents to judge stand in an order that says nothing of any run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.model.judgments.overlay import PatchRow
from irviewer.session.judging.authors import whose

if TYPE_CHECKING:
    from irviewer.measures.base import Measure
    from irviewer.rendering.run_label import RunLabel
    from irviewer.session.evaluation.context import EvaluationContext


@dataclass(frozen=True)
class JudgedRow:
    """A judgment made here. ``title`` is the document's, ``former`` the file's grade, None where it has none."""

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
        """True where the grade is another than the file's."""
        return self.grade != self.former


@dataclass(frozen=True)
class JudgingProgress:
    """How far a query's pool is judged: the documents that the shown runs have down to the cutoff.

    left   those not judged, the highest ranked anywhere first; blind, in an order of their own
    order  all of them in the same order
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
        return f"{self.judged:,} of {self.pool:,} judged in the top {self.depth:,} of the shown runs"


@dataclass(frozen=True)
class JudgingViewModel:
    """rows      judgments made here, the last first
    by_query  query -> how many of them
    differing how many have another grade than the file
    progress  of the selected query, None without one
    """

    name: str
    rows: tuple[JudgedRow, ...]
    by_query: dict[str, int]
    differing: int
    blind: bool
    progress: JudgingProgress | None
    description: tuple[tuple[str, str], ...] = ()
    """The selected query's fields (title, description, narrative) as they are known."""

    @property
    def text(self) -> str:
        """``12 judgments laid over qrels.txt, 9 other than its own, in 3 queries``."""
        if not self.rows:
            return f"nothing judged here: {self.name} as it was read" if self.name else "nothing judged here"
        number = f"{len(self.rows):,} judgment{'s' if len(self.rows) > 1 else ''}"
        queries = f"{len(self.by_query):,} quer{'ies' if len(self.by_query) > 1 else 'y'}"
        return f"{number} laid over {self.name}, {self.differing:,} other than its own, in {queries}"


@dataclass(frozen=True)
class WithWithout:
    """A run's mean of a measure with the judgments changed by hand, and without them; NaN where there is none."""

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
    """Every run in each measure, the chosen measure first, as in ``context`` and as in ``plain``, which is the same
    without what was judged."""
    found = []
    ordered = sorted(measures, key=lambda one: one != context.measure)
    for place, measure in enumerate(ordered):
        progress(place / len(ordered))
        for entry in context.collection.runs:
            other = plain.collection.run(entry.key)
            without = float("nan") if other is None else plain.mean(other, measure)
            found.append(WithWithout(context.labels[entry.key], measure, context.mean(entry, measure), without))
    return tuple(found)


def own_rows(context: EvaluationContext, query_id: str) -> dict[str, PatchRow]:
    """document -> what was judged here for a query, with the file's grade beside it."""
    judgments = context.judgments
    said = {} if judgments is None else judgments.overlay.by_query.get(query_id, {})
    if judgments is None or not said:
        return {}
    known = judgments.read.judgments(query_id)
    return {doc: PatchRow(one, known.get(doc)) for doc, one in said.items()}


def own_words(row: PatchRow, assessor: str) -> str:
    """What was judged here, in words: ``yours: 4, in the file 2 · Ada, 2026-11-21 · names the theorem``; another's than
    the ``assessor``'s bears the judge's name."""
    one = row.judgment
    grade = f"{whose(one, assessor)}: {'unjudged' if one.grade is None else f'{one.grade:g}'}"
    former = "not in the file" if row.former is None else f"in the file {row.former:g}"
    parts = [f"{grade}, {former}", ", ".join(filter(None, (one.who, one.when[:10]))), one.note]
    return " · ".join(filter(None, parts))


def build_judging_view_model(
    context: EvaluationContext, query_id: str, progress: JudgingProgress | None, *, blind: bool
) -> JudgingViewModel:
    """The view model of the judgment set in force."""
    judgments = context.judgments
    found: tuple[PatchRow, ...] = () if judgments is None else judgments.overlay.rows(judgments.read)
    titles = context.collection.document_title
    rows = [
        JudgedRow(
            one.query_id, one.doc_id, titles(one.doc_id), one.grade, row.former, one.who, one.when, one.note
        )
        for row in found
        for one in (row.judgment,)
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
    """How far the pool of a query is judged."""
    best: dict[str, int] = {}
    for entry in context.shown_runs:
        for rank, doc in enumerate(entry.run.ranking(query_id, context.cutoff), start=1):
            best[doc] = min(best.get(doc, rank), rank)
    known = {} if context.judgments is None else context.judgments.qrels.judgments(query_id)
    order = sorted(best, key=lambda doc: _drawn(query_id, doc) if blind else (best[doc], doc))
    left = tuple(doc for doc in order if doc not in known)
    return JudgingProgress(query_id, context.cutoff, len(best), len(best) - len(left), left, tuple(order))


def _drawn(query_id: str, doc_id: str) -> tuple[int, str]:
    """An order that is the same each time and follows from nothing a run says."""
    text = f"{query_id}\0{doc_id}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big"), doc_id
