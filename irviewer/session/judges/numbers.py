"""Why a number of the comparisons of judges has its value: the numbers of the view that is shown, and their ledgers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, Grades
from irviewer.model.judgments.panel import panel_of
from irviewer.model.workspace import JudgmentSet, RunEntry
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.judges.comparison import JudgeComparisonService
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.session.view_models.ledgers.judges import (
    corrected_ledger,
    mean_under_judge_ledger,
    order_ledger,
    statistic_view,
)
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.translation import tr


class JudgeNumbers:
    """The numbers of the view of judges that is shown, of the chosen pair of judges and the focus run."""

    def __init__(self, store: Store, view: View, comparison: JudgeComparisonService) -> None:
        self._store = store
        self._view = view
        self._comparison = comparison

    def titles(self) -> dict[str, str]:
        """Return the names of the numbers by their keys; the one that the view shows first comes first."""
        if self._view.place != "compare" or self._view.context is None:
            return {}
        tab, measure = self._view.tab("compare"), str(self._view.measure)
        if tab in ("agreement", "confusion"):
            known = self._comparison.known_agreement() if tab == "agreement" else self._comparison.known_confusion()
            if known is None:
                return {}
            chosen = self._store.state.agreement
            names = sorted(COEFFICIENTS, key=lambda name: name != chosen)
            return {f"statistic:{name}": COEFFICIENTS[name].title for name in names}
        run = self._run()
        if run is None:
            return {}
        if tab == "judges" and self._comparison.known_systems() is not None:
            reference, other = self._comparison.compared_judges()
            order = tr("Kendall's τ of {first} and {second}", first=reference.name, second=other.name)
            titles = {"order": order}
            for judge in (other, reference):
                titles[f"mean:{judge.identity}"] = tr("{measure} of {run} under {judge}", measure=measure,
                                                      run=self._name(run), judge=judge.name)  # fmt: skip
            return titles
        scores = self._comparison.known_corrected() if tab == "corrected" else None
        if scores is None:
            return {}
        titles = {"corrected": tr("corrected {measure} of {run}", measure=measure, run=self._name(run))}
        if scores.differences is not None and scores.runs[scores.baseline or 0] != run.name:
            titles["difference"] = tr("corrected Δ {measure} of {run}", measure=measure, run=self._name(run))
        return titles

    def work(self, key: str) -> Callable[[], LedgerViewModel]:
        """Return what computes the ledger of one of these numbers."""
        context = self._view.context
        assert context is not None
        kind, _, name = key.partition(":")
        if kind == "statistic":
            return partial(_statistic, name, context, *self._comparison.chosen_judges())
        run = self._run()
        assert run is not None
        if kind in ("corrected", "difference"):
            scores = self._comparison.known_corrected()
            assert scores is not None
            known = frozenset(context.query_index)
            return partial(corrected_ledger, scores, run.name, self._name(run), kind == "difference", known)
        reference, other = self._comparison.compared_judges()
        systems = self._comparison.known_systems()
        assert systems is not None
        if kind == "order":
            return partial(order_ledger, systems, reference.name, other.name)
        judge = next(judge for judge in (reference, other) if judge.identity == name)
        return partial(mean_under_judge_ledger, context, systems, run, judge, reference)

    def _run(self) -> RunEntry | None:
        """The focus run; the baseline where there is no other."""
        context = self._view.context
        key = None if context is None else context.focus if context.focus is not None else context.baseline
        return None if context is None or key is None else context.collection.run(key)

    def _name(self, run: RunEntry) -> str:
        return run.name if self._view.context is None else self._view.context.name_of(run)


def _statistic(name: str, context: EvaluationContext, first: JudgmentSet, second: JudgmentSet) -> LedgerViewModel:
    """Return the ledger of a statistic of two judges on the evaluated queries; any thread may call it."""
    from irviewer.analysis.agreement.pair_tables import pair_tables
    from irviewer.analysis.agreement.sampling import weights_of_pair
    from irviewer.analysis.agreement.statistic_ledger import statistic_ledger

    panel = panel_of([first.judge, second.judge])
    if context.within is not None:
        inside = zip(context.query_ids, context.within.tolist(), strict=True)
        panel = panel.of_queries([query for query, kept in inside if kept])
    tables = pair_tables(panel, 0, 1, weights_of_pair(panel, 0, 1))
    values = panel.scale[tables.levels]
    grades = Grades(np.asarray(tables.levels, dtype=np.float64), values, values >= context.options.level)
    return statistic_view((first.name, second.name), statistic_ledger(tables.total, grades, name))
