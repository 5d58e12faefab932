"""Preferences and judgment groups once more, in plain loops from trec_eval's description of them. Imports nothing of
irviewer.

A query's judgments are {group: {subgroup: {document: level}}}, its ranking a list of document ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

Group = Mapping[str, Mapping[str, float]]
Groups = Mapping[str, Group]


def divide(a: float, b: float) -> float:
    return a / b if b else 0.0


def preferred(group: Group) -> set[tuple[str, str]]:
    """Every (better, worse) of one group; what follows from two in different subgroups included."""
    pairs = {(a, b) for levels in group.values() for a in levels for b in levels if levels[a] > levels[b]}
    while len(group) > 1:
        more = {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs
        if not more:
            break
        pairs |= more
    return pairs


def contradicts(group: Group) -> bool:
    """Two orders at once, or a document non-relevant in one subgroup and relevant in another."""
    pairs = preferred(group)
    levels: dict[str, set[bool]] = {}
    for level_of in group.values():
        for document, level in level_of.items():
            if level >= 0:
                levels.setdefault(document, set()).add(level > 0)
    both = len(group) > 1 and any(len(documents_of_level) > 1 for documents_of_level in levels.values())
    return any((b, a) in pairs for a, b in pairs) or any(a == b for a, b in pairs) or both


def counts(group: Group, ranking: Sequence[str], pairs: str) -> tuple[int, int]:
    """Fulfilled and possible preferences."""
    place = {document: rank for rank, document in enumerate(ranking)}
    ful = possible = 0
    for a, b in preferred(group):
        if a in place and b in place:
            possible += 1
            ful += place[a] < place[b]
        elif a in place or b in place:
            possible += pairs != "ret"
            ful += pairs != "ret" and a in place
        else:
            possible += pairs == "all"
    return ful, possible


def simple(groups: Groups, ranking: Sequence[str], pairs: str) -> float:
    every = [counts(group, ranking, pairs) for group in groups.values()]
    return divide(sum(ful for ful, _ in every), sum(possible for _, possible in every))


def by_group(groups: Groups, ranking: Sequence[str], pairs: str) -> float:
    return sum(divide(*counts(group, ranking, pairs)) for group in groups.values()) / len(groups)


def by_pair(groups: Groups, ranking: Sequence[str], pairs: str) -> float:
    """Of each pair of documents that someone has a preference about, the share of groups that want the run's order."""
    place = {document: rank for rank, document in enumerate(ranking)}
    orders = [preferred(group) for group in groups.values()]
    documents = sorted({document for group in groups.values() for levels in group.values() for document in levels})
    total, number = 0.0, 0
    for a, b in combinations(documents, 2):
        first = sum((a, b) in order for order in orders)
        second = sum((b, a) in order for order in orders)
        known = (a in place) + (b in place)
        if not first + second or (pairs == "ret" and known < 2) or (pairs == "imp" and not known):
            continue
        number += 1
        if known:
            a_above = a in place and (b not in place or place[a] < place[b])
            total += (first if a_above else second) / (first + second)
    return divide(total, number)


def limited(groups: Groups, ranking: Sequence[str], pairs: str) -> float:
    """prefs_avgjg_Rnonrel for complete orders (one subgroup a group), in the terms of its description: R documents of
    level 0 and no more; against those R every document of the group is counted, themselves too, as trec_eval does."""
    place = {document: rank for rank, document in enumerate(ranking)}
    values = []
    for group in groups.values():
        (levels,) = group.values()
        order = sorted(levels, key=lambda document: (document not in place, place.get(document, 0), document.encode()))
        counted = [document for document in order if document in place] if pairs == "ret" else order
        relevant = [document for document in counted if levels[document] > 0]
        others = [document for document in counted if levels[document] <= 0]
        ful, possible = counts(group, ranking, pairs)
        if len(relevant) >= len(others):
            missing = len(relevant) - len(others)
            ful += missing * sum(document in place for document in relevant)
            possible += missing * sum(level > 0 for level in levels.values())
        else:
            above = {document: level for document, level in levels.items() if level > 0}
            ful, possible = counts({"": above}, ranking, pairs)
            for other in others[: len(relevant)]:
                possible += len(counted)
                ful += sum(document in place and counted.index(document) < counted.index(other) for document in counted)
        if not possible:
            return 0.0
        values.append(ful / possible)
    return sum(values) / len(values)


def per_group(measure: str, grades: Mapping[str, float], ranking: Sequence[str], level: float, cutoff: float) -> float:
    """AP, P@k or P@int(mR + .9) by one group's judgments."""
    relevant = [grades.get(document, -1) >= level for document in ranking]
    number = sum(grade >= level for grade in grades.values())
    if measure == "P":
        return sum(relevant[: int(cutoff)]) / cutoff
    if measure == "Rprec":
        depth = int(cutoff * number + 0.9)
        return divide(sum(relevant[:depth]), depth)
    return divide(
        sum(sum(relevant[: rank + 1]) / (rank + 1) for rank, is_relevant in enumerate(relevant) if is_relevant), number
    )
