"""Sessions on collections built in memory."""

from __future__ import annotations

from irviewer.model.workspace import Collection, Workspace
from irviewer.session.placing import Placed
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.transitions import Opening, with_placed


def session_with(*collections: Collection, settings: Settings | None = None) -> Session:
    """A session in which these collections are open, as if their files had just been read; work runs at once."""
    session = Session(settings)
    places = list(range(len(collections)))
    placed = Placed(Workspace(collections), new=places, touched=places)
    session._apply(with_placed(session.state, placed, Opening(), session._scene_of, hints=True))
    return session


class Announcements:
    """Collects what a session announces."""

    def __init__(self, session: Session) -> None:
        self.heard: list[frozenset[str]] = []
        session.changed.connect(self.hear)

    def hear(self, aspects: frozenset[str]) -> None:
        """One announcement."""
        self.heard.append(aspects)

    def take(self) -> list[set[str]]:
        """What was heard since the last time."""
        heard, self.heard = self.heard, []
        return [set(one) for one in heard]
