"""Answers of questions that cannot be: a precision that no number of relevant documents gives, two choices that are one
number, a marked choice that is another value than the one asked for, a hint that is the answer.

Titles are not understood: what they ask is known where they name one measure and nothing else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.session.teaching.answers import CLOSE, number_in, right_number
from irviewer.session.teaching.checking.prose.values import Tables
from irviewer.session.teaching.checking.wording.named_measures import measures_in
from irviewer.session.teaching.checking.wording.reasons import shares_said
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, prose_of
from irviewer.translation import tr

Said = tuple[str, str, str]
"""What is wrong, the text, and what to do."""
_ASKS_VALUE = re.compile(
    r"^(?:(?:.*[.:]\s+)?(?:And\s+)?(?:what|how\s+(?:high|large))\b|¿?\s*(?:y\s+)?(?:cuánto|cuál|qué\s+valor)\b)", re.I
)
_OF_MORE = re.compile(
    r"\b(?:mean|average|sum|add|adds|lost|change|rise|fall|difference|least|most|earliest|media|promedio|suma|cambi|diferencia|"
    r"rank|posición|sube|baja|crece|cuánto\s+(?:sube|baja)|quer(?:y|ies)|consultas?|after|tras|después|if|si|would|not|no|times)\b",
    re.I,
)
"""Words of a title that does not ask for the value of one list as it is."""
BOUNDED = frozenset({"P", "R", "SetP", "SetR", "AP", "RR", "Rprec", "nDCG", "F", "SetF", "Success", "Judged", "IPrec"})
"""Measures between 0 and 1."""


def impossible_answers(lesson: Lesson, question: Question, computed: float | None, values: Tables) -> Iterator[Said]:
    """Yield what is wrong with the answer, the choices and the hint of a question."""
    names = DIALECTS[lesson.rules].names
    measures = measures_in(question.title, names)
    right = None if question.choices else right_number(question, computed)
    if len(measures) == 1 and right is not None and _ASKS_VALUE.search(question.title):
        yield from _impossible(measures[0], names, question, right)
    if question.within is not None and right and question.within > abs(right) / 2:
        low, high = f"{right - question.within:g}", f"{right + question.within:g}"
        reason = tr(
            "the answer is {answer}, and all from {low} to {high} is right", answer=f"{right:g}", low=low, high=high
        )
        yield reason, f"within: {question.within:g}", tr("write a smaller within:")
    yield from _other_intervals(question)
    yield from _other_mistakes(question, names, values)
    yield from _same_choices(question)
    if len(measures) == 1 and question.choices and not SUPPOSING.search(question.title):
        yield from _other_choice(measures[0], question, values)
    yield from _given_away(question, right)


def _impossible(measure: str, names: str, question: Question, right: float) -> Iterator[Said]:
    parsed = parse_measure(measure, names)
    if _OF_MORE.search(re.sub(r"\b(?:if|si|mean|media)\b", "", question.title, flags=re.I)):
        return
    hint = tr("correct the answer or the question")
    text = question.answer or f"{right:.4f}"
    if parsed.name in BOUNDED and not -CLOSE <= right <= 1 + CLOSE:
        yield tr("{measure} is between 0 and 1", measure=measure), text, hint
    elif parsed.name == "P" and parsed.cutoff is not None and "(" not in measure:
        hits = right * int(parsed.cutoff)
        decimals = len(question.answer.partition(".")[2]) if re.fullmatch(r"\d*\.\d+", question.answer) else 4
        if abs(hits - round(hits)) > 0.5000001 * int(parsed.cutoff) * 10.0**-decimals + 1e-3:
            yield (
                tr("{measure} is a number of documents divided by {n}", measure=measure, n=int(parsed.cutoff)),
                text,
                hint,
            )


_INTERVAL = re.compile(r"\[([-−]?\d*\.?\d+),\s+([-−]?\d*\.?\d+)\]")
_WHOLE = re.compile(
    r"\b(?:(?:the\s+)?whole\s+interval|(?:todo\s+el\s+)?intervalo(?:\s+entero)?)\s+(?:is|está|queda)\s+"
    r"(?:(?P<above>above|por\s+encima\s+de)|(?:below|por\s+debajo\s+de))\s+(?P<limit>[-−]?\d*\.?\d+)",
    re.I,
)


def _other_intervals(question: Question) -> Iterator[Said]:
    """Yield a fault if a reason says that the interval of the title is above or below a number that is in it."""
    intervals = [tuple(float(each.replace("−", "-")) for each in pair) for pair in _INTERVAL.findall(question.title)]
    for text in (question.because, *(each.reason for each in question.choices)) if len(intervals) == 1 else ():
        for match in () if SUPPOSING.search(text) else _WHOLE.finditer(text):
            (low, high), limit = intervals[0], float(match["limit"].replace("−", "-"))
            if (low < limit) if match["above"] else (high > limit):
                reason = tr("the interval is from {low} to {high}", low=f"{low:g}", high=f"{high:g}")
                yield reason, " ".join(match[0].split()), tr("correct the text")


_MISTAKE = re.compile(
    r"^(?:This|That|Est[eao]|Es[ea]?|Eso)\s+(?:(?:is|es)\s+)?(?:the\s+|el\s+|la\s+)?(?P<named>precision|recall|precisión|exhaustividad|"
    r"[A-Za-z]\w*(?:@\d+)?)(?=\s*(?:[.,;:(]|$))"
)
_AS_MEASURES = {
    "precision": ("SetP", "P"),
    "precisión": ("SetP", "P"),
    "recall": ("SetR", "R"),
    "exhaustividad": ("SetR", "R"),
}
"""What a reason calls a value -> the measure, and the column, that have it; F is a measure of sets in a lecture."""


def _other_mistakes(question: Question, names: str, values: Tables) -> Iterator[Said]:
    """Yield a fault for each wrong answer that is said to be a measure, "this is recall", and is no value of it."""
    given = {*_values(prose_of(f"{question.title}\n{question.text}"))}
    for wrong in () if SUPPOSING.search(question.title) else question.wrong:
        number, match = number_in(wrong.answer), _MISTAKE.match(wrong.reason)
        if number is None or match is None or number in given:
            continue
        measure, column = _AS_MEASURES.get(match["named"], (match["named"], ""))
        measure = "SetF" if measure == "F" else measure
        own = np.array([])
        if measures_in(measure, names) or column:
            try:
                own = np.array([*values.of(measure), *values.rank_by_rank([column] if column else [])])
            except MeasureError:
                continue
        decimals = len(wrong.answer.partition(".")[2]) if re.fullmatch(r"\d*\.\d+", wrong.answer) else 2
        if own.size and not np.any(np.abs(own - number) <= max(CLOSE, 0.5 * 10.0**-decimals) + 1e-9):
            nearest = HalfUp(float(own[np.argmin(np.abs(own - number))]))
            reason = tr(
                "{measure} is {value:.4f} here, not {text}", measure=match["named"], value=nearest, text=wrong.answer
            )
            yield reason, f"wrong {wrong.answer}", tr("correct the answer or its reason")


def _same_choices(question: Question) -> Iterator[Said]:
    texts = [(choice.text, number_in(choice.text.strip().rstrip("."))) for choice in question.choices]
    for place, (text, value) in enumerate(texts):
        for other, its in texts[:place]:
            same = value is not None and its is not None and abs(value - its) < 1e-9
            if same or _plain(text) == _plain(other):
                yield tr("two choices are the same"), f"{other} · {text}", tr("write another choice")


def _other_choice(measure: str, question: Question, values: Tables) -> Iterator[Said]:
    """Yield a fault if the choices are numbers, and one that is not marked is a value of the measure that is asked for,
    but none that is marked."""
    if not _ASKS_VALUE.search(question.title) or _OF_MORE.search(question.title):
        return
    numbers = [(choice, number_in(choice.text.strip().rstrip("."))) for choice in question.choices]
    if any(number is None for _, number in numbers):
        return
    try:
        own = values.of(measure)
    except MeasureError:
        return

    def holds(number: float | None) -> bool:
        return number is not None and any(abs(value - number) <= CLOSE + 1e-12 for value in own)

    marked = [choice.text for choice, number in numbers if choice.right and not holds(number)]
    others = [choice.text for choice, number in numbers if not choice.right and holds(number)]
    if marked and (others or own):
        said = others[0] if others else f"{HalfUp(own[0]):.4f}"
        yield (tr("{measure} is {value} here, not {text}", measure=measure, value=said, text=marked[0]), question.title,
               tr("mark the right choice"))  # fmt: skip


def _given_away(question: Question, right: float | None) -> Iterator[Said]:
    """Yield a fault if the hint of a question has its answer, which neither the title nor the text has."""
    if not question.hint:
        return
    hint, given = prose_of(question.hint), prose_of(f"{question.title}\n{question.text}")
    said = tr("the hint gives the answer")
    advice = tr("write what helps to find it")
    if right is not None:
        decimals = len(question.answer.partition(".")[2]) if "." in question.answer else 2
        near = max(0.5000001 * 10.0**-decimals, 1e-9)
        said_there = [*_values(hint), *_shares_in_words(hint)]
        if any(abs(value - right) <= near for value in said_there) and not any(
            abs(value - right) <= near for value in [*_values(given), *_shares_in_words(given)]
        ):
            yield said, question.hint, advice
        return
    wanted = [choice.text for choice in question.choices if choice.right] or list(question.spellings)
    others = [choice.text for choice in question.choices if not choice.right]
    for text in wanted:
        plain = _plain(text)
        if (
            len(plain) > 1 and _has(_plain(hint), plain) and not _has(_plain(given), plain)
            and not any(_has(_plain(hint), _plain(other)) for other in others)
        ):  # fmt: skip
            yield said, question.hint, advice
            return


_HALF = re.compile(r"\b(?:half|mitad)\s+(?:of|de)\b", re.I)


def _shares_in_words(text: str) -> list[float]:
    """Return the shares that a text says in words: "half of the first six", "three of six"."""
    return [0.5 for _ in _HALF.findall(text)] + [share for share in shares_said(text) if share < 1]


def _values(text: str) -> Iterator[float]:
    """Yield the numbers and fractions of a text."""
    for above, below in re.findall(r"(?<![\w.@])(\d*\.?\d+)(?:\s*/\s*([1-9]\d*))?(?![\w/]|\.\d)", text):
        value = float(above) / float(below or 1)
        if not math.isnan(value):
            yield value


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .")


def _has(text: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None
