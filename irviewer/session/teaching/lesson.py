"""The state of textbook mode, as a frozen value: its view, the values revealed, the last guess.

Knows neither session nor numbers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from irviewer.measures.base import Measure

VIEWS = ("steps", "sets", "f")
"""The views beside the lists in textbook mode: rank by rank, the Venn diagram, F over precision and recall."""


@dataclass(frozen=True)
class Lesson:
    """The state of textbook mode.

    on        True if it is on
    view      one of VIEWS
    of        what the revealed values depend on; of any other lesson none is revealed yet
    revealed  the rank down to which values are shown
    feedback   the text about the last guess; ``right`` is True if the guess was right
    before    (name, value) shown before the example step
    """

    on: bool = False
    view: str = "steps"
    of: tuple[Hashable, ...] = ()
    revealed: int = 0
    feedback: str = ""
    right: bool = False
    before: tuple[str, float] | None = None


@dataclass(frozen=True)
class LessonBefore:
    """The options and the lesson of a collection when another one was shown."""

    measure: Measure
    cutoff: int
    level: float
    lesson: Lesson
