"""Between which ranks of the context a document stands, where the list is not open but the references are.

References may keep the order of the list that a model was given. That is not assumed: it is taken to be so where two or
more systems have pairs of documents of a topic in common and none of them is in another order. Then a document stands
behind those that references name before it, and before those that they name behind it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from irviewer.model.answers.answers import Answers
from irviewer.model.run import Run

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
            seen: set[tuple[str, str]] = set()
            for answers in self._answers:
                own = set(combinations(_distinct(answers, topic), 2))
                if any((second, first) in seen for first, second in own):
                    return False
                pairs += len(own & seen)
                seen |= own
        return pairs >= LEAST_PAIRS

    def of(self, topic: str, document: str) -> tuple[int, int]:
        """Return the least and the greatest rank of a document; 0 for one that cannot be told."""
        if not self.ordered:
            return 0, 0
        if topic not in self._known:
            self._known[topic] = self._bounds(topic)
        return self._known[topic].get(document, (0, 0))

    def _bounds(self, topic: str) -> dict[str, tuple[int, int]]:
        chains = [_distinct(answers, topic) for answers in self._answers]
        next_ones: dict[str, set[str]] = {}
        for chain in chains:
            for place, document in enumerate(chain):
                next_ones.setdefault(document, set()).update(chain[place + 1 : place + 2])
        order = _sorted(next_ones)
        behind: dict[str, frozenset[str]] = {}
        for document in reversed(order):
            every = set(next_ones[document])
            every.update(other for each in next_ones[document] for other in behind[each])
            behind[document] = frozenset(every)
        before = dict.fromkeys(order, 0)
        for others in behind.values():
            for other in others:
                before[other] += 1
        return {
            document: (before[document] + 1, max(self._context - len(behind[document]), 0) if self._context else 0)
            for document in order
        }


def bounds_text(low: int, high: int) -> str | None:
    """Return between which ranks a document stands, such as ≥ 3, ≤ 7; None where nothing is known of it."""
    if not low:
        return None
    if low == high:
        return f"{low:,}"
    return f"≥ {low:,}, ≤ {high:,}" if high else f"≥ {low:,}"


def _distinct(answers: Answers, topic: str) -> list[str]:
    return list(dict.fromkeys(answers.references_of(topic)))


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
