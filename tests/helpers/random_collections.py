"""Random collections in bulk, of every kind that readers meet: grades, second columns, ties, missing queries."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Row = tuple[str, str, str, float]
"""(query, group, document, grade)"""

GRADES: dict[str, tuple[float, ...]] = {
    "binary": (0, 1),
    "graded": (0, 0, 1, 2, 3),
    "negative": (-2, -1, 0, 1, 2),
    "fractions": (0, 0.25, 0.5, 1, 1.5, 2.75),
    "wide": (0, 1, 7, 50),
    "one grade": (2,),
    "nothing relevant": (0, -1),
    "subtopics": (0, 1, 1),
    "people": (0, 1, 2),
}
KINDS = tuple(GRADES)
GROUPED = {"subtopics": ("1", "2", "3"), "people": ("ann", "bob")}
SCORES = {
    "all differ": (),
    "ties": (3.0, 2.0, 1.0),
    "near ties": (2.0, 2.0 + 1e-9, 2.0 + 2e-9, 1.0, 1.0),
    "odd": (float("inf"), float("-inf"), float("nan"), -0.0, 0.0, -1.0, 1.0),
}


@dataclass(frozen=True)
class RandomCollection:
    """A collection: the rows of its qrels, and of its runs."""

    kind: str
    rows: tuple[Row, ...]
    rankings: tuple[dict[str, dict[str, float]], ...]

    @property
    def qrels(self) -> Qrels:
        """The qrels as a reader makes them."""
        return qrels_of(self.rows)

    @property
    def runs(self) -> list[Run]:
        """The runs as a reader makes them."""
        return [Run.from_dict(ranking, name=f"run {number}") for number, ranking in enumerate(self.rankings)]


def qrels_of(rows: tuple[Row, ...] | list[Row]) -> Qrels:
    """Qrels of rows; with a second column where it says anything."""
    queries = list(dict.fromkeys(row[0] for row in rows))
    places = {query: place for place, query in enumerate(queries)}
    codes = np.array([places[row[0]] for row in rows], dtype=np.int64)
    grouped = any(row[1] != "0" for row in rows)
    return Qrels.from_columns(
        tuple(queries), codes, strings([row[2] for row in rows]), np.array([row[3] for row in rows], dtype=np.float64),
        subtopics=strings([row[1] for row in rows]) if grouped else None,
    )  # fmt: skip


def random_collection(
    seed: int, kind: str = "graded", *, queries: int = 8, judged: int = 12, deep: int = 15, runs: int = 2
) -> RandomCollection:
    """A collection: up to ``judged`` documents judged a query, lists down to ``deep``, some missing or empty."""
    dice = random.Random(f"{seed} {kind}")
    pool = [f"d{number}" for number in range(int(1.3 * deep) + judged // 2 + 2)]
    rows: list[Row] = []
    names = [f"q{number}" for number in dice.sample(range(10 * queries), queries)]
    for query in names:
        for doc in dice.sample(pool, min(len(pool), dice.randint(1, judged))):
            groups = GROUPED.get(kind, ("0",))
            said = dice.sample(groups, dice.randint(1, len(groups)))
            rows += [(query, group, doc, float(dice.choice(GRADES[kind]))) for group in said]
    rankings = []
    for _ in range(runs):
        scores = SCORES[dice.choice(list(SCORES))]
        ranking = {}
        for query in (*names, "not judged"):
            if dice.random() < 0.1:
                continue
            retrieved = dice.sample(pool, min(len(pool), dice.choice((0, 1, 2, deep, dice.randint(1, deep)))))
            ranking[query] = {doc: dice.choice(scores) if scores else dice.uniform(-5, 5) for doc in retrieved}
        rankings.append(ranking)
    return RandomCollection(kind, tuple(rows), tuple(rankings))
