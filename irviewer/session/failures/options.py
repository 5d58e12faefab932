"""What a person chose about failures: which kinds are seen, from where on something is one, how tables of them are
sorted, where reading stops. A frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from irviewer.analysis.failures.kinds import Limits

Sort = tuple[str, bool]


@dataclass(frozen=True)
class FindingOptions:
    """``kinds`` are those seen, none: all of them; ``limits`` without the cutoff, which is the session's; ``sizes`` how
    many documents there are, by the collection's name, where a person said so; ``stop`` how many are read, 0: as many
    as the cutoff says."""

    kinds: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)
    failures_sort: Sort = ("query", False)
    relevant_sort: Sort = ("found", False)
    hubs_sort: Sort = ("queries", True)
    sizes: Mapping[str, int] = field(default_factory=dict)
    stop: int = 0
