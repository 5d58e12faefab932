"""What a plot needs of the session: how runs are labelled, where a message goes, the one selection it may change."""

from __future__ import annotations

from typing import Protocol

from irviewer.session.messages import Message
from irviewer.session.pages.common import RunLabel


class PlotSession(Protocol):
    """Knows how every run looks, and tells the person whether a figure was saved."""

    def labels(self) -> tuple[RunLabel, ...]: ...

    def say(self, message: Message) -> None: ...


class Selects(PlotSession, Protocol):
    """Also holds the selected query."""

    def set_query(self, query_id: str) -> object: ...
