"""Answers to the questions of lessons: right or wrong, and why. Knows no session and no window."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Collection, Sequence

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Question
from irviewer.session.teaching.lesson import Given
from irviewer.translation import decimal, listed, tr

CLOSE = 0.005
"""The largest difference of a right number: textbooks print two decimals."""


MOST_DECIMALS, LARGEST = 12, 1e15
"""Numbers with more digits than these are not rounded ones of another number."""


GAPS = re.compile("(?<=[0-9])[ \u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
"""The spaces between the thousands of a number."""


def number_in(text: str) -> float | None:
    """Return the value of a decimal number, whose thousands may stand apart (315 000), a fraction (3/5) or a share
    (60 %); None for anything else."""
    text = GAPS.sub("", text.replace("\N{MINUS SIGN}", "-"))
    match = re.fullmatch(r"\s*([+-]?(?:\d+[.,]?\d*|[.,]\d+))\s*(?:/\s*(\d+(?:[.,]\d+)?)|(%))?\s*", text)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    if match[2]:
        below = float(match[2].replace(",", "."))
        return value / below if below else None
    return value / 100 if match[3] else value


def is_value(number: str, values: Floats) -> bool:
    """Return whether a number is one of some values, rounded to its digits."""
    decimals = len(number.partition(".")[2])
    return bool(np.any(np.abs(values - float(number)) <= 0.5000001 * 10.0**-decimals))


def right_text(question: Question, computed: float | None) -> str:
    """Return the right answer as a text; ``computed`` is the value that the question asks for, where it is known: it
    has at most four decimals, no zeros at their end and none before the point, as lessons have their answers."""
    if question.choices:
        return in_a_row([choice.text for choice in question.choices if choice.right])
    if question.answer:
        return question.spellings[0]
    text = _four_decimals(computed).rstrip("0").removesuffix(".")
    return decimal(re.sub(r"^(-?)0(?=\.)", r"\1", text))


def in_a_row(texts: Sequence[str]) -> str:
    """Return the texts of choices, one after the other: of sentences only the last has its full stop."""
    return listed((*(text.removesuffix(".") for text in texts[:-1]), *texts[-1:]))


def _four_decimals(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{HalfUp(value):.4f}"


def right_inside(question: Question, computed: float | None) -> str:
    """Return the right answer as it stands inside a sentence: a choice that is one has no full stop of its own."""
    return right_text(question, computed).removesuffix(".")


def right_number(question: Question, computed: float | None) -> float | None:
    """Return the right answer as a number; None where it is a text, and where what is asked for has no value."""
    value = number_in(question.spellings[0]) if question.answer else computed
    return None if value is None or math.isnan(value) else value


def version(question: Question, computed: float | None) -> str:
    """Return a short text that is another one if the choices, their order or the right answer of a question are: by it
    an answer that was kept is known to be to the question as it is now."""
    asked: list[object] = [[choice.text, choice.right] for choice in question.choices]
    right = question.spellings[0] if question.answer else _four_decimals(computed)
    asked = asked or [right, *question.spellings]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]


def answered(question: Question, text: str, computed: float | None, tries: int) -> Given:
    """Return what is said of an answer to a question without choices. A number is right within ``question.within``, by
    default half a unit of the second decimal; any other text if it is one of the answers, whatever its case, accents
    and spaces."""
    text = text.strip()
    wanted = right_number(question, computed)
    value = _value(text, wanted)
    if wanted is None:
        is_right = any(_plain(text) == _plain(each) for each in question.spellings)
    elif value is None:
        return Given(text, False, tr("{text!r} is not a number.", text=text), tries)
    else:
        within = CLOSE if question.within is None else question.within
        is_right = abs(value - wanted) <= within + 1e-12
    if is_right:
        return Given(text, True, question.because, tries)
    if wanted is not None and value is not None and _is_rounded(text, value, wanted):
        return Given(text, False, tr("Give more digits."), tries, rounded=True)
    return Given(text, False, _reason(question, text, value), tries)


def _value(text: str, wanted: float | None) -> float | None:
    """Return the value of an answer. Where one of thousands is wanted, points and commas between groups of three digits
    set the thousands apart."""
    is_grouped = re.fullmatch(r"[0-9]{1,3}(?:([.,])[0-9]{3})(?:\1[0-9]{3})*", text) is not None
    if is_grouped and wanted is not None and abs(wanted) >= 1000:
        return float(re.sub("[.,]", "", text))
    return number_in(text)


def _is_rounded(text: str, value: float, wanted: float) -> bool:
    """Return whether a number is another one, rounded half up to the decimals that are given; at least one digit other
    than 0 must be left."""
    match = re.fullmatch(r"[+-]?\d*[.,](\d+)", text.replace("\N{MINUS SIGN}", "-").strip())
    if match is None or not value or len(match[1]) > MOST_DECIMALS or abs(value) >= LARGEST:
        return False
    return f"{HalfUp(wanted):.{len(match[1])}f}" == f"{HalfUp(value):.{len(match[1])}f}"


def _reason(question: Question, text: str, value: float | None) -> str:
    """Return why a wrong answer is wrong, if the lesson expects it."""
    within = CLOSE if question.within is None else question.within
    for wrong in question.wrong:
        expected = number_in(wrong.answer)
        if expected is None or value is None:
            if _plain(wrong.answer) == _plain(text):
                return wrong.reason
        elif abs(value - expected) <= within + 1e-12:
            return wrong.reason
    return ""


def chosen(question: Question, numbers: Collection[int], tries: int) -> Given:
    """Return what is said of chosen choices, by their places from 0: the reasons of those that are wrongly chosen, else
    those of the right ones."""
    wanted = {position for position, choice in enumerate(question.choices) if choice.right}
    picked = set(numbers)
    places = sorted(picked - wanted) or sorted(picked)
    reasons = [question.choices[place].reason for place in places if question.choices[place].reason]
    if picked == wanted:
        reasons += [question.because] if question.because else []
    elif picked < wanted:
        reasons = [tr("Right so far, but not complete.")]
    text = listed(str(place + 1) for place in sorted(picked))
    return Given(text, picked == wanted, "\n\n".join(reasons), tries)


def shown(question: Question, computed: float | None, tries: int) -> Given:
    """Return the right answer, shown without being answered."""
    if question.choices:
        right = [choice for choice in question.choices if choice.right]
        reason = "\n\n".join(filter(None, (*(choice.reason for choice in right), question.because)))
        places = (str(position) for position, choice in enumerate(question.choices, start=1) if choice.right)
        return Given(listed(places), False, reason, tries, shown=True)
    return Given(right_text(question, computed), False, question.because, tries, shown=True)


def _plain(text: str) -> str:
    """Return a text without case, accents and the spaces around and between its words."""
    letters = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
