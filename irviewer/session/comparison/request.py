"""The frozen inputs of the comparison of a collection's runs, which any thread computes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.statistics.significance.resampling import SharedMeans
from irviewer.model.arrays import Floats
from irviewer.model.ascending_ids import outside
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.context import EvaluationContext

if TYPE_CHECKING:
    from irviewer.analysis.statistics.stability import Stability


@dataclass(frozen=True, eq=False)
class ComparisonRequest:
    """The frozen inputs of a comparison; ``key`` identifies it. ``of_pairs``: the declared family is all pairs."""

    key: tuple[Hashable, ...]
    context: EvaluationContext
    options: dict[str, Any]
    shared: SharedMeans
    of_pairs: bool = False

    def compute(self, progress: Callable[[float], None] | None = None) -> Compared:
        """Compute it; called on any thread."""
        from irviewer.analysis.statistics.compare import compare

        context = self.context
        runs = context.decidable
        values = np.array([context.values(entry, context.measure) for entry in runs])
        never = np.array([context.unreached[entry.key] for entry in runs])
        ids = context.query_ids
        if context.within is not None:
            values, never = values[:, context.within], never[:, context.within]
            ids = tuple(query_id for query_id, inside in zip(ids, context.within.tolist(), strict=True) if inside)
        names = [entry.name for entry in runs]
        notes = [*self._lacked(names, ids, values), *self.options["notes"]]
        given = {**self.options, "notes": notes, "unreached": never}
        both = self.of_pairs and not self.options["pairs"]
        comparison = compare(
            values, names, ids, progress=_part(progress, 0.0, 0.5 if both else 1.0), shared=self.shared, **given
        )
        if both:
            given |= {"pairs": True, "baseline": None, "interval": "t", "weights": None}
            every = compare(values, names, ids, progress=_part(progress, 0.5, 1.0), shared=self.shared, **given)
            comparison = comparison.in_family_of(every)
        letters = comparison.letters() if self.options["pairs"] and self.of_pairs else None
        # Runs without a mean have no place in the order.
        stability = None if never.any() else self._stability(context.levels(values), progress)
        return Compared(tuple(entry.key for entry in runs), comparison, stability, letters)

    def _lacked(self, names: Sequence[str], ids: tuple[str, ...], values: Floats) -> list[str]:
        """Return the note about queries that runs lack and that count as 0."""
        from irviewer.analysis.statistics.result_comparison import missing_notes

        context = self.context
        if context.options.missing_policy != "zero":
            return []
        missing = [outside(ids, entry.run.query_ids, entry.run.query_index) for entry in context.decidable]
        return missing_notes(names, missing, ids, context.measure, values)

    def _stability(self, values: Floats, progress: Callable[[float], None] | None) -> Stability | None:
        """Return the stability of the order of runs, if all pairs are compared; None if fewer than
        two queries are in all runs."""
        if self.options["units"] is not None:
            return None  # it draws single queries
        from irviewer.analysis.statistics.stability import can_be_drawn, ranking_stability

        if not self.options["pairs"] or not can_be_drawn(values):
            return None
        # For the unweighted means: the table's order and the letters are theirs.
        given = {name: self.options[name] for name in ("samples", "seed", "higher_is_better")}
        # The last step can still be cancelled.
        return ranking_stability(
            values, **given, shared=self.shared, progress=None if progress is None else lambda _: progress(1.0)
        )


def _part(progress: Callable[[float], None] | None, start: float, stop: float) -> Callable[[float], None] | None:
    """Return progress of a part of the work, from ``start`` to ``stop``."""
    return None if progress is None else lambda share: progress(start + (stop - start) * share)
