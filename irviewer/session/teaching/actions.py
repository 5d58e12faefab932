"""Textbook mode: example steps, and values that are hidden until the user guesses them. Part of the session."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.measures.parser import parse_measure
from irviewer.model.workspace import RunEntry
from irviewer.session.evaluation.zscores import plain
from irviewer.session.files.actions import FileService
from irviewer.session.judging.run_editing import SUFFIX
from irviewer.session.messages import error
from irviewer.session.navigation.actions import NavigationService
from irviewer.session.store import Store
from irviewer.session.teaching.example_data import Figure
from irviewer.session.teaching.example_steps import EXAMPLE_STEPS, ExampleParts, ExampleStep
from irviewer.session.teaching.examples import ExampleService
from irviewer.session.teaching.lesson import VIEWS, Lesson
from irviewer.session.view import View
from irviewer.session.view_models.lesson import LessonViewModel, build_lesson_view_model
from irviewer.translation import tr

CLOSE = 0.005
"""The largest difference of a correct guess: textbooks print two decimals."""

_MINUS = "\N{MINUS SIGN}"


class TeachingService:
    """Textbook mode: lessons, steps, guesses."""

    def __init__(
        self,
        store: Store,
        view: View,
        files: FileService,
        navigation: NavigationService,
        examples: ExampleService,
        parts: ExampleParts,
    ) -> None:
        self._files = files
        self._navigation = navigation
        self._parts = parts
        self._store = store
        self._cache = store.cache
        self._view = view
        self._examples = examples

    @property
    def lesson(self) -> Lesson:
        """The state of textbook mode."""
        return self._store.state.lesson

    @property
    def is_on(self) -> bool:
        """True in textbook mode if a collection is open."""
        return self._store.state.lesson.on and self._view.collection is not None

    def set_teaching(self, on: bool) -> None:
        """Enter or leave textbook mode."""
        self._remember(on=on)
        if on and self._view.collection is not None:
            self._store.apply(replace(self._store.state, place="query"))

    def set_lesson_view(self, view: str) -> None:
        """Show another of VIEWS. Raises IrviewerError for an unknown name."""
        if view not in VIEWS:
            raise IrviewerError(
                tr("Unknown lesson {name!r}; choose one of {names}.", name=view, names=", ".join(VIEWS))
            )
        self._remember(view=view)

    def open_example(self, name: str) -> bool:
        """Open a worked example by its id or title, in textbook mode; False if there is none of that name."""
        if not self._examples.open_example(name):
            return False
        self._remember(on=True)
        if self._examples.example is not None and self._examples.example.view:
            self.set_lesson_view(self._examples.example.view)
        return True

    def open_inline_ranking(self, text: str, name: str = "typed") -> bool:
        """Open typed rankings in textbook mode; False if they cannot be read."""
        if not self._examples.open_inline_ranking(text, name):
            return False
        self._remember(on=True)
        return True

    def restart_example(self) -> bool:
        """Open the example in view again, without the user's changes; False if it is no example."""
        example = self._examples.example
        if example is None:
            return False
        self._files.drop_collection()
        self._remember(of=(), revealed=0, feedback="")
        return self.open_example(example.id)

    # --- example steps ---

    @property
    def example_step(self) -> ExampleStep | None:
        """The step that the example in view suggests; None without an example."""
        return None if self._examples.example is None else EXAMPLE_STEPS.get(self._examples.example.id)

    def do_example_step(self) -> bool:
        """Do the example step, in a copy if it changes a list; False if there is none, or if it is done already."""
        example_step = self.example_step
        if example_step is None:
            return False
        if example_step.query:
            self._navigation.set_query(example_step.query)
        shown = self.lesson_value(example_step.measure)
        if self.lesson.before is None and shown is not None:
            self._remember(before=shown)
        try:
            done = example_step.run(self._parts)
        except (IrviewerError, ValueError) as failure:
            self._store.say(error(str(failure)))
            return False
        return done

    def lesson_value(self, measure: str = "") -> tuple[str, float] | None:
        """Return (name, value) of a measure, by default the selected one, of the lesson's run for the query in view;
        None without judgments."""
        context, entry, query = self._view.context, self.lesson_run, self._view.query_id
        if context is None or entry is None or context.judgments is None or query not in context.query_index:
            return None
        wanted = parse_measure(measure) if measure else context.measure
        value = float(plain(context).values(entry, wanted)[context.query_index[query]])
        if context.n_queries > 1:
            return tr("{measure} of query {query}", measure=wanted, query=query), value
        return str(wanted), value

    def printed_figure(self) -> Figure | None:
        """Return the value of the example's measure that the source prints, of the lesson's run and the query in view
        if it has them."""
        example, entry = self._examples.example, self.lesson_run
        if example is None:
            return None
        wanted = [figure for figure in example.figures if figure.measure == example.measure]
        name = "" if entry is None else entry.name.removesuffix(SUFFIX)
        own = [figure for figure in wanted if figure.run in ("", name) and figure.query in ("", self._view.query_id)]
        return next(iter((*own, *wanted)), None)

    # --- revealing values ---

    @property
    def lesson_run(self) -> RunEntry | None:
        """The run of the lesson: the edited copy, the focus run, or the only run."""
        context = self._view.context
        if context is None:
            return None
        edited = self._parts.run_editing.edited_run
        wanted = (edited, context.focus, context.baseline)
        key = next((key for key in wanted if key is not None and context.collection.run(key) is not None), None)
        return None if key is None else context.collection.run(key)

    def lesson_view_model(self) -> LessonViewModel | None:
        """Return the view model of textbook mode; None if it is off, or without a judged ranking."""
        context, entry, query = self._view.context, self.lesson_run, self._view.query_id
        if not self.is_on or context is None or entry is None or not query:
            return None
        return self._cache.get(
            "lesson", (context, query, entry), lambda: build_lesson_view_model(context, entry, query, context.measure)
        )

    @property
    def revealed(self) -> int:
        """The rank down to which values are shown."""
        view_model = self.lesson_view_model()
        return (
            0
            if view_model is None or self.lesson.of != _of(view_model)
            else min(self.lesson.revealed, len(view_model.steps))
        )

    def reveal(self, step: int = 1) -> bool:
        """Show the next value, or with -1 hide the last; more with larger steps. False if there is none."""
        view_model = self.lesson_view_model()
        if view_model is None:
            return False
        wanted = max(0, min(len(view_model.steps), self.revealed + step))
        if wanted == self.revealed:
            return False
        self._remember(of=_of(view_model), revealed=wanted, feedback="", right=False)
        return True

    def guess(self, text: str) -> bool:
        """Guess the next value, which is revealed with a text about the guess. True if the guess is right, to half a
        unit of the second decimal."""
        view_model = self.lesson_view_model()
        at = self.revealed
        if view_model is None or at >= len(view_model.steps):
            return False
        number = _number(text)
        if number is None:
            feedback = tr("{text!r} is not a number.", text=text.strip())
            self._remember(of=_of(view_model), revealed=at, right=False, feedback=feedback)
            return False
        step = view_model.steps[at]
        answer, right = told(number, step.value)
        feedback = tr("Rank {rank}: {answer}", rank=step.rank, answer=answer)
        self._remember(of=_of(view_model), revealed=at + 1, right=right, feedback=feedback)
        return right

    def _remember(self, **what: object) -> None:
        self._store.apply(replace(self._store.state, lesson=replace(self._store.state.lesson, **what)))  # type: ignore[arg-type]


def _of(view_model: LessonViewModel) -> tuple[Hashable, ...]:
    """Return what the values depend on: another measure, ranking or judgment is another lesson."""
    return (view_model.run.key, view_model.query_id, view_model.measure, tuple(step.value for step in view_model.steps))


def told(guess: float, value: float) -> tuple[str, bool]:
    """Return (text about a guess, True if it is right)."""
    if math.isnan(value):
        return tr("there is no value here."), False
    difference = guess - value
    if abs(difference) < 5e-5:
        return tr("right, {value:.4f}.", value=value), True
    if abs(difference) <= CLOSE + 1e-12:
        return tr("right to two decimals: {value:.4f}.", value=value), True
    if difference > 0:
        text = tr("not quite. It is {value:.4f}; {guess:g} is {difference:.4f} too high.",
                  value=value, guess=guess, difference=difference)  # fmt: skip
    else:
        text = tr("not quite. It is {value:.4f}; {guess:g} is {difference:.4f} too low.",
                  value=value, guess=guess, difference=-difference)  # fmt: skip
    return text.replace("-", _MINUS), False


def _number(text: str) -> float | None:
    """Return the value of a decimal number, a fraction (3/5) or a share (60 %); None for anything else."""
    match = re.fullmatch(r"\s*([+-]?(?:\d+[.,]?\d*|[.,]\d+))\s*(?:/\s*(\d+(?:[.,]\d+)?)|(%))?\s*", text)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    if match[2]:
        below = float(match[2].replace(",", "."))
        return value / below if below else None
    return value / 100 if match[3] else value
