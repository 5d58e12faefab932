"""The nugget files of a collection that have different topics, as one judgment set: each is opened as a set of its own,
so that it can be read again and closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.model.answers.nugget_parts import joined_nuggets
from irviewer.model.same import Same
from irviewer.model.workspace import Collection, JudgmentSet


def topics_of(judgments: JudgmentSet) -> frozenset[str]:
    """Return the topics of a file of nuggets that can be a part of a set; none of qrels of documents."""
    nuggets = judgments.read.nuggets
    return frozenset() if nuggets is None or len(judgments.read) else frozenset(nuggets.topics)


def nugget_families(sets: Sequence[JudgmentSet]) -> list[list[int]]:
    """Return the places of the sets that are one: each file of nuggets goes with the first others that have none of its
    topics, those with assignments to segments after those without."""
    families: list[tuple[set[str], list[int]]] = []
    for place in sorted(range(len(sets)), key=lambda place: has_links(sets[place])):
        topics = topics_of(sets[place])
        if not topics:
            continue
        known, family = next((each for each in families if each[0].isdisjoint(topics)), (set[str](), list[int]()))
        if not family:
            families.append((known, family))
        known |= topics
        family.append(place)
    return [family for _, family in families]


def has_links(judgments: JudgmentSet) -> bool:
    """Return whether a set says which documents hold which nugget."""
    nuggets = judgments.read.nuggets
    return nuggets is not None and nuggets.links is not None


def set_count(sets: Sequence[JudgmentSet]) -> int:
    """Return how many sets there are, files of nuggets that are one counted once."""
    return len(sets) - sum([len(family) - 1 for family in nugget_families(sets)])


def with_joined_nuggets(collection: Collection, place: int, evaluation: Evaluation) -> Collection:
    """Return the collection with one judgment set for the nugget files that are one; the set at ``place``, or what it
    is part of, stays there, or is the last. The same collection where there is nothing to join."""
    sets = collection.judgments
    if sum(each.qrels.nuggets is not None for each in sets) < 2:
        return collection
    families = [family for family in nugget_families(sets) if len(family) > 1]
    if not families:
        return collection
    place = min(place, len(sets) - 1)
    own, rest = sets[place], []
    for number, judgments in enumerate(sets):
        family = next((each for each in families if number in each), [number])
        if number != (place if place in family else min(family)):
            continue
        if len(family) > 1:
            judgments = evaluation.shared(
                ("joined nuggets", number, *(Same(sets[each]) for each in family)),
                partial(_joined, judgments, [sets[each] for each in sorted(family)]),
            )
        if number == place:
            own = judgments
        else:
            rest.append(judgments)
    return replace(collection, judgments=(*rest[:place], own, *rest[place:]))


def _joined(first: JudgmentSet, parts: Sequence[JudgmentSet]) -> JudgmentSet:
    """Return the nuggets of files as one set, which is otherwise as the first is."""
    qrels, _ = joined_nuggets([each.read for each in parts])
    own = {topic: nuggets for each in parts for topic, nuggets in each.own_nuggets.items()}
    return replace(first, own_nuggets=own, parts=tuple(each.read.origin for each in parts)).reread(qrels)


def place_of_topic(sets: Sequence[JudgmentSet], place: int, topic: str) -> int:
    """Return the place of the set that has a topic, of those that are one with the set at ``place``, which is returned
    where none has it."""
    family = next((each for each in nugget_families(sets) if place in each), [])
    nuggets = {each: sets[each].qrels.nuggets for each in family}
    return next((each for each, own in nuggets.items() if own is not None and topic in own.topic_index), place)
