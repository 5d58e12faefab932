"""Assignments: what one assigner says of each nugget and one system's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.model.answers.labels import FULL, PARTIAL, Labels, odd_labels
from irviewer.model.answers.nuggets import Nuggets, weights_of
from irviewer.model.arrays import Floats, Ints, Strings, frozen
from irviewer.model.shapes import BrokenError


@dataclass(frozen=True, eq=False)
class Assignments:
    """The labels of one assigner for one system.

    nuggets       the nuggets as the assigner was given them, with their importance
    labels        int8[N]: FULL, PARTIAL, NONE, or ODD for a word that no rule knows; ``label_texts`` as in the file
    reasons       Arrow strings [N], "" without one
    answer_texts  the text of each topic that was judged, "" where the file has none
    declared      int64[T]: the length in words that the file states, -1 without one
    origin        the file
    spans         int64[N, 2]: where the text of the topic says the nugget, its first character and the one behind the
                  last, as a judge selected them; -1 where nobody did. None where no label has any
    relabelled    the topics of which the file has other labels of the same nuggets; those ``nuggets.kept`` are here
    """

    nuggets: Nuggets
    labels: Labels
    label_texts: Strings
    reasons: Strings
    answer_texts: tuple[str, ...]
    declared: Ints
    origin: str = ""
    spans: Ints | None = None
    relabelled: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.declared)
        if self.spans is not None and frozen(self.spans).shape != (len(self.labels), 2):
            raise BrokenError(f"{len(self.spans)} spans of {len(self.labels)} labels")
        count, topics = len(self.nuggets.texts), len(self.nuggets.topics)
        if {len(self.labels), len(self.label_texts), len(self.reasons)} != {count} or {
            len(self.answer_texts), len(self.declared)
        } != {topics}:  # fmt: skip
            raise BrokenError(f"{len(self.labels)} labels of {count} nuggets")

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of the nuggets."""
        return self.nuggets.topics

    def credits(self, partial: float) -> Floats:
        """Return float64[N]: 1 for what is said, ``partial`` for what is said in part, else 0."""
        credit: Floats = np.where(self.labels == FULL, 1.0, np.where(self.labels == PARTIAL, partial, 0.0))
        return credit

    def weights(self, kind: str, odd: str) -> Floats:
        """Return float64[N], the weights of the nuggets, as :func:`weights_of`."""
        return weights_of(self.nuggets.importance, kind, odd)

    def span(self, row: int) -> tuple[int, ...]:
        """Return where the text says a nugget, as a judge selected it; () where nobody did."""
        own = () if self.spans is None else tuple(self.spans[row].tolist())
        return own if own and own[0] >= 0 else ()

    @cached_property
    def odd_assignment(self) -> dict[str, int]:
        """The labels that no rule knows, with their counts."""
        return odd_labels(self.labels, self.label_texts)


def spans_of(given: Sequence[tuple[int, ...]]) -> Ints | None:
    """Return spans as an array, a row for each, () as -1; None where all are ()."""
    if not any(given):
        return None
    return frozen(np.array([span or (-1, -1) for span in given], dtype=np.int64))


def same_assignments(first: Assignments, other: Assignments) -> bool:
    """Return whether two values have the same nuggets and labels."""
    return (
        first.topics == other.topics
        and np.array_equal(first.nuggets.offsets, other.nuggets.offsets)
        and first.nuggets.texts.equals(other.nuggets.texts)
        and np.array_equal(first.labels, other.labels)
        and np.array_equal(first.nuggets.importance, other.nuggets.importance)
    )
