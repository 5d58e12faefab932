"""Texts of a lesson that state the value which a later question asks for.

A sentence tells it if it names the measure, and the ranking and query where there are several, and says the value; or
if it says by how much something changes, and that is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import numpy as np

from irviewer.model.lessons.lesson import Asked, Lesson, Place, Question
from irviewer.session.teaching.answers import is_value
from irviewer.session.teaching.checking.wording.sentences import claims_here, prose_of, sentences_here
from irviewer.translation import tr

_WORDS = {"SetP": "precision|precisión", "SetR": "recall|exhaustividad", "AP": r"average\s+precision|precisión\s+media"}
_VALUE = r"\s*(?:=|\bis\b|\bes\b)\s*(\d*\.?\d+)(?:/(\d+))?(?![\w%/]|\.\d|\s*[-+*/×·÷−=])"
_ORDINARY = (0.0, 1.0)
"""Values that are said of much else."""


def told_before(lesson: Lesson, answers: Mapping[Place, float | None]) -> Iterator[tuple[str, str, str, Place]]:
    """Yield (reason, text, hint, place) for each sentence above a question that tells its answer; ``answers`` are the
    values of the questions, by their places."""
    above = [(lesson.text, Place())]
    for item in lesson.items:
        asked = item.asked if isinstance(item, Question) else None
        right = answers.get(item.at)
        if asked is not None and asked.measure and right is not None and right not in _ORDINARY:
            for text, at in above:
                for said in _telling(text, asked, right):
                    reason = tr("this tells the answer of the question in line {line}", line=item.at.line)
                    yield reason, said, tr("leave the value out, or ask for another one"), at
        if isinstance(item, Question) and right is not None and _ASKS_DIFFERENCE.search(item.title):
            given = {*re.findall(r"\d*\.\d+", f"{item.title} {item.text}")}
            for text, at in above:
                for said in _telling_difference(text, right, given):
                    reason = tr("this tells the answer of the question in line {line}", line=item.at.line)
                    yield reason, said, tr("leave the value out, or ask for another one"), at
        if isinstance(item, Question) and right is not None and right not in _ORDINARY and _BOUND.search(item.title):
            for text, at in above:
                for said in _telling_bound(text, item.title, right):
                    reason = tr("this tells the answer of the question in line {line}", line=item.at.line)
                    yield reason, said, tr("leave the value out, or ask for another one"), at
        above.append((item.text, item.at))


_MEASURE = r"(?<![\w@])(?:[A-Z]\w*@\d+|[A-Z]{2,})(?![\w@])"
_BOUND = re.compile(
    rf"^\W*(?:how\s+(?:high|large)|how\s+low|qué\s+valor\s+(?:máximo|mínimo)|hasta\s+dónde|cuánto)\s+(?:could|can|might|may|podría)\s+"
    rf"(?:\w+\s+){{0,2}}?(?-i:{_MEASURE})",
    re.I,
)
"""A title that asks how high or low a measure could be."""
_COULD_BE = re.compile(
    rf"(?-i:(?P<measure>{_MEASURE}))\s+(?:could|can|might|may|podría)\s+(?:be|reach|rise\s+to|fall\s+to|ser|valer|llegar\s+a)\s+"
    rf"(?:at\s+(?:best|most|least|worst)\s+|como\s+(?:mucho|poco)\s+)?(?P<value>\d*\.\d+)(?![\w%/]|\.\d)",
    re.I,
)


def _telling_bound(text: str, title: str, right: float) -> Iterator[str]:
    """Yield where a text says how high or low the measure of a title could be, and that is the answer."""
    for match in (each for sentence in sentences_here(prose_of(text)) for each in _COULD_BE.finditer(sentence)):
        if match["measure"] in title and match["value"] not in title and is_value(match["value"], np.array(right)):
            yield " ".join(match[0].split())


_ASKS_DIFFERENCE = re.compile(
    r"\b(?:by\s+how\s+much|how\s+much|difference|en\s+cuánto|cuánto\s+(?:más|menos|sube|baja|cambia|aumenta)|diferencia)\b",
    re.I,
)
_DIFFERENCE = re.compile(
    r"\b(?:rises?|falls?|drops?|grows?|increases?|decreases?|differs?|changes?|sube|baja|cae|crece|aumenta|disminuye|difiere|cambia)\s+"
    r"(?:by|en|un)\s+(\d*\.\d\d+)(?![\w%/]|\.\d|\s*%)|"
    r"\b(?:the\s+difference|la\s+diferencia)\s+(?:is|es)\s+(\d*\.\d\d+)(?![\w%/]|\.\d|\s*%)",
    re.I,
)
"""A difference with two decimals or more."""


def _telling_difference(text: str, right: float, given: Collection[str]) -> Iterator[str]:
    for sentence in claims_here(prose_of(text)):
        for match in _DIFFERENCE.finditer(sentence):
            number = match[1] or match[2]
            if number not in given and is_value(number, np.array(abs(right))):
                yield " ".join(match[0].split())


def _telling(text: str, asked: Asked, right: float) -> Iterator[str]:
    called = "|".join(filter(None, [re.escape(asked.measure), _WORDS.get(asked.measure, "")]))
    of = rf"(?:\s+(?:of|de|for|para)\s+(?:the\s+|la\s+|el\s+)?{re.escape(asked.run)})" if asked.run else ""
    query = (
        rf"(?:,?\s+(?:of|on|for|de|en|para)?\s*(?:la\s+)?(?:query|consulta)\s+{re.escape(asked.query)})"
        if asked.query
        else ""
    )
    form = re.compile(rf"(?<![\w@])(?:{called}){of}{query}{_VALUE}", re.I if asked.measure in _WORDS else 0)
    for sentence in claims_here(prose_of(text)):
        for match in form.finditer(sentence):
            said = match[1] if match[2] is None else f"{float(match[1]) / float(match[2]):.4f}"
            if is_value(said, np.array(right)):
                yield " ".join(match[0].split())
