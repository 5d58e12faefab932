"""A lesson beside the same one in another language: what of the two differs and is no matter of language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePath

from irviewer.errors import ParseError
from irviewer.model.formula import formulas_in
from irviewer.model.lessons.lesson import NOWHERE, Lesson, Question, Step
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.session.teaching.checking.kept_results import KeptResults, Part
from irviewer.session.teaching.checking.prose.comparisons import HIGH, LOW
from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, MULTIPLE_OF
from irviewer.session.teaching.checking.wording.sentences import LONGEST, prose_of
from irviewer.translation import tr

_LETTER = re.compile(r"(?<![\w@*])[B-DF-HJL-NQS-XZ](?![\w@*])")
"""A document; A, E, I, O and Y are words of some language, and K, P and R measures."""
_NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+")
_COUNTS = {word: n for word, n in {**COUNT_OF, **MULTIPLE_OF}.items() if n > 2 and n != 11}
"""Words of numbers; one and two have other words in the other language, and Spanish eleven is once in English."""
_COUNT = re.compile(rf"(?<![\w-])({'|'.join(_COUNTS)})(?![\w-])", re.I)
_ENGLISH, _SPANISH = re.compile(r"\bthe\b", re.I), re.compile(r"\b(?:los|las)\b", re.I)
_OF_ENGLISH = re.compile(r"\b(?:the|of|is|are|and|this|that|with)\b", re.I)
_OF_SPANISH = re.compile(r"\b(?:el|la|los|las|de|del|es|son|una?|que|y|con|en|por|se)\b", re.I)
_WORDS_OF_FORMULAS = re.compile(r"\\(?:text|mathrm)\s*{[^{}]*}")


def differences(lesson: Lesson, other: Lesson, kept: KeptResults | None = None) -> Iterator[ParseError]:
    """Yield a fault for each part of a lesson whose kind, measures, values, steps, answers, marks or numbers in the
    texts are not those of the other. Names of rankings are compared by their places, and so are choices if both files
    have one name, from which their order is drawn. ``kept`` is what is kept of lessons that differ in a sentence."""
    if len(lesson.items) != len(other.items):
        reason = tr("the other language has {n} steps and questions", n=len(other.items))
        yield _fault(lesson, lesson, reason, lesson.title)
        return
    kept = KeptResults() if kept is None else kept
    names, others = tuple(_places(lesson).items()), tuple(_places(other).items())
    in_order = PurePath(lesson.path).name == PurePath(other.path).name
    in_words = _is_known(lesson) and _is_known(other)
    is_translated = in_words and _is_english(lesson) != _is_english(other)
    for part, its in zip((lesson, *lesson.items), (other, *other.items), strict=True):
        yield from kept.of(_differences, lesson, part, its, names, others, in_order, in_words, is_translated)


def _differences(
    lesson: Lesson,
    part: Part,
    its: Part,
    names: Sequence[tuple[str, int]],
    others: Sequence[tuple[str, int]],
    in_order: bool,
    in_words: bool,
    is_translated: bool,
) -> Iterator[ParseError]:
    title = part.title
    meant, meant_there = _meant(part, dict(names), in_order), _meant(its, dict(others), in_order)
    differing = [key for key in {**meant, **meant_there} if meant.get(key) != meant_there.get(key)]
    if differing:
        pairs = ((key, meant.get(key, "—"), meant_there.get(key, "—")) for key in differing)
        stated = "; ".join(
            tr("{what}: {here} here, {there} there", what=key, here=own, there=other_one)
            for key, own, other_one in pairs
        )
        yield _fault(lesson, part, tr("this is another one in the other language: {stated}", stated=stated), title)
    formulas, its_formulas = Counter(_formulas(part)), Counter(_formulas(its))
    if [*formulas.elements()] != [*its_formulas.elements()]:
        reason = tr("the other language has other formulas here: {here} here, {there} there",
                    here=_listed(formulas - its_formulas), there=_listed(its_formulas - formulas))  # fmt: skip
        yield _fault(lesson, part, reason, title)
    own, theirs = _named(part, its, in_words), _named(its, part, in_words)
    if own != theirs:
        reason = tr("the other language has other numbers or documents here: {here} here, {there} there",
                    here=_listed(own - theirs), there=_listed(theirs - own))  # fmt: skip
        yield _fault(lesson, part, reason, _saying(own - theirs, part) or _differing(part, its, in_words) or title)
    elif (queries := _other_queries(part, its)) is not None:
        reason = tr("the other language has other numbers or documents here: {here} here, {there} there",
                    here=", ".join(queries[0]), there=", ".join(queries[1]))  # fmt: skip
        yield _fault(lesson, part, reason, _differing(part, its, in_words) or title)
    if is_translated:
        for text in sorted({*_paragraphs(part)} & {*_paragraphs(its)}):
            yield _fault(lesson, part, tr("the other language has the same text, untranslated"), text)


_OF_QUERIES = re.compile(
    r"\b(?:query|consulta|(?:queries|consultas)(?:\s+\d+(?:,|,?\s+(?:and|or|to|y|o|a)\b))*)\s+\d+(?![\w/]|\.\d)", re.I
)
"""A query, or a list of them."""
_VALUE_OR_QUERY = re.compile(rf"{_OF_QUERIES.pattern}|{_NUMBER.pattern}", re.I)


_COMPARING = re.compile(rf"\b(?:than|after|before|{HIGH}|{LOW})\b", re.I)
"""Words of a sentence that can name two queries the other way round: "query 2 is worse by .3 than query 1"."""


def _queries_in(text: str) -> list[str]:
    return [number for numbers in _OF_QUERIES.findall(text) for number in re.findall(r"\d+", numbers)]


def _other_queries(part: Lesson | Step | Question, its: Lesson | Step | Question) -> tuple[list[str], list[str]] | None:
    """Return the queries that the texts of a part and of the other language name, if they are equally many and not the
    same, or exchanged in a sentence."""
    queries, others = _queries_in(_text(part)), _queries_in(_text(its))
    if len(queries) != len(others) or queries == others:
        return None
    is_other = sorted(queries) != sorted(others) or any(_are_exchanged(*pair) for pair in _pairs(part, its))
    return (queries, others) if is_other else None


def _are_exchanged(sentence: str, other: str) -> bool:
    """Return whether two sentences have the same values in the same order, one or more for each query, and other
    queries beside them; what compares, or names queries side by side, may do so in another order."""
    queries = _queries_in(sentence)
    if queries == _queries_in(other) or _COMPARING.search(sentence) or _COMPARING.search(other):
        return False
    values, its_values = (
        ["" if _OF_QUERIES.fullmatch(each) else f"{float(each):g}" for each in _VALUE_OR_QUERY.findall(text)]
        for text in (sentence, other)
    )
    is_beside = any(not first and not second for first, second in pairwise(values))
    return values == its_values and not is_beside and len([*filter(None, values)]) >= len(queries)


def _pairs(part: Lesson | Step | Question, its: Lesson | Step | Question) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a part with those of the other language; where a text has more sentences in one of them,
    the texts."""
    texts, others = _texts(part), _texts(its)
    for text, other in zip(texts, others, strict=True) if len(texts) == len(others) else ():
        sentences, its_sentences = (re.split(r"(?<=[.?!:;])\s+|\n\n", each.strip()) for each in (text, other))
        is_parallel = len(sentences) == len(its_sentences)
        yield from zip(sentences, its_sentences, strict=True) if is_parallel else [(text, other)]


def _differing(part: Lesson | Step | Question, its: Lesson | Step | Question, in_words: bool) -> str:
    """Return the first sentence of a part that has other numbers, documents or queries than the one in its place in the
    other language; "" for none."""
    for sentence, other in _pairs(part, its):
        is_other = sorted(_queries_in(sentence)) != sorted(_queries_in(other)) or _are_exchanged(sentence, other)
        if is_other or _names_in(sentence, in_words) != _names_in(other, in_words):
            return sentence if len(sentence) < LONGEST else ""
    return ""


def _saying(names: Counter[str], part: Lesson | Step | Question) -> str:
    """Return the line of a part that has one of some numbers or documents, and it alone; "" for none."""
    lines = [line for line in _text(part).split("\n") if len(line) < LONGEST]
    digits = [(line, {f"{float(number):g}" for number in _NUMBER.findall(line)}) for line in lines]
    own = [line for line, its in digits if names.keys() & (its | {*_LETTER.findall(line)})]
    return own[0] if len(own) == 1 else ""


def _listed(names: Counter[str]) -> str:
    return ", ".join(sorted(names.elements())) or "—"


def _paragraphs(part: Lesson | Step | Question) -> list[str]:
    """Return the paragraphs of a part that are sentences, not names, tables or formulas."""
    texts = (each for text in _texts(part) for each in re.split(r"\n\n|\n(?=[-*|] )", text))
    paragraphs = (" ".join(prose_of(each).split()) for each in texts)
    return [each for each in paragraphs if "|" not in each and len(re.findall(r"(?<!\w)[a-zà-ÿ]{2,}(?!\w)", each)) >= 6]


def _fault(lesson: Lesson, part: Lesson | Step | Question, reason: str, text: str) -> ParseError:
    at = NOWHERE if isinstance(part, Lesson) else part.at
    return ParseError(
        lesson.path, reason, line=at.line, column=at.column, text=text, hint=tr("correct one of the two files")
    )


def _places(lesson: Lesson) -> dict[str, int]:
    """Return ranking -> its place; {} where files have them, whose names are the same in all languages."""
    runs = parse_inline_ranking(lesson.rankings).runs if lesson.rankings else ()
    return {run.name: place for place, run in enumerate(runs)}


def _meant(part: Lesson | Step | Question, places: dict[str, int], in_order: bool) -> dict[str, str]:
    """Return what a part is, does and asks for, without its words, by the key that says it."""

    def of(name: str) -> str:
        return f"ranking {places[name] + 1}" if name in places else name

    def as_text(*values: object) -> str:
        return ", ".join(f"{each:g}" if isinstance(each, float) else str(each) for each in values if each) or "—"

    view = part.view
    meant = {"kind": _kind(part), "measure": as_text(view.measure), "cutoff": as_text(view.cutoff)}
    meant |= {"level": as_text(view.level), "show": as_text(view.show), "columns": as_text(*view.columns)}
    meant |= {"run": as_text(of(view.run)), "query": as_text(view.query), "beside": as_text(of(view.beside))}
    meant["values"] = as_text(*(" ".join((each.measure, of(each.run), each.query, each.text)) for each in part.figures))
    if isinstance(part, Step):
        done = [[each.verb, *map("{:g}".format, each.numbers), each.text, of(each.run)] for each in part.actions]
        meant["do"] = as_text(*(" ".join(filter(None, words)) for words in done))
    elif isinstance(part, Question):
        asked = part.asked
        if asked is not None:
            meant["ask"] = as_text(asked.measure, asked.column, asked.rank, of(asked.run), asked.query)
        marks = [each.right for each in part.choices]
        chosen = [place for place, mark in enumerate(marks if in_order else sorted(marks), start=1) if mark]
        meant |= {"choices": as_text(len(marks)), "right choices": as_text(*chosen)}
        meant |= {"within": str(part.within), "points": as_text(part.points), "hint costs": as_text(part.hint_costs)}
        meant["answer"] = as_text(*map(str, _as_number(part.answer)))
        meant["wrong"] = as_text(*(as_text(*map(str, _as_number(each.answer))) for each in part.wrong))
        meant |= {"hint": str(bool(part.hint)), "because": str(bool(part.because))}
    else:
        typed = parse_inline_ranking(part.rankings) if part.rankings else None
        if typed is not None:
            judged = [typed.qrels.judgments(query).items() for query in typed.qrels.query_ids]
            meant["grades"] = "; ".join(" ".join(f"{name}={grade:g}" for name, grade in each) for each in judged)
            lists = ([" ".join(run.ranking(query)) for query in run.query_ids] for run in typed.runs)
            meant["rankings"] = "; ".join(", ".join(each) for each in lists)
    return meant


def _kind(part: Part) -> str:
    return "Lesson" if isinstance(part, Lesson) else "Step" if isinstance(part, Step) else "Question"


def _as_number(answer: str) -> list[float]:
    """Return the numbers of an answer; words are a matter of language."""
    return [float(number) for number in _NUMBER.findall(answer)]


def _is_known(lesson: Lesson) -> bool:
    """Return whether a lesson is in one of the languages whose words of numbers are known."""
    texts = " ".join(_text(part) for part in (lesson, *lesson.items))
    return _ENGLISH.search(texts) is not None or _SPANISH.search(texts) is not None


def _is_english(lesson: Lesson) -> bool:
    """Return whether the texts of a lesson are rather in English than in Spanish."""
    texts = " ".join(_text(part) for part in (lesson, *lesson.items))
    return len(_OF_ENGLISH.findall(texts)) > len(_OF_SPANISH.findall(texts))


def _text(part: Lesson | Step | Question) -> str:
    return "\n".join(_texts(part))


def _texts(part: Lesson | Step | Question) -> list[str]:
    texts = [part.title, part.text]
    if isinstance(part, Question):
        texts += [text for choice in part.choices for text in (choice.text, choice.reason)]
        texts += [part.because, part.hint, *(wrong.reason for wrong in part.wrong)]
    return texts


def _formulas(part: Lesson | Step | Question) -> list[str]:
    """Return the formulas of a part without their words; .6 is written 0.6 in some languages."""
    formulas = (formula for line in _text(part).split("\n") for formula, _ in formulas_in(line))
    return [re.sub(r"(?<![\d.])0(?=\.\d)", "", _WORDS_OF_FORMULAS.sub("", formula)) for formula in formulas]


_SHARE = re.compile(
    r"\b(?:hal(?:f|ves|ved?)|quarters?|thirds|(?:a|one|un)\s+(?:third|fifth|tenth|tercio|quinto|décimo)|doubles?d?|twice|dozens?|"
    r"mitad(?:es)?|medi[oa]s?|tercios|cuartas?\s+partes?|(?:tercera|quinta|décima)\s+parte|dobles?|duplican?|docenas?)\b",
    re.I,
)
"""Words of shares and multiples: "a half of twelve" is six in another language."""
_SIMPLE = re.compile(r"(?<![\w.])(?:[1-4]/[2-5]|0?\.(?:5|25|75)|(?:25|50|75)(?=\s?%)|1?\d|20)(?![\w/]|\.\d)")
"""Shares and counts that words can say."""


def _named(part: Lesson | Step | Question, its: Lesson | Step | Question, in_words: bool) -> Counter[str]:
    """Return the numbers and documents that the texts of a part name, and how often. Counts, halves and
    quarters are left out where one of the two languages has more words of shares, as it may say another number then."""
    text = _text(part)
    if len(_SHARE.findall(text)) != len(_SHARE.findall(_text(its))):
        in_words, text = False, _SIMPLE.sub("", text)
    return _names_in(text, in_words)


def _names_in(text: str, in_words: bool) -> Counter[str]:
    """Return the numbers, of digits or also of words, and the documents that a text names, and how often."""
    words = [str(_COUNTS[word.lower()]) for word in _COUNT.findall(text)] if in_words else []
    return Counter([*(f"{float(number):g}" for number in _NUMBER.findall(text)), *words, *_LETTER.findall(text)])
