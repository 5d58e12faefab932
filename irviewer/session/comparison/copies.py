"""The comparison of each edited copy with the baseline: a copy takes part in no test, but its difference has an
interval, as in the view ``systems``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.model.same import Same
from irviewer.model.workspace import RunEntry

if TYPE_CHECKING:
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.session.comparison.request import ComparisonRequest


@dataclass(frozen=True, eq=False)
class CopiesRequest:
    """The edited copies of a collection that can be compared, and the comparison of its runs that gives the options."""

    runs: ComparisonRequest
    copies: tuple[RunEntry, ...]

    @property
    def key(self) -> tuple[Hashable, ...]:
        """The key of the comparison of runs, and the copies with their lists."""
        return (*self.runs.key, tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in self.copies))

    def compute(self, progress: Callable[[float], None] | None = None) -> Mapping[int, RunComparison]:
        """Return the comparison of each copy with the baseline by its key; called on any thread."""
        from irviewer.analysis.statistics.compare import compare

        context = self.runs.context
        pair_of: dict[int, RunComparison] = {}
        base = context.collection.run(context.baseline) if context.baseline is not None else None
        assert base is not None
        within = np.ones(len(context.query_ids), dtype=np.bool_) if context.within is None else context.within
        ids = tuple(np.array(context.query_ids, dtype=object)[within].tolist())
        for number, entry in enumerate(self.copies):
            if progress is not None:
                progress(number / len(self.copies))
            both = (base, entry)
            values = np.array([context.values(each, context.measure)[within] for each in both])
            never = np.array([context.unreached[each.key][within] for each in both])
            given = {**self.runs.options, "notes": [], "baseline": 0, "pairs": False, "unreached": never}
            pair_of[entry.key] = compare(
                values, [each.name for each in both], ids, shared=self.runs.shared, **given
            ).pairs[0]
        return pair_of


def copies_request(runs: ComparisonRequest | None) -> CopiesRequest | None:
    """Return the request for the copies of the collection whose runs are compared with a baseline; None without any."""
    if runs is None:
        return None
    context = runs.context
    copies = tuple(entry for entry in context.collection.runs if entry.is_copy and entry.key not in context.unmatched)
    return CopiesRequest(runs, copies) if copies else None
