"""What was done, step by step, so that it can be undone and done again: without end, and each step only its own size.

A step is a frozen change that knows both sides; what a change is about, and how it is taken back, its owner knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Step(Generic[T]):
    """One change, what the user reads of it, and the step before it. Steps are linked, so that a longer history shares
    all of a shorter one."""

    label: str
    change: T
    before: Step[T] | None = None


@dataclass(frozen=True, eq=False)
class History(Generic[T]):
    """The steps done, the last at hand, and those undone, the next to be done again at hand."""

    done: Step[T] | None = None
    undone: Step[T] | None = None

    def with_step(self, label: str, change: T) -> History[T]:
        """One step more; what was undone can no longer be done again."""
        return History(Step(label, change, self.done))

    def amended(self, label: str, join: Callable[[T], T | None]) -> History[T] | None:
        """The last step made one with another: ``join(last change)`` gives the change of both, None where they do not
        belong together. None then, or where there is nothing to join, or something was undone since."""
        if self.done is None or self.undone is not None:
            return None
        both = join(self.done.change)
        return None if both is None else History(Step(label, both, self.done.before))

    def undo(self) -> tuple[History[T], T] | None:
        """The history without its last step, and the change to take back; None where nothing was done."""
        last = self.done
        if last is None:
            return None
        return History(last.before, Step(last.label, last.change, self.undone)), last.change

    def redo(self) -> tuple[History[T], T] | None:
        """The history with the step that was undone last, and the change to make again; None where there is none."""
        following = self.undone
        if following is None:
            return None
        return History(Step(following.label, following.change, self.done), following.before), following.change

    def without(self, unwanted: Callable[[T], bool]) -> History[T]:
        """The history without the steps of which that is true: what they changed is not there any more."""
        return History(_without(self.done, unwanted), _without(self.undone, unwanted))

    @property
    def changes(self) -> tuple[T, ...]:
        """The changes done, the last first."""
        found, step = [], self.done
        while step is not None:
            found.append(step.change)
            step = step.before
        return tuple(found)

    @property
    def labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a user reads of the steps done, the last first, and of those undone, the next to be done again first."""
        return _labels(self.done), _labels(self.undone)

    @property
    def undo_label(self) -> str:
        """What :meth:`undo` would take back; "" nothing."""
        return "" if self.done is None else self.done.label

    @property
    def redo_label(self) -> str:
        """What :meth:`redo` would do again; "" nothing."""
        return "" if self.undone is None else self.undone.label

    def __bool__(self) -> bool:
        """True where there is a step, done or undone."""
        return self.done is not None or self.undone is not None

    def __len__(self) -> int:
        """How many steps can be undone."""
        number, step = 0, self.done
        while step is not None:
            number, step = number + 1, step.before
        return number


def _labels(step: Step[T] | None) -> tuple[str, ...]:
    found = []
    while step is not None:
        found.append(step.label)
        step = step.before
    return tuple(found)


def _without(step: Step[T] | None, unwanted: Callable[[T], bool]) -> Step[T] | None:
    kept = []
    while step is not None:
        if not unwanted(step.change):
            kept.append(step)
        step = step.before
    found: Step[T] | None = None
    for one in reversed(kept):
        found = Step(one.label, one.change, found)
    return found
