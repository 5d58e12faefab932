"""Diversity measures once more, in plain loops from the papers' definitions. Imports nothing of irviewer.

A query is its ranking (document ids) and its judgments, {document: {subtopic: grade}}."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

Judgments = Mapping[str, Mapping[str, float]]
Discount = Callable[[int], float]


def by_rank(rank: int) -> float:
    return 1 / rank


def by_logarithm(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def relevant(judgments: Judgments, document: str, level: float) -> list[str]:
    """The subtopics that a document is relevant to."""
    return sorted(topic for topic, grade in judgments.get(document, {}).items() if grade >= level and grade >= 0)


def subtopics(judgments: Judgments, level: float) -> set[str]:
    return {topic for document in judgments for topic in relevant(judgments, document, level)}


def gain_of(ranking: Sequence[str], judgments: Judgments, alpha: float, discount: Discount, level: float) -> float:
    seen: dict[str, int] = {}
    total = 0.0
    for rank, document in enumerate(ranking, start=1):
        for topic in relevant(judgments, document, level):
            total += (1 - alpha) ** seen.get(topic, 0) * discount(rank)
            seen[topic] = seen.get(topic, 0) + 1
    return total


def ideal_order(judgments: Judgments, alpha: float, level: float) -> list[str]:
    """Greedy: the document of most gain next; of several the one whose id is last as bytes."""
    left = [document for document in judgments if relevant(judgments, document, level)]
    seen: dict[str, int] = {}
    order: list[str] = []
    while left:

        def worth(document: str) -> tuple[float, bytes]:
            gain = sum((1 - alpha) ** seen.get(topic, 0) for topic in relevant(judgments, document, level))
            return round(gain, 12), document.encode()

        best = max(left, key=worth)
        left.remove(best)
        order.append(best)
        for topic in relevant(judgments, best, level):
            seen[topic] = seen.get(topic, 0) + 1
    return order


def depth_of(ranking: Sequence[str], judgments: Judgments, level: float, k: int | None) -> int:
    return k if k is not None else max(len(ranking), len(ideal_order(judgments, 0.5, level)))


def divide(a: float, b: float) -> float:
    return a / b if b else 0.0


def against_all(
    ranking: Sequence[str], judgments: Judgments, alpha: float, discount: Discount, level: float, k: int | None
) -> float:
    """ERR_IA and alpha_DCG: divided by what documents on every subtopic would have."""
    many = len(subtopics(judgments, level))
    best = sum(
        many * (1 - alpha) ** (rank - 1) * discount(rank)
        for rank in range(1, depth_of(ranking, judgments, level, k) + 1)
    )
    return divide(gain_of(ranking[:k], judgments, alpha, discount, level), best)


def against_ideal(
    ranking: Sequence[str], judgments: Judgments, alpha: float, discount: Discount, level: float, k: int | None
) -> float:
    """nERR_IA, alpha_nDCG, nNRBP."""
    ideal = ideal_order(judgments, alpha, level)[:k]
    return divide(
        gain_of(ranking[:k], judgments, alpha, discount, level), gain_of(ideal, judgments, alpha, discount, level)
    )


def nrbp(ranking: Sequence[str], judgments: Judgments, alpha: float, beta: float, level: float) -> float:
    gain = gain_of(ranking, judgments, alpha, lambda rank: beta ** (rank - 1), level)
    return divide(gain * (1 - (1 - alpha) * beta), len(subtopics(judgments, level)))


def average_precision(ranking: Sequence[str], judgments: Judgments, level: float, k: int | None) -> float:
    values = []
    for topic in subtopics(judgments, level):
        on_topic = [document for document in judgments if topic in relevant(judgments, document, level)]
        hits, total = 0, 0.0
        for rank, document in enumerate(ranking[:k], start=1):
            if document in on_topic:
                hits += 1
                total += hits / rank
        values.append(total / len(on_topic))
    return divide(sum(values), len(values))


def precision(ranking: Sequence[str], judgments: Judgments, level: float, k: int | None) -> float:
    many = len(subtopics(judgments, level))
    total = sum(len(relevant(judgments, document, level)) for document in ranking[:k])
    return divide(total, many * (len(ranking) if k is None else k))


def recall(ranking: Sequence[str], judgments: Judgments, level: float, k: int | None) -> float:
    every = subtopics(judgments, level)
    met = {topic for document in ranking[:k] for topic in relevant(judgments, document, level)}
    return divide(len(met), len(every))
