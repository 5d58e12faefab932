"""The state of textbook mode, as a frozen value: its view, place in the lesson, values revealed, answers given.

Knows neither session nor numbers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from irviewer.measures.base import Measure
from irviewer.model.protocol import EvaluationProtocol

LESSON = "lesson"
TYPED = "typed"
"""Keys of the notes of a collection for teaching, which holds no work of the user: its Lesson, or the text that was
typed."""
TAUGHT = frozenset({LESSON, TYPED})

VIEWS = ("table", "steps", "sets", "f", "pool", "curves")
"""The views of textbook mode: the lecture's table in place of the lists; beside the lists rank by rank, the Venn
diagram, F over precision and recall, the pool of the shown runs, and precision-recall curves."""


@dataclass(frozen=True)
class Given:
    """The last answer to a question.

    text     the answer as it was given; of choices, their numbers from 1
    right    whether it is right; ``shown`` is True if it was shown instead of answered
    reason   why it is right or wrong
    tries    how many answers were given
    rounded  whether it is the right value, rounded more than the question wants
    """

    text: str
    right: bool
    reason: str = ""
    tries: int = 1
    shown: bool = False
    rounded: bool = False


@dataclass(frozen=True)
class StepChange:
    """A value before and after a step: what each is of, and the values."""

    name: str
    before: float
    name_after: str
    after: float


@dataclass(frozen=True)
class LessonState:
    """The state of textbook mode.

    on        True if it is on
    view      one of VIEWS
    of        what the revealed values depend on; of any other lesson none is revealed yet
    revealed  the rank down to which values are shown
    feedback   the text about the last guess; ``right`` is True if the guess was right
    curve     which precision-recall curve of CURVES is shown; "" the usual one of the measure
    before    (name, value) shown before the step was done; ``before_of`` is the name of its ranking
    place     0 the beginning of the lesson, then its steps and questions
    answers   by place: the answer given to the question there
    done      the places of the steps that were done
    hints     the places of the questions whose hint was shown
    presented  whether the lecturer has a window of their own with the texts and answers
    """

    on: bool = False
    view: str = "steps"
    of: tuple[Hashable, ...] = ()
    revealed: int = 0
    feedback: str = ""
    right: bool = False
    curve: str = ""
    before: tuple[str, float] | None = None
    before_of: str = ""
    place: int = 0
    answers: tuple[tuple[int, Given], ...] = ()
    done: frozenset[int] = frozenset()
    hints: frozenset[int] = frozenset()
    presented: bool = False

    def given(self, place: int) -> Given | None:
        """Return the answer given at a place; None if there is none."""
        return dict(self.answers).get(place)


@dataclass(frozen=True)
class LessonBefore:
    """The protocol and the lesson of a collection when another one was shown."""

    measure: Measure
    cutoff: int
    protocol: EvaluationProtocol
    lesson: LessonState
