"""Every measure once more, in plain Python loops over documents: slow, and written from the definitions alone.

Imports nothing of irviewer. A ranking is one query's list as grades, ``None`` where the qrels do not list a document;
``grades`` are all of the qrels' grades for the query."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Ranking = Sequence[float | None]
Grades = Sequence[float]
NAN = float("nan")


def ranked(scores: Mapping[str, float]) -> list[str]:
    """trec_eval's order: score descending, NaN last, ties by document id descending as bytes."""

    def before(document: str) -> tuple[bool, float]:
        return (True, 0.0) if math.isnan(scores[document]) else (False, -scores[document])

    return sorted(sorted(scores, key=lambda document: document.encode(), reverse=True), key=before)


def graded_list(
    scores: Mapping[str, float], judgments: Mapping[str, float], depth: int | None = None, judged_only: bool = False
) -> list[float | None]:
    """The grades along a ranking, cut at ``depth``, then condensed."""
    grades = [judgments.get(document) for document in ranked(scores)]
    if depth is not None:
        grades = grades[:depth]
    return [grade for grade in grades if grade is not None and grade >= 0] if judged_only else grades


def is_rel(grade: float | None, level: float) -> bool:
    return grade is not None and grade >= level and grade >= 0


def n_rel(grades: Grades, level: float) -> int:
    return sum(1 for grade in grades if is_rel(grade, level))


def divide(a: float, b: float) -> float:
    return a / b if b else 0.0


def relevant_within(ranking: Ranking, level: float, k: int | None = None) -> int:
    return sum(1 for grade in ranking[:k] if is_rel(grade, level))


def precision(ranking: Ranking, grades: Grades, k: int, level: float = 1) -> float:
    return relevant_within(ranking, level, k) / k


def recall(ranking: Ranking, grades: Grades, k: int, level: float = 1) -> float:
    return divide(relevant_within(ranking, level, k), n_rel(grades, level))


def f_at(ranking: Ranking, grades: Grades, k: int, level: float = 1, beta: float = 1) -> float:
    p, r = precision(ranking, grades, k, level), recall(ranking, grades, k, level)
    return divide((beta**2 + 1) * p * r, beta**2 * p + r)


def average_precision(ranking: Ranking, grades: Grades, k: int | None = None, level: float = 1) -> float:
    total = seen = 0.0
    for rank, grade in enumerate(ranking[:k], start=1):
        if is_rel(grade, level):
            seen += 1
            total += seen / rank
    return divide(total, n_rel(grades, level))


def q_measure(ranking: Ranking, grades: Grades, level: float = 1, beta: float = 1) -> float:
    best = sorted((grade for grade in grades if is_rel(grade, level)), reverse=True)
    total = 0.0
    for rank, grade in enumerate(ranking, start=1):
        if is_rel(grade, level):
            seen = [other for other in ranking[:rank] if other is not None and is_rel(other, level)]
            total += (len(seen) + beta * sum(seen)) / (rank + beta * sum(best[:rank]))
    return divide(total, len(best))


def ncg(ranking: Ranking, grades: Grades, k: int | None, level: float = 1) -> float:
    best = sorted((grade for grade in grades if is_rel(grade, level)), reverse=True)
    return divide(sum(grade for grade in ranking[:k] if grade is not None and is_rel(grade, level)), sum(best[:k]))


def gain(grade: float | None, dcg: str = "log2", gains: Mapping[float, float] | None = None) -> float:
    if grade is None:
        return 0.0
    if gains and grade in gains:
        return gains[grade]
    if grade < 0:
        return 0.0
    if gains:
        return grade
    return 2.0**grade - 1 if dcg.startswith("exp") else grade


def discount(rank: int, dcg: str = "log2", base: float = 2) -> float:
    return math.log(max(rank, base), base) if dcg.endswith("jk") else math.log2(rank + 1)


def dcg_at(
    ranking: Ranking, k: int | None = None, dcg: str = "log2", base: float = 2,
    gains: Mapping[float, float] | None = None,
) -> float:  # fmt: skip
    return sum(gain(grade, dcg, gains) / discount(rank, dcg, base) for rank, grade in enumerate(ranking[:k], start=1))


def ndcg_at(
    ranking: Ranking, grades: Grades, k: int | None = None, dcg: str = "log2", base: float = 2,
    gains: Mapping[float, float] | None = None, ideal: str = "judged",
) -> float:  # fmt: skip
    pool = grades if ideal == "judged" else [grade for grade in ranking if grade is not None]
    best = sorted(pool, key=lambda grade: gain(grade, dcg, gains), reverse=True)
    return divide(dcg_at(ranking, k, dcg, base, gains), dcg_at(best, k, dcg, base, gains))


def reciprocal_rank(ranking: Ranking, grades: Grades, k: int | None = None, level: float = 1) -> float:
    return next((1 / rank for rank, grade in enumerate(ranking[:k], start=1) if is_rel(grade, level)), 0.0)


def search_length(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    places = [rank for rank, grade in enumerate(ranking, start=1) if is_rel(grade, level)]
    return places[0] if places else len(ranking) + 1 if ranking else NAN


def r_precision(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    relevant = n_rel(grades, level)
    return divide(relevant_within(ranking[:relevant], level), relevant)


def r_precision_multiple(ranking: Ranking, grades: Grades, factor: float, level: float = 1) -> float:
    k = int(factor * n_rel(grades, level) + 0.9)
    return divide(relevant_within(ranking[:k], level), k)


def bpref(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    relevant = n_rel(grades, level)
    nonrelevant = sum(1 for grade in grades if 0 <= grade < level)
    total, above = 0.0, 0
    for grade in ranking:
        if grade is None or grade < 0:
            continue
        if is_rel(grade, level):
            total += 1 - (min(above, relevant) / min(relevant, nonrelevant) if above else 0)
        else:
            above += 1
    return divide(total, relevant)


def inferred_ap(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    total, pool, rel, non = 0.0, 0, 0, 0
    for rank, grade in enumerate(ranking, start=1):
        if is_rel(grade, level):
            if rank == 1:
                total += 1
            else:
                share = (rel + 0.00001) / (rel + non + 2 * 0.00001)
                total += 1 / rank + (rank - 1) / rank * (pool / (rank - 1)) * share
            rel += 1
        elif grade is not None and grade >= 0:
            non += 1
        pool += grade is not None
    return divide(total, n_rel(grades, level))


def interpolated(ranking: Ranking, grades: Grades, r: float, level: float = 1) -> float:
    wanted = math.floor(r * n_rel(grades, level) + 0.5)
    best, seen = 0.0, 0
    for rank, grade in enumerate(ranking, start=1):
        if is_rel(grade, level):
            seen += 1
            if seen >= wanted:
                best = max(best, seen / rank)
    return best


def best_precision(ranking: Ranking, grades: Grades, r: Fraction, level: float = 1) -> Fraction:
    """Interpolated precision by its definition, in fractions: max P(k) over the ranks k with R(k) >= r."""
    relevant = n_rel(grades, level)
    counts = [relevant_within(ranking, level, k) for k in range(1, len(ranking) + 1)]
    reached = [Fraction(n, k) for k, n in enumerate(counts, start=1) if relevant and Fraction(n, relevant) >= r]
    return max(reached, default=Fraction(0))


def eleven_points(
    ranking: Ranking, grades: Grades, level: float = 1, points: Sequence[float] = tuple(n / 10 for n in range(11))
) -> float:
    return sum(interpolated(ranking, grades, recall_point, level) for recall_point in points) / len(points)


def success(ranking: Ranking, grades: Grades, k: int, level: float = 1) -> float:
    return float(relevant_within(ranking, level, k) > 0)


def rbp(
    ranking: Ranking, grades: Grades, p: float, top: float, level: float | None = None, k: int | None = None
) -> float:
    total = 0.0
    for rank, grade in enumerate(ranking[:k], start=1):
        if level is None:
            total += max(grade or 0.0, 0.0) / top * p ** (rank - 1) if top else 0.0
        else:
            total += is_rel(grade, level) * p ** (rank - 1)
    return (1 - p) * total


def err(ranking: Ranking, grades: Grades, max_rel: float, k: int | None = None) -> float:
    going_on, total = 1.0, 0.0
    for rank, grade in enumerate(ranking[:k], start=1):
        stop = (2 ** max(grade or 0.0, 0.0) - 1) / 2**max_rel
        total += going_on * stop / rank
        going_on *= 1 - stop
    return total


def ideal_order(grades: Grades) -> Ranking:
    return sorted(grades, reverse=True)


def judged(ranking: Ranking, grades: Grades, k: int | None = None) -> float:
    top = ranking[:k]
    return divide(sum(1 for grade in top if grade is not None), len(top))


def unjudged(ranking: Ranking, grades: Grades, k: int) -> float:
    return sum(1 for grade in ranking[:k] if grade is None or grade < 0) / k


def set_p(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    return divide(relevant_within(ranking, level), len(ranking))


def set_r(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    return divide(relevant_within(ranking, level), n_rel(grades, level))


def set_f(ranking: Ranking, grades: Grades, beta: float = 1, level: float = 1) -> float:
    p, r = set_p(ranking, grades, level), set_r(ranking, grades, level)
    return divide((beta**2 + 1) * p * r, beta**2 * p + r)


def trec_set_f(ranking: Ranking, grades: Grades, x: float = 1, level: float = 1) -> float:
    p, r = set_p(ranking, grades, level), set_r(ranking, grades, level)
    return divide((x + 1) * p * r, r + x * p)


def set_ap(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    return set_p(ranking, grades, level) * set_r(ranking, grades, level)


def set_relative_p(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    return divide(relevant_within(ranking, level), min(len(ranking), n_rel(grades, level)))


def relative_p(ranking: Ranking, grades: Grades, k: int, level: float = 1) -> float:
    return divide(relevant_within(ranking, level, k), min(k, n_rel(grades, level)))


def nonrelevant_found(ranking: Ranking, level: float = 1) -> int:
    return sum(1 for grade in ranking if grade is not None and 0 <= grade < level)


def utility(
    ranking: Ranking, grades: Grades, a: float = 1, b: float = -1, c: float = 0, d: float = 0, level: float = 1
) -> float:
    relevant = relevant_within(ranking, level)
    left = sum(1 for grade in grades if 0 <= grade < level) - nonrelevant_found(ranking, level)
    return a * relevant + b * (len(ranking) - relevant) + c * (n_rel(grades, level) - relevant) + d * left


def binary_g(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    total, seen = 0.0, 0
    for rank, grade in enumerate(ranking, start=1):
        if is_rel(grade, level):
            seen += 1
            total += 1 / math.log2(2 + rank - seen)
    return divide(total, n_rel(grades, level))


def ideal_gains(grades: Grades) -> list[float]:
    return sorted((gain(grade) for grade in grades), reverse=True)


def normalised_g(ranking: Ranking, grades: Grades) -> float:
    best = ideal_gains(grades)
    total = cost = so_far = 0.0
    for place, grade in enumerate(ranking):
        cost += max(best[place] if place < len(best) else 0.0, 1.0)
        so_far += gain(grade)
        if gain(grade) > 0:
            total += gain(grade) / math.log2(2 + cost - so_far)
    return divide(total, sum(best))


def ndcg_at_relevant(ranking: Ranking, grades: Grades) -> float:
    ranks = [rank for rank, grade in enumerate(ranking, start=1) if gain(grade) > 0]
    wanted = sum(1 for grade in grades if gain(grade) > 0)
    total = sum(ndcg_at(ranking, grades, rank) for rank in ranks)
    return divide(total + (wanted - len(ranks)) * ndcg_at(ranking, grades), wanted)


def ndcg_at_levels(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    best = [positive for positive in ideal_gains(grades) if positive > 0]
    ends = [place for place in range(1, len(best) + 1) if place == len(best) or best[place] != best[place - 1]]
    values = [ndcg_at(ranking, grades, end) for end in ends]
    if best and len(ranking) > len(best) + 1:
        values.append(ndcg_at(ranking, grades))
    return divide(sum(values), len(values)) if n_rel(grades, level) else 0.0


def yaap(ranking: Ranking, grades: Grades, level: float = 1) -> float:
    total = seen = 0.0
    for rank, grade in enumerate(ranking, start=1):
        if is_rel(grade, level):
            seen += 1
            total += seen / rank
    relevant = n_rel(grades, level)
    return math.log((1 + total) / (1 + relevant - total)) if relevant else 0.0


def residual(ranking: Ranking, grades: Grades, p: float = 0.9) -> float:
    known = [grade is not None and grade >= 0 for grade in ranking]
    if all(known):
        return 0.0  # trec_eval's: not even the tail
    return p ** len(ranking) + (1 - p) * sum(p**place for place, judged_here in enumerate(known) if not judged_here)


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(value, 0.00001)) for value in values) / len(values)) if values else NAN


Brute = Callable[[Ranking, Grades, float, float], float]
"""(ranking, grades, relevance level, highest grade of all qrels) -> value."""

MEASURES: dict[str, Brute] = {
    "AP": lambda x, g, n, t: average_precision(x, g, None, n),
    "AP@3": lambda x, g, n, t: average_precision(x, g, 3, n),
    "gm_map": lambda x, g, n, t: average_precision(x, g, None, n),
    "P@1": lambda x, g, n, t: precision(x, g, 1, n),
    "P@4": lambda x, g, n, t: precision(x, g, 4, n),
    "R@4": lambda x, g, n, t: recall(x, g, 4, n),
    "F@4": lambda x, g, n, t: f_at(x, g, 4, n),
    "F(beta=0.5)@3": lambda x, g, n, t: f_at(x, g, 3, n, 0.5),
    "relative_P@4": lambda x, g, n, t: relative_p(x, g, 4, n),
    "RR": lambda x, g, n, t: reciprocal_rank(x, g, None, n),
    "RR@2": lambda x, g, n, t: reciprocal_rank(x, g, 2, n),
    "SearchLength": lambda x, g, n, t: search_length(x, g, n),
    "Rprec": lambda x, g, n, t: r_precision(x, g, n),
    "Rprec_mult@0.5": lambda x, g, n, t: r_precision_multiple(x, g, 0.5, n),
    "Rprec_mult@1.6": lambda x, g, n, t: r_precision_multiple(x, g, 1.6, n),
    "Bpref": lambda x, g, n, t: bpref(x, g, n),
    "gm_bpref": lambda x, g, n, t: bpref(x, g, n),
    "infAP": lambda x, g, n, t: inferred_ap(x, g, n),
    "IPrec@0": lambda x, g, n, t: interpolated(x, g, 0, n),
    "IPrec@0.3": lambda x, g, n, t: interpolated(x, g, 0.3, n),
    "IPrec@1": lambda x, g, n, t: interpolated(x, g, 1, n),
    "11pt_avg": lambda x, g, n, t: eleven_points(x, g, n),
    "11pt_avg(points=[0,0.25,0.9])": lambda x, g, n, t: eleven_points(x, g, n, (0, 0.25, 0.9)),
    "Success@3": lambda x, g, n, t: success(x, g, 3, n),
    "Q": lambda x, g, n, t: q_measure(x, g, n),
    "Q(beta=10,rel=2)": lambda x, g, n, t: q_measure(x, g, 2, 10),
    "nCG": lambda x, g, n, t: ncg(x, g, None, n),
    "nCG@3": lambda x, g, n, t: ncg(x, g, 3, n),
    "nCG(rel=2)@2": lambda x, g, n, t: ncg(x, g, 2, 2),
    "RBP(p=0.8)": lambda x, g, n, t: rbp(x, g, 0.8, t),
    "RBP(p=0.5)@3": lambda x, g, n, t: rbp(x, g, 0.5, t, None, 3),
    "RBP(p=0.9,rel=2)": lambda x, g, n, t: rbp(x, g, 0.9, t, 2),
    "ERR": lambda x, g, n, t: err(x, g, max(4, t)),
    "ERR(max_rel=6)@3": lambda x, g, n, t: err(x, g, 6, 3),
    "nERR(max_rel=9)": lambda x, g, n, t: divide(err(x, g, 9), err(ideal_order(g), g, 9)),
    "nERR(max_rel=9)@3": lambda x, g, n, t: divide(err(x, g, 9, 3), err(ideal_order(g), g, 9, 3)),
    "CG": lambda x, g, n, t: sum(gain(grade, "", None) for grade in x),
    "CG@3": lambda x, g, n, t: sum(gain(grade, "", None) for grade in x[:3]),
    "DCG": lambda x, g, n, t: dcg_at(x),
    "DCG@3": lambda x, g, n, t: dcg_at(x, 3),
    "DCG(dcg='jk',base=3)@4": lambda x, g, n, t: dcg_at(x, 4, "jk", 3),
    "DCG(dcg='exp-jk')": lambda x, g, n, t: dcg_at(x, None, "exp-jk"),
    "nDCG": lambda x, g, n, t: ndcg_at(x, g),
    "nDCG@3": lambda x, g, n, t: ndcg_at(x, g, 3),
    "nDCG(dcg='exp-log2')@4": lambda x, g, n, t: ndcg_at(x, g, 4, "exp-log2"),
    "nDCG(dcg='jk')@4": lambda x, g, n, t: ndcg_at(x, g, 4, "jk"),
    "nDCG(ideal='retrieved')@4": lambda x, g, n, t: ndcg_at(x, g, 4, ideal="retrieved"),
    "nDCG(gains={0:1,1:5,2:0.5})@4": lambda x, g, n, t: ndcg_at(x, g, 4, gains={0: 1, 1: 5, 2: 0.5}),
    "Judged": lambda x, g, n, t: judged(x, g),
    "Judged@3": lambda x, g, n, t: judged(x, g, 3),
    "unj@3": lambda x, g, n, t: unjudged(x, g, 3),
    "SetP": lambda x, g, n, t: set_p(x, g, n),
    "SetR": lambda x, g, n, t: set_r(x, g, n),
    "SetF": lambda x, g, n, t: set_f(x, g, 1, n),
    "SetF(beta=2)": lambda x, g, n, t: set_f(x, g, 2, n),
    "set_F(x=0.5)": lambda x, g, n, t: trec_set_f(x, g, 0.5, n),
    "SetAP": lambda x, g, n, t: set_ap(x, g, n),
    "SetRelP": lambda x, g, n, t: set_relative_p(x, g, n),
    "utility": lambda x, g, n, t: utility(x, g, level=n),
    "utility(a=2,b=-0.5,c=-1,d=3)": lambda x, g, n, t: utility(x, g, 2, -0.5, -1, 3, n),
    "binG": lambda x, g, n, t: binary_g(x, g, n),
    "G": lambda x, g, n, t: normalised_g(x, g),
    "ndcg_rel": lambda x, g, n, t: ndcg_at_relevant(x, g),
    "Rndcg": lambda x, g, n, t: ndcg_at_levels(x, g, n),
    "yaap": lambda x, g, n, t: yaap(x, g, n),
    "rbp_resid": lambda x, g, n, t: residual(x, g),
    "NumQ": lambda x, g, n, t: 1,
    "NumRet": lambda x, g, n, t: len(x),
    "NumRel": lambda x, g, n, t: n_rel(g, n),
    "NumRelRet": lambda x, g, n, t: relevant_within(x, n),
    "NumRelRet@2": lambda x, g, n, t: relevant_within(x, n, 2),
    "num_nonrel_judged_ret": lambda x, g, n, t: nonrelevant_found(x, n),
}  # fmt: skip
