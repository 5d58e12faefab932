"""What the steps of lessons do: a swap in a copy, a judgment, another measure.

A deed uses the session's own actions, so that undo reverts it like any other. Knows the session by its methods, no
widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.session.judging.run_editing import SUFFIX
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.model.lessons.lesson import Deed
    from irviewer.model.workspace import RunEntry
    from irviewer.session.evaluation.actions import EvaluationService
    from irviewer.session.evaluation.dialects import DialectService
    from irviewer.session.judging.actions import JudgingService
    from irviewer.session.judging.run_editing import RunEditingService
    from irviewer.session.view import View


@dataclass(frozen=True)
class LessonParts:
    """The parts of a session that deeds are made of."""

    view: View
    evaluation: EvaluationService
    dialects: DialectService
    judging: JudgingService
    run_editing: RunEditingService


def do(deed: Deed, parts: LessonParts) -> bool:
    """Do it; False if it cannot be done. Raises IrviewerError if it does not fit the ranking."""
    return _DEEDS[deed.verb](deed, parts)


def _entry(deed: Deed, parts: LessonParts) -> RunEntry | None:
    """Return the ranking of the lesson that a deed is about."""
    runs = () if parts.view.collection is None else parts.view.collection.runs
    return next((run for run in runs if not deed.run or run.name == deed.run), None)


def _copy(deed: Deed, parts: LessonParts) -> int | None:
    """Return the key of the edited copy: the existing one if it is of the deed's ranking, else a new one."""
    edited, entry = parts.run_editing.edited_run, _entry(deed, parts)
    if edited is not None and parts.view.collection is not None:
        copy = parts.view.collection.run(edited)
        if copy is not None and deed.run in ("", copy.name.removesuffix(SUFFIX)):
            return edited
    return None if entry is None else parts.run_editing.edit_copy(entry.key)


def _order(parts: LessonParts, key: int) -> tuple[str, ...]:
    entry = None if parts.view.context is None else parts.view.context.collection.run(key)
    return () if entry is None else tuple(entry.run.ranking(parts.view.query_id))


def _rank(deed: Deed, number: int = 0) -> int:
    return int(deed.numbers[number])


def _swap(deed: Deed, parts: LessonParts) -> bool:
    key = _copy(deed, parts)
    return key is not None and parts.run_editing.swap_ranks(key, _rank(deed), _rank(deed, 1))


def _move(deed: Deed, parts: LessonParts) -> bool:
    """Move the document at a rank to another rank."""
    key = _copy(deed, parts)
    order = () if key is None else _order(parts, key)
    rank, other = _rank(deed), _rank(deed, 1)
    return key is not None and rank <= len(order) and parts.run_editing.move_document(key, order[rank - 1], other)


def _up(deed: Deed, parts: LessonParts) -> bool:
    """Move the document that the lesson has at a rank up by one rank, each time."""
    document = _document(deed, parts)
    key = _copy(deed, parts)
    if key is None or document is None:
        return False
    order = _order(parts, key)
    return document in order[1:] and parts.run_editing.shift_document(key, document, -1)


def _document(deed: Deed, parts: LessonParts) -> str | None:
    """Return the document that the lesson has at the deed's rank."""
    entry = _entry(deed, parts)
    ranking = [] if entry is None else entry.run.ranking(parts.view.query_id)
    return ranking[_rank(deed) - 1] if _rank(deed) <= len(ranking) else None


def _insert_missed(deed: Deed, parts: LessonParts) -> bool:
    key, judgments = _copy(deed, parts), parts.view.judgments
    if key is None or judgments is None:
        return False
    there = set(_order(parts, key))
    missed = [doc for doc, grade in judgments.qrels.judgments(parts.view.query_id).items() if grade > 0]
    document = next((doc for doc in missed if doc not in there), None)
    return document is not None and parts.run_editing.insert_document(key, document, _rank(deed))


def _cut(deed: Deed, parts: LessonParts) -> bool:
    key = _copy(deed, parts)
    return key is not None and parts.run_editing.set_list(
        key, _order(parts, key)[: _rank(deed)], tr("cut the list at rank {rank}", rank=_rank(deed))
    )


def _judge(deed: Deed, parts: LessonParts) -> bool:
    """Give the document that the lesson has at a rank another grade."""
    document = _document(deed, parts)
    return document is not None and parts.judging.judge(document, deed.numbers[1])


def _measure(deed: Deed, parts: LessonParts) -> bool:
    return parts.evaluation.set_measure(deed.text)


def _level(deed: Deed, parts: LessonParts) -> bool:
    parts.evaluation.set_level(deed.numbers[0])
    return True


def _cutoff(deed: Deed, parts: LessonParts) -> bool:
    parts.evaluation.set_cutoff(_rank(deed))
    return True


def _rules(deed: Deed, parts: LessonParts) -> bool:
    parts.dialects.set_dialect(deed.text)
    return True


def _fewest_swaps(deed: Deed, parts: LessonParts) -> bool:
    """Reach a value of the measure in view with the fewest swaps of neighbours."""
    key, target = _copy(deed, parts), deed.numbers[0]
    swaps = None if key is None else parts.run_editing.fewest_swaps_for(key, target, str(parts.view.measure))
    if key is None or swaps is None:
        return False
    return parts.run_editing.set_list(key, swaps.order, tr("fewest swaps that reach {target:g}", target=target))


_DEEDS: Mapping[str, Callable[[Deed, LessonParts], bool]] = {
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
