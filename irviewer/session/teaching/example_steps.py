"""The step that each worked example suggests, done with one click: a swap in a copy, a judgment, another measure.

A step uses the session's own actions, so that undo reverts it like any other. Knows the session by its methods, no
widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from irviewer.translation import tr

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
    """A suggested step. ``label`` is the text of its button; ``run`` does it, and returns False if it cannot be done;
    ``query``: its query, "" the one in view; ``measure``: shown before and after, "" the selected one."""

    label: str
    run: Callable[[ExampleParts], bool]
    query: str = ""
    measure: str = ""


def _copy(parts: ExampleParts, name: str = "") -> int | None:
    """Return the key of the edited copy: the existing one, else a new copy of the run of that name, or of the first."""
    if parts.run_editing.edited_run is not None:
        return parts.run_editing.edited_run
    runs = () if parts.view.collection is None else parts.view.collection.runs
    entry = next((run for run in runs if not name or run.name == name), None)
    return None if entry is None else parts.run_editing.edit_copy(entry.key)


def _order(parts: ExampleParts, key: int) -> tuple[str, ...]:
    entry = None if parts.view.context is None else parts.view.context.collection.run(key)
    return () if entry is None else tuple(entry.run.ranking(parts.view.query_id))


def _swap(rank: int, other: int, parts: ExampleParts) -> bool:
    key = _copy(parts)
    return key is not None and parts.run_editing.swap_ranks(key, rank, other)


def _move(rank: int, other: int, name: str, parts: ExampleParts) -> bool:
    """Move the document at a rank to another rank, in a copy."""
    key = _copy(parts, name)
    order = () if key is None else _order(parts, key)
    return key is not None and rank <= len(order) and parts.run_editing.move_document(key, order[rank - 1], other)


def _up(rank: int, parts: ExampleParts) -> bool:
    """Move the document that the source has at a rank up by one rank, each time."""
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
        key, _order(parts, key)[:rank], tr("cut the list at rank {rank}", rank=rank)
    )


def _judge(rank: int, grade: float, parts: ExampleParts) -> bool:
    """Give the document at a rank of the first run another grade."""
    runs = () if parts.view.collection is None else parts.view.collection.runs
    return bool(runs) and parts.judging.judge(runs[0].run.ranking(parts.view.query_id)[rank - 1], grade)


def _measure(text: str, parts: ExampleParts) -> bool:
    return parts.evaluation.set_measure(text)


def _relevant_from(level: float, text: str, parts: ExampleParts) -> bool:
    parts.evaluation.set_level(level)
    return parts.evaluation.set_measure(text)


def _fewest_swaps(target: float, parts: ExampleParts) -> bool:
    key = _copy(parts)
    swaps = None if key is None else parts.run_editing.fewest_swaps_for(key, target, f"nDCG({_JK})@10")
    if key is None or swaps is None:
        return False
    parts.evaluation.set_measure(f"nDCG({_JK})@10")
    return parts.run_editing.set_list(key, swaps.order, tr("fewest swaps that reach {target:g}", target=target))


EXAMPLE_STEPS: Mapping[str, ExampleStep] = {
    "b1": ExampleStep(tr("Cut at rank 5"), partial(_measure, "P@5")),
    "b2": ExampleStep(tr("Swap ranks 2 and 3"), partial(_swap, 2, 3)),
    "b4": ExampleStep(tr("Swap ranks 8 and 9"), partial(_swap, 8, 9)),
    "b5": ExampleStep(tr("Move rank 11 of the lower ranking to rank 1"), partial(_move, 11, 1, "below")),
    "b6": ExampleStep(tr("Show P@10"), partial(_measure, "P@10")),
    "b7": ExampleStep(tr("Query 2: judge rank 2 non-relevant"), partial(_judge, 2, 0.0), "2"),
    "b8": ExampleStep(tr("Show P@3"), partial(_measure, "P@3")),
    "b9": ExampleStep(tr("Insert a missed document at rank 3"), partial(_insert_missed, 3)),
    "b10": ExampleStep(tr("Cut the list at rank 2"), partial(_cut_list, 2)),
    "b11": ExampleStep(tr("Insert a missed document at rank 2"), partial(_insert_missed, 2)),
    "b12": ExampleStep(tr("Move it up one rank"), partial(_up, 4)),
    "g1": ExampleStep(tr("Give rank 1 grade 3"), partial(_judge, 1, 3.0)),
    "g2": ExampleStep(tr("Give rank 1 grade 4"), partial(_judge, 1, 4.0)),
    "g3": ExampleStep(tr("Move rank 10 up one rank"), partial(_up, 10)),
    "g4": ExampleStep(
        tr("Use the ideal ranking of the retrieved documents"), partial(_measure, f"nDCG({_JK},ideal='retrieved')@10")
    ),
    "g6": ExampleStep(tr("Fewest swaps for nDCG .95"), partial(_fewest_swaps, 0.95), measure=f"nDCG({_JK})@10"),
    "g7": ExampleStep(tr("Set the gain of grade 1 to 0"), partial(_measure, f"nDCG({_JK},gains={{1: 0}},rel=2)@10")),
    "g8": ExampleStep(tr("Set the relevance level to 4"), partial(_relevant_from, 4.0, "P(rel=4)@5")),
}
"""Example id -> the step that it suggests."""
