"""Which words of a text are the query's: what a person sees marked in a document. A reading aid, not a ranker.

Words are equal when their stems are; the stemmer is a handful of English suffixes, enough for "slabs" and "slab"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_STOP_TEXT = """
a about all an and any anyone are as at be been but by can could did do does for from had has have how i if in into is
it its may me more most my no nor not of on or our should so some such than that the their them then there these they
this those to was we were what when where which who whom whose why will with would you your"""
STOP_WORDS = frozenset(_STOP_TEXT.split())

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SUFFIXES = (
    ("ations", "at"), ("ation", "at"), ("ingly", ""), ("edly", ""), ("ions", ""), ("ings", ""), ("ing", ""),
    ("ion", ""), ("ies", "i"), ("ied", "i"), ("sses", "ss"), ("es", ""), ("ed", ""), ("ly", ""), ("s", ""),
    ("e", ""), ("y", "i"),
)  # fmt: skip
_KEPT = ("ss", "us", "is")
_LEAST = 3


def query_terms(text: str) -> tuple[str, ...]:
    """The words of a query that carry meaning, lowercase, each once, in order; all where only stop words are."""
    words = list(dict.fromkeys(match.group().lower() for match in _WORD.finditer(text)))
    return tuple([word for word in words if word not in STOP_WORDS] or words)


def stem(word: str) -> str:
    """The part of a lowercase word that its inflections share."""
    word = word.replace("’", "'").removesuffix("'s")
    if len(word) <= _LEAST or not word.isalpha():
        return word
    for suffix, instead in _SUFFIXES:
        if not word.endswith(suffix) or len(word) - len(suffix) + len(instead) < _LEAST:
            continue
        if suffix == "s" and word.endswith(_KEPT):
            return word
        cut = word[: len(word) - len(suffix)] + instead
        if suffix in ("ing", "ings", "ed", "ingly", "edly") and cut[-1] == cut[-2] and cut[-1] not in "lsz":
            cut = cut[:-1]
        # "conducted" and "conductivity" aside, "rate", "rates" and "rated" should meet: the last e goes everywhere.
        return cut[:-1] if suffix not in ("e", "y") and cut.endswith("e") and len(cut) > _LEAST else cut
    return word


def marks(text: str, terms: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """(start, length) of every word of ``text`` whose stem is a term's."""
    stems = {stem(term) for term in terms}
    if not stems or not text:
        return ()
    found = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if stem(word) in stems:
            found.append((match.start(), match.end() - match.start()))
    return tuple(found)


def counted(text: str, terms: Iterable[str]) -> tuple[int, ...]:
    """How many words of ``text`` have the stem of each term, in the order of the terms."""
    found = Counter(stem(match.group().lower()) for match in _WORD.finditer(text))
    return tuple(found[stem(term)] for term in terms)
