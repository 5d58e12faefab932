"""Undo history of unlimited length. Each step stores only its change.

A change is a frozen value that knows the state before and after; its owner applies and reverts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Step(Generic[T]):
    """A change with its label for the user, linked to the step before it, so that histories share their steps."""

    label: str
    change: T
    before: Step[T] | None = None


@dataclass(frozen=True, eq=False)
class History(Generic[T]):
    """The last step done and the next step to redo, each linked to the others."""

    done: Step[T] | None = None
    undone: Step[T] | None = None

    def with_step(self, label: str, change: T) -> History[T]:
        """Return the history with another step; undone steps are dropped."""
        return History(Step(label, change, self.done))

    def amended(self, label: str, join: Callable[[T], T | None]) -> History[T] | None:
        """Return the history with the last step merged with another change; None if they cannot be merged.

        join   makes the change of both from the last one, or None"""
        if self.done is None or self.undone is not None:
            return None
        merged = join(self.done.change)
        return None if merged is None else History(Step(label, merged, self.done.before))

    def undo(self) -> tuple[History[T], T] | None:
        """Return the history without its last step and the change to revert; None without a step to undo."""
        last = self.done
        if last is None:
            return None
        return History(last.before, Step(last.label, last.change, self.undone)), last.change

    def redo(self) -> tuple[History[T], T] | None:
        """Return the history with the step undone last and the change to apply again; None without a step to redo."""
        following = self.undone
        if following is None:
            return None
        return History(Step(following.label, following.change, self.done), following.before), following.change

    def without(self, unwanted: Callable[[T], bool]) -> History[T]:
        """Return the history without some steps, as when the object they changed was removed."""
        return History(_without(self.done, unwanted), _without(self.undone, unwanted))

    @property
    def changes(self) -> tuple[T, ...]:
        """The changes done, the last first."""
        changes, step = [], self.done
        while step is not None:
            changes.append(step.change)
            step = step.before
        return tuple(changes)

    @property
    def labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels of the steps done, the last first, and of those undone, the next to redo first."""
        return _labels(self.done), _labels(self.undone)

    @property
    def undo_label(self) -> str:
        """The label of the step that :meth:`undo` reverts; "" if there is none."""
        return "" if self.done is None else self.done.label

    @property
    def redo_label(self) -> str:
        """The label of the step that :meth:`redo` applies; "" if there is none."""
        return "" if self.undone is None else self.undone.label

    def __bool__(self) -> bool:
        """Whether there is a step, done or undone."""
        return self.done is not None or self.undone is not None

    def __len__(self) -> int:
        """The number of steps that can be undone."""
        number, step = 0, self.done
        while step is not None:
            number, step = number + 1, step.before
        return number


def _labels(step: Step[T] | None) -> tuple[str, ...]:
    labels = []
    while step is not None:
        labels.append(step.label)
        step = step.before
    return tuple(labels)


def _without(step: Step[T] | None, unwanted: Callable[[T], bool]) -> Step[T] | None:
    kept = []
    while step is not None:
        if not unwanted(step.change):
            kept.append(step)
        step = step.before
    last: Step[T] | None = None
    for step in reversed(kept):
        last = Step(step.label, step.change, last)
    return last
