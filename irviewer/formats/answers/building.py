"""Answers from records: citations resolved to references, and everything odd counted, never dropped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from irviewer.formats.answers.records import Issues, Kept, text_of
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import as_number
from irviewer.formats.reading.opener import Opened
from irviewer.model.answers.answers import Answers, Form
from irviewer.model.answers.prose import MARK, searches_in, sentences_of, with_places, without_marks
from irviewer.model.arrays import frozen, offsets_of, strings
from irviewer.translation import trn

Citation = tuple[str, int, bool, float]
"""What is cited, its place among the references (-1: none), whether by id, and its score."""
_ID_NAMES = ("docid", "doc_id", "document_id", "id", "reference")
"""What the id is called in a citation that is an object."""
_BRACKET = re.compile(r"[\[({【]")
_WHOLE = re.compile(r"\d{1,9}")


@dataclass
class Answer:
    """One answer as read; ``prose`` if it was one text."""

    topic: str
    question: str
    references: list[str]
    sentences: list[tuple[str, list[Citation]]]
    declared: int = -1
    more: str = "{}"
    line: int = 0
    prose: bool = False

    @property
    def unmarked(self) -> bool:
        """Whether it is one text that has documents, and no marks say which sentences cite them."""
        return self.prose and bool(self.references and self.sentences) and not any(cited for _, cited in self.sentences)

    @property
    def content(self) -> tuple[Any, ...]:
        """What two equal answers share."""
        citations = [(text, [(*each[:3], repr(each[3])) for each in cited]) for text, cited in self.sentences]
        return self.references, citations


_LISTS, _PLACES, NAN = frozenset({list}), frozenset({int}), float("nan")


@dataclass
class Builder:
    """The answers of one system while they are read."""

    opened: Opened
    system: str
    policy: DuplicatePolicy
    issues: Issues = field(default_factory=Issues)
    form: Form = "rag24"
    kept: Kept[Answer] = field(init=False)

    def __post_init__(self) -> None:
        self.kept = Kept(
            self.opened, self.policy, self.issues, lambda answer: answer.content, lambda *_: "answers", self.system
        )

    def add(self, answer: Answer) -> None:
        """Take one answer. Raises RecordsError for a second, different answer to a topic if the policy refuses."""
        if answer.unmarked:
            self.issues.add("whole answer", answer.line)
        self.kept.add(answer.topic, answer.line, answer)

    def built(self) -> Answers:
        """Return the answers as arrays."""
        every = [answer for _, answer in self.kept.by_topic.values()]
        unmarked = tuple(answer.topic for answer in every if answer.unmarked)
        return replace(
            built_answers(every, self.form), twice=self.kept.twice("answers"), kept=self.policy, unmarked=unmarked
        )

    def all_cited(
        self, given: Sequence[Any], references: Sequence[str], index: dict[str, int], line: int
    ) -> list[list[Citation]]:
        """Return what each sentence of an answer cites, as :meth:`cited`; quickly where all are lists of places, each
        reference is there once and none is cited twice by a sentence, as in most files."""
        if len(index) == len(references) and {*map(type, given)} <= _LISTS:
            places = [*chain.from_iterable(given)]
            plain = not places or (
                {*map(type, places)} <= _PLACES and min(places) >= 0 and max(places) < len(references)
                and len(places) == sum(map(len, map(set, given)))
            )  # fmt: skip
            if plain:
                return [[(references[each], each, False, NAN) for each in listed] for listed in given]
        return [self.cited(each, references, index, line) for each in given]

    def cited(self, given: Any, references: Sequence[str], index: dict[str, int], line: int) -> list[Citation]:
        """Return what a sentence cites: a list of places or ids, or id -> score (by score, then as given)."""
        if given is None:
            return []
        if isinstance(given, dict):
            scored = [(name, self._score(score, line)) for name, score in given.items()]
            scored.sort(key=lambda pair: -pair[1] if pair[1] == pair[1] else np.inf)
            return self._known_twice(
                [(*self._one(name, references, index, line)[:3], score) for name, score in scored], line
            )
        if not isinstance(given, list):
            self.issues.add("shape", line)
            given = [given]
        cited: list[Citation] = []
        for each in given:
            if isinstance(each, list):
                self.issues.add("shape", line)
                cited += self.cited(each, references, index, line)
            else:
                cited.append(self._one(each, references, index, line))
        return self._known_twice(cited, line)

    def _known_twice(self, cited: list[Citation], line: int) -> list[Citation]:
        if len(cited) > 1 and len({each[0] for each in cited}) < len(cited):
            self.issues.add("twice", line)
        return cited

    def _one(self, value: Any, references: Sequence[str], index: dict[str, int], line: int) -> Citation:
        if isinstance(value, int) and not isinstance(value, bool):
            return self._place(value, references, line)
        if isinstance(value, float) and value.is_integer():
            self.issues.add("shape", line)
            return self._place(int(value), references, line)
        if isinstance(value, str):
            place = index.get(value)
            if place is not None:
                return value, place, True, np.nan
            if _WHOLE.fullmatch(value) and int(value) < len(references):
                self.issues.add("shape", line)
                return self._place(int(value), references, line)
            if MARK.fullmatch(value):  # of a text, written back
                self.issues.add("mark", line)
                return value, -1, False, np.nan
            self.issues.add("outside", line)
            return value, -1, True, np.nan
        self.issues.add("shape", line)
        known = next((value[name] for name in _ID_NAMES if isinstance(value.get(name), str | int)), None) if isinstance(
            value, dict
        ) else None  # fmt: skip
        if isinstance(known, str | int) and not isinstance(known, bool):
            if str(known) not in index:
                self.issues.add("outside", line)
            return str(known), index.get(str(known), -1), True, np.nan
        self.issues.add("nowhere", line)
        return text_of(value) or "null", -1, False, np.nan

    def _place(self, place: int, references: Sequence[str], line: int) -> Citation:
        if 0 <= place < len(references):
            return references[place], place, False, np.nan
        self.issues.add("nowhere", line)
        return str(place), -1, False, np.nan

    def _score(self, value: Any, line: int) -> float:
        if isinstance(value, int | float) and (known := as_number(value)) is not None:
            return known
        self.issues.add("shape", line)
        return float("nan")

    def prose(self, text: str, references: Sequence[str], base: int, line: int) -> list[tuple[str, list[Citation]]]:
        """Return the sentences of an answer that is one text; the first reference has the number ``base``."""
        self.issues.add("prose" if base else "prose from 0", line)
        is_one = self._is_one_search([text], line)
        sentences = sentences_of(with_places(text, references, base, one_search=is_one))
        self._note_unread([sentence for sentence, _ in sentences], line)
        return [
            (sentence, [self._mark(mark, base, references, line) for mark in marks]) for sentence, marks in sentences
        ]

    def _is_one_search(self, texts: Sequence[str], line: int) -> bool:
        """Return whether all marks by searches in an answer are of one, whose list the references are then."""
        searches = searches_in(texts)
        if searches:
            self.issues.add("searched", line)
        return len(searches) == 1

    def _note_unread(self, texts: Sequence[str], line: int) -> None:
        if searches_in(texts):
            self.issues.add("searched unread", line)

    def marked(
        self, sentences: Sequence[tuple[str, list[Citation]]], has_list: Sequence[bool], references: Sequence[str],
        base: int, line: int,
    ) -> list[tuple[str, list[Citation]]]:  # fmt: skip
        """Return sentences with the citations of the marks in those that have no list of them; marks beside an empty
        list are counted."""
        result = []
        own = [text for (text, cited), listed in zip(sentences, has_list, strict=True) if not (cited or listed)]
        is_one = self._is_one_search(own, line) or len(searches_in(text for text, cited in sentences if not cited)) == 1
        for (text, cited), listed in zip(sentences, has_list, strict=True):
            if not cited and _BRACKET.search(text):
                plain, marks = without_marks(with_places(text, references, base, one_search=is_one))
                if marks and not listed:
                    self.issues.add("marked" if base else "marked from 0", line)
                    text, cited = plain or text, [self._mark(mark, base, references, line) for mark in marks]
                elif any(base <= mark < base + len(references) for mark in marks):
                    self.issues.add("marks unread", line)
            result.append((text, cited))
        self._note_unread([text for text, cited in result if not cited] if own else [], line)
        return result

    def _mark(self, mark: int, base: int, references: Sequence[str], line: int) -> Citation:
        if base <= mark < base + len(references):
            return references[mark - base], mark - base, False, np.nan
        self.issues.add("mark", line)
        return f"[{mark}]", -1, False, np.nan

    def findings(self) -> list[Finding]:
        """Return what was odd, as notes."""
        notes = [
            self.issues.finding(
                kind, text(self.issues.counts[kind]), serious=kind not in PLAIN, everywhere=kind in LOST
            )
            for kind, text in NOTES.items()
            if self.issues.counts.get(kind)
        ]
        return [*notes, *self.kept.findings()]


def built_answers(answers: Sequence[Answer], form: Form) -> Answers:
    """Return answers to different topics as arrays."""
    sentences = [sentence for answer in answers for sentence in answer.sentences]
    citations = [citation for _, cited in sentences for citation in cited]
    return Answers(
        tuple(answer.topic for answer in answers),
        tuple(answer.question for answer in answers),
        frozen(offsets_of(_counts([len(answer.sentences) for answer in answers]))),
        strings([text for text, _ in sentences]),
        frozen(offsets_of(_counts([len(cited) for _, cited in sentences]))),
        strings([citation[0] for citation in citations]),
        frozen(np.array([citation[1] for citation in citations], dtype=np.int64)),
        frozen(np.array([citation[2] for citation in citations], dtype=np.bool_)),
        frozen(np.array([citation[3] for citation in citations], dtype=np.float64)),
        frozen(offsets_of(_counts([len(answer.references) for answer in answers]))),
        strings([reference for answer in answers for reference in answer.references]),
        frozen(np.array([answer.declared for answer in answers], dtype=np.int64)),
        tuple(answer.more for answer in answers),
        form,
    )


PLAIN = frozenset({"twice", "prose", "prose from 0", "marked", "marked from 0", "same", "number", "hashed"})
"""The notes that change no number."""
NOTES: Mapping[str, Callable[[int], str]] = {
    "nowhere": lambda n: trn("{n:,} citation has a place that the references lack: it is kept, and leads nowhere",
                             "{n:,} citations have a place that the references lack: they are kept, and lead nowhere",
                             n),
    "mark": lambda n: trn("{n:,} number in brackets in a text is that of no reference: it is kept, and leads nowhere",
                          "{n:,} numbers in brackets in texts are those of no references: they are kept, and lead "
                          "nowhere", n),
    "outside": lambda n: trn("{n:,} citation is of a document that the references lack: it is kept",
                             "{n:,} citations are of documents that the references lack: they are kept", n),
    "shape": lambda n: trn("{n:,} citation is not written as a place or an id; it is read as far as it has a meaning",
                           "{n:,} citations are not written as places or ids; they are read as far as they have a "
                           "meaning", n),
    "twice": lambda n: trn("{n:,} sentence cites a document twice", "{n:,} sentences cite a document twice", n),
    "doubled": lambda n: trn("{n:,} citation is twice among the scores of a sentence: the last one is read",
                             "{n:,} citations are twice among the scores of sentences: the last ones are read", n),
    "no references": lambda n: trn("{n:,} answer has citations and no references",
                                   "{n:,} answers have citations and no references", n),
    "no list": lambda n: trn("the references of {n:,} answer are no list: they are left out",
                             "the references of {n:,} answers are no lists: they are left out", n),
    "same reference": lambda n: trn("{n:,} answer lists a reference twice", "{n:,} answers list a reference twice", n),
    "empty": lambda n: trn("{n:,} sentence is empty; it is kept", "{n:,} sentences are empty; they are kept", n),
    "no sentence": lambda n: trn("{n:,} answer has no sentence", "{n:,} answers have no sentence", n),
    "prose": lambda n: trn("{n:,} answer is one text: it is cut into sentences, and marks such as [1] are citations "
                           "(1 is the first reference)",
                           "{n:,} answers are one text each: they are cut into sentences, and marks such as [1] are "
                           "citations (1 is the first reference)", n),
    "prose from 0": lambda n: trn("{n:,} answer is one text: it is cut into sentences, and marks such as [0] are "
                                  "citations (0 is the first reference)",
                                  "{n:,} answers are one text each: they are cut into sentences, and marks such as "
                                  "[0] are citations (0 is the first reference)", n),
    "marked": lambda n: trn("{n:,} sentence has no list of citations: marks in it such as [1] are citations (1 is the "
                            "first reference)",
                            "{n:,} sentences have no lists of citations: marks in them such as [1] are citations (1 is "
                            "the first reference)", n),
    "marked from 0": lambda n: trn("{n:,} sentence has no list of citations: marks in it such as [0] are citations (0 "
                                   "is the first reference)",
                                   "{n:,} sentences have no lists of citations: marks in them such as [0] are "
                                   "citations (0 is the first reference)", n),
    "marks unread": lambda n: trn("{n:,} sentence has marks such as [1] and an empty list of citations: the list "
                                  "counts, and it cites nothing",
                                  "{n:,} sentences have marks such as [1] and empty lists of citations: the lists "
                                  "count, and they cite nothing", n),
    "searched": lambda n: trn(
        "{n:,} answer has marks such as 【4:0†source】: the number behind the colon is the place of a reference, "
        "from 0",
        "{n:,} answers have marks such as 【4:0†source】: the number behind the colon is the place of a reference, "
        "from 0", n),
    "searched unread": lambda n: trn(
        "{n:,} answer has marks such as 【4:0†source】 that are kept as text: they are of several searches, or have "
        "a place that the references lack",
        "{n:,} answers have marks such as 【4:0†source】 that are kept as text: they are of several searches, or "
        "have a place that the references lack", n),
    "whole answer": lambda n: trn("{n:,} answer has documents and no marks such as [1]: which sentence cites them is "
                                  "not known, and they are its references",
                                  "{n:,} answers have documents and no marks such as [1]: which sentences cite them is "
                                  "not known, and they are their references", n),
    "same": lambda n: trn("{n:,} answer is there twice with the same content: it is read once",
                          "{n:,} answers are there twice with the same content: they are read once", n),
    "number": lambda n: trn("{n:,} topic is a number; it is read as text",
                            "{n:,} topics are numbers; they are read as texts", n),
    "hashed": lambda n: trn("{n:,} context has no id: it is known by a hash of its text",
                            "{n:,} contexts have no id: they are known by hashes of their texts", n),
    "calls": lambda n: trn("{n:,} record has calls that are not JSON: its contexts are not known",
                           "{n:,} records have calls that are not JSON: their contexts are not known", n),
    "skipped": lambda n: trn("{n:,} record is not an answer and is left out",
                             "{n:,} records are not answers and are left out", n),
}  # fmt: skip
"""What can be odd -> its sentence."""

LOST = frozenset({"no list", "calls", "skipped"})
"""Those of which something is not read."""


def reference_index(references: Sequence[str]) -> dict[str, int]:
    """Return reference -> its first place."""
    index: dict[str, int] = {}
    for place, reference in enumerate(references):
        index.setdefault(reference, place)
    return index


def json_more(record: dict[str, Any], known: frozenset[str]) -> str:
    """Return what else a record has, as JSON."""
    rest = {key: value for key, value in record.items() if key not in known}
    return json.dumps(rest, ensure_ascii=False) if rest else "{}"


def _counts(sizes: Sequence[int]) -> Any:
    return np.array(sizes, dtype=np.int64)
