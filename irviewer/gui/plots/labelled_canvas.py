"""What a plot needs of the session: how runs are labelled, how it is saved, what it may select, brush and open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from irviewer.gui.widgets.savable import Saves
from irviewer.rendering.run_label import RunLabel


class PlotSession(Saves, Protocol):
    """Knows how every run looks, and saves a figure."""

    def labels(self) -> tuple[RunLabel, ...]: ...


class Selects(PlotSession, Protocol):
    """Also holds the selected query."""

    def set_query(self, query_id: str) -> object: ...


class Brushes(Selects, Protocol):
    """Also holds the brushed queries, and goes to places."""

    @property
    def brushed(self) -> frozenset[str]: ...

    def brush(self, query_ids: Iterable[str]) -> object: ...

    def set_place(self, place: str) -> object: ...
