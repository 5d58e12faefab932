"""Support: what one judge says of each citation, whether the document supports the sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.model.answers.labels import ODD, UNJUDGED, Labels, odd_labels
from irviewer.model.arrays import Bools, Ints, Strings, frozen, group_of_each
from irviewer.model.shapes import BrokenError


@dataclass(frozen=True, eq=False)
class Support:
    """The labels of one judge for the citations of one system: C citations of S sentences of T topics.

    topics            the topics in file order
    offsets           int64[T+1], where each topic's sentences begin; ``texts`` Arrow strings [S]
    citation_offsets  int64[S+1], where each sentence's citations begin; ``cited`` Arrow strings [C]
    places            int64[C]: the place of the citation among the references, -1 unknown
    labels            int8[C]: FULL, PARTIAL, NONE, UNJUDGED, or ODD for a word that no rule knows
    label_texts       Arrow strings [C], as in the file
    together          int8[S]: the label of all that the sentence cites, read as one; UNJUDGED where nobody has said;
                      None where the file has none
    others            int8[C]: the label of what else the sentence cites, without this citation; likewise
    twice             the topics of which the file has two different answers; the "first" or the "last" is ``kept``
    relabelled        the topics of which the file has other labels of the same answer
    """

    topics: tuple[str, ...]
    offsets: Ints
    texts: Strings
    citation_offsets: Ints
    cited: Strings
    places: Ints
    labels: Labels
    label_texts: Strings
    origin: str = ""
    together: Labels | None = None
    others: Labels | None = None
    twice: tuple[str, ...] = ()
    kept: str = "first"
    relabelled: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for column in (self.offsets, self.citation_offsets, self.places):
            frozen(column)
        counts = {len(self.cited), len(self.places), len(self.labels), len(self.label_texts)}
        if (
            counts != {int(self.citation_offsets[-1])}
            or (self.together is not None and len(self.together) != len(self.texts))
            or (self.others is not None and len(self.others) != len(self.cited))
            or len(self.citation_offsets) != len(self.texts) + 1
            or len(self.offsets) != len(self.topics) + 1
            or int(self.offsets[-1]) != len(self.texts)
            or len(set(self.topics)) < len(self.topics)
        ):
            raise BrokenError(f"support of {len(self.texts)} sentences of {len(self.topics)} topics")

    @cached_property
    def topic_index(self) -> dict[str, int]:
        """Topic -> its place in ``topics``."""
        return {topic: place for place, topic in enumerate(self.topics)}

    @cached_property
    def sentence_topic(self) -> Ints:
        """int64[S]: the place of each sentence's topic."""
        return group_of_each(self.offsets)

    @cached_property
    def citation_sentence(self) -> Ints:
        """int64[C]: the sentence of each citation."""
        return group_of_each(self.citation_offsets)

    @cached_property
    def judged(self) -> Bools:
        """bool[C]: the citation has a label. One that no rule knows counts as none, as an unknown assignment does."""
        return frozen(self.labels != UNJUDGED)

    @cached_property
    def judged_counts(self) -> Ints:
        """int64[T]: the number of citations with a label."""
        topics = self.sentence_topic[self.citation_sentence[self.judged]]
        return np.bincount(topics, minlength=len(self.topics)).astype(np.int64)

    @cached_property
    def odd(self) -> dict[str, int]:
        """The labels that no rule knows, with their counts."""
        return odd_labels(self.labels, self.label_texts)

    @cached_property
    def odd_count(self) -> int:
        """The number of such labels."""
        return int(np.count_nonzero(self.labels == ODD))


def same_support(first: Support, other: Support) -> bool:
    """Return whether two values have the same citations and labels."""
    return (
        first.topics == other.topics
        and np.array_equal(first.citation_offsets, other.citation_offsets)
        and first.cited.equals(other.cited)
        and np.array_equal(first.labels, other.labels)
        and _same(first.together, other.together)
        and _same(first.others, other.others)
    )


def _same(first: Labels | None, other: Labels | None) -> bool:
    return first is other if first is None or other is None else np.array_equal(first, other)
