"""The measures of C/W/L, compatibility and accuracy once more, in plain loops rank by rank, from the definitions.

A *list* is one query's ranking as grades, ``None`` where the qrels do not list the document."""

from __future__ import annotations

import math
from collections.abc import Callable

from brute import Brute, Grades, Ranking, divide, is_rel, relevant_within, set_relative_p

DEPTH = 1000


def gains(ranking: Ranking, low: float, high: float, depth: int) -> list[float]:
    """Gains between 0 and 1 at ranks 1 … depth; 0 past the end of the list."""
    gained = [
        0.0 if grade is None else (min(max(grade, 0.0, low), high) - low) / (high - low) for grade in ranking[:depth]
    ]
    return gained + [0.0] * (depth - len(gained))


def attended(g: list[float], going_on: Callable[[int, float, float], float]) -> float:
    """Σ W g; ``going_on(rank, gain here, gain so far)`` is C."""
    reach, total, seen, value = 1.0, 0.0, 0.0, 0.0
    for rank, gain in enumerate(g, start=1):
        total += gain
        seen += reach
        value += reach * gain
        reach *= going_on(rank, gain, total)
    return divide(value, seen)


def inst(ranking: Ranking, t: float, low: float, high: float) -> float:
    def going_on(rank: int, gain: float, total: float) -> float:
        return ((rank + t + (t - total) - 1) / (rank + t + (t - total))) ** 2

    return attended(gains(ranking, low, high, DEPTH), going_on)


def insq(ranking: Ranking, t: float, low: float, high: float, depth: int = DEPTH) -> float:
    return attended(gains(ranking, low, high, depth), lambda i, g, s: ((i + 2 * t - 1) / (i + 2 * t)) ** 2)


def bpm(ranking: Ranking, t: float, low: float, high: float, k: int) -> float:
    total = 0.0
    for rank, gain in enumerate(gains(ranking, low, high, k), start=1):
        total += gain
        if total >= t - 1e-9:
            return total / rank
    return total / k


def sdcg(ranking: Ranking, low: float, high: float, k: int) -> float:
    g = gains(ranking, low, high, k)
    return sum(gain / math.log2(i + 1) for i, gain in enumerate(g, 1)) / sum(
        1 / math.log2(i + 1) for i in range(1, k + 1)
    )


def nerr8(ranking: Ranking, low: float, high: float, k: int) -> float:
    return attended(gains(ranking, low, high, k), lambda i, g, s: 1 - g)


def nerr9(ranking: Ranking, low: float, high: float, k: int) -> float:
    return attended(gains(ranking, low, high, k), lambda i, g, s: i / (i + 1) * (1 - g))


def nerr10(ranking: Ranking, p: float, low: float, high: float) -> float:
    return attended(gains(ranking, low, high, DEPTH), lambda i, g, s: p * (1 - g))


def nerr11(ranking: Ranking, t: float, low: float, high: float) -> float:
    return attended(gains(ranking, low, high, DEPTH), lambda i, g, s: ((i + 2 * t - 1) / (i + 2 * t)) ** 2 * (1 - g))


def compatibility(ranking: Ranking, grades: Grades, p: float, normalize: bool = True) -> float:
    """RBO of sets grown rank by rank; returned documents are told apart by number, the others by a text."""
    run: list[object] = list(range(len(ranking)))
    left = sorted((grade for grade in grades if grade > 0), reverse=True)
    ideal: list[tuple[float, object]] = []
    for place, grade in enumerate(ranking):
        if grade is not None and grade > 0:
            ideal.append((grade, place))
            left.remove(grade)
    ideal = sorted(ideal, key=lambda pair: -pair[0])
    for number, grade in enumerate(left):  # after those of the same grade that were returned
        after = sum(1 for pair in ideal if pair[0] >= grade)
        ideal.insert(after, (grade, f"missed {number}"))
    best = [pair[1] for pair in ideal]
    depth = max(len(run), len(best))

    def rbo(a: list[object], b: list[object]) -> float:
        total = sum(p ** (i - 1) * len(set(a[:i]) & set(b[:i])) / i for i in range(1, depth + 1))
        return divide(total, sum(p ** (i - 1) for i in range(1, depth + 1)))

    return divide(rbo(run, best), rbo(best, best)) if normalize else rbo(run, best)


def accuracy(ranking: Ranking, level: float, k: int | None = None) -> float:
    top = ranking[:k]
    relevant = relevant_within(top, level)
    pairs = right = 0
    for i, above in enumerate(top):
        for below in top[i + 1 :]:
            if is_rel(above, level) != is_rel(below, level):
                pairs += 1
                right += is_rel(above, level)
    return (right / pairs if pairs else 1.0) if relevant else 0.0


def top_grade(highest: float) -> float:
    return max(1.0, highest)


MEASURES: dict[str, Brute] = {
    "INST": lambda x, g, n, t: inst(x, 1, 0, top_grade(t)),
    "INST(T=0.5,min_rel=1,max_rel=5)": lambda x, g, n, t: inst(x, 0.5, 1, 5),
    "INSQ": lambda x, g, n, t: insq(x, 1, 0, top_grade(t)),
    "INSQ(T=2.5,depth=4)": lambda x, g, n, t: insq(x, 2.5, 0, top_grade(t), 4),
    "BPM@3": lambda x, g, n, t: bpm(x, 1, 0, top_grade(t), 3),
    "BPM(T=0.5)@10": lambda x, g, n, t: bpm(x, 0.5, 0, top_grade(t), 10),
    "SDCG@4": lambda x, g, n, t: sdcg(x, 0, top_grade(t), 4),
    "SDCG(min_rel=1,max_rel=3)@2": lambda x, g, n, t: sdcg(x, 1, 3, 2),
    "NERR8@4": lambda x, g, n, t: nerr8(x, 0, top_grade(t), 4),
    "NERR9@4": lambda x, g, n, t: nerr9(x, 0, top_grade(t), 4),
    "NERR10": lambda x, g, n, t: nerr10(x, 0.9, 0, top_grade(t)),
    "NERR10(p=1)": lambda x, g, n, t: nerr10(x, 1, 0, top_grade(t)),
    "NERR11(T=2)": lambda x, g, n, t: nerr11(x, 2, 0, top_grade(t)),
    "Compat": lambda x, g, n, t: compatibility(x, g, 0.95),
    "Compat(p=0.5)": lambda x, g, n, t: compatibility(x, g, 0.5),
    "Compat(p=1,normalize=False)": lambda x, g, n, t: compatibility(x, g, 1, False),
    "Accuracy": lambda x, g, n, t: accuracy(x, n),
    "SetP(relative=True)": lambda x, g, n, t: set_relative_p(x, g, n),
    "NumRet(rel=2)": lambda x, g, n, t: relevant_within(x, 2),
    "Accuracy@3": lambda x, g, n, t: accuracy(x, n, 3),
}
