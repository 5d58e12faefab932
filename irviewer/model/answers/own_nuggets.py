"""Nuggets that the user writes or changes, over those of a file, which do not change.

A nugget of a topic has a number that stays when others are added, split or joined: those of a file are numbered by
their place, from 0, and new ones go on from the highest number that was ever given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.model.answers.labels import IMPORTANCE, codes_of
from irviewer.model.answers.nuggets import Links, Nuggets
from irviewer.model.arrays import Floats, frozen, offsets_of, strings

NUGGETS_HERE = "nuggets"
"""The name of nuggets that were written without a file."""


@dataclass(frozen=True)
class OwnNugget:
    """A nugget of a topic that the user has changed: its number, text and importance ("vital", "okay", or the word of
    the file), and the documents that are known to hold it."""

    number: int
    text: str
    importance: str
    documents: tuple[str, ...] = ()


OwnNuggets = Mapping[str, tuple[OwnNugget, ...]]
"""The whole list of each topic that the user has changed."""


def nuggets_of_topic(nuggets: Nuggets | None, own: OwnNuggets, topic: str) -> tuple[OwnNugget, ...]:
    """Return the nuggets of a topic: the own list where there is one, else those of the file with their places."""
    if topic in own:
        return own[topic]
    if nuggets is None:
        return ()
    rows = nuggets.rows(topic).tolist()
    return tuple(
        OwnNugget(
            place,
            nuggets.texts[row].as_py(),
            nuggets.importance_texts[row].as_py(),
            () if nuggets.links is None else tuple(nuggets.links.documents_of(row)),
        )
        for place, row in enumerate(rows)
    )


def with_own_nuggets(nuggets: Nuggets | None, own: OwnNuggets) -> Nuggets | None:
    """Return the nuggets of a file with the lists of some topics replaced by those of the user; new topics follow. A
    topic without a link in the file, to which nobody has added one, stays one of which nothing is known."""
    if not own:
        return nuggets
    topics = [*(() if nuggets is None else nuggets.topics), *(topic for topic in own if nuggets is None or
                                                             topic not in nuggets.topic_index)]  # fmt: skip
    questions = dict(zip(nuggets.topics, nuggets.questions, strict=True)) if nuggets is not None else {}
    lists = [nuggets_of_topic(nuggets, own, topic) for topic in topics]
    flat = [nugget for each in lists for nugget in each]
    importance = [nugget.importance for nugget in flat]
    known = set() if nuggets is None or nuggets.links is None else set(nuggets.links.topics)
    known |= {topic for topic, each in own.items() if any(nugget.documents for nugget in each)}
    pairs = [(row, document) for row, nugget in enumerate(flat) for document in nugget.documents]
    links = None
    if known:
        rows = frozen(np.array([row for row, _ in pairs], dtype=np.int64))
        links = Links(frozenset(known), rows, strings([document for _, document in pairs]))
    return Nuggets(
        NUGGETS_HERE if nuggets is None else nuggets.name, tuple(topics),
        tuple(questions.get(topic, "") for topic in topics),
        frozen(offsets_of(np.array([len(each) for each in lists], dtype=np.int64))),
        strings([nugget.text for nugget in flat]), codes_of(importance, IMPORTANCE), strings(importance), links,
        _votes(nuggets, topics, lists),
    )  # fmt: skip


def _votes(nuggets: Nuggets | None, topics: Sequence[str], lists: Sequence[tuple[OwnNugget, ...]]) -> Floats | None:
    """Return the votes of the nuggets whose text is that of the file, NaN for those that were written or reworded."""
    if nuggets is None or nuggets.votes is None:
        return None
    votes: list[float] = []
    for topic, own in zip(topics, lists, strict=True):
        rows = nuggets.rows(topic).tolist()
        for nugget in own:
            row = rows[nugget.number] if nugget.number < len(rows) else None
            same = row is not None and nuggets.texts[row].as_py() == nugget.text
            votes.append(float(nuggets.votes[row]) if row is not None and same else float("nan"))
    return frozen(np.array(votes, dtype=np.float64))
