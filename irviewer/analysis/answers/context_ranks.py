"""Between which ranks of the context a document stands, where the list is not open but the references are.

References may keep the order of the list that a model was given. That is not assumed: it is taken to be so where two or
more systems have pairs of documents of a topic in common and none of them is in another order. Then a document stands
behind those that references name before it, and before those that they name behind it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from irviewer.model.answers.answers import Answers
from irviewer.model.arrays import Ints, frozen
from irviewer.model.run import Run
from irviewer.translation import decimal

LEAST_PAIRS = 20
"""Pairs of documents that systems must have in common, all in one order."""


class ContextRanks:
    """The references of systems that were given one list, whose documents have ranks between bounds.

    context   the number of documents of the list that models saw, 0 where that is not said: then there is no upper
              bound
    """

    def __init__(self, systems: Sequence[Run], context: int = 0) -> None:
        self._answers = [
            run.answered.answers for run in systems
            if run.answered is not None and run.answered.answers is not None and not run.answered.with_list
        ]  # fmt: skip
        self._context = context
        self._known: dict[str, dict[str, tuple[int, int]]] = {}

    @cached_property
    def ordered(self) -> bool:
        """Whether references keep the order of the list, as far as pairs that two systems have tell."""
        pairs = 0
        for topic in dict.fromkeys(topic for answers in self._answers for topic in answers.topics):
            chains, count = self._chains(topic)
            seen = np.zeros((count, count), dtype=np.bool_)
            for chain in chains:
                first, second = (chain[side] for side in _pairs(len(chain)))
                if np.any(seen[second, first]):
                    return False
                pairs += int(np.count_nonzero(seen[first, second]))
                seen[first, second] = True
        return pairs >= LEAST_PAIRS

    def of(self, topic: str, document: str) -> tuple[int, int]:
        """Return the least and the greatest rank of a document; 0 for one that cannot be told."""
        if not self.ordered:
            return 0, 0
        if topic not in self._known:
            self._known[topic] = self._bounds(topic)
        return self._known[topic].get(document, (0, 0))

    def _chains(self, topic: str) -> tuple[list[Ints], int]:
        """Return the references of each system as numbers of documents, and how many documents there are."""
        numbers: dict[str, int] = {}
        chains = [
            np.array([numbers.setdefault(each, len(numbers)) for each in _distinct(answers, topic)], dtype=np.int64)
            for answers in self._answers
        ]
        return chains, len(numbers)

    def _bounds(self, topic: str) -> dict[str, tuple[int, int]]:
        chains = [_distinct(answers, topic) for answers in self._answers]
        next_ones: dict[str, set[str]] = {}
        for chain in chains:
            for place, document in enumerate(chain):
                next_ones.setdefault(document, set()).update(chain[place + 1 : place + 2])
        order = _sorted(next_ones)
        number_of = {document: number for number, document in enumerate(order)}
        behind = np.zeros((len(order), len(order)), dtype=np.bool_)
        for number in range(len(order) - 1, -1, -1):
            following = [number_of[each] for each in next_ones[order[number]]]
            behind[number] = behind[following].any(axis=0)
            behind[number, following] = True
        low = (behind.sum(axis=0) + 1).tolist()
        high = np.maximum(self._context - behind.sum(axis=1), 0).tolist()
        return {document: (low[number], high[number]) for number, document in enumerate(order)}


def bounds_text(low: int, high: int) -> str | None:
    """Return between which ranks a document stands, such as ≥ 3, ≤ 7; None where nothing is known of it."""
    if not low:
        return None
    if low == high:
        return decimal(f"{low:,}")
    least = f"≥ {decimal(f'{low:,}')}"
    return f"{least}, ≤ {decimal(f'{high:,}')}" if high else least


def _distinct(answers: Answers, topic: str) -> list[str]:
    return list(dict.fromkeys(answers.references_of(topic)))


@lru_cache(maxsize=128)
def _pairs(count: int) -> tuple[Ints, Ints]:
    """Return the places of the first and of the second of every two of so many, the first before the second."""
    first, second = np.triu_indices(count, 1)
    return frozen(first), frozen(second)


def _sorted(next_ones: dict[str, set[str]]) -> list[str]:
    """Return documents so that each stands before those that follow it; none where some are in a circle."""
    waiting = dict.fromkeys(next_ones, 0)
    for others in next_ones.values():
        for other in others:
            waiting[other] += 1
    ready, order = [document for document, count in waiting.items() if not count], []
    while ready:
        document = ready.pop()
        order.append(document)
        for other in next_ones[document]:
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    if len(order) < len(next_ones):  # three lists can go round although no two differ
        return []
    return order
