"""A collection on which means over different queries and the difference over common queries say the opposite."""

from __future__ import annotations

import random

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QUERIES, EASY = 30, 14


def qrels_and_runs(seed: int = 3) -> tuple[Qrels, tuple[Run, Run, Run]]:
    """Qrels of 30 queries and three runs. ``base`` is good on the 14 easy queries and bad on the others; ``part`` has
    the easy ones alone and is worse than ``base`` on them, with a higher mean of its own; ``third`` has all."""
    dice = random.Random(seed)
    qrels = {str(query): {f"d{n}": float(n <= 3) for n in range(1, 11)} for query in range(1, QUERIES + 1)}

    def ranked(share: float) -> dict[str, float]:
        relevant, others = [f"d{n}" for n in range(1, 4)], [f"d{n}" for n in range(4, 11)]
        dice.shuffle(relevant)
        dice.shuffle(others)
        order = []
        while relevant or others:
            first = relevant if relevant and (not others or dice.random() < share) else others
            order.append(first.pop())
        return {document: -float(place) for place, document in enumerate(order)}

    lists: dict[str, dict[str, dict[str, float]]] = {"base": {}, "part": {}, "third": {}}
    for number in range(1, QUERIES + 1):
        lists["base"][str(number)] = ranked(0.8 if number <= EASY else 0.1)
        if number <= EASY:
            lists["part"][str(number)] = ranked(0.5)
        lists["third"][str(number)] = ranked(0.4)
    base, part, third = (Run.from_dict(rankings, name=name) for name, rankings in lists.items())
    return Qrels.from_dict(qrels, name="qrels"), (base, part, third)
