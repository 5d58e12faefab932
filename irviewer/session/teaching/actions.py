"""Textbook mode: lessons with steps and questions, and values that are hidden until the user guesses them. Part of the
session."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure as CurveFigure
from irviewer.measures.parser import parse_measure
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import TEXTBOOK, Asked, Figure, Item, Lesson, Question, Step
from irviewer.model.workspace import RunEntry
from irviewer.session.evaluation.context import EvaluationContext, make_context
from irviewer.session.evaluation.zscores import plain
from irviewer.session.files.actions import FileService
from irviewer.session.lecture_table.columns import column_named
from irviewer.session.messages import error
from irviewer.session.state import Choices, State
from irviewer.session.store import Store
from irviewer.session.teaching.answers import CLOSE, answered, chosen, number_in, right_number, right_text, shown
from irviewer.session.teaching.beginning import (
    as_written,
    covers_values,
    is_answered,
    is_asking,
    is_changed,
    shown_at,
)
from irviewer.session.teaching.figures import value_of
from irviewer.session.teaching.lesson import VIEWS, Given, LessonState, StepChange
from irviewer.session.teaching.lesson_source import LessonSource
from irviewer.session.teaching.lessons import LessonService
from irviewer.session.teaching.pool_building import PoolBuilding, build_pool_building
from irviewer.session.teaching.step_actions import LessonParts, changed_ranking, copy_of, do, ranking_name
from irviewer.session.view import View
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.session.view_models.lesson import (
    LessonViewModel,
    build_lesson_curve,
    build_lesson_view_model,
    usual_curve,
)
from irviewer.translation import listed_clauses, tr, trn

_MINUS = "\N{MINUS SIGN}"
_NAMES_OF_MEANS = {"AP": "MAP", "RR": "MRR"}


class TeachingService:
    """Textbook mode: lessons, steps, questions, guesses."""

    def __init__(
        self, store: Store, view: View, files: FileService, lessons: LessonService, parts: LessonParts
    ) -> None:
        self._files = files
        self._parts = parts
        self._store = store
        self._cache = store.cache
        self._view = view
        self._lessons = lessons

    @property
    def lesson(self) -> LessonState:
        """The state of textbook mode."""
        return self._store.state.lesson

    @property
    def is_on(self) -> bool:
        """True in textbook mode if a collection is open."""
        return self._store.state.lesson.on and self._view.collection is not None

    @property
    def in_class(self) -> bool:
        """True in textbook mode with large type: the ranks have the room of the bars and panels around them."""
        return self._store.state.lesson.on and bool(self._store.settings["large_type"]) and self.is_on

    def set_teaching(self, on: bool) -> None:
        """Enter or leave textbook mode."""
        self._remember(on=on)
        if on and self._view.collection is not None:
            self._store.apply(replace(self._store.state, place="query"))

    @property
    def is_presented(self) -> bool:
        """True while the lecturer has a window of their own for the lesson in view."""
        return self.is_on and self.lesson.presented and self._lessons.lesson is not None

    def set_presented(self, on: bool) -> None:
        """Show the texts and answers of lessons in a window of the lecturer, or no longer."""
        if on != self.lesson.presented:
            self._remember(presented=on)

    def set_lesson_view(self, view: str) -> None:
        """Show another of VIEWS. Raises IrviewerError for an unknown name."""
        if view not in VIEWS:
            raise IrviewerError(
                tr("Unknown lesson {name!r}; choose one of {names}.", name=view, names=", ".join(VIEWS))
            )
        self._remember(view=view)

    def open_example(self, name: str) -> bool:
        """Open a lesson by its id or title, in textbook mode; False if there is none of that name."""
        return self._opened(self._lessons.open_named(name))

    def open(self, lesson: Lesson) -> bool:
        """Open a lesson that was read already, in textbook mode; False, with a message, if it cannot be opened."""
        return self._opened(self._lessons.open_lesson(lesson))

    def open_path(self, path: str) -> bool:
        """Open the lesson of a file, or the course of a folder, in textbook mode. It is read in the background; False
        if it cannot be read, as far as that is known already."""
        return self._read(path)

    def open_course(self, path: str) -> bool:
        """Open the course of a folder as :meth:`open_path` does, and show its lessons to choose from."""

        def choose() -> None:
            self._store.asked.emit("open_example")

        return self._read(path, then=choose)

    def open_recent(self, number: int) -> bool:
        """Open a lesson or course again that was opened from files before; 0 is the last one."""
        recent = self._lessons.recent
        return 0 <= number < len(recent) and self.open_path(recent[number].paths[0])

    def open_lesson(self, name: str) -> bool:
        """Open a lesson by its file, its folder, its id or its title, as :meth:`open_path` does; a message says if
        there is none."""
        return self._read(name, lambda: self.open_example(name))

    def _read(
        self, path: str, missing: Callable[[], bool] | None = None, then: Callable[[], object] = lambda: None
    ) -> bool:
        """Open what is read, and do something ``then``; ``missing`` is called where there is no such file."""
        opened = []

        def show(source: LessonSource) -> None:
            if source.stamps or source.fault is not None:
                opened.append(self.show(source))
                if opened[0]:
                    then()
            elif missing is not None:
                opened.append(missing())
            else:
                self._store.say(error(tr("There is no file or folder {path}.", path=path)))

        self._lessons.read(path, show)
        return self._lessons.is_opening or any(opened)

    def show(self, source: LessonSource) -> bool:
        """Show the lesson, or the first lesson of the course, that was read, in textbook mode; False if there is
        none."""
        return self._opened(self._lessons.show(source))

    def open_inline_ranking(self, text: str, name: str = "typed", rules: str = TEXTBOOK) -> bool:
        """Open typed rankings in textbook mode, under the rules of a dialect; False if they cannot be read."""
        return self._opened(self._lessons.open_inline_ranking(text, name, rules))

    def restart_example(self) -> bool:
        """Open the lesson in view again, without the user's changes; False if there is none."""
        lesson = self._lessons.lesson
        if lesson is None:
            return False
        self._files.drop_collection()
        self._remember(of=(), revealed=0, feedback="")
        return self._opened(self._lessons.open_lesson(lesson))

    def _opened(self, opened: bool) -> bool:
        if opened and not self._lessons.is_opening:  # else it is switched on when the files are read
            self._remember(on=True)
        return opened

    # --- steps and questions ---

    @property
    def item(self) -> Item | None:
        """The step or question in view; None at the beginning, and without a lesson."""
        lesson = self._lessons.lesson
        return None if lesson is None else lesson.item_at(self.lesson.place)

    @property
    def question(self) -> Question | None:
        """The question in view; None at any other place."""
        return self.item if isinstance(self.item, Question) else None

    @property
    def given(self) -> Given | None:
        """The last answer to the question in view; None before it."""
        return self.lesson.given(self.lesson.place)

    @property
    def is_asking(self) -> bool:
        """True while the question in view has no right answer yet: its answer must not be on screen."""
        return is_asking(self._store.state)

    @property
    def covers_values(self) -> bool:
        """True while no value of the lesson may be on screen: a question asks, or will ask, for one."""
        return covers_values(self._store.state)

    def gives_away(self, number: float) -> bool:
        """Return whether a number on screen would be the answer to the question that asks."""
        question = self.question if self._store.state.lesson.on else None
        if question is None or question.choices or not self.is_asking:
            return False
        wanted = number_in(right_text(question, None)) if question.answer else self.computed(question)
        return wanted is not None and wanted == number

    def go(self, step: int = 1) -> bool:
        """Show the next item of the lesson, or with -1 the one before; False at its ends."""
        return self.can_go(step) and self.show_place(self.lesson.place + step)

    def show_place(self, place: int) -> bool:
        """Show a place of the lesson in view, with its lists and judgments as they are in the file, whatever was
        changed; False if it has no such place."""
        self._put_back()
        return self._lessons.show_place(place)

    def _put_back(self) -> None:
        """Revert what was changed in the lesson in view. It can be done again, if nothing was changed elsewhere
        meanwhile."""
        if self._lessons.lesson is None:
            return
        self._parts.history.revert_here()
        state, collection = self._store.state, self._view.collection
        if collection is not None and is_changed(collection):
            own = as_written(collection)
            shown = state.chosen.shown & {run.key for run in own.runs}
            state = state.with_collection(own).with_chosen(replace(state.chosen, shown=shown, focus=None))
            self._store.apply(self._parts.history.without_steps(state, collection.identity))

    @property
    def hides_table(self) -> bool:
        """True while a question asks that is no cell of the lecture's table, and does not show the table itself: its
        cells could have the answer."""
        question = self.question
        if question is None:  # at the beginning the cells are covered one by one
            return self.covers_values and self.lesson.view != "table"
        if not self.covers_values or (self.is_asking and question.view.show == "table"):
            return False
        return not self.is_asking or question.asked is None or not question.asked.column

    def can_go(self, step: int) -> bool:
        """Return whether the lesson in view has a place so many items further."""
        lesson = self._lessons.lesson
        return lesson is not None and 0 <= self.lesson.place + step <= len(lesson.items)

    @property
    def example_step(self) -> Step | None:
        """The step in view, or the one that follows the beginning; None if there is none."""
        lesson = self._lessons.lesson
        item = None if lesson is None else lesson.item_at(max(1, self.lesson.place))
        return item if isinstance(item, Step) and item.actions else None

    @property
    def step_is_done(self) -> bool:
        """Whether the step in view was done since the lesson began, undone or not."""
        return self.lesson.place in self.lesson.done

    def do_example_step(self) -> bool:
        """Do the step with the lists and judgments of the file, whatever was changed before, in a copy if it changes a
        list; False if there is none, or if it changes nothing. A step that cannot be done whole changes nothing."""
        step = self.example_step
        if step is None:
            return False
        if self.lesson.place == 0:
            self._lessons.show_place(1)
        state = self._store.state
        self._put_back()
        entry, value = self.lesson_run, self.lesson_value()
        try:
            done = [do(action, self._parts) for action in step.actions]  # all of them, even if one was done before
        except (IrviewerError, ValueError) as failure:
            self._take_back(state)
            self._store.say(error(str(failure)))
            return False
        if any(done):
            self._remember(done=self.lesson.done | {self.lesson.place})
            self._show_copy_beside()
        if not any(done):
            self._take_back(state)
        elif self.lesson.before is None and value is not None and entry is not None:
            self._remember(before=value, before_of=ranking_name(entry))
        return all(done)

    def _show_copy_beside(self) -> None:
        """Put the copy that a step changed beside the first ranking of the table, where the lesson has another one."""
        entry, state = self.lesson_run, self._store.state
        if entry is not None and entry.edited is not None and state.lecture_table.second is not None:
            self._store.apply(replace(state, lecture_table=replace(state.lecture_table, second=None)))

    def _take_back(self, state: State) -> None:
        """Show a former state again, with the messages of now."""
        self._store.tasks.cancel("evaluate")
        self._store.apply(replace(state, messages=self._store.state.messages))

    def step_change(self) -> StepChange | None:
        """Return the value before and after the step that was done; None before it, where a ranking or a query that it
        is not about is in view, without a value, and if the step moved the line of the cutoff and no value."""
        before, after, entry = self.lesson.before, self.lesson_value(), self.lesson_run
        context, step = self._view.context, self.example_step
        if before == after and step is not None and all(action.verb == "cutoff" for action in step.actions):
            return None
        if before is None or after is None or entry is None or ranking_name(entry) != self.lesson.before_of:
            return None
        query_part = "" if context is None else after[0].removeprefix(str(context.measure))
        return StepChange(*before, *after) if before[0].endswith(query_part) else None

    def answer(self, text: str) -> bool:
        """Answer the question in view with a number or a text; True if it is right. The answer and its reason are
        ``given``."""
        question = self.question
        if question is None or question.choices or not text.strip():
            return False
        return self._give(answered(question, text, self.computed(question), self._tries + 1))

    def choose(self, numbers: Collection[int]) -> bool:
        """Answer the question in view with some of its choices, by their places from 0; True if they are right."""
        question = self.question
        if question is None or not numbers or not all(0 <= place < len(question.choices) for place in numbers):
            return False
        return self._give(chosen(question, numbers, self._tries + 1))

    def show_answer(self) -> bool:
        """Show the answer to the question in view; False without a question."""
        question = self.question
        if question is None:
            return False
        self._give(shown(question, self.computed(question), self._tries))
        return True

    @property
    def hint(self) -> str:
        """The hint of the question in view, once it was asked for; "" before, and without one."""
        question = self.question
        return question.hint if question is not None and self.lesson.place in self.lesson.hints else ""

    def show_hint(self) -> bool:
        """Show the hint of the question in view; False if it has none, or needs none any more."""
        question = self.question
        if question is None or not question.hint or not self.is_asking:
            return False
        self._remember(hints=self.lesson.hints | {self.lesson.place})
        return True

    @property
    def _tries(self) -> int:
        return 0 if self.given is None else self.given.tries

    def _give(self, given: Given) -> bool:
        place = self.lesson.place
        others = tuple((at, answer) for at, answer in self.lesson.answers if at != place)
        self._remember(answers=(*others, (place, given)))
        return given.right

    def computed(self, question: Question, place: int | None = None) -> float | None:
        """Return the value of the measure, or of the cell of the table, that a question at a place asks for, by default
        the one in view; None if it asks for none."""
        place = self.lesson.place if place is None else place
        asked, context = question.asked, self._asked_context(place)
        if asked is None or context is None or context.judgments is None:
            return None
        entry = self._asked_run(asked, context, place)
        if entry is None:
            return None
        if asked.column:
            return self._cell(asked, entry, context, place)
        measure = parse_measure(asked.measure, context.options.rules.names)
        if asked.query in context.query_index:
            return float(plain(context).values(entry, measure)[context.query_index[asked.query]])
        return float(context.mean(entry, measure))

    def awaits(self, number: float, unit: float = 0.0) -> bool:
        """Return whether a number, known to half a ``unit``, is the answer to a question of the lesson that is not
        answered yet: it must not be on screen before."""
        lesson, collection = self._lessons.lesson, self._store.state.collection
        if lesson is None or not self._store.state.lesson.on or math.isnan(number):
            return False

        def wanted() -> tuple[tuple[int, float, float], ...]:
            asked = ((n, item) for n, item in enumerate(lesson.items, start=1) if isinstance(item, Question))
            answers = ((n, item, right_number(item, self.computed(item, n))) for n, item in asked if not item.choices)
            return tuple(
                (n, value, CLOSE if item.within is None else item.within)
                for n, item, value in answers
                if value is not None
            )

        return any(
            abs(number - value) <= max(within, unit / 2) + 1e-12 and not is_answered(self.lesson.given(n))
            for n, value, within in self._cache.get("awaited", (collection, lesson), wanted)
        )

    def _asked_context(self, place: int) -> EvaluationContext | None:
        """Return what the question at a place is about: the rankings and judgments as the lesson has them, whatever
        steps changed before, under the rules of its place."""
        state, lesson = self._store.state, self._lessons.lesson
        collection = state.collection
        if lesson is None or collection is None:
            return self._view.context

        def made() -> EvaluationContext:
            own = as_written(collection)
            choices = Choices(shown=frozenset(run.key for run in own.runs))
            at = shown_at(state.with_collection(own).with_chosen(choices), lesson, place)
            return make_context(own, at.chosen, at.measure, at.cutoff, at.options, self._store.evaluation)

        return self._cache.get("asked", (collection, lesson, place), made)

    def _asked_run(self, asked: Asked, context: EvaluationContext, place: int) -> RunEntry | None:
        """Return the ranking that a question asks about: the one that it names, else of a value the one that the lesson
        shows; else the first."""
        name, lesson = asked.run, self._lessons.lesson
        if not name and not asked.column and lesson is not None:
            name = lesson.view_at(place).run
        return next((run for run in context.collection.runs if not name or run.name == name), None)

    def _cell(self, asked: Asked, entry: RunEntry, context: EvaluationContext, place: int) -> float | None:
        """Return the value of a cell of the lecture's table; None if there is no such cell."""
        column, lesson = column_named(asked.column), self._lessons.lesson
        query = asked.query or self._view.query_id
        if not asked.query and lesson is not None and place != self.lesson.place:
            query = lesson.view_at(place).query or context.query_ids[0]
        ranking = table_ranking(context, entry, query)
        if ranking is None or column is None or not 1 <= asked.rank <= ranking.n:
            return None
        return ranking.at(column.id, asked.rank)

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

    def mean_text(self) -> str:
        """Return the mean of the measure over the queries, of each shown run, as a sentence; "" for a single query, and
        outside Query and Queries."""
        context = self._view.context
        if context is None or context.judgments is None or context.n_queries < 2:
            return ""
        lesson = self._lessons.lesson
        without = lesson is not None and lesson.figures and all(figure.query for figure in lesson.figures)
        if without or self._view.place not in ("query", "queries"):
            return ""  # the queries of such a lesson are not a sample to be averaged
        if any(self.awaits(context.mean(entry, context.measure)) for entry in context.shown_runs):
            return ""
        name = _NAMES_OF_MEANS.get(str(context.measure), str(context.measure))
        values = [HalfUp(context.mean(entry, context.measure)) for entry in context.shown_runs]
        if len(values) == 1:
            return trn(
                "Mean of {n:,} query: {measure} = {value:.4f}.",
                "Mean of {n:,} queries: {measure} = {value:.4f}.",
                context.n_queries, measure=name, value=values[0],
            )  # fmt: skip
        means = (
            tr("{run} {value:.4f}", run=context.labels[entry.key].name, value=value)
            for entry, value in zip(context.shown_runs, values, strict=True)
        )
        return trn(
            "Mean of {n:,} query, {measure}: {means}.",
            "Mean of {n:,} queries, {measure}: {means}.",
            context.n_queries, measure=name, means=listed_clauses(means),
        )  # fmt: skip

    def printed_figure(self) -> Figure | None:
        """Return the value of the measure in view that the lesson has in print, or that follows from the definition: at
        its place, of the lesson's run and the query in view if it has them. None while a question is to ask for it."""
        lesson, entry, item = self._lessons.lesson, self.lesson_run, self.item
        if lesson is None:
            return None
        figures = lesson.figures if item is None else item.figures
        wanted = [figure for figure in figures if parse_measure(figure.measure) == self._view.measure]
        name = "" if entry is None else ranking_name(entry)
        own = [figure for figure in wanted if figure.run in ("", name) and figure.query in ("", self._view.query_id)]
        figure = next(iter((*own, *wanted)), None)
        if figure is None or self._is_of_another_list(figure):
            return None
        return None if self.awaits(figure.value, 10.0**-figure.decimals if figure.decimals else 0.0) else figure

    def _is_of_another_list(self, figure: Figure) -> bool:
        """Return whether a value is of the list after a step not done yet, or before a change in a copy."""
        changed = self.lesson.before is not None or self._parts.run_editing.edited_run is not None
        if figure.note or not (changed or isinstance(self.item, Step)):
            return False
        value = self.value_of(figure)
        return value is not None and not figure.agrees(value)

    def printed_lesson(self) -> Lesson | None:
        """Return the lesson in view whose printed values are those of the rankings as they stand; None where they were
        changed, or a step has other ones."""
        lesson = self._lessons.lesson
        changed = self.lesson.before is not None or self._parts.run_editing.edited_run is not None
        return None if changed or isinstance(self.item, Step) else lesson

    def figure_value(self) -> float | None:
        """Return the exact value of :meth:`printed_figure`, of the lesson's rankings as they are shown now."""
        figure = self.printed_figure()
        return None if figure is None else self.value_of(figure)

    def value_of(self, figure: Figure) -> float | None:
        """Return the exact value of a printed or computed value, of the rankings as they are now; None without one."""
        context = self._view.context
        if context is None or context.judgments is None:
            return None
        entry = self.figure_run(figure)
        return None if entry is None else value_of(figure, context, entry)

    def figure_run(self, figure: Figure) -> RunEntry | None:
        """Return the ranking that a printed or computed value is of, as it stands: the one that it names, else the one
        that the step changes or the lesson shows, else the first; its copy if a step changed it."""
        context, lesson, item = self._view.context, self._lessons.lesson, self.item
        if context is None:
            return None
        changed = changed_ranking(item.actions, self._parts) if isinstance(item, Step) and not figure.run else None
        if changed is not None:
            return context.collection.run(changed)
        name = figure.run or ("" if lesson is None else lesson.view_at(self.lesson.place).run)
        entry = next((run for run in context.collection.runs if not name or run.name == name), None)
        copy = None if entry is None else copy_of(entry.name, self._parts)
        return entry if copy is None else context.collection.run(copy)

    # --- revealing values ---

    @property
    def lesson_run(self) -> RunEntry | None:
        """The run of the lesson: the ranking whose list the step changes, or its copy; else the edited copy, the run
        that the lesson names, the focus run, or the only run."""
        context, item = self._view.context, self.item
        if context is None:
            return None
        lesson = self._lessons.lesson
        changed = changed_ranking(item.actions, self._parts) if isinstance(item, Step) else None
        name = "" if lesson is None else lesson.view_at(self.lesson.place).run
        named = next((run.key for run in context.collection.runs if name and run.name == name), None)
        wanted = [changed, self._parts.run_editing.edited_run, named, context.focus, context.baseline]
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

    def pool_building(self) -> PoolBuilding | None:
        """Return how the shown runs build the pool of the query in view, down to the cutoff; None if textbook mode is
        off, or without documents."""
        context, query = self._view.context, self._view.query_id
        if not self.is_on or context is None or not query:
            return None
        return self._cache.get(
            "pool_building", (context, query, context.cutoff), lambda: build_pool_building(context, query)
        )

    @property
    def curve(self) -> str:
        """Which of CURVES is shown."""
        context = self._view.context
        return self.lesson.curve or ("raw" if context is None else usual_curve(context, context.measure))

    def set_curve(self, curve: str) -> None:
        """Show another of CURVES."""
        self._remember(curve=curve)

    def lesson_curve(self) -> CurveFigure | None:
        """Return the curve of textbook mode; None if it is off, or without judgments."""
        context, query = self._view.context, self._view.query_id
        if not self.is_on or context is None or context.judgments is None:
            return None
        curve = self.curve
        return self._cache.get(
            "lesson_curve", (context, query, curve), lambda: build_lesson_curve(context, query, curve)
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
        number = number_in(text)
        if number is None:
            feedback = tr("{text!r} is not a number.", text=text.strip())
            self._remember(of=_of(view_model), revealed=at, right=False, feedback=feedback)
            return False
        step = view_model.steps[at]
        answer, right = guess_text(number, step.value)
        feedback = tr("Rank {rank}: {answer}", rank=step.rank, answer=answer)
        self._remember(of=_of(view_model), revealed=at + 1, right=right, feedback=feedback)
        return right

    def _remember(self, **what: object) -> None:
        self._store.apply(replace(self._store.state, lesson=replace(self._store.state.lesson, **what)))  # type: ignore[arg-type]


def _of(view_model: LessonViewModel) -> tuple[Hashable, ...]:
    """Return what the values depend on: another measure, ranking or judgment is another lesson."""
    return (view_model.run.key, view_model.query_id, view_model.measure, tuple(step.value for step in view_model.steps))


def guess_text(guess: float, value: float) -> tuple[str, bool]:
    """Return (text about a guess, True if it is right)."""
    if math.isnan(value):
        return tr("there is no value here."), False
    difference, value = HalfUp(guess - value), HalfUp(value)
    if abs(difference) < 5e-5:
        return tr("right, {value:.4f}.", value=value), True
    if abs(difference) <= CLOSE + 1e-12:
        return tr("right to two decimals: {value:.4f}.", value=value), True
    if difference > 0:
        text = tr("not quite. It is {value:.4f}; {guess:g} is {difference:.4f} too high.",
                  value=value, guess=guess, difference=difference)  # fmt: skip
    else:
        text = tr("not quite. It is {value:.4f}; {guess:g} is {difference:.4f} too low.",
                  value=value, guess=guess, difference=abs(difference))  # fmt: skip
    return text.replace("-", _MINUS), False
