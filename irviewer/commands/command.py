"""What a command is, and the questions that many commands ask before they can be done. No row stands here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.session.session import Session

Test = Callable[["Session"], bool]
Action = Callable[["Session"], object]


def always(session: Session) -> bool:
    """Nothing is needed."""
    return True


def has_collection(session: Session) -> bool:
    """Something is open."""
    return session.view.collection is not None


def has_runs(session: Session) -> bool:
    """There are runs to do something with."""
    return session.view.collection is not None and bool(session.view.collection.runs)


def has_judgments(session: Session) -> bool:
    """There are judgments, so that there are numbers."""
    return session.view.judgments is not None


def has_queries(session: Session) -> bool:
    """There is a query to stand on."""
    return bool(session.view.query_id)


def has_figure(session: Session) -> bool:
    """A plot is in view."""
    return has_runs(session) and has_judgments(session) and session.view.place != "start"


def has_table(session: Session) -> bool:
    """A table is in view."""
    return has_collection(session) and session.view.place != "start"


def has_levels(session: Session) -> bool:
    """Relevance can begin at more than one grade."""
    return len(session.view.levels) > 1


def has_document(session: Session) -> bool:
    """A document is selected."""
    return session.view.document_id is not None


def has_several_collections(session: Session) -> bool:
    """Something else is open as well."""
    return len(session.view.workspace.collections) > 1


@dataclass(frozen=True)
class Command:
    """One action. ``run`` None means that the window is asked (``Session.asked`` carries the id). ``checked`` tells
    whether a command that switches something is on; None for one that does not. ``words`` are what people look for it
    by beside its title. ``refused`` is done instead where its key is pressed and it cannot be done: to say why.
    ``naming`` gives the title where it follows from the session."""

    id: str
    title: str
    category: str
    help: str
    run: Action | None = None
    shortcuts: tuple[str, ...] = ()
    enabled: Test = always
    checked: Test | None = None
    words: str = ""
    refused: Action | None = None
    naming: Callable[[Session], str] | None = None

    def title_in(self, session: Session) -> str:
        """The title as it is now: that of undo names the step."""
        return self.title if self.naming is None else self.naming(session)

    @property
    def asks(self) -> bool:
        """True where the window does it."""
        return self.run is None
