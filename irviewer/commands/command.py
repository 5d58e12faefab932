"""What a command is, and the questions that many commands ask before they can be done. No row stands here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from irviewer.commands.dialogs import Dialogs

if TYPE_CHECKING:
    from irviewer.session.session import Session

Test = Callable[["Session"], bool]
Action = Callable[["Session"], object]
Question = Callable[[Dialogs], object]


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
    """One action: ``run`` does it on the session, or ``ask`` opens the dialog of the window that does.

    enabled    whether it can be done now
    refused    done instead where its key is pressed and it cannot be done: to say why
    checked    whether a command that switches something is on; None for one that does not
    words      what people look for it by, beside its title
    naming     gives the title where it follows from the session
    submenu    a menu shows it as a submenu of the dynamic commands whose ids begin so
    listed     whether it stands in the menus
    bound      whether the window hears its shortcut; otherwise the widget with the focus does
    """

    id: str
    title: str
    category: str
    help: str
    _: KW_ONLY
    run: Action | None = None
    ask: Question | None = None
    shortcuts: tuple[str, ...] = ()
    enabled: Test = always
    checked: Test | None = None
    words: str = ""
    refused: Action | None = None
    naming: Callable[[Session], str] | None = None
    submenu: str = ""
    listed: bool = True
    bound: bool = True

    def __post_init__(self) -> None:
        if (self.run is None) == (self.ask is None):
            raise ValueError(f"the command {self.id!r} either runs or asks")

    def title_in(self, session: Session) -> str:
        """The title as it is now: that of undo names the step."""
        return self.title if self.naming is None else self.naming(session)

    @property
    def asks(self) -> bool:
        """True where the window does it."""
        return self.ask is not None
