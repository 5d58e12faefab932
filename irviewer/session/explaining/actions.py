"""Asking why a number is what it is: which one, and its view model."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.session.answers.actions import AnswerService
from irviewer.session.background import BackgroundResults
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain, told_zscore
from irviewer.session.explaining.formulas import FormulaDrawings
from irviewer.session.store import INLINE, Store
from irviewer.session.view import View
from irviewer.session.view_models.ledgers.ledger import (
    LedgerViewModel,
    build_ledger_view_model,
    build_mean_view_model,
    mean_at,
    nothing,
)
from irviewer.translation import tr

MEAN_COST = 6e-6
"""Measured seconds to explain a mean, for each of its queries."""
MOST_KEPT = 2
"""Explained means that are kept; of a million queries one takes some hundred megabytes."""


@dataclass(frozen=True, eq=False)
class _Mean:
    """A mean that is asked about: the frozen inputs of what explains it."""

    context: EvaluationContext
    measure: Measure
    run: int | None

    @property
    def key(self) -> Hashable:
        return self.context, self.measure, self.run

    def cost(self) -> float:
        """Return the estimated seconds that it takes."""
        return len(self.context.query_ids) * MEAN_COST

    def compute(self, progress: Callable[[float], None] | None = None) -> LedgerViewModel:
        view_model = build_mean_view_model(plain(self.context), self.measure, self.run)
        return replace(view_model, rules=(*view_model.rules, *told_zscore(self.context, self.run, self.measure)))


class ExplanationService:
    """Explains a value by its ledger. While one explains, the run explained is the focus, unless another was
    asked about; the measure is the chosen one."""

    def __init__(self, store: Store, view: View, answers: AnswerService) -> None:
        self._answers = answers
        self._store = store
        self._cache = store.cache
        self._view = view
        self.results: BackgroundResults[_Mean, LedgerViewModel] = BackgroundResults(
            store, "explained mean", ("",), wanted=self._wanted, in_view=self._in_view, most=MOST_KEPT,
            title=lambda _: tr("Explaining a mean"), at_once=lambda mean: mean.cost() < INLINE,
        )  # fmt: skip

    @cached_property
    def formulas(self) -> FormulaDrawings:
        return FormulaDrawings(self._store)

    @property
    def is_on(self) -> bool:
        """True while the places show why their numbers are what they are."""
        return self._store.state.explaining

    def explain(self, run: int | None = None, measure: str = "") -> None:
        """Show why the value of a run (None: the focus, or the only one) and of a measure ("": the chosen one) is what
        it is: of the query in the Queries and Query places, of the mean in the others."""
        if self._view.judgments is None or self._view.collection is None:
            return
        state = replace(self._store.state, explaining=True, explained=(run, measure))
        self._store.apply(replace(state, place="query") if state.place == "queries" else state)

    def explain_cell(self, run: int | None, measure: str = "") -> None:
        """Show why the value that is pointed at is what it is; asked again, show curves and metrics again."""
        wanted = measure or str(self._view.measure)
        same = self._explained_run() == run and str(self._explained_measure()) == wanted
        if self.is_on and same and self._view.place != "queries":
            self.stop_explaining()
        else:
            self.explain(run, measure)

    def follow_cell(self, run: int | None, measure: str = "") -> None:
        """Another value is pointed at: where one explains, that one is explained."""
        if self.is_on and self._view.place != "queries":
            self.explain(run, measure)

    def stop_explaining(self) -> None:
        """Show curves and metrics again."""
        self._store.apply(replace(self._store.state, explaining=False, explained=(None, "")))

    def ledger_view_model(self) -> LedgerViewModel | None:
        """Why the value of the selected query is what it is; None without one, or where nobody asks."""
        context, query = self._view.context, self._view.query_id
        if context is None or not query or not self.is_on:
            return None
        key, measure, document = self._explained_run(), self._explained_measure(), self._view.document_id
        own = self._answers.explained_in(context, measure)

        def make() -> LedgerViewModel:
            view_model = build_ledger_view_model(plain(own), query, document, measure, key)
            return replace(view_model, rules=(*view_model.rules, *told_zscore(context, key, measure, query)))

        return self._cache.get("ledger", (context, own, query, document, measure, key), make)

    def mean_view_model(self) -> LedgerViewModel | None:
        """Why a mean is what it is; None where nobody asks."""
        asked, query = self._mean(), self._view.query_id
        if asked is None:
            return None
        base = self.results.known(asked)
        if base is None:
            return replace(nothing(asked.measure, tr("Explaining a mean …")), title=tr("Explaining a mean"))
        return self._cache.get("mean ledger", (base, query), lambda: mean_at(base, query))

    def _mean(self) -> _Mean | None:
        context = self._view.context
        if context is None or not self.is_on:
            return None
        return _Mean(context, self._explained_measure(), self._explained_run())

    def _wanted(self, slot: str) -> tuple[_Mean, ...]:
        asked = self._mean()
        return () if asked is None else (asked,)

    def _in_view(self) -> tuple[str, ...]:
        return ("",) if self.is_on and self._view.place == "systems" else ()

    def _explained_run(self) -> int | None:
        context = self._view.context
        key = self._store.state.explained[0]
        if context is None:
            return None
        if key is not None and context.collection.run(key) is not None:
            return key
        return context.focus if context.focus is not None else context.baseline

    def _explained_measure(self) -> Measure:
        text = self._store.state.explained[1]
        try:
            return parse_measure(text) if text else self._view.measure
        except MeasureError:
            return self._view.measure
