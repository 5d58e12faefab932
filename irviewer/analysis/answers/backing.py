"""Vital nuggets that an answer says, and whether what says them is backed: with a citation, and with support.

Which sentence says a nugget nobody has labelled: it is taken to be each that has at least half of the nugget's words, a
hint. What no sentence is like cannot be told. These are faults of an answer that scores, a list of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from irviewer.analysis.answers.nugget_matrix import NuggetMatrix
from irviewer.analysis.answers.supported import support_labels
from irviewer.analysis.answers.words import alike_sentences, words_of
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED
from irviewer.model.arrays import Ints
from irviewer.model.run import Run

Backed = Literal["backed", "not_judged", "uncited", "unsupported", "unknown"]
BACKINGS: tuple[Backed, ...] = get_args(Backed)


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


def backing_of(
    matrix: NuggetMatrix, runs: Sequence[Run], *, progress: Callable[[float], None] | None = None
) -> Backing:
    """Return how the vital nuggets that systems say in full are backed. ``runs`` are those of the matrix, in order."""
    topics = matrix.topics
    texts = matrix.nuggets.texts.take(matrix.rows).to_pylist()
    rows: list[tuple[int, int, int]] = []
    sentences: list[tuple[int, ...]] = []
    for number, run in enumerate(runs):
        answered = run.answered
        answers = None if answered is None else answered.answers
        topic: str | None = None
        said: list[frozenset[str]] = []
        backed: list[Backed] = []
        for place in np.flatnonzero(matrix.vital & (matrix.labels[number] == FULL)).tolist():
            if topics[place] != topic:
                topic = topics[place]
                said = [] if answers is None else [words_of(text) for text in answers.sentences_of(topic)]
                backed = [] if answered is None else _backed(answered, topic)
            alike = alike_sentences(texts[place], said)
            kinds = {backed[sentence - 1] for sentence in alike}
            kind = next((kind for kind in ("backed", "not_judged", "unsupported", "uncited") if kind in kinds),
                        "unknown")  # fmt: skip
            rows.append((number, place, BACKINGS.index(kind)))
            sentences.append(alike)
        if progress is not None:
            progress((number + 1) / len(runs))
    columns = [np.array([row[column] for row in rows], dtype=np.int64) for column in range(3)]
    return Backing(columns[0], columns[1], columns[2], tuple(sentences))


def _backed(answered: Answered, topic: str) -> list[Backed]:
    """Return how each sentence of a topic is backed: one judged citation that supports it, in full or in part, is
    enough; one that is not judged may."""
    answers = answered.answers
    place = None if answers is None else answers.topic_index.get(topic)
    if answers is None or place is None:
        return []
    labels = support_labels(answered, topic)
    bounds = answers.citation_offsets[int(answers.offsets[place]) : int(answers.offsets[place + 1]) + 1]
    return [_backing(labels[start:stop]) for start, stop in pairwise((bounds - bounds[0]).tolist())]


def _backing(labels: list[int]) -> Backed:
    """Return how a sentence is backed whose citations have these labels."""
    if not labels:
        return "uncited"
    if FULL in labels or PARTIAL in labels:
        return "backed"
    return "not_judged" if UNJUDGED in labels else "unsupported"
