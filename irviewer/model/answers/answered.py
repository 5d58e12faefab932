"""What is known of one system that answers: its answers, and the labels of nuggets and of citations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irviewer.model.answers.answers import Answers, same_answers
from irviewer.model.answers.assignments import Assignments, same_assignments
from irviewer.model.answers.support import Support, same_support


@dataclass(frozen=True, eq=False)
class Answered:
    """The answers of one system, and what an assigner and a judge say of them; each may be lacking.

    system    its name in the files, "" where they have none
    with_list its context was given: the documents of the run are those that the answers were made from
    """

    system: str
    answers: Answers | None = None
    assignments: Assignments | None = None
    support: Support | None = None
    with_list: bool = False

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of all parts, in their order."""
        parts = [part.topics for part in (self.answers, self.assignments, self.support) if part is not None]
        return tuple(dict.fromkeys(topic for topics in parts for topic in topics))

    def filled(self, other: Answered) -> Answered:
        """Return this one with the parts of another that it lacks."""
        return replace(
            self, answers=self.answers or other.answers, assignments=self.assignments or other.assignments,
            support=self.support or other.support, with_list=self.with_list or other.with_list,
        )  # fmt: skip

    def agrees(self, other: Answered) -> bool:
        """Return whether no part of the other differs from this one's."""
        return (
            (self.answers is None or other.answers is None or same_answers(self.answers, other.answers))
            and (
                self.assignments is None
                or other.assignments is None
                or same_assignments(self.assignments, other.assignments)
            )
            and (self.support is None or other.support is None or same_support(self.support, other.support))
        )
