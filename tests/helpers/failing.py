"""Collections made at random, as plain dicts, and judged."""

from __future__ import annotations

import random

from irviewer.model.judgments.judged import Judged, judge
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Judgments = dict[str, dict[str, int]]
Ranking = dict[str, list[str]]


def failing_collection(
    seed: int, runs: int = 3, queries: int = 7, documents: int = 30
) -> tuple[Judgments, list[Ranking]]:
    """Qrels with grades -1 to 3, and rankings of many lengths; some queries lack relevant documents, or a list."""
    dice = random.Random(seed)
    names = [f"d{number}" for number in range(documents)]
    qrels: Judgments = {}
    for query in range(1, queries + 1):
        judged = dice.sample(names, dice.randint(1, documents - 5))
        top = 0 if dice.random() < 0.2 else 3
        qrels[str(query)] = {document: dice.choice([-1, 0, 0, 0, min(1, top), min(2, top), top]) for document in judged}
    rankings = []
    for _ in range(runs):
        ranking = {query: dice.sample(names, dice.randint(1, documents)) for query in qrels if dice.random() > 0.15}
        rankings.append(ranking or {"1": names[:3]})
    return qrels, rankings


def judged_of(qrels: Judgments, rankings: list[Ranking]) -> tuple[list[Run], list[Judged]]:
    """The same as values of the model."""
    known = Qrels.from_dict(qrels)
    runs = [
        Run.from_dict(
            {query: {document: -float(place) for place, document in enumerate(ids)} for query, ids in ranking.items()},
            name=f"run{number}",
        )
        for number, ranking in enumerate(rankings)
    ]
    return runs, [judge(run, known) for run in runs]
