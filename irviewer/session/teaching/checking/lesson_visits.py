"""What the program has at each place of a lesson: rankings before and after a step, values that are asked and printed.

A lesson is visited in a session of its own, place by place, as the window shows it. Its sentences change nothing there,
so that what was seen is kept for lessons that differ in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from irviewer.errors import IrviewerError, ParseError
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.session import Session
from irviewer.session.state import Choices
from irviewer.session.teaching.checking.prose.statistics import speaks_of_tests
from irviewer.session.teaching.own_session import opened
from irviewer.session.teaching.step_actions import LessonParts, do
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

CHOOSING = frozenset({"measure", "level", "cutoff", "rules"})
"""What a step does to what is chosen, not to rankings and judgments."""


@dataclass(frozen=True, eq=False)
class Visit:
    """What is at a place of a lesson.

    before, after   the rankings, their judgments and values, and what the step makes of them; the same without a step
    figures         the exact values of what is printed and computed there; None: it has none
    asked           the value that a question asks for; ``above`` that of the row above
    failed          the first thing of a step that cannot be done, or that changes nothing
    tests           what Compare shows; None in another view, or where no sentence is about it
    chosen          what is chosen when the place is left; ``restarts``: the lesson is opened again then
    is_done         whether a step could be done
    """

    before: EvaluationContext | None
    after: EvaluationContext | None
    figures: tuple[float | None, ...] = ()
    asked: float | None = None
    above: float | None = None
    failed: tuple[ParseError, ...] = ()
    tests: PairViewModel | None = None
    chosen: Choices | None = None
    is_done: bool = False
    restarts: bool = False

    @property
    def states(self) -> tuple[EvaluationContext, ...]:
        """The rankings before and, if a step was done, after it."""
        states = (self.before, self.after) if self.is_done else (self.before,)
        return tuple(state for state in states if state is not None)


class Visits:
    """The places of lessons that were visited."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Visit] = {}

    def of(self, lesson: Lesson) -> list[Visit]:
        """Return what is at each place of a lesson, its beginning first. Raises IrviewerError as
        :func:`~irviewer.session.teaching.exchange.printing.opened` does."""
        walk, visits = _Walk(lesson), list[Visit]()
        for place in range(len(lesson.items) + 1):
            part = lesson.item_at(place) or lesson
            chosen = visits[-1].chosen if visits else None
            key = (_header(lesson), place, _without_texts(part), chosen, None)
            with_tests = (*key[:-1], speaks_of_tests(part))
            if with_tests not in self._known:
                visit = walk.to(place, visits)
                first = self._known.setdefault(key, visit)  # the same states, also where a sentence needs tests
                self._known[with_tests] = replace(visit, before=first.before, after=first.after)
            visits.append(self._known[with_tests])
        return visits


def _header(lesson: Lesson) -> Hashable:
    """Return what decides, of a lesson without its items, what is shown."""
    return lesson.path, lesson.rules, lesson.rankings, lesson.files, lesson.view, lesson.covers, lesson.varies_order


def _without_texts(part: Lesson | Step | Question) -> Hashable:
    """Return what of a part decides what is shown, asked and done, and where faults of what is done are."""
    done = tuple((each, each.at) for each in part.actions) if isinstance(part, Step) else None
    asked = part.asked if isinstance(part, Question) else None
    return done, asked, part.view, part.figures


class _Walk:
    """A way through the places of a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._session: Session | None = None
        self._place = -1

    def to(self, place: int, former: Sequence[Visit]) -> Visit:
        """Return what is at a place, beyond those where it was already; ``former`` are the visits of all before it."""
        if self._session is None:
            self._session = opened(self._lesson)
        session = self._session
        for number in range(self._place + 1, place):  # those that are known
            session.lessons.show_place(0 if former[number].restarts else number)
        self._place = place
        return _visit(session, self._lesson, place)


def _visit(session: Session, lesson: Lesson, place: int) -> Visit:
    item = lesson.item_at(place)
    if item is not None or lesson.view.show == "compare":
        session.lessons.show_place(place)
    part, before = item or lesson, session.view.context
    asked, above = None, None
    if isinstance(item, Question):
        asked = session.teaching.computed(item)
        if item.asked is not None and item.asked.column and item.asked.rank > 1:
            row = replace(item.asked, rank=item.asked.rank - 1)
            above = session.teaching.computed(replace(item, asked=row))
    failed = tuple(_failing_actions(session, lesson, item)) if isinstance(item, Step) else ()
    figures = () if failed else tuple(session.teaching.value_of(figure) for figure in part.figures)
    tests = None
    if not failed and speaks_of_tests(part) and session.view.place == "compare":
        session.compute_now()
        tests = session.comparison.pair_view_model()
    is_done = isinstance(item, Step) and not failed
    after = session.view.context if is_done else before
    restarts = session.history.has_step_here()
    if restarts and item is not None:
        session.teaching.restart_example()  # what follows is about the lesson as it is in the file
    chosen = session.store.state.chosen
    return Visit(before, after, figures, asked, above, failed, tests, chosen, is_done, restarts)


def _failing_actions(session: Session, lesson: Lesson, step: Step) -> Iterator[ParseError]:
    """Do a step; yield the fault of the first thing that cannot be done, or that changes nothing."""
    parts = LessonParts(
        session.view, session.evaluation, session.protocol, session.judging, session.run_editing, session.history
    )
    before = _chosen(session)
    for action in step.actions:
        said = len(session.view.messages)
        try:
            done, reason = do(action, parts), tr("this changes nothing")
        except (IrviewerError, ValueError) as failure:
            done, reason = False, str(failure)
        if not done:
            messages = session.view.messages[said:]
            reason = messages[-1].text if messages else reason
            yield ParseError(lesson.path, reason, line=action.at.line, column=action.at.column, text=action.verb)
            return
    if step.actions and all(each.verb in CHOOSING for each in step.actions) and _chosen(session) == before:
        first = step.actions[0]
        reason = tr("this changes nothing") if len(step.actions) == 1 else tr("this step as a whole changes nothing")
        yield ParseError(lesson.path, reason, line=first.at.line, column=first.at.column, text=first.verb)


def _chosen(session: Session) -> tuple[object, ...]:
    view, context = session.view, session.view.context
    return view.measure, view.cutoff, view.dialect, None if context is None else context.options.level
