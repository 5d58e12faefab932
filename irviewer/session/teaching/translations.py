"""A lesson beside the same one in another language: what of the two differs and is no matter of language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from irviewer.errors import ParseError
from irviewer.model.formula import formulas_in
from irviewer.model.lessons.lesson import NOWHERE, Figure, Lesson, Question, Step
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.session.teaching.stated_facts import COUNT_OF
from irviewer.translation import tr

_LETTER = re.compile(r"(?<![\w@*])[B-DF-HJL-NQS-XZ](?![\w@*])")
"""A document; A, E, I, O and Y are words of some language, and K, P and R measures."""
_NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+")
_MULTIPLES = {"triple": 3, "triples": 3, "triplica": 3, "cuádruple": 4}
_COUNTS = {word: n for word, n in COUNT_OF.items() if n > 2 and n != 11} | _MULTIPLES
"""Words of numbers; one and two have other words in the other language, and Spanish eleven is once in English."""
_COUNT = re.compile(rf"(?<![\w-])({'|'.join(_COUNTS)})(?![\w-])", re.I)
_ENGLISH, _SPANISH = re.compile(r"\bthe\b", re.I), re.compile(r"\b(?:los|las)\b", re.I)
_WORDS_OF_FORMULAS = re.compile(r"\\(?:text|mathrm)\s*{[^{}]*}")


def differences(lesson: Lesson, other: Lesson) -> Iterator[ParseError]:
    """Yield a fault for each part of a lesson whose kind, measures, values, steps, answers, marks or numbers in the
    texts are not those of the other. Names of rankings are compared by their places, and so are choices if both files
    have one name, from which their order is drawn."""
    if len(lesson.items) != len(other.items):
        reason = tr("the other language has {n} steps and questions", n=len(other.items))
        yield _fault(lesson, lesson, reason, lesson.title)
        return
    names, others = _places(lesson), _places(other)
    in_order = PurePath(lesson.path).name == PurePath(other.path).name
    in_words = _is_known(lesson) and _is_known(other)
    for part, its in zip((lesson, *lesson.items), (other, *other.items), strict=True):
        title = part.title
        if _meant(part, names, in_order) != _meant(its, others, in_order):
            yield _fault(lesson, part, tr("this is another one in the other language"), title)
        own, theirs = _named(part, in_words), _named(its, in_words)
        if _formulas(part) != _formulas(its):
            yield _fault(lesson, part, tr("the other language has other formulas here"), title)
        if own != theirs:
            reason = tr("the other language has other numbers or documents here: {names}",
                        names=", ".join(sorted({*(own - theirs), *(theirs - own)})))  # fmt: skip
            yield _fault(lesson, part, reason, title)


def _fault(lesson: Lesson, part: Lesson | Step | Question, reason: str, text: str) -> ParseError:
    at = NOWHERE if isinstance(part, Lesson) else part.at
    return ParseError(
        lesson.path, reason, line=at.line, column=at.column, text=text, hint=tr("correct one of the two files")
    )


def _places(lesson: Lesson) -> dict[str, int]:
    """Return ranking -> its place; {} where files have them, whose names are the same in all languages."""
    runs = parse_inline_ranking(lesson.rankings).runs if lesson.rankings else ()
    return {run.name: place for place, run in enumerate(runs)}


def _meant(part: Lesson | Step | Question, places: dict[str, int], in_order: bool) -> tuple[object, ...]:
    """Return what a part is, does and asks for, without its words."""

    def of(name: str) -> object:
        return places.get(name, name)

    def figures(all_figures: Sequence[Figure]) -> list[object]:
        return [(each.measure, each.text, of(each.run), each.query) for each in all_figures]

    view = part.view
    shown = (view.measure, view.cutoff, view.level, view.show, view.columns, of(view.run), view.query, of(view.beside))
    meant: list[object] = [type(part), shown, figures(part.figures)]
    if isinstance(part, Step):
        meant += [(each.verb, each.numbers, each.text, of(each.run)) for each in part.actions]
    elif isinstance(part, Question):
        asked = part.asked
        meant.append(asked and (asked.measure, asked.column, asked.rank, of(asked.run), asked.query))
        marks = [each.right for each in part.choices]
        meant += [part.within, part.points, part.hint_costs, marks if in_order else sorted(marks)]
        meant += [_as_number(text) for text in (part.answer, *(each.answer for each in part.wrong))]
    else:
        typed = parse_inline_ranking(part.rankings) if part.rankings else None
        meant.append(typed and {query: typed.qrels.judgments(query) for query in typed.qrels.query_ids})
        meant.append(typed and [[run.ranking(query) for query in run.query_ids] for run in typed.runs])
    return tuple(meant)


def _as_number(answer: str) -> object:
    """Return the numbers of an answer; words are a matter of language."""
    return [float(number) for number in _NUMBER.findall(answer)]


def _is_known(lesson: Lesson) -> bool:
    """Return whether a lesson is in one of the languages whose words of numbers are known."""
    texts = " ".join(_text(part) for part in (lesson, *lesson.items))
    return _ENGLISH.search(texts) is not None or _SPANISH.search(texts) is not None


def _text(part: Lesson | Step | Question) -> str:
    texts = [part.title, part.text]
    if isinstance(part, Question):
        texts += [text for choice in part.choices for text in (choice.text, choice.reason)]
        texts += [part.because, part.hint, *(wrong.reason for wrong in part.wrong)]
    return "\n".join(texts)


def _formulas(part: Lesson | Step | Question) -> list[str]:
    """Return the formulas of a part without their words; .6 is written 0.6 in some languages."""
    formulas = (formula for line in _text(part).split("\n") for formula, _ in formulas_in(line))
    return [re.sub(r"(?<![\d.])0(?=\.\d)", "", _WORDS_OF_FORMULAS.sub("", formula)) for formula in formulas]


def _named(part: Lesson | Step | Question, in_words: bool) -> Counter[str]:
    """Return the numbers and documents that the texts of a part name, and how often."""
    text = _text(part)
    words = [str(_COUNTS[word.lower()]) for word in _COUNT.findall(text)] if in_words else []
    return Counter([*(f"{float(number):g}" for number in _NUMBER.findall(text)), *words, *_LETTER.findall(text)])
