"""How well a text answers what was typed: words in any order, their beginnings first, letters in order last.

Pure functions; knows no Qt."""

from __future__ import annotations


def score(typed: str, text: str) -> int | None:
    """How well ``text`` answers ``typed``, higher is better; None where it does not. "" is answered by all, equally.

    Each typed word must be found: at the beginning of the text, of a word, within a word, or (for one word only) as
    letters in order, "gtq" finding "Go to query"."""
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
    """Up to 25 points where the letters of ``word`` stand in ``text`` in order and most of them begin a word."""
    place = -1
    begins = 0
    for letter in word:
        place = text.find(letter, place + 1)
        if place < 0:
            return None
        begins += place == 0 or not text[place - 1].isalnum()
    return 25 * begins // len(word) if len(word) > 1 and begins * 2 >= len(word) else None
