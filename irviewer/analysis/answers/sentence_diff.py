"""Two answers sentence by sentence: what is the same, what was reworded, what only one has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from irviewer.analysis.answers.words import words_of

REWORDED = 0.5
"""Two sentences that share this part of all their words are one sentence, reworded."""
MOST_ALIGNED = 2_000
"""Pairs of sentences beyond which only equal ones are aligned."""


@dataclass(frozen=True)
class AlignedSentence:
    """A row of two answers side by side: the places of the sentences from 0, None where only the other has one.
    ``same``: both have the same text but for white space."""

    first: int | None
    second: int | None
    same: bool = False


def aligned_sentences(first: Sequence[str], second: Sequence[str]) -> tuple[AlignedSentence, ...]:
    """Return two answers aligned in their order: equal sentences first, between them reworded ones by the words that
    they share."""
    plain = [" ".join(text.split()) for text in first], [" ".join(text.split()) for text in second]
    rows: list[AlignedSentence] = []
    for tag, a_start, a_stop, b_start, b_stop in SequenceMatcher(None, *plain, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [AlignedSentence(a, b, True)
                     for a, b in zip(range(a_start, a_stop), range(b_start, b_stop), strict=True)]  # fmt: skip
        else:
            rows += _reworded(first, second, range(a_start, a_stop), range(b_start, b_stop))
    return tuple(rows)


def _reworded(first: Sequence[str], second: Sequence[str], own: range, other: range) -> list[AlignedSentence]:
    """Align what differs: the alignment in order whose pairs share most words."""
    if len(own) * len(other) > MOST_ALIGNED:
        return [*(AlignedSentence(a, None) for a in own), *(AlignedSentence(None, b) for b in other)]
    mine, theirs = [words_of(first[a]) for a in own], [words_of(second[b]) for b in other]
    likeness = [[_jaccard(a, b) for b in theirs] for a in mine]
    best = [[0.0] * (len(other) + 1) for _ in range(len(own) + 1)]
    for a in range(len(own) - 1, -1, -1):
        for b in range(len(other) - 1, -1, -1):
            pair = likeness[a][b] + best[a + 1][b + 1] if likeness[a][b] >= REWORDED else 0.0
            best[a][b] = max(pair, best[a + 1][b], best[a][b + 1])
    rows, a, b = [], 0, 0
    while a < len(own) or b < len(other):
        both = a < len(own) and b < len(other)
        if both and likeness[a][b] >= REWORDED and best[a][b] == likeness[a][b] + best[a + 1][b + 1]:
            rows.append(AlignedSentence(own[a], other[b]))
            a, b = a + 1, b + 1
        elif a < len(own) and (not both or best[a][b] == best[a + 1][b]):
            rows.append(AlignedSentence(own[a], None))
            a += 1
        else:
            rows.append(AlignedSentence(None, other[b]))
            b += 1
    return rows


def _jaccard(first: frozenset[str], other: frozenset[str]) -> float:
    every = len(first | other)
    return len(first & other) / every if every else 0.0
