"""What is known of one system that answers: its answers, and the labels of nuggets and of citations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Literal, Protocol, TypeVar

import numpy as np

from irviewer.model.answers.answers import Answers, are_different, differing_topics, joined_answers
from irviewer.model.answers.assignments import Assignments, same_assignments
from irviewer.model.answers.foreign import ForeignScores
from irviewer.model.answers.labels import MERGED
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support, same_support

Part = TypeVar("Part", Answers, Nuggets, Support)


class RankedLists(Protocol):
    """Ranked documents of topics, as a run has them."""

    @property
    def name(self) -> str:
        """What the list is called."""
        ...

    def ranking(self, query_id: str) -> list[str]:
        """Return the documents of a topic in their order, none for one that is not there."""
        ...


@dataclass(frozen=True, eq=False)
class Answered:
    """The answers of one system, and what an assigner and a judge say of them; each may be lacking.

    system    its name in the files, "" where they have none
    context   the list that the answers were made from, where it was given: its documents are those of the run
    foreign   scores that other tools gave to the answers
    """

    system: str
    answers: Answers | None = None
    assignments: Assignments | None = None
    support: Support | None = None
    context: RankedLists | None = None
    foreign: tuple[ForeignScores, ...] = ()

    @property
    def with_list(self) -> bool:
        """Whether the list is known that the answers were made from."""
        return self.context is not None

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of all parts, in their order; those of scores of others where there is no other part."""
        parts: list[Iterable[str]] = [
            part.topics for part in (self.answers, self.assignments, self.support) if part is not None
        ]
        if not parts:
            parts = [scores.by_topic for scores in self.foreign]
        return tuple(dict.fromkeys(topic for topics in parts for topic in topics))

    @property
    def scores_alone(self) -> bool:
        """Whether nothing but scores of others is known: no answers and no labels."""
        return self.answers is None and self.assignments is None and self.support is None

    def judged_text(self, topic: str) -> str:
        """Return the text that was judged where it is not the answer at hand, also where that is lacking; "" where it
        is, or is not known. White space does not matter."""
        place = None if self.assignments is None else self.assignments.nuggets.topic_index.get(topic)
        if self.assignments is None or place is None:
            return ""
        judged = self.assignments.answer_texts[place]
        own = "" if self.answers is None else self.answers.text_of(topic)
        return "" if judged == own or judged.split() == own.split() else judged

    @cached_property
    def other_texts(self) -> int:
        """The number of topics whose answer is not the text that was judged; white space does not matter."""
        if self.answers is None or self.assignments is None:
            return 0
        topics = self.answers.topic_index
        return sum(bool(self.judged_text(topic)) for topic in self.assignments.topics if topic in topics)

    @cached_property
    def other_support(self) -> int:
        """The number of topics whose answer has other sentences than those whose citations were judged, or cites where
        these do not; white space does not matter."""
        answers, support = self.answers, self.support
        if answers is None or support is None:
            return 0
        ours, theirs = answers.texts.to_pylist(), support.texts.to_pylist()
        uncited, without = answers.uncited.tolist(), (np.diff(support.citation_offsets) == 0).tolist()
        count = 0
        for place, topic in enumerate(support.topics):
            other = answers.topic_index.get(topic)
            if other is None:
                continue
            judged = range(int(support.offsets[place]), int(support.offsets[place + 1]))
            own = range(int(answers.offsets[other]), int(answers.offsets[other + 1]))
            count += len(judged) != len(own) or any(
                (without[row] and not uncited[mine])
                or (theirs[row] != ours[mine] and theirs[row].strip() and theirs[row].split() != ours[mine].split())
                for row, mine in zip(judged, own, strict=True)
            )
        return count

    def renamed(self, topics: Mapping[str, str]) -> Answered:
        """Return the same with topics under other ids; topics that the mapping lacks keep theirs."""
        return replace(
            self,
            answers=None if self.answers is None else _renamed(self.answers, topics),
            assignments=None if self.assignments is None else replace(
                self.assignments, nuggets=_renamed(self.assignments.nuggets, topics),
                relabelled=tuple(topics.get(topic, topic) for topic in self.assignments.relabelled),
            ),
            support=None if self.support is None else _renamed(self.support, topics),
            foreign=tuple(scores.renamed(topics) for scores in self.foreign),
        )  # fmt: skip

    def filled(self, other: Answered, prefers: Literal["first", "last"] | None = None) -> Answered:
        """Return this one with the parts of another that it lacks. With ``prefers`` its answers to topics that this one
        lacks are added, too, and those of the "first" or the "last" of the two count where they differ."""
        own = {scores.title for scores in self.foreign}
        assignments = self.assignments or other.assignments
        if assignments is not None and assignments.spans is None and other.assignments is not None:
            same = same_assignments(assignments, other.assignments)
            assignments = replace(assignments, spans=other.assignments.spans) if same else assignments
        answers = self.answers or other.answers
        if prefers is not None and self.answers is not None and other.answers is not None:
            answers = joined_answers(self.answers, other.answers, prefers)
        return replace(
            self, answers=answers, assignments=assignments,
            support=self.support or other.support, context=self.context or other.context,
            foreign=(*self.foreign, *(scores for scores in other.foreign if scores.title not in own)),
        )  # fmt: skip

    def differing(self, other: Answered) -> tuple[str, ...]:
        """Return the topics that both answer, and not alike."""
        if self.answers is None or other.answers is None:
            return ()
        return differing_topics(self.answers, other.answers)

    def agrees(self, other: Answered, *, answers: bool = True) -> bool:
        """Return whether no part of the other differs from this one's; without ``answers`` these may. Labels that were
        merged here are of an assigner of their own, also where they are the same."""
        return (
            _merged_as(self) == _merged_as(other)
            and not (answers and self._has_other_answers(other))
            and (
                self.assignments is None
                or other.assignments is None
                or same_assignments(self.assignments, other.assignments)
            )
            and (self.support is None or other.support is None or same_support(self.support, other.support))
        )

    def _has_other_answers(self, other: Answered) -> bool:
        return self.answers is not None and other.answers is not None and are_different(self.answers, other.answers)


def _merged_as(answered: Answered) -> str:
    """Return the assigner that labels were merged into here, "" for labels of a file or given by hand."""
    origins = [part.origin for part in (answered.assignments, answered.support) if part is not None]
    return next((origin for origin in origins if origin.startswith(MERGED)), "")


def _renamed(part: Part, topics: Mapping[str, str]) -> Part:
    """Return a part with other topics, wherever it names some."""
    named = {each.name for each in fields(part)} & {"topics", "twice", "relabelled", "unmarked"}
    own = {name: tuple(topics.get(topic, topic) for topic in getattr(part, name)) for name in named}
    return replace(part, **own)  # type: ignore[arg-type]
