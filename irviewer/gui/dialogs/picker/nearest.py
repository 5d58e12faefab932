"""The nearest known words to words that nothing matches, for typing errors.

Pure functions without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CLOSE = 0.6
"""The least similarity of two words, as difflib has it: 1 for equal ones."""


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
