"""The numbers of Compare › Slices that can be explained: the difference of each slice and of each crossed cell."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from irviewer.session.comparison.slices import KnownSlices, SliceService
from irviewer.session.view import View
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.ledgers.slices import SliceDifference, slice_ledger
from irviewer.session.view_models.slices import Parts
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.slices.slices import SliceRow


class SliceNumbers:
    """The differences of the slices that are shown; that of the chosen slice comes first."""

    def __init__(self, view: View, slices: SliceService) -> None:
        self._view = view
        self._slices = slices

    def titles(self) -> dict[str, str]:
        """Return the names of the differences by their keys."""
        measure = str(self._view.measure)
        return {
            key: tr("Δ {measure} of {slice}", measure=measure, slice=difference.name)
            for key, difference in self._differences().items()
        }

    def work(self, key: str) -> Callable[[], LedgerViewModel]:
        """Return what computes the ledger of one of these differences."""
        known, context = self._slices.known(), self._view.context
        assert known is not None
        assert context is not None
        return partial(slice_ledger, known.values, self._differences()[key], frozenset(context.query_index))

    def _differences(self) -> dict[str, SliceDifference]:
        """The differences by key, the chosen one first; a slice without queries has none."""
        if self._view.place != "compare" or self._view.tab("compare") != "slices" or self._view.context is None:
            return {}
        known = self._slices.known()
        if known is None:
            return {}
        every = _of(known)
        chosen = self._view.context.choices.slice_chosen
        first = next((key for key, (parts, _) in every.items() if parts == chosen), "all")
        return {key: every[key][1] for key in sorted(every, key=lambda key: key != first)}


def _of(known: KnownSlices) -> dict[str, tuple[Parts, SliceDifference]]:
    """Return key -> (parts, difference), in the order of the view."""
    run = known.comparison.runs[0]
    correction = known.comparison.options.correction
    every: dict[str, tuple[Parts, SliceDifference]] = {
        "all": ((), SliceDifference(tr("all queries"), known.values.query_ids, run.overall))
    }

    def add(key: str, parts: Parts, row: SliceRow, family: int) -> None:
        if row.pair is not None:
            title = " × ".join(f"{attribute}: {name}" for attribute, name in parts)
            difference = SliceDifference(title, row.query_ids, row.pair, row.p_shown, row.corrected_shown, correction,
                                         family)  # fmt: skip
            every[key] = parts, difference

    for number, slices in enumerate(run.attributes):
        for position, row in enumerate(slices.rows):
            add(f"slice:{number}:{position}", ((slices.name, row.name),), row, run.family)
    if known.search is not None:
        tested = sum(found_slice.tested.tested for found_slice in known.search.found)
        for position, found_slice in enumerate(known.search.found):
            add(f"found:{position}", found_slice.parts, found_slice.tested, tested)
    if known.crossed is not None:
        rows, columns = known.crossed.rows, known.crossed.columns
        for number, line in enumerate(known.crossed.cells):
            for position, cell in enumerate(line):
                parts = (
                    (rows.attribute.name, rows.slices[number].name),
                    (columns.attribute.name, columns.slices[position].name),
                )
                add(f"cell:{number}:{position}", parts, cell, known.crossed.family)
    return every
