"""A collection with a first stage, a run that re-ranks it, and one that re-ranks the beginning of that."""

from __future__ import annotations

import random

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime

QUERIES = tuple(str(number) for number in range(1, 13))
Lists = dict[str, list[str]]


def staged_lists() -> tuple[dict[str, dict[str, int]], Lists, Lists, Lists, Lists]:
    """Grades, and the rankings of four runs: the first stage, a re-ranking of all its documents, one of the first 15 of
    that, and a run with other documents."""
    dice = random.Random(7)
    grades, first, second, third, other = {}, {}, {}, {}, {}
    for query in QUERIES:
        documents = [f"d{query}-{number}" for number in range(60)]
        grades[query] = {document: dice.choice((0, 0, 1, 2)) for document in dice.sample(documents, 40)}
        first[query] = dice.sample(documents, 30)
        second[query] = dice.sample(first[query], 30)
        third[query] = dice.sample(second[query][:15], 15)
        other[query] = dice.sample(documents, 30)
    return grades, first, second, third, other


def run_of(lists: Lists, name: str) -> Run:
    """Return a run of rankings."""
    scored = {
        query: {document: -float(rank) for rank, document in enumerate(ranking)} for query, ranking in lists.items()
    }
    return Run.from_dict(scored, name=name)


def staged() -> Collection:
    """Return the collection; its runs are "first", "second", "third", "other"."""
    grades, *lists = staged_lists()
    names = ("first", "second", "third", "other")
    judgments = JudgmentSet(Qrels.from_dict(grades), Regime.POOLED)
    return Collection("staged", judgments=(judgments,)).with_runs(
        [run_of(ranking, name) for ranking, name in zip(lists, names, strict=True)]
    )
