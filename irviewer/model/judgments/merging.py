"""Another's judgments beside one's own: which are new, which say the same, which contradict, and what laying them over
comes to. Frozen values in and out; knows no file and no name of a user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.qrels import Qrels

Document = tuple[str, str]
"""A document as it is judged: query id and document id."""


@dataclass(frozen=True)
class Conflict:
    """Two judgments of a document for a query, laid over the file by different hands or at different times, that give
    it other grades."""

    mine: Judgment
    theirs: Judgment


@dataclass(frozen=True, eq=False)
class Comparison:
    """What judgments would be beside an overlay and the file's.

    new        documents that nobody has judged so far
    changing   documents that the file alone judges, otherwise
    same       how many say what holds already
    conflicts  documents that the overlay gives another grade, in the order of the overlay
    """

    new: tuple[Judgment, ...]
    changing: tuple[Judgment, ...]
    same: int
    conflicts: tuple[Conflict, ...]

    @property
    def number(self) -> int:
        """How many judgments would change what holds."""
        return len(self.new) + len(self.changing) + len(self.conflicts)


def compared(overlay: JudgmentOverlay, read: Qrels, theirs: Iterable[Judgment]) -> Comparison:
    """Judgments beside an overlay over qrels as they were ``read``; of several of one document the last counts. A
    judgment that takes back is beside one that nobody made the same: unjudged."""
    new: list[Judgment] = []
    changing: list[Judgment] = []
    conflicts, same = [], 0
    known: dict[str, Mapping[str, float]] = {}
    for one in JudgmentOverlay.of(theirs):
        mine = overlay.judgment(one.query_id, one.doc_id)
        if mine is not None:
            if mine.grade == one.grade:
                same += 1
            else:
                conflicts.append(Conflict(mine, one))
            continue
        if one.query_id not in known:
            known[one.query_id] = read.judgments(one.query_id)
        grade = known[one.query_id].get(one.doc_id)
        if grade == one.grade:
            same += 1
        else:
            (new if grade is None else changing).append(one)
    return Comparison(tuple(new), tuple(changing), same, tuple(conflicts))


def taken(found: Comparison, theirs: bool | frozenset[Document]) -> list[Judgment]:
    """The judgments that contradict and hold nevertheless: all, none, or those of some documents."""
    every = (one.theirs for one in found.conflicts)
    if isinstance(theirs, bool):
        return list(every) if theirs else []
    return [one for one in every if (one.query_id, one.doc_id) in theirs]


def laid_over(overlay: JudgmentOverlay, found: Comparison, *, theirs: bool | frozenset[Document]) -> JudgmentOverlay:
    """The overlay with what is new to it, and with ``theirs`` where they contradict, everywhere or for some documents,
    else as it was there. Who judged and when stays with each judgment."""
    return JudgmentOverlay.of([*overlay, *found.new, *found.changing, *taken(found, theirs)])


def judgments_in(qrels: Qrels, read: Qrels, overlay: JudgmentOverlay, who: str) -> tuple[tuple[Judgment, ...], int]:
    """A judge's qrels as judgments: those that say something else than the qrels as they were ``read``, or speak of a
    document of the overlay; and how many others there are, which say what the file says. Qrels have no dates."""
    found, same = [], 0
    for query in qrels.query_ids:
        known, mine = read.judgments(query), overlay.by_query.get(query, {})
        for doc, grade in qrels.judgments(query).items():
            if doc in mine or known.get(doc) != grade:
                found.append(Judgment(query, doc, grade, who))
            else:
                same += 1
    return tuple(found), same
