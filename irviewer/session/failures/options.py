"""The options of the failure analysis: kinds shown, limits, sort orders of tables, reading depth. A frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from irviewer.analysis.failures.kinds import Limits

Sort = tuple[str, bool]


@dataclass(frozen=True)
class FindingOptions:
    """``kinds``: those shown, empty for all; ``limits`` without the cutoff, which is the state's; ``sizes``: collection
    name -> number of documents that the user set; ``stop``: number of documents read, 0 for the cutoff.

    every_run    whether Failures shows all runs; else the failures of one run, query by query
    of_run       the key of the run that the table of all runs is filtered to; -1 for none
    loop_order   the order of the queries of one run
    loop_filter  their filter
    """

    kinds: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)
    failures_sort: Sort = ("query", False)
    relevant_sort: Sort = ("best", False)
    hubs_sort: Sort = ("queries", True)
    sizes: Mapping[str, int] = field(default_factory=dict)
    stop: int = 0
    every_run: bool = False
    of_run: int = -1
    loop_order: Literal["loss", "random"] = "loss"
    loop_filter: str = ""
