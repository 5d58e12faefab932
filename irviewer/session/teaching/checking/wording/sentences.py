"""The sentences in the texts of a lesson that can be about its rankings: without code, formulas, and what is about
other collections, studies, or rankings in general."""

from __future__ import annotations

import re
from functools import lru_cache

from irviewer.formats.lessons.varying import without_formulas
from irviewer.model.formula import without_code

SUPPOSING = re.compile(
    r"\b(?:if|when(?:ever)?|unless|then|would|could|suppose|at most|si|cuando|entonces|ser[ií]an?|fueran?|podr[ií]an?|"
    r"\w+[aeidbr]rían?|suponga|como mucho|is\s+(?:wrong|not\s+true|untrue|a\s+mistake)|es\s+(?:falso|un\s+error)|"
    r"no\s+es\s+(?:cierto|verdad)|(?:says?|claims?|thinks?|believes?)\s+that|(?:dice|afirma|cree|piensa)n?\s+que)\b",
    re.I,
)
"""Words of what is not so, but might be, or is said to be."""
_YES_OR_NO = re.compile(
    r"^\W*(?:(?:does|do|did|is|are|was|were|has|have|can)\b|"
    r"¿(?!\s*(?:\w+\s+)?(?:qué|cuál|cuánt|cómo|dónde|quién))).*\?\W{0,3}$",
    re.I | re.S,
)
"""A question that states nothing."""
_ELSEWHERE = re.compile(
    r"\b(?:typical(?:ly)?|usual(?:ly)?|common(?:ly)?|often|elsewhere|literature|stud(?:y|ies)|papers?|reports?|perhaps|may|might|"
    r"imagine|(?:for|another|an) (?:example|instance)|(?:an)?other (?:collections?|quer(?:y|ies)|papers?|lessons?)|"
    r"an? (?:web )?search engine|an? (?:system|engine|ranking|list|run) (?:with|of|that|whose|in)|"
    r"típic[oa]s?|habitual(?:es|mente)?|normalmente|suelen?|literatura|estudios?|artículos?|informes?|quizás?|imagine(?:mos)?|"
    r"por ejemplo|otr[oa]s? (?:colecci[oó]n(?:es)?|consultas?|lección)|"
    r"un[oa]? (?:sistema|buscador|lista) (?:con|de|que|cuy[oa]|en)|"
    r"TREC|(?:19|20)\d\d)\b|\bp\. ej\.",
    re.I,
)
"""Words of what is so of others than the rankings of the lesson."""
ASKS_FOR_CHANGE = re.compile(
    r"\b(?:which|what|qué|cuál)\b(?:\s+\w+){0,2}\s+(?:exchange|swap|move|change|step|judgment|intercambio|movimiento|"
    r"cambio|paso|juicio)s?\b",
    re.I,
)
"""A question whose choices are changes: their reasons are about the ranking after each."""
LONGEST = 2000
"""The letters of the longest sentence that is read; a paragraph that is longer is read line by line."""


def readable(text: str) -> str:
    """Return a text without what is too long for a sentence."""
    if len(text) <= LONGEST:
        return text
    return "".join(each for each in re.split(r"((?<=[.?!])[ \t]+|\n)", text) if len(each) <= LONGEST)


@lru_cache(1024)
def prose_of(text: str) -> str:
    """Return a text without code, formulas, and what is too long for a sentence."""
    return "\n".join(without_formulas(without_code(line)) for line in readable(text).split("\n"))


def is_elsewhere(text: str) -> bool:
    """Return whether a text is about other collections, studies, or rankings in general."""
    return _ELSEWHERE.search(text) is not None


@lru_cache(1024)
def sentences_here(text: str) -> tuple[str, ...]:
    """Return the sentences of a text without those about other collections, studies, or rankings in general, and
    without questions of yes or no."""
    paragraphs = re.split(r"(?<=[.?!])\s+|\n\n", text)
    sentences = (part for each in paragraphs for part in (each.split("\n") if len(each) > LONGEST else [each]))
    return tuple(each for each in sentences if not is_elsewhere(each) and not _YES_OR_NO.match(each))


@lru_cache(1024)
def claims_here(text: str) -> tuple[str, ...]:
    """Return the sentences of a text about the rankings here that suppose nothing."""
    return tuple(each for each in sentences_here(text) if not SUPPOSING.search(each))


_MISTAKE = re.compile(
    r"^\W*(?:(?:this|that|it|here|you|who|est[aeo]|es[aeo]|aquí|se|quien)\s+)*(?:only\s+|solo\s+)?"
    r"(?:divid(?:es?|ed)|counts?|takes?|uses?|adds?|leaves?|forgets?|ignores?|multipl(?:y|ies)|supposes?|assumes?|treats?|stops?|"
    r"omits?|sums?|divide|cuenta|toma|usa|suma|deja|olvida|ignora|multiplica|supone|trata|omite)\b",
    re.I,
)
"""The beginning of a sentence that tells the mistake behind a wrong answer: "This divides by the three found"."""


def without_mistakes(reason: str) -> str:
    """Return the reason of a wrong answer without the sentences that tell the mistake: they are not so."""
    return " ".join(each for each in re.split(r"(?<=[.?!])\s+", reason) if not _MISTAKE.match(each))


_THEN = re.compile(r"^\W*(?:then|entonces)\b,?\s*", re.I)
_IMPERATIVE = re.compile(
    r"\b(?:move|swap|exchange|judge|remove|add|take|put|let|assume|imagine|without|with|had|instead|"
    r"muev\w+|intercambi\w+|juzg\w+|quit\w+|añad\w+|pong\w+|sin|con)\b",
    re.I,
)
"""Words of a sentence after which "then" is about a change."""


_IS_SO = re.compile(
    r"\b(?:non-relevant|not\s+relevant|no\s+relevantes?)\b|"
    r"^(?!.*\b(?:counts?|as|cuentan?|como)\b).*\b(?:is|are|es|son)\b",
    re.I,
)
"""A sentence that says what is so; documents that count as relevant may be supposed."""


def question_before(sentence: str, text: str) -> str:
    """Return the question that is right before a sentence of a text; "" where another sentence is."""
    start = text.find(sentence)
    former = re.split(r"(?<=[.?!])\s+", text[:start].rstrip())[-1] if start > 0 else ""
    return former if former.endswith("?") else ""


def without_then(sentence: str, text: str) -> str:
    """Return a sentence of a text without "Then" at its beginning, where the sentence before is about what is so."""
    then, start = _THEN.match(sentence), text.find(sentence)
    former = re.split(r"(?<=[.?!])\s+", text[:start].rstrip())[-1] if start > 0 else ""
    is_so = _IS_SO.search(former) and not SUPPOSING.search(former) and not _IMPERATIVE.search(former)
    return sentence[then.end() :] if then and is_so else sentence
