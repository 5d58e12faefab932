"""The view model of the answers to one topic: what is shown, what belongs to the selection, and the measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from irviewer.model.answers.labels import FULL, NONE, ODD, OKAY, PARTIAL, UNJUDGED, VITAL
from irviewer.rendering.run_label import RunLabel
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.answers.topic_answers import Cited, NuggetRow, TopicAnswers

SENTENCE, SEGMENT, NUGGET = "sentence", "segment", "nugget"
LABELS = {
    FULL: tr("said"), PARTIAL: tr("said in part"), NONE: tr("not said"), ODD: tr("label not known"),
    UNJUDGED: tr("not judged"),
}  # fmt: skip
STAGES = {
    "no_document": tr("no document known"), "not_retrieved": tr("not retrieved"), "below": tr("below the context"),
    "not_cited": tr("in the context, not cited"), "cited": tr("cited, not said"), "partly": tr("said in part"),
    "unknown": tr("unknown: no links"),
}  # fmt: skip
"""Where a vital nugget was lost, in words."""
IMPORTANCES = {VITAL: tr("vital"), OKAY: tr("okay"), ODD: tr("importance not known")}


@dataclass(frozen=True)
class Selection:
    """What is selected: a sentence (system and number), a segment (its place) or a nugget (its place); "" for
    nothing."""

    kind: str = ""
    place: int = -1
    system: int = 0


@dataclass(frozen=True)
class MeasureLine:
    """A measure of the answers: its title, a text for each system, and the difference of the compared one.

    measure   what explains the values, "" for a line of counts
    better    the difference, above 0 where the compared system is better; NaN for none
    delta     its text; an arrow says whether it is better
    plain     the difference has no direction
    """

    title: str
    tip: str
    texts: tuple[str, ...]
    measure: str = ""
    better: float = math.nan
    delta: str = ""
    of_list: bool = False
    unjudged: bool = False


@dataclass(frozen=True)
class NuggetGroup:
    """Nuggets of one importance and label: "vital, said: 6"."""

    title: str
    rows: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class AnswerViewModel:
    """The answers of S systems to a topic, the first system being the baseline.

    shown       the places of the systems whose sentences are shown, the first one leads
    compared    the place of the system that differences are about, -1 without another
    assigners   who assigned the nuggets, by file; ``graded_by`` who judged the documents
    notes       what is odd, for the status line, with details
    missing     what is not open, and how to get it; one sentence each
    """

    topic: TopicAnswers
    labels: tuple[RunLabel, ...]
    shown: tuple[int, ...]
    compared: int
    selection: Selection
    measures: tuple[MeasureLine, ...]
    max_grade: float
    graded_by: str
    assigners: tuple[str, ...]
    list_name: str
    budget: int
    position: tuple[int, int]
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    hints: bool = True
    differences_first: bool = False
    titles: dict[str, str] = field(default_factory=dict)

    @property
    def lead(self) -> int:
        """The place of the system whose sentences come first."""
        return self.shown[0] if self.shown else 0

    @cached_property
    def lit_sentences(self) -> tuple[frozenset[int], ...]:
        """By system the numbers of the sentences that belong to the selection."""
        chosen, systems = self.selection, range(len(self.topic.systems))
        if chosen.kind == SENTENCE:
            return tuple(frozenset({chosen.place} if number == chosen.system else ()) for number in systems)
        if chosen.kind == SEGMENT:
            return tuple(frozenset(self.topic.segments[chosen.place].cited[number]) for number in systems)
        if chosen.kind == NUGGET and self.hints:
            return tuple(frozenset(self.topic.nuggets[chosen.place].alike[number]) for number in systems)
        return tuple(frozenset() for _ in systems)

    @cached_property
    def lit_segments(self) -> frozenset[int]:
        """The places of the segments that belong to the selection."""
        chosen = self.selection
        if chosen.kind == SENTENCE:
            cites = self.topic.systems[chosen.system].sentences[chosen.place - 1].cites
            return frozenset(each.segment for each in cites if each.segment >= 0)
        if chosen.kind == SEGMENT:
            return frozenset({chosen.place})
        if chosen.kind == NUGGET:
            return frozenset(self.topic.nuggets[chosen.place].segments)
        return frozenset()

    @cached_property
    def lit_nuggets(self) -> frozenset[int]:
        """The places of the nuggets that belong to the selection."""
        chosen, rows = self.selection, self.topic.nuggets
        if chosen.kind == SENTENCE:
            if not self.hints:
                return frozenset()
            return frozenset(n for n, row in enumerate(rows) if chosen.place in row.alike[chosen.system])
        if chosen.kind == SEGMENT:
            return frozenset(n for n, row in enumerate(rows) if chosen.place in row.segments)
        return frozenset({chosen.place}) if chosen.kind == NUGGET else frozenset()

    @cached_property
    def groups(self) -> tuple[NuggetGroup, ...]:
        """The nuggets by importance and label of the leading system; or, with several answers side by side, those that
        differ first."""
        return _by_difference(self) if self.differences_first else _by_label(self.topic.nuggets, self.lead)

    def near_words(self, nugget: int) -> str:
        """What is said of a vital nugget that the leading system does not say, and that no sentence has half of the
        words of: which sentence has most; "" for others."""
        row, system = self.topic.nuggets[nugget], self.topic.systems[self.lead]
        if not self.hints or not row.is_vital or row.labels[self.lead] != NONE or row.alike[self.lead]:
            return ""
        if not system.answered or not system.sentences:
            return ""
        from irviewer.analysis.answers.words import nearest_sentence, words_of

        number, shared, count = nearest_sentence(row.text, [words_of(each.text) for each in system.sentences])
        if not number:
            return tr("≈ none: no sentence has any of its words")
        return tr("≈ none: sentence {number} has most of its words, {shared} of {count}", number=number, shared=shared,
                  count=count)  # fmt: skip

    @cached_property
    def lost(self) -> tuple[tuple[str, int], ...]:
        """Where the leading system lost vital nuggets: words and count, most first."""
        counts: dict[str, int] = {}
        for row in self.topic.nuggets:
            stage = row.stages[self.lead] if row.stages else ""
            if stage:
                counts[stage] = counts.get(stage, 0) + 1
        return tuple(sorted(counts.items(), key=lambda each: -each[1]))

    @property
    def nuggets_title(self) -> str:
        """How many nuggets there are, by importance."""
        importances = [row.importance for row in self.topic.nuggets]
        vital, okay = importances.count(VITAL), importances.count(OKAY)
        odd = len(importances) - vital - okay
        if odd:
            return tr("Nuggets: {vital:,} vital, {okay:,} okay, {odd:,} not known", vital=vital, okay=okay, odd=odd)
        return tr("Nuggets: {vital:,} vital, {okay:,} okay", vital=vital, okay=okay)

    def cited_text(self, cited: Cited) -> str:
        """Return what is said of a citation: as :meth:`rank_text`, and a number in brackets that is that of no
        reference as it stands in the text."""
        is_mark = cited.segment < 0 and cited.document.startswith("[")
        return cited.document if is_mark else self.rank_text(cited.segment)

    def rank_text(self, segment: int) -> str:
        """Return what the box of a segment says: the rank, without a list the place in the references, "+" beside the
        list."""
        if segment < 0:
            return "?"
        if not self.topic.listed:
            return str(segment + 1)
        return str(self.topic.segments[segment].rank) if self.topic.segments[segment].rank else "+"


def _by_label(rows: Sequence[NuggetRow], lead: int) -> tuple[NuggetGroup, ...]:
    groups = []
    for importance, word in IMPORTANCES.items():
        own = [n for n, row in enumerate(rows) if (row.importance if row.importance in (VITAL, OKAY) else ODD)
               == importance]  # fmt: skip
        for label, title in LABELS.items():
            members = tuple(n for n in own if rows[n].labels and rows[n].labels[lead] == label)
            if members:
                text = tr("{importance}, {label}: {n:,}", importance=word, label=title, n=len(members))
                groups.append(NuggetGroup(text, members))
        if own and not rows[own[0]].labels:
            groups.append(NuggetGroup(f"{word}: {decimal(f'{len(own):,}')}", tuple(own)))
    return tuple(groups)


def _by_difference(view_model: AnswerViewModel) -> tuple[NuggetGroup, ...]:
    """Return the nuggets on which the shown systems differ, then those that all say, in part, and none says."""
    rows, shown = view_model.topic.nuggets, view_model.shown
    order = sorted(range(len(rows)), key=lambda n: (rows[n].importance != VITAL, n))
    differ = [n for n in order if len({rows[n].labels[place] for place in shown}) > 1]
    groups = []
    if len(shown) == 2:
        first, second = (view_model.labels[place].name for place in shown)
        more = [n for n in differ if rows[n].labels[shown[0]] > rows[n].labels[shown[1]]]
        less = [n for n in differ if rows[n].labels[shown[0]] < rows[n].labels[shown[1]]]
        groups += [(tr("fuller in {run}: {n:,}", run=first, n=len(more)), more),
                   (tr("fuller in {run}: {n:,}", run=second, n=len(less)), less)]  # fmt: skip
    else:
        groups.append((tr("they differ: {n:,}", n=len(differ)), differ))
    for label, title in ((FULL, tr("all say it: {n:,}")), (PARTIAL, tr("all in part: {n:,}")),
                         (None, tr("none says it: {n:,}"))):  # fmt: skip
        own = [n for n in order if n not in differ and (
            rows[n].labels[shown[0]] == label if label is not None else rows[n].labels[shown[0]] not in (FULL, PARTIAL)
        )]  # fmt: skip
        groups.append((title.format(n=len(own)), own))
    return tuple(NuggetGroup(title, tuple(own)) for title, own in groups if own)


def sentences_text(view_model: AnswerViewModel, system: int) -> str:
    """Return the head of an answer: ``308 of 400 words · 13 sentences``."""
    answer = view_model.topic.systems[system]
    if not answer.answered:
        return tr("no answer to this topic")
    words = tr("{words:,} of {budget:,} words", words=answer.words, budget=view_model.budget)
    sentences = trn("{n:,} sentence", "{n:,} sentences", len(answer.sentences))
    return f"{words} · {sentences}"


def number_list(numbers: Sequence[int], most: int = 4) -> str:
    """Return numbers as a list that is cut: ``3, 7, 8, 9 …``."""
    shown = ", ".join(str(number) for number in numbers[:most])
    return shown if len(numbers) <= most else f"{shown} …"


def delta_words(value: float, decimals: int = 4) -> str:
    """Return a difference with its arrow, "=" where it rounds to 0."""
    if math.isnan(value):
        return ""
    size = f"{abs(value):.{decimals}f}"
    if not float(size):
        return "="
    return ("▲ " if value > 0 else "▼ ") + decimal(size)
