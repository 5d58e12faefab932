"""Rankings of the lectures for the tests of the table: B1, B2, G1 and others of Arguello, Manrique, Huang and Fang."""

from __future__ import annotations

import string

import numpy as np

from irviewer.measures.gains import GainRule
from irviewer.session.lecture_table.values import TableRanking

JK = GainRule("jk")


def ranking_of(
    *grades: float, judged: tuple[float, ...] = (), level: float = 1.0, rule: GainRule = JK, relevant: int = 0
) -> TableRanking:
    """A ranking of documents A, B, C … with these grades; ``judged`` are all grades of the query, by default those of
    the ranking and as many more ones as make ``relevant`` relevant documents."""
    every = judged or tuple(grade for grade in grades if grade == grade)
    missing = max(0, relevant - sum(grade >= level for grade in every))
    documents = tuple(string.ascii_uppercase[: len(grades)])
    return TableRanking(documents, np.array(grades, dtype=float), np.array((*every, *[level] * missing)), level, rule)


def at_ranks(ranks: str, n: int, relevant: int) -> TableRanking:
    """A binary ranking with its relevant documents at these ranks."""
    places = {int(rank) for rank in ranks.split()}
    return ranking_of(*(float(rank in places) for rank in range(1, n + 1)), relevant=relevant)


B1 = at_ranks("1 3 4 5 6 7 9", 10, 20)
B2 = at_ranks("1 3 4 5 6 7 9 11 14 20", 20, 10)
G1 = ranking_of(4, 3, 4, 2, 0, 0, 0, 1, 1, 0)
G4 = ranking_of(4, 3, 4, 2, 0, 0, 0, 1, 1, 0, rule=GainRule("jk", ideal="retrieved"))
G5 = ranking_of(4, 3, 4, 2, 0, 0, 0, 1, 1, 0, judged=(4, 4, 3, 3, 3, 2, 2, 1, 1))
G6 = ranking_of(3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
