"""Matrices of all pairs of runs: similarity, computed in tasks and cached, and differences from comparisons."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irviewer.analysis.similarity.ties import TieVariant
from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure
from irviewer.figures.matrix import as_before
from irviewer.model.protocol import CHECKS
from irviewer.model.same import Same
from irviewer.session.background import BackgroundResults
from irviewer.session.comparison.actions import ComparisonService
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.protocol.fields import NumberField, written
from irviewer.session.runs.actions import RunService
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.matrix import MATRICES, MatrixViewModel, build_matrix_view_model
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.similarity.similarity import Similarity

OF_LISTS = ("rbo", "rbo-min", "rbo-max", "rbo-residual", "overlap", "tau", "tau-ap")
MOST_KEPT = 8
RBO: dict[str, NumberField] = {
    "rbo_p": NumberField("rbo_p", tr("Persistence of RBO"),
                         tr("p of rank-biased overlap (.9: the first ten ranks weigh 86 %):"),
                         tr("p of rank-biased overlap: a larger p gives lower ranks more weight"), CHECKS["alpha"],
                         share=True),
    "rbo_depth": NumberField("rbo_depth", tr("Depth of RBO"), tr("Depth of rank-biased overlap, in ranks:"),
                             tr("The rank at which lists are cut for rank-biased overlap"), CHECKS["depth"],
                             whole=True),
}  # fmt: skip
"""The parameters of rank-biased overlap: fields of the state."""


@dataclass(frozen=True, eq=False)
class _Asked:
    """The frozen inputs of a similarity matrix."""

    kind: str
    key: tuple[Hashable, ...]
    context: EvaluationContext
    given: dict[str, Any]

    def compute(self, progress: Callable[[float], None] | None = None) -> Similarity:
        """Compute it; called on any thread."""
        from irviewer.analysis.similarity.similarity import similarity

        context = self.context
        ids = context.query_ids
        if context.within is not None:
            ids = tuple(query_id for query_id, inside in zip(ids, context.within.tolist(), strict=True) if inside)
        runs = [entry.run for entry in context.taking_part]
        result = similarity(runs, self.kind, queries=ids, progress=progress, **self.given)  # type: ignore[arg-type]
        if self.kind == "rbo":
            result.tree  # noqa: B018 - the order of all matrices, computed here and not while the window waits
        return result


class MatrixService:
    """The matrices of all pairs of runs, computed in the background."""

    def __init__(self, store: Store, view: View, comparison: ComparisonService, runs: RunService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self._comparison = comparison
        self._runs = runs
        self._figure: Figure | None = None
        """The matrix that was made last."""
        self.results: BackgroundResults[_Asked, Similarity] = BackgroundResults(
            store, "likeness", OF_LISTS, wanted=self._wanted_of, in_view=self._likenesses_in_view,
            title=lambda _: tr("Computing the similarity of runs"), most=MOST_KEPT, after=PAUSE,
        )  # fmt: skip

    @property
    def matrix(self) -> str:
        """The name of the matrix shown."""
        return self._store.state.matrix

    def set_matrix(self, kind: str) -> None:
        """Show another matrix. Raises IrviewerError for an unknown name."""
        if kind not in [matrix.name for matrix in MATRICES]:
            names = ", ".join(matrix.name for matrix in MATRICES)
            raise IrviewerError(tr("Unknown matrix {name!r}; choose one of {names}.", name=kind, names=names))
        self._store.apply_when_ready(lambda state: replace(state, matrix=kind))

    def go_to_pair(self, run: int, other: int) -> None:
        """Show the comparison of two runs: the second becomes the baseline, the first the focus run."""
        if self._view.collection is None or run == other:
            return
        if self._view.collection.run(run) is None or self._view.collection.run(other) is None:
            return
        chosen = self._store.state.chosen
        shown = chosen.shown | {run, other}
        if other != self._view.baseline:
            self._runs.set_baseline(other)
        state = self._store.state.with_chosen(replace(self._store.state.chosen, focus=run, shown=shown))
        self._store.apply(replace(state, place="compare", tabs={**state.tabs, "compare": "pair"}))

    def number(self, name: str) -> str:
        """Return a number of RBO as text."""
        return written(getattr(self._store.state, name))

    def set_number(self, name: str, text: str) -> None:
        """Set a number of RBO from text. Raises OptionError, which says what is valid."""
        values: dict[str, Any] = {name: RBO[name].read(text)}
        self._store.apply(replace(self._store.state, **values))

    @property
    def ties(self) -> TieVariant:
        """How rank-biased overlap counts tied scores."""
        return self._store.state.rbo_ties

    def set_ties(self, variant: TieVariant) -> None:
        """Count tied scores in another way."""
        self._store.apply(replace(self._store.state, rbo_ties=variant))

    def matrix_view_model(self) -> MatrixViewModel | None:
        """Return the view model of the matrix; None if nothing is open."""
        context, kind = self._view.context, self.matrix
        if context is None:
            return None
        lists = {name: self.known_similarity(name) for name in OF_LISTS if name in ("rbo", kind)}
        pairs = self._comparison.known_comparison("pairs")
        declared = self._store.state.protocol.inference.family == "pairs"
        key = (context, kind, pairs, declared, *lists.values())
        return self._cache.get("matrix", key, lambda: self._made(build_matrix_view_model(
            context.with_lists if kind in OF_LISTS else context, kind, pairs, lists, declared=declared
        )))  # fmt: skip

    def known_similarity(self, kind: str) -> Similarity | None:
        """Return the similarity of the runs if it is known."""
        context = self._view.context
        asked = None if context is None else self._similarity_asked(context, kind)
        return self.results.known(asked)

    # --- internal ---

    def _made(self, view_model: MatrixViewModel) -> MatrixViewModel:
        """Return a new view model with the former figure, where an edit has not changed it."""
        self._figure = as_before(view_model.figure, self._figure)
        return replace(view_model, figure=self._figure)

    def _wanted_of(self, kind: str) -> tuple[_Asked, ...]:
        context = self._view.context
        asked = None if context is None else self._similarity_asked(context, kind)
        return () if asked is None else (asked,)

    def _likenesses_in_view(self) -> tuple[str, ...]:
        if self._view.place != "compare" or self._view.tab("compare") != "matrices":
            return ()
        # All matrices have the order of rank-biased overlap, so that a run has the same position in each.
        return ("rbo", self.matrix) if self.matrix in OF_LISTS and self.matrix != "rbo" else ("rbo",)

    def _similarity_asked(self, context: EvaluationContext, kind: str) -> _Asked | None:
        context = context.with_lists
        runs = context.taking_part
        if len(runs) < 2:
            return None
        lists = tuple((entry.key, Same(entry.run.scores)) for entry in runs)
        state = self._store.state
        given = {"p": state.rbo_p, "depth": state.rbo_depth, "ties": state.rbo_ties} if kind.startswith("rbo") else {}
        return _Asked(kind, (kind, lists, Same(context.query_ids), context.query_set, *given.values()), context, given)
