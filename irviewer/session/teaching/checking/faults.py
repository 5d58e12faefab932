"""What a lesson says, against what the program computes: printed and computed values, steps, answers.

A lesson is checked in a session of its own, place by place, as the window shows it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from irviewer.errors import ParseError
from irviewer.evaluation.level_cautions import is_above_all
from irviewer.formats.lessons.fields import known_hint
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import NOWHERE, Asked, Figure, Lesson, Place, Question, Step, StepAction
from irviewer.model.lessons.variants import variant_of
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.answers import CLOSE, answered, is_value, number_in, right_number
from irviewer.session.teaching.checking.claims.false_claims import claims_of, false_claims, is_so, states_about
from irviewer.session.teaching.checking.claims.states import KeptStates
from irviewer.session.teaching.checking.claims.subjects import KeptParts, false_of_subjects
from irviewer.session.teaching.checking.items.answers_of_one_order import of_one_order
from irviewer.session.teaching.checking.items.counted_answers import counted_otherwise
from irviewer.session.teaching.checking.items.decided_choices import decided_otherwise, query_in
from irviewer.session.teaching.checking.items.idle_steps import is_idle
from irviewer.session.teaching.checking.items.named_in_steps import contradicted_by_step
from irviewer.session.teaching.checking.items.named_in_titles import another_cutoff_in_reason, contradicted
from irviewer.session.teaching.checking.items.possible_answers import impossible_answers
from irviewer.session.teaching.checking.items.told_before import told_before
from irviewer.session.teaching.checking.kept_results import KeptResults
from irviewer.session.teaching.checking.lesson_rankings import KeptRankings
from irviewer.session.teaching.checking.lesson_visits import Visit, Visits
from irviewer.session.teaching.checking.prose.changes import false_changes, false_exchanges, false_values_of_queries
from irviewer.session.teaching.checking.prose.comparisons import false_comparisons
from irviewer.session.teaching.checking.prose.definitions import false_definitions
from irviewer.session.teaching.checking.prose.facts import false_facts, false_orders
from irviewer.session.teaching.checking.prose.lists import false_lists
from irviewer.session.teaching.checking.prose.measure_formulas import false_formulas
from irviewer.session.teaching.checking.prose.not_as_said import has_values, not_as_said
from irviewer.session.teaching.checking.prose.ranks import false_peaks, false_ranks, false_stops, readers_of
from irviewer.session.teaching.checking.prose.shares import false_shares
from irviewer.session.teaching.checking.prose.statistics import false_chances, false_statistics
from irviewer.session.teaching.checking.prose.unfounded_numbers import unfounded_numbers
from irviewer.session.teaching.checking.prose.unknown_names import unknown_names
from irviewer.session.teaching.checking.prose.values import (
    KeptTables,
    Tables,
    at_these_levels,
    false_values,
    values_of,
    without_levels_in_front,
)
from irviewer.session.teaching.checking.prose.written_discount import logarithm_of, other_discount
from irviewer.session.teaching.checking.wording.equations import false_equations, results_of
from irviewer.session.teaching.checking.wording.named_measures import measures_in
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, count_of
from irviewer.session.teaching.checking.wording.reasons import (
    counts_said,
    ranks_of_documents,
    share_said,
    shares_said,
)
from irviewer.session.teaching.checking.wording.sentences import (
    ASKS_FOR_CHANGE,
    SUPPOSING,
    is_elsewhere,
    prose_of,
    without_mistakes,
)
from irviewer.translation import decimal, tr, trn

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

    yield from noted(_fault(lesson, slip.at, slip.reason, slip.text, slip.hint) for slip in lesson.slips)
    yield from noted(_unknown_names(context, lesson))
    yield from noted(fault for part in parts for fault in results.of(_false_texts, lesson, part))
    yield from noted(fault for part in parts for fault in results.of(_false_chances, lesson, part))
    yield from noted(fault for part in parts for fault in results.of(_false_definitions, lesson, part))
    judgments = None if context is None else context.judgments
    if judgments is not None and level is not None and is_above_all(level, judgments.qrels):
        reason = tr("no document has grade {level:g} or higher", level=level)
        yield from noted([_fault(lesson, NOWHERE, reason, f"level: {level:g}", tr("write a lower level"))])
    yield from noted(_of_another_cutoff(lesson))
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
    yield from noted(_cutoffs_below(lesson, seen))
    if lesson.varies_order or context is None or context.judgments is None:
        return
    readers = tuple(readers_of(lesson).items())
    facts = [
        fault
        for part, states in zip(parts, own, strict=True)
        for text, at, about in results.of(_texts_about, lesson, part, states, seen, kept.rankings)
        for fault in results.of(_false_fact, lesson, part, text, at, about, states, seen, readers, kept.rankings)
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
        _fault(lesson, at, reason, text, hint)
        for reason, text, hint, at in false_values(lesson, values)
        if not any(line == at.line and _has_number(said, text) for line, said in facts_of_line)  # which says the value
    )
    for item in lesson.items:
        if isinstance(item, Question):
            yield from noted(results.of(_impossible_answers, lesson, item, asked[item.at], tables))
    of_subjects = [
        fault
        for part, states in zip(parts, own, strict=True)
        for text, at, about in results.of(_texts_about, lesson, part, states, seen, kept.rankings)
        for fault in results.of(_false_of_subject, lesson, part, text, at, about, states, seen, kept.parts)
    ]
    others = {(fault.line, fault.text) for fault in known}
    for reason, text, hint, at in (*unfounded_numbers(lesson, values, results), *unknown_names(lesson, seen, results)):
        if not any(line == at.line and (text in said or said in text) for line, said in others):
            yield from noted([_fault(lesson, at, reason, text, hint)])
    others = {(fault.line, fault.text) for fault in known}
    about = zip(parts, states_about(parts, own), strict=True)
    claims = [each for part, states in about for each in results.of(claims_of, lesson, part, states, kept.states)]
    for fault in of_subjects:
        if not is_so(fault, claims) and not any(
            line == fault.line and _says_as_much(fault.text, said) for line, said in others
        ):
            yield from noted([fault])
    yield from (_fault(lesson, *each) for each in false_claims(claims, known))
    for reason, text, hint, at in told_before(lesson, {**asked, **typed}):
        yield _fault(lesson, at, reason, text, hint)
    if (discount := other_discount(lesson, context)) is not None:
        reason = tr("the lesson has another discount: {rule}", rule=logarithm_of(context))
        yield _fault(lesson, discount[1], reason, discount[0], tr("correct the text, or write rules:"))


def _other_than_counted(
    lesson: Lesson, question: Question, states: tuple[EvaluationContext, ...], place: int
) -> Iterator[ParseError]:
    """Yield a fault if a typed answer is another one than the data gives."""
    view = lesson.views[place]
    for reason in counted_otherwise(lesson, question, states, (view.run, view.query)):
        yield _fault(lesson, question.at, reason, f"answer: {question.answer}", tr("correct answer: or the question"))


def _of_step(lesson: Lesson, step: Step, visit: Visit) -> Iterator[ParseError]:
    """Yield the faults of what a step does, and of what its title says that it does."""
    for said, meant in contradicted_by_step(lesson, step, visit.before):
        reason = tr("the step names {measure}, and do: means {other}", measure=said, other=meant)
        yield _fault(lesson, step.at, reason, step.title, tr("correct do: or the step"))
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
    yield _fault(lesson, step.at, reason, step.title, hint)


def _of_values(lesson: Lesson, part: Lesson | Step, visit: Visit) -> Iterator[ParseError]:
    """Yield the faults of what is printed and computed, and of what a text says of tests."""
    yield from _false_figures(lesson, part.figures, visit.figures)
    at = NOWHERE if isinstance(part, Lesson) else part.at
    for reason, text in false_statistics(part, visit.tests, visit.after):
        yield _fault(lesson, at, reason, text, tr("correct the text"))


def _impossible_answers(
    lesson: Lesson, question: Question, value: float | None, tables: Tables
) -> Iterator[ParseError]:
    for reason, text, hint in impossible_answers(lesson, question, value, tables):
        yield _fault(lesson, question.at, reason, text, hint)


_About = tuple[tuple[EvaluationContext, ...], bool, str, str]
"""What a text is about, as :meth:`KeptRankings.of` takes it."""


def _texts_about(
    lesson: Lesson,
    part: Lesson | Step | Question,
    own: tuple[EvaluationContext, ...],
    seen: tuple[EvaluationContext, ...],
    rankings: KeptRankings,
) -> Iterator[tuple[str, Place, _About]]:
    """Yield the texts of a part that say something of rankings: of a step in the states before and after it, of a
    question in all, as its reasons may be about a step."""
    if not isinstance(part, Question):
        about = (own, isinstance(part, Step) and bool(part.actions), "", "")
        yield part.text, NOWHERE if isinstance(part, Lesson) else part.at, about
        return
    known = (seen, False, "", "")
    yield part.text, part.at, known
    if not SUPPOSING.search(part.title):
        asked = part.asked or Asked()
        yield part.because, part.at, (own if part.asked else seen, False, asked.run, asked.query)
        yield part.hint, part.at, known
        query = query_in(part.title, seen)
        for each in () if ASKS_FOR_CHANGE.search(part.title) else part.choices:
            run = rankings.of(*known).called(each.text.strip(" ."))
            yield each.reason, part.at, (seen, False, run, query) if run else known
        is_other = is_elsewhere(part.title) or ASKS_FOR_CHANGE.search(part.title) is not None
        yield from ((each.text, part.at, known) for each in part.choices if each.right and not is_other)
        yield from ((without_mistakes(each.reason), each.at, known) for each in part.wrong)


def _false_fact(
    lesson: Lesson,
    part: Lesson | Step | Question,
    text: str,
    at: Place,
    about: _About,
    own: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    readers: Sequence[tuple[str, int]],
    known: KeptRankings,
) -> Iterator[ParseError]:
    """Yield a fault for each sentence of a text about ranks, documents, counts and orders that no ranking is like."""
    rankings, prose = known.of(*about), at_these_levels(prose_of(text), seen)
    contexts = seen if isinstance(part, Question) else own
    compared = [*false_comparisons(lesson, part, prose, contexts)]
    compared += false_changes(lesson, part, prose, contexts)
    compared += false_values_of_queries(lesson, prose, contexts)
    compared += false_exchanges(lesson, part, prose, contexts)
    compared += false_shares(lesson, prose, contexts)
    said_here = [*false_facts(prose, rankings), *false_lists(prose, rankings), *false_ranks(prose, rankings)]
    said_here += [*false_stops(dict(readers), prose, rankings), *false_peaks(prose, rankings)]
    for said, meant in _one_a_clause(prose, [*said_here, *false_orders(lesson, prose, own), *compared]):
        yield from _unlike(lesson, at, said, meant)


def _one_a_clause(text: str, unlike: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield (what a text says, what is so), without what is said within longer words that are not so either, or beside
    them where the same is computed."""
    plain = " ".join(text.split())
    starts = [plain.find(" ".join(said.split())) for said, _ in unlike]
    spans = [range(start, start + len(" ".join(said.split()))) for start, (said, _) in zip(starts, unlike, strict=True)]
    for place, ((said, meant), own) in enumerate(zip(unlike, spans, strict=True)):
        longer = [
            each
            for each, (other, span) in enumerate(zip(unlike, spans, strict=True))
            if each != place
            and (len(span), -each) > (len(own), -place)
            and (said != other[0] or plain.count(" ".join(said.split())) == 1)
            and (
                (meant == other[1] and own.start < span.stop and span.start < own.stop)
                or (said in other[0] and plain.count(said) <= plain.count(other[0]))
            )
        ]
        if own.start < 0 or not longer:
            yield said, meant


def _false_of_subject(
    lesson: Lesson,
    part: Lesson | Step | Question,
    text: str,
    at: Place,
    about: _About,
    own: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    parts: KeptParts,
) -> Iterator[ParseError]:
    """Yield a fault for what a text says of the ranking that a sentence names last."""
    contexts = seen if isinstance(part, Question) else own
    prose = at_these_levels(prose_of(text), seen)
    for said, meant in false_of_subjects(lesson, part, prose, contexts, seen, parts, about[2]):
        yield from _unlike(lesson, at, said, meant)


def _unlike(lesson: Lesson, at: Place, said: str, meant: str) -> Iterator[ParseError]:
    """Yield the fault that no ranking is as a text says; ``meant`` is what is computed, "" for unknown. Nothing is
    compared with a value that is absent."""
    if not has_values(meant):
        return
    reason, hint = not_as_said(meant)
    yield _fault(lesson, at, reason, said, hint)


def _says_as_much(said: str, other: str) -> bool:
    """Return whether two faults quote the same words, or the same number."""
    numbers = (set(re.findall(r"\d*\.?\d+", each)) for each in (said, other))
    return said in other or other in said or bool(set.intersection(*numbers))


def _cutoffs_below(lesson: Lesson, contexts: Sequence[EvaluationContext]) -> Iterator[ParseError]:
    """Yield a fault for each cutoff line that would be below the end of all lists, also of those that steps change."""
    runs = dict.fromkeys(entry.run for context in contexts for entry in context.collection.runs)
    longest = max((int(np.diff(run.offsets).max(initial=0)) for run in runs), default=0)
    cutoffs = [(lesson.view.cutoff, NOWHERE)]
    for item in lesson.items:
        cutoffs.append((item.view.cutoff, item.at))
        actions = item.actions if isinstance(item, Step) else ()
        cutoffs += [(int(action.numbers[0]), action.at) for action in actions if action.verb == "cutoff"]
    for item in lesson.items:
        if isinstance(item, Question) and item.asked is not None and item.asked.measure:
            cut = parse_measure(item.asked.measure, DIALECTS[lesson.rules].names).cutoff
            if cut is not None and str(int(cut)) not in item.title:  # "What is P@10?" of five documents may be meant
                cutoffs.append((int(cut), item.at))
    for cutoff, at in cutoffs:
        if cutoff is not None and cutoff > longest > 0:
            reason = trn("the longest list has {n} rank", "the longest list has {n} ranks", longest)
            yield _fault(lesson, at, reason, f"cutoff: {cutoff}", tr("write a rank that a list has"))


_LEVEL_SAID = re.compile(
    r"\b(?:level\s+(?:of\s+|is\s+)?|nivel\s+(?:de\s+|es\s+)?|grade\s+(?=\d+\s+or\s+(?:higher|more)))(\d+)(?![\d.,]*\d)",
    re.I,
)
"""A relevance level in a text."""
_LEVELS_SAID = re.compile(
    r"\b(?:level|nivel)\b[^.;:\d]{0,40}\b(?:from|de|del)\s+(\d+)\s+(?:to|a|al)\s+(\d+)(?![\d.,]*\d)", re.I
)
"""Two levels, of which one comes after the other."""


MANY = 3
"""How often a lesson has to speak of a measure, until all its cutoffs are taken for those that it is about."""


def _of_another_cutoff(lesson: Lesson) -> Iterator[ParseError]:
    """Yield a fault if the measure in view has another cutoff, or the header another level, than all that the lesson
    says and asks."""
    names = DIALECTS[lesson.rules].names
    shown = parse_measure(lesson.view.measure, names)
    said = [text for part in (lesson, *lesson.items) for text in _all_texts(part)]
    actions = [action for item in lesson.items if isinstance(item, Step) for action in item.actions]
    asked = [item.asked.measure for item in lesson.items if isinstance(item, Question) and item.asked is not None]
    said += [*asked, *(figure.measure for part in (lesson, *lesson.items) for figure in part.figures)]
    said += [action.text for action in actions if action.verb == "measure"]
    times = Counter[str]()
    for text in said:
        times.update({name: text.count(name) for name in measures_in(text, names)})
    named = [measure for name, n in times.items() for measure in [parse_measure(name, names)] * n]
    own = [each.cutoff for each in named if each.name == shown.name]
    cutoffs = {*own}
    if (
        shown.cutoff is not None
        and len(own) >= MANY
        and not any(action.verb == "measure" for action in actions)
        and None not in cutoffs
        and shown.cutoff not in cutoffs
    ):
        others = ", ".join(f"{shown.name}@{int(cutoff)}" for cutoff in sorted(c for c in cutoffs if c is not None))
        reason = tr("the lesson shows {measure}, and speaks of {others} alone", measure=str(shown), others=others)
        yield _fault(lesson, NOWHERE, reason, f"measure: {lesson.view.measure}", tr("correct measure: or the texts"))
    counted = dict(shown.given).get("rel")
    if counted is not None and lesson.view.level not in (None, 1.0, float(counted)):
        reason = tr("{measure} counts grade {grade:g} and higher", measure=str(shown), grade=float(counted))
        yield _fault(lesson, NOWHERE, reason, f"level: {lesson.view.level:g}", tr("correct level: or measure:"))
    levels = {float(level) for text in said for level in _LEVEL_SAID.findall(without_levels_in_front(text))}
    levels |= {float(level) for text in said for pair in _LEVELS_SAID.findall(text) for level in pair}
    chosen = {action.numbers[0] for action in actions if action.verb == "level"}  # a lesson need not name its own then
    if lesson.view.level is not None and levels - chosen and lesson.view.level not in levels | chosen:
        reason = tr(
            "the lesson speaks of the level {levels} alone", levels=", ".join(f"{each:g}" for each in sorted(levels))
        )
        yield _fault(lesson, NOWHERE, reason, f"level: {lesson.view.level:g}", tr("correct level: or the texts"))


def _all_texts(part: Lesson | Step | Question) -> list[str]:
    """Return all texts of a part."""
    texts = [part.title, part.text]
    if isinstance(part, Question):
        texts += [part.because, part.hint, *(each.reason for each in part.wrong)]
        texts += [text for each in part.choices for text in (each.text, each.reason)]
    return texts


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
                yield _fault(lesson, at, tr("there is no ranking {name}", name=run), run, known_hint(runs))
            if query and query not in queries:
                yield _fault(lesson, at, tr("there is no query {name}", name=query), query, known_hint(queries))


def _fault(lesson: Lesson, at: Place, reason: str, text: str, hint: str = "") -> ParseError:
    return ParseError(lesson.path, reason, line=at.line, column=at.column, text=text, hint=hint)


def _false_figures(lesson: Lesson, figures: Sequence[Figure], values: Sequence[float | None]) -> Iterator[ParseError]:
    for figure, value in zip(figures, values, strict=True):
        text = f"{figure.measure} = {figure.text}"
        if value is None or math.isnan(value):
            yield _fault(lesson, figure.at, tr("{measure} has no value here", measure=figure.measure), text)
        elif not figure.agrees(value) and not (figure.source and figure.note):
            hint = tr("write the value")
            if figure.source:
                hint = tr("correct the value, or write after the brackets why the source has another one")
            reason = tr("{measure} is {value:.4f} here, not {text}",
                        measure=figure.measure, value=HalfUp(value), text=figure.text)  # fmt: skip
            yield _fault(lesson, figure.at, reason, text, hint)


def _false_answers(lesson: Lesson, question: Question, visit: Visit) -> Iterator[ParseError]:
    yield from _false_figures(lesson, question.figures, visit.figures)
    value, context = visit.asked, visit.before
    if question.asked is not None and not question.answer and (value is None or math.isnan(value)):
        yield _fault(lesson, question.at, tr("the question asks for what has no value here"), question.title)
        return
    yield from _false_answer(lesson, question, value)
    yield from _other_than_named(context, lesson, question)
    for reason in decided_otherwise(lesson, question, context):
        yield _fault(lesson, question.at, reason, question.title, tr("mark the right choice"))
    if (cutoffs := another_cutoff_in_reason(lesson, question)) is not None:
        reason = tr("the question names {measure}, and because: {other} alone", measure=cutoffs[0], other=cutoffs[1])
        if cutoffs[1] not in " ".join(question.because.split()):
            reason = tr("the question names {measure}, and hint: {other} alone", measure=cutoffs[0], other=cutoffs[1])
        yield _fault(lesson, question.at, reason, question.title, tr("correct the question, because: or hint:"))
    yield from _other_sum_so_far(visit.above, lesson, question)
    yield from _other_number_of_right_ones(lesson, question)
    yield from _other_count_said(lesson, question, right_number(question, value))
    yield from _other_count(lesson, question, right_number(question, value))
    yield from _no_numbers(lesson, question, right_number(question, value))
    yield from _other_rank(lesson, question, right_number(question, value))
    yield from _false_reasons(lesson, question, right_number(question, value))
    for number, wrong in enumerate(question.wrong):
        former = next((each for each in question.wrong[:number] if _same(each.answer, wrong.answer)), None)
        if former is not None:
            yield _fault(
                lesson, wrong.at, tr("{answer} is there twice: its reason would never be said", answer=wrong.answer),
                f"wrong {wrong.answer}", tr("write another wrong answer"),
            )  # fmt: skip
        if answered(question, wrong.answer, value, 1).right:
            yield _fault(
                lesson, wrong.at, tr("{answer} is the right answer, or too close to it", answer=wrong.answer),
                f"wrong {wrong.answer}", tr("write another wrong answer, or a smaller within:"),
            )  # fmt: skip


_SO_FAR = re.compile(
    r"\b(?:sum|suma)\s+(?:so\s+far|up\s+to\s+here|until\s+here|hasta\s+(?:aquí|ahora|ahí))\s+(?:is|es)\s+(\d*\.\d+)(?![\w/]|\.\d)",
    re.I,
)


def _other_sum_so_far(above: float | None, lesson: Lesson, question: Question) -> Iterator[ParseError]:
    """Yield a fault if a reason says what a sum of the table is so far, and it is not that of the rank above."""
    asked, said = question.asked, _SO_FAR.search(question.because)
    if asked is None or not asked.column or asked.rank < 2 or said is None:
        return
    if above is not None and not is_value(said[1], np.array([above])):
        reason = tr(
            "{measure} is {value:.4f} here, not {text}", measure=asked.column, value=HalfUp(above), text=said[1]
        )
        yield _fault(lesson, question.at, reason, " ".join(said[0].split()), tr("correct the text"))


def _no_numbers(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault for an answer that is meant as a number and is none, and for one that is never compared because the
    right one is a number."""
    stated = question.spellings[0] if question.spellings else ""
    if right is not None:
        for text, at in [
            *((text, question.at) for text in question.spellings[1:] if number_in(text) != right),
            *((wrong.answer, wrong.at) for wrong in question.wrong if number_in(wrong.answer) is None),
        ]:
            reason = tr("the answer is a number, and {text} is never compared with it", text=text)
            yield _fault(lesson, at, reason, text, tr("write a number, such as 23, 3/4 or 60 %, or remove it"))
    elif stated and question.within is not None:
        yield _fault(lesson, question.at, tr("{answer} is not a number, and within: is for numbers", answer=stated),
                     question.title, tr("correct answer:, or remove within:"))  # fmt: skip
    elif _FIGURES.fullmatch(stated) and any(number_in(wrong.answer) is not None for wrong in question.wrong):
        yield _fault(lesson, question.at, tr("{answer} is not a number, and a wrong answer is one", answer=stated),
                     question.title, tr("write the number without spaces"))  # fmt: skip
    elif _FIGURES.fullmatch(stated) and " " in stated and len(question.spellings) == 1 and not question.wrong:
        yield _fault(
            lesson, question.at, tr("{answer} is not a number", answer=stated), question.title,
            tr("write the number without spaces, or another spelling of the list after a bar: {spellings}",
               spellings=f"{stated} | {', '.join(stated.split())}"),
        )  # fmt: skip
    for text, at in [
        *((text, question.at) for text in question.spellings if text.endswith(".")),
        *((wrong.answer, wrong.at) for wrong in question.wrong if wrong.answer.endswith(".")),
    ]:
        bare = text.removesuffix(".")
        is_abbreviated = "." in bare and number_in(bare) is None
        if not is_abbreviated and not any(_same(bare, each) and each != text for each in question.spellings):
            yield _fault(lesson, at, tr("this answer ends with a full stop"), text,
                         tr("remove it, as nobody types one"))  # fmt: skip


_FIGURES = re.compile(r"[-+\N{MINUS SIGN}\d\s.,/%]*\d[-+\N{MINUS SIGN}\d\s.,/%]*")
"""Digits and the signs of numbers alone."""


def _same(first_answer: str, other_answer: str) -> bool:
    """Return whether two answers are the same number, or the same text."""
    first, second = number_in(first_answer), number_in(other_answer)
    if first is None or second is None:
        return " ".join(first_answer.split()).casefold() == " ".join(other_answer.split()).casefold()
    return abs(first - second) < 1e-9


_ASKS_RANK = re.compile(
    r"\b(?:which|what) rank\b|\bqué (?:posición|puesto)\b|\bhow many documents must\b|\bcuántos documentos debe", re.I
)
"""Words of a question whose answer is a rank."""


def _other_rank(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question asks for a rank, and its reason says at which other one a document is."""
    ranks = ranks_of_documents(question.because)
    names_it = right is not None and re.search(rf"(?<![\w./]){right:g}(?![\w/]|\.\d)", question.because) is not None
    if right is not None and ranks and _ASKS_RANK.search(question.title) and right not in ranks and not names_it:
        yield _fault(
            lesson, question.at,
            tr("the answer is {answer}, and because: names rank {rank}", answer=f"{right:g}", rank=ranks[0]),
            question.because, tr("correct answer: or because:"),
        )  # fmt: skip


def _false_reasons(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault for each equation of a question's reasons that is false, and if the only value that the question
    has in print is not its answer."""
    texts = (question.because, *(wrong.reason for wrong in question.wrong), *(each.reason for each in question.choices))
    for equation in (false for text in texts for false in false_equations(text)):
        yield _fault(lesson, question.at, tr("this equation is false"), equation, tr("correct the text"))
    figures = question.figures
    within = CLOSE if question.within is None else question.within
    if right is None:
        return
    results = results_of(question.because)
    if not results and (share := share_said(question.title, question.because)) is not None:
        results = [share]
    if results and "=" in question.because:
        results += shares_said(question.because)
    if results and not any(abs(result - right) <= within for result in [*results, *counts_said(question.because)]):
        stated = question.answer or decimal(f"{HalfUp(right):.4f}")
        yield _fault(
            lesson, question.at, tr("the answer is {answer}, and because: computes another one", answer=stated),
            question.because, tr("correct answer: or because:"),
        )  # fmt: skip
    if not question.answer:
        return
    if len(figures) != 1 or figures[0].note or figures[0].agrees(right):
        return
    if abs(figures[0].value - right) > within:
        yield _fault(
            lesson, question.at,
            tr("the answer is {answer}, and {measure} = {text} is beside it",
               answer=question.answer, measure=figures[0].measure, text=figures[0].text),
            question.title, tr("correct answer:, or leave the value out"),
        )  # fmt: skip


def _has_number(text: str, number: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(number)}(?![\w/]|\.\d)", text) is not None


def _false_chances(lesson: Lesson, part: Lesson | Step | Question) -> Iterator[ParseError]:
    at = NOWHERE if isinstance(part, Lesson) else part.at
    for reason, text in false_chances(part):
        yield _fault(lesson, at, reason, text, tr("correct the text"))


def _false_definitions(lesson: Lesson, part: Lesson | Step | Question) -> Iterator[ParseError]:
    at = NOWHERE if isinstance(part, Lesson) else part.at
    for text, meant in false_definitions(part):
        reason = tr("this is not what it means: {meant}", meant=meant)
        yield _fault(lesson, at, reason, text, tr("correct the text"))


def _false_texts(lesson: Lesson, part: Lesson | Step | Question) -> Iterator[ParseError]:
    """Yield a fault for each equation in the texts of a part that is false; reasons are checked with the answers."""
    at = NOWHERE if isinstance(part, Lesson) else part.at
    texts = [part.text, part.title, part.hint if isinstance(part, Question) else ""]
    for equation in (false for text in texts for false in false_equations(text)):
        yield _fault(lesson, at, tr("this equation is false"), equation, tr("correct the text"))
    reasons: list[str] = []
    if isinstance(part, Question):
        reasons += [part.because, *(each.reason for each in part.choices), *(each.reason for each in part.wrong)]
    for formula, right in (false for text in (*texts, *reasons) for false in false_formulas(text)):
        hint = tr("the formula is {formula}", formula=right) if right else tr("correct the formula")
        yield _fault(lesson, at, tr("this is not the formula of the measure"), formula, hint)


def _other_than_named(context: EvaluationContext | None, lesson: Lesson, question: Question) -> Iterator[ParseError]:
    """Yield a fault for each thing that the title of a question names, and that its ``ask:`` does not mean."""
    runs = () if context is None else tuple(run.name for run in context.collection.runs if run.edited is None)
    queries = () if context is None else context.query_ids
    for named, meant in contradicted(lesson, question, runs, queries):
        yield _fault(
            lesson, question.at, tr("the question names {measure}, and ask: means {other}", measure=named, other=meant),
            question.title, tr("correct ask: or the question"),
        )  # fmt: skip


def _other_number_of_right_ones(lesson: Lesson, question: Question) -> Iterator[ParseError]:
    """Yield a fault if another number of choices is marked as right than the question says."""
    marked = sum(choice.right for choice in question.choices)
    if question.choices and marked != question.n_right:
        reason = trn("{n} choice is marked as right", "{n} choices are marked as right", marked)
        hint = tr("mark one alone, or write right: {n} where all of them are meant", n=marked)
        yield _fault(lesson, question.at, reason, question.title, hint)


_LISTS_RANKS = re.compile(
    r"\s*(?:(?:the|those|they\s+are|los|son)\s+)?(?:the\s+|los\s+)?(?:(?:documents?|ones|documentos?)\s+)?(?:are\s+|están\s+)?"
    r"(?:at|of|de|en)\s+(?:ranks?|las?\s+posici[oó]n(?:es)?)\s+(?P<ranks>\d+(?:(?:,\s+|,?\s+(?:and|y)\s+)\d+)*)\s*\.?\s*",
    re.I,
)
"""A reason that lists ranks and says nothing else."""


def _other_count(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question asks how many there are, and its reason lists another number of ranks."""
    said = _LISTS_RANKS.fullmatch(question.because)
    if said is None or right is None or not re.match(r"\W*(?:how\s+many|cuánt[oa]s)\b", question.title, re.I):
        return
    n = len(re.findall(r"\d+", said["ranks"]))
    if n != right:
        reason = trn("the reason lists {n} rank", "the reason lists {n} ranks", n)
        yield _fault(lesson, question.at, reason, f"answer: {question.answer}", tr("correct answer: or because:"))


_ASKS_COUNT = re.compile(r"\W*(?:(?:on|in|for|en|para)\s+)?(?:how\s+many|cuánt[oa]s)\b", re.I)
_NO_COUNT = re.compile(
    r"\b(?:ranks?|quer(?:y|ies)|posici[oó]n(?:es)?|consultas?|grades?|grados?|level|nivel|first|top)\s+\d+(?:(?:,\s+|,?\s+(?:and|y|to|a)\s+)\d+)*|"
    r"@\d+|\d*[.,]\d+|\d+\s?%|\d+/\d+|\bno\s+one\b|\b(?:the|that|this|which|each|every|other|last|only|first|second)\s+one\b|\bone\s+of\b",
    re.I,
)
"""Numbers that count nothing."""


def _other_count_said(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question asks how many there are, and its reason has counts that do not give the answer:
    neither one of them, nor the sum, difference or product of two, of the reason and the question."""
    if right is None or right != int(right) or question.asked is not None or not _ASKS_COUNT.match(question.title):
        return
    if re.search(
        r"[=+×/÷−-]\s*\d|\b(?:all|none|nothing|every|both|neither|tod[oa]s|ningun[oa]|amb[oa]s|no|not)\b",
        question.because,
        re.I,
    ):
        return
    counted = re.compile(rf"(?<![\w.@])(?:{A_COUNT[1:-1]})(?![\w@]|[.,]\d)", re.I)
    said = {count_of(each) for each in counted.findall(_NO_COUNT.sub(" ", question.because))}
    given = said | {count_of(each) for each in counted.findall(f"{question.title} {question.text}")}
    results = {each for a in said for b in given for each in (a, a + b, abs(a - b), a * b)}
    listed = {len(re.findall(r"\d+", each[0])) for each in _NO_COUNT.finditer(question.because)}
    if said and int(right) not in results | (listed - {1}):
        reason = tr(
            "the answer is {answer}, and because: counts {n}", answer=f"{right:g}", n=", ".join(map(str, sorted(said)))
        )
        yield _fault(lesson, question.at, reason, f"answer: {question.answer}", tr("correct answer: or because:"))


def _false_answer(lesson: Lesson, question: Question, value: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question has a number as its answer and asks for another one."""
    asked = question.asked
    if asked is None or not question.answer or value is None or math.isnan(value):
        return
    stated = number_in(question.spellings[0])
    if stated is None or not answered(question, f"{value:.12f}", None, 1).right:
        yield _fault(
            lesson, question.at,
            tr("{measure} is {value:.4f} here, not {text}", measure=asked.measure or asked.column,
               value=HalfUp(value), text=question.answer),
            question.title, tr("keep ask: alone, or correct answer:"),
        )  # fmt: skip
