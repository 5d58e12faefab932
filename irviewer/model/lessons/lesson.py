"""A lesson: a text about a few rankings, with steps to do, questions to answer, and the figures that authors print."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from irviewer.model.lessons.picture import Picture

TEXTBOOK = "textbook"
"""The dialect of lessons that name no other."""

SHOWS = ("table", "lists", "curves", "sets", "f", "pooling", "queries", "systems", "compare", "slices", "pool")
"""What a lesson can show beside its text."""

COLUMNS = (
    "K",
    "document",
    "grade",
    "gain",
    "P@K",
    "R@K",
    "F@K",
    "AP sum",
    "AP@K",
    "RR@K",
    "CG",
    "discount",
    "discounted gain",
    "DCG",
    "ideal DCG",
    "nDCG",
)
"""The columns of a lecture's table that lessons can name, in its order. "K" is the rank."""


class Place(NamedTuple):
    """A line and a column of a lesson's file, from 1."""

    line: int = 1
    column: int = 1


NOWHERE = Place()
"""The place of what is in no file."""


class Slip(NamedTuple):
    """Something in the text of a lesson that is hardly meant: what, what to do, the text, and where it is."""

    reason: str
    hint: str
    text: str
    at: Place


@dataclass(frozen=True)
class Figure:
    """A value of a measure in a source.

    measure   the measure, in the lesson's rules
    text      the value as it is printed, digit for digit
    value     the same as a number; ``decimals`` printed after the point, 0 for a fraction
    run       the ranking; "" the one that the lesson shows, else the first
    query     the query; "" the mean of all
    source    author and heading; "" where nobody printed the value and it follows from the definition
    note      why it differs from the exact value, "" where it does not
    at        where it is written
    """

    measure: str
    text: str
    value: float
    decimals: int
    run: str = ""
    query: str = ""
    source: str = ""
    note: str = ""
    at: Place = field(default=NOWHERE, compare=False)

    def agrees(self, value: float) -> bool:
        """Return whether a value, rounded to the printed digits, is the printed one; a fraction is exact, and a whole
        0 or 1 is to two decimals: most measures have no value beyond."""
        if "/" in self.text:
            return abs(value - self.value) < 1e-9
        if self.text in ("0", "1"):
            return abs(value - self.value) < 0.005
        unit = 10.0**-self.decimals / (100 if self.text.rstrip().endswith("%") else 1)
        return abs(value - self.value) <= 0.5000001 * unit


@dataclass(frozen=True)
class LessonView:
    """What is shown. In a step or a question "" and None keep what the lesson shows.

    measure   text of a measure; ``cutoff`` a rank, ``level`` the relevance level
    show      one of SHOWS; ``columns`` of the table, of COLUMNS
    run       the ranking in view; ``query`` the query in view
    beside    the ranking beside the first in the table: the name of a run, or ``query 2``; ``columns_beside`` are its
              columns, () for those of the first
    """

    measure: str = ""
    cutoff: int | None = None
    level: float | None = None
    show: str = ""
    columns: tuple[str, ...] = ()
    run: str = ""
    query: str = ""
    beside: str = ""
    columns_beside: tuple[str, ...] = ()

    def over(self, below: LessonView) -> LessonView:
        """Return this view, with what it leaves open taken from another."""
        return LessonView(
            self.measure or below.measure,
            below.cutoff if self.cutoff is None and not self.measure else self.cutoff,
            below.level if self.level is None else self.level,
            self.show or below.show,
            self.columns or below.columns,
            self.run or below.run,
            self.query or below.query,
            self.beside or below.beside,
            self.columns_beside if self.columns else below.columns_beside,
        )


@dataclass(frozen=True)
class StepAction:
    """One thing that a step does: ``verb`` is one of :data:`VERBS`, ``run`` the ranking that it changes, "" the
    first. ``at`` is where it is written."""

    verb: str
    numbers: tuple[float, ...] = ()
    text: str = ""
    run: str = ""
    at: Place = field(default=NOWHERE, compare=False)


VERBS = {
    "swap": ("rank", "rank"),
    "move": ("rank", "rank"),
    "up": ("rank",),
    "insert missed": ("rank",),
    "cut": ("rank",),
    "judge": ("rank", "grade"),
    "fewest swaps": ("value",),
    "measure": ("text",),
    "level": ("grade",),
    "cutoff": ("rank",),
    "rules": ("text",),
}
"""Verb -> what follows it."""


@dataclass(frozen=True)
class Step:
    """A section that does something: ``title`` is the text of its button, ``actions`` are done one after the other.
    ``at`` is where it begins."""

    title: str
    text: str = ""
    actions: tuple[StepAction, ...] = ()
    view: LessonView = field(default_factory=LessonView)
    figures: tuple[Figure, ...] = ()
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Asked:
    """What a question asks for: the value of a measure, or a cell of the table (``column`` at ``rank``)."""

    measure: str = ""
    column: str = ""
    rank: int = 0
    run: str = ""
    query: str = ""


@dataclass(frozen=True)
class Choice:
    """A choice of a question; ``reason`` says why it is right or wrong."""

    text: str
    right: bool
    reason: str = ""


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer that is expected, and the reason why it is wrong. ``at`` is where it is written."""

    answer: str
    reason: str
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Question:
    """A question. It has ``choices``, or an ``answer`` (a number or a short text), or asks for a value that is
    computed (``asked``). Several right answers are apart by ``|``.

    within   the largest difference of a right number; None: half a unit of the second decimal
    because  the reason of the right answer
    at       where it is written
    keeps_order  whether the choices are shown as they are written; else in an order that is drawn
    points   what a right answer is worth, above 0
    n_right  how many choices are right, as the author says
    hint     a help that is shown on request, Markdown, "" for none; ``hint_costs`` the points that it takes, at most
             ``points``
    """

    title: str
    text: str = ""
    asked: Asked | None = None
    answer: str = ""
    within: float | None = None
    choices: tuple[Choice, ...] = ()
    wrong: tuple[WrongAnswer, ...] = ()
    because: str = ""
    view: LessonView = field(default_factory=LessonView)
    figures: tuple[Figure, ...] = ()
    at: Place = field(default=NOWHERE, compare=False)
    keeps_order: bool = False
    points: float = 1.0
    hint: str = ""
    hint_costs: float = 0.0
    n_right: int = 1

    @property
    def spellings(self) -> tuple[str, ...]:
        """The right answers of a question with an ``answer``; the first is the one that is shown."""
        return tuple(each.strip() for each in self.answer.split("|") if each.strip())

    @property
    def several(self) -> bool:
        """Whether more than one choice is right, so that several are to be chosen."""
        return sum(choice.right for choice in self.choices) > 1


Item = Step | Question


@dataclass(frozen=True)
class LessonFiles:
    """Files beside the lesson, by their names in its folder."""

    qrels: str = ""
    runs: tuple[str, ...] = ()
    queries: str = ""

    def __bool__(self) -> bool:
        return bool(self.qrels)


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    id        the name by which it is opened
    title     a line; ``text`` Markdown, what the lesson shows
    source    whom it follows, author and heading, "" for nobody
    rules     the name of the dialect that all values, curves and formulas follow
    rankings  as :mod:`irviewer.model.rankings.inline_ranking` reads them; "" where ``files`` are named
    view      what is shown first, complete
    figures   printed values of the rankings as they are
    items     steps and questions, in order
    path      its file, "" if it has none
    pictures  the pictures of its texts
    varies_order   whether each student has the rankings in an order that is drawn
    alternatives   the lesson with each set of its values, of which a student has one; () if they do not vary
    covers         whether its values are covered until all questions are answered, at the beginning too
    slips          what is in the file and cannot be meant so, such as a name in double braces without values
    """

    id: str
    title: str
    text: str = ""
    source: str = ""
    rules: str = TEXTBOOK
    rankings: str = ""
    files: LessonFiles = field(default_factory=LessonFiles)
    view: LessonView = field(default_factory=LessonView)
    figures: tuple[Figure, ...] = ()
    items: tuple[Item, ...] = ()
    path: str = ""
    pictures: tuple[Picture, ...] = ()
    varies_order: bool = False
    alternatives: tuple[Lesson, ...] = ()
    covers: bool = False
    slips: tuple[Slip, ...] = field(default=(), compare=False)

    @property
    def varies(self) -> bool:
        """Whether it is another one for each student."""
        return self.varies_order or bool(self.alternatives)

    def view_at(self, place: int) -> LessonView:
        """Return what is shown at a place: 0 the beginning, then the items. A question that asks for a value of a query
        shows that query, if it names no other."""
        if place <= 0:
            return self.view
        item = self.items[place - 1]
        asked = item.asked.query if isinstance(item, Question) and item.asked is not None else ""
        return item.view.over(replace(self.view, query=asked or self.view.query))

    @property
    def views(self) -> tuple[LessonView, ...]:
        """What is shown at each place."""
        return tuple(map(self.view_at, range(len(self.items) + 1)))

    def item_at(self, place: int) -> Item | None:
        """Return the item at a place; None at the beginning."""
        return self.items[place - 1] if 0 < place <= len(self.items) else None
