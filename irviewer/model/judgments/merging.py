"""Merging of another judge's judgments into the user's: which are new, equal or in conflict, and the merged overlay.

Independent of files and of the names of users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.qrels import Qrels

Document = tuple[str, str]
"""A judged document: query id and document id."""


@dataclass(frozen=True)
class Conflict:
    """Two judgments of a document for a query with different grades."""

    mine: Judgment
    theirs: Judgment


@dataclass(frozen=True, eq=False)
class Comparison:
    """Judgments compared with an overlay and the file's judgments.

    new        judgments of unjudged documents
    changing   judgments that change a grade of the file
    same       the number of judgments that change nothing
    conflicts  judgments that differ from the overlay's, in the order of the overlay
    """

    new: tuple[Judgment, ...]
    changing: tuple[Judgment, ...]
    same: int
    conflicts: tuple[Conflict, ...]

    @property
    def number(self) -> int:
        """The number of judgments that differ from the current ones."""
        return len(self.new) + len(self.changing) + len(self.conflicts)


def compared(overlay: JudgmentOverlay, read: Qrels, theirs: Iterable[Judgment]) -> Comparison:
    """Compare judgments with an overlay of qrels as they were ``read``; of several of one document the last counts. A
    removed judgment equals a missing one: both mean unjudged."""
    new: list[Judgment] = []
    changing: list[Judgment] = []
    conflicts, same = [], 0
    known: dict[str, Mapping[str, float]] = {}
    for judgment in JudgmentOverlay.of(theirs):
        mine = overlay.judgment(judgment.query_id, judgment.doc_id)
        if mine is not None:
            if mine.grade == judgment.grade:
                same += 1
            else:
                conflicts.append(Conflict(mine, judgment))
            continue
        if judgment.query_id not in known:
            known[judgment.query_id] = read.judgments(judgment.query_id)
        grade = known[judgment.query_id].get(judgment.doc_id)
        if grade == judgment.grade:
            same += 1
        else:
            (new if grade is None else changing).append(judgment)
    return Comparison(tuple(new), tuple(changing), same, tuple(conflicts))


def accepted(comparison: Comparison, theirs: bool | frozenset[Document]) -> list[Judgment]:
    """Return the conflicting judgments that replace the user's: all, none, or those of some documents."""
    conflicting = (judgment.theirs for judgment in comparison.conflicts)
    if isinstance(theirs, bool):
        return list(conflicting) if theirs else []
    return [judgment for judgment in conflicting if (judgment.query_id, judgment.doc_id) in theirs]


def merged_overlay(
    overlay: JudgmentOverlay, comparison: Comparison, *, theirs: bool | frozenset[Document]
) -> JudgmentOverlay:
    """Return the overlay with the new and changing judgments. Conflicts take ``theirs`` for all or some documents, and
    keep the overlay's judgment otherwise. Each judgment keeps its judge and time."""
    return JudgmentOverlay.of([*overlay, *comparison.new, *comparison.changing, *accepted(comparison, theirs)])


def judgments_in(qrels: Qrels, read: Qrels, overlay: JudgmentOverlay, who: str) -> tuple[tuple[Judgment, ...], int]:
    """Return the judgments of a judge's qrels that differ from the qrels as they were ``read`` or are of a document of
    the overlay, and the number of the others, which equal the file's. Qrels have no dates."""
    judgments, same = [], 0
    for query in qrels.query_ids:
        known, mine = read.judgments(query), overlay.by_query.get(query, {})
        for doc, grade in qrels.judgments(query).items():
            if doc in mine or known.get(doc) != grade:
                judgments.append(Judgment(query, doc, grade, who))
            else:
                same += 1
    return tuple(judgments), same
