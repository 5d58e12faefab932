"""The numbers of Query › Stages that can be explained: the bars of the funnel and of the ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from irviewer.session.stages.actions import StageService
from irviewer.session.view import View
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.ledgers.stages import bar_ledger, ceiling_ledger
from irviewer.session.view_models.stages import StagesViewModel
from irviewer.translation import tr


class StageNumbers:
    """The bars that are shown, the one that filters the queries first."""

    def __init__(self, view: View, stages: StageService) -> None:
        self._view = view
        self._stages = stages

    def titles(self) -> dict[str, str]:
        """Return the names of the bars by their keys."""
        view_model = self._view_model()
        if view_model is None:
            return {}
        titles = {f"bar:{bar.number}": tr("relevant documents {where}", where=bar.title) for bar in view_model.steps}
        for position, bar in enumerate(view_model.ceiling):
            if not math.isnan(bar.value):
                titles[f"ceiling:{position}"] = tr("{measure}: {order}", measure=view_model.measure, order=bar.title)
        first = f"bar:{view_model.filter.partition('-')[2]}"
        return {key: titles[key] for key in sorted(titles, key=lambda key: key != first)}

    def work(self, key: str) -> Callable[[], LedgerViewModel]:
        """Return what computes the ledger of one of these bars."""
        known, view_model, context = self._stages.known(), self._view_model(), self._view.context
        assert known is not None
        assert view_model is not None
        assert context is not None
        kind, _, place = key.partition(":")
        queries = frozenset(context.query_index)
        if kind == "bar":
            return partial(bar_ledger, known.stages, int(place), view_model.steps[int(place)].title, queries)
        title = view_model.ceiling[int(place)].title
        return partial(ceiling_ledger, known.stages, int(place), title, queries, known.last, known.options)

    def _view_model(self) -> StagesViewModel | None:
        if self._view.place != "query" or self._view.tab("query") != "stages":
            return None
        view_model = self._stages.stages_view_model()
        return view_model if view_model is not None and view_model.steps else None
