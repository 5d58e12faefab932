"""Typed answers of a lesson whose order varies that hold for its file's order alone: ``answer: 2/3`` to "What is P@3?".

What a question means is not understood. It is taken to ask for the one measure that it names if the answer is its value
in the order of the file. The highest and the lowest value of all orders may be meant as such, and are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from irviewer.errors import MeasureError, ParseError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Figure, Lesson, Place, Question
from irviewer.model.lessons.variants import extremes_of, variant_of
from irviewer.session.session import Session
from irviewer.session.teaching.answers import CLOSE, number_in
from irviewer.session.teaching.printing import opened
from irviewer.translation import tr

_NAME = re.compile(r"(?<![\w@])[A-Za-z]\w+(?:\([^()]*\))?(?:@[\d.]*\d)?|(?<![\w@])[PRF]@\d+")


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


def measure_in(text: str, names: str) -> str:
    """Return the measure that a text names; "" if it names none, or several."""
    measures = measures_in(text, names)
    return measures[0] if len(measures) == 1 else ""


def measures_in(text: str, names: str) -> list[str]:
    """Return the measures that a text names, each once, as it writes them."""
    named = [name for name in _NAME.findall(text) if "@" in name or not name.islower()]
    return list({measure: name for name in named if (measure := _measure_of(name, names))}.values())


@lru_cache(maxsize=10_000)
def _measure_of(name: str, names: str) -> str:
    """Return the whole text of a measure; "" for a word that is none, of which a text has many."""
    try:
        return parse_measure(name, names).text
    except MeasureError:
        return ""


NAMES_IN_WORDS = (
    ("AP", re.compile(r"\baverage precision\b|\bprecisión media\b", re.I)),
    ("RR", re.compile(r"\breciprocal rank\b|\brango recíproco\b", re.I)),
    ("RBP", re.compile(r"\brank-biased precision\b|\bprecisión sesgada por (?:el )?rango\b", re.I)),
)
_PERSISTENCE = re.compile(r"\b(?:persistence|persistencia|p)\s+(?:(?:of|is|=|de|es)\s+)?(0?\.\d+)", re.I)


_COLUMNS_IN_WORDS = (
    ("P", re.compile(r"\bprecision\b|\bprecisión\b(?! media)", re.I)),
    ("R", re.compile(r"\b(?:recall|exhaustividad)\b", re.I)),
    ("F", re.compile(r"(?<![\w@])F(?![\w@])")),
)


def measures_down_the_list(text: str, names: str) -> list[str]:
    """Return the measures without their cutoffs, of which a text says something at ranks."""
    named = [name.partition("@")[0] for name in measures_said(text, names)]
    return list(dict.fromkeys(named)) or [name for name, words in _COLUMNS_IN_WORDS if words.search(text)]


def measures_said(text: str, names: str) -> list[str]:
    """Return the measures that a text names, or where it names none by its sign, those that it says in words."""
    named = measures_in(text, names) or [name for name, words in NAMES_IN_WORDS if words.search(text)]
    with_persistence = [f"RBP(p={each})" for each in _PERSISTENCE.findall(text)] if "RBP" in named else []
    return named + with_persistence


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
