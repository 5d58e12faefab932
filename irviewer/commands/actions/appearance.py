"""Commands for the appearance of the window (strips, themes, document cards) and for help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.actions.files import has_files
from irviewer.commands.command import Action, Command, Test, has_collection, has_runs, has_table
from irviewer.translation import tr

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


def _in_rankings(session: Session) -> bool:
    return has_runs(session) and session.view.place == "query" and session.view.tab("query") == "rankings"


def _switch_ids(session: Session) -> None:
    session.appearance.set_list_ids(not session.view.list_ids)


def _has_fields(session: Session) -> bool:
    return has_runs(session) and bool(session.view.offered_fields)


def dynamic(session: Session) -> list[Command]:
    """Return a command for each field of documents that the lists can show."""
    return [_list_field(name) for name in session.view.offered_fields] if has_runs(session) else []


def _list_field(name: str) -> Command:
    return Command(
        f"listfield {name}",
        tr("Field in the lists: {field}", field=name),
        "View",
        tr("Show or hide a field of documents below their titles in the ranked lists"),
        group="lists",
        short=name,
        run=lambda session: session.appearance.show_list_field(name, name not in session.view.list_fields),
        checked=lambda session: name in session.view.list_fields,
        listed=False,
    )


def _rows() -> tuple[Command, ...]:
    light, is_light = _theme("light")
    dark, is_dark = _theme("dark")
    system, is_system = _theme("system")
    contrast, is_contrast = _theme("contrast")
    contrast_dark, is_contrast_dark = _theme("contrast-dark")
    _, in_strips = _mode("strips")
    return (
        Command("strips", tr("Show rankings as strips"), "View",
                tr("One row per run and one cell per rank: room for many runs"),
                run=_switch_mode, shortcuts=("V",), enabled=has_runs, checked=in_strips),
        Command("list_ids", tr("Show ids in the lists"), "View",
                tr("Show the id of each document beside its title in the ranked lists"),
                run=_switch_ids, shortcuts=("Shift+I",), enabled=has_runs,
                checked=lambda session: session.view.list_ids, group="lists", words=tr("docid identifier")),
        Command("list_fields", tr("Fields in the lists…"), "View",
                tr("Choose the fields of documents, such as a price, below their titles in the ranked lists"),
                ask=lambda dialogs: dialogs.documents.list_fields(), enabled=_has_fields,
                group="lists",
                words=tr("price brand stock date column attribute facet")),
        Command("fold_queries", tr("Fold or open the list of queries"), "View",
                tr("Leave the room of the list of queries in Query to the rankings, or show the list again"),
                ask=lambda dialogs: dialogs.window.fold_queries(), shortcuts=("F9",), enabled=_in_rankings,
                group="panels", words=tr("sidebar side panel collapse hide")),
        Command("fold_measures", tr("Fold or open measures and charts"), "View",
                tr("Leave the room of measures and charts in Query to the rankings, or show them again"),
                ask=lambda dialogs: dialogs.window.fold_measures(), shortcuts=("Shift+F9",),
                enabled=_in_rankings, group="panels", words=tr("sidebar side panel collapse hide")),
        Command("card_fields", tr("Document fields…"), "View",
                tr("Choose the columns that the document card shows, and their order"),
                ask=lambda dialogs: dialogs.documents.card_fields(),
                enabled=_has_documents, group="document"),
        Command("theme_light", tr("Light theme"), "View", tr("Use light colours"),
                run=light, checked=is_light, group="theme"),
        Command("theme_dark", tr("Dark theme"), "View", tr("Use dark colours"),
                run=dark, checked=is_dark, group="theme"),
        Command("theme_contrast", tr("High contrast, light"), "View", tr("Use black on white, with strong borders"),
                run=contrast, checked=is_contrast, group="theme"),
        Command("theme_contrast_dark", tr("High contrast, dark"), "View", tr("Use white on black, with strong borders"),
                run=contrast_dark, checked=is_contrast_dark, group="theme"),
        Command("theme_system", tr("System theme"), "View",
                tr("Light, dark or high contrast, as the desktop is set"),
                run=system, checked=is_system, group="theme"),
        Command("copy", tr("Copy"), "Edit", tr("Copy the selected cells as tab-separated text; in Verdict, the answer"),
                ask=lambda dialogs: dialogs.window.copy(), shortcuts=("Ctrl+C",), enabled=has_table, bound=False,
            group="copy"),
        Command("preferences", tr("Preferences…"), "Edit",
                tr("Theme, type size, colours, table measures, statistics, saving and keys"),
                ask=lambda dialogs: dialogs.window.preferences(), shortcuts=("Ctrl+,",), group="preferences",
                words=tr("settings options configure")),
        Command("context_menu", tr("Context menu…"), "Edit",
                tr("Open the context menu of the part with the keyboard focus"),
                ask=lambda dialogs: dialogs.window.context_menu(), shortcuts=("Shift+F10",), enabled=has_collection,
            group="copy"),
        Command("show_reports", tr("File doctor…"), "File",
                tr("Show the contents and problems of the open files, and offer repairs"),
                ask=lambda dialogs: dialogs.files.examine(),
                enabled=lambda session: session.files.has_refused or has_files(session), group="reload"),
        Command("keyboard", tr("Keyboard shortcuts…"), "Help", tr("List every action with its shortcut"),
                ask=lambda dialogs: dialogs.help.keyboard(), shortcuts=("F1", "?")),
        Command("symbols", tr("Signs and abbreviations…"), "Help",
                tr("What ★, Δ, †, 1st, unj and the other signs of tables and lists mean"),
                ask=lambda dialogs: dialogs.help.symbols(), shortcuts=("Shift+F1",),
                words=tr("legend symbols key meaning")),
        Command("about", tr("About irviewer…"), "Help", tr("Version, licence and credits"),
                ask=lambda dialogs: dialogs.help.about(), group="about"),
    )  # fmt: skip


ROWS = _rows()
