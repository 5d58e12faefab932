"""Nuggets: the facts that an answer to a topic should say, each vital or only okay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from irviewer.model.answers.labels import OKAY, VITAL, Labels, odd_labels
from irviewer.model.arrays import Floats, Ints, Strings, frozen, group_of_each, offsets_of, places_of, sizes_of
from irviewer.model.shapes import BrokenError


@dataclass(frozen=True, eq=False)
class Links:
    """Which document holds which nugget.

    topics     the topics of which segments were assigned; of others nothing is known
    nugget     int64[L]: the nugget; ``documents`` Arrow strings [L]: a document that holds it, fully or in part
    """

    topics: frozenset[str]
    nugget: Ints
    documents: Strings

    def documents_of(self, nugget: int) -> list[str]:
        """Return the documents that hold a nugget."""
        return self.documents.take(places_of(np.flatnonzero(self.nugget == nugget))).to_pylist()  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Nuggets:
    """One set of nuggets, N of T topics. A nugget is known by its place within its topic: the same text twice is two.

    topics            the topics in file order; ``questions`` their texts
    offsets           int64[T+1], where each topic's nuggets begin
    texts             Arrow strings [N]
    importance        int8[N]: VITAL, OKAY, or ODD for a word that no rule knows; ``importance_texts`` as in the file
    links             which document holds which nugget, None if nobody has said
    votes             float64[N]: how many assessors call the nugget vital, NaN where the file does not say; None where
                      it says so of no nugget
    twice             the topics of which the file has two different lists; the "first" or the "last" is ``kept``
    """

    name: str
    topics: tuple[str, ...]
    questions: tuple[str, ...]
    offsets: Ints
    texts: Strings
    importance: Labels
    importance_texts: Strings
    links: Links | None = None
    votes: Floats | None = None
    twice: tuple[str, ...] = ()
    kept: str = "first"

    def __post_init__(self) -> None:
        frozen(self.offsets)
        if self.votes is not None:
            frozen(self.votes)
        if (
            len({len(self.texts), len(self.importance), len(self.importance_texts), int(self.offsets[-1])}) > 1
            or (self.votes is not None and len(self.votes) != len(self.texts))
            or len(self.offsets) != len(self.topics) + 1
            or len(set(self.topics)) < len(self.topics)
        ):
            raise BrokenError(f"nuggets {self.name}: {len(self.texts)} of {len(self.topics)} topics")

    @cached_property
    def topic_index(self) -> dict[str, int]:
        """Topic -> its place in ``topics``."""
        return {topic: place for place, topic in enumerate(self.topics)}

    @cached_property
    def topic_of_each(self) -> Ints:
        """int64[N]: the place of each nugget's topic."""
        return group_of_each(self.offsets)

    @cached_property
    def vital_counts(self) -> Ints:
        """int64[T]: the number of vital nuggets."""
        return np.bincount(self.topic_of_each[self.importance == VITAL], minlength=len(self.topics)).astype(np.int64)

    @cached_property
    def odd_words(self) -> dict[str, int]:
        """The words for importance that no rule knows, with their counts."""
        return odd_labels(self.importance, self.importance_texts)

    def rows(self, topic: str) -> Ints:
        """Return the nuggets of a topic as indices into the flat columns."""
        place = self.topic_index.get(topic)
        return np.arange(0) if place is None else np.arange(self.offsets[place], self.offsets[place + 1])


def weights_of(importance: Labels, kind: str, odd: str) -> Floats:
    """Return float64[N], the weights of nuggets by importance: "vital" counts those alone, "weighted" counts okay ones
    half, "all" counts all as 1. A nugget whose importance no rule knows counts in "all" alone; with ``odd`` "okay" it
    is an okay one, with "drop" it counts nowhere."""
    if odd == "okay":
        importance = np.where((importance != VITAL) & (importance != OKAY), OKAY, importance)
    known = (importance == VITAL) | (importance == OKAY)
    of_okay = {"vital": 0.0, "weighted": 0.5, "all": 1.0}[kind]
    of_odd = 1.0 if kind == "all" and odd != "drop" else 0.0
    weights: Floats = np.where(importance == VITAL, 1.0, np.where(known, of_okay, of_odd))
    return weights


def lacking(returned: Nuggets, wanted: Nuggets, topics: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the nuggets of some topics that others lack, by text: int64[L], rows of ``wanted``, and the places of
    their topics in ``returned``. Topics that ``returned`` lacks have none."""
    own, texts = returned.texts.to_pylist(), wanted.texts.to_pylist()
    rows: list[int] = []
    places: list[int] = []
    for topic in topics:
        if topic not in returned.topic_index:
            continue
        left = Counter(own[row] for row in returned.rows(topic).tolist())
        for row in wanted.rows(topic).tolist():
            if left[texts[row]]:
                left[texts[row]] -= 1
            else:
                rows.append(row)
                places.append(returned.topic_index[topic])
    return np.array(rows, dtype=np.int64), np.array(places, dtype=np.int64)


def in_place(nuggets: Nuggets, others: Nuggets) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """Return the nuggets of two sets that stand at the same place of a topic, as two columns int64[M], and whether they
    have the same text, bool[M]."""
    known = others.topic_index
    both = [(place, known[topic]) for place, topic in enumerate(nuggets.topics) if topic in known]
    ours, theirs = np.array(both, dtype=np.int64).reshape(-1, 2).T
    counts = np.minimum(sizes_of(nuggets.offsets)[ours], sizes_of(others.offsets)[theirs])
    bounds = offsets_of(counts)
    within_topic = np.arange(bounds[-1]) - bounds[:-1].repeat(counts)
    rows = nuggets.offsets[ours].repeat(counts) + within_topic
    their_rows = others.offsets[theirs].repeat(counts) + within_topic
    same = pc.equal(nuggets.texts.take(places_of(rows)), others.texts.take(places_of(their_rows)))
    return rows, their_rows, same.to_numpy(zero_copy_only=False)


def within(returned: Nuggets, wanted: Nuggets) -> bool:
    """Return whether nuggets are some of others, in the topics that both have: none has another text or importance."""
    rows, their_rows, same = in_place(returned, wanted)
    same &= returned.importance[rows] == wanted.importance[their_rows]
    kept = np.zeros(len(returned.texts), dtype=np.bool_)
    kept[rows[same]] = True
    moved = {returned.topics[place] for place in np.unique(returned.topic_of_each[~kept]).tolist()}
    moved.intersection_update(wanted.topics)
    if not moved:
        return True
    own, known = (_with_importance(each, moved) for each in (returned, wanted))
    return all(not (Counter(own[topic]) - Counter(known[topic])) for topic in moved)


def _with_importance(nuggets: Nuggets, topics: set[str]) -> dict[str, list[tuple[str, int]]]:
    """Return the text and the importance of each nugget of some topics."""
    return {
        topic: [*zip(nuggets.texts.take(places_of(rows)).to_pylist(), nuggets.importance[rows].tolist(), strict=True)]
        for topic, rows in ((topic, nuggets.rows(topic)) for topic in topics)
    }
