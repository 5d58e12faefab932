"""What a plot needs of the session: how runs are labelled, how it is saved, the one selection it may change."""

from __future__ import annotations

from typing import Protocol

from irviewer.gui.savable import Saves
from irviewer.session.pages.common import RunLabel


class PlotSession(Saves, Protocol):
    """Knows how every run looks, and saves a figure."""

    def labels(self) -> tuple[RunLabel, ...]: ...


class Selects(PlotSession, Protocol):
    """Also holds the selected query."""

    def set_query(self, query_id: str) -> object: ...
