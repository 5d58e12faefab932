"""The answers of one system: sentences, what they cite, and the references, as flat arrays by topic."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow.compute as pc

from irviewer.model.answers.concatenated import concatenated
from irviewer.model.arrays import (
    Bools,
    Floats,
    Ints,
    Strings,
    frozen,
    group_of_each,
    offsets_of,
    places_of,
    values_of,
)
from irviewer.model.shapes import BrokenError

Form = Literal["rag24", "rag25", "rag25-ids", "rag-responses"]
"""How a file of TREC writes answers; the readers of other files choose the first."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one system to T topics: S sentences, C citations, D references.

    topics            the topics in file order; ``questions`` their texts, "" where the file has none
    offsets           int64[T+1], where each answer's sentences begin
    texts             Arrow strings [S], as in the file
    citation_offsets  int64[S+1], where each sentence's citations begin
    cited             Arrow strings [C]: the document; where no reference has the cited place, the place as text,
                      or in brackets the number as it stands in a text
    places            int64[C]: the place of the document in the references of its topic, from 0; -1 outside them
    named             bool[C]: the file cites by a document's id, so that ``cited`` is one wherever it leads
    scores            float64[C]: the score of a citation, NaN without one
    reference_offsets int64[T+1], where each topic's references begin; ``references`` Arrow strings [D]
    declared          int64[T]: the length in words that the file states, -1 where it states none
    more              for each topic what else its record has (team, kind of run …), as JSON; "{}" for nothing
    form              the form of the file
    twice             the topics of which the file has two different answers; the "first" or the "last" is ``kept``
    unmarked          the topics whose answer is one text that has documents and no marks of citations: which sentences
                      cite them is not known
    """

    topics: tuple[str, ...]
    questions: tuple[str, ...]
    offsets: Ints
    texts: Strings
    citation_offsets: Ints
    cited: Strings
    places: Ints
    named: Bools
    scores: Floats
    reference_offsets: Ints
    references: Strings
    declared: Ints
    more: tuple[str, ...]
    form: Form = "rag24"
    twice: tuple[str, ...] = ()
    kept: str = "first"
    unmarked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for column in (self.offsets, self.citation_offsets, self.places, self.named, self.scores,
                       self.reference_offsets, self.declared):  # fmt: skip
            frozen(column)
        sizes = (
            (len(self.offsets), len(self.topics) + 1), (int(self.offsets[-1]), len(self.texts)),
            (len(self.citation_offsets), len(self.texts) + 1), (int(self.citation_offsets[-1]), len(self.cited)),
            (len(self.places), len(self.cited)), (len(self.named), len(self.cited)),
            (len(self.scores), len(self.cited)), (len(self.reference_offsets), len(self.topics) + 1),
            (int(self.reference_offsets[-1]), len(self.references)), (len(self.declared), len(self.topics)),
            (len(self.more), len(self.topics)), (len(self.questions), len(self.topics)),
        )  # fmt: skip
        if any(size != wanted for size, wanted in sizes) or len(set(self.topics)) < len(self.topics):
            raise BrokenError(f"answers of {len(self.topics)} topics: {sizes}")

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
    def citation_topic(self) -> Ints:
        """int64[C]: the place of each citation's topic."""
        return self.sentence_topic[self.citation_sentence]

    @cached_property
    def leads(self) -> Bools:
        """bool[C]: a document is known for the citation."""
        return frozen((self.places >= 0) | self.named)

    @cached_property
    def sentence_counts(self) -> Ints:
        """int64[T]: the number of sentences."""
        return np.diff(self.offsets)

    @cached_property
    def citation_counts(self) -> Ints:
        """int64[T]: the number of citations."""
        return np.bincount(self.citation_topic, minlength=len(self.topics)).astype(np.int64)

    @cached_property
    def uncited(self) -> Bools:
        """bool[S]: the sentence cites nothing."""
        return frozen(np.diff(self.citation_offsets) == 0)

    @cached_property
    def uncited_counts(self) -> Ints:
        """int64[T]: the number of sentences that cite nothing."""
        return np.bincount(self.sentence_topic[self.uncited], minlength=len(self.topics)).astype(np.int64)

    @cached_property
    def sentence_words(self) -> Ints:
        """int64[S]: the number of words of each sentence, split at white space."""
        trimmed = pc.utf8_trim_whitespace(self.texts)
        lengths = values_of(pc.list_value_length(pc.utf8_split_whitespace(trimmed))).astype(np.int64)
        return frozen(np.where(values_of(pc.binary_length(trimmed)) == 0, 0, lengths))

    @cached_property
    def words(self) -> Ints:
        """int64[T]: the number of words of each answer."""
        return _sums(self.sentence_words, self.sentence_topic, len(self.topics))

    @cached_property
    def characters(self) -> Ints:
        """int64[T]: the number of characters of each answer in Unicode's form NFKC, without white space."""
        normal = [len("".join(unicodedata.normalize("NFKC", text).split())) for text in self.texts.to_pylist()]
        return _sums(np.array(normal, dtype=np.int64), self.sentence_topic, len(self.topics))

    @cached_property
    def distinct_cited(self) -> Ints:
        """int64: the citations that are the first of their document in their topic, by topic, then as cited."""
        codes = values_of(self.cited.dictionary_encode().indices).astype(np.int64)
        known = np.flatnonzero(self.leads)
        keys = self.citation_topic[known] * (int(codes.max(initial=0)) + 1) + codes[known]
        _, first = np.unique(keys, return_index=True)
        return frozen(known[np.sort(first)])

    @cached_property
    def cited_counts(self) -> Ints:
        """int64[T]: the number of distinct documents that each answer cites."""
        return np.bincount(self.citation_topic[self.distinct_cited], minlength=len(self.topics)).astype(np.int64)

    def sentences_of(self, topic: str) -> list[str]:
        """Return the sentences of a topic, none where it has no answer."""
        place = self.topic_index.get(topic)
        if place is None:
            return []
        return self.texts[int(self.offsets[place]) : int(self.offsets[place + 1])].to_pylist()  # type: ignore[no-any-return]

    def text_of(self, topic: str) -> str:
        """Return the answer to a topic in one text."""
        return " ".join(self.sentences_of(topic))

    def cited_by(self, sentence: int) -> list[str]:
        """Return what a sentence cites, in order."""
        start, stop = int(self.citation_offsets[sentence]), int(self.citation_offsets[sentence + 1])
        return self.cited[start:stop].to_pylist()  # type: ignore[no-any-return]

    def references_of(self, topic: str) -> list[str]:
        """Return the ids that an answer lists, in its order; [] for a topic without an answer."""
        place = self.topic_index.get(topic)
        if place is None:
            return []
        start, stop = int(self.reference_offsets[place]), int(self.reference_offsets[place + 1])
        return self.references[start:stop].to_pylist()  # type: ignore[no-any-return]

    @cached_property
    def cited_columns(self) -> tuple[Ints, Strings]:
        """The topic (int64[m]) and id (Arrow strings) of each document that an answer cites, once."""
        return self.citation_topic[self.distinct_cited], self.cited.take(places_of(self.distinct_cited))

    def of_topics(self, places: Sequence[int]) -> Answers:
        """Return the answers to some topics, in the order of their places."""
        own = np.array(places, dtype=np.int64)
        sentences, offsets = _taken(own, self.offsets)
        citations, citation_offsets = _taken(sentences, self.citation_offsets)
        references, reference_offsets = _taken(own, self.reference_offsets)
        topics = tuple(self.topics[place] for place in places)
        taken = frozenset(topics)
        return replace(
            self, topics=topics, questions=tuple(self.questions[place] for place in places), offsets=offsets,
            texts=self.texts.take(places_of(sentences)), citation_offsets=citation_offsets,
            cited=self.cited.take(places_of(citations)), places=self.places[citations], named=self.named[citations],
            scores=self.scores[citations], reference_offsets=reference_offsets,
            references=self.references.take(places_of(references)), declared=self.declared[own],
            more=tuple(self.more[place] for place in places), twice=tuple(t for t in self.twice if t in taken),
            unmarked=tuple(topic for topic in self.unmarked if topic in taken),
        )  # fmt: skip

    def content(self, topic: str) -> tuple[list[str], list[str], list[list[str]]]:
        """Return what two equal answers to a topic share: sentences, references, and what each sentence cites."""
        place = self.topic_index[topic]
        sentences = range(int(self.offsets[place]), int(self.offsets[place + 1]))
        return self.sentences_of(topic), self.references_of(topic), [self.cited_by(each) for each in sentences]


def _sums(values: Ints, groups: Ints, count: int) -> Ints:
    sums: Ints = frozen(np.bincount(groups, weights=values, minlength=count).astype(np.int64))
    return sums


def _taken(groups: Ints, offsets: Ints) -> tuple[Ints, Ints]:
    """Return the items of some groups, one group behind the other, and where each group begins."""
    sizes = (offsets[1:] - offsets[:-1])[groups]
    bounds = offsets_of(sizes)
    return np.arange(bounds[-1]) - np.repeat(bounds[:-1] - offsets[:-1][groups], sizes), frozen(bounds)


def differing_topics(first: Answers, other: Answers) -> tuple[str, ...]:
    """Return the topics that both answer, and not alike: other sentences, references or citations."""
    return tuple(_differing(first, other))


def are_different(first: Answers, other: Answers) -> bool:
    """Return whether there is such a topic; it compares no further than the first, since versions of a system differ in
    most."""
    return next(_differing(first, other), None) is not None


def _differing(first: Answers, other: Answers) -> Iterator[str]:
    if not same_answers(first, other):
        for topic in first.topics:
            if topic in other.topic_index and first.content(topic) != other.content(topic):
                yield topic


def joined_answers(first: Answers, other: Answers, prefers: Literal["first", "last"] = "first") -> Answers:
    """Return answers with those of another file to the topics that they lack; with "last" its answers take the place of
    theirs."""
    known = first.topic_index
    replaced = set(differing_topics(first, other)) if prefers == "last" else set()
    added = [place for place, topic in enumerate(other.topics) if topic not in known or topic in replaced]
    if not added:
        return first
    kept = [place for place, topic in enumerate(first.topics) if topic not in replaced]
    parts = first.of_topics(kept), other.of_topics(added)
    joined = concatenated(*parts)
    order = [*first.topics, *(topic for topic in other.topics if topic not in known)]
    return joined if list(joined.topics) == order else joined.of_topics([joined.topic_index[topic] for topic in order])


def same_answers(first: Answers, other: Answers) -> bool:
    """Return whether two values are equal: topics, texts, citations and references; the form may differ."""
    return (
        first.topics == other.topics
        and all(
            np.array_equal(getattr(first, name), getattr(other, name))
            for name in ("offsets", "citation_offsets", "places", "reference_offsets")
        )
        and all(getattr(first, name).equals(getattr(other, name)) for name in ("texts", "cited", "references"))
    )
