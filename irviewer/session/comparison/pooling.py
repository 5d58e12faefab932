"""Effects of the pool on the values in view: intervals that unjudged documents leave open, and runs evaluated without
their own contribution to the pool. Computed in tasks and cached; ``analysis.pooling`` computes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from irviewer.model.held_bytes import held_bytes
from irviewer.model.same import Same
from irviewer.session.background import BackgroundResults
from irviewer.session.evaluation.context import EvaluationContext, taking_part_in
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.pool import (
    PoolViewModel,
    build_pool_view_model,
    marked,
    systems_marks,
    value_intervals,
)
from irviewer.session.view_models.systems import SystemsViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.pooling.contributions import LeaveOneOut
    from irviewer.analysis.pooling.effects import PoolEffects
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.model.workspace import Collection
    from irviewer.tables.table import Table

KINDS = ("open", "left out")
TITLES = {"open": tr("Computing bounds from unjudged documents"), "left out": tr("Leaving out each run in turn")}
MOST_KEPT, MOST_BYTES = 6, 32 << 20
NONE: dict[int, str] = {}


@dataclass(frozen=True, eq=False)
class _Pool:
    """The frozen inputs: the runs that take part with all their documents, also if fewer are shown."""

    kind: str
    key: tuple[Hashable, ...]
    context: EvaluationContext
    collection: Collection

    @property
    def against(self) -> int | None:
        """The index of the baseline among the runs; None if it is not one of them."""
        keys = [entry.key for entry in self.collection.runs]
        return keys.index(self.context.baseline) if self.context.baseline in keys else None

    def compute(self, progress: Callable[[float], None] | None = None) -> Any:
        """Return PoolEffects or LeaveOneOut by kind; called on any thread."""
        context, judgments = self.context, self.context.judgments
        assert judgments is not None
        runs = [entry.run for entry in self.collection.runs]
        # The runs are complete; the values are those shown, of judged documents only if that option is on.
        options = context.asked_options
        if self.kind == "open":
            from irviewer.analysis.pooling.effects import pool_effects

            effects = pool_effects(
                judgments.qrels, runs, [context.measure], options, judgments.regime, depths=(context.cutoff,),
                against=self.against, leave_out=False, progress=progress,
            )  # fmt: skip
            _ = effects.bounds.overturned  # here, where nobody waits
            return effects
        from irviewer.analysis.pooling.contributions import leave_one_out

        inside = None
        if context.within is not None:
            inside = [
                query_id for query_id, keep in zip(context.query_ids, context.within.tolist(), strict=True) if keep
            ]
        return leave_one_out(
            judgments.qrels, runs, [context.measure], options, queries=inside, progress=progress
        )  # fmt: skip


class PoolService:
    """The effects of the pool, computed in the background."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self.results: BackgroundResults[_Pool, Any] = BackgroundResults(
            store, "pool", KINDS, wanted=self._wanted_of, in_view=self._pools_in_view, title=TITLES.__getitem__,
            # Outside its own view it only adds marks and tooltips, which are not urgent.
            quiet=lambda: view.place != "compare", most=MOST_KEPT, size=held_bytes,
            most_bytes=MOST_BYTES, after=PAUSE,
        )  # fmt: skip

    def pool_view_model(self) -> PoolViewModel | None:
        """Return the view model of the Pool view; None if nothing is open."""
        context = None if self._view.context is None else self._view.context.with_lists
        if context is None:
            return None
        effects, left, protocol = self.known_pool(), self.known_left_out(), self._store.state.protocol
        bound = bound_protocol(context, protocol, uses=("rules", "scope"))
        return self._cache.get(
            "pool", (context, effects, left, protocol), lambda: build_pool_view_model(context, effects, left, bound)
        )

    def mark_systems(self, view_model: SystemsViewModel | None) -> SystemsViewModel | None:
        """Return the view model of the Systems view with marks at differences that unjudged documents could reverse."""
        effects, context = self.known_pool(), self._view.context
        if view_model is None or context is None or effects is None:
            return view_model
        context = context.with_lists
        shown: SystemsViewModel = view_model
        return self._cache.get(
            "systems marked", (view_model, effects), lambda: marked(shown, systems_marks(context, shown, effects))
        )

    def value_intervals(self) -> dict[int, str]:
        """Return run key -> the bounds of the selected query's value, as text; empty if they are not known."""
        context, effects = self._view.context, self.known_pool()
        if context is None or effects is None or not self._view.query_id:
            return NONE
        context = context.with_lists
        query = self._view.query_id
        return self._cache.get("intervals", (context, effects, query), lambda: value_intervals(context, effects, query))

    def known_pool(self) -> PoolEffects | None:
        """Return the effects of unjudged documents if they are known."""
        effects: PoolEffects | None = self._known_pool("open")
        return effects

    def known_left_out(self) -> LeaveOneOut | None:
        """Return the values without each run's own contribution, if they are known."""
        left_out: LeaveOneOut | None = self._known_pool("left out")
        return left_out

    def sort_pool(self, column: str, descending: bool) -> None:
        """Sort the Pool table by a column; "" is best first."""
        self._store.choose(pool_sort=(column, descending))

    def effects_of_all(self) -> Callable[[], Sequence[Table]] | None:
        """Return what computes the tables of ``irviewer pool`` of the chosen measure, with the differences of all pairs
        of runs; any thread may. None if there are none, and for a query set, which the command does not know."""
        wanted, context = self._pool_wanted("open"), self._view.context
        if wanted is None or context is None or context.within is not None:
            return None
        bound = bound_protocol(context, self._store.state.protocol, uses=("rules", "scope"))
        return partial(_tables_of_all, wanted, bound)

    # --- internal ---

    def _known_pool(self, kind: str) -> Any:
        return self.results.known(self._pool_wanted(kind))

    def _wanted_of(self, kind: str) -> tuple[_Pool, ...]:
        wanted = self._pool_wanted(kind)
        return () if wanted is None else (wanted,)

    def _pools_in_view(self) -> tuple[str, ...]:
        if self._view.place == "compare" and self._view.tab("compare") == "pool":
            return KINDS
        return ("open",) if self._view.place in ("systems", "query") else ()

    def _pool_wanted(self, kind: str) -> _Pool | None:
        """Return what is wanted of the context in view; the newest is kept, because every step of progress asks."""
        context, collection = self._view.context, self._view.collection
        if context is None or collection is None:
            return None
        opened, listed = collection, context.with_lists
        return self._cache.get(f"wanted pool {kind}", (listed, Same(opened)), lambda: _wanted(kind, listed, opened))


def _tables_of_all(wanted: _Pool, bound: BoundProtocol) -> Sequence[Table]:
    from irviewer.analysis.pooling.effects import pool_effects
    from irviewer.views.cautions import cautioned
    from irviewer.views.pool import tables

    context, judgments = wanted.context, wanted.context.judgments
    assert judgments is not None
    entries = sorted(wanted.collection.runs, key=lambda entry: entry.key)
    options = context.asked_options
    runs = [entry.run for entry in entries]
    effects = pool_effects(judgments.qrels, runs, [context.measure], options, judgments.regime)
    judged = [(judgments.qrels, [context.measure], runs)]
    return cautioned(tables(effects, bound), bound, judged, counts_relevant=True).tables


def _wanted(kind: str, context: EvaluationContext, opened: Collection) -> _Pool | None:
    opened = replace(opened, runs=tuple(entry for entry in opened.runs if entry.run.stored is None))
    collection, judgments = replace(opened, runs=taking_part_in(opened, context.choices.scope)), context.judgments
    if judgments is None or judgments.qrels.unread is not None or not collection.runs:
        return None
    # Counts and sums over queries have no mean that could have an interval.
    if context.treated(context.measure).aggregate not in ("mean", "geometric"):
        return None
    key = (
        kind,
        tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in collection.runs),
        Same(judgments.qrels.grades),
        judgments.regime if kind == "open" else context.query_set,
        context.cutoff if kind == "open" else 0,
        str(context.measure),
        context.options,
        context.judged_only,
        context.baseline if kind == "open" else None,
    )
    return _Pool(kind, key, context, collection)
