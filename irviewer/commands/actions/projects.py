"""Commands that save and open projects, locate moved files, and restore unsaved work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_collection
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_left(session: Session) -> bool:
    return bool(session.projects.unsaved_work)


ROWS: tuple[Command, ...] = (
    Command("save_project", tr("Save project…"), "File",
            tr("Store files, choices, judgments, notes and edited runs in one project file; later changes are saved "
               "automatically"),
            ask=lambda dialogs: dialogs.projects.save(), shortcuts=("Ctrl+S",), enabled=has_collection,
            group="project"),
    Command("save_project_as", tr("Save project as…"), "File", tr("Continue in another project file"),
            ask=lambda dialogs: dialogs.projects.save_as(), shortcuts=("Ctrl+Shift+S",), enabled=has_collection,
            group="project"),
    Command("open_project", tr("Open project…"), "File", tr("Open a project, which replaces what is open"),
            ask=lambda dialogs: dialogs.projects.open(), group="project"),
    Command("find_files", tr("Locate missing files…"), "File",
            tr("Tell the program where files of the project have moved to"),
            ask=lambda dialogs: dialogs.projects.find_files(),
            enabled=lambda session: session.projects.seeking is not None, group="resolve"),
    Command("join_project", tr("Add files to the project…"), "File",
            tr("Add the files just opened to the project, or open them in its place"),
            ask=lambda dialogs: dialogs.projects.join(),
            enabled=lambda session: session.projects.offered is not None, group="resolve"),
    Command("settle_project", tr("Resolve project conflicts…"), "File",
            tr("Choose between conflicting changes made here and in another window"),
            ask=lambda dialogs: dialogs.projects.settle(),
            enabled=lambda session: session.autosave.division is not None, group="resolve"),
    Command("restore_work", tr("Restore unsaved work…"), "File",
            tr("Restore work that was not saved in a project"),
            ask=lambda dialogs: dialogs.projects.restore(), enabled=_has_left, group="resolve"),
    Command("discard_work", tr("Discard unsaved work…"), "File",
            tr("Delete work that could be restored; asks first"),
            ask=lambda dialogs: dialogs.projects.discard(), enabled=_has_left, group="resolve"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each piece of unsaved work."""
    return [_restore(number, work.time, work.words) for number, work in enumerate(session.projects.unsaved_work)]


def _restore(number: int, time: str, words: str) -> Command:
    return Command(
        f"restore {number}",
        tr("Restore work of {time}", time=time),
        "File",
        words,
        short=tr("work of {time}", time=time),
        run=lambda session: session.projects.restore_work(number),
    )
