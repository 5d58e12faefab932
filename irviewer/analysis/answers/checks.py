"""Checks of answers without a model: numbers and names that are credited and not there, numbers that no cited document
has, a negation on one side only.

A check compares words and says what to examine. It is no verdict, and no score depends on it: a number may be there in
words, a negation may be said by another word. What cannot be checked is counted as such."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from irviewer.analysis.answers.nugget_matrix import aligned
from irviewer.analysis.answers.words import (
    MOST_COMPARED,
    has_negation,
    lacking,
    most_alike,
    numbers_of,
    words_of,
)
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.labels import FULL, PARTIAL
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.prose import sentences_in
from irviewer.model.arrays import Ints
from irviewer.model.run import Run

Check = Literal["nugget_number", "sentence_number", "nugget_negation"]
CHECKS: tuple[Check, ...] = get_args(Check)


@dataclass(frozen=True)
class Doubt:
    """Something to examine.

    run        place of the system; ``topic`` its id
    check      which check
    subject    the nugget, or the sentence
    label      the assigner's label of the nugget, -1 for a sentence
    sentence   the number of the sentence of the answer, 0 where there is none, also where another text was judged
    other      the sentence that the nugget is compared with, or the documents that are cited; "" for the whole answer
    lacks      what is not there
    """

    run: int
    topic: str
    check: Check
    subject: str
    label: int
    sentence: int
    other: str
    lacks: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class AnswerChecks:
    """What checks found in the answers of R systems.

    checked, unknown  int64[R, 3]: how many nuggets or sentences each check applied to, and to how many it would apply
                      but for lack of data: no sentence has half of the nugget's words, no text of a cited document
    doubts            ordered by system, topic and place
    """

    runs: tuple[str, ...]
    checked: Ints
    unknown: Ints
    doubts: tuple[Doubt, ...]

    @property
    def counts(self) -> Ints:
        """int64[R, 3]: how many doubts each check has."""
        numbers = np.zeros(self.checked.shape, dtype=np.int64)
        for doubt in self.doubts:
            numbers[doubt.run, CHECKS.index(doubt.check)] += 1
        return numbers


def answer_checks(
    runs: Sequence[Run], topics: Sequence[str], *, nuggets: Nuggets | None = None,
    text_of: Callable[[str], str] | None = None, progress: Callable[[float], None] | None = None,
) -> AnswerChecks:  # fmt: skip
    """Return what is to be examined in the answers to some topics.

    nuggets   the set in force; None: each assigner's own
    text_of   returns the text of a document, "" where it is not known; None where no texts are open

    Nuggets are those with a label said or in part."""
    answering = [run for run in runs if run.answered is not None and
                 (run.answered.answers is not None or run.answered.assignments is not None)]  # fmt: skip
    shape = (len(answering), len(CHECKS))
    checked, unknown = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    doubts: list[Doubt] = []
    systems = [_OneSystem(run, place, nuggets, text_of) for place, run in enumerate(answering)]
    for done, topic in enumerate(topics, start=1):  # topic by topic: its nuggets are read once for all systems
        for system in systems:
            system.nuggets_of(topic)
            system.sentences_of(topic)
        if progress is not None:
            progress(done / len(topics))
    for place, system in enumerate(systems):
        checked[place], unknown[place] = system.checked, system.unknown
        doubts += system.doubts
    return AnswerChecks(tuple(run.name for run in answering), checked, unknown, tuple(doubts))


class _OneSystem:
    """The checks of one system, topic by topic."""

    def __init__(self, run: Run, place: int, nuggets: Nuggets | None, text_of: Callable[[str], str] | None) -> None:
        assert run.answered is not None
        self._place, self._text_of, self._answered = place, text_of, run.answered
        self._answers: Answers | None = run.answered.answers
        self._assignments = run.answered.assignments
        self._texts = [] if self._answers is None else self._answers.texts.to_pylist()
        self._nuggets, self._labels, self._nugget_texts = nuggets, np.empty(0, dtype=np.int8), []
        if self._assignments is not None:
            self._nuggets = nuggets or self._assignments.nuggets
            self._labels = aligned(self._nuggets, self._assignments)
            self._nugget_texts = self._nuggets.texts.to_pylist()
        self.checked, self.unknown = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
        self.doubts: list[Doubt] = []

    def nuggets_of(self, topic: str) -> None:
        """Check the nuggets of a topic that the answer is credited with, against the text that was judged."""
        if self._assignments is None or self._nuggets is None:
            return
        judged = self._answered.judged_text(topic)
        sentences = sentences_in(judged) if judged else self._own_sentences(topic)
        text = judged or " ".join(sentences)
        said = [words_of(sentence) for sentence in sentences[:MOST_COMPARED]]
        for row in self._nuggets.rows(topic).tolist():
            label = int(self._labels[row])
            if label not in (FULL, PARTIAL):
                continue
            nugget = self._nugget_texts[row]
            wanted = lacking(nugget, "")
            if wanted and not text:
                self.unknown[0] += 1
            elif wanted:
                self.checked[0] += 1
                if lacks := lacking(nugget, text):
                    self._doubt(topic, "nugget_number", nugget, label, 0, "", lacks)
            place = most_alike(nugget, said)
            if place is None:
                self.unknown[2] += 1
                continue
            self.checked[2] += 1
            if has_negation(nugget) != has_negation(sentences[place]):
                number = 0 if judged else place + 1
                self._doubt(topic, "nugget_negation", nugget, label, number, sentences[place], ())

    def sentences_of(self, topic: str) -> None:
        """Check the sentences of a topic that cite and have a number, against the texts of what they cite."""
        answers = self._answers
        at = None if answers is None else answers.topic_index.get(topic)
        if answers is None or at is None:
            return
        first = int(answers.offsets[at])
        for sentence in range(first, int(answers.offsets[at + 1])):
            text = self._texts[sentence]
            numbers = numbers_of(text)
            start, stop = answers.citation_offsets[sentence : sentence + 2].tolist()
            if not numbers or start == stop:
                continue
            cited = answers.cited_by(sentence)
            known = [self._text_of(each) if leads and self._text_of is not None else ""
                     for each, leads in zip(cited, answers.leads[start:stop].tolist(), strict=True)]  # fmt: skip
            if not all(known):
                self.unknown[1] += 1
                continue
            self.checked[1] += 1
            have: set[str] = set()
            for each in known:
                have.update(numbers_of(each))
            lacks = tuple(written for value, written in numbers.items() if value not in have)
            if lacks:
                number = sentence - first + 1
                self._doubt(topic, "sentence_number", text, -1, number, ", ".join(cited), lacks)

    def _own_sentences(self, topic: str) -> list[str]:
        """Return the sentences of the answer."""
        answers = self._answers
        at = None if answers is None else answers.topic_index.get(topic)
        if answers is None or at is None:
            return []
        return self._texts[int(answers.offsets[at]) : int(answers.offsets[at + 1])]

    def _doubt(
        self, topic: str, check: Check, subject: str, label: int, sentence: int, other: str, lacks: tuple[str, ...]
    ) -> None:
        self.doubts.append(Doubt(self._place, topic, check, subject, label, sentence, other, lacks))
