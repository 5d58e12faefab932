"""Typed answers, right and wrong ones: numbers that are none, answers that are there twice or are never compared."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from irviewer.errors import ParseError
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.session.teaching.answers import answered, number_in
from irviewer.session.teaching.checking.fault import fault_at
from irviewer.translation import tr


def no_numbers(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault for an answer that is meant as a number and is none, and for one that is never compared because the
    right one is a number."""
    stated = question.spellings[0] if question.spellings else ""
    if right is not None:
        for text, at in [
            *((text, question.at) for text in question.spellings[1:] if number_in(text) != right),
            *((wrong.answer, wrong.at) for wrong in question.wrong if number_in(wrong.answer) is None),
        ]:
            reason = tr("the answer is a number, and {text} is never compared with it", text=text)
            yield fault_at(lesson, at, reason, text, tr("write a number, such as 23, 3/4 or 60 %, or remove it"))
    elif stated and question.within is not None:
        yield fault_at(lesson, question.at, tr("{answer} is not a number, and within: is for numbers", answer=stated),
                       question.title, tr("correct answer:, or remove within:"))  # fmt: skip
    elif _FIGURES.fullmatch(stated) and any(number_in(wrong.answer) is not None for wrong in question.wrong):
        yield fault_at(lesson, question.at, tr("{answer} is not a number, and a wrong answer is one", answer=stated),
                       question.title, tr("write the number without spaces"))  # fmt: skip
    elif _FIGURES.fullmatch(stated) and " " in stated and len(question.spellings) == 1 and not question.wrong:
        yield fault_at(
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
            yield fault_at(lesson, at, tr("this answer ends with a full stop"), text,
                           tr("remove it, as nobody types one"))  # fmt: skip


_FIGURES = re.compile(r"[-+\N{MINUS SIGN}\d\s.,/%]*\d[-+\N{MINUS SIGN}\d\s.,/%]*")
"""Digits and the signs of numbers alone."""


def _same(first_answer: str, other_answer: str) -> bool:
    """Return whether two answers are the same number, or the same text."""
    first, second = number_in(first_answer), number_in(other_answer)
    if first is None or second is None:
        return " ".join(first_answer.split()).casefold() == " ".join(other_answer.split()).casefold()
    return abs(first - second) < 1e-9


def false_answer(lesson: Lesson, question: Question, value: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question has a number as its answer and asks for another one."""
    asked = question.asked
    if asked is None or not question.answer or value is None or math.isnan(value):
        return
    stated = number_in(question.spellings[0])
    if stated is None or not answered(question, f"{value:.12f}", None, 1).right:
        yield fault_at(
            lesson, question.at,
            tr("{measure} is {value:.4f} here, not {text}", measure=asked.measure or asked.column,
               value=HalfUp(value), text=question.answer),
            question.title, tr("keep ask: alone, or correct answer:"),
        )  # fmt: skip


def useless_wrong_answers(lesson: Lesson, question: Question, value: float | None) -> Iterator[ParseError]:
    """Yield a fault for each wrong answer that is there twice, or is the right one."""
    for number, wrong in enumerate(question.wrong):
        former = next((each for each in question.wrong[:number] if _same(each.answer, wrong.answer)), None)
        if former is not None:
            yield fault_at(
                lesson, wrong.at, tr("{answer} is there twice: its reason would never be said", answer=wrong.answer),
                f"wrong {wrong.answer}", tr("write another wrong answer"),
            )  # fmt: skip
        if answered(question, wrong.answer, value, 1).right:
            yield fault_at(
                lesson, wrong.at, tr("{answer} is the right answer, or too close to it", answer=wrong.answer),
                f"wrong {wrong.answer}", tr("write another wrong answer, or a smaller within:"),
            )  # fmt: skip
