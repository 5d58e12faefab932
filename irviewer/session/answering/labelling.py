"""What is shown while answers are labelled by hand: one answer, the nuggets or citations to label, and the labels.

Made from the collection alone; knows no widgets."""

from __future__ import annotations

import random
from dataclasses import dataclass

from irviewer.model.answers.answered import Answered
from irviewer.model.answers.by_hand import CitationLabel, HandLabels, NuggetLabel, TopicLabels
from irviewer.model.answers.labels import UNJUDGED, VITAL
from irviewer.model.answers.own_nuggets import OwnNugget, nuggets_of_topic
from irviewer.model.workspace import Collection, JudgmentSet, RunEntry

Sentences = tuple[tuple[str, tuple[str, ...]], ...]
"""The text of each sentence and what it cites."""


@dataclass(frozen=True)
class NuggetItem:
    """A nugget to label.

    code     the label given here, None without one
    former   the label of the file or of another judge, None without one or where judging is blind
    reworded the nugget was changed after it was labelled; the label is kept
    span     where the answer says it, () if nobody showed it
    """

    nugget: OwnNugget
    code: int | None
    former: int | None
    reworded: bool = False
    span: tuple[int, ...] = ()

    @property
    def vital(self) -> bool:
        return self.nugget.importance.strip().casefold() == "vital"


@dataclass(frozen=True)
class CitationItem:
    """A citation to label: the sentence and the citation within it, both from 0, and the document."""

    sentence: int
    place: int
    document: str
    code: int | None
    former: int | None


@dataclass(frozen=True)
class AnswerToLabel:
    """One answer and what is to be labelled in it.

    system     the system, "" where judging is blind
    changed    the answer is not the one that was labelled before
    at         the item that keys label
    done, of   how many answers have all labels, of how many
    nugget_set the name of the nuggets; ``topics_lacking`` whether the topic has none
    """

    topic: str
    question: str
    system: str
    sentences: Sentences
    nuggets: tuple[NuggetItem, ...]
    citations: tuple[CitationItem, ...]
    support: bool
    blind: bool
    at: int
    changed: bool
    done: int
    of: int
    nugget_set: str = ""

    @property
    def items(self) -> tuple[NuggetItem, ...] | tuple[CitationItem, ...]:
        """What keys label: nuggets, or citations, the first of each sentence first."""
        return self.citations if self.support else self.nuggets

    @property
    def text(self) -> str:
        """The answer in one text, of which spans are parts."""
        return " ".join(text for text, _ in self.sentences)

    @property
    def labelled(self) -> int:
        """The number of items that have a label."""
        return sum(item.code is not None for item in self.items)


def systems_of(collection: Collection) -> tuple[str, ...]:
    """Return the systems whose answers, or judged texts of answers, are open."""
    names = (
        system_of(entry) for entry in collection.runs
        if entry.labels is None and entry.run.answered is not None and not entry.run.answered.scores_alone
    )  # fmt: skip
    return tuple(dict.fromkeys(names))


def system_of(entry: RunEntry) -> str:
    """Return the system of a run: the name in its file, else the run's."""
    answered = entry.run.answered
    return (answered.system if answered is not None else "") or entry.name


def sentences_of(collection: Collection, system: str, topic: str) -> Sentences:
    """Return a system's answer to a topic; the text that an assigner judged, as one sentence, where no answer is
    open; () where there is none."""
    parts = _parts(collection, system)
    for answered in parts:
        answers = answered.answers
        place = None if answers is None else answers.topic_index.get(topic)
        if answers is not None and place is not None:
            rows = range(int(answers.offsets[place]), int(answers.offsets[place + 1]))
            return tuple((answers.texts[row].as_py(), tuple(answers.cited_by(row))) for row in rows)
    for answered in parts:
        assignments = answered.assignments
        place = None if assignments is None else assignments.nuggets.topic_index.get(topic)
        if assignments is not None and place is not None and assignments.answer_texts[place]:
            return ((assignments.answer_texts[place], ()),)
    return ()


def topics_of(collection: Collection, system: str) -> tuple[str, ...]:
    """Return the topics that a system answers, in file order."""
    return tuple(dict.fromkeys(topic for answered in _parts(collection, system) for topic in answered.topics))


def labels_entry(collection: Collection, system: str) -> RunEntry | None:
    """Return the run of the labels given here to a system."""
    return next(
        (
            entry
            for entry in collection.runs
            if entry.labels is not None and entry.labels.system == system and not entry.labels.judge
        ),
        None,
    )


def labels_of(collection: Collection, system: str) -> HandLabels:
    """Return the labels given here to a system; none if there are none."""
    entry = labels_entry(collection, system)
    return HandLabels(system) if entry is None or entry.labels is None else entry.labels


def nuggets_in(collection: Collection, judgments: JudgmentSet | None, system: str, topic: str) -> tuple[OwnNugget, ...]:
    """Return the nuggets of a topic: those of the judgment set in force, else those that an assigner was given."""
    if judgments is not None:
        listed = nuggets_of_topic(judgments.read.nuggets, judgments.own_nuggets, topic)
        if listed or topic in judgments.own_nuggets:
            return listed
    for answered in _parts(collection, system):
        if answered.assignments is not None and topic in answered.assignments.nuggets.topic_index:
            return nuggets_of_topic(answered.assignments.nuggets, {}, topic)
    return ()


def answer_key(sentences: Sentences, support: bool) -> object:
    """Return what equal answers have in common: their text, and, where citations are labelled, these as well."""
    return sentences if support else " ".join(text for text, _ in sentences)


def blind_order(collection: Collection, seed: int, *, support: bool = False) -> tuple[tuple[str, str], ...]:
    """Return (system, topic) of all answers in an order drawn by a seed; of equal answers to a topic only one."""
    seen: set[tuple[str, object]] = set()
    pairs = []
    for system in systems_of(collection):
        for topic in topics_of(collection, system):
            sentences = sentences_of(collection, system, topic)
            key = topic, answer_key(sentences, support)
            if any(text for text, _ in sentences) and key not in seen:
                seen.add(key)
                pairs.append((system, topic))
    # Drawn from pairs in an order of their own, so that it does not depend on the order of files.
    pairs.sort(key=lambda pair: (pair[1], " ".join(text for text, _ in sentences_of(collection, *pair))))
    random.Random(seed).shuffle(pairs)
    return tuple(pairs)


def is_done(collection: Collection, judgments: JudgmentSet | None, pair: tuple[str, str], *, support: bool) -> bool:
    """Return whether an answer, (system, topic), has every label that it can have."""
    given = labels_of(collection, pair[0]).of(pair[1])
    if support:
        wanted = _citations(sentences_of(collection, *pair))
        return bool(wanted) and all(place in given.citations for place in wanted)
    nuggets = nuggets_in(collection, judgments, *pair)
    return bool(nuggets) and all(nugget.number in given.nuggets for nugget in nuggets)


def answer_to_label(
    collection: Collection, judgments: JudgmentSet | None, system: str, topic: str, *, support: bool, blind: bool,
    at: int, pairs: tuple[tuple[str, str], ...],
) -> AnswerToLabel:  # fmt: skip
    """Return an answer with its items; ``pairs`` are the answers, (system, topic), that are counted as done or not."""
    sentences = sentences_of(collection, system, topic)
    given = labels_of(collection, system).of(topic)
    former = TopicLabels() if blind else _former(collection, system, topic)
    nuggets = tuple(
        NuggetItem(
            nugget,
            None if (label := given.nuggets.get(nugget.number)) is None else label.code,
            None if (other := former.nuggets.get(nugget.number)) is None else other.code,
            label is not None and label.text != nugget.text,
            label.span if label is not None else () if other is None else other.span,
        )
        for nugget in nuggets_in(collection, judgments, system, topic)
    )
    citations = tuple(
        CitationItem(
            sentence, place, sentences[sentence][1][place],
            None if (own := given.citations.get((sentence, place))) is None else own.code,
            None if (theirs := former.citations.get((sentence, place))) is None else theirs.code,
        )
        for sentence, place in _citations(sentences)
    )  # fmt: skip
    count = len(citations) if support else len(nuggets)
    begun = [pair for pair in pairs if labels_of(collection, pair[0]).of(pair[1])]
    done = sum(is_done(collection, judgments, pair, support=support) for pair in begun)
    name = "" if judgments is None or judgments.qrels.nuggets is None else judgments.qrels.nuggets.name
    return AnswerToLabel(
        topic, collection.query_text(topic) or given.question,
        "" if blind else system, sentences, nuggets, citations, support, blind, min(max(at, 0), max(count - 1, 0)),
        bool(given) and given.sentences != sentences, done, len(pairs), name,
    )  # fmt: skip


def _parts(collection: Collection, system: str) -> list[Answered]:
    """Return what files say of a system, not the labels given here."""
    return [
        entry.run.answered for entry in collection.runs
        if entry.labels is None and entry.run.answered is not None and system_of(entry) == system
    ]  # fmt: skip


def _citations(sentences: Sentences) -> list[tuple[int, int]]:
    """Return (sentence, citation) of all citations: the first of each sentence, then the second of each, and so on."""
    every = [(number, place) for number, (_, cited) in enumerate(sentences) for place in range(len(cited))]
    return sorted(every, key=lambda each: (each[1] > 0, each[0], each[1]))


def _former(collection: Collection, system: str, topic: str) -> TopicLabels:
    """Return the labels of the first file that has some of this answer, as if they were given here."""
    nuggets: dict[int, NuggetLabel] = {}
    citations: dict[tuple[int, int], CitationLabel] = {}
    text = " ".join(sentence for sentence, _ in sentences_of(collection, system, topic))
    for answered in _parts(collection, system):
        assignments, support = answered.assignments, answered.support
        if not nuggets and assignments is not None:
            rows = assignments.nuggets.rows(topic).tolist()
            same = bool(rows) and assignments.answer_texts[assignments.nuggets.topic_index[topic]] == text
            nuggets = {
                place: NuggetLabel(int(assignments.labels[row]), assignments.nuggets.texts[row].as_py(),
                                   "vital" if assignments.nuggets.importance[row] == VITAL else "okay",
                                   span=assignments.span(row) if same else ())
                for place, row in enumerate(rows)
            }  # fmt: skip
        at = None if support is None else support.topic_index.get(topic)
        if not citations and support is not None and at is not None:
            first = int(support.offsets[at])
            for sentence in range(first, int(support.offsets[at + 1])):
                start, stop = support.citation_offsets[sentence : sentence + 2].tolist()
                for row in range(start, stop):
                    if support.labels[row] != UNJUDGED:
                        citations[sentence - first, row - start] = CitationLabel(
                            int(support.labels[row]), support.cited[row].as_py()
                        )
    return TopicLabels("", (), nuggets, citations)
