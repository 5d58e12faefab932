"""Vital nuggets that an answer says, and whether what says them is backed: with a citation, and with support.

Which sentence says a nugget nobody has labelled: it is taken to be each that has at least half of the nugget's words, a
hint. What no sentence is like cannot be told. These are faults of an answer that scores, a list of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from irviewer.analysis.answers.nugget_matrix import NuggetMatrix
from irviewer.analysis.answers.words import words_of
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Ints
from irviewer.model.run import Run

Backed = Literal["backed", "not_judged", "uncited", "unsupported", "unknown"]
BACKINGS: tuple[Backed, ...] = get_args(Backed)
SHARE = 0.5
"""A sentence with this share of a nugget's words is taken to say it."""


@dataclass(frozen=True, eq=False)
class Backing:
    """The vital nuggets that systems say in full, B of them.

    run, nugget   int64[B]: the system, and the column of the matrix
    kind          int64[B]: the place in BACKINGS
    sentences     the numbers, from 1, of the sentences that are taken to say it
    """

    run: Ints
    nugget: Ints
    kind: Ints
    sentences: tuple[tuple[int, ...], ...]

    def counts(self, systems: int) -> npt.NDArray[np.int64]:
        """Return int64[R, 5]: the number of nuggets of each kind, by system."""
        counts = np.zeros((systems, len(BACKINGS)), dtype=np.int64)
        np.add.at(counts, (self.run, self.kind), 1)
        return counts


def backing_of(matrix: NuggetMatrix, runs: Sequence[Run]) -> Backing:
    """Return how the vital nuggets that systems say in full are backed. ``runs`` are those of the matrix, in order."""
    topics = matrix.topics
    texts = matrix.nuggets.texts.take(matrix.rows).to_pylist()
    words: dict[int, frozenset[str]] = {}
    rows: list[tuple[int, int, int]] = []
    sentences: list[tuple[int, ...]] = []
    for number, run in enumerate(runs):
        answered = run.answered
        answers = None if answered is None else answered.answers
        support = None if answered is None else answered.support
        topic, said, backed = None, [], []
        for place in np.flatnonzero(matrix.vital & (matrix.labels[number] == FULL)).tolist():
            if topics[place] != topic:
                topic = topics[place]
                said = [] if answers is None else [words_of(text) for text in answers.sentences_of(topic)]
                backed = [] if answers is None else _backed(answers, support, topic)
            own = words.get(place)
            if own is None:
                own = words[place] = words_of(texts[place])
            alike = tuple(at for at, each in enumerate(said) if own and len(own & each) >= SHARE * len(own))
            kinds = {backed[at] for at in alike}
            kind = next((kind for kind in ("backed", "not_judged", "unsupported", "uncited") if kind in kinds),
                        "unknown")  # fmt: skip
            rows.append((number, place, BACKINGS.index(kind)))
            sentences.append(tuple(at + 1 for at in alike))
    columns = [np.array([row[column] for row in rows], dtype=np.int64) for column in range(3)]
    return Backing(columns[0], columns[1], columns[2], tuple(sentences))


def _backed(answers: Answers, support: Support | None, topic: str) -> list[Backed]:
    """Return how each sentence of a topic is backed: one judged citation that supports it, in full or in part, is
    enough; one that is not judged may."""
    place = answers.topic_index.get(topic, -1)
    if place < 0:
        return []
    kinds: list[Backed] = []
    for number, sentence in enumerate(range(int(answers.offsets[place]), int(answers.offsets[place + 1]))):
        cited = answers.cited_by(sentence)
        if not cited:
            kinds.append("uncited")
            continue
        known = _labels(support, topic, number)
        labels = [known.get(document, UNJUDGED) for document in cited]
        if any(label in (FULL, PARTIAL) for label in labels):
            kinds.append("backed")
        else:
            kinds.append("not_judged" if UNJUDGED in labels else "unsupported")
    return kinds


def _labels(support: Support | None, topic: str, number: int) -> dict[str, int]:
    """Return the labels of the citations of a sentence (from 0), by document."""
    place = None if support is None else support.topic_index.get(topic)
    if support is None or place is None:
        return {}
    sentence = int(support.offsets[place]) + number
    if sentence >= int(support.offsets[place + 1]):
        return {}
    start, stop = int(support.citation_offsets[sentence]), int(support.citation_offsets[sentence + 1])
    known: dict[str, int] = {}
    for at in range(start, stop):
        known.setdefault(support.cited[at].as_py(), int(support.labels[at]))
    return known
