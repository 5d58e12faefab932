"""Shares in words and per cent: "five eighths", and what is false of them in the texts of a lesson: "28.6 % more", "a
third more", "three of five: 60 %".

Texts are not understood. A share of a change is false only where no two values that are meant differ by it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.checking.lesson_rankings import means_of
from irviewer.session.teaching.checking.prose.comparisons import ROUGHLY
from irviewer.session.teaching.checking.wording.named_measures import measures_said
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, A_SHARE, count_of, share_of
from irviewer.session.teaching.checking.wording.sentences import claims_here

NEAR_IN_WORDS = 0.03
"""How far a value may be from what words call it: .36 is a third."""
_NUMBER = re.compile(rf"(?<![\w.@])(?:\d+/[1-9]\d*|\d*\.\d+|\d+)(?![\w/]|\.\d|\s?%)|{A_SHARE}", re.I)
_PERCENT = r"(?P<percent>\d+(?:\.\d+)?)\s?%"
_COMPARED = (
    r"(?:more|less|higher|lower|better|worse|larger|smaller|más|menos|mejor|peor|mayor|menor|superior|inferior)\b"
)
_THAN = r"(?=\s*(?:[.,;:)]|$)|\s+(?:than|que)\b)"
"""What is behind a change of a value, and not behind more of something else: "10 % more users"."""
_OF_CHANGE = tuple(
    re.compile(form, re.I)
    for form in (
        rf"(?<![\w.,/]){_PERCENT}\s+{_COMPARED}{_THAN}",
        r"\b(?:gain|improvement|rise|increase|fall|drop|loss|mejora|ganancia|aumento|subida|descenso|pérdida)\s+"
        rf"(?:relativ[oa]\s+)?(?:of|del?)\s+(?:un\s+)?{_PERCENT}",
        rf"(?P<words>{A_SHARE})\s+{_COMPARED}{_THAN}",
    )
)
"""By which share something is said to be more or less than something else."""
_LESS = re.compile(r"\b(?:less|lower|worse|smaller|fall|drop|loss|menos|peor|menor|inferior|descenso|pérdida)\b", re.I)
_OF_BEST = re.compile(r"\b(?:ideal|perfect[oa]?|possible|maximum|posible|máximo)\b", re.I)
"""Words of a sentence about the highest value that can be: "a third less than the ideal"."""
_FEW = 3
_END = r"(?=\s*(?:[.,;:)]|$))"
_IS = r"(?:\s*[:=]|,?\s+(?:or|that\s+is|which\s+is|is|o|es\s+decir|lo\s+que\s+es|es|esto\s+es)|\s+\()\s*"
_SAME = tuple(
    re.compile(form, re.I)
    for form in (
        rf"(?P<words>{A_SHARE}){_IS}{_PERCENT}{_END}",
        rf"(?<![\w./]){A_COUNT}\s+(?:out\s+of|of|among|de|entre)\s+(?:(?:the|its|los|las|sus)\s+)?{A_COUNT}"
        rf"(?:\s+[^\W\d]+){{0,4}}?{_IS}{_PERCENT}{_END}",
    )
)
"""A share in words, or a count of another one, and the same per cent."""
_WORDS_BEFORE = 20
"""How many letters before a share are read."""
_MOST = 60
"""Of more values than these, two differ by any share."""


def false_shares(lesson: Lesson, text: str, states: Sequence[EvaluationContext]) -> Iterator[tuple[str, str]]:
    """Yield the shares that a text says in words or as a count, and another one per cent; and those by which a value is
    said to be more or less than another one where none is, and by which those of the sentence differ."""
    for sentence in claims_here(text):
        for match in (each for form in _SAME for each in form.finditer(sentence)):
            words = match.groupdict().get("words")
            n, of = (share_of(words), 1.0) if words else (float(count_of(match[1])), float(count_of(match[2])))
            near = 100 * NEAR_IN_WORDS if words else _rounding(match["percent"])
            if 0 < n <= of and abs(100 * n / of - float(match["percent"])) > near:
                yield " ".join(match[0].split()), f"{round(100 * n / of, 1):g} %"
        for match in (each for form in _OF_CHANGE for each in form.finditer(sentence)):
            if ROUGHLY.search(sentence[max(0, match.start() - _WORDS_BEFORE) : match.start()]):
                continue
            yield from _other_change(match, lesson, states)


def _rounding(percent: str) -> float:
    return 0.5000001 * 10.0 ** -len(percent.partition(".")[2])


def _other_change(
    match: re.Match[str], lesson: Lesson, states: Sequence[EvaluationContext]
) -> Iterator[tuple[str, str]]:
    """Yield a share of a change by which no two values differ, if the sentence says one of the values."""
    sentence, words = match.string, match.groupdict().get("words")
    said = [_value(each[0]) for each in _NUMBER.finditer(sentence) if not match.start() <= each.start() < match.end()]
    values = [value for state in states for value in _in_view(state)]
    values += [value for state in states for name in measures_said(sentence, DIALECTS[lesson.rules].names)
               for value in means_of(name, state, lesson).values()]  # fmt: skip
    values = list(dict.fromkeys(round(value, 9) for value in values if value == value))
    if len(values) > _MOST or not any(abs(each - value) < 0.0051 for each in said if each % 1 for value in values):
        return
    share, near = (share_of(words), NEAR_IN_WORDS) if words else (float(match["percent"]) / 100, 0.0)
    near = near or _rounding(match["percent"]) / 100
    if not words and "." not in match["percent"] and int(match["percent"]) % 10 == 0:
        near = 0.015  # tens are said of what is near
    known = [*said, *values, *([1.0] if _OF_BEST.search(sentence) else [])]
    sign = -1 if _LESS.search(match[0]) else 1
    changes = [sign * (first / second - 1) for first, second in permutations(known, 2) if second]
    changes += [abs(first - second) for first, second in permutations(known, 2)]
    changes += [first / second for first, second in permutations(said, 2) if second]
    if not any(abs(each - share) <= near for each in changes):
        fractions = [each for each in known if each % 1 and (each in said or len(values) <= _FEW)]
        own = dict.fromkeys(sign * (first / second - 1) for first, second in permutations(fractions, 2))
        shown = [f"{HalfUp(100 * each):.1f} %" for each in own if each > 1e-9]
        yield " ".join(match[0].split()), ", ".join(shown[:_FEW])


def _in_view(state: EvaluationContext) -> Iterator[float]:
    for entry in state.collection.runs:
        yield from map(float, plain(state).values(entry, state.measure))
        yield float(plain(state).mean(entry, state.measure))


def _value(text: str) -> float:
    """Return the value of a number, a fraction or a share in words."""
    if text[0].isalpha():
        return share_of(text)
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)
