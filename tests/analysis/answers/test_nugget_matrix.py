"""Labels of assignments for the nuggets of another set: by place, checked by text; else by text."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from irviewer.analysis.answers.nugget_matrix import aligned
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.labels import UNJUDGED
from irviewer.model.answers.nuggets import Nuggets, within
from irviewer.model.arrays import offsets_of, strings


def nuggets_of(topics: dict[str, list[str]]) -> Nuggets:
    texts = [text for own in topics.values() for text in own]
    return Nuggets(
        "made", tuple(topics), ("",) * len(topics), offsets_of(np.array([len(own) for own in topics.values()])),
        strings(texts), np.ones(len(texts), dtype=np.int8), strings([""] * len(texts)),
    )  # fmt: skip


def assigned(topics: dict[str, list[str]], labels: list[int]) -> Assignments:
    count = len(labels)
    return Assignments(
        nuggets_of(topics), np.array(labels, dtype=np.int8), strings([""] * count), strings([""] * count),
        ("",) * len(topics), np.full(len(topics), -1, dtype=np.int64),
    )  # fmt: skip


def test_the_same_texts_cut_into_topics_elsewhere() -> None:
    """Then the middle one is of another topic: nobody labelled it."""
    theirs = assigned({"1": ["a", "b"], "2": ["c"]}, [2, 2, 1])
    assert aligned(nuggets_of({"1": ["a"], "2": ["b", "c"]}), theirs).tolist() == [2, UNJUDGED, 1]


@pytest.mark.parametrize("seed", range(20))
def test_a_plain_loop(seed: int) -> None:
    dice = random.Random(seed)
    ours, theirs = (
        {topic: dice.choices("abcd", k=dice.randint(0, 5)) for topic in dice.sample("123", dice.choice((2, 3)))}
        for _ in range(2)
    )
    labels = [dice.choice((0, 1, 2)) for own in theirs.values() for _ in own]
    given: dict[str, list[int]] = {}
    at = 0
    for topic, own in theirs.items():
        given[topic] = labels[at : at + len(own)]
        at += len(own)
    wanted = []
    for topic, own in ours.items():
        others = theirs.get(topic, [])
        labelled: list[int | None] = [
            given[topic][place] if others[place : place + 1] == [text] else None for place, text in enumerate(own)
        ]
        left = [place for place, text in enumerate(others) if own[place : place + 1] != [text]]
        used: set[str] = set()
        for place, text in enumerate(own):
            first = next((each for each in left if others[each] == text), None)
            if labelled[place] is None and first is not None and text not in used:
                labelled[place] = given[topic][first]
                used.add(text)
        wanted += [UNJUDGED if label is None else label for label in labelled]
    assert aligned(nuggets_of(ours), assigned(theirs, labels)).tolist() == wanted


@pytest.mark.parametrize("seed", range(20))
def test_nuggets_are_some_of_others_as_counters_say(seed: int) -> None:
    dice = random.Random(seed)
    wanted = {topic: dice.choices("abcd", k=dice.randint(0, 5)) for topic in dice.sample("123", dice.choice((2, 3)))}
    other = dice.choice("abcdx")
    returned = {
        topic: dice.choice((own, own[1:], own[::-1], [*own, other][: len(own) + dice.randint(0, 1)]))
        for topic, own in dice.sample([*wanted.items()], len(wanted))
    }
    if dice.random() < 0.5:
        returned["4"] = ["z"]
    vital = dice.choice("abcd")

    def counted(topics: dict[str, list[str]]) -> dict[str, Counter[tuple[str, bool]]]:
        return {topic: Counter((text, text == vital) for text in own) for topic, own in topics.items()}

    def with_importance(topics: dict[str, list[str]]) -> Nuggets:
        nuggets = nuggets_of(topics)
        importance = np.array([text == vital for text in nuggets.texts.to_pylist()], dtype=np.int8)
        return replace(nuggets, importance=importance)

    known = counted(wanted)
    every = all(not own - known[topic] for topic, own in counted(returned).items() if topic in known)
    assert within(with_importance(returned), with_importance(wanted)) is every
    unlike = replace(with_importance(wanted), importance=np.full(sum(map(len, wanted.values())), 2, dtype=np.int8))
    assert within(with_importance(returned), unlike) is not any(
        returned[topic] for topic in returned if topic in wanted
    )
