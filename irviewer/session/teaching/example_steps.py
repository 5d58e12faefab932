"""What each worked example bids one do, as something that can be done with one click: a swap in a copy, a judgment.

A deed is made of the session's own actions, so that undo takes it back like any other. Knows the session by its
methods, no widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.session.evaluation.actions import EvaluationService
    from irviewer.session.judging.actions import JudgingService
    from irviewer.session.judging.run_editing import RunEditingService
    from irviewer.session.view import View

_JK = "dcg='jk'"


@dataclass(frozen=True)
class ExampleParts:
    """The parts of a session that steps are made of."""

    view: View
    evaluation: EvaluationService
    judging: JudgingService
    run_editing: RunEditingService


@dataclass(frozen=True)
class ExampleStep:
    """``label`` is what a button says; ``run`` does it, False where it could not be done; ``query`` is the one that it
    is about, "" the one in view; ``measure`` the one whose value is told before and after, "" the chosen one."""

    label: str
    run: Callable[[ExampleParts], bool]
    query: str = ""
    measure: str = ""


def _copy(parts: ExampleParts, name: str = "") -> int | None:
    """The copy that is edited: the one there is, else one of the run of that name, or of the first."""
    if parts.run_editing.edited_run is not None:
        return parts.run_editing.edited_run
    runs = () if parts.view.collection is None else parts.view.collection.runs
    entry = next((one for one in runs if not name or one.name == name), None)
    return None if entry is None else parts.run_editing.edit_copy(entry.key)


def _order(parts: ExampleParts, key: int) -> tuple[str, ...]:
    entry = None if parts.view.context is None else parts.view.context.collection.run(key)
    return () if entry is None else tuple(entry.run.ranking(parts.view.query_id))


def _swap(one: int, other: int, parts: ExampleParts) -> bool:
    key = _copy(parts)
    return key is not None and parts.run_editing.swap_ranks(key, one, other)


def _move(one: int, other: int, name: str, parts: ExampleParts) -> bool:
    """What stands at a rank to another, in a copy."""
    key = _copy(parts, name)
    order = () if key is None else _order(parts, key)
    return key is not None and one <= len(order) and parts.run_editing.move_document(key, order[one - 1], other)


def _up(rank: int, parts: ExampleParts) -> bool:
    """The document that the source has at a rank one rank further up, each time."""
    runs = () if parts.view.collection is None else parts.view.collection.runs
    key = _copy(parts)
    if key is None or not runs:
        return False
    document = runs[0].run.ranking(parts.view.query_id)[rank - 1]
    order = _order(parts, key)
    return order.index(document) > 0 and parts.run_editing.shift_document(key, document, -1)


def _insert_missed(rank: int, parts: ExampleParts) -> bool:
    key, judgments = _copy(parts), parts.view.judgments
    if key is None or judgments is None:
        return False
    there = set(_order(parts, key))
    missed = [doc for doc, grade in judgments.qrels.judgments(parts.view.query_id).items() if grade > 0]
    document = next((doc for doc in missed if doc not in there), None)
    return document is not None and parts.run_editing.insert_document(key, document, rank)


def _cut_list(rank: int, parts: ExampleParts) -> bool:
    key = _copy(parts)
    return key is not None and parts.run_editing.set_list(
        key, _order(parts, key)[:rank], f"the list cut at rank {rank}"
    )


def _judge(rank: int, grade: float, parts: ExampleParts) -> bool:
    """Another judgment of what the first run has at a rank."""
    runs = () if parts.view.collection is None else parts.view.collection.runs
    return bool(runs) and parts.judging.judge(runs[0].run.ranking(parts.view.query_id)[rank - 1], grade)


def _measure(text: str, parts: ExampleParts) -> bool:
    return parts.evaluation.set_measure(text)


def _relevant_from(level: float, text: str, parts: ExampleParts) -> bool:
    parts.evaluation.set_level(level)
    return parts.evaluation.set_measure(text)


def _cheapest(target: float, parts: ExampleParts) -> bool:
    key = _copy(parts)
    found = None if key is None else parts.run_editing.fewest_swaps_for(key, target, f"nDCG({_JK})@10")
    if key is None or found is None:
        return False
    parts.evaluation.set_measure(f"nDCG({_JK})@10")
    return parts.run_editing.set_list(key, found.order, f"the fewest exchanges that reach {target:g}")


EXAMPLE_STEPS: Mapping[str, ExampleStep] = {
    "b1": ExampleStep("Cut at rank 5", partial(_measure, "P@5")),
    "b2": ExampleStep("Swap ranks 2 and 3", partial(_swap, 2, 3)),
    "b4": ExampleStep("Swap ranks 8 and 9", partial(_swap, 8, 9)),
    "b5": ExampleStep("Bring rank 11 of the lower ranking to rank 1", partial(_move, 11, 1, "below")),
    "b6": ExampleStep("Look at P@10", partial(_measure, "P@10")),
    "b7": ExampleStep("Query 2: judge rank 2 non-relevant", partial(_judge, 2, 0.0), "2"),
    "b8": ExampleStep("Look at P@3", partial(_measure, "P@3")),
    "b9": ExampleStep("Insert a missed document at rank 3", partial(_insert_missed, 3)),
    "b10": ExampleStep("Cut the list at rank 2", partial(_cut_list, 2)),
    "b11": ExampleStep("Insert a missed document at rank 2", partial(_insert_missed, 2)),
    "b12": ExampleStep("Move it up one rank", partial(_up, 4)),
    "g1": ExampleStep("Judge rank 1 with 3", partial(_judge, 1, 3.0)),
    "g2": ExampleStep("Judge rank 1 with 4", partial(_judge, 1, 4.0)),
    "g3": ExampleStep("Move rank 10 up one rank", partial(_up, 10)),
    "g4": ExampleStep("Take the ideal of what was retrieved", partial(_measure, f"nDCG({_JK},ideal='retrieved')@10")),
    "g6": ExampleStep("The fewest exchanges for nDCG .95", partial(_cheapest, 0.95), measure=f"nDCG({_JK})@10"),
    "g7": ExampleStep("Price grade 1 at nothing", partial(_measure, f"nDCG({_JK},gains={{1: 0}},rel=2)@10")),
    "g8": ExampleStep("Count as relevant from grade 4", partial(_relevant_from, 4.0, "P(rel=4)@5")),
}
"""Example id -> what it bids one do."""
