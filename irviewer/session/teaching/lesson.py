"""What textbook mode remembers, as a frozen value: which view, which values are revealed, what was tried.

Knows neither session nor numbers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from irviewer.measures.base import Measure

VIEWS = ("steps", "sets", "f")
"""What stands beside the lists in textbook mode: rank by rank, the Venn picture, F over precision and recall."""


@dataclass(frozen=True)
class Lesson:
    """What textbook mode remembers.

    on        whether it is on
    view      one of VIEWS
    of        what the revealed values are of; of anything else none is revealed yet
    revealed  down to which rank
    verdict   what became of the last guess, in words; ``right`` whether it was one
    before    what was shown when something was tried: (what it is of, the value)
    """

    on: bool = False
    view: str = "steps"
    of: tuple[Hashable, ...] = ()
    revealed: int = 0
    verdict: str = ""
    right: bool = False
    before: tuple[str, float] | None = None


@dataclass(frozen=True)
class LessonBefore:
    """How a collection was left for another one: what it was looked at by, and what was tried and revealed."""

    measure: Measure
    cutoff: int
    level: float
    lesson: Lesson
