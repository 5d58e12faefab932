"""Typed answers of a lesson whose order varies that hold for its file's order alone: ``answer: 2/3`` to "What is P@3?".

What a question means is not understood. It is taken to ask for the one measure that it names if the answer is its value
in the order of the file. The highest and the lowest value of all orders may be meant as such, and are passed over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irviewer.errors import ParseError
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Figure, Lesson, Place, Question
from irviewer.model.lessons.variants import extremes_of, variant_of
from irviewer.session.session import Session
from irviewer.session.teaching.answers import CLOSE, number_in
from irviewer.session.teaching.checking.wording.named_measures import measure_in
from irviewer.session.teaching.own_session import opened
from irviewer.translation import tr


class _Claim(NamedTuple):
    """What a text says of a value: the measure that it names, the number, how far that may be off, where it is, and
    what to do if it holds in one order only."""

    measure: str
    text: str
    value: float
    within: float
    at: Place
    hint: str


def of_one_order(lesson: Lesson, students: Sequence[str]) -> list[ParseError]:
    """Return a fault for each answer of a lesson whose order varies that is right in the order of the file, and wrong
    for one of the students."""
    claims = list(_claims(lesson)) if lesson.varies_order else []
    if not claims:
        return []
    written, best, worst = map(opened, (lesson, *extremes_of(lesson)))
    drawn = {student: opened(variant_of(lesson, student)) for student in students}
    faults = []
    for claim in claims:
        meant = [
            figure
            for figure in _subjects(claim.measure, written)
            if _holds(claim, figure, written) and not _holds(claim, figure, best) and not _holds(claim, figure, worst)
        ]
        others = (name for name, session in drawn.items() if not any(_holds(claim, each, session) for each in meant))
        if meant and (student := next(others, "")):
            faults.append(_fault(lesson, claim, student, drawn[student].teaching.value_of(meant[0])))
    return faults


def _fault(lesson: Lesson, claim: _Claim, student: str, value: float | None) -> ParseError:
    reason = tr("{measure} is {value:.4f} here, not {text}",
                measure=claim.measure, value=HalfUp(value or 0.0), text=claim.text)  # fmt: skip
    return ParseError(
        lesson.path, tr("for student {student}: {reason}", student=student, reason=reason),
        line=claim.at.line, column=claim.at.column, text=claim.text, hint=claim.hint,
    )  # fmt: skip


def _claims(lesson: Lesson) -> Iterator[_Claim]:
    """Yield what the questions with typed answers say of one measure each: the answers, and the wrong ones."""
    for question in lesson.items:
        if not isinstance(question, Question) or question.choices:
            continue
        within = CLOSE if question.within is None else question.within
        hint = tr("remove it, or write one that is wrong for every order")
        said = [(wrong.reason, wrong.answer, wrong.at, hint) for wrong in question.wrong]
        if question.asked is None and question.spellings:
            hint = tr("write ask: in place of answer:, so that it is computed for every order")
            said.append((question.title, question.spellings[0], question.at, hint))
        for text, answer, at, hint in said:
            measure, value = measure_in(text, DIALECTS[lesson.rules].names), number_in(answer)
            if measure and value is not None:
                yield _Claim(measure, answer, value, within, at, hint)


def _subjects(measure: str, session: Session) -> list[Figure]:
    """Return the measure of each ranking, of each query and of all."""
    context = session.view.context
    if context is None:
        return []
    return [
        Figure(measure, "", 0.0, 0, entry.name, query)
        for entry in context.collection.runs
        for query in ("", *context.query_ids)
    ]


def _holds(claim: _Claim, figure: Figure, session: Session) -> bool:
    value = session.teaching.value_of(figure)
    return value is not None and abs(value - claim.value) <= claim.within + 1e-12
