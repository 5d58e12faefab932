"""Other judgments over those of a set: told before anything is done, then laid over, or kept as another judge's set.

Frozen values and states in and out; who is asked, and what is said, is the session's business."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from irviewer.model.judgments.merging import Comparison, Document, compared, laid_over
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, JudgmentSet, free_name
from irviewer.session.judging.authors import UNKNOWN, by_judge
from irviewer.session.state import State

Choice = Literal["mine", "theirs", "each", "judge"]
MOST_NAMED = 2
"""Of more judges a set's name says only how many they are."""


@dataclass(frozen=True, eq=False)
class Incoming:
    """Judgments of a file that are to be laid over a set of a collection, told by their identities.

    said   what the file says otherwise than the set's own file, or of documents that were judged here
    same   how many of its judgments beside these say what the set's file says
    qrels  the file where it is qrels of a judge's own, None for a patch
    """

    path: str
    collection: object
    judgments: object
    said: tuple[Judgment, ...]
    same: int = 0
    qrels: Qrels | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return Path(self.path).name


@dataclass(frozen=True, eq=False)
class Laying:
    """An incoming file beside what there is now, as it is told before anything is done. ``over`` is the set's name."""

    incoming: Incoming
    over: str
    found: Comparison
    same: int

    def told(self, assessor: str) -> str:
        """``12 new, 4 other than the file's, 3 differ from yours, 5 the same``; parts that are none are left out."""
        found = self.found
        conflicts = conflicts_told([one.mine for one in found.conflicts], assessor)
        parts = [
            f"{len(found.new):,} new" if found.new else "",
            f"{len(found.changing):,} other than the file's" if found.changing else "",
            conflicts,
            f"{self.same:,} the same" if self.same else "",
        ]
        return ", ".join(filter(None, parts)) or "nothing"


def conflicts_told(mine: Iterable[Judgment], assessor: str) -> str:
    """``3 differ from yours``, ``1 differs from Ada's``, ``5 differ from what was judged here (3 yours, 2 Ada's)``."""
    found = list(mine)
    if not found:
        return ""
    differ = "1 differs from" if len(found) == 1 else f"{len(found):,} differ from"
    words = by_judge(found, assessor)
    if "," in words or words == UNKNOWN:
        return f"{differ} what was judged here ({words})"
    return f"{differ} {words}"


def laying_of(state: State, incoming: Incoming) -> Laying | None:
    """The file beside what there is now; None where its collection or set is not open any more."""
    found = _target(state, incoming)
    if found is None:
        return None
    place, number = found
    judgments = state.workspace.collections[place].judgments[number]
    beside = compared(judgments.overlay, judgments.read, incoming.said)
    return Laying(incoming, judgments.name, beside, beside.same + incoming.same)


def with_laid(state: State, laying: Laying, *, theirs: bool | frozenset[Document]) -> State:
    """The state with the judgments laid over the set, its collection in view; ``theirs`` where they contradict,
    everywhere or for some documents."""

    found = _target(state, laying.incoming)
    assert found is not None
    place, number = found
    collection = state.workspace.collections[place]
    sets = list(collection.judgments)
    sets[number] = sets[number].with_overlay(laid_over(sets[number].overlay, laying.found, theirs=theirs))
    return _with_collection(state, place, replace(collection, judgments=tuple(sets)))


def with_judge(state: State, laying: Laying) -> tuple[State, str]:
    """The state with the judgments as a set of its own, beside the one that they are about, which stays as it is and in
    force; and the set's name: qrels as they are, a patch over the file that it is about."""
    found = _target(state, laying.incoming)
    assert found is not None
    place, number = found
    collection = state.workspace.collections[place]
    beside, qrels = collection.judgments[number], laying.incoming.qrels
    if qrels is not None:
        name = free_name(qrels.name, [one.name for one in collection.judgments])
        made = JudgmentSet(qrels.renamed(name), beside.regime, chosen=True)
    else:
        name = f"{beside.name} ({_judges(laying.incoming)})"
        name = free_name(name, [one.name for one in collection.judgments])
        made = JudgmentSet(beside.read.renamed(name), beside.regime, beside.chosen)
        made = made.with_overlay(JudgmentOverlay.of(laying.incoming.said))
    return _with_collection(state, place, replace(collection, judgments=(*collection.judgments, made))), name


def by_unnamed(said: Iterable[Judgment], path: str) -> tuple[Judgment, ...]:
    """Judgments of a file, of which those that name no judge bear the file's name: they are nobody's own here."""
    name = Path(path).name
    return tuple(one if one.who else replace(one, who=name) for one in said)


def _judges(incoming: Incoming) -> str:
    names = list(dict.fromkeys(one.who for one in incoming.said))
    return ", ".join(names) if len(names) <= MOST_NAMED else counted(len(names), "judge", "judges")


def _target(state: State, incoming: Incoming) -> tuple[int, int] | None:
    for place, collection in enumerate(state.workspace.collections):
        if collection.identity is incoming.collection:
            for number, one in enumerate(collection.judgments):
                if one.identity is incoming.judgments:
                    return place, number
    return None


def _with_collection(state: State, place: int, collection: Collection) -> State:
    return replace(state, workspace=state.workspace.with_collection(place, collection), current=place)
