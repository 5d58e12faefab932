"""The words of a text that are in the query, which are marked in a document. A reading aid, not a ranker.

Words are equal when their stems are; the stemmer is a handful of English suffixes, enough for "slabs" and "slab".
Scripts without spaces between words have no words to compare without a dictionary: there a term is the text between
other scripts, and is found anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from unicodedata import category, normalize

from irviewer.model.unicode_folding import IGNORED, bare, fold, marks_in

_STOP_TEXT = """
a about all an and any anyone are as at be been but by can could did do does for from had has have how i if in into is
it its may me more most my no nor not of on or our should so some such than that the their them then there these they
this those to was we were what when where which who whom whose why will with would you your"""
STOP_WORDS = frozenset(_STOP_TEXT.split())

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_OTHERS = (
    "\u0e01-\u0e3e\u0e40-\u0e4e\u0e50-\u0e59",  # Thai
    "\u0e80-\u0eff",  # Lao
    "\u1000-\u1049\u1050-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f",  # Burmese
    "\u1780-\u17d3\u17d7\u17dc-\u17e9",  # Khmer
)
_UNSPACED = _HAN + _HIRAGANA + _KATAKANA + "".join(_OTHERS)
_WHOLE = 4
"""So many Han characters may be one word. More are several: taken in overlapping pairs, as indexes do that know no
dictionary either."""

_SUFFIXES = (
    ("ations", "at"), ("ation", "at"), ("ingly", ""), ("edly", ""), ("ions", ""), ("ings", ""), ("ing", ""),
    ("ion", ""), ("ies", "i"), ("ied", "i"), ("sses", "ss"), ("es", ""), ("ed", ""), ("ly", ""), ("s", ""),
    ("e", ""), ("y", "i"),
)  # fmt: skip
_KEPT = ("ss", "us", "is")
_LEAST = 3


# The patterns of scripts without spaces are compiled for the first text with such a script: a hundredth of a second.


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}][{_UNSPACED}{IGNORED}]*")


@cache
def _one_script() -> re.Pattern[str]:
    return re.compile("|".join(f"[{letters}{IGNORED}]+" for letters in (_HAN, _HIRAGANA, _KATAKANA, *_OTHERS)))


@cache
def _cluster() -> re.Pattern[str]:
    return re.compile(rf".[{IGNORED}\u3099\u309a\uff9e\uff9f]*")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(f"[{_HAN}]+")


@cache
def _hiragana() -> re.Pattern[str]:
    return re.compile(f"[{_HIRAGANA}]+")


def query_terms(text: str) -> tuple[str, ...]:
    """The words of a query that carry meaning, lowercase, each once, in order; all where only stop words are. Hiragana
    between other words is Japanese grammar, and counts as stop words do."""
    words: dict[str, tuple[str, bool]] = {}
    for start, end, spaced in _chunks(text):
        chunk = text[start:end]
        if spaced:
            words.setdefault(fold(chunk), (normalize("NFC", chunk).lower(), fold(chunk) in STOP_WORDS))
            continue
        for match in _one_script().finditer(fold(chunk)):
            for pair in _pairs(match.group()):
                words.setdefault(pair, (pair, _hiragana().fullmatch(pair) is not None))
    return tuple([word for word, stops in words.values() if not stops] or [word for word, _ in words.values()])


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
    """(start, length) in ``text``, in code points, of every word whose stem is a term's, and of every term without
    spaces; a term without accents finds words with them. In order and apart: what overlaps is one mark."""
    spans = sorted((start, end) for start, end, _ in _occurrences(text, tuple(terms)))
    whole: list[tuple[int, int]] = []
    for start, end in spans:
        if whole and start < whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return tuple((start, end - start) for start, end in whole)


def counted(text: str, terms: Iterable[str]) -> tuple[int, ...]:
    """How often ``text`` has each term, as :func:`marks` finds them, in the order of the terms."""
    terms = tuple(terms)
    result = [0] * len(terms)
    for _, _, places in _occurrences(text, terms):
        for place in places:
            result[place] += 1
    return tuple(result)


def _occurrences(text: str, terms: tuple[str, ...]) -> Iterator[tuple[int, int, list[int]]]:
    """(start, end, which terms) of everything found, words first, then what has no spaces."""
    exact: dict[str, list[int]] = {}
    plain: dict[str, list[int]] = {}
    unspaced: dict[str, list[int]] = {}
    for position, term in enumerate(terms):
        folded = fold(term)
        if not folded.isascii() and _run().fullmatch(folded):
            unspaced.setdefault(folded, []).append(position)
        elif folded:
            (plain if bare(folded) == folded else exact).setdefault(stem(folded), []).append(position)
    if exact or plain:
        known: dict[str, list[int]] = {}
        for match in _words(text).finditer(text):
            word = match.group()
            which = known.get(word)
            if which is None:
                folded = fold(word)
                which = exact.get(stem(folded), []) + plain.get(stem(bare(folded)), [])
                known[word] = which
            if which:
                yield match.start(), match.end(), which
    if unspaced and not text.isascii():
        for match in _run().finditer(text):
            yield from _inside(match.group(), match.start(), unspaced)


def _inside(run: str, offset: int, terms: dict[str, list[int]]) -> Iterator[tuple[int, int, list[int]]]:
    """Where the terms stand in a stretch without spaces that begins at ``offset``. A letter whose sign follows is not
    cut off from it."""
    folded, places = fold(run), None
    if folded != run:
        pieces = [(_piece(match.group()), match.start()) for match in _cluster().finditer(run)]
        folded = "".join(piece for piece, _ in pieces)
        places = [start for piece, start in pieces for _ in piece] + [len(run)]
    for term, which in terms.items():
        at = folded.find(term)
        while at >= 0:
            end = at + len(term)
            if end == len(folded) or category(folded[end])[0] != "M":
                first, last = (at, end) if places is None else (places[at], _end(places, end))
                yield offset + first, offset + last, which
                at = folded.find(term, end)
            else:
                at = folded.find(term, at + 1)


_piece = lru_cache(maxsize=65_536)(fold)


def _end(places: list[int], end: int) -> int:
    """Where the original of a folded stretch ends: a letter that was folded into several is not cut in two."""
    inside = places[end - 1]
    while places[end] == inside:
        end += 1
    return places[end]


def _chunks(text: str) -> list[tuple[int, int, bool]]:
    """(start, end, whether it is a word of a script with spaces), in the order of the text."""
    spaced = [(match.start(), match.end(), True) for match in _words(text).finditer(text)]
    if text.isascii():
        return spaced
    return sorted(spaced + [(match.start(), match.end(), False) for match in _run().finditer(text)])


def _pairs(word: str) -> list[str]:
    if len(word) <= _WHOLE or not _han().fullmatch(word):
        return [word]
    return [word[position : position + 2] for position in range(len(word) - 1)]


def _words(text: str) -> re.Pattern[str]:
    return _word_pattern(marks_in(text))


@lru_cache(maxsize=256)
def _word_pattern(combining: str) -> re.Pattern[str]:
    """Words of scripts with spaces: letters and digits with the combining marks given, which ``\\w`` does not hold. One
    pattern for the marks of a text: all that Unicode has would take a walk over a million characters."""
    letter = rf"[^\W_{_UNSPACED}]"
    if not combining:
        return re.compile(rf"{letter}+(?:[{IGNORED}'’]{letter}+)*")
    rest = f"(?:{letter}|[{re.escape(combining)}{IGNORED}])*"
    return re.compile(rf"{letter}{rest}(?:['’]{letter}{rest})*")
