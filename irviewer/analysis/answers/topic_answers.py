"""What systems answer to one topic, joined: sentences, what they cite, the list that they were given, and nuggets.

All is counted from labels and texts. What texts have in common is a hint (``alike``) or a check (``lacks``), which no
score depends on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.analysis.answers.context_ranks import ContextRanks
from irviewer.analysis.answers.lost import Documents, Stage, Trace
from irviewer.analysis.answers.nugget_matrix import NuggetMatrix, aligned
from irviewer.analysis.answers.supported import support_labels
from irviewer.analysis.answers.words import MOST_COMPARED, alike_sentences, lacking, words_of
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED, VITAL
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.systems import with_list
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

LEAST_LISTED = 20
"""Ranks of a list that are shown at least, if it has them."""


@dataclass(frozen=True)
class Cited:
    """A citation of a sentence.

    document  what is cited: a document, or the place as text where no reference has it
    segment   its place in ``TopicAnswers.segments``; -1 for one that leads nowhere
    support   the label of a judge: FULL, PARTIAL, NONE or ODD; UNJUDGED without one
    score     as in the file, NaN without one
    """

    document: str
    segment: int
    support: int = UNJUDGED
    score: float = math.nan


@dataclass(frozen=True)
class Sentence:
    """A sentence: its number from 1, its text, its citations in order, and the words of the answer before it."""

    number: int
    text: str
    cites: tuple[Cited, ...]
    words_before: int
    words: int


@dataclass(frozen=True)
class SystemAnswer:
    """The answer of one system.

    answered     False where the system has no answer to the topic
    judged_text  the text that was judged, where it is not this answer; "" otherwise
    declared     the length in words that the file states, -1 for none
    citations, judged   the number of citations, and of those with a label of support
    """

    name: str
    answered: bool
    sentences: tuple[Sentence, ...] = ()
    words: int = 0
    declared: int = -1
    judged_text: str = ""
    citations: int = 0
    judged: int = 0

    @property
    def uncited(self) -> int:
        """The number of sentences that cite nothing."""
        return sum(not sentence.cites for sentence in self.sentences)

    @cached_property
    def text(self) -> str:
        """The answer in one text."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def labelled_text(self) -> str:
        """The text that labels of nuggets belong to: the one that was judged, else the answer."""
        return self.judged_text or self.text


@dataclass(frozen=True)
class Segment:
    """A document of the list, or one that is cited beside it.

    rank   its rank from 1; 0 where it is not in the list, or no list is known
    grade  NaN if the qrels do not list it
    cited  by system the numbers of the sentences that cite it
    low, high   between which ranks of the context it is, where no list is known but references tell; 0: not known
    """

    document: str
    rank: int
    grade: float
    cited: tuple[tuple[int, ...], ...]
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class NuggetRow:
    """A nugget of the topic; tuples are by system.

    row       its place in the set of nuggets; ``number`` its place in the topic, from 1
    labels    FULL, PARTIAL, NONE, ODD; UNJUDGED where the assigner did not return it
    alike     the numbers of the sentences that have at least half of its words
    lacks     the numbers and quoted names of a nugget that is assigned (in part) but that the answer does not have
    stages    where a vital nugget that is not said in full was lost; "" for others
    reasons   why the assigner said so; "" without a reason
    segments  the places in ``TopicAnswers.segments`` of the documents that are known to hold it
    """

    row: int
    number: int
    text: str
    importance: int
    importance_text: str
    labels: tuple[int, ...]
    alike: tuple[tuple[int, ...], ...]
    lacks: tuple[tuple[str, ...], ...]
    stages: tuple[Stage | str, ...]
    reasons: tuple[str, ...]
    segments: tuple[int, ...]

    @property
    def is_vital(self) -> bool:
        """Whether an answer must say it: okay and unknown nuggets are not vital."""
        return self.importance == VITAL


@dataclass(frozen=True, eq=False)
class TopicAnswers:
    """One topic, S systems.

    listed   whether ranks are those of a list that is known; else segments are the references, and have no ranks
    listed_count   the number of segments that are in the list; those cited beside it follow
    more     the documents of the list that are not shown
    context  how many documents of the list the model saw; 0: not said
    by_grades   the stages of nuggets rest on the weaker rule that every relevant document may hold them
    """

    topic: str
    question: str
    systems: tuple[SystemAnswer, ...]
    segments: tuple[Segment, ...]
    nuggets: tuple[NuggetRow, ...]
    listed: bool
    listed_count: int
    more: int = 0
    context: int = 0
    by_grades: bool = False


class AnsweredTopics:
    """The topics of S systems; each is joined when it is asked for. The arrays are shared by all topics.

    nuggets  the nuggets in force, None without any; ``labels`` int8[S, N] of all of them
    grades   qrels of documents, None without any
    listed   the list that the answers were made from, None where it is not known
    context  how many documents of the list the model saw, 0 where that is not said
    level    the lowest grade of a document that may hold the nuggets of its topic, where no segment is assigned
    """

    def __init__(
        self, systems: Sequence[Run], *, nuggets: Nuggets | None = None, grades: Qrels | None = None,
        listed: Run | None = None, context: int = 0, level: float = 1, rule: str = "auto",
    ) -> None:  # fmt: skip
        self.systems = tuple(systems)
        self.nuggets, self.grades, self.listed, self.context = nuggets, grades, listed, context
        answered = [run.answered for run in self.systems]
        first = next((each.assignments for each in answered if each and each.assignments is not None), None)
        if self.nuggets is None and first is not None:
            self.nuggets = first.nuggets
        count = 0 if self.nuggets is None else len(self.nuggets.texts)
        self.labels = np.full((len(self.systems), count), UNJUDGED, dtype=np.int8)
        for place, each in enumerate(answered):
            if each is not None and each.assignments is not None and self.nuggets is not None:
                self.labels[place] = aligned(self.nuggets, each.assignments)
        self._ranks = ContextRanks(self.systems, context)
        self._documents: Documents | None = None
        if self.nuggets is not None:
            names = tuple(run.name for run in self.systems)
            matrix = NuggetMatrix(names, self.nuggets, np.arange(count), self.labels)
            qrels = grades if grades is not None else Qrels.from_dict({})
            self._documents = Documents(qrels, matrix, rule, level)
        runs = [run if listed is None or run.answered is None else with_list(run, listed) for run in self.systems]
        self._traces = [None if run.answered is None else Trace(run, context) for run in runs]

    @property
    def rule(self) -> str:
        """How the documents of a nugget are known: "segments", "grades", or "" where they are not."""
        return "" if self._documents is None else self._documents.rule

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """All topics: those of the nuggets, then those of the answers."""
        own = () if self.nuggets is None else self.nuggets.topics
        every = [own, *(run.answered.topics for run in self.systems if run.answered is not None)]
        return tuple(dict.fromkeys(topic for topics in every for topic in topics))

    def topic(self, topic: str) -> TopicAnswers:
        """Return what systems answer to a topic; without an answer, without nuggets or without a list what there is."""
        segments, places, count, more = self._segments(topic)
        systems = tuple(self._answer(run, topic, places) for run in self.systems)
        cited: list[list[list[int]]] = [[[] for _ in systems] for _ in segments]
        for number, system in enumerate(systems):
            for sentence in system.sentences:
                for each in sentence.cites:
                    if each.segment >= 0 and sentence.number not in cited[each.segment][number][-1:]:
                        cited[each.segment][number].append(sentence.number)
        grades: Mapping[str, float] = {} if self.grades is None else self.grades.judgments(topic)
        in_list = self.listed is not None
        shown = tuple(
            Segment(document, place + 1 if in_list and place < count else 0, grades.get(document, math.nan),
                    tuple(tuple(each) for each in cited[place]),
                    *((0, 0) if in_list else self._ranks.of(topic, document)))
            for place, document in enumerate(segments)
        )  # fmt: skip
        return TopicAnswers(topic, self._question(topic), systems, shown, self._nuggets_of(topic, systems, places),
                            in_list, count, more, self.context, self.rule == "grades")  # fmt: skip

    # --- within ---

    def _question(self, topic: str) -> str:
        if self.nuggets is not None and topic in self.nuggets.topic_index:
            text = self.nuggets.questions[self.nuggets.topic_index[topic]]
            if text:
                return text
        for run in self.systems:
            answers = None if run.answered is None else run.answered.answers
            if answers is not None and topic in answers.topic_index:
                return answers.questions[answers.topic_index[topic]]
        return ""

    def _segments(self, topic: str) -> tuple[list[str], dict[str, int], int, int]:
        """Return the documents that are shown, their places, how many of them are of the list, and how many more the
        list has: the list as far as it is cited or was seen, then what is cited or referred to beside it."""
        own = [run.answered.answers for run in self.systems if run.answered is not None]
        named: dict[str, None] = {}
        for answers in own:
            if answers is not None:
                named |= dict.fromkeys(answers.references_of(topic))
                named |= dict.fromkeys(_led_to(answers, topic))
        if self.listed is None:
            return list(named), {document: place for place, document in enumerate(named)}, len(named), 0
        ranking = list(self.listed.ranking(topic))
        deepest = max((place for place, document in enumerate(ranking, 1) if document in named), default=0)
        kept = ranking[: max(deepest, self.context + 1 if self.context else 0, LEAST_LISTED)]
        every = dict.fromkeys((*kept, *named))
        return list(every), {document: place for place, document in enumerate(every)}, len(kept), \
            len(ranking) - len(kept)  # fmt: skip

    def _answer(self, run: Run, topic: str, places: Mapping[str, int]) -> SystemAnswer:
        answered = run.answered
        answers = None if answered is None else answered.answers
        if answered is None or answers is None or topic not in answers.topic_index:
            return SystemAnswer(run.name, False)
        place = answers.topic_index[topic]
        first, stop = int(answers.offsets[place]), int(answers.offsets[place + 1])
        texts = answers.texts[first:stop].to_pylist()
        bounds = answers.citation_offsets[first : stop + 1].tolist()
        begin, end = (bounds[0], bounds[-1]) if bounds else (0, 0)
        cited, leads = answers.cited[begin:end].to_pylist(), answers.leads[begin:end].tolist()
        scores = answers.scores[begin:end].tolist()
        support = support_labels(answered, topic)
        words = answers.sentence_words[first:stop].tolist()
        sentences, before = [], 0
        for number, text in enumerate(texts):
            cites = tuple(
                Cited(cited[at], places.get(cited[at], -1) if leads[at] else -1, support[at], scores[at])
                for at in range(bounds[number] - begin, bounds[number + 1] - begin)
            )
            sentences.append(Sentence(number + 1, text, cites, before, words[number]))
            before += words[number]
        return SystemAnswer(
            run.name, True, tuple(sentences), before, int(answers.declared[place]), answered.judged_text(topic),
            len(cited), sum(label != UNJUDGED for label in support),
        )  # fmt: skip

    def _nuggets_of(
        self, topic: str, systems: Sequence[SystemAnswer], places: Mapping[str, int]
    ) -> tuple[NuggetRow, ...]:
        nuggets, documents = self.nuggets, self._documents
        if nuggets is None or documents is None or topic not in nuggets.topic_index:
            return ()
        start = int(nuggets.offsets[nuggets.topic_index[topic]])
        stop = int(nuggets.offsets[nuggets.topic_index[topic] + 1])
        texts, words = nuggets.texts[start:stop].to_pylist(), nuggets.importance_texts[start:stop].to_pylist()
        importance = nuggets.importance[start:stop].tolist()
        labels = self.labels[:, start:stop].T.tolist()
        said = [[words_of(sentence.text) for sentence in system.sentences[:MOST_COMPARED]] for system in systems]
        reasons = [self._reasons(run, topic, texts) for run in self.systems]
        rows = []
        for at, text in enumerate(texts):
            alike = tuple(alike_sentences(text, each) for each in said)
            lacks = tuple(
                lacking(text, system.labelled_text) if system.answered and label in (FULL, PARTIAL) else ()
                for system, label in zip(systems, labels[at], strict=True)
            )
            held = documents.of(start + at, topic)
            linked = held if documents.rule == "segments" and held else []
            stages: list[Stage | str] = []
            for place, label in enumerate(labels[at]):
                trace = self._traces[place]
                if trace is None or importance[at] != VITAL or label in (FULL, UNJUDGED):
                    stages.append("")
                elif label == PARTIAL:
                    stages.append("partly")
                else:
                    stages.append(trace.furthest(topic, held)[0])
            rows.append(NuggetRow(
                start + at, at + 1, text, importance[at], words[at], tuple(labels[at]), alike, lacks, tuple(stages),
                tuple(each.get(at, "") for each in reasons),
                tuple(places[document] for document in linked if document in places),
            ))  # fmt: skip
        return tuple(rows)

    def _reasons(self, run: Run, topic: str, texts: Sequence[str]) -> dict[int, str]:
        """Return the reasons of an assigner by the place of the nugget in the topic, where its text is the same."""
        assignments = None if run.answered is None else run.answered.assignments
        if assignments is None:
            return {}
        rows = assignments.nuggets.rows(topic).tolist()
        if not rows:
            return {}
        theirs = assignments.nuggets.texts[rows[0] : rows[-1] + 1].to_pylist()
        reasons = assignments.reasons[rows[0] : rows[-1] + 1].to_pylist()
        return {
            at: reasons[at] for at in range(min(len(texts), len(theirs))) if reasons[at] and texts[at] == theirs[at]
        }


def _led_to(answers: Answers, topic: str) -> list[str]:
    place = answers.topic_index.get(topic)
    if place is None:
        return []
    start, stop = (int(answers.citation_offsets[answers.offsets[place + end]]) for end in (0, 1))
    leads = answers.leads[start:stop].tolist()
    return [document for document, known in zip(answers.cited[start:stop].to_pylist(), leads, strict=True) if known]
