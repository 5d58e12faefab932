"""What a lesson says, against what the program computes: printed and computed values, steps, answers.

A lesson is checked in a session of its own, place by place, as the window shows it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from irviewer.errors import ParseError
from irviewer.evaluation.level_cautions import is_above_all
from irviewer.formats.lessons.fields import known_hint
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import NOWHERE, Figure, Lesson, Place, Question, Step, StepAction
from irviewer.model.lessons.variants import variant_of
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.answers import right_number
from irviewer.session.teaching.checking.claims.false_claims import claims_of, false_claims, is_so, states_about
from irviewer.session.teaching.checking.claims.states import KeptStates
from irviewer.session.teaching.checking.claims.subjects import KeptParts
from irviewer.session.teaching.checking.fault import fault_at
from irviewer.session.teaching.checking.header import cutoffs_below, of_another_cutoff
from irviewer.session.teaching.checking.items.answers_of_one_order import of_one_order
from irviewer.session.teaching.checking.items.counted_answers import counted_otherwise
from irviewer.session.teaching.checking.items.decided_choices import decided_otherwise
from irviewer.session.teaching.checking.items.false_reasons import (
    false_reasons,
    other_count,
    other_count_said,
    other_rank,
    other_sum_so_far,
)
from irviewer.session.teaching.checking.items.idle_steps import is_idle
from irviewer.session.teaching.checking.items.named_in_steps import contradicted_by_step
from irviewer.session.teaching.checking.items.named_in_titles import another_cutoff_in_reason, contradicted
from irviewer.session.teaching.checking.items.possible_answers import impossible_answers
from irviewer.session.teaching.checking.items.told_before import told_before
from irviewer.session.teaching.checking.items.typed_answers import false_answer, no_numbers, useless_wrong_answers
from irviewer.session.teaching.checking.kept_results import KeptResults
from irviewer.session.teaching.checking.lesson_rankings import KeptRankings
from irviewer.session.teaching.checking.lesson_visits import Visit, Visits
from irviewer.session.teaching.checking.prose.definitions import false_definitions
from irviewer.session.teaching.checking.prose.measure_formulas import false_formulas
from irviewer.session.teaching.checking.prose.ranks import readers_of
from irviewer.session.teaching.checking.prose.statistics import false_chances, false_statistics
from irviewer.session.teaching.checking.prose.unfounded_numbers import unfounded_numbers
from irviewer.session.teaching.checking.prose.unknown_names import unknown_names
from irviewer.session.teaching.checking.prose.values import KeptTables, Tables, false_values, values_of
from irviewer.session.teaching.checking.prose.written_discount import logarithm_of, other_discount
from irviewer.session.teaching.checking.texts import false_facts_in, false_of_subject, texts_about
from irviewer.session.teaching.checking.wording.equations import false_equations
from irviewer.translation import tr, trn

TRIED = tuple(map(str, range(1, 6)))
"""The students for whom a lesson that varies is checked where none are named."""


def faults_of(lesson: Lesson, students: Sequence[str] = TRIED) -> tuple[ParseError, ...]:
    """Return what is false in a lesson: each fault with line, column, reason and what to do; of a lesson whose order
    varies, as it is written or as the first of the students has it for whom something is false. Raises IrviewerError
    if the files that it names cannot be read, or do not belong together."""
    return tuple({str(each): each for each in faults_in(lesson, students, KeptChecks())}.values())


def faults_in(lesson: Lesson, students: Sequence[str], kept: KeptChecks) -> Iterator[ParseError]:
    """Yield the faults of :func:`faults_of`, one at a time; ``kept`` is what is kept of checks of the same lesson with
    other sentences."""
    any_fault = False
    for each in lesson.alternatives or (lesson,):
        for fault in () if any_fault else _faults(each, kept):
            any_fault = True
            yield fault
    for student in students if lesson.varies_order else ():
        for fault in () if any_fault else _faults(variant_of(lesson, student), kept):
            any_fault = True
            yield _of_student(fault, student)
    if not any_fault:
        yield from of_one_order(lesson, students)


def _of_student(fault: ParseError, student: str) -> ParseError:
    """Return a fault of a student's variant, which says whose it is."""
    reason = tr("for student {student}: {reason}", student=student, reason=fault.reason)
    return ParseError(fault.path, reason, line=fault.line, column=fault.column, text=fault.text, hint=fault.hint)


class KeptChecks:
    """What is kept of checks for lessons that differ in a sentence: visits of places, results of rules, and values."""

    def __init__(self) -> None:
        self.visits = Visits()
        self.results = KeptResults()
        self.tables = KeptTables()
        self.rankings = KeptRankings()
        self.parts = KeptParts()
        self.states = KeptStates()


def _faults(lesson: Lesson, kept: KeptChecks) -> Iterator[ParseError]:
    visits, results = kept.visits.of(lesson), kept.results
    context, level = visits[0].before, lesson.view.level
    parts: tuple[Lesson | Step | Question, ...] = (lesson, *lesson.items)
    known: list[ParseError] = []

    def noted(faults: Iterable[ParseError]) -> Iterator[ParseError]:
        for fault in faults:
            known.append(fault)
            yield fault

    yield from noted(fault_at(lesson, slip.at, slip.reason, slip.text, slip.hint) for slip in lesson.slips)
    yield from noted(_unknown_names(context, lesson))
    yield from noted(fault for part in parts for fault in results.of(_false_texts, lesson, part))
    yield from noted(fault for part in parts for fault in results.of(_false_chances, lesson, part))
    yield from noted(fault for part in parts for fault in results.of(_false_definitions, lesson, part))
    judgments = None if context is None else context.judgments
    if judgments is not None and level is not None and is_above_all(level, judgments.qrels):
        reason = tr("no document has grade {level:g} or higher", level=level)
        yield from noted([fault_at(lesson, NOWHERE, reason, f"level: {level:g}", tr("write a lower level"))])
    yield from noted(of_another_cutoff(lesson))
    yield from noted(results.of(_of_values, lesson, lesson, visits[0]))
    for place, (item, visit) in enumerate(zip(lesson.items, visits[1:], strict=True), start=1):
        if isinstance(item, Question):
            yield from noted(results.of(_false_answers, lesson, item, visit))
            states = (*visit.states, *visits[place - 1].states[1:])  # it may be about the step above
            yield from noted(results.of(_other_than_counted, lesson, item, states, place))
        else:
            yield from noted(results.of(_of_step, lesson, item, visit))
            yield from noted(_idle(lesson, place, visit))
    own = [visit.states for visit in visits]
    seen = tuple(dict.fromkeys(state for states in own for state in states))
    yield from noted(cutoffs_below(lesson, seen))
    if lesson.varies_order or context is None or context.judgments is None:
        return
    readers = tuple(readers_of(lesson).items())
    facts = [
        fault
        for part, states in zip(parts, own, strict=True)
        for text, at, about in results.of(texts_about, lesson, part, states, seen, kept.rankings)
        for fault in results.of(false_facts_in, lesson, part, text, at, about, states, seen, readers, kept.rankings)
    ]
    yield from noted(facts)
    asked = {item.at: visit.asked for item, visit in zip(lesson.items, visits[1:], strict=True)}
    typed = {
        item.at: right_number(item, asked[item.at])
        for item in lesson.items
        if isinstance(item, Question) and not item.choices
    }
    tables = kept.tables.of(lesson, seen)
    values = values_of(lesson, tables, [answer for answer in typed.values() if answer is not None])
    facts_of_line = [(fault.line, fault.text) for fault in facts]
    yield from noted(
        fault_at(lesson, at, reason, text, hint)
        for reason, text, hint, at in false_values(lesson, values)
        if not any(line == at.line and _has_number(said, text) for line, said in facts_of_line)  # which says the value
    )
    for item in lesson.items:
        if isinstance(item, Question):
            yield from noted(results.of(_impossible_answers, lesson, item, asked[item.at], tables))
    of_subjects = [
        fault
        for part, states in zip(parts, own, strict=True)
        for text, at, about in results.of(texts_about, lesson, part, states, seen, kept.rankings)
        for fault in results.of(false_of_subject, lesson, part, text, at, about, states, seen, kept.parts)
    ]
    others = {(fault.line, fault.text) for fault in known}
    for reason, text, hint, at in (*unfounded_numbers(lesson, values, results), *unknown_names(lesson, seen, results)):
        if not any(line == at.line and (text in said or said in text) for line, said in others):
            yield from noted([fault_at(lesson, at, reason, text, hint)])
    others = {(fault.line, fault.text) for fault in known}
    about = zip(parts, states_about(parts, own), strict=True)
    claims = [each for part, states in about for each in results.of(claims_of, lesson, part, states, kept.states)]
    for fault in of_subjects:
        if not is_so(fault, claims) and not any(
            line == fault.line and _says_as_much(fault.text, said) for line, said in others
        ):
            yield from noted([fault])
    yield from (fault_at(lesson, *each) for each in false_claims(claims, known))
    for reason, text, hint, at in told_before(lesson, {**asked, **typed}):
        yield fault_at(lesson, at, reason, text, hint)
    if (discount := other_discount(lesson, context)) is not None:
        reason = tr("the lesson has another discount: {rule}", rule=logarithm_of(context))
        yield fault_at(lesson, discount[1], reason, discount[0], tr("correct the text, or write rules:"))


def _other_than_counted(
    lesson: Lesson, question: Question, states: tuple[EvaluationContext, ...], place: int
) -> Iterator[ParseError]:
    """Yield a fault if a typed answer is another one than the data gives."""
    view = lesson.views[place]
    for reason in counted_otherwise(lesson, question, states, (view.run, view.query)):
        yield fault_at(lesson, question.at, reason, f"answer: {question.answer}", tr("correct answer: or the question"))


def _of_step(lesson: Lesson, step: Step, visit: Visit) -> Iterator[ParseError]:
    """Yield the faults of what a step does, and of what its title says that it does."""
    for said, meant in contradicted_by_step(lesson, step, visit.before):
        reason = tr("the step names {measure}, and do: means {other}", measure=said, other=meant)
        yield fault_at(lesson, step.at, reason, step.title, tr("correct do: or the step"))
    yield from visit.failed
    if not visit.failed:
        yield from _of_values(lesson, step, visit)


def _idle(lesson: Lesson, place: int, visit: Visit) -> Iterator[ParseError]:
    """Yield a fault for a step that moves documents of one grade alone."""
    step, before, after = lesson.items[place - 1], visit.before, visit.after
    if visit.failed or before is None or after is None or not is_idle(lesson, place, before, after):
        return
    hint = tr("exchange others, or say in the text that nothing changes")
    reason = tr("all documents that change places have the same grade: no value changes")
    yield fault_at(lesson, step.at, reason, step.title, hint)


def _of_values(lesson: Lesson, part: Lesson | Step, visit: Visit) -> Iterator[ParseError]:
    """Yield the faults of what is printed and computed, and of what a text says of tests."""
    yield from _false_figures(lesson, part.figures, visit.figures)
    at = NOWHERE if isinstance(part, Lesson) else part.at
    for reason, text in false_statistics(part, visit.tests, visit.after):
        yield fault_at(lesson, at, reason, text, tr("correct the text"))


def _impossible_answers(
    lesson: Lesson, question: Question, value: float | None, tables: Tables
) -> Iterator[ParseError]:
    for reason, text, hint in impossible_answers(lesson, question, value, tables):
        yield fault_at(lesson, question.at, reason, text, hint)


def _says_as_much(said: str, other: str) -> bool:
    """Return whether two faults quote the same words, or the same number."""
    numbers = (set(re.findall(r"\d*\.?\d+", each)) for each in (said, other))
    return said in other or other in said or bool(set.intersection(*numbers))


def _unknown_names(context: EvaluationContext | None, lesson: Lesson) -> Iterator[ParseError]:
    """Yield a fault for each ranking and query that is named and that the files of the lesson do not have; the names in
    ``rankings:`` are known when a lesson is read."""
    if context is None or not lesson.files:
        return
    runs, queries = [entry.name for entry in context.collection.runs], list(context.query_ids)
    for item in (lesson, *lesson.items):
        actions: Sequence[StepAction] = item.actions if isinstance(item, Step) else ()
        first = item.at if isinstance(item, Question) else actions[0].at if actions else Place(1, 1)
        beside = item.view.beside
        of_query = beside.startswith("query ")
        named = [(item.view.run, item.view.query, first)]
        named.append(("", beside.removeprefix("query "), first) if of_query else (beside, "", first))
        named += [(figure.run, figure.query, figure.at) for figure in item.figures]
        named += [(action.run, "", action.at) for action in actions]
        if isinstance(item, Question) and item.asked is not None:
            named.append((item.asked.run, item.asked.query, item.at))
        for run, query, at in named:
            if run and run not in runs:
                yield fault_at(lesson, at, tr("there is no ranking {name}", name=run), run, known_hint(runs))
            if query and query not in queries:
                yield fault_at(lesson, at, tr("there is no query {name}", name=query), query, known_hint(queries))


def _false_figures(lesson: Lesson, figures: Sequence[Figure], values: Sequence[float | None]) -> Iterator[ParseError]:
    for figure, value in zip(figures, values, strict=True):
        text = f"{figure.measure} = {figure.text}"
        if value is None or math.isnan(value):
            yield fault_at(lesson, figure.at, tr("{measure} has no value here", measure=figure.measure), text)
        elif not figure.agrees(value) and not (figure.source and figure.note):
            hint = tr("write the value")
            if figure.source:
                hint = tr("correct the value, or write after the brackets why the source has another one")
            reason = tr("{measure} is {value:.4f} here, not {text}",
                        measure=figure.measure, value=HalfUp(value), text=figure.text)  # fmt: skip
            yield fault_at(lesson, figure.at, reason, text, hint)


def _false_answers(lesson: Lesson, question: Question, visit: Visit) -> Iterator[ParseError]:
    yield from _false_figures(lesson, question.figures, visit.figures)
    value, context = visit.asked, visit.before
    if question.asked is not None and not question.answer and (value is None or math.isnan(value)):
        yield fault_at(lesson, question.at, tr("the question asks for what has no value here"), question.title)
        return
    yield from false_answer(lesson, question, value)
    yield from _other_than_named(context, lesson, question)
    for reason in decided_otherwise(lesson, question, context):
        yield fault_at(lesson, question.at, reason, question.title, tr("mark the right choice"))
    if (cutoffs := another_cutoff_in_reason(lesson, question)) is not None:
        reason = tr("the question names {measure}, and because: {other} alone", measure=cutoffs[0], other=cutoffs[1])
        if cutoffs[1] not in " ".join(question.because.split()):
            reason = tr("the question names {measure}, and hint: {other} alone", measure=cutoffs[0], other=cutoffs[1])
        yield fault_at(lesson, question.at, reason, question.title, tr("correct the question, because: or hint:"))
    yield from other_sum_so_far(visit.above, lesson, question)
    yield from _other_number_of_right_ones(lesson, question)
    yield from other_count_said(lesson, question, right_number(question, value))
    yield from other_count(lesson, question, right_number(question, value))
    yield from no_numbers(lesson, question, right_number(question, value))
    yield from other_rank(lesson, question, right_number(question, value))
    yield from false_reasons(lesson, question, right_number(question, value))
    yield from useless_wrong_answers(lesson, question, value)


def _has_number(text: str, number: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(number)}(?![\w/]|\.\d)", text) is not None


def _false_chances(lesson: Lesson, part: Lesson | Step | Question) -> Iterator[ParseError]:
    at = NOWHERE if isinstance(part, Lesson) else part.at
    for reason, text in false_chances(part):
        yield fault_at(lesson, at, reason, text, tr("correct the text"))


def _false_definitions(lesson: Lesson, part: Lesson | Step | Question) -> Iterator[ParseError]:
    at = NOWHERE if isinstance(part, Lesson) else part.at
    for text, meant in false_definitions(part):
        reason = tr("this is not what it means: {meant}", meant=meant)
        yield fault_at(lesson, at, reason, text, tr("correct the text"))


def _false_texts(lesson: Lesson, part: Lesson | Step | Question) -> Iterator[ParseError]:
    """Yield a fault for each equation in the texts of a part that is false; reasons are checked with the answers."""
    at = NOWHERE if isinstance(part, Lesson) else part.at
    texts = [part.text, part.title, part.hint if isinstance(part, Question) else ""]
    for equation in (false for text in texts for false in false_equations(text)):
        yield fault_at(lesson, at, tr("this equation is false"), equation, tr("correct the text"))
    reasons: list[str] = []
    if isinstance(part, Question):
        reasons += [part.because, *(each.reason for each in part.choices), *(each.reason for each in part.wrong)]
    for formula, right in (false for text in (*texts, *reasons) for false in false_formulas(text)):
        hint = tr("the formula is {formula}", formula=right) if right else tr("correct the formula")
        yield fault_at(lesson, at, tr("this is not the formula of the measure"), formula, hint)


def _other_than_named(context: EvaluationContext | None, lesson: Lesson, question: Question) -> Iterator[ParseError]:
    """Yield a fault for each thing that the title of a question names, and that its ``ask:`` does not mean."""
    runs = () if context is None else tuple(run.name for run in context.collection.runs if run.edited is None)
    queries = () if context is None else context.query_ids
    for named, meant in contradicted(lesson, question, runs, queries):
        yield fault_at(
            lesson, question.at, tr("the question names {measure}, and ask: means {other}", measure=named, other=meant),
            question.title, tr("correct ask: or the question"),
        )  # fmt: skip


def _other_number_of_right_ones(lesson: Lesson, question: Question) -> Iterator[ParseError]:
    """Yield a fault if another number of choices is marked as right than the question says."""
    marked = sum(choice.right for choice in question.choices)
    if question.choices and marked != question.n_right:
        reason = trn("{n} choice is marked as right", "{n} choices are marked as right", marked)
        hint = tr("mark one alone, or write right: {n} where all of them are meant", n=marked)
        yield fault_at(lesson, question.at, reason, question.title, hint)
