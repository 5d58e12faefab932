"""The numbers of Collections that can be explained: cells, macro and micro means, and the rows of the forest plot."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from irviewer.session.collections.actions import CollectionService
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.session.view_models.ledgers.collections import (
    cell_ledger,
    forest_mean_ledger,
    forest_row_ledger,
    macro_ledger,
    micro_ledger,
)
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.translation import tr


class CollectionNumbers:
    """The numbers of the table, in its order, then those of the forest plot."""

    def __init__(self, store: Store, view: View, collections: CollectionService) -> None:
        self._store = store
        self._view = view
        self._collections = collections

    def titles(self) -> dict[str, str]:
        """Return the names of the numbers by their keys."""
        view_model = self._collections.collections_view_model() if self._view.place == "collections" else None
        if view_model is None:
            return {}
        titles: dict[str, str] = {}
        measure = view_model.measure
        for row, system in enumerate(view_model.systems):
            for head in view_model.heads:
                if not math.isnan(view_model.means[row, head.place]):
                    titles[f"cell:{system.key}:{head.place}"] = tr(
                        "{measure} of {system} on {collection}",
                        measure=measure, system=system.name, collection=head.name,
                    )  # fmt: skip
            if not math.isnan(view_model.macro[row]):
                titles[f"macro:{system.key}"] = tr("macro {measure} of {system}", measure=measure, system=system.name)
            if not math.isnan(view_model.micro[row]):
                titles[f"micro:{system.key}"] = tr("micro {measure} of {system}", measure=measure, system=system.name)
        system_name, other = view_model.pair
        for position, line in enumerate(view_model.forest):
            if math.isnan(line.difference):
                continue
            names = tr("Δ {measure} of {system} and {other}", measure=measure, system=system_name, other=other)
            key = "mean" if line.kind == "mean" else f"forest:{position}"
            titles[key] = tr("{difference}: {collection}", difference=names, collection=line.title)
        return titles

    def work(self, key: str) -> Callable[[], LedgerViewModel]:
        """Return what computes the ledger of one of these numbers."""
        table, pair = self._collections.known_table(), self._collections.pair
        assert table is not None
        systems, current = self._collections.systems, self._store.state.current
        context = self._view.context
        known = frozenset[str]() if context is None else frozenset(context.query_index)

        def openable_on(name: str) -> frozenset[str]:
            """The queries of a collection that a row can open: those of the collection in view."""
            return known if current >= 0 and systems.collections[current] == name else frozenset()

        kind, _, rest = key.partition(":")
        places = [int(number) for number in rest.split(":") if number]
        if kind == "cell":
            name = systems.collections[places[1]]
            return partial(cell_ledger, table, places[0], table.collections.index(name), openable_on(name))
        if kind == "macro":
            return partial(macro_ledger, table, places[0])
        if kind == "micro":
            return partial(micro_ledger, table, places[0])
        if kind == "mean":
            return partial(forest_mean_ledger, table, *pair)
        return partial(forest_row_ledger, table, *pair, places[0], openable_on(table.collections[places[0]]))
