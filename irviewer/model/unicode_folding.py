"""Texts made equal that a reader takes for the same: case, ways of writing a letter down, accents that were not typed.

Only the standard library's Unicode tables are asked, so that any script is served; no language is guessed."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, combining, normalize

IGNORED = "\u00ad\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Soft hyphen, joiners and variants of a glyph: inside a word, and no letter of it. The inside of a regex class."""
_IGNORED = re.compile(f"[{IGNORED}]")


def fold(text: str) -> str:
    """The text in the form in which equal texts are equal: without case (ß is ss), composed, without wide and narrow
    variants. Its length may differ."""
    if text.isascii():
        return text.lower()
    return normalize("NFKC", normalize("NFKC", _IGNORED.sub("", text)).casefold())


def bare(folded: str) -> str:
    """A folded text without accents (naïve: naive), Hebrew and Arabic vowel points. The signs of Indic scripts, of Thai
    and of kana are letters to their readers, and stay."""
    if folded.isascii():
        return folded
    # The combining classes tell: 10 to 36 are points, 200 and above accents; 7 to 9 and 84 to 132 are parts of letters.
    kept = (
        letter for letter in normalize("NFD", folded) if not (10 <= combining(letter) <= 36 or combining(letter) >= 200)
    )
    return normalize("NFC", "".join(kept))


@lru_cache(maxsize=65_536)
def both_forms(text: str) -> tuple[str, str]:
    """(folded, folded and bare) of a text that is asked for again and again, such as a query's."""
    folded = fold(text)
    return folded, bare(folded)


def holds(wanted: str, text: str) -> bool:
    """Whether ``wanted`` stands in the text, accents aside where it has none itself."""
    asked, plain = both_forms(wanted)
    folded, without = both_forms(text)
    return asked in (without if asked == plain else folded)


def marks_in(text: str) -> str:
    """The combining marks that occur in the text, sorted: what Python's ``\\w`` lacks of the words of many scripts."""
    return "" if text.isascii() else "".join(sorted(letter for letter in set(text) if category(letter)[0] == "M"))
