"""How things look: lists or strips, colours, cards; and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_runs, has_table
from irviewer.commands.files import has_files

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _theme(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.appearance.set_theme(name)

    def checked(session: Session) -> bool:
        return session.view.theme == name

    return run, checked


def _mode(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.appearance.set_lists_mode(name)

    def checked(session: Session) -> bool:
        return session.view.lists_mode == name

    return run, checked


def _switch_mode(session: Session) -> None:
    session.appearance.set_lists_mode("strips" if session.view.lists_mode == "lists" else "lists")


def _has_documents(session: Session) -> bool:
    return session.view.collection is not None and session.view.collection.documents is not None


def _rows() -> tuple[Command, ...]:
    light, is_light = _theme("light")
    dark, is_dark = _theme("dark")
    system, is_system = _theme("system")
    _, in_strips = _mode("strips")
    return (
        Command("strips", "Rankings as strips", "View", "A row a run and a cell a rank, for many runs",
                run=_switch_mode, shortcuts=("V",), enabled=has_runs, checked=in_strips),
        Command("card_fields", "Fields of a document…", "View",
                "Which columns the document card shows, in what order",
                ask=lambda dialogs: dialogs.documents.card_fields(),
                enabled=_has_documents),
        Command("theme_light", "Light theme", "View", "Light colours",
                run=light, checked=is_light),
        Command("theme_dark", "Dark theme", "View", "Dark colours",
                run=dark, checked=is_dark),
        Command("theme_system", "Theme of the system", "View", "Light or dark as the system is",
                run=system, checked=is_system),
        Command("context_menu", "What can be done here…", "View", "The menu of the right button, where the keys are",
                ask=lambda dialogs: dialogs.window.context_menu(), shortcuts=("Shift+F10",), enabled=has_collection),
        Command("copy", "Copy", "View", "Copy the selected cells as tab-separated text",
                ask=lambda dialogs: dialogs.window.copy(), shortcuts=("Ctrl+C",), enabled=has_table, bound=False),
        Command("show_reports", "File doctor…", "Help",
                "What the open files hold, what is odd, and what can be done",
                ask=lambda dialogs: dialogs.files.examine(),
                enabled=lambda session: session.files.has_refused or has_files(session)),
        Command("keyboard", "Keyboard…", "Help", "Every action with its shortcut",
                ask=lambda dialogs: dialogs.help.keyboard(), shortcuts=("F1", "?")),
        Command("about", "About irviewer…", "Help", "Version, licence, and whose work it stands on",
                ask=lambda dialogs: dialogs.help.about()),
    )  # fmt: skip


ROWS = _rows()
