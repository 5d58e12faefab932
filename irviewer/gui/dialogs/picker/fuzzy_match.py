"""How well a text answers what was typed: words in any order, their beginnings first, initials run together last.

Pure functions; knows no Qt."""

from __future__ import annotations

import re

_WORDS = re.compile(r"\w+")


def score(typed: str, text: str) -> int | None:
    """How well ``text`` answers ``typed``, higher is better; None where it does not. "" is answered by all, equally.

    Each typed word must be found: at the beginning of the text, of a word, within a word, or as beginnings
    of words run together, "gtq" finding "Go to query"."""
    words = typed.lower().split()
    folded = text.lower()
    if not words:
        return 0
    total = 0
    for word in words:
        place = folded.find(word)
        if place == 0:
            total += 100
        elif place > 0 and not folded[place - 1].isalnum():
            total += 70
        elif " " + word in folded:
            total += 60
        elif place > 0:
            total += 30
        else:
            letters = _in_order(word, folded)
            if letters is None:
                return None
            total += letters
    return total * 4 // len(words) - min(60, len(folded)) // 4


def _in_order(word: str, text: str) -> int | None:
    """15 points where the letters of ``word`` are beginnings of words of ``text``, in order: "gtq", "goqu"."""
    return 15 if len(word) > 1 and _begins(word, _WORDS.findall(text)) else None


def _begins(letters: str, words: list[str]) -> bool:
    """True where ``letters`` can be read from beginnings of ``words``, skipping words but not letters."""
    if not letters:
        return True
    for place, word in enumerate(words):
        for length in range(min(len(letters), len(word)), 0, -1):
            if letters[:length] == word[:length] and _begins(letters[length:], words[place + 1 :]):
                return True
    return False
