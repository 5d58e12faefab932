"""What rules make of a lesson, kept for lessons that differ in a sentence: a rule runs again where something that it
read is another. What it reads is noted, not listed, so that a new rule needs no entry."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from irviewer.model.lessons.lesson import Lesson, Place, Question, Step

Part = Lesson | Step | Question
T = TypeVar("T")


class KeptResults:
    """Results of rules, each with what was read for it."""

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[dict[str, Any], dict[str, Any], tuple[Any, ...]]]] = {}
        self._now: Lesson | None = None
        self._values: dict[str, Any] = {}
        self._layouts: dict[tuple[Place, ...], int] = {}
        self._layout = 0

    def of(self, rule: Callable[..., Iterable[T]], lesson: Lesson, part: Part, *inputs: Hashable) -> tuple[T, ...]:
        """Return what ``rule(lesson, part, *inputs)`` yields; states of rankings are equal if they are one object, and
        nothing is kept for lessons in which something is in another line or column."""
        at = None if isinstance(part, Lesson) else part.at
        if self._now is not lesson:
            self._now, self._values = lesson, {}
            self._layout = self._layouts.setdefault(_places(lesson), len(self._layouts))
        known = self._known.setdefault((rule, self._layout, at, inputs), [])
        for of_lesson, of_part, results in known:
            if all(getattr(part, name) == value for name, value in of_part.items()) and self._agrees(of_lesson):
                return results
        own = _ReadLesson(lesson)
        its = own if isinstance(part, Lesson) else _ReadStep(part) if isinstance(part, Step) else _ReadQuestion(part)
        results = tuple(rule(own, its, *inputs))
        del known[_MOST:]
        known.append((_read(own), {} if its is own else _read(its), results))
        return results

    def _agrees(self, read: dict[str, Any]) -> bool:
        for name, value in read.items():
            if name not in self._values:
                self._values[name] = getattr(self._now, name)
            if self._values[name] != value:
                return False
        return True


def _places(lesson: Lesson) -> tuple[Place, ...]:
    """Return where all that a lesson has is written, which parts that are equal need not share."""
    places = [each.at for each in (*lesson.items, *lesson.figures)]
    for item in lesson.items:
        rest = item.actions if isinstance(item, Step) else item.wrong
        places += [each.at for each in (*item.figures, *rest)]
    return tuple(places)


_MOST = 1
"""Results that are kept beside the last one: the first, which is of the lesson as it is written."""


class _Noting:
    """Notes which fields and properties of a part are read."""

    def __init__(self, part: Part) -> None:
        object.__setattr__(self, "of", part)
        object.__setattr__(self, "read", {})

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        value = getattr(object.__getattribute__(self, "of"), name)
        object.__getattribute__(self, "read")[name] = value
        return value


class _ReadLesson(_Noting, Lesson):
    pass


class _ReadStep(_Noting, Step):
    pass


class _ReadQuestion(_Noting, Question):
    pass


def _read(part: object) -> dict[str, Any]:
    read: dict[str, Any] = object.__getattribute__(part, "read")
    return read
