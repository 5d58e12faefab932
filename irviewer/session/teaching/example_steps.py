"""What each worked example bids one do, as something that can be done with one click: a swap in a copy, a judgment.

A deed is made of the session's own actions, so that undo takes it back like any other. Knows the session by its
methods, no widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.session.session import Session

_JK = "dcg='jk'"


@dataclass(frozen=True)
class Deed:
    """``label`` is what a button says; ``run`` does it, False where it could not be done; ``query`` is the one that it
    is about, "" the one in view; ``measure`` the one whose value is told before and after, "" the chosen one."""

    label: str
    run: Callable[[Session], bool]
    query: str = ""
    measure: str = ""


def _copy(session: Session, name: str = "") -> int | None:
    """The copy that is edited: the one there is, else one of the run of that name, or of the first."""
    if session.edited_run is not None:
        return session.edited_run
    runs = () if session.collection is None else session.collection.runs
    entry = next((one for one in runs if not name or one.name == name), None)
    return None if entry is None else session.edit_copy(entry.key)


def _order(session: Session, key: int) -> tuple[str, ...]:
    entry = None if session.scene is None else session.scene.collection.run(key)
    return () if entry is None else tuple(entry.run.ranking(session.query_id))


def _swap(one: int, other: int, session: Session) -> bool:
    key = _copy(session)
    return key is not None and session.swap_ranks(key, one, other)


def _move(one: int, other: int, name: str, session: Session) -> bool:
    """What stands at a rank to another, in a copy."""
    key = _copy(session, name)
    order = () if key is None else _order(session, key)
    return key is not None and one <= len(order) and session.move_document(key, order[one - 1], other)


def _up(rank: int, session: Session) -> bool:
    """The document that the source has at a rank one rank further up, each time."""
    runs = () if session.collection is None else session.collection.runs
    key = _copy(session)
    if key is None or not runs:
        return False
    document = runs[0].run.ranking(session.query_id)[rank - 1]
    order = _order(session, key)
    return order.index(document) > 0 and session.shift_document(key, document, -1)


def _insert_missed(rank: int, session: Session) -> bool:
    key, judgments = _copy(session), session.judgments
    if key is None or judgments is None:
        return False
    there = set(_order(session, key))
    missed = [doc for doc, grade in judgments.qrels.judgments(session.query_id).items() if grade > 0]
    document = next((doc for doc in missed if doc not in there), None)
    return document is not None and session.insert_document(key, document, rank)


def _cut_list(rank: int, session: Session) -> bool:
    key = _copy(session)
    return key is not None and session.set_list(key, _order(session, key)[:rank], f"the list cut at rank {rank}")


def _judge(rank: int, grade: float, session: Session) -> bool:
    """Another judgment of what the first run has at a rank."""
    runs = () if session.collection is None else session.collection.runs
    return bool(runs) and session.judge(runs[0].run.ranking(session.query_id)[rank - 1], grade)


def _measure(text: str, session: Session) -> bool:
    return session.set_measure(text)


def _relevant_from(level: float, text: str, session: Session) -> bool:
    session.set_level(level)
    return session.set_measure(text)


def _cheapest(target: float, session: Session) -> bool:
    key = _copy(session)
    found = None if key is None else session.cheapest_for(key, target, f"nDCG({_JK})@10")
    if key is None or found is None:
        return False
    session.set_measure(f"nDCG({_JK})@10")
    return session.set_list(key, found.order, f"the fewest exchanges that reach {target:g}")


DEEDS: Mapping[str, Deed] = {
    "b1": Deed("Cut at rank 5", partial(_measure, "P@5")),
    "b2": Deed("Swap ranks 2 and 3", partial(_swap, 2, 3)),
    "b4": Deed("Swap ranks 8 and 9", partial(_swap, 8, 9)),
    "b5": Deed("Bring rank 11 of the lower ranking to rank 1", partial(_move, 11, 1, "below")),
    "b6": Deed("Look at P@10", partial(_measure, "P@10")),
    "b7": Deed("Query 2: judge rank 2 non-relevant", partial(_judge, 2, 0.0), "2"),
    "b8": Deed("Look at P@3", partial(_measure, "P@3")),
    "b9": Deed("Insert a missed document at rank 3", partial(_insert_missed, 3)),
    "b10": Deed("Cut the list at rank 2", partial(_cut_list, 2)),
    "b11": Deed("Insert a missed document at rank 2", partial(_insert_missed, 2)),
    "b12": Deed("Move it up one rank", partial(_up, 4)),
    "g1": Deed("Judge rank 1 with 3", partial(_judge, 1, 3.0)),
    "g2": Deed("Judge rank 1 with 4", partial(_judge, 1, 4.0)),
    "g3": Deed("Move rank 10 up one rank", partial(_up, 10)),
    "g4": Deed("Take the ideal of what was retrieved", partial(_measure, f"nDCG({_JK},ideal='retrieved')@10")),
    "g6": Deed("The fewest exchanges for nDCG .95", partial(_cheapest, 0.95), measure=f"nDCG({_JK})@10"),
    "g7": Deed("Price grade 1 at nothing", partial(_measure, f"nDCG({_JK},gains={{1: 0}},rel=2)@10")),
    "g8": Deed("Count as relevant from grade 4", partial(_relevant_from, 4.0, "P(rel=4)@5")),
}
"""Example id -> what it bids one do."""
