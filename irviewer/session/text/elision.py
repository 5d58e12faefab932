"""Texts shortened in the middle, only as far as they stay different from each other. Knows letters, no pixels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

ELLIPSIS = "…"
_SEPARATORS = frozenset("_-. /:")
_BOUNDARY = 1.5
"""What a cut at a separator is worth, in letters."""
_EVEN = 0.3
"""What a letter more before the cut than behind it costs."""
_EDGE = 2
"""Letters that stay at both ends where the middle is what differs."""


def distinct_forms(texts: Sequence[str], letters: int, *, at_separators: bool = True) -> tuple[str, ...]:
    """Return each text in at most ``letters`` letters, elided in the middle, best ``at_separators``.

    Different texts have different forms: where forms coincide, other letters of these texts are kept, and where all
    forms of that length coincide, more letters. The forms do not depend on the order of the texts."""
    ladders = {text: _forms(text, max(letters, 2 * _EDGE + 1), at_separators) for text in set(texts)}
    forms = {text: next(ladder) for text, ladder in ladders.items()}
    while True:
        counts = Counter(forms.values())
        if len(counts) == len(forms):
            return tuple(forms[text] for text in texts)
        for text, form in list(forms.items()):
            if counts[form] > 1:
                forms[text] = next(ladders[text], text)


def _forms(text: str, letters: int, at_separators: bool) -> Iterator[str]:
    """Yield ever longer forms of a text, the best of each length first; the last is the text."""
    while len(text) > letters:
        cuts = _even_first(letters)
        if at_separators:
            cuts = tuple(sorted(cuts, key=lambda before: -_worth(text, before, letters)))
        for before in cuts:
            yield f"{text[:before]}{ELLIPSIS}{text[before + 1 - letters :]}"
        inside = letters - 2 - 2 * _EDGE
        if inside > 0:
            for start in range(_EDGE + 1, len(text) - inside - _EDGE, max(1, inside // 2)):
                middle = text[start : start + inside]
                yield f"{text[:_EDGE]}{ELLIPSIS}{middle}{ELLIPSIS}{text[-_EDGE:]}"
        letters += 1
    yield text


@lru_cache(maxsize=256)
def _even_first(letters: int) -> tuple[int, ...]:
    """Return how many letters to keep before the cut of a text of ``letters``, most even first."""
    return tuple(sorted(range(1, letters - 1), key=lambda before: abs(letters - 1 - 2 * before)))


def _worth(text: str, before: int, letters: int) -> float:
    """Return how well a text of ``letters`` reads that keeps ``before`` letters before the cut."""
    after = letters - 1 - before
    ends = text[before - 1] in _SEPARATORS or text[before] in _SEPARATORS
    begins = text[-after] in _SEPARATORS or text[-after - 1] in _SEPARATORS
    return _BOUNDARY * (ends + begins) - _EVEN * abs(before - after)
