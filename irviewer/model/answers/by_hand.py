"""Labels that a judge gives by hand to the answers of one system: which nuggets an answer says, and which documents
support its sentences.

Labels hold all that they are about (the answer, the text of the nugget, the document), so that they are whole without
the files they were made from, and tell when those have changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assignments import Assignments, spans_of
from irviewer.model.answers.labels import (
    ASSIGNMENT,
    FULL,
    IMPORTANCE,
    NONE,
    PARTIAL,
    SUPPORT,
    UNJUDGED,
    codes_of,
)
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Ints, frozen, offsets_of, strings

ASSIGNMENT_TEXTS: Mapping[int, str] = {FULL: "support", PARTIAL: "partial_support", NONE: "not_support"}
SUPPORT_TEXTS: Mapping[int, str] = {FULL: "2", PARTIAL: "1", NONE: "0", UNJUDGED: "-1"}
"""What TREC's files call the labels that can be given by hand."""


@dataclass(frozen=True)
class NuggetLabel:
    """What a judge says of a nugget and an answer.

    code        FULL, PARTIAL or NONE
    text        the nugget as it was judged; ``importance`` its word
    who, when   the judge, and ISO 8601 in UTC; "" if unknown
    span        where the answer says it: first character and the one behind the last; () if nobody showed it
    """

    code: int
    text: str
    importance: str = ""
    who: str = ""
    when: str = ""
    span: tuple[int, ...] = ()


@dataclass(frozen=True)
class CitationLabel:
    """What a judge says of a citation: whether ``document`` supports the sentence, as FULL, PARTIAL or NONE."""

    code: int
    document: str
    who: str = ""
    when: str = ""


@dataclass(frozen=True)
class TopicLabels:
    """The labels of one answer.

    question    the text of the topic, "" if unknown
    sentences   the text of each sentence of the answer and what it cites, as they were judged
    nuggets     number of the nugget (``own_nuggets``) -> label
    citations   (sentence, citation), both from 0 -> label
    """

    question: str = ""
    sentences: tuple[tuple[str, tuple[str, ...]], ...] = ()
    nuggets: Mapping[int, NuggetLabel] = field(default_factory=dict)
    citations: Mapping[tuple[int, int], CitationLabel] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """The answer in one text."""
        return " ".join(text for text, _ in self.sentences)

    def __bool__(self) -> bool:
        return bool(self.nuggets or self.citations)


@dataclass(frozen=True)
class HandLabels:
    """The labels of one judge for one system, by topic in the order in which they were first labelled.

    judge   the name of the assigner; "" for labels that are given here
    """

    system: str
    topics: Mapping[str, TopicLabels] = field(default_factory=dict)
    judge: str = ""

    def __len__(self) -> int:
        """The number of labels."""
        return sum(len(each.nuggets) + len(each.citations) for each in self.topics.values())

    def of(self, topic: str) -> TopicLabels:
        """Return the labels of a topic; none if it has no label."""
        return self.topics.get(topic, TopicLabels())

    def with_topic(self, topic: str, labels: TopicLabels) -> HandLabels:
        """Return the labels with those of a topic replaced, or without the topic if it has none."""
        if labels:
            return replace(self, topics={**self.topics, topic: labels})
        return replace(self, topics={name: each for name, each in self.topics.items() if name != topic})

    def answered(self) -> Answered:
        """Return the labels as those of a file. Nuggets that nobody labelled are left out, and citations that nobody
        labelled are not judged."""
        return Answered(self.system, assignments=_assignments(self), support=_support(self))


def labels_of_parts(
    system: str, judge: str, assignments: Assignments | None = None, support: Support | None = None
) -> HandLabels:
    """Return labels as if an assigner had given them by hand: those of nuggets, or of support. An answer whose nuggets
    are labelled is one sentence; what is not judged has no label."""
    topics = {}
    if assignments is not None:
        nuggets = assignments.nuggets
        for place, topic in enumerate(nuggets.topics):
            text = assignments.answer_texts[place]
            given = {
                number: NuggetLabel(int(assignments.labels[row]), nuggets.texts[row].as_py(),
                                    nuggets.importance_texts[row].as_py(), span=assignments.span(row))
                for number, row in enumerate(nuggets.rows(topic).tolist())
                if assignments.labels[row] in ASSIGNMENT_TEXTS
            }  # fmt: skip
            topics[topic] = TopicLabels(nuggets.questions[place], ((text, ()),) if text else (), given)
    elif support is not None:
        for place, topic in enumerate(support.topics):
            first, last = support.offsets[place : place + 2].tolist()
            bounds = support.citation_offsets[first : last + 1].tolist()
            sentences = tuple(
                (support.texts[first + number].as_py(), tuple(support.cited.slice(start, stop - start).to_pylist()))
                for number, (start, stop) in enumerate(pairwise(bounds))
            )
            citations = {
                (number, row - start): CitationLabel(int(support.labels[row]), support.cited[row].as_py())
                for number, (start, stop) in enumerate(pairwise(bounds))
                for row in range(start, stop) if support.labels[row] in ASSIGNMENT_TEXTS
            }  # fmt: skip
            topics[topic] = TopicLabels("", sentences, {}, citations)
    return HandLabels(system, {topic: each for topic, each in topics.items() if each}, judge)


def _assignments(labels: HandLabels) -> Assignments | None:
    topics = {topic: each for topic, each in labels.topics.items() if each.nuggets}
    if not topics:
        return None
    given = [each.nuggets[number] for each in topics.values() for number in sorted(each.nuggets)]
    importance = [label.importance for label in given]
    nuggets = Nuggets(
        labels.system, tuple(topics), tuple(each.question for each in topics.values()),
        _offsets(len(each.nuggets) for each in topics.values()), strings([label.text for label in given]),
        codes_of(importance, IMPORTANCE), strings(importance),
    )  # fmt: skip
    texts = [ASSIGNMENT_TEXTS[label.code] for label in given]
    return Assignments(
        nuggets, codes_of(texts, ASSIGNMENT), strings(texts), strings([""] * len(given)),
        tuple(each.answer for each in topics.values()), frozen(np.full(len(topics), -1, dtype=np.int64)),
        labels.judge, spans_of([label.span for label in given]),
    )  # fmt: skip


def _support(labels: HandLabels) -> Support | None:
    topics = {topic: each for topic, each in labels.topics.items() if each.citations}
    if not topics:
        return None
    sentences = [sentence for each in topics.values() for sentence in each.sentences]
    texts = [
        SUPPORT_TEXTS[label.code if (label := each.citations.get((number, place))) is not None else UNJUDGED]
        for each in topics.values()
        for number, (_, cited) in enumerate(each.sentences)
        for place in range(len(cited))
    ]
    cited = [document for _, documents in sentences for document in documents]
    return Support(
        tuple(topics), _offsets(len(each.sentences) for each in topics.values()),
        strings([text for text, _ in sentences]), _offsets(len(documents) for _, documents in sentences),
        strings(cited), frozen(np.full(len(cited), -1, dtype=np.int64)), codes_of(texts, SUPPORT), strings(texts),
        labels.judge,
    )  # fmt: skip


def _offsets(counts: Iterable[int]) -> Ints:
    return frozen(offsets_of(np.fromiter(counts, dtype=np.int64)))
