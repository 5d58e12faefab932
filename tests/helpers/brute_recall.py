"""The high-recall measures once more: a person reads the list, then whatever is left in the worst order."""

from __future__ import annotations

import math

from brute import Brute, Grades, Ranking, dcg_at, divide, is_rel, n_rel, relevant_within


def size(ranking: Ranking, grades: Grades) -> int:
    listed = sum(1 for grade in ranking if grade is not None)
    return len(ranking) + len(grades) - listed


def read_until(ranking: Ranking, grades: Grades, r: float, level: float, n: int) -> int:
    """How many documents are read until a share r of the relevant ones is found; all where the list does not do, 0
    where nothing is relevant."""
    if not n_rel(grades, level):
        return 0
    for rank in range(1, len(ranking) + 1):
        if relevant_within(ranking, level, rank) >= max(1, math.ceil(r * n_rel(grades, level) - 1e-9)):
            return rank
    return n


def wss(ranking: Ranking, grades: Grades, r: float, level: float, n: int | None = None) -> float:
    n = n or size(ranking, grades)
    k = read_until(ranking, grades, r, level, n)
    return (n - k) / n - (1 - r) if n_rel(grades, level) else 0.0


def tnr(ranking: Ranking, grades: Grades, r: float, level: float, n: int | None = None) -> float:
    n = n or size(ranking, grades)
    if not n_rel(grades, level):
        return 0.0
    k = read_until(ranking, grades, r, level, n)
    negatives = n - n_rel(grades, level)
    wanted = max(1, math.ceil(r * n_rel(grades, level) - 1e-9))
    reached = relevant_within(ranking, level) >= wanted
    false_positives = sum(1 for grade in ranking[:k] if not is_rel(grade, level)) if reached else negatives
    return divide(negatives - false_positives, negatives)


def cost(ranking: Ranking, grades: Grades, r: float, level: float, n: float = math.nan) -> float:
    """The same as a cost: what is never reached takes all n documents, which nobody knows where n is not said."""
    wanted = max(1, math.ceil(r * n_rel(grades, level) - 1e-9))
    ranks = [rank for rank in range(1, len(ranking) + 1) if relevant_within(ranking, level, rank) >= wanted]
    return ranks[0] if ranks else n


def effort(ranking: Ranking, grades: Grades, r: float, level: float) -> float:
    return cost(ranking, grades, r, level) / max(size(ranking, grades), 1)


def area(ranking: Ranking, grades: Grades, level: float, n: int | None = None) -> float:
    """Under the curve of found documents by rank, by trapezes, to the end of the collection; over the best one's."""
    n = n or size(ranking, grades)
    relevant = n_rel(grades, level)

    def under(steps: list[bool]) -> float:
        area_so_far = total = 0.0
        for step in steps + [False] * (n - len(steps)):
            total += area_so_far + step / 2
            area_so_far += step
        return total

    return divide(under([is_rel(grade, level) for grade in ranking]), under([True] * relevant))


def last(ranking: Ranking, level: float, n: float = math.nan) -> float:
    return max((rank for rank, grade in enumerate(ranking, 1) if is_rel(grade, level)), default=n)


def ideal_dcg(grades: Grades, k: int | None = None) -> float:
    return dcg_at(sorted(grades, reverse=True), k)


MEASURES: dict[str, Brute] = {
    "Success": lambda x, g, n, t: float(relevant_within(x, n) > 0),
    "AllFound": lambda x, g, n, t: float(0 < n_rel(g, n) == relevant_within(x, n)),
    "AllFound@3": lambda x, g, n, t: float(0 < n_rel(g, n) == relevant_within(x, n, 3)),
    "BudgetRecall(budget=3)": lambda x, g, n, t: divide(relevant_within(x, n, 3), n_rel(g, n)),
    "AllInBudget(budget=3.5)": lambda x, g, n, t: float(0 < n_rel(g, n) == relevant_within(x, n, 3)),
    "IdealDCG": lambda x, g, n, t: ideal_dcg(g),
    "IdealDCG@3": lambda x, g, n, t: ideal_dcg(g, 3),
    "WSS@0.95": lambda x, g, n, t: wss(x, g, 0.95, n),
    "WSS(N=50)@0.5": lambda x, g, n, t: wss(x, g, 0.5, n, 50),
    "TNR@0.95": lambda x, g, n, t: tnr(x, g, 0.95, n),
    "TNR(N=50)@0.4": lambda x, g, n, t: tnr(x, g, 0.4, n, 50),
    "RankAtRecall@1": lambda x, g, n, t: cost(x, g, 1, n),
    "RankAtRecall(N=50)@0.5": lambda x, g, n, t: cost(x, g, 0.5, n, 50),
    "Effort@0.8": lambda x, g, n, t: effort(x, g, 0.8, n),
    "NAURC": lambda x, g, n, t: area(x, g, n),
    "NAURC(N=50)": lambda x, g, n, t: area(x, g, n, 50),
    "Effort(N=50)@0.8": lambda x, g, n, t: cost(x, g, 0.8, n, 50) / 50,
    "LastRel": lambda x, g, n, t: last(x, n),
    "LastRel(N=50)": lambda x, g, n, t: last(x, n, 50),
}
