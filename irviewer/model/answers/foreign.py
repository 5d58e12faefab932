"""Scores that other tools gave to answers: kept as they are, shown beside ours, never computed with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from irviewer.translation import tr

PUBLISHED = "published"
"""The tool of scores that were published for the same labels: their names are those of measures."""
SAME = 1e-12
"""Scores that differ by no more are equal: sums of the same numbers in another order."""


@dataclass(frozen=True)
class ForeignScores:
    """One column of scores of another tool; ``by_topic`` has a value for each topic that has one.

    tool   whose scores they are; ``name`` as in the file
    """

    tool: str
    name: str
    by_topic: Mapping[str, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name, and whose it is."""
        if self.tool == PUBLISHED:
            return f"{self.name} ({tr('published')})"
        return f"{self.name} ({self.tool})"

    def mean(self, topics: Sequence[str]) -> float:
        """Return the mean over those of some topics that have a value; NaN without one."""
        values = [self.by_topic[topic] for topic in topics if topic in self.by_topic]
        return float(np.mean(values)) if values else float("nan")

    def renamed(self, topics: Mapping[str, str]) -> ForeignScores:
        """Return the same with topics under other ids."""
        by_topic = {topics.get(topic, topic): value for topic, value in self.by_topic.items()}
        return ForeignScores(self.tool, self.name, by_topic)
