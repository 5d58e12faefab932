"""Texts shortened in the middle, only as far as they stay different from each other. Knows letters, no pixels."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice

ELLIPSIS = "…"
SEPARATORS = frozenset("_-. /:+")
"""The letters between the parts of an id or a name."""
_BOUNDARY = 1.5
"""What a cut at a separator is worth, in letters."""
_EVEN = 0.3
"""What a letter more before the cut than behind it costs."""
_EDGE = 2
"""Letters that stay at both ends where the middle is what differs."""
_SHARED_LEAST = 4
"""The least number of letters that are said once for all ids."""
FIRST_ONES = 16
"""So many texts that begin otherwise tell that a hundred thousand do."""
_JOINER = "\u200d"
_SKINS = range(0x1F3FB, 0x1F400)
_FLAGS = range(0x1F1E6, 0x1F200)
"""The modifiers of emoji, and the halves of flags: two are a letter."""


def distinct_forms(
    texts: Sequence[str], letters: int, *, at_separators: bool = True, start: str = ""
) -> tuple[str, ...]:
    """Return each text in at most ``letters`` letters as they are read, elided in the middle, best ``at_separators``;
    of a text that begins with ``start`` that is left out first.

    Different texts have different forms: where forms coincide, other letters of these texts are kept, and where all
    forms of that length coincide, more letters. The forms do not depend on the order of the texts."""
    letters = max(letters, 2 * _EDGE + 1)
    ladders = {
        text: _without_start_first(text, letters, at_separators, start)
        if start and text.startswith(start)
        else _forms(text, letters, at_separators)
        for text in set(texts)
    }
    forms = {text: next(ladder) for text, ladder in ladders.items()}
    while True:
        counts = Counter(forms.values())
        if len(counts) == len(forms):
            return tuple(forms[text] for text in texts)
        for text, form in list(forms.items()):
            if counts[form] > 1:
                forms[text] = next(ladders[text], text)


def shared_start(first: str, last: str) -> str:
    """Return what all texts between the first and the last in order begin with, up to the last separator in it, or up
    to the digits at its end; "" where that is shorter than four letters, or where a text has nothing more.

    ``first`` and ``last`` are the least and the greatest of the texts by code point: what these two share all share."""
    stop = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), -1)
    start = first[:stop] if stop >= 0 else first[:-1]
    if first == last:
        return ""
    place = max((place + 1 for place, letter in enumerate(start) if letter in SEPARATORS), default=0)
    start = start[:place] if place else start.rstrip("0123456789")
    while start and unicodedata.category(first[len(start)])[0] == "M":
        start = start[:-1]  # an accent stays with its letter
    return start if len(start) >= _SHARED_LEAST else ""


def start_of_all(texts: Collection[str]) -> str:
    """Return what all ``texts`` begin with, as :func:`shared_start`; "" of fewer than two. All are read only where
    the first ones begin alike."""
    if len(texts) < 2 or begin_otherwise(tuple(islice(texts, FIRST_ONES))):
        return ""
    return shared_start(min(texts), max(texts))


def begin_otherwise(some: Collection[str]) -> bool:
    """Return whether these texts share too little for a :func:`start_of_all`; then so do any more."""
    return min(some, default="")[:_SHARED_LEAST] != max(some, default="")[:_SHARED_LEAST]


def without_start(text: str, start: str) -> str:
    """Return a text without the ``start`` that is said elsewhere, behind an ellipsis."""
    return f"{ELLIPSIS}{text[len(start) :]}" if start and text.startswith(start) else text


def _without_start_first(whole: str, letters: int, at_separators: bool, start: str) -> Iterator[str]:
    """Yield ever longer forms of a text without its start; the last is the text."""
    if len(_letters(whole)) > letters:
        rest = whole[len(start) :]
        for form in _forms(rest, letters - 1, at_separators):
            yield without_start(whole, start) if form == rest else form
    yield whole


def _forms(whole: str, letters: int, at_separators: bool) -> Iterator[str]:
    """Yield ever longer forms of a text, the best of each length first; the last is the text."""
    text = _letters(whole)
    while len(text) > letters:
        cuts = _even_first(letters)
        if at_separators:
            cuts = tuple(sorted(cuts, key=lambda before: -_worth(text, before, letters)))
        for before in cuts:
            yield f"{_joined(text[:before])}{ELLIPSIS}{_joined(text[before + 1 - letters :])}"
        inside = letters - 2 - 2 * _EDGE
        if inside > 0:
            for start in range(_EDGE + 1, len(text) - inside - _EDGE, max(1, inside // 2)):
                middle = text[start : start + inside]
                yield f"{_joined(text[:_EDGE])}{ELLIPSIS}{_joined(middle)}{ELLIPSIS}{_joined(text[-_EDGE:])}"
        letters += 1
    yield whole


def _letters(text: str) -> Sequence[str]:
    """Return the letters of a text as they are read: accents stay with theirs, joined emoji and flags are one."""
    if text.isascii():
        return text
    letters: list[str] = []
    for letter in text:
        code = ord(letter)
        last = letters[-1] if letters else ""
        joined = letter == _JOINER or last.endswith(_JOINER) or code in _SKINS or unicodedata.category(letter)[0] == "M"
        if last and (joined or (code in _FLAGS and len(last) == 1 and ord(last) in _FLAGS)):
            letters[-1] += letter
        else:
            letters.append(letter)
    return letters


def _joined(letters: Sequence[str]) -> str:
    return letters if isinstance(letters, str) else "".join(letters)


@lru_cache(maxsize=256)
def _even_first(letters: int) -> tuple[int, ...]:
    """Return how many letters to keep before the cut of a text of ``letters``, most even first."""
    return tuple(sorted(range(1, letters - 1), key=lambda before: abs(letters - 1 - 2 * before)))


def _worth(text: Sequence[str], before: int, letters: int) -> float:
    """Return how well a text of ``letters`` reads that keeps ``before`` letters before the cut."""
    after = letters - 1 - before
    ends = text[before - 1] in SEPARATORS or text[before] in SEPARATORS
    begins = text[-after] in SEPARATORS or text[-after - 1] in SEPARATORS
    return _BOUNDARY * (ends + begins) - _EVEN * abs(before - after)
