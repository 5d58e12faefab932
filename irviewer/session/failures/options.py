"""The options of the failure analysis: kinds shown, limits, sort orders of tables, reading depth. A frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from irviewer.analysis.failures.kinds import Limits

Sort = tuple[str, bool]


@dataclass(frozen=True)
class FindingOptions:
    """``kinds``: those shown, empty for all; ``limits`` without the cutoff, which is the state's; ``sizes``: collection
    name -> number of documents that the user set; ``stop``: number of documents read, 0 for the cutoff."""

    kinds: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)
    failures_sort: Sort = ("query", False)
    relevant_sort: Sort = ("found", False)
    hubs_sort: Sort = ("queries", True)
    sizes: Mapping[str, int] = field(default_factory=dict)
    stop: int = 0
