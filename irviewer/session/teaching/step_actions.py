"""What the steps of lessons do: a swap in a copy, a judgment, another measure.

An action uses the session's own methods, so that undo reverts it like any other. Knows the session by its methods, no
widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.session.judging.run_editing import SUFFIX
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.model.lessons.lesson import StepAction
    from irviewer.model.workspace import RunEntry
    from irviewer.session.evaluation.actions import EvaluationService
    from irviewer.session.evaluation.context import EvaluationContext
    from irviewer.session.judging.actions import JudgingService
    from irviewer.session.judging.history import HistoryService
    from irviewer.session.judging.run_editing import RunEditingService
    from irviewer.session.protocol.actions import ProtocolService
    from irviewer.session.view import View


@dataclass(frozen=True)
class LessonParts:
    """The parts of a session that actions are made of."""

    view: View
    evaluation: EvaluationService
    protocol: ProtocolService
    judging: JudgingService
    run_editing: RunEditingService
    history: HistoryService


def do(action: StepAction, parts: LessonParts) -> bool:
    """Do it; False if nothing changes. Raises IrviewerError if it does not fit the ranking."""
    return _ACTIONS[action.verb](action, parts)


def changed_ranking(actions: Sequence[StepAction], parts: LessonParts) -> int | None:
    """Return the key of the ranking whose list the actions change: its edited copy if it has one already; None if they
    change no list."""
    action = next((action for action in actions if action.verb in _OF_A_LIST), None)
    entry = None if action is None else _entry(action, parts)
    if entry is None:
        return None
    copy = copy_of(entry.name, parts)
    return entry.key if copy is None else copy


def ranking_name(entry: RunEntry) -> str:
    """Return the name that a ranking has in the lesson, also that of an edited copy."""
    return (entry.name if entry.edited is None else entry.edited.source.name).removesuffix(SUFFIX)


def copied_names(context: EvaluationContext) -> frozenset[str]:
    """Return the names of the rankings that have an edited copy."""
    return frozenset(entry.edited.source.name for entry in context.collection.runs if entry.edited is not None)


def copy_of(name: str, parts: LessonParts) -> int | None:
    """Return the key of the edited copy of a ranking: of several the one in view, else the last; None without one."""
    runs = () if parts.view.collection is None else parts.view.collection.runs
    copies = [
        run.key for run in runs if run.edited is not None and run.key in parts.view.shown and ranking_name(run) == name
    ]
    edited = parts.run_editing.edited_run
    return edited if edited in copies else copies[-1] if copies else None


def _entry(action: StepAction, parts: LessonParts) -> RunEntry | None:
    """Return the ranking of the lesson that an action is about, not an edited copy of it."""
    runs = () if parts.view.collection is None else parts.view.collection.runs
    return next((run for run in runs if run.edited is None and (not action.run or run.name == action.run)), None)


def _copy(action: StepAction, parts: LessonParts) -> int | None:
    """Return the key of the edited copy of the action's ranking: the existing one, else a new one."""
    entry = _entry(action, parts)
    if entry is None:
        return None
    copy = copy_of(entry.name, parts)
    return parts.run_editing.edit_copy(entry.key) if copy is None else copy


def _order(parts: LessonParts, key: int) -> tuple[str, ...]:
    entry = None if parts.view.context is None else parts.view.context.collection.run(key)
    return () if entry is None else tuple(entry.run.ranking(parts.view.query_id))


def _rank(action: StepAction, number: int = 0) -> int:
    return int(action.numbers[number])


def _refuse_beyond(rank: int, order: Sequence[str]) -> None:
    """Raise IrviewerError for a rank that a list does not have."""
    if rank > len(order):
        raise IrviewerError(
            trn("There is no rank {rank:,}: the list has only {n:,} rank.",
                "There is no rank {rank:,}: the list has only {n:,} ranks.", len(order), rank=rank)
        )  # fmt: skip


def _swap(action: StepAction, parts: LessonParts) -> bool:
    key, rank, other = _copy(action, parts), _rank(action), _rank(action, 1)
    if key is None:
        return False
    _refuse_beyond(max(rank, other), _order(parts, key))
    return parts.run_editing.swap_ranks(key, rank, other)


def _move(action: StepAction, parts: LessonParts) -> bool:
    """Move the document at a rank to another rank."""
    key = _copy(action, parts)
    order = () if key is None else _order(parts, key)
    rank, other = _rank(action), _rank(action, 1)
    if key is None:
        return False
    _refuse_beyond(max(rank, other), order)
    return parts.run_editing.move_document(key, order[rank - 1], other)


def _up(action: StepAction, parts: LessonParts) -> bool:
    """Move the document that the lesson has at a rank up by one rank, each time."""
    document = _document(action, parts)
    key = _copy(action, parts)
    if key is None or document is None:
        return False
    order = _order(parts, key)
    return document in order[1:] and parts.run_editing.shift_document(key, document, -1)


def _document(action: StepAction, parts: LessonParts) -> str | None:
    """Return the document that the lesson has at the action's rank. Raises IrviewerError if it has no such rank."""
    entry = _entry(action, parts)
    if entry is None:
        return None
    ranking = entry.run.ranking(parts.view.query_id)
    _refuse_beyond(_rank(action), ranking)
    return ranking[_rank(action) - 1]


def _insert_missed(action: StepAction, parts: LessonParts) -> bool:
    key, judgments = _copy(action, parts), parts.view.judgments
    if key is None or judgments is None:
        return False
    listed = set(_order(parts, key))
    missed = [doc for doc, grade in judgments.qrels.judgments(parts.view.query_id).items() if grade > 0]
    document = next((doc for doc in missed if doc not in listed), None)
    if _rank(action) > len(listed) + 1:
        _refuse_beyond(_rank(action), tuple(listed))
    if document is None:
        raise IrviewerError(tr("Every relevant document is in the list already."))
    return parts.run_editing.insert_document(key, document, _rank(action))


def _cut(action: StepAction, parts: LessonParts) -> bool:
    key = _copy(action, parts)
    return key is not None and parts.run_editing.set_list(
        key, _order(parts, key)[: _rank(action)], tr("cut the list at rank {rank}", rank=_rank(action))
    )


def _judge(action: StepAction, parts: LessonParts) -> bool:
    """Give the document that the lesson has at a rank another grade. Raises IrviewerError for one that is not on the
    scale."""
    document, trouble = _document(action, parts), parts.judging.off_scale(action.numbers[1])
    if trouble:
        raise IrviewerError(trouble)
    return document is not None and parts.judging.judge(document, action.numbers[1])


def _measure(action: StepAction, parts: LessonParts) -> bool:
    return parts.evaluation.set_measure(action.text)


def _level(action: StepAction, parts: LessonParts) -> bool:
    parts.protocol.set(level=action.numbers[0])
    return True


def _cutoff(action: StepAction, parts: LessonParts) -> bool:
    parts.evaluation.set_cutoff(_rank(action))
    return True


def _rules(action: StepAction, parts: LessonParts) -> bool:
    parts.protocol.set(dialect=action.text)
    return True


def _fewest_swaps(action: StepAction, parts: LessonParts) -> bool:
    """Reach a value of the measure in view with the fewest swaps of neighbours."""
    key, target = _copy(action, parts), action.numbers[0]
    swaps = None if key is None else parts.run_editing.fewest_swaps_for(key, target, str(parts.view.measure))
    if key is None or swaps is None:
        return False
    label = tr("{measure} to {value:.4f}", measure=parts.view.measure, value=swaps.value)
    return parts.run_editing.set_list(key, swaps.order, label)


_ACTIONS: Mapping[str, Callable[[StepAction, LessonParts], bool]] = {
    "swap": _swap,
    "move": _move,
    "up": _up,
    "insert missed": _insert_missed,
    "cut": _cut,
    "judge": _judge,
    "fewest swaps": _fewest_swaps,
    "measure": _measure,
    "level": _level,
    "cutoff": _cutoff,
    "rules": _rules,
}
"""Verb -> what does it."""

_OF_A_LIST = frozenset({"swap", "move", "up", "insert missed", "cut", "fewest swaps"})
"""The verbs that change a list, in a copy."""
