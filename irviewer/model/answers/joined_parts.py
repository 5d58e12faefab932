"""The answers and labels of a system that stand in several files, each with other topics, as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irviewer.model.answers.answered import Answered
from irviewer.model.answers.concatenated import concatenated
from irviewer.model.answers.foreign import ForeignScores


def joined_parts(parts: Sequence[Answered], origin: str) -> Answered:
    """Return what files of one system have, of different topics; ``origin`` is that of all."""
    answers, assignments, support = (
        concatenated(*own) if (own := [each for each in column if each is not None]) else None
        for column in zip(*((each.answers, each.assignments, each.support) for each in parts), strict=True)
    )
    scores: dict[str, list[ForeignScores]] = {}
    for each in (foreign for part in parts for foreign in part.foreign):
        scores.setdefault(each.title, []).append(each)
    foreign = (
        replace(own[0], by_topic={topic: value for each in own for topic, value in each.by_topic.items()})
        for own in scores.values()
    )
    return replace(
        parts[0], answers=answers, foreign=tuple(foreign),
        assignments=None if assignments is None else replace(assignments, origin=origin),
        support=None if support is None else replace(support, origin=origin),
    )  # fmt: skip
