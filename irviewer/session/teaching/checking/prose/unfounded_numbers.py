"""Numbers in the texts of a lesson that nothing computes and nothing gives: decimal numbers, shares in per cent, and
typed wrong answers that no mistake with the numbers at hand leads to.

Texts are not understood. What a question gives in its title or text, numbers in equations (which are checked
apart), what a lesson has twice, and customary levels are passed over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, permutations, product

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Lesson, Place, Question, Step, WrongAnswer
from irviewer.session.lecture_table.columns import COLUMNS
from irviewer.session.teaching.answers import CLOSE, GAPS, is_value, number_in, right_number
from irviewer.session.teaching.checking.kept_results import KeptResults, Part
from irviewer.session.teaching.checking.prose.two_values import AMOUNT, combined, of_two
from irviewer.session.teaching.checking.prose.values import EXPLAINS, OF_LISTS, Values, as_explained
from irviewer.session.teaching.checking.wording.named_measures import measures_said
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, prose_of, sentences_here
from irviewer.translation import tr

Said = tuple[str, str, str, Place]
"""What is wrong, the text, what to do, and where."""
_DECIMAL = re.compile(r"(?<![\w.,@^/\[-])\d*\.\d+(?![\w^]|\.\w|\s?%|/)")
_PERCENT = re.compile(r"(?<![\w.,/])(\d+(?:\.\d+)?)\s?%")
_SIGN = r"[-+*/×·÷−=≈^√±<>≤≥]"
_IN_EQUATION = re.compile(rf"{_SIGN}\s*\(*$"), re.compile(rf"\)*\s*{_SIGN}|\s*(?:…|,\s+\d*\.\d+\s+…)")
"""What is before a number of an equation, and after one; an ellipsis goes on with a series."""
_PLACE_IN_BOOK = re.compile(
    r"\b(?:sections?|chapters?|figures?|tables?|equations?|pages?|versions?|secci[oó]n(?:es)?|cap[ií]tulos?|figuras?|tablas?|"
    r"ecuaci[oó]n(?:es)?|p[aá]ginas?|versi[oó]n(?:es)?|(?:fig|eq|sec|p|v)\.?)\s+$",
    re.I,
)
"""What is before a number that tells where something is."""
_LIMIT = re.compile(
    r"\b(?:less\s+than|more\s+than|almost|nearly|over|under|at\s+least|casi|más\s+de|menos\s+de|al\s+menos)\s+$", re.I
)
"""What is before a number that a value only is below or above."""
_COUNTS_SOMETHING = re.compile(
    r"\s+(?!(?:and|or|of|for|in|on|at|by|to|from|is|are|was|has|have|as|than|but|with|after|before|there|here|now|again|only|too|each|"
    r"because|so|which|that|both|while|since|instead|alone|then|down|up|y|o|u|e|de|del|en|por|para|con|a|al|es|son|está|tiene|como|que|"
    r"pero|tras|después|antes|ahí|aquí|ahora|solo|también|cada|porque|así|mientras)\b)[^\W\d_]{2,}"
)
"""What is after a number that counts something: "1.5 hours", and is no value."""
_OTHER_AMOUNT = re.compile(
    r"\b(?:kappa|tau|correlati\w+|correlaci\w+|probab\w+|chances?|azar|patience|paciencia|threshold|umbral|weights?|pesos?|"
    r"parameters?|parámetros?|(?:a|one|two|three|un|dos|tres)\s+(?:thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|"
    r"elevenths?|twelfths?|tercios?|cuartos?|quintos?|sextos?)|not|never|nor|neither|wrong|wrongly|nunca|tampoco|ni|"
    r"no\s+(?:es|son|vale))\b",
    re.I,
)
"""Words of a sentence about other amounts than values, or about what a value is not."""
CUSTOMARY = (0.001, 0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 1.0, 1.96, 2.58, 2.0, 0.0)
_SPREAD = re.compile(
    r"\b(?:deviations?|variances?|spread|standard\s+errors?|intervals?|margins?|p-values?|significan\w*|tests?|confidence|"
    r"desviaci[oó]n(?:es)?|varianzas?|dispersión|errores\s+estándar|error\s+estándar|intervalos?|márgenes|margen|valores?\s+p|"
    r"pruebas?|confianza)\b",
    re.I,
)
"""Words of a sentence about what is computed of many values."""
_WORDS = {
    "P": r"P@|precision|precisión|\bAP\b", "R": r"R@|recall|exhaustividad", "F": r"\bF\d?\b|F@|SetF",
    "AP": r"\bM?AP\b|average precision|precisión media", "AP@K": r"AP@", "RR": r"\bM?RR\b|reciprocal|recíproc",
    "gain": r"gain|gananci|CG\b", "discount": r"discount|descuento|DCG", "discounted": r"discount|descont|DCG",
    "CG": r"\bn?CG\b|cumulative|acumulad", "DCG": r"DCG", "ideal": r"DCG|ideal", "nDCG": r"nDCG",
}  # fmt: skip
"""Column of the lecture's table -> how a lesson that is about it speaks of it."""


def unfounded_numbers(lesson: Lesson, values: Values, kept: KeptResults) -> Iterator[Said]:
    """Yield a fault for each number that stands in a text and that is no value, and for each wrong answer that is
    none."""
    parts = (lesson, *lesson.items)
    numbers = [number for part in parts for number in kept.of(_own_numbers, lesson, part)]
    repeated = frozenset(number for number, times in Counter(numbers).items() if times > 1)
    columns = _columns(lesson, {each for part in parts for each in kept.of(_columns_named, lesson, part)})
    for part in parts:
        yield from kept.of(_unfounded, lesson, part, values, columns, repeated)


def _own_numbers(_: Lesson, part: Part) -> Iterator[str]:
    """Yield the numbers in the texts of a part and in its title, which of a lesson itself says what it is about."""
    title = [] if isinstance(part, Lesson) else [part.title]
    return (number for text in [*(text for text, _ in _texts(part)), *title] for number in _numbers(text))


def _unfounded(
    lesson: Lesson, part: Part, values: Values, columns: Sequence[str], repeated: frozenset[str]
) -> Iterator[Said]:
    by_rank = np.array(values.tables.rank_by_rank(columns), dtype=float)
    of_relevant = values.tables.rank_by_rank(["P", "R"])
    founded = _founded(values, by_rank)
    highest = max([1.0, *values.tables.in_view, *by_rank])
    names = DIALECTS[lesson.rules].names
    given = _given(part)
    for text, at in _texts(part):
        misread = {}
        for number in _alone(prose_of(text)):
            if number not in repeated and (meant := _misread(number, part, founded)):
                misread[number] = meant
                hint = tr("correct the number, or put it between ` and ` where it is another one")
                yield tr("the question gives {meant}, not {number}", meant=meant, number=number), number, hint, at
        for sentence in sentences_here(prose_of(text)):
            if any(words.search(sentence) for words in (SUPPOSING, OF_LISTS, _SPREAD, _OTHER_AMOUNT)):
                continue
            of_named = [value for name in measures_said(sentence, names) for value in values.tables.of(name)]
            near = np.append(founded, of_named)
            near = np.append(near, [*of_two(sentence, values, of_named)])
            for number in _alone(sentence):
                is_here = number not in repeated and float(number) not in given and float(number) <= highest
                if number in misread:
                    continue
                if is_here and not is_value(number, near) and not _is_result(number, sentence):
                    hint = tr("correct the number, or put it between ` and ` where it is another one")
                    yield tr("nothing computes {number}, and nothing gives it", number=number), number, hint, at
            near = near if not _RELEVANT.search(sentence) else np.append(near, of_relevant)
            yield from _shares(sentence, near, given, at)
    yield from _of_hundred(part, values)
    if isinstance(part, Question):
        yield from _diagnoses(part, founded, values)


_SMALL_PERCENT = re.compile(r"(?<![\w.,/])(0?\.\d+)\s?%")


_MEASURE_BEFORE = re.compile(
    r"(?:\b(?:recall|precision|exhaustividad|precisión)|\w+@\d+|\b[A-Z]{2,})\s+(?:of|is|de|es|del)\s+$", re.I
)


def _of_hundred(part: Lesson | Step | Question, values: Values) -> Iterator[Said]:
    """Yield a fault for each share that has a percent sign behind it: ".6 %" where the part computes with .6."""
    at = Place() if isinstance(part, Lesson) else part.at
    whole = "\n".join([part.title, part.text, *(text for text, _ in _texts(part))])
    plain = {float(number) for number in _numbers(_SMALL_PERCENT.sub("", whole))}
    for match in _SMALL_PERCENT.finditer(prose_of(whole)):
        share = float(match[1])
        is_of_measure = _MEASURE_BEFORE.search(match.string[max(0, match.start() - _WORDS_BEFORE) : match.start()])
        known = values.computed if is_of_measure else values.likely
        if share / 100 not in plain and (share in plain or np.any(np.abs(known - share) < 1e-9)):
            hint = tr("write {percent:g} %, or the number without the sign", percent=round(100 * share, 6))
            yield tr("{number} is a share here, and % divides it by 100", number=match[1]), match[0], hint, at


def _texts(part: Lesson | Step | Question) -> list[tuple[str, Place]]:
    """Return the texts of a part that state something, with their places."""
    at = Place() if isinstance(part, Lesson) else part.at
    if not isinstance(part, Question):
        return [(part.text, at)]
    texts = [(part.because, at), (part.hint, at), *((each.reason, each.at) for each in part.wrong)]
    return [*texts, *((f"{each.text}\n\n{each.reason}", at) for each in part.choices)]


def _given(part: Lesson | Step | Question) -> set[float]:
    """Return the numbers that a question gives."""
    if not isinstance(part, Question):
        return set()
    texts = [part.title, part.text, part.answer, *(each.answer for each in part.wrong)]
    return {float(number) for text in texts for number in _numbers(text)}


def _misread(number: str, part: Lesson | Step | Question, founded: Floats) -> str:
    """Return the number that a question gives and that has two neighbouring digits of another one, which is no value,
    exchanged; "" for none."""
    if not isinstance(part, Question) or is_value(number, founded):
        return ""
    given = _numbers(f"{part.title}\n{part.text}")
    return "" if number in given else next((each for each in given if _is_exchanged(number, each)), "")


def _is_exchanged(number: str, other: str) -> bool:
    swaps = (number[:at] + number[at + 1] + number[at] + number[at + 2 :] for at in range(len(number) - 1))
    return number.partition(".")[0] == other.partition(".")[0] and number != other and other in swaps


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d*\.\d+|\d+", GAPS.sub("", text))


_WORDS_BEFORE = 50
"""How many letters before a number are read."""


def _alone(sentence: str) -> Iterator[str]:
    """Yield the decimal numbers of a sentence that stand in no equation."""
    before, after = _IN_EQUATION
    for match in _DECIMAL.finditer(sentence):
        former = sentence[max(0, match.start() - _WORDS_BEFORE) : match.start()]
        in_equation = before.search(former) or after.match(sentence, match.end())
        is_other = _PLACE_IN_BOOK.search(former) or _LIMIT.search(former)
        if not (in_equation or is_other or _COUNTS_SOMETHING.match(sentence, match.end())):
            yield match[0]


def _is_result(number: str, sentence: str) -> bool:
    """Return whether two other numbers of a sentence with a few give one, or it is the mean or the sum of those that
    the sentence lists before it."""
    others = {float(each) for each in _numbers(sentence)} - {float(number)}
    listed = [float(each) for each in _numbers(sentence.partition(number)[0])]
    if len(listed) > 1 and is_value(number, np.array([np.mean(listed), np.sum(listed)])):
        return True
    return len(others) <= 3 and is_value(number, np.array([*combined(others)]))


def _columns(lesson: Lesson, named: Collection[str]) -> tuple[str, ...]:
    """Return the columns of the lecture's table that a lesson is about: those that its texts name, and its views."""
    views = "\n".join(f"{view.measure} {' '.join(view.columns)}" for view in lesson.views)
    return tuple(column.id for column in COLUMNS if column.id in named or _speaks_of(column.id, views))


def _columns_named(_: Lesson, part: Part) -> list[str]:
    about = "\n".join([part.title, part.text, *(text for text, _ in _texts(part))])
    return [column.id for column in COLUMNS if _speaks_of(column.id, about)]


def _speaks_of(column: str, text: str) -> bool:
    return re.search(_WORDS.get(column, "$^"), text, re.I) is not None


def _founded(values: Values, by_rank: Floats) -> Floats:
    """Return what a number can be: values of the measures and columns that the lesson is about, answers, figures,
    results in its texts, logarithms, and customary numbers."""
    whole = np.arange(1.0, 21.0)
    logs = np.log2(whole[1:])
    return np.concatenate([values.stated, by_rank, logs, 1 / logs, np.sqrt(whole), CUSTOMARY])


_FROM_TO = re.compile(
    r"\b(?:from|de)\s+(\d*\.?\d+)\s+(?:to|a)\s+(\d*\.?\d+)\b[^.;]*?\b(?:improvement|increase|rise|gain|mejora|aumento|subida)\b"
    r"[^.;]*?(\d+(?:\.\d+)?)\s?%",
    re.I,
)


_RELEVANT = re.compile(r"\brelevant", re.I)
_OF_MEASURE = re.compile("|".join([*_WORDS.values(), r"\b\w+@\d", _RELEVANT.pattern]), re.I)
"""Words of a sentence whose percentages are values."""
_OF_THINGS = re.compile(r"\s+(?:of|de)\b(?!(?:\s+\w+){0,3}\s+relevant)", re.I)
"""What is after a percentage of users, or of judgments."""


def _shares(sentence: str, near: Floats, given: set[float], at: Place) -> Iterator[Said]:
    hint = tr("correct the number, or put it between ` and ` where it is another one")
    for match in _FROM_TO.finditer(sentence):
        low, high, said = (float(each) for each in match.groups())
        if low and min(abs(100 * (high - low) / low - said), abs(100 * (high - low) - said)) > 0.5:
            share = round(100 * (high - low) / low, 1)
            reason = tr("from {low} to {high} it is {share:g} %", low=match[1], high=match[2], share=share)
            yield reason, match[0], hint, at
    for match in () if AMOUNT.search(sentence) or not _OF_MEASURE.search(sentence) else _PERCENT.finditer(sentence):
        number, share = match[1], float(match[1]) / 100
        if _OF_THINGS.match(sentence, match.end()):
            continue
        known = (share, 1 - share, float(number))
        if not {*known} & given and not is_value(f"{share:.2f}" if share == round(share, 2) else str(share), near):
            yield tr("nothing computes {number}, and nothing gives it", number=f"{number} %"), f"{number} %", hint, at


def _diagnoses(question: Question, founded: Floats, values: Values) -> Iterator[Said]:
    """Yield a fault for each wrong answer with two decimals or more, or beyond what is counted, that no mistake leads
    to: no other value, and no sum, difference, product, quotient or mean of the numbers that the question has."""
    right = right_number(question, None)
    for wrong in question.wrong:
        value = number_in(wrong.answer)
        decimals = len(wrong.answer.partition(".")[2]) if re.fullmatch(r"-?\d*\.\d+", wrong.answer) else 0
        if value is None:
            continue
        texts = (question.title, question.text, question.because, wrong.reason, question.answer)
        numbers = {float(number) for text in texts for number in _numbers(text)}
        numbers |= {int(n) / int(d) for text in texts for n, d in re.findall(r"(?<![\w.])(\d+)/([1-9]\d*)", text)}
        numbers |= {right} if right is not None else set()
        if _is_other_diagnosis(wrong, value, question):
            yield (tr("the reason says {reason}", reason=wrong.reason), f"wrong {wrong.answer}",
                   tr("correct the answer or its reason"), wrong.at)  # fmt: skip
            continue
        if decimals < 2:
            continue
        explained = wrong.reason if EXPLAINS.search(wrong.reason) else ""
        results = np.array([*combined(numbers), *_weighted_means(numbers), *as_explained(explained, values)])
        bases = np.concatenate([founded, results])
        singles = [bases, 1 - bases, -bases, *(bases / n for n in range(2, 13)), 2 * bases]
        if not any(is_value(f"{abs(value):.{decimals}f}", np.abs(each)) for each in singles):
            reason = tr("no mistake with these numbers gives {answer}", answer=wrong.answer)
            yield reason, f"wrong {wrong.answer}", tr("correct the answer or its reason"), wrong.at


_OF = re.compile(
    r"(?:this|that|these|those|it|est[aeo]s?|es[aeo]s?|son)\b[^.;]*?(?<![\w.])(\d+)\s+(?:of|de)\s+(?:the\s+|los\s+|las\s+)?(\d+)\b",
    re.I,
)
"""The beginning of a reason that says of how many a wrong answer is the share."""
_SUM = re.compile(r"(?:this|that|est[aeo]|es[aeo])\s+(?:is|es)\s+(?:the|la)\s+(?:sum|suma)\s*(?:[.:;,]|$)", re.I)
_PERCENT_OF = re.compile(r"(?:this|that|est[aeo]|es[aeo])\b[^.;]*?,\s+(\d+(?:\.\d+)?)\s?%", re.I)


def _is_other_diagnosis(wrong: WrongAnswer, value: float, question: Question) -> bool:
    """Return whether a reason says of which numbers a wrong answer is the share, the percentage or the sum, and it is
    not."""
    reason = prose_of(wrong.reason)
    shares = _OF.findall(reason)
    if len(shares) == 1 and _OF.match(reason) and int(shares[0][1]):
        part, whole = float(shares[0][0]), float(shares[0][1])
        return min(abs(value - part / whole), abs(value - part), abs(value - whole)) > CLOSE
    if (percent := _PERCENT_OF.match(reason)) is not None:
        return min(abs(value - float(percent[1])), abs(value - float(percent[1]) / 100)) > CLOSE
    if _SUM.match(reason) is None:
        return False
    given = [float(number) for number in _numbers(f"{question.title}\n{question.text}\n{question.because}")]
    sums = {sum(given), *(a + b for place, a in enumerate(given) for b in given[place + 1 :])}
    sums |= {sum(given[start:end]) for start in range(len(given)) for end in range(start + 2, len(given) + 1)}
    return question.asked is None and not any(abs(value - each) <= CLOSE for each in sums)


def _weighted_means(numbers: set[float]) -> Iterator[float]:
    """Yield the means of two shares that whole numbers weight."""
    weights = sorted(number for number in numbers if number >= 1 and number == int(number))[:8]
    shares = sorted(number for number in numbers if number != int(number))[:8]
    for (first, second), (a, b) in product(combinations(shares, 2), permutations(weights, 2)):
        yield (a * first + b * second) / (a + b)
