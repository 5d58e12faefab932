"""The record of a command, and the conditions that many commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from irviewer.commands.menus import Category, group_of
from irviewer.session.shortcuts import shortcuts_of, suited

if TYPE_CHECKING:
    from irviewer.session.session import Session

Test = Callable[["Session"], bool]
Action = Callable[["Session"], object]
Question = Callable[[Any], object]
"""Asks the dialogs of the window (:class:`irviewer.gui.dialogs.window_dialogs.WindowDialogs`). Commands know no Qt, so
the type is not named here; ``tests/gui/test_actions.py`` looks up and opens what every row asks for."""


def always(session: Session) -> bool:
    """Return True: the command has no condition."""
    return True


def has_collection(session: Session) -> bool:
    """Return whether a collection is open."""
    return session.view.collection is not None


def has_runs(session: Session) -> bool:
    """Return whether the current collection has runs."""
    return session.view.collection is not None and bool(session.view.collection.runs)


def has_judgments(session: Session) -> bool:
    """Return whether the current collection has judgments, so that measures have values."""
    return session.view.judgments is not None


def shows_values(session: Session) -> bool:
    """Return whether values may be shown: not while a question of a lesson asks for one."""
    return not session.teaching.covers_values


def has_queries(session: Session) -> bool:
    """Return whether a query is selected."""
    return bool(session.view.query_id)


def has_figure(session: Session) -> bool:
    """Return whether a plot is shown."""
    return has_runs(session) and has_judgments(session) and session.view.place != "start"


def has_table(session: Session) -> bool:
    """Return whether a table is shown."""
    return has_collection(session) and session.view.place != "start"


def has_levels(session: Session) -> bool:
    """Return whether more than one relevance level is possible."""
    return len(session.view.levels) > 1


def has_document(session: Session) -> bool:
    """Return whether a document is selected."""
    return session.view.document_id is not None


def has_several_collections(session: Session) -> bool:
    """Return whether more than one collection is open."""
    return len(session.view.workspace.collections) > 1


@dataclass(frozen=True)
class Command:
    """One action of the window: ``run`` changes the session, or ``ask`` opens a dialog.

    category   the menu, a key of CATEGORIES
    enabled    returns whether the command can run now
    refused    runs instead when the shortcut of a disabled command is pressed, to say why
    checked    returns whether a switch is on; None for commands that are no switches
    shortcuts  as Qt spells them; those that the system uses itself are replaced there
    words      search words in addition to the title
    short      the title in a list of commands of the same kind
    naming     returns the title where it depends on the session
    group      the part of the menu, a name in GROUPS
    submenu    the menu entry is a submenu of the dynamic commands whose ids begin with this
    listed     whether the menus show the command
    bound      whether the window handles the shortcut; otherwise the focused widget does
    """

    id: str
    title: str
    category: Category
    help: str
    _: KW_ONLY
    run: Action | None = None
    ask: Question | None = None
    shortcuts: tuple[str, ...] = ()
    enabled: Test = always
    checked: Test | None = None
    words: str = ""
    short: str = ""
    refused: Action | None = None
    naming: Callable[[Session], str] | None = None
    group: str = ""
    submenu: str = ""
    listed: bool = True
    bound: bool = True

    def __post_init__(self) -> None:
        if (self.run is None) == (self.ask is None):
            raise ValueError(f"the command {self.id!r} needs either run or ask")
        group_of(self.category, self.group)
        object.__setattr__(self, "shortcuts", suited(self.shortcuts))

    def title_in(self, session: Session) -> str:
        """Return the present title: that of undo names the step."""
        return self.title if self.naming is None else self.naming(session)

    @property
    def keys(self) -> tuple[str, ...]:
        """The shortcuts in force: those that the user chose, or those of the row."""
        return shortcuts_of(self.id, self.shortcuts)

    @property
    def short_title(self) -> str:
        """The title in a list of commands of the same kind."""
        return self.short or self.title

    @property
    def asks(self) -> bool:
        """Whether the command opens a dialog."""
        return self.ask is not None
