"""Words, numbers and quoted names of texts of answers, so that texts can be compared without a model.

Only letters and digits are compared, in Unicode's form NFKC and without case; nothing is stemmed or translated."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_FUNCTION = (
    "a an and are as at be been but by can could did do does for from had has have how if in into is it its may",
    "might more most no not of on or other s should so some such t than that the their them then there these they",
    "this those to was we were what when which who why will with would you your",
)
_NEGATIONS = (
    "no not never none neither nor without cannot isn't aren't wasn't weren't don't doesn't didn't won't wouldn't",
    "can't couldn't shouldn't hasn't haven't",
)
FUNCTION_WORDS = frozenset(word for line in _FUNCTION for word in line.split(" "))
"""English words that say nothing of what a text is about. Of other languages every word counts."""

NEGATIONS = frozenset(word for line in _NEGATIONS for word in line.split(" "))

ALIKE = 0.5
"""A sentence that has this share of a nugget's words is like it."""
MOST_COMPARED = 400
"""Sentences of an answer that are compared with nuggets; of longer answers the first ones."""

_WORD = re.compile(r"\w+(?:['’]\w+)?")
_BLANKS = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in map(chr, range(128)))
"""ASCII with a blank for all but letters, digits and the underscore."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
_QUOTED = re.compile(r"“([^”]{2,80})”|\"([^\"]{2,80})\"|«([^»]{2,80})»|「([^」]{1,80})」")
_WHOLE_SCRIPTS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Letters of scripts that write no blanks between words, or none that separate what is compared."""


def normal(text: str) -> str:
    """Return a text in form NFKC, without case, with straight apostrophes."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about; of scripts without blanks every two neighbouring letters.
    A text of function words alone keeps them."""
    if text.isascii() and "'" not in text:  # the same at a third of the time: words of whole lists of answers
        every = {*text.lower().translate(_BLANKS).split()}
        return frozenset(every - FUNCTION_WORDS) or frozenset(every)
    return words_by_letters(text)


def words_by_letters(text: str) -> frozenset[str]:
    """Return the words of a text of any script, as :func:`words_of` does."""
    plain = normal(text)
    if not _WHOLE_SCRIPTS.search(plain):
        every = {*_WORD.findall(plain)}
        if "'s" in plain:
            every = {word.removesuffix("'s") for word in every}
        return frozenset(every - FUNCTION_WORDS) or frozenset(every)
    every = set()
    for word in _WORD.findall(plain):
        if _WHOLE_SCRIPTS.search(word):
            every.update((word[at : at + 2] for at in range(len(word) - 1)) if len(word) > 1 else (word,))
        else:
            every.add(word.removesuffix("'s"))
    return frozenset(every - FUNCTION_WORDS) or frozenset(every)


@lru_cache(maxsize=4096)
def numbers_of(text: str) -> dict[str, str]:
    """Return the numbers of a text, years included: their value as text -> as they are written first. Thousands may
    have commas: 15,000 and 15000 are one number."""
    by_value: dict[str, str] = {}
    for match in _NUMBER.finditer(unicodedata.normalize("NFKC", text)):
        written = match.group()
        by_value.setdefault(_value(written), written)
    return by_value


def _value(written: str) -> str:
    plain = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
    whole, point, decimals = plain.replace(",", ".").partition(".")
    decimals = decimals.rstrip("0")
    return (whole.lstrip("0") or "0") + (point + decimals if decimals else "")


def quoted_names(text: str) -> tuple[str, ...]:
    """Return what is in quotation marks, in order."""
    return tuple(next(part for part in match.groups() if part) for match in _QUOTED.finditer(text))


def lacking(text: str, other: str) -> tuple[str, ...]:
    """Return the numbers and quoted names of a text that another one does not have, as they are written."""
    have = numbers_of(other)
    numbers = [written for value, written in numbers_of(text).items() if value not in have]
    names = quoted_names(text)
    if names:  # few texts quote anything
        other_text = " ".join(normal(other).split())
        names = tuple(name for name in names if " ".join(normal(name).split()) not in other_text)
    return (*numbers, *names)


def has_negation(text: str) -> bool:
    """Return whether a text has an English word of negation."""
    return not NEGATIONS.isdisjoint(_WORD.findall(normal(text)))


def alike_sentences(nugget: str, sentences: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the sentences, given as words, that are like a nugget, of the first
    MOST_COMPARED."""
    own = words_of(nugget)
    least = ALIKE * len(own)
    numbered = enumerate(sentences[:MOST_COMPARED], start=1)
    return tuple([number for number, words in numbered if len(own & words) >= least]) if own else ()


def nearest_sentence(nugget: str, sentences: Sequence[frozenset[str]]) -> tuple[int, int, int]:
    """Return the number, from 1, of the sentence that has most words of a nugget, the first of several, 0 where none
    has any; how many of its words it has; and how many words the nugget has. As :func:`alike_sentences` compares."""
    own = words_of(nugget)
    shared = [len(own & words) for words in sentences[:MOST_COMPARED]]
    most = max(shared, default=0)
    return shared.index(most) + 1 if most else 0, most, len(own)


def most_alike(nugget: str, sentences: Sequence[frozenset[str]]) -> int | None:
    """Return the place of the sentence, given as words, that has most words of a nugget, the first of several; None
    where none has the share of words that makes it alike."""
    own = words_of(nugget)
    shared = [len(own & words) for words in sentences]
    most = max(shared, default=0)
    return shared.index(most) if most and most >= ALIKE * len(own) else None
