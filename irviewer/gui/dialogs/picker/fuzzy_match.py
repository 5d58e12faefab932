"""Fuzzy matching of typed words: in any order, beginnings of words first, initials last; and the nearest known words to
those that nothing matches, for typing errors.

Pure functions without Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

CLOSE = 0.6
"""The least similarity of two words, as difflib has it: 1 for equal ones."""

_WORDS = re.compile(r"\w+")


def score(typed: str, text: str) -> int | None:
    """Return how well ``text`` matches ``typed`` (higher is better), None if it does not. "" matches all texts equally.

    Each typed word must occur: at the beginning of the text or of a word, within a word, or as beginnings of
    successive words, as "gtq" in "Go to query"."""
    words = typed.lower().split()
    folded = text.lower()
    if not words:
        return 0
    total = 0
    for word in words:
        index = folded.find(word)
        if index == 0:
            total += 100
        elif index > 0 and not folded[index - 1].isalnum():
            total += 70
        elif " " + word in folded:
            total += 60
        elif index > 0:
            total += 30
        else:
            letters = _in_order(word, folded)
            if letters is None:
                return None
            total += letters
    return total * 4 // len(words) - min(60, len(folded)) // 4


def _in_order(word: str, text: str) -> int | None:
    """Return 15 points if the letters of ``word`` are beginnings of words of ``text`` in order: "gtq", "goqu"."""
    return 15 if len(word) > 1 and _begins(word, _WORDS.findall(text)) else None


def _begins(letters: str, words: list[str]) -> bool:
    """Return whether ``letters`` are beginnings of ``words`` in order; words may be skipped."""
    if not letters:
        return True
    for index, word in enumerate(words):
        for length in range(min(len(letters), len(word)), 0, -1):
            if letters[:length] == word[:length] and _begins(letters[length:], words[index + 1 :]):
                return True
    return False


def nearest_text(typed: str, known: Iterable[str]) -> str:
    """Return the typed words with each that is not known replaced by the nearest known word; "" if one has none."""
    vocabulary = sorted(set(known))
    corrected = []
    for word in typed.lower().split():
        if any(other.startswith(word) for other in vocabulary):
            corrected.append(word)
            continue
        close = get_close_matches(word, vocabulary, n=1, cutoff=CLOSE)
        if not close:
            return ""
        corrected.append(close[0])
    return " ".join(corrected)
