"""Asking why a number is what it is: which one, and its page. A part of the session, Qt-free."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.session.core import SessionCore
from irviewer.session.view_models.ledger import LedgerPage, build_ledger, build_mean
from irviewer.session.zscores import plain, told_zscore


class Explaining(SessionCore):
    """The session's methods for explanations. While one explains, the run explained is the focus, unless another was
    asked about; the measure is the chosen one."""

    @property
    def explaining(self) -> bool:
        """True while the places show why their numbers are what they are."""
        return self._state.explaining

    def explain(self, run: int | None = None, measure: str = "") -> None:
        """Show why the value of a run (None: the focus, or the only one) and of a measure ("": the chosen one) is what
        it is: of the query in the Queries and Query places, of the mean in the others."""
        if self.judgments is None or self.collection is None:
            return
        state = replace(self._state, explaining=True, explained=(run, measure))
        self._apply(replace(state, place="query") if state.place == "queries" else state)

    def explain_cell(self, run: int | None, measure: str = "") -> None:
        """Show why the value that is pointed at is what it is; asked again, show curves and metrics again."""
        wanted = measure or str(self.measure)
        same = self._explained_run() == run and str(self._explained_measure()) == wanted
        if self.explaining and same and self.place != "queries":
            self.stop_explaining()
        else:
            self.explain(run, measure)

    def follow_cell(self, run: int | None, measure: str = "") -> None:
        """Another value is pointed at: where one explains, that one is explained."""
        if self.explaining and self.place != "queries":
            self.explain(run, measure)

    def stop_explaining(self) -> None:
        """Show curves and metrics again."""
        self._apply(replace(self._state, explaining=False, explained=(None, "")))

    def ledger_page(self) -> LedgerPage | None:
        """Why the value of the selected query is what it is; None without one, or where nobody asks."""
        scene, query = self.scene, self.query_id
        if scene is None or not query or not self.explaining:
            return None
        key, measure, document = self._explained_run(), self._explained_measure(), self.document_id

        def make() -> LedgerPage:
            page = build_ledger(plain(scene), query, document, measure, key)
            return replace(page, rules=(*page.rules, *told_zscore(scene, key, measure, query)))

        return self._page("ledger", (scene, query, document, measure, key), make)

    def mean_page(self) -> LedgerPage | None:
        """Why a mean is what it is; None where nobody asks."""
        scene, query = self.scene, self.query_id
        if scene is None or not self.explaining:
            return None
        key, measure = self._explained_run(), self._explained_measure()

        def make() -> LedgerPage:
            page = build_mean(plain(scene), measure, key, query)
            return replace(page, rules=(*page.rules, *told_zscore(scene, key, measure)))

        return self._page("mean ledger", (scene, query, measure, key), make)

    def _explained_run(self) -> int | None:
        scene = self.scene
        key = self._state.explained[0]
        if scene is None:
            return None
        if key is not None and scene.collection.run(key) is not None:
            return key
        return scene.focus if scene.focus is not None else scene.baseline

    def _explained_measure(self) -> Measure:
        text = self._state.explained[1]
        try:
            return parse_measure(text) if text else self.measure
        except MeasureError:
            return self.measure
